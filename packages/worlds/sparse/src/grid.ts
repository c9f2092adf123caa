import { roomFor } from './memory.ts';
import { BOX } from './shapes.ts';

/** Boxes that span more cells than this are tested by everybody. */
const WIDE = 4096;

/** A table that says of every place that a box is near. */
const EVERYWHERE = Uint8Array.of(1);
const LEAST_MARGIN = 1 / 16;
const LEAST_TABLE = 4096;

/** Cells are numbered by a hash whose x part is plain, so that cells along x lie side by side. */
function rowHash(y: number, z: number): number {
  const h = Math.imul(y, 0x9e37_79b1) ^ Math.imul(z, 0x85eb_ca6b);
  return h ^ (h >>> 15);
}

/** As an integer; coordinates of a region are far below 2^31. */
export const floor = (x: number): number => Math.floor(x) | 0;

/** [SW-E34] Boxes that do not move, each entered into every cell that it touches. */
export class BoxGrid {
  count = 0;
  boxes: Float64Array = new Float64Array(0);
  /** Cells a metre: the inverse of a power of two, so that multiplying by it is exact. */
  private perMeter = 1;
  private mask = 0;
  private start = new Int32Array(2);
  private items = new Int32Array(0);
  private wide: number[] = [];
  /** By cell: 1 if a point of it may be nearer than `margin` to a box, on every axis. Cells share places. */
  private near = EVERYWHERE;
  private margin = 0;
  private nearY = 1;
  private nearZ = 1;

  build(boxes: Float64Array, count: number, cell: number): void {
    this.boxes = boxes;
    this.count = count;
    this.perMeter = 1 / cell;
    this.wide = [];
    let entries = 0;
    for (let i = 0; i < count; i++) {
      const cells = this.cellsOf(i);
      if (cells > WIDE) this.wide.push(i);
      else entries += cells;
    }
    let size = 16;
    while (size < entries * 2) size *= 2;
    if (this.start.length !== size + 1) this.start = new Int32Array(size + 1);
    this.mask = size - 1;
    const { start } = this;
    start.fill(0);
    for (let i = 0; i < count; i++) if (this.cellsOf(i) <= WIDE) this.enter(i, null);
    let sum = 0;
    for (let at = 0; at <= this.mask; at++) sum = start[at] = start[at]! + sum;
    start[this.mask + 1] = sum;
    if (this.items.length < sum) this.items = new Int32Array(roomFor(sum, 0));
    for (let i = count - 1; i >= 0; i--) if (this.cellsOf(i) <= WIDE) this.enter(i, this.items);
    this.near = EVERYWHERE;
    this.margin = 0;
  }

  /** Makes `isFar` ready for so many bodies whose boxes reach so far from their position; not if that is more work than it spares. */
  expect(bodies: number, reach: number): void {
    if (reach <= this.margin || this.count === 0) return;
    this.margin = LEAST_MARGIN;
    while (this.margin < reach) this.margin *= 2;
    this.near = EVERYWHERE;
    let cells = 0;
    for (let i = 0; i < this.count; i++) cells += this.cellsOf(i, this.margin);
    if (cells > bodies) return;
    // cells are counted along x, then y, then z, as in the box around all of them; if that is larger than the table, parts share places
    this.nearY = this.lengthOf(0) | 1;
    this.nearZ = this.nearY * this.lengthOf(1);
    const most = Math.min(cells * 16, this.nearZ * this.lengthOf(2));
    let size = LEAST_TABLE;
    while (size < most) size *= 2;
    this.near = new Uint8Array(size);
    for (let i = 0; i < this.count; i++) this.markNear(i);
  }

  /** Whether nothing is near a position, as far as was asked for by `expect`: boxes around it are then clear. Hot. */
  isFar(x: number, y: number, z: number): boolean {
    const { near, perMeter, nearY, nearZ } = this;
    const row = Math.imul(floor(y * perMeter), nearY) + Math.imul(floor(z * perMeter), nearZ);
    return near[(floor(x * perMeter) + row) & (near.length - 1)] === 0;
  }

  /** Cells along an axis of what is near to any box. */
  private lengthOf(axis: number): number {
    const { boxes, perMeter, margin, count } = this;
    let low = Infinity;
    let high = -Infinity;
    for (let at = axis; at < count * BOX; at += BOX) {
      low = Math.min(low, floor((boxes[at]! - margin) * perMeter));
      high = Math.max(high, floor((boxes[at + 3]! + margin) * perMeter));
    }
    return high - low + 1;
  }

  private markNear(i: number): void {
    const { boxes, perMeter, near, margin, nearY, nearZ } = this;
    const at = i * BOX;
    const x0 = floor((boxes[at]! - margin) * perMeter);
    const x1 = floor((boxes[at + 3]! + margin) * perMeter);
    const y1 = floor((boxes[at + 4]! + margin) * perMeter);
    const z1 = floor((boxes[at + 5]! + margin) * perMeter);
    for (let z = floor((boxes[at + 2]! - margin) * perMeter); z <= z1; z++) {
      for (let y = floor((boxes[at + 1]! - margin) * perMeter); y <= y1; y++) {
        const row = Math.imul(y, nearY) + Math.imul(z, nearZ);
        for (let x = x0; x <= x1; x++) near[(x + row) & (near.length - 1)] = 1;
      }
    }
  }

  /** The numbers of all boxes that touch the given one are written into `into`, each once; the answer is how many. */
  collect(minX: number, minY: number, minZ: number, maxX: number, maxY: number, maxZ: number, into: number[]): number {
    let found = 0;
    if (this.count === 0) return 0;
    for (const i of this.wide) if (this.touches(i, minX, minY, minZ, maxX, maxY, maxZ)) into[found++] = i;
    const { perMeter, mask, start, items, boxes } = this;
    const x0 = floor(minX * perMeter);
    const width = Math.min(floor(maxX * perMeter) - x0, mask);
    const y0 = floor(minY * perMeter);
    const y1 = floor(maxY * perMeter);
    const z1 = floor(maxZ * perMeter);
    for (let z = floor(minZ * perMeter); z <= z1; z++) {
      for (let y = y0; y <= y1; y++) {
        const first = (x0 + rowHash(y, z)) & mask;
        const wraps = first + width > mask;
        let k = start[first]!;
        let end = wraps ? start[mask + 1]! : start[first + width + 1]!;
        for (let part = wraps ? 0 : 1; part < 2; part++) {
          for (; k < end; k++) {
            const i = items[k]!;
            const at = i * BOX;
            if (boxes[at]! > maxX || boxes[at + 3]! < minX || boxes[at + 1]! > maxY || boxes[at + 4]! < minY) continue;
            if (boxes[at + 2]! <= maxZ && boxes[at + 5]! >= minZ && isNew(into, found, i)) into[found++] = i;
          }
          k = 0;
          end = start[((first + width) & mask) + 1]!;
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

  /** Whether no box touches the given one; false also where the table's end makes the look awkward. Hot. */
  isClear(minX: number, minY: number, minZ: number, maxX: number, maxY: number, maxZ: number): boolean {
    const { perMeter, mask, start, items, wide } = this;
    for (let i = 0; i < wide.length; i++) if (this.touches(wide[i]!, minX, minY, minZ, maxX, maxY, maxZ)) return false;
    const x0 = floor(minX * perMeter);
    const width = floor(maxX * perMeter) - x0;
    const y0 = floor(minY * perMeter);
    const y1 = floor(maxY * perMeter);
    const z1 = floor(maxZ * perMeter);
    for (let z = floor(minZ * perMeter); z <= z1; z++) {
      for (let y = y0; y <= y1; y++) {
        const first = (x0 + rowHash(y, z)) & mask;
        if (first + width > mask) return false;
        const end = start[first + width + 1]!;
        for (let k = start[first]!; k < end; k++) if (this.touches(items[k]!, minX, minY, minZ, maxX, maxY, maxZ)) return false;
      }
    }
    return true;
  }

  /** How many cells a box touches, with so many metres around it. */
  private cellsOf(i: number, margin = 0): number {
    const { boxes, perMeter } = this;
    const at = i * BOX;
    const along = (axis: number): number =>
      floor((boxes[at + axis + 3]! + margin) * perMeter) - floor((boxes[at + axis]! - margin) * perMeter) + 1;
    return along(0) * along(1) * along(2);
  }

  /** Counts the cells of a box, or, with `items`, enters it there from the back. */
  private enter(i: number, items: Int32Array | null): void {
    const { boxes, perMeter, mask, start } = this;
    const at = i * BOX;
    const x0 = floor(boxes[at]! * perMeter);
    const x1 = floor(boxes[at + 3]! * perMeter);
    const y1 = floor(boxes[at + 4]! * perMeter);
    const z1 = floor(boxes[at + 5]! * perMeter);
    for (let z = floor(boxes[at + 2]! * perMeter); z <= z1; z++) {
      for (let y = floor(boxes[at + 1]! * perMeter); y <= y1; y++) {
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
