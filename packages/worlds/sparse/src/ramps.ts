import type { SimRegion } from './sim-region.ts';
import { grain } from './rules.ts';
import { BOX } from './shapes.ts';

/** [SW-R9] A body's ground point: the height of its lowest corner. */
function feetOf(region: SimRegion, row: number): number {
  return region.pz[row]! + region.store.shapes.total[region.shape[row]! * BOX + 2]!;
}

/**
 * [SW-R9] The height of a ramp's surface under a body at (x, y): that of the highest point under its box, from the bottom of the ramp's box,
 * rising along its axis; beyond its ends, that of the end.
 */
export function rampGround(region: SimRegion, ramp: number, row: number, x: number, y: number): number {
  const { total } = region.store.shapes;
  const at = region.shape[ramp]! * BOX;
  const mine = region.shape[row]! * BOX;
  const axis = region.rampAxis[ramp] === 0 ? 0 : 1;
  const height = region.rampHeight[ramp]!;
  const from = (axis === 0 ? region.px[ramp]! : region.py[ramp]!) + total[at + axis]!;
  const uphill = (axis === 0 ? x : y) + total[mine + axis + (height >= 0 ? 3 : 0)]!;
  const part = Math.min(1, Math.max(0, (uphill - from) / (total[at + axis + 3]! - total[at + axis]!)));
  const rise = height >= 0 ? part * height : (part - 1) * height;
  return region.pz[ramp]! + total[at + 2]! + grain(rise);
}

/** Whether a body at (x, y) is over the ramp's box. */
export function isOverRamp(region: SimRegion, ramp: number, row: number, x: number, y: number): boolean {
  const at = region.shape[ramp]! * BOX;
  const mine = region.shape[row]! * BOX;
  const { total } = region.store.shapes;
  const dx = x - region.px[ramp]!;
  const dy = y - region.py[ramp]!;
  return (
    dx + total[mine + 3]! > total[at]! &&
    dx + total[mine]! < total[at + 3]! &&
    dy + total[mine + 4]! > total[at + 1]! &&
    dy + total[mine + 1]! < total[at + 4]!
  );
}

/** A ramp carries a body whose feet are within a step of its surface, or above it; for all others it is a box like any other. */
export function rampCarries(region: SimRegion, ramp: number, row: number): boolean {
  const x = region.px[row]!;
  const y = region.py[row]!;
  const above = feetOf(region, row) - rampGround(region, ramp, row, x, y);
  const { StepHeight } = region.rules;
  return above >= -StepHeight && (above <= StepHeight || isOverRamp(region, ramp, row, x, y));
}
