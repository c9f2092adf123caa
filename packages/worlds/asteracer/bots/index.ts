import type { BotMaker } from '@lockstep/kernel';
import type { Briefing, RaceView, Thrust } from '../src/view.ts';
import { drifter } from './drifter.ts';
import { pilot } from './pilot.ts';

/** The built-in bots; the first opens the studio. */
export const bots = { pilot, drifter } satisfies Record<string, BotMaker<Briefing, RaceView, Thrust>>;
