import { Flight } from '../src/flight.ts';
import type { Track } from '../src/track.ts';

/** One tick's instruction. */
export type Thrusting = readonly [vx: number, vy: number];

/** A run and everything that happens in it. Index t is the state after t ticks. */
export interface Run {
  readonly thrusts: readonly Thrusting[];
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly vx: Int32Array;
  readonly vy: Int32Array;
  /** How many goals are reached. */
  readonly reached: Int32Array;
  /** In how many ticks so far anything collided. */
  readonly collisions: Int32Array;
  /** The goals in the order in which they are reached. */
  readonly order: readonly number[];
  readonly isFinished: boolean;
}

/** Flies a run; what comes after the last goal is cut off. */
export function fly(track: Track, thrusts: readonly Thrusting[]): Run {
  const flight = new Flight(track);
  const room = thrusts.length + 1;
  const run = {
    x: new Float64Array(room),
    y: new Float64Array(room),
    vx: new Int32Array(room),
    vy: new Int32Array(room),
    reached: new Int32Array(room),
    collisions: new Int32Array(room),
  };
  const order: number[] = [];
  let tick = 0;
  const note = (): void => {
    run.x[tick] = flight.x;
    run.y[tick] = flight.y;
    run.vx[tick] = flight.vx;
    run.vy[tick] = flight.vy;
    run.reached[tick] = order.length;
    run.collisions[tick] = flight.collisions;
  };
  note();
  while (tick < thrusts.length && order.length < track.goals.count) {
    const [vx, vy] = thrusts[tick]!;
    flight.hold(vx, vy, 1);
    tick++;
    for (let i = 0; i < flight.metCount; i++) order.push(flight.met[i]!);
    note();
  }
  return { ...run, thrusts: thrusts.slice(0, tick), order, isFinished: order.length === track.goals.count };
}

/** Whether a run is one to keep: all goals, and nothing touched if so wished. */
export function isGood(run: Run, noTouch: boolean): boolean {
  return run.isFinished && !(noTouch && run.collisions[run.thrusts.length]! > 0);
}
