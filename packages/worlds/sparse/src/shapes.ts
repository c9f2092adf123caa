import { type FieldIO, InputError, numberAt } from '@lockstep/kernel';
import { grown, roomFor } from './memory.ts';
import { toGrain } from './rules.ts';

/** [SW-R32] One collision volume: a box of size Dim whose centre lies at OffsetP from the entity's position. */
export interface Volume {
  readonly offsetX?: number;
  readonly offsetY?: number;
  readonly offsetZ?: number;
  readonly dimX: number;
  readonly dimY: number;
  readonly dimZ: number;
}

/** Six numbers a box: min x, y, z, max x, y, z. */
export const BOX = 6;

/**
 * The sets of collision volumes that entities share by number; shape 0 has none. Corners are whole grains, hence so is every corner of a
 * Minkowski sum.
 */
export class Shapes {
  count = 1;
  /** The volumes of shape s are first[s] … first[s + 1] - 1. */
  first = new Int32Array(16);
  /** Corners of each volume, relative to the entity. */
  volumes = new Float64Array(16 * BOX);
  /** Corners of the box around all volumes of a shape. */
  total = new Float64Array(16 * BOX);
  /** [SW-E26] The farthest corner from the entity's position, along the axes. */
  radius = new Float64Array(16);
  private readonly known = new Map<string, number>();

  /** The number of a set of volumes, the same for the same set. */
  intern(volumes: readonly Volume[], path = 'volumes'): number {
    const corners = volumes.flatMap((volume, i) => cornersOf(volume, `${path}.${i}`));
    if (corners.length === 0) return 0;
    return this.internCorners(corners);
  }

  internCorners(corners: readonly number[]): number {
    const key = corners.join();
    const found = this.known.get(key);
    if (found !== undefined) return found;
    const shape = this.count++;
    const from = this.first[shape]!;
    this.makeRoom(shape, from + corners.length / BOX);
    this.volumes.set(corners, from * BOX);
    this.first[shape + 1] = from + corners.length / BOX;
    this.measure(shape);
    this.known.set(key, shape);
    return shape;
  }

  cornersOf(shape: number): number[] {
    return [...this.volumes.subarray(this.first[shape]! * BOX, this.first[shape + 1]! * BOX)];
  }

  /** Every shape, in order. Shapes are never forgotten, so a snapshot's are the first of those that are known, or more. */
  fields(io: FieldIO): void {
    const count = io.num(this.count);
    const volumeEnd = io.num(this.first[this.count]!);
    const first = new Int32Array(count + 1);
    const volumes = new Float64Array(volumeEnd * BOX);
    first.set(this.first.subarray(0, count + 1));
    volumes.set(this.volumes.subarray(0, volumeEnd * BOX));
    io.ints(first);
    io.nums(volumes);
    if (count === this.count && first.every((at, i) => at === this.first[i]) && volumes.every((at, i) => at === this.volumes[i])) return;
    this.forgetFrom(1);
    for (let shape = 1; shape < count; shape++) this.internCorners([...volumes.subarray(first[shape]! * BOX, first[shape + 1]! * BOX)]);
  }

  private forgetFrom(shape: number): void {
    for (let last = this.count - 1; last >= shape; last--) this.known.delete(this.cornersOf(last).join());
    this.radius.fill(0, shape, this.count);
    this.count = Math.min(this.count, shape);
  }

  private makeRoom(shape: number, volumeEnd: number): void {
    if (shape + 2 > this.first.length) {
      const capacity = roomFor(shape + 2, this.first.length);
      this.first = grown(this.first, new Int32Array(capacity));
      this.total = grown(this.total, new Float64Array(capacity * BOX));
      this.radius = grown(this.radius, new Float64Array(capacity));
    }
    if (volumeEnd * BOX > this.volumes.length)
      this.volumes = grown(this.volumes, new Float64Array(roomFor(volumeEnd * BOX, this.volumes.length)));
  }

  private measure(shape: number): void {
    const { total, volumes } = this;
    for (let axis = 0; axis < 3; axis++) {
      let min = Infinity;
      let max = -Infinity;
      for (let v = this.first[shape]!; v < this.first[shape + 1]!; v++) {
        min = Math.min(min, volumes[v * BOX + axis]!);
        max = Math.max(max, volumes[v * BOX + axis + 3]!);
      }
      total[shape * BOX + axis] = min;
      total[shape * BOX + axis + 3] = max;
      this.radius[shape] = Math.max(this.radius[shape]!, Math.abs(min), Math.abs(max));
    }
  }
}

function cornersOf(volume: Volume, path: string): number[] {
  const offsets = [volume.offsetX ?? 0, volume.offsetY ?? 0, volume.offsetZ ?? 0];
  const dims = [volume.dimX, volume.dimY, volume.dimZ];
  const names = ['X', 'Y', 'Z'];
  const corner = (side: number): number[] =>
    offsets.map((offset, axis) => {
      const from = toGrain(numberAt(offset, `${path}.offset${names[axis]}`, -4096, 4096));
      const half = toGrain(numberAt(dims[axis], `${path}.dim${names[axis]}`, 0, 4096) / 2);
      if (half === 0) throw new InputError(`${path}.dim${names[axis]}`, 'a size above 0', dims[axis]);
      return from + side * half;
    });
  return [...corner(-1), ...corner(1)];
}
