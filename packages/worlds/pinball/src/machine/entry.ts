import type { WorldEntry } from '@lockstep/kernel';
import { bots } from '../../bots/index.ts';
import type { Controls } from './action.ts';
import { stage } from './scene.ts';
import type { Config, State } from './state.ts';
import type { Briefing, PinballView } from './view.ts';
import { world } from './world.ts';

export const pinball: WorldEntry<Config, State, Controls, PinballView, Briefing> = { world, bots, stage };
