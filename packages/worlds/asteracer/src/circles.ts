import { farContact } from './far.ts';
import type { Circle } from './map.ts';
import type { Shell } from './rules.ts';

/**
 * Up to this sum of radii doubles are exact. Where both |dx| and |dy| are at most R + 1, d² ≤ 2(R + 1)² < 2^53, and so is |push_by * vn|
 * ≤ R(R + 1). Where one is greater, it is at least R + 2, whose square is a double and above every limit; rounding keeps the order.
 */
export const NEAR_REACH = 0x400_0000 - 2;

/** Circles in file order, grown by the racer's radius. */
export class Circles {
  readonly count: number;
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** R: the circle's radius and the racer's. */
  readonly reach: Float64Array;
  /** Contact ⇔ d² ≤ limit. Infinity where R is beyond NEAR_REACH: the exact path decides. */
  readonly limit: Float64Array;
  readonly shell: Shell;

  constructor(circles: readonly Circle[], racerRadius: number, shell: Shell) {
    this.count = circles.length;
    this.shell = shell;
    this.x = Float64Array.from(circles, ({ x }) => x);
    this.y = Float64Array.from(circles, ({ y }) => y);
    this.reach = Float64Array.from(circles, ({ radius }) => radius + racerRadius);
    this.limit = this.reach.map((R) => (R > NEAR_REACH ? Infinity : R * R + (shell === 'root' ? 2 * R : shell === 'inside' ? -1 : 0)));
  }

  /** [AR-2.3] The first of members[from] … members[to - 1] in contact with a racer at (x, y); -1 if none is. Hot. */
  firstOf(members: Int32Array, from: number, to: number, x: number, y: number): number {
    for (let at = from; at < to; at++) {
      const i = members[at]!;
      if (this.touches(i, x, y)) return i;
    }
    return -1;
  }

  /** [AR-3.1] */
  touches(i: number, x: number, y: number): boolean {
    const dx = x - this.x[i]!;
    const dy = y - this.y[i]!;
    if (dx * dx + dy * dy > this.limit[i]!) return false;
    return this.reach[i]! <= NEAR_REACH || farContact(dx, dy, this.reach[i]!, this.shell);
  }
}
