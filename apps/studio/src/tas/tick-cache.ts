import { asteracer, type Config, Instruction, State } from '@lockstep/asteracer';
import type { WorldEvent } from '@lockstep/kernel';
import { firstDifference, lengthOf, type Script } from './script.ts';

/** Where a run has been: the state before the first tick and after every one, by column. */
export interface Course {
  /** Ticks that were flown. */
  readonly length: number;
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly vx: Int32Array;
  readonly vy: Int32Array;
  /** 1 where the tick that led here collided. */
  readonly collided: Uint8Array;
  /** How many goals had been reached. */
  readonly reached: Int32Array;
  /** After which tick each goal was reached, in file order; -1 if it was not. */
  readonly goalTicks: Int32Array;
  /** After which tick all goals were reached; null if they were not. */
  readonly finish: number | null;
}

/** Every tick of a run, kept: any of them can be looked at without waiting. After an edit only what comes later is flown again. */
export class TickCache implements Course {
  readonly config: Config;
  length = 0;
  x = new Float64Array(1);
  y = new Float64Array(1);
  vx = new Int32Array(1);
  vy = new Int32Array(1);
  collided = new Uint8Array(1);
  reached = new Int32Array(1);
  readonly goalTicks: Int32Array;
  finish: number | null = null;
  private script: Script = new Int8Array(0);

  constructor(config: Config, script: Script) {
    this.config = config;
    this.goalTicks = new Int32Array(config.map.goals.length).fill(-1);
    this.x[0] = config.map.racer.x;
    this.y[0] = config.map.racer.y;
    if (this.goalTicks.length === 0) this.finish = 0;
    this.fly(script);
  }

  /** Flies a changed script. The first tick whose instruction differs; null where none does. */
  fly(script: Script): number | null {
    const from = firstDifference(this.script, script);
    this.script = script;
    if (from === null) return null;
    this.room(lengthOf(script) + 1);
    this.length = lengthOf(script);
    this.simulate(from);
    return from;
  }

  /** The whole state after so many ticks, as the world keeps it. */
  stateAt(tick: number): State {
    const state = new State(this.config);
    state.tick = tick;
    state.x = this.x[tick]!;
    state.y = this.y[tick]!;
    state.vx = this.vx[tick]!;
    state.vy = this.vy[tick]!;
    state.reachedCount = this.reached[tick]!;
    for (let goal = 0; goal < this.goalTicks.length; goal++) {
      const at = this.goalTicks[goal]!;
      if (at >= 0 && at <= tick) state.reached[goal] = 1;
    }
    return state;
  }

  private simulate(from: number): void {
    const { goalTicks, script, length } = this;
    const { world } = asteracer;
    const state = this.stateAt(from);
    for (let goal = 0; goal < goalTicks.length; goal++) if (goalTicks[goal]! > from) goalTicks[goal] = -1;
    const instruction = new Instruction();
    const actions = [instruction];
    const events: WorldEvent[] = [];
    for (let tick = from; tick < length; tick++) {
      instruction.vx = script[2 * tick]!;
      instruction.vy = script[2 * tick + 1]!;
      world.step(state, actions, events);
      const after = tick + 1;
      this.collided[after] = 0;
      if (events.length > 0) this.note(events, after);
      this.x[after] = state.x;
      this.y[after] = state.y;
      this.vx[after] = state.vx;
      this.vy[after] = state.vy;
      this.reached[after] = state.reachedCount;
    }
    const all = state.reachedCount === goalTicks.length;
    this.finish = all ? goalTicks.reduce((latest, tick) => Math.max(latest, tick), 0) : null;
  }

  private note(events: WorldEvent[], tick: number): void {
    for (const { kind, goal } of events) {
      if (kind === 'collision') this.collided[tick] = 1;
      else this.goalTicks[goal as number] = tick;
    }
    events.length = 0;
  }

  private room(count: number): void {
    if (count <= this.x.length) return;
    const size = Math.max(count, 2 * this.x.length);
    this.x = wider(this.x, new Float64Array(size));
    this.y = wider(this.y, new Float64Array(size));
    this.vx = wider(this.vx, new Int32Array(size));
    this.vy = wider(this.vy, new Int32Array(size));
    this.collided = wider(this.collided, new Uint8Array(size));
    this.reached = wider(this.reached, new Int32Array(size));
  }
}

function wider<T extends Float64Array | Int32Array | Uint8Array>(from: T, into: T): T {
  into.set(from);
  return into;
}

/** When a run and others came to a goal; null for those that never did. */
export interface Split {
  readonly goal: number;
  readonly tick: number | null;
  readonly others: readonly (number | null)[];
}

/** The goals that any of them reached: the run's in the order it reached them, then those of the others alone, the soonest first. */
export function splits(run: Course, others: readonly Course[]): Split[] {
  const at = ({ goalTicks }: Course, goal: number) => (goalTicks[goal]! < 0 ? null : goalTicks[goal]!);
  const soonest = ({ others: ticks }: Split) => Math.min(...ticks.map((tick) => tick ?? Infinity));
  return Array.from(run.goalTicks, (_, goal) => ({ goal, tick: at(run, goal), others: others.map((other) => at(other, goal)) }))
    .filter((split) => split.tick !== null || soonest(split) < Infinity)
    .sort((a, b) => {
      if (a.tick === null && b.tick === null) return soonest(a) - soonest(b) || a.goal - b.goal;
      return (a.tick ?? Infinity) - (b.tick ?? Infinity) || a.goal - b.goal;
    });
}
