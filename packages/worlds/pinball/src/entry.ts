import type { WorldEntry } from '@lockstep/kernel';
import { bots } from '../bots/index.ts';
import type { Controls } from './machine/action.ts';
import { stage } from './machine/scene.ts';
import type { Config, State } from './machine/state.ts';
import type { Briefing, PinballView } from './machine/view.ts';
import { world } from './machine/world.ts';

export const pinball: WorldEntry<Config, State, Controls, PinballView, Briefing> = { world, bots, stage };
