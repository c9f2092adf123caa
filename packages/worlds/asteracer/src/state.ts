import type { FieldIO } from '@lockstep/kernel';
import type { Config } from './track.ts';

export class State {
  tick = 0;
  x: number;
  y: number;
  vx = 0;
  vy = 0;
  /** How many goals are marked. */
  reachedCount = 0;
  /** The seat's bot is out of the game. */
  gone = false;
  /** [AR-2.7] One a goal in file order: 1 once it has been intersected. */
  readonly reached: Int32Array;
  /** Shared by all states of a game, never changed, not part of the field list. */
  readonly config: Config;

  constructor(config: Config) {
    this.config = config;
    this.x = config.map.racer.x;
    this.y = config.map.racer.y;
    this.reached = new Int32Array(config.map.goals.length);
  }
}

/** Every field of the state, once, in a fixed order. */
export function fields(io: FieldIO, state: State): void {
  state.tick = io.num(state.tick);
  state.x = io.num(state.x);
  state.y = io.num(state.y);
  state.vx = io.num(state.vx);
  state.vy = io.num(state.vy);
  state.reachedCount = io.num(state.reachedCount);
  state.gone = io.bool(state.gone);
  io.ints(state.reached);
}
