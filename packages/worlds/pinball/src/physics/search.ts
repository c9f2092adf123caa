import { BORDER, FACE, LEN, LINE_SENSOR, NX, NY, ONE_WAY, PX, PY, SEGMENT, STRIDE } from './primitives.ts';
import { AX, AY, BALL_R, BALL_X, BALL_Y, fallTime, SPAN, TIME, TOUCH, VX, VY, WAY } from './roots.ts';
import { sensorTime } from './sensors.ts';
import type { PhysicsState } from './state.ts';
import { hitTime } from './sweep.ts';
import type { Table } from './table.ts';

/**
 * [PB-4] [PB-4.11] The earliest static primitive on ball i's present flight, into partTime and part: -1 with a time is a pause there, -1 with
 * Infinity is a free way until `end`. The walk visits the cells along the chord and stops when the next one is farther than what was found. Hot.
 */
export function findPart(table: Table, state: PhysicsState, i: number, end: number): void {
  const { work, parts, grid, r, touch } = table;
  const x = state.x[i]!;
  const y = state.y[i]!;
  const vx = state.vx[i]!;
  const vy = state.vy[i]!;
  const ax = work.ax[i]!;
  const ay = work.ay[i]!;
  const start = work.time[i]!;

  const T = pieceLength(table, state, i, end);
  const pause = T < end - start ? start + T : Infinity;

  const { kind, mask, owner, data } = parts;
  const { enabled } = state;
  const { seen } = work;
  const bit = 1 << state.layer[i]!;
  const skip1 = work.under1[i]!;
  const skip2 = work.under2[i]!;
  const skip3 = work.slide[i]!;
  const { motion } = work;
  motion[VX] = vx;
  motion[VY] = vy;
  motion[AX] = ax;
  motion[AY] = ay;
  motion[SPAN] = T;
  motion[WAY] = T * (Math.abs(vx) + Math.abs(vy) + (T * (Math.abs(ax) + Math.abs(ay))) / 2);
  motion[TOUCH] = touch;
  motion[BALL_X] = x;
  motion[BALL_Y] = y;
  motion[BALL_R] = r;
  let best = T;
  let found = -1;

  const { left, bottom, inverse, size, columns, rows } = grid;
  const wx = vx + (ax * T) / 2;
  const wy = vy + (ay * T) / 2;
  let column = Math.floor((x - left) * inverse);
  let row = Math.floor((y - bottom) * inverse);
  const lastColumn = Math.floor((x + wx * T - left) * inverse);
  const lastRow = Math.floor((y + wy * T - bottom) * inverse);
  const many = column !== lastColumn || row !== lastRow;
  if (many) work.search = (work.search + 1) | 0;
  const { search } = work;
  // When the chord crosses into the next column and the next row, and how long it takes through one.
  let nextX = Infinity;
  let nextY = Infinity;
  let acrossX = Infinity;
  let acrossY = Infinity;
  if (many) {
    if (wx !== 0) nextX = (left + (wx > 0 ? column + 1 : column) * size - x) / wx;
    if (wy !== 0) nextY = (bottom + (wy > 0 ? row + 1 : row) * size - y) / wy;
    acrossX = size / Math.abs(wx);
    acrossY = size / Math.abs(wy);
  }

  for (;;) {
    const outside = column < 0 || row < 0 || column >= columns || row >= rows;
    const cell = row * columns + column;
    const from = outside ? 0 : grid.start[cell]!;
    const to = outside ? parts.count : grid.start[cell + 1]!;
    for (let at = from; at < to; at++) {
      const p = outside ? at : grid.items[at]!;
      if (many) {
        if (seen[p] === search) continue;
        seen[p] = search;
      }
      if ((mask[p]! & bit) === 0 || p === skip1 || p === skip2 || p === skip3) continue;
      if (kind[p]! >= LINE_SENSOR) sensorTime(table, state, i, p);
      else hitTime(kind[p]!, data, p * STRIDE, motion);
      const t = motion[TIME]!;
      if (t > best || (t === best && (found < 0 || p > found))) continue;
      if (kind[p] !== BORDER && enabled[owner[p]!] === 0) continue;
      best = t;
      found = p;
    }
    if (!many || outside || (column === lastColumn && row === lastRow)) break;
    if (nextX < nextY) {
      if (nextX > best) break;
      column += wx > 0 ? 1 : -1;
      nextX += acrossX;
    } else {
      if (nextY > best) break;
      row += wy > 0 ? 1 : -1;
      nextY += acrossY;
    }
  }
  work.part[i] = found;
  work.partTime[i] = found >= 0 ? start + best : pause;
}

/** How long ball i may fly in one piece: no longer than it lies on something, nor so long that the parabola bulges out of the grid's margin. */
export function pieceLength(table: Table, state: PhysicsState, i: number, end: number): number {
  const { work, grid } = table;
  let T = end - work.time[i]!;
  if (work.under1[i]! >= 0 || work.slide[i]! >= 0) T = Math.min(T, contactEnd(table, state, i));
  const bend = Math.abs(work.ax[i]!) + Math.abs(work.ay[i]!);
  return bend * T * T > 8 * grid.margin ? Math.sqrt((8 * grid.margin) / bend) : T; // the bulge is |a| T²/8
}

/** How long the ball stays on what it lies on or slides along: until the end of the segment, or of the slide. */
function contactEnd(table: Table, state: PhysicsState, i: number): number {
  const { work } = table;
  if (work.slide[i]! >= 0) return work.slideEnd[i]! - work.time[i]!;
  return Math.min(edgeTime(table, state, i, work.under1[i]!), edgeTime(table, state, i, work.under2[i]!));
}

/** When the ball's foot passes an end of the segment p; Infinity for what has no ends. */
function edgeTime(table: Table, state: PhysicsState, i: number, p: number): number {
  const { work, parts, touch } = table;
  if (p < 0 || p >= parts.count) return Infinity;
  const kind = parts.kind[p]!;
  if (kind !== SEGMENT && kind !== FACE && kind !== ONE_WAY) return Infinity;
  const { data } = parts;
  const o = p * STRIDE;
  const nx = data[o + NX]!;
  const ny = data[o + NY]!;
  const u = (state.x[i]! - data[o + PX]!) * ny - (state.y[i]! - data[o + PY]!) * nx;
  const vu = state.vx[i]! * ny - state.vy[i]! * nx;
  const au = work.ax[i]! * ny - work.ay[i]! * nx;
  // A little past the end: what is found there next is not this segment again.
  return Math.min(fallTime(u + touch, vu, au, 0, 0, 0), fallTime(data[o + LEN]! - u + touch, -vu, -au, 0, 0, 0));
}
