import { floor } from './grid.ts';
import { grown, roomFor } from './memory.ts';
import { GRAIN } from './rules.ts';
import { BOX } from './shapes.ts';
import type { SimRegion } from './sim-region.ts';

/** A cell is at least so many times as wide as any body reaches, and wider as long as there are more cells than so many a body. */
const CELL = 3.2;
const CELLS_PER_BODY = 2;
/** Wider cells are of no use, however far apart the bodies are. */
const MAX_CELL = 16;

/**
 * [SW-R25] [SW-E34] Not everybody with everybody: bodies that move, sorted by the cell of their position at the start of the tick, each with the box that it cannot leave in this tick:
 * so nothing need be sorted again while they move. Whose boxes touch may meet.
 */
export class BodyGrid {
  count = 0;
  /** By row: its place in the order of cells. */
  placeOf = new Int32Array(0);
  /** By row: 1 if the body may meet another one. */
  meets = new Uint8Array(0);
  /** Six numbers a body, in the order of cells. */
  boxes = new Float64Array(0);
  /** The rows that the body at a place may meet: neighbours[firstNeighbour[place]] … neighbours[firstNeighbour[place + 1] - 1]. */
  firstNeighbour = new Int32Array(1);
  neighbours = new Int32Array(0);
  private rows = new Int32Array(0);
  private cellOf = new Int32Array(0);
  /** By cell: the first place. */
  private start = new Int32Array(2);
  private mask = 0;
  /** Pairs of places. */
  private pairs = new Int32Array(0);
  private pairCount = 0;
  private perMeter = 1;
  /** Cells are counted along x, then y, then z, as in a box of cells around all bodies; if that is larger than the table, parts share places. */
  private nextY = 1;
  private nextZ = 1;
  private reachX = 0;
  private reachY = 0;
  private reachZ = 0;

  /** Sorts the region's bodies and finds who may meet whom; how far each may get is known. */
  build(region: SimRegion, bodies: Int32Array, count: number): void {
    this.count = count;
    this.measure(region, bodies);
    this.makeRoom(region.count);
    this.sort(region, bodies);
    this.pair(region);
    this.listNeighbours();
  }

  /** Hot. */
  private sort(region: SimRegion, bodies: Int32Array): void {
    const { start, rows, cellOf, mask, perMeter, nextY, nextZ, boxes, placeOf, count } = this;
    const { px, py, pz, wayX, wayY, wayZ, shape } = region;
    const { total } = region.store.shapes;
    start.fill(0);
    for (let i = 0; i < count; i++) {
      const row = bodies[i]!;
      const y = Math.imul(floor(py[row]! * perMeter), nextY);
      const z = Math.imul(floor(pz[row]! * perMeter), nextZ);
      const at = (floor(px[row]! * perMeter) + y + z) & mask;
      cellOf[i] = at;
      start[at]!++;
    }
    let sum = 0;
    for (let at = 0; at <= mask; at++) sum = start[at] = start[at]! + sum;
    start[mask + 1] = sum;
    for (let i = count - 1; i >= 0; i--) {
      const row = bodies[i]!;
      const place = --start[cellOf[i]!]!;
      const to = place * BOX;
      const at = shape[row]! * BOX;
      rows[place] = row;
      placeOf[row] = place;
      boxes[to] = px[row]! + total[at]! - wayX[row]!;
      boxes[to + 1] = py[row]! + total[at + 1]! - wayY[row]!;
      boxes[to + 2] = pz[row]! + total[at + 2]! - wayZ[row]!;
      boxes[to + 3] = px[row]! + total[at + 3]! + wayX[row]!;
      boxes[to + 4] = py[row]! + total[at + 4]! + wayY[row]!;
      boxes[to + 5] = pz[row]! + total[at + 5]! + wayZ[row]!;
    }
  }

  /** Of two bodies one lies in a row of cells that is not before the other's: each looks only ahead. Hot: most find nobody. */
  private pair(region: SimRegion): void {
    const { perMeter, mask, start, rows, boxes, count, nextY, nextZ, reachX, reachY, reachZ } = this;
    const { py, pz } = region;
    this.pairCount = 0;
    this.meets.fill(0);
    for (let self = 0; self < count; self++) {
      const mine = self * BOX;
      const minX = boxes[mine]!;
      const minY = boxes[mine + 1]!;
      const minZ = boxes[mine + 2]!;
      const maxX = boxes[mine + 3]!;
      const maxY = boxes[mine + 4]!;
      const maxZ = boxes[mine + 5]!;
      const x0 = floor((minX - reachX) * perMeter);
      const width = Math.min(floor((maxX + reachX) * perMeter) - x0, mask);
      const y0 = floor((minY - reachY) * perMeter);
      const y1 = floor((maxY + reachY) * perMeter);
      const z1 = floor((maxZ + reachZ) * perMeter);
      let y = floor(py[rows[self]!]! * perMeter);
      for (let z = floor(pz[rows[self]!]! * perMeter); z <= z1; z++) {
        for (; y <= y1; y++) {
          const first = (x0 + Math.imul(y, nextY) + Math.imul(z, nextZ)) & mask;
          const wraps = first + width > mask;
          let other = start[first]!;
          let end = wraps ? start[mask + 1]! : start[first + width + 1]!;
          for (let part = wraps ? 0 : 1; part < 2; part++) {
            for (; other < end; other++) {
              const at = other * BOX;
              if (boxes[at]! > maxX || boxes[at + 3]! < minX || boxes[at + 1]! > maxY || boxes[at + 4]! < minY) continue;
              if (boxes[at + 2]! <= maxZ && boxes[at + 5]! >= minZ && other !== self) this.note(region, self, other, y, z);
            }
            other = 0;
            end = start[((first + width) & mask) + 1]!;
          }
        }
        y = y0;
      }
    }
  }

  /** Notes a pair that was found in a row of cells, if the other one is really there; two in one row find each other, one time is enough. */
  private note({ py, pz }: SimRegion, self: number, other: number, y: number, z: number): void {
    const { perMeter, rows, pairCount } = this;
    const otherY = floor(py[rows[other]!]! * perMeter);
    const otherZ = floor(pz[rows[other]!]! * perMeter);
    if (otherY !== y || otherZ !== z) return;
    if (other < self && floor(py[rows[self]!]! * perMeter) === y && floor(pz[rows[self]!]! * perMeter) === z) return;
    if (pairCount * 2 + 2 > this.pairs.length)
      this.pairs = grown(this.pairs, new Int32Array(roomFor(pairCount * 2 + 2, this.pairs.length)));
    this.meets[rows[self]!] = 1;
    this.meets[rows[other]!] = 1;
    this.pairs[pairCount * 2] = self;
    this.pairs[pairCount * 2 + 1] = other;
    this.pairCount++;
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

  /** How far any box reaches beyond its position, and where all of them are. */
  private measure(region: SimRegion, bodies: Int32Array): void {
    const { shape, wayX, wayY, wayZ, px, py, pz } = region;
    const { total } = region.store.shapes;
    let reachX = 0;
    let reachY = 0;
    let reachZ = 0;
    let minX = Infinity;
    let minY = Infinity;
    let minZ = Infinity;
    let maxX = -Infinity;
    let maxY = -Infinity;
    let maxZ = -Infinity;
    for (let i = 0; i < this.count; i++) {
      const row = bodies[i]!;
      const at = shape[row]! * BOX;
      const x = px[row]!;
      const y = py[row]!;
      const z = pz[row]!;
      if (wayX[row]! + total[at + 3]! > reachX) reachX = wayX[row]! + total[at + 3]!;
      if (wayX[row]! - total[at]! > reachX) reachX = wayX[row]! - total[at]!;
      if (wayY[row]! + total[at + 4]! > reachY) reachY = wayY[row]! + total[at + 4]!;
      if (wayY[row]! - total[at + 1]! > reachY) reachY = wayY[row]! - total[at + 1]!;
      if (wayZ[row]! + total[at + 5]! > reachZ) reachZ = wayZ[row]! + total[at + 5]!;
      if (wayZ[row]! - total[at + 2]! > reachZ) reachZ = wayZ[row]! - total[at + 2]!;
      if (x < minX) minX = x;
      if (x > maxX) maxX = x;
      if (y < minY) minY = y;
      if (y > maxY) maxY = y;
      if (z < minZ) minZ = z;
      if (z > maxZ) maxZ = z;
    }
    // a corner of a box is rounded when it is added up: a grain more covers that
    this.reachX = reachX + GRAIN;
    this.reachY = reachY + GRAIN;
    this.reachZ = reachZ + GRAIN;
    if (this.count > 0) this.chooseCells(maxX - minX, maxY - minY, maxZ - minZ);
  }

  /** How large cells are and how they are numbered, for bodies that lie so many metres apart. Any choice finds the same pairs. */
  private chooseCells(lengthX: number, lengthY: number, lengthZ: number): void {
    const { count } = this;
    let cell = CELL * Math.max(this.reachX, this.reachY, this.reachZ);
    let cells = 0;
    for (; ; cell *= 1.25) {
      // an odd width keeps parts that share places from falling onto each other
      this.nextY = (floor(lengthX / cell) + 2) | 1;
      this.nextZ = this.nextY * (floor(lengthY / cell) + 2);
      cells = this.nextZ * (floor(lengthZ / cell) + 2);
      if (cells <= count * CELLS_PER_BODY || cell > MAX_CELL) break;
    }
    this.perMeter = 1 / cell;
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
      this.cellOf = new Int32Array(capacity);
      this.boxes = new Float64Array(capacity * BOX);
      this.firstNeighbour = new Int32Array(capacity + 1);
    }
    if (this.placeOf.length < rowCount) {
      this.placeOf = new Int32Array(roomFor(rowCount, this.placeOf.length));
      this.meets = new Uint8Array(this.placeOf.length);
    }
  }
}
