import type { WorldEntry } from '@lockstep/kernel';
import { bots } from '../bots/index.ts';
import type { Instruction } from './action.ts';
import { conform } from './conform.ts';
import { course } from './course.ts';
import { stage } from './scene.ts';
import type { State } from './state.ts';
import type { Config } from './track.ts';
import type { Briefing, RaceView } from './view.ts';
import { world } from './world.ts';

export const asteracer: WorldEntry<Config, State, Instruction, RaceView, Briefing> = {
  world,
  bots,
  example: () => ({ vx: 0, vy: 0 }),
  stage,
  conform,
  course,
};
