import { DISK_SENSOR, LEN, NX, NY, PX, PY, REACH, STRIDE } from './primitives.ts';
import { enterCircle, fallTime, leaveCircle } from './roots.ts';
import type { PhysicsState } from './state.ts';
import { enterFrom, within } from './sweep.ts';
import type { Table } from './table.ts';

/**
 * [PB-4.10] When ball i's centre crosses the sensor or the region's border p, or enters the disk. On which side the ball is, its place says; so
 * near that rounding decides, what was last known says, and a crossing that has been told changes that. So none is told twice, and none is lost
 * where a step ends on the line.
 */
export function sensorTime(table: Table, state: PhysicsState, i: number, p: number, T: number): number {
  const { parts, work } = table;
  const { data } = parts;
  const o = p * STRIDE;
  const dx = state.x[i]! - data[o + PX]!;
  const dy = state.y[i]! - data[o + PY]!;
  const vx = state.vx[i]!;
  const vy = state.vy[i]!;
  const ax = work.ax[i]!;
  const ay = work.ay[i]!;
  if (parts.kind[p] === DISK_SENSOR) return enteringTime(table, state, i, p, dx, dy, vx, vy, ax, ay, T);
  const nx = data[o + NX]!;
  const ny = data[o + NY]!;
  const height = dx * nx + dy * ny;
  const v = vx * nx + vy * ny;
  const a = ax * nx + ay * ny;
  if (Math.abs(height) > table.touch) remember(table, state, i, p, height > 0);
  const side = isBeyond(table, state, i, p) ? 1 : -1;
  const t = fallTime(side * height, side * v, side * a, 0, 0, 0);
  if (!(t < T)) return Infinity;
  const len = data[o + LEN]!;
  const u = dx * ny - dy * nx;
  const vu = vx * ny - vy * nx;
  const au = ax * ny - ay * nx;
  if (within(u, vu, au, t, len)) return t;
  // Beside the segment one way, perhaps through it on the way back.
  const back = a === 0 ? Infinity : -(2 * v) / a - t;
  return back > t && back < T && within(u, vu, au, back, len) ? back : Infinity;
}

function enteringTime(
  table: Table,
  state: PhysicsState,
  i: number,
  p: number,
  dx: number,
  dy: number,
  vx: number,
  vy: number,
  ax: number,
  ay: number,
  T: number,
): number {
  const { touch } = table;
  const R = table.parts.data[p * STRIDE + REACH]!;
  const c = dx * dx + dy * dy - R * R;
  if (Math.abs(c) > 2 * R * touch) remember(table, state, i, p, c < 0);
  if (!isBeyond(table, state, i, p)) return enterCircle(dx, dy, vx, vy, ax, ay, R, T, touch);
  if (ax === 0 && ay === 0) return Infinity;
  const out = leaveCircle(dx, dy, vx, vy, ax, ay, R, T, touch);
  return out < T ? out + enterFrom(out, dx, dy, vx, vy, ax, ay, R, T, touch) : Infinity;
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
