import { BORDER, CIRCLE, FACE, LEN, LINE_SENSOR, NX, NY, ONE_WAY, PX, PY, REACH, SEGMENT, STRIDE } from './primitives.ts';
import { APPROACH, AX, AY, BALL_R, BALL_X, BALL_Y, fallTime, SPAN, TIME, TOUCH, VX, VY, WAY } from './roots.ts';
import { isClear, seeSensors } from './quiet.ts';
import { sensorTime } from './sensors.ts';
import type { PhysicsState } from './state.ts';
import { hitTime } from './sweep.ts';
import type { Table } from './table.ts';

/**
 * [PB-4] [PB-4.11] The earliest static primitive on ball i's present flight, into partTime and part: -1 with a time is a pause there, -1 with
 * Infinity is a free way until `end`. With `from` above 0 what comes before it is known to be free; hits later than `until`, if that is before
 * the end, are left for another search. Both are seconds since the start of the flight, in work.searchFrom and work.searchUntil.
 */
export function findPart(table: Table, state: PhysicsState, i: number, end: number): void {
  const { work } = table;
  const T = pieceLength(table, state, i, end);
  work.motion[SPAN] = T;
  const vx = state.vx[i]!;
  const vy = state.vy[i]!;
  if (table.naive) findNaively(table, state, i);
  else if (work.ax[i] === 0 && work.ay[i] === 0 && vx * vx + vy * vy >= SLOW) findOnLine(table, state, i);
  else findOnParabola(table, state, i);
  const start = work.time[i]!;
  if (work.part[i]! >= 0) work.partTime[i] = start + work.motion[TIME]!;
  else if (work.searchUntil[0]! < T) work.partTime[i] = Infinity;
  else work.partTime[i] = T < end - start ? start + T : Infinity;
}

/**
 * As findPart, for a ball on a straight way among balls: only what it may touch before it leaves its cell of the balls' lists. The tests are
 * those of `findOnLine`. False, and nothing done, if that is not enough. Hot.
 */
export function findInCell(table: Table, state: PhysicsState, i: number, end: number): boolean {
  const { work, parts, cells, r, touch } = table;
  const column = cells.column[i]!;
  const row = cells.row[i]!;
  const outermost = column === 0 || row === 0 || column === cells.columns - 1 || row === cells.rows - 1;
  if (outermost || work.ax[i] !== 0 || work.ay[i] !== 0 || work.under1[i]! >= 0 || work.slide[i]! >= 0) return false;
  const { mask, owner, data } = parts;
  const { lists } = cells;
  const { enabled } = state;
  const x = state.x[i]!;
  const y = state.y[i]!;
  const vx = state.vx[i]!;
  const vy = state.vy[i]!;
  const vv = vx * vx + vy * vy;
  if (vv < SLOW) return false;
  const start = work.time[i]!;
  const bit = 1 << state.layer[i]!;
  const speed = Math.abs(vx) + Math.abs(vy);
  const T = end - start;
  const way = T * speed;
  const vTol = APPROACH * speed;
  const cell = 3 * (row * cells.columns + column);
  const segments = lists[cell + 1]!;
  const others = lists[cell + 2]!;
  if (others !== lists[cell + 3]) return false;
  const until = work.cellTime[i]! - start;
  let best = until < T ? until : T;
  let found = -1;
  for (let at = lists[cell]!; at < segments; at++) {
    const p = lists[at]!;
    const o = p * STRIDE;
    const dx = x - data[o + PX]!;
    const dy = y - data[o + PY]!;
    const R = data[o + REACH]!;
    const c = dx * dx + dy * dy - R * R;
    const b = dx * vx + dy * vy;
    const square = vv * c + b * Math.abs(b);
    if (!(square < 0) || !(b < 0)) continue;
    const t = c > 0 ? c / (Math.sqrt(-square) - b) : 0;
    if (t > best || (t === best && (found < 0 || p > found))) continue;
    if ((mask[p]! & bit) === 0 || enabled[owner[p]!] === 0) continue;
    if (!(c > 0) && !(b < -APPROACH * R * Math.sqrt(vv))) continue;
    best = t;
    found = p;
  }
  for (let at = segments; at < others; at++) {
    const p = lists[at]!;
    const o = p * STRIDE;
    const nx = data[o + NX]!;
    const ny = data[o + NY]!;
    const dx = x - data[o + PX]!;
    const dy = y - data[o + PY]!;
    const height = dx * nx + dy * ny;
    const v = vx * nx + vy * ny;
    if (height * v > 0) continue;
    const h = Math.abs(height) - r;
    const fall = Math.abs(v);
    const u = dx * ny - dy * nx;
    const len = data[o + LEN]!;
    if (h <= touch && !(u >= 0 && u <= len && fall > vTol)) continue;
    const t = h > 0 ? h / fall : 0;
    if (t > best || h > way || (t === best && (found < 0 || p > found))) continue;
    const foot = u + t * (vx * ny - vy * nx);
    if (!(foot >= 0 && foot <= len)) continue;
    if ((mask[p]! & bit) === 0 || enabled[owner[p]!] === 0) continue;
    best = t;
    found = p;
  }
  work.part[i] = found;
  work.partTime[i] = found >= 0 ? start + best : Infinity;
  return true;
}

/** Squares of speeds below this may have lost digits. */
const SLOW = 1e-200;

/**
 * The walk visits the cells along the way and stops when the next one is farther than what was found. On a straight line the tests of circles
 * and lines are short: those of `sweep.ts` with an acceleration of 0, number by number. The time goes into motion[TIME]. Hot.
 */
function findOnLine(table: Table, state: PhysicsState, i: number): void {
  const { work, parts, grid, r, touch } = table;
  const { motion } = work;
  const { kind, mask, owner, data } = parts;
  const { enabled } = state;
  const { lists, left, bottom, inverse, size, columns, rows } = grid;
  const x = state.x[i]!;
  const y = state.y[i]!;
  const vx = state.vx[i]!;
  const vy = state.vy[i]!;
  const T = motion[SPAN]!;
  const bit = 1 << state.layer[i]!;
  const skip1 = work.under1[i]!;
  const skip2 = work.under2[i]!;
  const skip3 = work.slide[i]!;
  const vv = vx * vx + vy * vy;
  const speed = Math.abs(vx) + Math.abs(vy);
  const way = T * speed;
  const vTol = APPROACH * speed;
  const from = work.searchFrom[0]!;
  const until = work.searchUntil[0]!;
  let best = until < T ? until : T;
  let found = -1;

  const x0 = x + from * vx;
  const y0 = y + from * vy;
  let column = Math.floor((x0 - left) * inverse);
  let row = Math.floor((y0 - bottom) * inverse);
  const lastColumn = Math.floor((x + best * vx - left) * inverse);
  const lastRow = Math.floor((y + best * vy - bottom) * inverse);
  // When the way crosses into the next column and the next row, and how long it takes through one.
  let nextX = Infinity;
  let nextY = Infinity;
  let acrossX = 0;
  let acrossY = 0;
  if (column !== lastColumn || row !== lastRow) {
    if (vx !== 0) {
      nextX = (left + (vx > 0 ? column + 1 : column) * size - x) / vx;
      acrossX = size / Math.abs(vx);
    }
    if (vy !== 0) {
      nextY = (bottom + (vy > 0 ? row + 1 : row) * size - y) / vy;
      acrossY = size / Math.abs(vy);
    }
  }

  for (;;) {
    const outside = column < 0 || row < 0 || column >= columns || row >= rows;
    const cell = 3 * (outside ? grid.outside : row * columns + column);
    const segments = lists[cell + 1]!;
    const lines = lists[cell + 2]!;
    const last = lists[cell + 3]!;
    for (let at = lists[cell]!; at < segments; at++) {
      const p = lists[at]!;
      const o = p * STRIDE;
      const dx = x - data[o + PX]!;
      const dy = y - data[o + PY]!;
      const R = data[o + REACH]!;
      const c = dx * dx + dy * dy - R * R;
      const b = dx * vx + dy * vy;
      // b² - vv c for a ball that comes nearer, below 0 for one outside that does not: one question instead of two.
      const square = vv * c + b * Math.abs(b);
      if (!(square < 0) || !(b < 0)) continue;
      const t = c > 0 ? c / (Math.sqrt(-square) - b) : 0;
      if (t > best || (t === best && (found < 0 || p > found))) continue;
      if ((mask[p]! & bit) === 0 || p === skip1 || p === skip2 || p === skip3 || enabled[owner[p]!] === 0) continue;
      if (!(c > 0) && !(b < -APPROACH * R * Math.sqrt(vv))) continue;
      best = t;
      found = p;
    }
    for (let at = segments; at < lines; at++) {
      const p = lists[at]!;
      const o = p * STRIDE;
      const nx = data[o + NX]!;
      const ny = data[o + NY]!;
      const dx = x - data[o + PX]!;
      const dy = y - data[o + PY]!;
      const height = dx * nx + dy * ny;
      const v = vx * nx + vy * ny;
      // Which side it comes from does not matter: both are mirror images, bit by bit.
      if (height * v > 0) continue;
      const h = Math.abs(height) - r;
      const fall = Math.abs(v);
      const u = dx * ny - dy * nx;
      const len = data[o + LEN]!;
      // Within r of the line only what is beside the segment itself can be hit, and that at once.
      if (h <= touch && !(u >= 0 && u <= len && fall > vTol)) continue;
      const t = h > 0 ? h / fall : 0;
      if (t > best || h > way || (t === best && (found < 0 || p > found))) continue;
      const foot = u + t * (vx * ny - vy * nx);
      if (!(foot >= 0 && foot <= len)) continue;
      if ((mask[p]! & bit) === 0 || p === skip1 || p === skip2 || p === skip3 || enabled[owner[p]!] === 0) continue;
      best = t;
      found = p;
    }
    if (lines < last) {
      setMotion(table, state, i);
      motion[WAY] = way;
      for (let at = lines; at < last; at++) {
        const p = lists[at]!;
        if ((mask[p]! & bit) === 0 || p === skip1 || p === skip2 || p === skip3) continue;
        if (kind[p]! >= LINE_SENSOR) sensorTime(table, state, i, p);
        else hitTime(kind[p]!, data, p * STRIDE, motion);
        const t = motion[TIME]!;
        if (t > best || (t === best && (found < 0 || p > found))) continue;
        if (kind[p] !== BORDER && enabled[owner[p]!] === 0) continue;
        best = t;
        found = p;
      }
    }
    if (outside || (column === lastColumn && row === lastRow)) break;
    if (nextX < nextY) {
      if (nextX > best) break;
      column += vx > 0 ? 1 : -1;
      nextX += acrossX;
    } else {
      if (!(nextY <= best)) break;
      row += vy > 0 ? 1 : -1;
      nextY += acrossY;
    }
  }
  work.part[i] = found;
  motion[TIME] = best;
}

function setMotion(table: Table, state: PhysicsState, i: number): void {
  const { work, r, touch } = table;
  const { motion } = work;
  motion[VX] = state.vx[i]!;
  motion[VY] = state.vy[i]!;
  motion[AX] = work.ax[i]!;
  motion[AY] = work.ay[i]!;
  motion[TOUCH] = touch;
  motion[BALL_X] = state.x[i]!;
  motion[BALL_Y] = state.y[i]!;
  motion[BALL_R] = r;
}

/** What the others must agree with, bit by bit: every part, one after the other. */
function findNaively(table: Table, state: PhysicsState, i: number): void {
  const { work, parts } = table;
  const { motion } = work;
  const bit = 1 << state.layer[i]!;
  const T = motion[SPAN]!;
  setMotion(table, state, i);
  motion[WAY] = T * (Math.abs(motion[VX]!) + Math.abs(motion[VY]!) + (T * (Math.abs(motion[AX]!) + Math.abs(motion[AY]!))) / 2);
  let best = T;
  let found = -1;
  for (let p = 0; p < parts.count; p++) {
    const kind = parts.kind[p]!;
    if ((parts.mask[p]! & bit) === 0 || p === work.under1[i] || p === work.under2[i] || p === work.slide[i]) continue;
    if (kind !== BORDER && state.enabled[parts.owner[p]!] === 0) continue;
    if (kind >= LINE_SENSOR) sensorTime(table, state, i, p);
    else hitTime(kind, parts.data, p * STRIDE, motion);
    if (motion[TIME]! >= best) continue;
    best = motion[TIME]!;
    found = p;
  }
  work.part[i] = found;
  motion[TIME] = best;
}

/** The same on a parabola: its chord is walked along, and every test is that of `sweep.ts`. */
function findOnParabola(table: Table, state: PhysicsState, i: number): void {
  const { work, parts, grid, r } = table;
  const { motion, seen } = work;
  const { kind, mask, owner, data } = parts;
  const { enabled } = state;
  const { lists, left, bottom, inverse, size, columns, rows } = grid;
  const x = state.x[i]!;
  const y = state.y[i]!;
  const vx = state.vx[i]!;
  const vy = state.vy[i]!;
  const ax = work.ax[i]!;
  const ay = work.ay[i]!;
  const T = motion[SPAN]!;
  const bit = 1 << state.layer[i]!;
  const skip1 = work.under1[i]!;
  const skip2 = work.under2[i]!;
  const skip3 = work.slide[i]!;
  const way = T * (Math.abs(vx) + Math.abs(vy) + (T * (Math.abs(ax) + Math.abs(ay))) / 2);
  motion[WAY] = way;
  setMotion(table, state, i);
  const from = work.searchFrom[0]!;
  const until = work.searchUntil[0]!;
  let best = until < T ? until : T;
  let found = -1;

  const x0 = x + from * (vx + (from * ax) / 2);
  const y0 = y + from * (vy + (from * ay) / 2);
  const wx = vx + (ax * (from + best)) / 2;
  const wy = vy + (ay * (from + best)) / 2;
  let column = Math.floor((x0 - left) * inverse);
  let row = Math.floor((y0 - bottom) * inverse);
  const lastColumn = Math.floor((x0 + wx * (best - from) - left) * inverse);
  const lastRow = Math.floor((y0 + wy * (best - from) - bottom) * inverse);
  const many = column !== lastColumn || row !== lastRow;
  let nextX = Infinity;
  let nextY = Infinity;
  let acrossX = 0;
  let acrossY = 0;
  if (many) {
    work.search = (work.search + 1) | 0;
    if (wx !== 0) {
      nextX = from + (left + (wx > 0 ? column + 1 : column) * size - x0) / wx;
      acrossX = size / Math.abs(wx);
    }
    if (wy !== 0) {
      nextY = from + (bottom + (wy > 0 ? row + 1 : row) * size - y0) / wy;
      acrossY = size / Math.abs(wy);
    }
  }
  const { search } = work;
  if (!many && from === 0 && column >= 0 && row >= 0 && column < columns && row < rows) {
    const cell = row * columns + column;
    work.wayAhead[0] = way;
    if (isClear(table, state, i, cell)) {
      seeSensors(table, state, i, cell);
      work.part[i] = -1;
      return;
    }
  }

  for (;;) {
    const outside = column < 0 || row < 0 || column >= columns || row >= rows;
    const cell = 3 * (outside ? grid.outside : row * columns + column);
    const last = lists[cell + 3]!;
    for (let at = lists[cell]!; at < last; at++) {
      const p = lists[at]!;
      if (many) {
        if (seen[p] === search) continue;
        seen[p] = search;
      }
      if ((mask[p]! & bit) === 0 || p === skip1 || p === skip2 || p === skip3) continue;
      const k = kind[p]!;
      const o = p * STRIDE;
      if (k >= LINE_SENSOR) sensorTime(table, state, i, p);
      else {
        // Most are too far away.
        const dx = x - data[o + PX]!;
        const dy = y - data[o + PY]!;
        if (k < CIRCLE) {
          const height = dx * data[o + NX]! + dy * data[o + NY]!;
          if ((k === SEGMENT ? Math.abs(height) : height) - r > way) continue;
        } else if (k === CIRCLE) {
          const R = data[o + REACH]!;
          if (dx * dx + dy * dy - R * R > way * (2 * R + way)) continue;
        }
        hitTime(k, data, o, motion);
      }
      const t = motion[TIME]!;
      if (t > best || (t === best && (found < 0 || p > found))) continue;
      if (k !== BORDER && enabled[owner[p]!] === 0) continue;
      best = t;
      found = p;
    }
    if (!many || outside || (column === lastColumn && row === lastRow)) break;
    if (nextX < nextY) {
      if (nextX > best) break;
      column += wx > 0 ? 1 : -1;
      nextX += acrossX;
    } else {
      if (!(nextY <= best)) break;
      row += wy > 0 ? 1 : -1;
      nextY += acrossY;
    }
  }
  work.part[i] = found;
  motion[TIME] = best;
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
