import { isqrt } from '@lockstep/kernel';
import { NEAR_REACH } from './circles.ts';
import { farPush } from './far.ts';
import { MAX_SUBTICKS } from './rules.ts';
import type { Track } from './track.ts';

/**
 * A racer under way: the rules of a tick, and the only place where they stand. `hold` runs many ticks under one instruction without
 * leaving any garbage; `save` and `load` keep a place of a search in a few numbers.
 */
export class Flight {
  x = 0;
  y = 0;
  vx = 0;
  vy = 0;
  /** Ticks with a collision so far. */
  collisions = 0;
  /** The goals that are looked for, goal g as bit g & 31 of word g >> 5. One that is met is no longer open. */
  readonly open: Int32Array;
  /** The goals met in the last tick are met[0] … met[metCount - 1], in file order. */
  readonly met: Int32Array;
  metCount = 0;
  private readonly track: Track;

  constructor(track: Track) {
    this.track = track;
    this.open = new Int32Array((track.goals.count + 31) >> 5);
    this.met = new Int32Array(track.goals.count);
    this.start();
  }

  /** At rest where the map says, all goals open. */
  start(): void {
    this.x = this.track.startX;
    this.y = this.track.startY;
    this.vx = 0;
    this.vy = 0;
    this.collisions = 0;
    this.metCount = 0;
    for (let goal = 0; goal < this.track.goals.count; goal++) this.setOpen(goal, true);
  }

  isOpen(goal: number): boolean {
    return ((this.open[goal >> 5]! >> goal) & 1) === 1;
  }
  setOpen(goal: number, isOpen: boolean): void {
    if (isOpen) this.open[goal >> 5]! |= 1 << goal;
    else this.open[goal >> 5]! &= ~(1 << goal);
  }

  /** How many numbers `save` writes: position, velocity, and the open goals as bits. */
  get room(): number {
    return 4 + this.open.length;
  }
  save(into: Float64Array, at = 0): void {
    into[at] = this.x;
    into[at + 1] = this.y;
    into[at + 2] = this.vx;
    into[at + 3] = this.vy;
    for (let i = 0; i < this.open.length; i++) into[at + 4 + i] = this.open[i]!;
  }
  /** What `save` wrote; `collisions` goes on counting. */
  load(from: Float64Array, at = 0): void {
    this.x = from[at]!;
    this.y = from[at + 1]!;
    this.vx = from[at + 2]!;
    this.vy = from[at + 3]!;
    for (let i = 0; i < this.open.length; i++) this.open[i] = from[at + 4 + i]!;
  }

  /** [AR-2] Runs ticks under one instruction, up to so many or the first in which an open goal is met. How many were run. */
  hold(ix: number, iy: number, ticks: number): number {
    this.metCount = 0;
    return this.track.isNear ? this.holdNear(ix, iy, ticks) : this.holdFar(ix, iy, ticks);
  }

  /** Where int32 holds every position, most ticks are a move into a cell where nothing can happen. Hot. */
  private holdNear(ix: number, iy: number, ticks: number): number {
    const { slack, grid } = this.track;
    const { shift, busy } = grid;
    const left = grid.left | 0;
    const top = grid.top | 0;
    const columns = grid.columns | 0;
    const rows = grid.rows | 0;
    let x = this.x | 0;
    let y = this.y | 0;
    let vx = this.vx | 0;
    let vy = this.vy | 0;
    let ran = 0;
    while (ran < ticks) {
      ran++;
      vx = (ninths(vx, slack) + ix) | 0;
      vy = (ninths(vy, slack) + iy) | 0;
      x = (x + vx) | 0;
      y = (y + vy) | 0;
      const column = (x - left) >> shift;
      const row = (y - top) >> shift;
      if (column >>> 0 < columns && row >>> 0 < rows && busy[row * columns + column] === 0) continue;
      this.vx = vx;
      this.vy = vy;
      const isMet = this.endTick(x, y);
      x = this.x | 0;
      y = this.y | 0;
      vx = this.vx | 0;
      vy = this.vy | 0;
      if (isMet) break;
    }
    this.x = x;
    this.y = y;
    this.vx = vx;
    this.vy = vy;
    return ran;
  }

  private holdFar(ix: number, iy: number, ticks: number): number {
    const { slack } = this.track;
    for (let ran = 1; ran <= ticks; ran++) {
      this.vx = (ninths(this.vx, slack) + ix) | 0;
      this.vy = (ninths(this.vy, slack) + iy) | 0;
      if (this.endTick(this.x + this.vx, this.y + this.vy)) return ran;
    }
    return ticks;
  }

  /** Collisions and goals of a racer that has moved to (x, y). Whether an open goal was met. */
  private endTick(x: number, y: number): boolean {
    this.x = x;
    this.y = y;
    if (this.resolveCollisions()) {
      const { carry } = this.track;
      this.collisions++;
      this.vx = half(this.vx, carry);
      this.vy = half(this.vy, carry);
    }
    return this.met.length > 0 && this.markGoals();
  }

  /** [AR-2.2] Up to five subticks: the first asteroid in file order, then the box. Whether anything collided. */
  private resolveCollisions(): boolean {
    let { x, y } = this;
    const { asteroids, grid, truncates, left, right, top, bottom } = this.track;
    for (let subtick = 0; subtick < MAX_SUBTICKS; subtick++) {
      const beforeX = x;
      const beforeY = y;
      const cell = grid.cellAt(x, y);
      const asteroid = asteroids.firstOf(grid.members, grid.first[2 * cell]!, grid.first[2 * cell + 1]!, x, y);
      if (asteroid >= 0) {
        const dx = x - asteroids.x[asteroid]!;
        const dy = y - asteroids.y[asteroid]!;
        const R = asteroids.reach[asteroid]!;
        if (dx === 0 && dy === 0) {
          // SPEC-GAP AR-G1: the document divides by zero where the centres coincide; the racer leaves along x.
          x += R;
        } else if (R > NEAR_REACH) {
          x -= farPush(dx, dy, R, truncates);
          y -= farPush(dy, dx, R, truncates);
        } else {
          const distance = isqrt(dx * dx + dy * dy);
          const push_by = distance - R;
          x -= nearQuotient(push_by * dx, distance, truncates);
          y -= nearQuotient(push_by * dy, distance, truncates);
        }
      }
      const inside = x >= left && x <= right && y >= top && y <= bottom;
      if (asteroid < 0 && inside) {
        if (subtick === 0) return false;
        break;
      }
      if (!inside) {
        // [AR-2.5] left, right, top, bottom, each tested with the current value
        if (x < left) x = left;
        if (x > right) x = right;
        if (y < top) y = top;
        if (y > bottom) y = bottom;
      }
      if (x === beforeX && y === beforeY) break; // every further subtick would do the same again
    }
    this.x = x;
    this.y = y;
    return true;
  }

  /** [AR-2.7] Every open goal, at the position the tick ends with. Whether any was met. */
  private markGoals(): boolean {
    const { x, y } = this;
    const { goals, grid } = this.track;
    const cell = grid.cellAt(x, y);
    const end = grid.first[2 * cell + 2]!;
    for (let at = grid.first[2 * cell + 1]!; at < end; at++) {
      const goal = grid.members[at]!;
      if (!this.isOpen(goal) || !goals.touches(goal, x, y)) continue;
      this.setOpen(goal, false);
      this.met[this.metCount++] = goal;
    }
    return this.metCount > 0;
  }
}

/** [AR-2.1] v * 9 // 10: `slack` is 9 where divisions floor, 0 where they go towards zero. No speed exceeds 1279. */
const ninths = (v: number, slack: number): number => ((v * 9 - ((v >> 31) & slack)) / 10) | 0;

/** [AR-2.6] v // 2: `carry` is 0 where divisions floor, 1 where they go towards zero. */
const half = (v: number, carry: number): number => (v + ((v >>> 31) & carry)) >> 1;

/**
 * [AR-2.4] Within NEAR_REACH a quotient is less than 2^26, where doubles are 2^-27 apart, and it is at least 1 / distance > 2^-27 away from
 * the next whole number that it does not equal: a rounded division cannot reach it. (divFloor and divTrunc take five times as long.)
 */
const nearQuotient = (product: number, distance: number, truncates: boolean): number =>
  truncates ? (product / distance) | 0 : Math.floor(product / distance) + 0;
