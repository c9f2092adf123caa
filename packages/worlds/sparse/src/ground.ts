import { advance } from './advance.ts';
import { Z_SUPPORTED } from './entity.ts';
import type { Mover } from './mover.ts';
import { isOverRamp, rampGround } from './ramps.ts';
import type { SimRegion } from './sim-region.ts';
import { BOX } from './shapes.ts';
import { findHit } from './sweep.ts';

/**
 * [SW-R9] [SW-E25] After the move: `if (P.z <= Ground || (ZSupported && dP.z == 0)) { P.z = Ground; dP.z = 0; ZSupported }`. Ground is a ramp under
 * the body, or whatever stops it on its way down: a solid, another body, the floor of a Space. The answer is the body's flags.
 */
export function standOnGround(region: SimRegion, mover: Mover, flags: number): number {
  const { v1 } = mover;
  const wasStanding = (flags & Z_SUPPORTED) !== 0 && v1[2] === 0;
  const ground = highestRamp(region, mover);
  const feet = mover.p[2]! + mover.body[2]!;
  const { MaxEntityVelocity, StepHeight, Skin } = region.rules;
  const reach = MaxEntityVelocity * region.dt + StepHeight;
  if (ground !== -Infinity && ground - feet <= reach && (feet <= ground || (wasStanding && feet - ground <= reach))) {
    if (!goVertically(region, mover, ground - feet)) takeBack(region, mover);
    v1[2] = 0;
    return flags | Z_SUPPORTED;
  }
  if (mover.landed) return flags | Z_SUPPORTED;
  if (!wasStanding) return flags & ~Z_SUPPORTED;
  if (goVertically(region, mover, -(StepHeight + 2 * Skin), true)) return flags & ~Z_SUPPORTED;
  return flags | Z_SUPPORTED;
}

/**
 * A standing body that meets a side no higher than StepHeight steps up, if there is room above it, and goes on. Whether it does; otherwise the
 * hit is as it was.
 */
export function stepUp(region: SimRegion, mover: Mover): boolean {
  const { p, d, body, axis, other, otherId } = mover;
  if (axis === 2 || other < 0) return false;
  const top = region.pz[other]! + region.store.shapes.total[region.shape[other]! * BOX + 5]!;
  const rise = top - (p[2]! + body[2]!);
  if (!(rise > 0 && rise <= region.rules.StepHeight)) return false;
  const [x, y, z] = d as unknown as [number, number, number];
  const height = p[2]!;
  const isClear = goVertically(region, mover, rise);
  d[0] = x;
  d[1] = y;
  d[2] = z;
  if (isClear) return true;
  p[2] = height;
  mover.axis = axis;
  mover.other = other;
  mover.otherId = otherId;
  return false;
}

function highestRamp(region: SimRegion, mover: Mover): number {
  let highest = -Infinity;
  const { p } = mover;
  for (let i = 0; i < mover.rampCount; i++) {
    const ramp = mover.ramps[i]!;
    if (!isOverRamp(region, ramp, mover.row, p[0]!, p[1]!)) continue;
    highest = Math.max(highest, rampGround(region, ramp, mover.row, p[0]!, p[1]!));
  }
  return highest;
}

/** Goes up or down until something is in the way. Whether nothing was; then, when only looking, the body stays. */
function goVertically(region: SimRegion, mover: Mover, dz: number, isLook = false): boolean {
  const { d, distance } = mover;
  if (dz === 0) return true;
  d.fill(0);
  d[2] = dz;
  mover.distance = Infinity;
  findHit(region, mover);
  const isClear = mover.axis < 0;
  if (!isClear || !isLook) advance(region, mover);
  mover.distance = distance;
  return isClear && mover.axis < 0;
}

/** A ramp that leads into a ceiling is not walked: the body is where it was, and stands. */
function takeBack(region: SimRegion, mover: Mover): void {
  const { row, p, v1 } = mover;
  p[0] = region.px[row]!;
  p[1] = region.py[row]!;
  p[2] = region.pz[row]!;
  v1.fill(0);
}
