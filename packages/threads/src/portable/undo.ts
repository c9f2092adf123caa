import type { SimRegion } from '@lockstep/sparse';

/** The columns that a tick changes and that the next one starts from. */
const NUMBERS = ['px', 'py', 'pz', 'vx', 'vy', 'vz', 'limit'] as const;

interface Kept {
  numbers: Float64Array[];
  flags: Int32Array;
  changed: Uint8Array;
}

/** The rows of regions as they were before a tick. */
export class Undo {
  private kept: Kept[] = [];

  keep(list: readonly SimRegion[]): void {
    this.kept = list.map((region, i) => {
      const { count } = region;
      const before = this.kept[i];
      const kept = before !== undefined && before.changed.length >= count ? before : room(region.id.length);
      NUMBERS.forEach((name, n) => kept.numbers[n]!.set(region[name].subarray(0, count)));
      kept.flags.set(region.flags.subarray(0, count));
      kept.changed.set(region.changed.subarray(0, count));
      return kept;
    });
  }

  takeBack(list: readonly SimRegion[]): void {
    list.forEach((region, i) => {
      const { count } = region;
      const kept = this.kept[i]!;
      NUMBERS.forEach((name, n) => region[name].set(kept.numbers[n]!.subarray(0, count)));
      region.flags.set(kept.flags.subarray(0, count));
      region.changed.set(kept.changed.subarray(0, count));
    });
  }
}

function room(capacity: number): Kept {
  return { numbers: NUMBERS.map(() => new Float64Array(capacity)), flags: new Int32Array(capacity), changed: new Uint8Array(capacity) };
}
