import type { WorldEntry } from '@lockstep/kernel';
import { bots } from '../bots/index.ts';
import type { Controls } from './machine/action.ts';
import { stage } from './machine/scene.ts';
import type { Config, State } from './machine/state.ts';
import type { Briefing, PinballView } from './machine/view.ts';
import { world } from './machine/world.ts';

export const pinball: WorldEntry<Config, State, Controls, PinballView, Briefing> = {
  world,
  bots,
  example: () => ({ left: false, right: false, plunger: 0, nudgeX: 0, nudgeY: 0 }),
  stage,
  arcade: true,
};
