import { DISK_SENSOR, LEN, NX, NY, PX, PY, REACH, STRIDE } from './primitives.ts';
import { AX, AY, DX, DY, enterCircle, fallTime, leaveCircle, RADIUS_SUM, SPAN, TIME, VX, VY } from './roots.ts';
import type { PhysicsState } from './state.ts';
import { enterFrom, within } from './sweep.ts';
import type { Table } from './table.ts';

/**
 * [PB-4.10] When ball i's centre crosses the sensor or the region's border p, or enters the disk. On which side the ball is, its place says; so
 * near that rounding decides, what was last known says, and a crossing that has been told changes that. So none is told twice, and none is lost
 * where a step ends on the line.
 */
export function sensorTime(table: Table, state: PhysicsState, i: number, p: number): void {
  const { parts } = table;
  const { data } = parts;
  const m = table.work.motion;
  const o = p * STRIDE;
  const dx = state.x[i]! - data[o + PX]!;
  const dy = state.y[i]! - data[o + PY]!;
  m[DX] = dx;
  m[DY] = dy;
  if (parts.kind[p] === DISK_SENSOR) {
    enteringTime(table, state, i, p);
    return;
  }
  const nx = data[o + NX]!;
  const ny = data[o + NY]!;
  const T = m[SPAN]!;
  const height = dx * nx + dy * ny;
  const v = m[VX]! * nx + m[VY]! * ny;
  const a = m[AX]! * nx + m[AY]! * ny;
  if (Math.abs(height) > table.touch) remember(table, state, i, p, height > 0);
  const side = isBeyond(table, state, i, p) ? 1 : -1;
  const t = fallTime(side * height, side * v, side * a, 0, 0, 0);
  m[TIME] = Infinity;
  if (!(t < T)) return;
  const len = data[o + LEN]!;
  const u = dx * ny - dy * nx;
  const vu = m[VX]! * ny - m[VY]! * nx;
  const au = m[AX]! * ny - m[AY]! * nx;
  // Beside the segment one way, perhaps through it on the way back.
  const back = a === 0 ? Infinity : -(2 * v) / a - t;
  if (within(u, vu, au, t, len)) m[TIME] = t;
  else if (back > t && back < T && within(u, vu, au, back, len)) m[TIME] = back;
}

function enteringTime(table: Table, state: PhysicsState, i: number, p: number): void {
  const m = table.work.motion;
  const R = table.parts.data[p * STRIDE + REACH]!;
  const c = m[DX]! * m[DX]! + m[DY]! * m[DY]! - R * R;
  m[RADIUS_SUM] = R;
  if (Math.abs(c) > 2 * R * table.touch) remember(table, state, i, p, c < 0);
  if (!isBeyond(table, state, i, p)) {
    enterCircle(m);
    return;
  }
  m[TIME] = Infinity;
  if (m[AX] === 0 && m[AY] === 0) return;
  leaveCircle(m);
  const out = m[TIME];
  if (out < m[SPAN]!) m[TIME] = out + enterFrom(m, out);
}

/** What is known of ball i and sensor p: is it on the left of the line, or in the disk? One bit each. */
export function isBeyond(table: Table, state: PhysicsState, i: number, p: number): boolean {
  const slot = table.parts.slot[p]!;
  return (state.beyond[i * table.beyondWords + (slot >> 5)]! & (1 << (slot & 31))) !== 0;
}

export function remember(table: Table, state: PhysicsState, i: number, p: number, beyond: boolean): void {
  const slot = table.parts.slot[p]!;
  const at = i * table.beyondWords + (slot >> 5);
  const bit = 1 << (slot & 31);
  state.beyond[at] = beyond ? state.beyond[at]! | bit : state.beyond[at]! & ~bit;
}
