import type { Mover } from './mover.ts';
import type { SimRegion } from './sim-region.ts';
import { grain } from './rules.ts';
import { isLegal } from './sweep.ts';

/**
 * Goes to the hit, or to the end of the way. [SW-E9] The body stops Skin metres before the face. If rounding would put it into something after
 * all, it stays where it is and what it would have been in counts as the hit.
 */
export function advance(region: SimRegion, mover: Mover): void {
  const { p, q, d, gone, axis } = mover;
  const t = axis < 0 ? mover.t : Math.max(0, mover.t - region.rules.Skin / Math.abs(d[axis]!));
  if (t === 0) return;
  q[0] = p[0]! + grain(t * d[0]!);
  q[1] = p[1]! + grain(t * d[1]!);
  q[2] = p[2]! + grain(t * d[2]!);
  if (!isLegal(region, mover)) return;
  let square = 0;
  for (let i = 0; i < 3; i++) {
    const step = q[i]! - p[i]!;
    square += step * step;
    gone[i]! += step;
    d[i]! -= step;
    p[i] = q[i]!;
  }
  if (mover.distance === Infinity) return;
  const isSpent = axis < 0 && t < 1;
  mover.distance = isSpent ? 0 : Math.max(0, mover.distance - Math.sqrt(square));
}
