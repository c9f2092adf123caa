import { roomFor } from './memory.ts';
import { BOX } from './shapes.ts';

/** Boxes that span more cells than this are tested by everybody. */
const WIDE = 4096;

/** Cells are numbered by a hash whose x part is plain, so that cells along x lie side by side. */
function rowHash(y: number, z: number): number {
  const h = Math.imul(y, 0x9e37_79b1) ^ Math.imul(z, 0x85eb_ca6b);
  return h ^ (h >>> 15);
}

/** As an integer; coordinates of a region are far below 2^31. */
const floor = (x: number): number => Math.floor(x) | 0;

/** [SW-E34] Boxes that do not move, each entered into every cell that it touches. */
export class BoxGrid {
  count = 0;
  boxes: Float64Array = new Float64Array(0);
  private cell = 1;
  private mask = 0;
  private start = new Int32Array(2);
  private items = new Int32Array(0);
  private wide: number[] = [];

  build(boxes: Float64Array, count: number, cell: number): void {
    this.boxes = boxes;
    this.count = count;
    this.cell = cell;
    this.wide = [];
    let size = 16;
    while (size < count * 4) size *= 2;
    if (this.start.length !== size + 1) this.start = new Int32Array(size + 1);
    this.mask = size - 1;
    const { start } = this;
    start.fill(0);
    for (let i = 0; i < count; i++) {
      if (this.cellsOf(i) > WIDE) this.wide.push(i);
      else this.enter(i, null);
    }
    let sum = 0;
    for (let at = 0; at <= this.mask; at++) sum = start[at] = start[at]! + sum;
    start[this.mask + 1] = sum;
    if (this.items.length < sum) this.items = new Int32Array(roomFor(sum, 0));
    for (let i = count - 1; i >= 0; i--) if (this.cellsOf(i) <= WIDE) this.enter(i, this.items);
  }

  /** The numbers of all boxes that touch the given one are written into `into`, each once; the answer is how many. */
  collect(minX: number, minY: number, minZ: number, maxX: number, maxY: number, maxZ: number, into: number[]): number {
    let found = 0;
    if (this.count === 0) return 0;
    for (const i of this.wide) if (this.touches(i, minX, minY, minZ, maxX, maxY, maxZ)) into[found++] = i;
    const { cell, mask, start, items } = this;
    const x0 = Math.floor(minX / cell);
    const x1 = Math.floor(maxX / cell);
    const y1 = Math.floor(maxY / cell);
    const z1 = Math.floor(maxZ / cell);
    for (let z = Math.floor(minZ / cell); z <= z1; z++) {
      for (let y = Math.floor(minY / cell); y <= y1; y++) {
        const row = rowHash(y, z);
        for (let x = x0; x <= x1; x++) {
          const at = (x + row) & mask;
          const end = start[at + 1]!;
          for (let k = start[at]!; k < end; k++) {
            const i = items[k]!;
            if (this.touches(i, minX, minY, minZ, maxX, maxY, maxZ) && isNew(into, found, i)) into[found++] = i;
          }
        }
      }
    }
    return found;
  }

  private touches(i: number, minX: number, minY: number, minZ: number, maxX: number, maxY: number, maxZ: number): boolean {
    const { boxes } = this;
    const at = i * BOX;
    return (
      boxes[at]! <= maxX &&
      boxes[at + 3]! >= minX &&
      boxes[at + 1]! <= maxY &&
      boxes[at + 4]! >= minY &&
      boxes[at + 2]! <= maxZ &&
      boxes[at + 5]! >= minZ
    );
  }

  private cellsOf(i: number): number {
    const { boxes, cell } = this;
    const at = i * BOX;
    const along = (axis: number): number => Math.floor(boxes[at + axis + 3]! / cell) - Math.floor(boxes[at + axis]! / cell) + 1;
    return along(0) * along(1) * along(2);
  }

  /** Counts the cells of a box, or, with `items`, enters it there from the back. */
  private enter(i: number, items: Int32Array | null): void {
    const { boxes, cell, mask, start } = this;
    const at = i * BOX;
    const x0 = Math.floor(boxes[at]! / cell);
    const x1 = Math.floor(boxes[at + 3]! / cell);
    const y1 = Math.floor(boxes[at + 4]! / cell);
    const z1 = Math.floor(boxes[at + 5]! / cell);
    for (let z = Math.floor(boxes[at + 2]! / cell); z <= z1; z++) {
      for (let y = Math.floor(boxes[at + 1]! / cell); y <= y1; y++) {
        const row = rowHash(y, z);
        for (let x = x0; x <= x1; x++) {
          if (items === null) start[(x + row) & mask]!++;
          else items[--start[(x + row) & mask]!] = i;
        }
      }
    }
  }
}

function isNew(list: readonly number[], count: number, item: number): boolean {
  for (let i = 0; i < count; i++) if (list[i] === item) return false;
  return true;
}

/**
 * [SW-E34] Bodies that move, sorted by the cell of their position at the start of the tick, each with the box that it cannot leave in this tick:
 * so nothing need be sorted again while they move. Whoever looks for bodies looks as far beyond its own box as any of them reaches.
 */
export class BodyGrid {
  count = 0;
  private bodies: Int32Array = new Int32Array(0);
  private items = new Int32Array(0);
  /** Cells a metre: the inverse of a power of two, so that multiplying by it is exact. */
  private perMeter = 1;
  private mask = 0;
  private start = new Int32Array(2);
  private boxes: Float64Array = new Float64Array(0);
  private cellOf = new Int32Array(0);
  private reachX = 0;
  private reachY = 0;
  private reachZ = 0;

  /** `boxes` are those that the bodies cannot leave, in the order of `bodies`; positions are by row. */
  build(bodies: Int32Array, count: number, boxes: Float64Array, px: Float64Array, py: Float64Array, pz: Float64Array): void {
    this.count = count;
    this.measure(bodies, boxes, px, py, pz);
    let size = 16;
    while (size < count * 2) size *= 2;
    if (this.start.length !== size + 1) this.start = new Int32Array(size + 1);
    if (this.items.length < count) {
      this.items = new Int32Array(roomFor(count, this.items.length));
      this.cellOf = new Int32Array(this.items.length);
    }
    this.bodies = bodies;
    this.boxes = boxes;
    this.mask = size - 1;
    const { start, items, cellOf, mask, perMeter } = this;
    start.fill(0);
    for (let i = 0; i < count; i++) {
      const row = bodies[i]!;
      const at = (floor(px[row]! * perMeter) + rowHash(floor(py[row]! * perMeter), floor(pz[row]! * perMeter))) & mask;
      cellOf[i] = at;
      start[at]!++;
    }
    let sum = 0;
    for (let at = 0; at <= mask; at++) sum = start[at] = start[at]! + sum;
    start[size] = sum;
    for (let i = count - 1; i >= 0; i--) items[--start[cellOf[i]!]!] = i;
  }

  /** The rows of bodies that may come to touch the given box in this tick are written into `into`, some perhaps twice. How many. Hot. */
  collect(minX: number, minY: number, minZ: number, maxX: number, maxY: number, maxZ: number, into: number[]): number {
    const { perMeter, mask, start, items, bodies, boxes } = this;
    const x0 = floor((minX - this.reachX) * perMeter);
    const width = Math.min(floor((maxX + this.reachX) * perMeter) - x0, mask);
    const y0 = floor((minY - this.reachY) * perMeter);
    const y1 = floor((maxY + this.reachY) * perMeter);
    const z1 = floor((maxZ + this.reachZ) * perMeter);
    let found = 0;
    for (let cz = floor((minZ - this.reachZ) * perMeter); cz <= z1; cz++) {
      for (let cy = y0; cy <= y1; cy++) {
        const first = (x0 + rowHash(cy, cz)) & mask;
        const wraps = first + width > mask;
        let k = start[first]!;
        let end = wraps ? start[mask + 1]! : start[first + width + 1]!;
        for (let part = wraps ? 0 : 1; part < 2; part++) {
          for (; k < end; k++) {
            const i = items[k]!;
            const at = i * BOX;
            if (boxes[at]! > maxX || boxes[at + 3]! < minX || boxes[at + 1]! > maxY || boxes[at + 4]! < minY) continue;
            if (boxes[at + 2]! <= maxZ && boxes[at + 5]! >= minZ) into[found++] = bodies[i]!;
          }
          k = 0;
          end = start[((first + width) & mask) + 1]!;
        }
      }
    }
    return found;
  }

  /** How far any box reaches beyond its position, and cells that fit. */
  private measure(bodies: Int32Array, boxes: Float64Array, px: Float64Array, py: Float64Array, pz: Float64Array): void {
    let x = 0;
    let y = 0;
    let z = 0;
    for (let i = 0; i < this.count; i++) {
      const row = bodies[i]!;
      x = Math.max(x, px[row]! - boxes[i * BOX]!, boxes[i * BOX + 3]! - px[row]!);
      y = Math.max(y, py[row]! - boxes[i * BOX + 1]!, boxes[i * BOX + 4]! - py[row]!);
      z = Math.max(z, pz[row]! - boxes[i * BOX + 2]!, boxes[i * BOX + 5]! - pz[row]!);
    }
    this.reachX = x;
    this.reachY = y;
    this.reachZ = z;
    this.perMeter = 1;
    while (this.perMeter * 5 * Math.max(x, y, z) > 1) this.perMeter /= 2;
  }
}
