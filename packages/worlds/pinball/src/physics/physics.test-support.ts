import { type Rng, uniform } from '@lockstep/kernel';
import { expect } from 'vitest';
import type { Collider, Material, Point, TableDescription } from './colliders.ts';
import { HitLog } from './hits.ts';
import { placeBall } from './overlap.ts';
import { physicsFields, PhysicsState } from './state.ts';
import { stepBalls } from './step.ts';
import { Table } from './table.ts';

/** A table with its state and log: what most tests need. */
export class Bench {
  readonly table: Table;
  readonly state: PhysicsState;
  readonly log = new HitLog(4096);
  tick = 0;
  hits = 0;
  capped = 0;

  constructor(description: Partial<TableDescription>, index: { cell?: number; ballCell?: number; naive?: boolean } = {}) {
    this.table = new Table({ radius: 0.25, colliders: [], ...description }, index);
    this.state = new PhysicsState(this.table);
  }

  ball(i: number, x: number, y: number, vx = 0, vy = 0): this {
    expect(placeBall(this.table, this.state, i, x, y)).toBe(true);
    this.state.vx[i] = vx;
    this.state.vy[i] = vy;
    return this;
  }

  step(dt: number, times = 1): this {
    for (let k = 0; k < times; k++) {
      this.log.clear();
      stepBalls(this.table, this.state, dt, this.log);
      this.hits += this.log.total;
      this.capped += this.log.capped;
      this.tick++;
    }
    return this;
  }

  at(i = 0): Point {
    return [this.state.x[i]!, this.state.y[i]!];
  }

  speed(i = 0): Point {
    return [this.state.vx[i]!, this.state.vy[i]!];
  }

  /** v²/2 - g.X of all balls, and their spin's energy. */
  energy(): number {
    const { state, table } = this;
    let sum = 0;
    for (let i = 0; i < table.capacity; i++) {
      if (state.status[i] !== 1) continue;
      sum += (state.vx[i]! * state.vx[i]! + state.vy[i]! * state.vy[i]!) / 2 - table.gx * state.x[i]! - table.gy * state.y[i]!;
      sum += 0.2 * table.r * table.r * state.spin[i]! * state.spin[i]!;
    }
    return sum;
  }
}

/** A field list as a world has it, for the kernel's snapshot, restore and hash. */
export const benchWorld = {
  fields: (io: Parameters<typeof physicsFields>[0], state: { tick: number; physics: PhysicsState }): void => {
    state.tick = io.num(state.tick);
    physicsFields(io, state.physics);
  },
};

export const floor = (material: Material): Collider => ({ kind: 'half-plane', at: [0, 0], normal: [0, 1], material });

/** Four walls without thickness around a box. */
export function box(width: number, height: number, material: Material): Collider {
  return {
    kind: 'polyline',
    points: [
      [0, 0],
      [width, 0],
      [width, height],
      [0, height],
      [0, 0],
    ],
    material,
  };
}

/** Is the ball's centre nearer than r to the box's wall, or outside? By how much at most. */
export function outsideBy(bench: Bench, i: number, width: number, height: number): number {
  const { r } = bench.table;
  const [x, y] = bench.at(i);
  return Math.max(r - x, x - (width - r), r - y, y - (height - r));
}

export const toss = (rng: Rng, width: number): number => uniform(rng, -width, width);

/** A direction with bits of its own, without trigonometry. */
export function direction(rng: Rng): Point {
  for (;;) {
    const x = uniform(rng, -1, 1);
    const y = uniform(rng, -1, 1);
    const length = Math.sqrt(x * x + y * y);
    if (length > 0.1 && length < 1) return [x / length, y / length];
  }
}
