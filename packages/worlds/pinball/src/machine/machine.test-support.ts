import type { Json, LedgerEntry, WorldEvent } from '@lockstep/kernel';
import { placeBall, type Point } from '../physics/index.ts';
import { Controls } from './action.ts';
import { readConfig } from './door.ts';
import { ticksOf } from './pace.ts';
import { State } from './state.ts';
import { step } from './step.ts';
import { TABLES } from './tables.ts';

/** A machine in a test: balls are put where they are needed. */
export class Play {
  readonly state: State;
  readonly events: WorldEvent[] = [];
  readonly ledger: LedgerEntry[] = [];
  readonly controls = new Controls();

  constructor(table: Json = TABLES['classic']!, seed = 1n) {
    this.state = new State(readConfig({ table }), seed);
    this.state.toServe = 0;
  }

  ball(at: Point, speed: Point = [0, 0], i = 0, layer = 0): this {
    const { physics, config } = this.state;
    placeBall(config.machine.table, physics, i, at[0], at[1], layer);
    physics.vx[i] = speed[0];
    physics.vy[i] = speed[1];
    return this;
  }

  run(seconds: number, controls: Partial<Controls> = {}): this {
    Object.assign(this.controls, controls);
    for (let k = 0; k < ticksOf(seconds); k++) step(this.state, [this.controls], this.events, this.ledger);
    return this;
  }

  /** The names of what happened, of one kind. */
  told(kind: string): unknown[] {
    return this.events.filter((event) => event.kind === kind).map((event) => event['name'] ?? event.kind);
  }

  at(i = 0): Point {
    return [this.state.physics.x[i]!, this.state.physics.y[i]!];
  }

  speed(i = 0): number {
    const { vx, vy } = this.state.physics;
    return Math.sqrt(vx[i]! * vx[i]! + vy[i]! * vy[i]!);
  }
}

/** A table of ours with some of its parts replaced. */
export const tableWith = (name: string, parts: Record<string, unknown>): Json =>
  JSON.parse(JSON.stringify({ ...(TABLES[name] as object), ...parts })) as Json;
