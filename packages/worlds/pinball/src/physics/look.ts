import type { PhysicsState } from './state.ts';
import { limitOf } from './straight.ts';
import type { Table } from './table.ts';

/**
 * As `findPart`, for a ball on a straight way: tests only what is in sight, as `flyStraight` does, with the same constants written out. False, and nothing
 * done, if that is not enough. Hot.
 */
export function findInSight(table: Table, state: PhysicsState, i: number, end: number): boolean {
  const { work, parts, sights, r, touch } = table;
  const { mask, owner, data } = parts;
  const { enabled } = state;
  const { lists, scale, columns } = sights;
  const x = state.x[i]!;
  const y = state.y[i]!;
  const vx = state.vx[i]!;
  const vy = state.vy[i]!;
  const vv = vx * vx + vy * vy;
  const across = (x - sights.left) * sights.inverse;
  const above = (y - sights.bottom) * sights.inverse;
  if (!(vv >= SLOW && across >= 0 && above >= 0 && across < columns && above < sights.rows)) return false;
  if (work.under1[i]! >= 0 || work.slide[i]! >= 0) return false;
  const speed = Math.abs(vx) + Math.abs(vy);
  const turn = 3.996 / speed;
  const direction = (((vx * turn + 4) | 0) << 1) | ((vy * turn + 4) >> 2);
  const cell = (above | 0) * columns + (across | 0);
  const from = ((cell << 4) | direction) << 4;
  if (lists[from] === 0) sights.learn(cell);
  const sizes = lists[from]!;
  if (sizes === 0xffff) return false;
  const start = work.time[i]!;
  const T = end - start;
  const bit = 1 << state.layer[i]!;
  const way = T * speed;
  const vTol = 1e-12 * speed;
  const length = Math.sqrt(vv) * scale;
  let best = T;
  let found = -1;
  let limit = limitOf(best * length);
  const last = from + (sizes >> 8) - 1;
  const middle = from + (sizes & 255);
  for (let at = from + 1; at <= middle; at++) {
    const entry = lists[at]!;
    if (entry > limit) break;
    const p = entry & 1023;
    const o = p << 3;
    const dx = x - data[o]!;
    const dy = y - data[o + 1]!;
    const R = data[o + 5]!;
    const c = dx * dx + dy * dy - R * R;
    const b = dx * vx + dy * vy;
    // -(b² - vv c) for a ball that comes nearer; above 0 for one outside that does not.
    const square = vv * c + b * Math.abs(b);
    if (!(square < 0) || !(b < 0)) continue;
    const t = c > 0 ? c / (Math.sqrt(-square) - b) : 0;
    if (t > best || (t === best && (found < 0 || p > found))) continue;
    if ((mask[p]! & bit) === 0 || enabled[owner[p]!] === 0) continue;
    if (!(c > 0) && !(b < -1e-12 * R * Math.sqrt(vv))) continue;
    best = t;
    found = p;
    limit = limitOf(best * length);
  }
  for (let at = middle + 1; at <= last; at++) {
    const entry = lists[at]!;
    if (entry > limit) break;
    const p = entry & 1023;
    const o = p << 3;
    const nx = data[o + 2]!;
    const ny = data[o + 3]!;
    const dx = x - data[o]!;
    const dy = y - data[o + 1]!;
    const height = dx * nx + dy * ny;
    const v = vx * nx + vy * ny;
    // Both sides are mirror images, bit by bit: only whether it comes nearer matters.
    if (height * v > 0) continue;
    const h = Math.abs(height) - r;
    const fall = Math.abs(v);
    const u = dx * ny - dy * nx;
    const len = data[o + 4]!;
    // Within r of the line only what is beside the segment itself can be hit, and that at once.
    if (h <= touch && !(u >= 0 && u <= len && fall > vTol)) continue;
    const t = h > 0 ? h / fall : 0;
    if (t > best || h > way || (t === best && (found < 0 || p > found))) continue;
    const foot = u + t * (vx * ny - vy * nx);
    if (!(foot >= 0 && foot <= len)) continue;
    if ((mask[p]! & bit) === 0 || enabled[owner[p]!] === 0) continue;
    best = t;
    found = p;
    limit = limitOf(best * length);
  }
  if (!(best * length < 48)) return false;
  work.part[i] = found;
  work.partTime[i] = found >= 0 ? start + best : Infinity;
  return true;
}

/** Squares of speeds below this may have lost digits. */
const SLOW = 1e-200;
