import { startBall } from './flight.ts';
import { HIT_COLLIDER, type HitLog } from './hits.ts';
import { CIRCLE, type Primitives, SEGMENT } from './primitives.ts';
import { WEDGED } from './reaction.ts';
import { TIME } from './roots.ts';
import { findPart } from './search.ts';
import { MOVING, type PhysicsState } from './state.ts';
import type { Materials } from './colliders.ts';
import type { Table } from './table.ts';
import { AT_PART, NOTHING } from './work.ts';

/** One a part: its restitution, if a hit is nothing but a bounce off a circle or a segment; otherwise -1. */
export function plainRestitution({ count, kind, owner }: Primitives, materials: Materials): Float64Array {
  return Float64Array.from({ length: count }, (_, p) => {
    const k = owner[p]!;
    const simple = materials.friction[k] === 0 && materials.falloff[k] === 0 && materials.throwSpeed[k] === 0;
    return (kind[p] === CIRCLE || kind[p] === SEGMENT) && simple && materials.restitution[k]! > 0 ? materials.restitution[k]! : -1;
  });
}

/** Does nothing pull at the balls, so that all ways are straight? */
export function isStill(table: Table, state: PhysicsState): boolean {
  return !table.euler && table.gx === 0 && table.gy === 0 && table.regions.length === 0 && state.shakeX === 0 && state.shakeY === 0;
}

/**
 * The whole step of balls that meet neither movers nor each other and on which nothing pulls, from ball `first` on: search, bounce, and again. The
 * same events as by `findPart` and `reactToPart`, bit by bit, with an acceleration of 0 written into the formulas; a test compares. It ends at
 * the first ball that comes to something else than a plain bounce, whose next event it leaves in `work` for the general way, and returns it.
 * What is in sight of the ball says what to test. Hot: fields in locals, one loop, and constants of `primitives.ts` (offsets, CIRCLE), `roots.ts` (APPROACH) and
 * `sights.ts` written out, because an imported one is looked up at every use.
 */
export function flyStraight(table: Table, state: PhysicsState, first: number, step: number, log: HitLog): number {
  const { work, parts, sights, r, touch, capacity, plain } = table;
  const { kind, mask, owner, data } = parts;
  const { enabled } = state;
  const { lists, scale, left, bottom, inverse, columns, rows } = sights;
  const noWay = NO_WAY * r;
  for (let i = first; i < capacity; i++) {
    if (state.status[i] !== MOVING) continue;
    const bit = 1 << state.layer[i]!;
    let x = state.x[i]!;
    let y = state.y[i]!;
    let vx = state.vx[i]!;
    let vy = state.vy[i]!;
    let time = 0;
    let tiny = 0;
    let hits = 0;
    let turn = 3.996 / (Math.abs(vx) + Math.abs(vy));
    let direction = (((vx * turn + 4) | 0) << 1) | ((vy * turn + 4) >> 2);
    for (;;) {
      const T = step - time;
      const vv = vx * vx + vy * vy;
      if (vv < TINY) return leave(table, state, i, x, y, vx, vy, time, hits, tiny, log);
      const speed = Math.abs(vx) + Math.abs(vy);
      const way = T * speed;
      const vTol = 1e-12 * speed;
      let best = T;
      let found = -1;
      let complete = false;
      const across = (x - left) * inverse;
      const above = (y - bottom) * inverse;
      if (across >= 0 && above >= 0 && across < columns && above < rows) {
        const cell = (above | 0) * columns + (across | 0);
        const from = ((cell << 4) | direction) << 4;
        let sizes = lists[from]!;
        if (sizes === 0) {
          sights.learn(cell);
          sizes = lists[from]!;
        }
        if (sizes !== 0xffff) {
          const length = Math.sqrt(vv) * scale;
          let limit = limitOf(best * length);
          const end = from + (sizes >> 8) - 1;
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
          for (let at = middle + 1; at <= end; at++) {
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
          complete = best * length < 48;
        }
      }
      if (!complete) {
        state.x[i] = x;
        state.y[i] = y;
        state.vx[i] = vx;
        state.vy[i] = vy;
        walkOn(table, state, i, time, step);
        best = work.motion[TIME]!;
        found = work.part[i]!;
      }
      if (found < 0) break;
      const when = time + best;
      if (!(when < step)) break;
      const c = plain[found]!;
      if (c < 0 || tiny >= WEDGED - 1) {
        leave(table, state, i, x, y, vx, vy, time, hits, tiny, log);
        work.part[i] = found;
        work.partTime[i] = when;
        work.event[i] = AT_PART;
        return i;
      }
      // As `advance`: a sum with 0 makes a plain 0 of -0.
      const tau = when - time;
      time = when;
      if (tau !== 0) {
        x += tau * (vx + 0);
        y += tau * (vy + 0);
        vx += 0;
        vy += 0;
      }
      tiny = tau * speed <= noWay ? tiny + 1 : 0;
      hits++;
      const o = found << 3;
      const dx = x - data[o]!;
      const dy = y - data[o + 1]!;
      let nx: number;
      let ny: number;
      let gap: number;
      if (kind[found] === 4) {
        const distance = Math.sqrt(dx * dx + dy * dy);
        nx = distance > 0 ? dx / distance : 1;
        ny = distance > 0 ? dy / distance : 0;
        gap = distance - data[o + 5]!;
      } else {
        const height = dx * data[o + 2]! + dy * data[o + 3]!;
        const side = height < 0 ? -1 : 1;
        nx = side * data[o + 2]!;
        ny = side * data[o + 3]!;
        gap = side * height - r;
      }
      x -= gap * nx;
      y -= gap * ny;
      const vn = vx * nx + vy * ny;
      if (vn < -1e-12 * speed) {
        let ux = vx - (1 + c) * vn * nx;
        let uy = vy - (1 + c) * vn * ny;
        const inwards = ux * nx + uy * ny;
        if (inwards < 0) {
          ux -= inwards * nx;
          uy -= inwards * ny;
        }
        // Here already, because what follows changes it by next to nothing, and takes long.
        turn = 3.996 / (Math.abs(ux) + Math.abs(uy));
        direction = (((ux * turn + 4) | 0) << 1) | ((uy * turn + 4) >> 2);
        if (c === 1) {
          const have = ux * ux + uy * uy;
          const square = vx * vx + vy * vy;
          if (Math.abs(square - have) < 1e-6 * have) {
            const part = (square - have) / (2 * have);
            ux += ux * part;
            uy += uy * part;
          }
        }
        vx = ux;
        vy = uy;
        const at = log.count;
        if (at === log.kind.length) log.dropped++;
        else {
          log.count = at + 1;
          log.kind[at] = HIT_COLLIDER;
          log.ball[at] = i;
          log.target[at] = owner[found]!;
          log.time[at] = time;
          log.speed[at] = -vn;
          log.x[at] = x - r * nx;
          log.y[at] = y - r * ny;
          log.nx[at] = nx;
          log.ny[at] = ny;
        }
      }
    }
    log.total += hits;
    const tau = step - time;
    if (tau !== 0) {
      x += tau * (vx + 0);
      y += tau * (vy + 0);
      vx += 0;
      vy += 0;
    }
    state.x[i] = x;
    state.y[i] = y;
    state.vx[i] = vx;
    state.vy[i] = vy;
  }
  return capacity;
}

/** Entries above this are farther than a distance, in quarters of a radius. */
export const limitOf = (distance: number): number => (distance < 48 ? ((distance + 0.001) << 10) | 1023 : 0xffff);

/** Ways below this part of the ball's radius are none. */
const NO_WAY = 1e-9;
/** Squares of speeds below this may have lost digits. */
const TINY = 1e-200;

/** Ball i goes on in the general way, from where it is. */
function leave(
  table: Table,
  state: PhysicsState,
  i: number,
  x: number,
  y: number,
  vx: number,
  vy: number,
  time: number,
  hits: number,
  tiny: number,
  log: HitLog,
): number {
  const { work } = table;
  state.x[i] = x;
  state.y[i] = y;
  state.vx[i] = vx;
  state.vy[i] = vy;
  log.total += hits;
  startBall(table, state, i);
  work.time[i] = time;
  work.hits[i] = hits;
  work.tiny[i] = tiny;
  work.event[i] = NOTHING;
  return i;
}

/** Where what is in sight is not enough: the search from cell to cell of the grid, from the start of ball i's flight. */
function walkOn(table: Table, state: PhysicsState, i: number, time: number, step: number): void {
  const { work } = table;
  startBall(table, state, i);
  work.time[i] = time;
  work.searchFrom[0] = 0;
  work.searchUntil[0] = Infinity;
  findPart(table, state, i, step);
}
