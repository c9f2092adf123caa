import type { BotMaker } from '@lockstep/kernel';
import type { Briefing, PinballView, Play } from '../src/machine/view.ts';
import { flapper } from './flapper.ts';
import { wizard } from './wizard.ts';

/** The built-in bots; the first opens the studio. */
export const bots = { wizard, flapper } satisfies Record<string, BotMaker<Briefing, PinballView, Play>>;
