import { release } from './flight.ts';
import { type Cells, type Grid, listParts } from './grid.ts';
import { HIT_BALL, type HitLog } from './hits.ts';
import type { Primitives } from './primitives.ts';
import { WEDGED } from './reaction.ts';
import {
  APPROACH,
  AX,
  AY,
  DX,
  DY,
  enterCircle,
  fallTime,
  type Motion,
  MOTION_SIZE,
  RADIUS_SUM,
  SPAN,
  TIME,
  TOUCH,
  VX,
  VY,
  WAY,
} from './roots.ts';
import type { PhysicsState } from './state.ts';
import type { Table } from './table.ts';

const MAX_CELLS = 64;
/** [PB-6.4] After so many hits in a step the hops of balls at rest are twice as high. */
const CROWDED = 8;

/**
 * [PB-4.9] Which balls are near which: every moving ball is in the list of one cell, and meets only balls in its own and the eight cells around.
 * It stays listed until it is `slack` beyond the border; two balls that touch are 2r apart, and size - 2 slack is more than that. The outermost
 * cells have no end.
 */
export class BallCells implements Cells {
  readonly size: number;
  readonly slack: number;
  readonly left: number;
  readonly bottom: number;
  readonly columns: number;
  readonly rows: number;
  readonly head: Int32Array;
  readonly next: Int32Array;
  readonly previous: Int32Array;
  readonly column: Int32Array;
  readonly row: Int32Array;
  /** The parts that a ball listed in a cell may touch, see `listParts`. Not for the outermost cells. */
  readonly lists: Int32Array;

  /** `cell` is the least size of a cell, more than 3r; no result depends on it. */
  constructor(grid: Grid, parts: Primitives, balls: number, r: number, cell: number) {
    const width = grid.columns * grid.size;
    const height = grid.rows * grid.size;
    this.size = Math.max(cell, width / MAX_CELLS, height / MAX_CELLS);
    this.slack = r / 2;
    // Around the table, cells in which no ball should be.
    this.left = grid.left - this.size;
    this.bottom = grid.bottom - this.size;
    this.columns = Math.ceil(width / this.size) + 2;
    this.rows = Math.ceil(height / this.size) + 2;
    this.head = new Int32Array(this.columns * this.rows);
    this.next = new Int32Array(balls);
    this.previous = new Int32Array(balls);
    this.column = new Int32Array(balls);
    this.row = new Int32Array(balls);
    this.lists = listParts(parts, r, this, 2 * this.slack);
  }

  clear(): void {
    this.head.fill(-1);
  }

  columnOf(x: number): number {
    const c = Math.floor((x - this.left) / this.size);
    return c < 0 ? 0 : c < this.columns ? c : this.columns - 1;
  }

  rowOf(y: number): number {
    const c = Math.floor((y - this.bottom) / this.size);
    return c < 0 ? 0 : c < this.rows ? c : this.rows - 1;
  }

  insert(i: number, column: number, row: number): void {
    const cell = row * this.columns + column;
    const first = this.head[cell]!;
    this.column[i] = column;
    this.row[i] = row;
    this.previous[i] = -1;
    this.next[i] = first;
    if (first >= 0) this.previous[first] = i;
    this.head[cell] = i;
  }

  remove(i: number): void {
    const before = this.previous[i]!;
    const after = this.next[i]!;
    if (before >= 0) this.next[before] = after;
    else this.head[this.row[i]! * this.columns + this.column[i]!] = after;
    if (after >= 0) this.previous[after] = before;
  }
}

/** When ball i leaves its cell, into cellTime. Hot. */
export function findCellTime(table: Table, state: PhysicsState, i: number, now: number): void {
  const { work, cells } = table;
  const { size, slack } = cells;
  const column = cells.column[i]!;
  const row = cells.row[i]!;
  const start = work.time[i]!;
  const vx = state.vx[i]!;
  const vy = state.vy[i]!;
  if (work.ax[i] !== 0 || work.ay[i] !== 0) {
    findBentCellTime(table, state, i, now);
    return;
  }
  let least = Infinity;
  if (vx > 0) {
    if (column < cells.columns - 1) least = (cells.left + (column + 1) * size + slack - state.x[i]!) / vx;
  } else if (vx < 0 && column > 0) least = (cells.left + column * size - slack - state.x[i]!) / vx;
  let other = Infinity;
  if (vy > 0) {
    if (row < cells.rows - 1) other = (cells.bottom + (row + 1) * size + slack - state.y[i]!) / vy;
  } else if (vy < 0 && row > 0) other = (cells.bottom + row * size - slack - state.y[i]!) / vy;
  const t = start + (least < other ? least : other);
  work.cellTime[i] = t > now ? t : now;
}

/** The same on a parabola, from the ball's place and speed at `now`. */
function findBentCellTime(table: Table, state: PhysicsState, i: number, now: number): void {
  const { work, cells } = table;
  const tau = now - work.time[i]!;
  const ax = work.ax[i]!;
  const ay = work.ay[i]!;
  const x = state.x[i]! + tau * (state.vx[i]! + (tau * ax) / 2) - cells.left;
  const y = state.y[i]! + tau * (state.vy[i]! + (tau * ay) / 2) - cells.bottom;
  const vx = state.vx[i]! + tau * ax;
  const vy = state.vy[i]! + tau * ay;
  const { size, slack } = cells;
  const column = cells.column[i]!;
  const row = cells.row[i]!;
  let least = Infinity;
  if (column > 0 && (vx < 0 || ax < 0)) least = Math.min(least, fallTime(x - column * size + slack, vx, ax, 0, 0, 0));
  if (column < cells.columns - 1 && (vx > 0 || ax > 0))
    least = Math.min(least, fallTime((column + 1) * size + slack - x, -vx, -ax, 0, 0, 0));
  if (row > 0 && (vy < 0 || ay < 0)) least = Math.min(least, fallTime(y - row * size + slack, vy, ay, 0, 0, 0));
  if (row < cells.rows - 1 && (vy > 0 || ay > 0)) least = Math.min(least, fallTime((row + 1) * size + slack - y, -vy, -ay, 0, 0, 0));
  work.cellTime[i] = now + least;
}

/** Which neighbours a search looks at. */
export const EVERY = 0;
/** Those with a higher index: when a step begins, each pair once. */
export const HIGHER = 1;
/** A cell that is nobody's neighbour. */
const NOWHERE = -9;

/** [PB-4.9] The earliest meeting of ball i with one around it, into ballTime and ball; of two at the same time the lower index. */
export function findBall(table: Table, state: PhysicsState, i: number, which: number): void {
  const { work } = table;
  work.ballTime[i] = Infinity;
  work.ball[i] = -1;
  lookAround(table, state, i, NOWHERE, NOWHERE, which);
}

/**
 * Ball i has moved here from another cell: only the balls of the cells that are new around it. Two balls meet when their relative motion comes down
 * to 2r: it depends on their flights alone, not on when it is asked, nor on which of the two asks. Hot.
 */
export function lookAround(table: Table, state: PhysicsState, i: number, oldColumn: number, oldRow: number, which: number): void {
  const { work } = table;
  const { flight } = work;
  const { head, next, column, row, columns, rows } = table.cells;
  const R = 2 * table.r;
  const end = work.step[0]!;
  const o = FLIGHT * i;
  const layer = flight[o + 7]!;
  const ax = flight[o + 4]!;
  const ay = flight[o + 5]!;
  const c = column[i]!;
  const r = row[i]!;
  const right = c + 1 < columns ? c + 1 : c;
  const top = r + 1 < rows ? r + 1 : r;
  let least = work.ballTime[i]!;
  let ball = work.ball[i]!;
  let news = false;
  for (let v = r > 0 ? r - 1 : 0; v <= top; v++) {
    for (let u = c > 0 ? c - 1 : 0; u <= right; u++) {
      if (u - oldColumn <= 1 && oldColumn - u <= 1 && v - oldRow <= 1 && oldRow - v <= 1) continue;
      for (let j = head[v * columns + u]!; j >= 0; j = next[j]!) {
        const q = FLIGHT * j;
        if (j === i || (which === HIGHER && j < i) || flight[q + 7] !== layer) continue;
        let t = Infinity;
        if (flight[q + 4] === ax && flight[q + 5] === ay && !table.naive) {
          const start = flight[o + 6]! > flight[q + 6]! ? flight[o + 6]! : flight[q + 6]!;
          const ti = start - flight[o + 6]!;
          const tj = start - flight[q + 6]!;
          const dx = flight[o]! + ti * (flight[o + 2]! + (ti * ax) / 2) - (flight[q]! + tj * (flight[q + 2]! + (tj * ax) / 2));
          const dy = flight[o + 1]! + ti * (flight[o + 3]! + (ti * ay) / 2) - (flight[q + 1]! + tj * (flight[q + 3]! + (tj * ay) / 2));
          const ux = flight[o + 2]! + ti * ax - (flight[q + 2]! + tj * ax);
          const uy = flight[o + 3]! + ti * ay - (flight[q + 3]! + tj * ay);
          const b = dx * ux + dy * uy;
          if (!(b < 0)) continue;
          const gap = dx * dx + dy * dy - R * R;
          const uu = ux * ux + uy * uy;
          t = 0;
          if (gap > 0) {
            const square = b * b - uu * gap;
            if (!(square > 0)) continue;
            t = gap / (Math.sqrt(square) - b);
          } else if (!(b < -APPROACH * R * Math.sqrt(uu))) continue;
          if (!(t < end - start)) continue;
          t += start;
        } else {
          bentPairTime(table, state, i, j);
          t = motion[TIME]!;
        }
        if (t < least || (t === least && t < Infinity && j < ball)) {
          least = t;
          ball = j;
          news = true;
        }
      }
    }
  }
  if (!news) return;
  work.ballTime[i] = least;
  work.ball[i] = ball;
  work.ballVersion[i] = work.version[ball]!;
}

/**
 * [PB-4.9] The same where nothing pulls and the balls are few enough to look at all of them, which needs no cells: the tests of `lookAround` with an acceleration
 * of 0, number by number. What would come after the part that the ball hits first is left out. Hot, without branches for most.
 */
export function findAmongAll(table: Table, i: number, which: number): void {
  const { work, capacity } = table;
  const { flight } = work;
  const R = 2 * table.r;
  const RR = R * R;
  const end = work.step[0]!;
  const o = i << 3;
  const x = flight[o]!;
  const y = flight[o + 1]!;
  const vx = flight[o + 2]!;
  const vy = flight[o + 3]!;
  const since = flight[o + 6]!;
  const layer = flight[o + 7]!;
  let least = work.partTime[i]!;
  let ball = -1;
  const stop = capacity << 3;
  for (let q = which === HIGHER ? o + 8 : 0; q < stop; q += 8) {
    if (flight[q + 7] !== layer) continue;
    const other = flight[q + 6]!;
    const start = since > other ? since : other;
    const ti = start - since;
    const tj = start - other;
    const wx = flight[q + 2]!;
    const wy = flight[q + 3]!;
    const dx = x + ti * vx - (flight[q]! + tj * wx);
    const dy = y + ti * vy - (flight[q + 1]! + tj * wy);
    const ux = vx - wx;
    const uy = vy - wy;
    const b = dx * ux + dy * uy;
    const gap = dx * dx + dy * dy - RR;
    const uu = ux * ux + uy * uy;
    // -(b² - uu gap) for balls that come nearer; the ball itself has 0.
    const square = uu * gap + b * Math.abs(b);
    if (!(square < 0) || !(b < 0)) continue;
    let t = 0;
    if (gap > 0) t = gap / (Math.sqrt(-square) - b);
    else if (!(b < -1e-12 * R * Math.sqrt(uu))) continue;
    if (!(t < end - start)) continue;
    t += start;
    if (t >= least) continue;
    least = t;
    ball = q >> 3;
  }
  work.ballTime[i] = ball < 0 ? Infinity : least;
  work.ball[i] = ball;
  if (ball >= 0) work.ballVersion[i] = work.version[ball]!;
}

/** Numbers a ball has in work.flight. */
const FLIGHT = 8;

/** Notes ball i's present piece of flight where the search for meetings reads it: all its numbers side by side. */
export function noteFlight(table: Table, state: PhysicsState, i: number): void {
  const { work } = table;
  const { flight } = work;
  const o = FLIGHT * i;
  flight[o] = state.x[i]!;
  flight[o + 1] = state.y[i]!;
  flight[o + 2] = state.vx[i]!;
  flight[o + 3] = state.vy[i]!;
  flight[o + 4] = work.ax[i]!;
  flight[o + 5] = work.ay[i]!;
  flight[o + 6] = work.time[i]!;
  flight[o + 7] = state.layer[i]!;
}

/** Ball i does not fly: on no layer. */
export function noteAbsence(table: Table, i: number): void {
  table.work.flight[FLIGHT * i + 7] = -1;
}

const motion: Motion = new Float64Array(MOTION_SIZE);

/** When balls a and b on different accelerations meet, into motion[TIME]. */
function bentPairTime(table: Table, state: PhysicsState, a: number, b: number): void {
  const { work, r } = table;
  const { time } = work;
  const { x, y, vx, vy } = state;
  const start = time[a]! > time[b]! ? time[a]! : time[b]!;
  const ta = start - time[a]!;
  const tb = start - time[b]!;
  const aax = work.ax[a]!;
  const aay = work.ay[a]!;
  const bax = work.ax[b]!;
  const bay = work.ay[b]!;
  const ux = vx[a]! + ta * aax - (vx[b]! + tb * bax);
  const uy = vy[a]! + ta * aay - (vy[b]! + tb * bay);
  const ax = aax - bax;
  const ay = aay - bay;
  const span = work.step[0]! - start;
  motion[DX] = x[a]! + ta * (vx[a]! + (ta * aax) / 2) - (x[b]! + tb * (vx[b]! + (tb * bax) / 2));
  motion[DY] = y[a]! + ta * (vy[a]! + (ta * aay) / 2) - (y[b]! + tb * (vy[b]! + (tb * bay) / 2));
  motion[VX] = ux;
  motion[VY] = uy;
  motion[AX] = ax;
  motion[AY] = ay;
  motion[SPAN] = span;
  motion[RADIUS_SUM] = 2 * r;
  motion[WAY] = span * (Math.abs(ux) + Math.abs(uy) + (span * (Math.abs(ax) + Math.abs(ay))) / 2);
  motion[TOUCH] = table.touch;
  enterCircle(motion);
  const t = motion[TIME]!;
  motion[TIME] = t < span ? start + t : Infinity;
}

/** [PB-5.7] Balls i and j, both moved to the time of the hit, exchange an impulse along the line of their centres. */
export function reactToBall(table: Table, state: PhysicsState, i: number, j: number, step: number, log: HitLog): void {
  const { work, materials, r } = table;
  const row = table.ballMaterial;
  let dx = state.x[i]! - state.x[j]!;
  let dy = state.y[i]! - state.y[j]!;
  const distance = Math.sqrt(dx * dx + dy * dy);
  const nx = distance > 0 ? dx / distance : 1;
  const ny = distance > 0 ? dy / distance : 0;
  dx = state.vx[i]! - state.vx[j]!;
  dy = state.vy[i]! - state.vy[j]!;
  const vn = dx * nx + dy * ny;
  const pull = -((work.ax[i]! - work.ax[j]!) * nx + (work.ay[i]! - work.ay[j]!) * ny);
  release(work, i);
  release(work, j);
  if (vn > APPROACH * (Math.abs(dx) + Math.abs(dy)) || (vn >= 0 && pull <= 0)) return;
  const overlap = 2 * r - distance;
  if (overlap > 0 && overlap < 1e-6 * r) {
    state.x[i] = state.x[i]! + (overlap / 2) * nx;
    state.y[i] = state.y[i]! + (overlap / 2) * ny;
    state.x[j] = state.x[j]! - (overlap / 2) * nx;
    state.y[j] = state.y[j]! - (overlap / 2) * ny;
  }
  const impact = vn < 0 ? -vn : 0;
  const c = materials.restitution[row]! / (1 + materials.falloff[row]! * impact);
  const rest = (c === 1 ? Math.max(0, pull) / 64 : Math.abs(table.gx) + Math.abs(table.gy)) * step;
  const soft = impact <= rest;
  // [PB-6.4] A ball at rest on another hops so that it lands about once a step, higher in a crowd; hits that pile up otherwise part without loss.
  const back = soft ? (rest * (1 + Math.max(work.hits[i]!, work.hits[j]!) / CROWDED)) / 2 : work.tiny[i]! >= WEDGED ? impact : c * impact;
  const impulse = (impact + back) / 2;
  state.vx[i] = state.vx[i]! + impulse * nx;
  state.vy[i] = state.vy[i]! + impulse * ny;
  state.vx[j] = state.vx[j]! - impulse * nx;
  state.vy[j] = state.vy[j]! - impulse * ny;
  if (materials.friction[row]! > 0) rubBalls(state, i, j, nx, ny, r, materials.friction[row]! * impulse);
  if (!soft) log.add(HIT_BALL, i, j, work.time[i]!, impact, state.x[j]! + r * nx, state.y[j]! + r * ny, nx, ny);
}

/** [PB-5.4] Both turn: 2 (1/m + r²/I) = 7. */
function rubBalls(state: PhysicsState, i: number, j: number, nx: number, ny: number, r: number, most: number): void {
  const { vx, vy, spin } = state;
  const slip = (vx[i]! - vx[j]!) * -ny + (vy[i]! - vy[j]!) * nx - r * (spin[i]! + spin[j]!);
  const wanted = -slip / 7;
  const impulse = wanted > most ? most : wanted < -most ? -most : wanted;
  vx[i] = vx[i]! - impulse * ny;
  vy[i] = vy[i]! + impulse * nx;
  vx[j] = vx[j]! + impulse * ny;
  vy[j] = vy[j]! - impulse * nx;
  spin[i] = spin[i]! - (2.5 * impulse) / r;
  spin[j] = spin[j]! - (2.5 * impulse) / r;
}
