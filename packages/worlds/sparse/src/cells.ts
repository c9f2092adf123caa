import { floor } from './grid.ts';
import { grown, roomFor } from './memory.ts';
import { BOX } from './shapes.ts';
import type { SimRegion } from './sim-region.ts';

/** A cell is at least so many times as wide as the widest box, and wider as long as there are more cells than so many a body. */
const CELL = 1.6;
const CELLS_PER_BODY = 2;
/** Wider cells are of no use, however far apart the bodies are; narrower ones would have numbers that are no int32. */
const MAX_CELL = 16;
const MIN_CELL = 1 / 256;

/** Corners are counted in 64ths of a cell. */
const SHIFT = 6;
/**
 * Three such counts in one int32, ten bits each: nine for the count modulo 512, and one, set in the upper corner, that a subtraction may borrow from. Boxes
 * that are compared lie less than four cells apart, so the difference's ninth bit is its sign.
 */
const COUNT = 0x1ff;
const CELLS = COUNT >> SHIFT;
const GUARDS = 0x2008_0200;
const SIGNS = 0x1004_0100;

/** Below the number of a body's cell: on which sides its box, with the widest box before it, reaches into the next cell. */
const CODE = 5;
const BACK_X = 1;
const AHEAD_X = 2;
const BACK_Y = 4;
const AHEAD_Y = 8;
const AHEAD_Z = 16;

/** Rows of cells around a body's own one, as 4 * z + y + 1. */
const SAME_Z = 1;
const NEXT_Z = 5;
const ROWS = 3;

/**
 * [SW-R25] [SW-E34] Not everybody with everybody: bodies that move, each with the box that it cannot leave in this tick, sorted by the cell of that box's lower corner: so nothing need
 * be sorted again while they move. Whose boxes touch may meet.
 */
export class BodyGrid {
  count = 0;
  /** By row: its place in the order of cells. */
  placeOf = new Int32Array(0);
  /** By row: 1 if the body may meet another one. */
  meets = new Uint8Array(0);
  /** The rows that the body at a place may meet: neighbours[firstNeighbour[place]] … neighbours[firstNeighbour[place + 1] - 1]. */
  firstNeighbour = new Int32Array(1);
  neighbours = new Int32Array(0);
  /** No box reaches farther from its body's position than this. */
  reach = 0;
  /** By axis: between where the bodies are, and how far their shapes reach from their positions. */
  private readonly low = new Float64Array(3);
  private readonly high = new Float64Array(3);
  private readonly shapeLow = new Float64Array(3);
  private readonly shapeHigh = new Float64Array(3);
  /** Three numbers a body, its cell and the corners of its box: in the order of bodies, then in the order of cells. */
  private found = new Int32Array(0);
  private sorted = new Int32Array(0);
  private rows = new Int32Array(0);
  /** By cell: the first place. */
  private start = new Int32Array(2);
  private mask = 0;
  /** Pairs of places; while they are only likely ones, the second with the row of cells in which it was found. */
  private pairs = new Int32Array(0);
  private pairCount = 0;
  /** 64ths of a cell a metre, and the widest box in them. */
  private scale = 1;
  private widestX = 0;
  private widestY = 0;
  /** Cells are counted along x, then y, then z, as in a box of cells around all bodies; if that is larger than the table, parts share places. */
  private nextY = 1;
  private nextZ = 1;

  /** Sorts the region's bodies and finds who may meet whom; how far each may get is known. */
  build(region: SimRegion, bodies: Int32Array, count: number): void {
    this.count = count;
    this.measure(region, bodies);
    this.makeRoom(region.count);
    this.sort(region, bodies);
    this.pair();
    this.confirm(region);
    this.listNeighbours();
  }

  /** Hot. */
  private sort(region: SimRegion, bodies: Int32Array): void {
    const { start, found, sorted, rows, mask, scale, nextY, nextZ, widestX, widestY, placeOf, count } = this;
    const { px, py, pz, wayX, wayY, wayZ, shape } = region;
    const { total } = region.store.shapes;
    start.fill(0);
    for (let i = 0; i < count; i++) {
      const row = bodies[i]!;
      const at = shape[row]! * BOX;
      const lowX = floor((px[row]! + total[at]! - wayX[row]!) * scale);
      const lowY = floor((py[row]! + total[at + 1]! - wayY[row]!) * scale);
      const lowZ = floor((pz[row]! + total[at + 2]! - wayZ[row]!) * scale);
      const highX = floor((px[row]! + total[at + 3]! + wayX[row]!) * scale);
      const highY = floor((py[row]! + total[at + 4]! + wayY[row]!) * scale);
      const highZ = floor((pz[row]! + total[at + 5]! + wayZ[row]!) * scale);
      const x = lowX >> SHIFT;
      const y = lowY >> SHIFT;
      const z = lowZ >> SHIFT;
      const cell = (x + Math.imul(y, nextY) + Math.imul(z, nextZ)) & mask;
      let code = x - ((lowX - widestX) >> SHIFT);
      code |= ((highX >> SHIFT) - x) << 1;
      code |= (y - ((lowY - widestY) >> SHIFT)) << 2;
      code |= ((highY >> SHIFT) - y) << 3;
      code |= ((highZ >> SHIFT) - z) << 4;
      found[i * 3] = (cell << CODE) | code;
      found[i * 3 + 1] = (lowX & COUNT) | ((lowY & COUNT) << 10) | ((lowZ & COUNT) << 20);
      found[i * 3 + 2] = (highX & COUNT) | ((highY & COUNT) << 10) | ((highZ & COUNT) << 20) | GUARDS;
      start[cell]!++;
    }
    let sum = 0;
    for (let cell = 0; cell <= mask; cell++) sum = start[cell] = start[cell]! + sum;
    start[mask + 1] = sum;
    for (let i = count - 1; i >= 0; i--) {
      const row = bodies[i]!;
      const code = found[i * 3]!;
      const place = --start[code >> CODE]!;
      rows[place] = row;
      placeOf[row] = place;
      sorted[place * 3] = code;
      sorted[place * 3 + 1] = found[i * 3 + 1]!;
      sorted[place * 3 + 2] = found[i * 3 + 2]!;
    }
  }

  /**
   * Likely pairs. Of two bodies one lies before the other: in a row of cells that is before the other's, or before it in the same row. Each looks only ahead.
   * Hot: most find nobody.
   */
  private pair(): void {
    const { sorted, start, mask, nextY, nextZ, count } = this;
    this.pairCount = 0;
    for (let self = 0; self < count; self++) {
      const code = sorted[self * 3]!;
      const cell = code >> CODE;
      const ahead = (code & AHEAD_X) >> 1;
      const width = ahead + (code & BACK_X);
      const corner = cell - (code & BACK_X);
      this.look(self, self + 1, cell + ahead, SAME_Z);
      if ((code & AHEAD_Y) !== 0) {
        const first = (corner + nextY) & mask;
        this.look(self, start[first]!, first + width, SAME_Z + 1);
      }
      if ((code & AHEAD_Z) === 0) continue;
      for (let y = (code & BACK_Y) === 0 ? 0 : -1; y <= (code & AHEAD_Y) >> 3; y++) {
        const first = (corner + nextZ + Math.imul(y, nextY)) & mask;
        this.look(self, start[first]!, first + width, NEXT_Z + y);
      }
    }
  }

  /** Looks at all from a place to the end of a cell, which may lie beyond the table's end. */
  private look(self: number, from: number, last: number, row: number): void {
    const { start, mask } = this;
    if (last <= mask) this.scan(self, from, start[last + 1]!, row);
    else {
      this.scan(self, from, start[mask + 1]!, row);
      this.scan(self, 0, start[(last & mask) + 1]!, row);
    }
  }

  /** Notes whose boxes seem to touch: on no axis does one end before the other begins. */
  private scan(self: number, from: number, end: number, row: number): void {
    const { sorted } = this;
    const low = sorted[self * 3 + 1]!;
    const high = sorted[self * 3 + 2]!;
    for (let other = from; other < end; other++) {
      const gaps = (high - sorted[other * 3 + 1]!) | (sorted[other * 3 + 2]! - low);
      if ((gaps & SIGNS) === 0) this.note(self, (other << ROWS) | row);
    }
  }

  private note(first: number, second: number): void {
    const at = this.pairCount * 2;
    if (at + 2 > this.pairs.length) this.pairs = grown(this.pairs, new Int32Array(roomFor(at + 2, this.pairs.length)));
    this.pairs[at] = first;
    this.pairs[at + 1] = second;
    this.pairCount++;
  }

  /** Of the likely pairs those stay whose boxes touch and who were found where they are; elsewhere they only share a place in the table. */
  private confirm(region: SimRegion): void {
    const { pairs, rows, meets } = this;
    const likely = this.pairCount * 2;
    let sure = 0;
    meets.fill(0);
    for (let i = 0; i < likely; i += 2) {
      const self = rows[pairs[i]!]!;
      const place = pairs[i + 1]! >> ROWS;
      const other = rows[place]!;
      if (!this.isAhead(pairs[i]!, place, pairs[i + 1]! & 7) || !touch(region, self, other)) continue;
      meets[self] = 1;
      meets[other] = 1;
      pairs[sure] = pairs[i]!;
      pairs[sure + 1] = place;
      sure += 2;
    }
    this.pairCount = sure / 2;
  }

  /** Whether the other one, whose box touches, is so many rows of cells ahead. */
  private isAhead(self: number, other: number, row: number): boolean {
    const mine = this.sorted[self * 3 + 1]!;
    const theirs = this.sorted[other * 3 + 1]!;
    const y = ((theirs >> (10 + SHIFT)) - (mine >> (10 + SHIFT))) & CELLS;
    const z = ((theirs >> (20 + SHIFT)) - (mine >> (20 + SHIFT))) & CELLS;
    return y === (((row & 3) - 1) & CELLS) && z === row >> 2;
  }

  private listNeighbours(): void {
    const { firstNeighbour, pairs, pairCount, rows, count } = this;
    const ends = pairCount * 2;
    if (this.neighbours.length < ends) this.neighbours = new Int32Array(roomFor(ends, this.neighbours.length));
    const { neighbours } = this;
    firstNeighbour.fill(0);
    for (let i = 0; i < ends; i++) firstNeighbour[pairs[i]!]!++;
    let sum = 0;
    for (let place = 0; place < count; place++) sum = firstNeighbour[place] = firstNeighbour[place]! + sum;
    firstNeighbour[count] = sum;
    for (let i = ends - 2; i >= 0; i -= 2) {
      neighbours[--firstNeighbour[pairs[i]!]!] = rows[pairs[i + 1]!]!;
      neighbours[--firstNeighbour[pairs[i + 1]!]!] = rows[pairs[i]!]!;
    }
  }

  /**
   * Notes how far the bodies' shapes reach from their positions, and how far apart bodies are. That may change without being noted again: only time depends on
   * it.
   */
  survey({ px, py, pz, shape, store }: SimRegion, bodies: Int32Array, count: number): void {
    const { total } = store.shapes;
    const { low, high, shapeLow, shapeHigh } = this;
    let [minX, minY, minZ] = [Infinity, Infinity, Infinity];
    let [maxX, maxY, maxZ] = [-Infinity, -Infinity, -Infinity];
    let last = -1;
    shapeLow.fill(0);
    shapeHigh.fill(0);
    for (let i = 0; i < count; i++) {
      const row = bodies[i]!;
      if (px[row]! < minX) minX = px[row]!;
      if (px[row]! > maxX) maxX = px[row]!;
      if (py[row]! < minY) minY = py[row]!;
      if (py[row]! > maxY) maxY = py[row]!;
      if (pz[row]! < minZ) minZ = pz[row]!;
      if (pz[row]! > maxZ) maxZ = pz[row]!;
      if (shape[row] === last) continue;
      last = shape[row]!;
      for (let axis = 0; axis < 3; axis++) {
        shapeLow[axis] = Math.min(shapeLow[axis]!, total[last * BOX + axis]!);
        shapeHigh[axis] = Math.max(shapeHigh[axis]!, total[last * BOX + axis + 3]!);
      }
    }
    low.set([minX, minY, minZ]);
    high.set([maxX, maxY, maxZ]);
  }

  /** How far boxes reach, how wide the widest may be, and hence how large cells are. */
  private measure({ wayX, wayY, wayZ }: SimRegion, bodies: Int32Array): void {
    const { low, high, shapeLow, shapeHigh, count } = this;
    let x = 0;
    let y = 0;
    let z = 0;
    for (let i = 0; i < count; i++) {
      const row = bodies[i]!;
      if (wayX[row]! > x) x = wayX[row]!;
      if (wayY[row]! > y) y = wayY[row]!;
      if (wayZ[row]! > z) z = wayZ[row]!;
    }
    const widestX = shapeHigh[0]! - shapeLow[0]! + 2 * x;
    const widestY = shapeHigh[1]! - shapeLow[1]! + 2 * y;
    const widestZ = shapeHigh[2]! - shapeLow[2]! + 2 * z;
    this.reach = Math.max(x, y, z) + Math.max(...shapeHigh, ...shapeLow.map((corner) => -corner));
    if (count === 0) return;
    this.chooseCells(Math.max(widestX, widestY, widestZ), high[0]! - low[0]!, high[1]! - low[1]!, high[2]! - low[2]!);
    // corners are rounded when they are added up and counted: two counts more cover that
    this.widestX = floor(widestX * this.scale) + 2;
    this.widestY = floor(widestY * this.scale) + 2;
  }

  /** How large cells are and how they are numbered, for bodies that lie so many metres apart. Any choice finds the same pairs. */
  private chooseCells(widest: number, lengthX: number, lengthY: number, lengthZ: number): void {
    const { count } = this;
    let cell = Math.max(CELL * widest, MIN_CELL);
    let cells = 0;
    for (; ; cell *= 1.25) {
      // an odd width keeps parts that share places from falling onto each other
      this.nextY = (floor(lengthX / cell) + 2) | 1;
      this.nextZ = this.nextY * (floor(lengthY / cell) + 2);
      cells = this.nextZ * (floor(lengthZ / cell) + 2);
      if (cells <= count * CELLS_PER_BODY || cell > MAX_CELL) break;
    }
    this.scale = (1 << SHIFT) / cell;
    let size = 16;
    while (size < count * CELLS_PER_BODY) size *= 2;
    if (this.start.length !== size + 1) this.start = new Int32Array(size + 1);
    this.mask = size - 1;
  }

  private makeRoom(rowCount: number): void {
    const { count } = this;
    if (this.rows.length < count) {
      const capacity = roomFor(count, this.rows.length);
      this.rows = new Int32Array(capacity);
      this.found = new Int32Array(capacity * 3);
      this.sorted = new Int32Array(capacity * 3);
      this.firstNeighbour = new Int32Array(capacity + 1);
    }
    if (this.placeOf.length < rowCount) {
      this.placeOf = new Int32Array(roomFor(rowCount, this.placeOf.length));
      this.meets = new Uint8Array(this.placeOf.length);
    }
  }
}

/** Whether the boxes of two bodies, as far as they may get in this tick, touch. */
function touch({ px, py, pz, wayX, wayY, wayZ, shape, store }: SimRegion, a: number, b: number): boolean {
  const { total } = store.shapes;
  return (
    intervalsTouch(px, wayX, total, a, shape[a]! * BOX, b, shape[b]! * BOX) &&
    intervalsTouch(py, wayY, total, a, shape[a]! * BOX + 1, b, shape[b]! * BOX + 1) &&
    intervalsTouch(pz, wayZ, total, a, shape[a]! * BOX + 2, b, shape[b]! * BOX + 2)
  );
}

function intervalsTouch(p: Float64Array, way: Float64Array, total: Float64Array, a: number, atA: number, b: number, atB: number): boolean {
  if (p[a]! + total[atA]! - way[a]! > p[b]! + total[atB + 3]! + way[b]!) return false;
  return p[b]! + total[atB]! - way[b]! <= p[a]! + total[atA + 3]! + way[a]!;
}
