import {
  ARC_INSIDE,
  ARC_OUTSIDE,
  CIRCLE,
  COS_HALF,
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

/** Cells a side of the field at most. */
const MAX_CELLS = 128;

/** A field of square cells. */
export interface Cells {
  readonly size: number;
  readonly left: number;
  readonly bottom: number;
  readonly columns: number;
  readonly rows: number;
}

/**
 * [PB-4.11] The static primitives listed by cell: all those that a ball whose centre is in the cell, or at most `margin` beside it, may touch.
 * The margin pays for what the search's straight walk from cell to cell leaves out: the bulge of the parabola, and rounding.
 */
export class Grid implements Cells {
  readonly size: number;
  readonly inverse: number;
  readonly left: number;
  readonly bottom: number;
  readonly columns: number;
  readonly rows: number;
  readonly margin: number;
  /** No cell: the list of what is outside of all of them, which is everything. */
  readonly outside: number;
  /** See `listParts`. */
  readonly lists: Int32Array;

  /** `cell` is the least size of a cell; no result depends on it. */
  constructor(parts: Primitives, r: number, cell: number) {
    const box = boundsOf(parts, r);
    this.margin = r / 4;
    this.size = Math.max(cell, (box.right - box.left) / MAX_CELLS, (box.top - box.bottom) / MAX_CELLS);
    this.inverse = 1 / this.size;
    this.left = box.left;
    this.bottom = box.bottom;
    this.columns = Math.ceil((box.right - box.left) / this.size) + 1;
    this.rows = Math.ceil((box.top - box.bottom) / this.size) + 1;
    this.outside = this.columns * this.rows;
    this.lists = listParts(parts, r, this, 2 * this.margin);
  }
}

/**
 * One array for all lists, which is faster than two. At 3 c is where cell c's circles begin in it, then where its segments do, then all the rest;
 * the next cell's circles follow. After the last cell comes the list of everything.
 */
export function listParts(parts: Primitives, r: number, { size, left, bottom, columns, rows }: Cells, margin: number): Int32Array {
  const outside = columns * rows;
  const lists: number[] = new Array<number>(3 * outside + 4).fill(0);
  for (let cell = 0; cell <= outside; cell++) {
    const x = left + (cell % columns) * size;
    const y = bottom + Math.floor(cell / columns) * size;
    const near: number[] = [];
    for (let p = 0; p < parts.count; p++) {
      if (cell === outside || mayTouch(parts, p, x, y, x + size, y + size, r, margin)) near.push(p);
    }
    for (let sort = 0; sort < 3; sort++) {
      lists[3 * cell + sort] = lists.length;
      for (const p of near) if (sortOf(parts.kind[p]!) === sort) lists.push(p);
    }
  }
  lists[3 * outside + 3] = lists.length;
  return Int32Array.from(lists);
}

/** Where a kind stands in a cell's list. */
const sortOf = (kind: number): number => (kind === CIRCLE ? 0 : kind === SEGMENT ? 1 : 2);

interface Box {
  left: number;
  right: number;
  bottom: number;
  top: number;
}

/** All that is finite, and some room around it. */
function boundsOf(parts: Primitives, r: number): Box {
  const box: Box = { left: Infinity, right: -Infinity, bottom: Infinity, top: -Infinity };
  const include = (x: number, y: number, around: number): void => {
    box.left = Math.min(box.left, x - around);
    box.right = Math.max(box.right, x + around);
    box.bottom = Math.min(box.bottom, y - around);
    box.top = Math.max(box.top, y + around);
  };
  for (let p = 0; p < parts.count; p++) {
    const o = p * STRIDE;
    const x = parts.data[o + PX]!;
    const y = parts.data[o + PY]!;
    const len = parts.data[o + LEN]!;
    include(x, y, 2 * r + parts.data[o + REACH]!);
    include(x + len * parts.data[o + NY]!, y - len * parts.data[o + NX]!, 2 * r);
  }
  return parts.count === 0 ? { left: -r, right: r, bottom: -r, top: r } : box;
}

/** Can a centre in the box, or `margin` beside it, touch the primitive? May say yes too often, never no. */
function mayTouch(
  parts: Primitives,
  p: number,
  left: number,
  bottom: number,
  right: number,
  top: number,
  r: number,
  margin: number,
): boolean {
  const { data } = parts;
  const o = p * STRIDE;
  const px = data[o + PX]!;
  const py = data[o + PY]!;
  const nx = data[o + NX]!;
  const ny = data[o + NY]!;
  const kind = parts.kind[p]!;
  if (kind === PLANE) {
    const x = nx > 0 ? left : right;
    const y = ny > 0 ? bottom : top;
    return (x - px) * nx + (y - py) * ny <= r + margin;
  }
  if (kind === CIRCLE || kind === DISK_SENSOR || kind === ARC_OUTSIDE || kind === ARC_INSIDE) {
    const dx = Math.max(left - px, 0, px - right);
    const dy = Math.max(bottom - py, 0, py - top);
    const far = data[o + REACH]! + margin + (kind === ARC_INSIDE ? 2 * r : 0);
    if (dx * dx + dy * dy > far * far) return false;
    if (kind !== ARC_OUTSIDE && kind !== ARC_INSIDE) return true;
    const fx = Math.max(px - left, right - px);
    const fy = Math.max(py - bottom, top - py);
    const near = data[o + REACH]! - margin - (kind === ARC_OUTSIDE ? 2 * r : 0);
    if (near > 0 && fx * fx + fy * fy < near * near) return false;
    return besideSector(data[o + COS_HALF]!, nx, ny, left - px, bottom - py, right - px, top - py, r + margin);
  }
  const ex = px + data[o + LEN]! * ny;
  const ey = py - data[o + LEN]! * nx;
  return boxNearSegment(left, bottom, right, top, px, py, ex, ey, r + margin);
}

/** Does the box, seen from the arc's centre, come within `around` of the sector? Sectors of more than half a circle are not looked at. */
function besideSector(
  cosHalf: number,
  mx: number,
  my: number,
  left: number,
  bottom: number,
  right: number,
  top: number,
  around: number,
): boolean {
  if (cosHalf <= 0) return true;
  const sinHalf = Math.sqrt(Math.max(0, 1 - cosHalf * cosHalf));
  for (const side of [-1, 1]) {
    // The inner normal of one border of the sector: its direction turned towards the middle.
    const nx = mx * sinHalf - side * my * cosHalf;
    const ny = my * sinHalf + side * mx * cosHalf;
    const highest = Math.max(nx * left, nx * right) + Math.max(ny * bottom, ny * top);
    if (highest < -around) return false;
  }
  return true;
}

/** Separating axes: those of the box, and the normal of the segment. Round corners are taken for square ones. */
function boxNearSegment(
  left: number,
  bottom: number,
  right: number,
  top: number,
  ax: number,
  ay: number,
  bx: number,
  by: number,
  around: number,
): boolean {
  if (Math.min(ax, bx) > right + around || Math.max(ax, bx) < left - around) return false;
  if (Math.min(ay, by) > top + around || Math.max(ay, by) < bottom - around) return false;
  const nx = ay - by;
  const ny = bx - ax;
  const length = Math.sqrt(nx * nx + ny * ny);
  const middle = (nx * (left + right - 2 * ax) + ny * (bottom + top - 2 * ay)) / 2;
  const half = (Math.abs(nx) * (right - left) + Math.abs(ny) * (top - bottom)) / 2;
  return Math.abs(middle) - half <= around * length;
}
