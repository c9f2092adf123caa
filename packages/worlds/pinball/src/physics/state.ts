import type { FieldIO } from '@lockstep/kernel';
import type { Table } from './table.ts';

/** A ball that is not on the table, one that moves, one that is held where it is (a saucer): nothing hits a held ball. */
export const GONE = 0;
export const MOVING = 1;
export const HELD = 2;

/** All that the next step depends on beside the table. Balls and movers by column; rows of balls that are gone hold zeros. */
export class PhysicsState {
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** s of the document. */
  readonly vx: Float64Array;
  readonly vy: Float64Array;
  /** Radians a second, counterclockwise. */
  readonly spin: Float64Array;
  readonly status: Int32Array;
  readonly layer: Int32Array;
  /** [PB-2.3] The region whose gravity acts, or -1. */
  readonly region: Int32Array;
  /** [PB-4.10] Bits, some words a ball: on which side of the sensors it was last seen. */
  readonly beyond: Int32Array;

  /** Where a mover is (angle, or way along its axis), how fast it moves, and with which acceleration the machine drives it. */
  readonly place: Float64Array;
  readonly rate: Float64Array;
  readonly drive: Float64Array;
  /** One a collider: 0 while it is out of the way (a dropped target). */
  readonly enabled: Int32Array;
  /** Acceleration of balls by a shaken table, in the table's own frame. */
  shakeX = 0;
  shakeY = 0;

  constructor(table: Table) {
    const { capacity } = table;
    const { count, start } = table.movers;
    this.x = new Float64Array(capacity);
    this.y = new Float64Array(capacity);
    this.vx = new Float64Array(capacity);
    this.vy = new Float64Array(capacity);
    this.spin = new Float64Array(capacity);
    this.status = new Int32Array(capacity);
    this.layer = new Int32Array(capacity);
    this.region = new Int32Array(capacity).fill(-1);
    this.beyond = new Int32Array(capacity * table.beyondWords);
    this.place = Float64Array.from(start);
    this.rate = new Float64Array(count);
    this.drive = new Float64Array(count);
    this.enabled = new Int32Array(table.colliders).fill(1);
  }
}

/** Every field of the state, once, in a fixed order. */
export function physicsFields(io: FieldIO, state: PhysicsState): void {
  io.nums(state.x);
  io.nums(state.y);
  io.nums(state.vx);
  io.nums(state.vy);
  io.nums(state.spin);
  io.ints(state.status);
  io.ints(state.layer);
  io.ints(state.region);
  io.ints(state.beyond);
  io.nums(state.place);
  io.nums(state.rate);
  io.nums(state.drive);
  io.ints(state.enabled);
  state.shakeX = io.num(state.shakeX);
  state.shakeY = io.num(state.shakeY);
}
