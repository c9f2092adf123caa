import { BOX } from './shapes.ts';

/**
 * [SW-R6] Whether a box lies inside the union of `count` boxes, from number `from` on: what sticks out of one must lie inside the others. Nothing
 * is computed, only compared: the answer is exact.
 */
export function covered(
  boxes: Float64Array,
  count: number,
  from: number,
  minX: number,
  minY: number,
  minZ: number,
  maxX: number,
  maxY: number,
  maxZ: number,
): boolean {
  for (let i = from; i < count; i++) {
    const x0 = boxes[i * BOX]!;
    const y0 = boxes[i * BOX + 1]!;
    const z0 = boxes[i * BOX + 2]!;
    const x1 = boxes[i * BOX + 3]!;
    const y1 = boxes[i * BOX + 4]!;
    const z1 = boxes[i * BOX + 5]!;
    if (x0 >= maxX || x1 <= minX || y0 >= maxY || y1 <= minY || z0 >= maxZ || z1 <= minZ) continue;
    if (minX < x0 && !covered(boxes, count, i + 1, minX, minY, minZ, x0, maxY, maxZ)) return false;
    if (maxX > x1 && !covered(boxes, count, i + 1, x1, minY, minZ, maxX, maxY, maxZ)) return false;
    const left = Math.max(minX, x0);
    const right = Math.min(maxX, x1);
    if (minY < y0 && !covered(boxes, count, i + 1, left, minY, minZ, right, y0, maxZ)) return false;
    if (maxY > y1 && !covered(boxes, count, i + 1, left, y1, minZ, right, maxY, maxZ)) return false;
    const front = Math.max(minY, y0);
    const back = Math.min(maxY, y1);
    if (minZ < z0 && !covered(boxes, count, i + 1, left, front, minZ, right, back, z0)) return false;
    return maxZ <= z1 || covered(boxes, count, i + 1, left, front, z1, right, back, maxZ);
  }
  return false;
}

/** How far a box may go inside the union of Spaces: the document's tMax. */
export class SpaceLimit {
  /** [SW-R35] [SW-E7] The part of the way that is allowed; Infinity when all of it is. */
  tMax = Infinity;
  /** The axis along which the Spaces end there. */
  axis = 0;
  private times = new Float64Array(64);
  private axes = new Uint8Array(64);
  private count = 0;

  /**
   * [SW-E28] [SW-E29] The box has corners `box` and goes by `d`. Whether it is inside can only change when one of its faces crosses a face of a
   * Space: between two such moments one look, in the middle, decides.
   */
  find(spaces: Float64Array, spaceCount: number, box: Float64Array, d: Float64Array): void {
    this.tMax = Infinity;
    if (oneHolds(spaces, spaceCount, box, d)) return;
    this.crossings(spaces, spaceCount, box, d);
    const { times, count } = this;
    let start = 0;
    for (let i = 0; i <= count; i++) {
      const end = i === count ? 1 : times[i]!;
      if (end <= start) continue;
      const middle = (start + end) / 2;
      if (!coveredAt(spaces, spaceCount, box, middle * d[0]!, middle * d[1]!, middle * d[2]!)) {
        this.tMax = start;
        this.axis = this.axisAt(spaces, spaceCount, box, d, start, middle);
        return;
      }
      start = end;
    }
  }

  /** Of the axes whose faces cross at `start`, the one that alone already leads out. */
  private axisAt(spaces: Float64Array, spaceCount: number, box: Float64Array, d: Float64Array, start: number, after: number): number {
    let fallback = -1;
    for (let axis = 0; axis < 3; axis++) {
      if (d[axis] === 0 || !this.crosses(axis, start)) continue;
      if (fallback < 0) fallback = axis;
      const t = (other: number): number => (other === axis ? after : start) * d[other]!;
      if (!coveredAt(spaces, spaceCount, box, t(0), t(1), t(2))) return axis;
    }
    return fallback >= 0 ? fallback : longest(d);
  }

  private crosses(axis: number, time: number): boolean {
    for (let i = 0; i < this.count; i++) if (this.axes[i] === axis && this.times[i] === time) return true;
    return false;
  }

  /** The moments 0 … 1 at which a face of the box meets a face of a Space, in order. */
  private crossings(spaces: Float64Array, spaceCount: number, box: Float64Array, d: Float64Array): void {
    this.count = 0;
    if (this.times.length < spaceCount * 12) {
      this.times = new Float64Array(spaceCount * 12);
      this.axes = new Uint8Array(spaceCount * 12);
    }
    for (let axis = 0; axis < 3; axis++) {
      if (d[axis] === 0) continue;
      for (let i = 0; i < spaceCount; i++) {
        for (let face = axis; face < BOX; face += 3) {
          this.note((spaces[i * BOX + face]! - box[axis]!) / d[axis]!, axis);
          this.note((spaces[i * BOX + face]! - box[axis + 3]!) / d[axis]!, axis);
        }
      }
    }
  }

  private note(time: number, axis: number): void {
    if (!(time >= 0 && time < 1)) return;
    const { times, axes } = this;
    let at = this.count++;
    for (; at > 0 && times[at - 1]! > time; at--) {
      times[at] = times[at - 1]!;
      axes[at] = axes[at - 1]!;
    }
    times[at] = time;
    axes[at] = axis;
  }
}

/** The usual case: one Space holds the box where it is and where it goes. */
function oneHolds(spaces: Float64Array, spaceCount: number, box: Float64Array, d: Float64Array): boolean {
  for (let i = 0; i < spaceCount; i++) {
    let holds = true;
    for (let axis = 0; axis < 3 && holds; axis++) {
      const low = box[axis]! + Math.min(0, d[axis]!);
      const high = box[axis + 3]! + Math.max(0, d[axis]!);
      holds = low >= spaces[i * BOX + axis]! && high <= spaces[i * BOX + axis + 3]!;
    }
    if (holds) return true;
  }
  return false;
}

export function coveredAt(spaces: Float64Array, spaceCount: number, box: Float64Array, dx: number, dy: number, dz: number): boolean {
  return covered(spaces, spaceCount, 0, box[0]! + dx, box[1]! + dy, box[2]! + dz, box[3]! + dx, box[4]! + dy, box[5]! + dz);
}

function longest(d: Float64Array): number {
  const x = Math.abs(d[0]!);
  const y = Math.abs(d[1]!);
  const z = Math.abs(d[2]!);
  return x >= y && x >= z ? 0 : y >= z ? 1 : 2;
}
