import {
  ARC_INSIDE,
  ARC_OUTSIDE,
  CIRCLE,
  DISK_SENSOR,
  LEN,
  NX,
  NY,
  PLANE,
  type Primitives,
  PX,
  PY,
  REACH,
  SEGMENT,
  STRIDE,
} from './primitives.ts';
import type { Grid } from './grid.ts';

/** Size of a cell in radii of a ball, and how many there are each way at most. No result depends on them. */
const CELL = 2;
const MAX_CELLS = 64;
/** Kinds of direction from left to right, on each of the two sides. */
const SECTORS = 8;
/** An entry of a list: the distance in quarters of a radius, above the ten bits of the part. */
const PART_BITS = 10;
const FINE = 4;
/** Lists are complete up to so many quarters. */
const SIGHT = 12 * FINE;
/** Room of a list. */
const ROOM = 16;
/** Of a list that is no use: it is too long, or there is something else than circles and segments in sight. One that is not made yet has 0. */
const MIXED = 0xffff;

/**
 * [PB-4.11] What a ball can meet first, by the cell where its centre is and the direction in which it flies straight on: circles, then segments, each
 * sorted by a lower bound of the way to them. Complete up to SIGHT. A list is made when it is first asked for.
 *
 * Why it is complete: the centres that come within the reach of a part are the part grown by it, and those of all ways from the cell are a cone
 * put on each of the cell's points. They meet only if the cone meets the grown part made wider by the cell, both convex; `wayTo` leaves out a part only
 * where it has found a line between the two.
 */
export class Sights {
  readonly left: number;
  readonly bottom: number;
  readonly inverse: number;
  readonly columns: number;
  readonly rows: number;
  /** Units of an entry's distance in a metre. */
  readonly scale: number;
  /** ROOM for each cell and direction: 256 (entries + 1) + circles, then the entries. */
  readonly lists: Uint16Array;
  private readonly parts: Primitives;
  private readonly r: number;
  private readonly size: number;

  constructor(grid: Grid, parts: Primitives, r: number) {
    const width = grid.columns * grid.size;
    const height = grid.rows * grid.size;
    this.parts = parts;
    this.r = r;
    this.size = Math.max(CELL * r, width / MAX_CELLS, height / MAX_CELLS);
    this.inverse = 1 / this.size;
    this.left = grid.left;
    this.bottom = grid.bottom;
    this.columns = Math.ceil(width / this.size);
    this.rows = Math.ceil(height / this.size);
    this.scale = FINE / r;
    this.lists = new Uint16Array(this.columns * this.rows * 2 * SECTORS * ROOM);
    if (parts.count >= 1 << PART_BITS) this.lists.fill(MIXED);
  }

  /** Makes the lists of all directions from a cell. */
  learn(cell: number): void {
    const x = this.left + ((cell % this.columns) + 0.5) * this.size;
    const y = this.bottom + (Math.floor(cell / this.columns) + 0.5) * this.size;
    const near: number[] = [];
    for (let p = 0; p < this.parts.count; p++) if (this.isNear(p, x, y)) near.push(p);
    for (let k = 0; k < 2 * SECTORS; k++) this.list((2 * SECTORS * cell + k) * ROOM, near, x, y, DIRECTIONS[k]!);
  }

  private list(at: number, near: readonly number[], x: number, y: number, sector: Sector): void {
    const circles: number[] = [];
    const segments: number[] = [];
    for (const p of near) {
      const way = this.wayTo(p, x, y, sector) * this.scale;
      if (way > SIGHT) continue;
      const entry = (Math.floor(way) << PART_BITS) | p;
      const kind = this.parts.kind[p]!;
      if (kind === CIRCLE) circles.push(entry);
      else if (kind === SEGMENT) segments.push(entry);
      else {
        this.lists[at] = MIXED;
        return;
      }
    }
    const upwards = (a: number, b: number): number => a - b;
    const entries = [...circles.sort(upwards), ...segments.sort(upwards)];
    this.lists[at] = entries.length < ROOM ? ((entries.length + 1) << 8) | circles.length : MIXED;
    if (entries.length < ROOM) this.lists.set(entries, at + 1);
  }

  /** May part p be in sight at all? What has no simple bounds always may. */
  private isNear(p: number, x: number, y: number): boolean {
    const { data, kind } = this.parts;
    const o = p * STRIDE;
    const dx = data[o + PX]! - x;
    const dy = data[o + PY]! - y;
    const far = SIGHT / this.scale + this.size;
    const reach = far + data[o + REACH]!;
    if (kind[p] === CIRCLE) return dx * dx + dy * dy < reach * reach;
    return kind[p] !== SEGMENT || Math.abs(dx * data[o + NX]! + dy * data[o + NY]!) < far + this.r;
  }

  /** A lower bound of the way on which a centre from the cell around (x, y) comes to part p in a direction of the sector; Infinity if none does. */
  private wayTo(p: number, x: number, y: number, { x1, y1, x2, y2, mx, my }: Sector): number {
    const { data, kind } = this.parts;
    const o = p * STRIDE;
    const k = kind[p]!;
    const nx = data[o + NX]!;
    const ny = data[o + NY]!;
    // Cells are a little wider, and parts a little larger, than they are: for rounding.
    const half = (this.size / 2) * (1 + 1e-6);
    const ax = data[o + PX]! - x;
    const ay = data[o + PY]! - y;
    const round = k === CIRCLE || k === DISK_SENSOR || k === ARC_INSIDE || k === ARC_OUTSIDE;
    const reach = (round ? data[o + REACH]! + (k === ARC_INSIDE ? 2 * this.r : 0) : this.r) * (1 + 1e-6);
    const widthAlong = (ux: number, uy: number): number => reach + half * (Math.abs(ux) + Math.abs(uy));
    if (k === PLANE) return -(ax * nx + ay * ny) - widthAlong(nx, ny) < SIGHT / this.scale ? 0 : Infinity;
    const len = round ? 0 : data[o + LEN]!;
    const bx = ax + len * ny;
    const by = ay - len * nx;
    const least = (ux: number, uy: number): number => Math.min(ux * ax + uy * ay, ux * bx + uy * by) - widthAlong(ux, uy);
    // To the right of the first border, to the left of the second, behind.
    if (least(y1, -x1) > 0 || least(-y2, x2) > 0 || least(-mx, -my) > 0) return Infinity;
    const ahead = Math.max(0, least(mx, my));
    if (round) {
      const dx = Math.max(0, Math.abs(ax) - half);
      const dy = Math.max(0, Math.abs(ay) - half);
      return Math.max(ahead, Math.sqrt(dx * dx + dy * dy) - reach);
    }
    const height = ax * nx + ay * ny;
    const gap = Math.abs(height) - widthAlong(nx, ny);
    if (gap <= 0) return ahead;
    const side = height > 0 ? 1 : -1;
    const inside = side * (nx * y1 - ny * x1) <= 0 && side * (ny * x2 - nx * y2) <= 0;
    const most = inside ? 1 : Math.max(side * (nx * x1 + ny * y1), side * (nx * x2 + ny * y2));
    return most > 0 ? Math.max(ahead, gap / most) : Infinity;
  }
}

/** Directions from (x1, y1) to the left of it up to (x2, y2), all of length 1, and the one in the middle. */
class Sector {
  readonly x1: number;
  readonly y1: number;
  readonly x2: number;
  readonly y2: number;
  readonly mx: number;
  readonly my: number;

  /** As `flyStraight` counts them: by vx / (|vx| + |vy|) in steps, and by the sign of vy. */
  constructor(index: number) {
    const column = index >> 1;
    const up = (index & 1) === 1;
    const low = border(column, -1);
    const high = border(column + 1, 1);
    const [first, second] = up ? [high, low] : [low, high];
    [this.x1, this.y1] = onCircle(first, up);
    [this.x2, this.y2] = onCircle(second, up);
    const x = this.x1 + this.x2;
    const y = this.y1 + this.y2;
    const length = Math.sqrt(x * x + y * y);
    this.mx = x / length;
    this.my = y / length;
  }
}

/** A little wide, for rounding. */
const border = (column: number, side: number): number => (2 * column) / SECTORS - 1 + side * 0.003;

/** Beyond the ends -1 and 1 the other side begins. */
function onCircle(t: number, up: boolean): [number, number] {
  const inside = Math.max(-1, Math.min(1, t));
  const y = (up ? 1 : -1) * (Math.abs(t) > 1 ? -0.006 : 1 - Math.abs(inside));
  const length = Math.sqrt(inside * inside + y * y);
  return [inside / length, y / length];
}

const DIRECTIONS: readonly Sector[] = Array.from({ length: 2 * SECTORS }, (_, index) => new Sector(index));
