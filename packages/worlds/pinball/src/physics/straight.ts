import { startBall } from './flight.ts';
import { HIT_COLLIDER, type HitLog } from './hits.ts';
import { BORDER, CIRCLE, LEN, LINE_SENSOR, NX, NY, PX, PY, type Primitives, REACH, SEGMENT, STRIDE } from './primitives.ts';
import { WEDGED } from './reaction.ts';
import { APPROACH, AX, AY, BALL_R, BALL_X, BALL_Y, SPAN, TIME, TOUCH, VX, VY, WAY } from './roots.ts';
import { sensorTime } from './sensors.ts';
import { MOVING, type PhysicsState } from './state.ts';
import { hitTime } from './sweep.ts';
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
 * Hot: fields in locals, one loop.
 */
export function flyStraight(table: Table, state: PhysicsState, first: number, step: number, log: HitLog): number {
  const { work, parts, grid, r, touch, capacity, plain } = table;
  const { kind, mask, owner, data } = parts;
  const { enabled } = state;
  const { lists, left, bottom, inverse, size, columns, rows } = grid;
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
    for (;;) {
      const T = step - time;
      const vv = vx * vx + vy * vy;
      if (vv < TINY) return leave(table, state, i, x, y, vx, vy, time, hits, tiny, log);
      const speed = Math.abs(vx) + Math.abs(vy);
      const way = T * speed;
      const vTol = APPROACH * speed;
      let best = T;
      let found = -1;
      const across = (x - left) * inverse;
      const up = (y - bottom) * inverse;
      let outside = !(across >= 0 && up >= 0 && across < columns && up < rows);
      let column = across | 0;
      let row = up | 0;
      // When the way crosses into the next column and the next row, and how long it takes through one.
      const perX = 1 / vx;
      const perY = 1 / vy;
      const toX = vx > 0 ? 1 : -1;
      const toY = vy > 0 ? 1 : -1;
      let nextX = vx === 0 ? Infinity : (left + (vx > 0 ? column + 1 : column) * size - x) * perX;
      let nextY = vy === 0 ? Infinity : (bottom + (vy > 0 ? row + 1 : row) * size - y) * perY;
      const acrossX = size * Math.abs(perX);
      const acrossY = size * Math.abs(perY);
      for (;;) {
        const cell = 3 * (outside ? grid.outside : row * columns + column);
        const segments = lists[cell + 1]!;
        const others = lists[cell + 2]!;
        const last = lists[cell + 3]!;
        for (let at = lists[cell]!; at < segments; at++) {
          const p = lists[at]!;
          const o = p * STRIDE;
          const dx = x - data[o + PX]!;
          const dy = y - data[o + PY]!;
          const R = data[o + REACH]!;
          const c = dx * dx + dy * dy - R * R;
          const b = dx * vx + dy * vy;
          // -(b² - vv c) for a ball that comes nearer; above 0 for one outside that does not.
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
          // Both sides are mirror images, bit by bit: only whether it comes nearer matters.
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
          if ((mask[p]! & bit) === 0 || enabled[owner[p]!] === 0) continue;
          best = t;
          found = p;
        }
        for (let at = others; at < last; at++) {
          const p = lists[at]!;
          if ((mask[p]! & bit) === 0) continue;
          state.x[i] = x;
          state.y[i] = y;
          state.vx[i] = vx;
          state.vy[i] = vy;
          setMotion(table, state, i, T);
          if (kind[p]! >= LINE_SENSOR) sensorTime(table, state, i, p);
          else hitTime(kind[p]!, data, p * STRIDE, work.motion);
          const t = work.motion[TIME]!;
          if (t > best || (t === best && (found < 0 || p > found))) continue;
          if (kind[p] !== BORDER && enabled[owner[p]!] === 0) continue;
          best = t;
          found = p;
        }
        if (outside) break;
        if (nextX < nextY) {
          if (nextX > best) break;
          column += toX;
          nextX += acrossX;
          outside = column < 0 || column >= columns;
        } else {
          if (!(nextY <= best)) break;
          row += toY;
          nextY += acrossY;
          outside = row < 0 || row >= rows;
        }
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
      const o = found * STRIDE;
      const dx = x - data[o + PX]!;
      const dy = y - data[o + PY]!;
      let nx: number;
      let ny: number;
      let gap: number;
      if (kind[found] === CIRCLE) {
        const distance = Math.sqrt(dx * dx + dy * dy);
        nx = distance > 0 ? dx / distance : 1;
        ny = distance > 0 ? dy / distance : 0;
        gap = distance - data[o + REACH]!;
      } else {
        const height = dx * data[o + NX]! + dy * data[o + NY]!;
        const side = height < 0 ? -1 : 1;
        nx = side * data[o + NX]!;
        ny = side * data[o + NY]!;
        gap = side * height - r;
      }
      x -= gap * nx;
      y -= gap * ny;
      const vn = vx * nx + vy * ny;
      if (vn < -APPROACH * speed) {
        let ux = vx - (1 + c) * vn * nx;
        let uy = vy - (1 + c) * vn * ny;
        const inwards = ux * nx + uy * ny;
        if (inwards < 0) {
          ux -= inwards * nx;
          uy -= inwards * ny;
        }
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

function setMotion(table: Table, state: PhysicsState, i: number, T: number): void {
  const { motion } = table.work;
  const vx = state.vx[i]!;
  const vy = state.vy[i]!;
  motion[VX] = vx;
  motion[VY] = vy;
  motion[AX] = 0;
  motion[AY] = 0;
  motion[SPAN] = T;
  motion[WAY] = T * (Math.abs(vx) + Math.abs(vy));
  motion[TOUCH] = table.touch;
  motion[BALL_X] = state.x[i]!;
  motion[BALL_Y] = state.y[i]!;
  motion[BALL_R] = table.r;
}
