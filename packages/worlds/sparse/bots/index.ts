import type { BotMaker } from '@lockstep/kernel';
import type { Briefing, DungeonView } from '../game/view.ts';
import { delver } from './delver.ts';
import { wanderer } from './wanderer.ts';

/** The built-in bots; the first opens the studio. */
export const bots = { delver, wanderer } satisfies Record<string, BotMaker<Briefing, DungeonView>>;
