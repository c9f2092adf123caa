import type { Json, WorldEntry } from '@lockstep/kernel';
import { bots } from '../bots/index.ts';
import type { Action } from './action.ts';
import { conform } from './conform.ts';
import { logged } from './log.ts';
import type { Config, Rules } from './rules.ts';
import { stage } from './scene.ts';
import type { State } from './state.ts';
import type { GameView } from './view.ts';
import { world } from './world.ts';

export const codeball: WorldEntry<Config, State, Action, GameView, Rules> = { world, bots, example, stage, conform, logged };

/** [CB-3.2] Orders for every robot of the seat. */
function example({ rules: { team_size } }: Config, seat: number): Json {
  const orders = { target_velocity_x: 0, target_velocity_y: 0, target_velocity_z: 0, jump_speed: 0, use_nitro: false };
  return Object.fromEntries(Array.from({ length: team_size }, (_, i) => [String(seat * team_size + i + 1), orders]));
}
