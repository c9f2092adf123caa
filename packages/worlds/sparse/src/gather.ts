import { COLLIDES, CONFINED, STAIRS } from './entity.ts';
import type { Mover } from './mover.ts';
import { rampCarries } from './ramps.ts';
import { MOVED, type SimRegion, STILL } from './sim-region.ts';
import { BOX } from './shapes.ts';
import { overlaps } from './sweep.ts';

/**
 * Looks for bodies whose ways may meet this one's: their rows are in mover.found. The answer is a row that must move first, because its id is
 * smaller and it has not moved yet; -1 if there is none.
 */
export function meetBodies(region: SimRegion, mover: Mover, row: number): number {
  const { total } = region.store.shapes;
  const at = region.shape[row]! * BOX;
  const x = region.px[row]!;
  const y = region.py[row]!;
  const z = region.pz[row]!;
  const wayX = region.wayX[row]!;
  const wayY = region.wayY[row]!;
  const wayZ = region.wayZ[row]!;
  const { found } = mover;
  mover.foundCount = collectBodies(
    region,
    row,
    x + total[at]! - wayX,
    y + total[at + 1]! - wayY,
    z + total[at + 2]! - wayZ,
    x + total[at + 3]! + wayX,
    y + total[at + 4]! + wayY,
    z + total[at + 5]! + wayZ,
    found,
  );
  const { role, done, id } = region;
  for (let i = 0; i < mover.foundCount; i++) {
    const other = found[i]!;
    if (done[other] !== MOVED && id[other]! < id[row]! && role[other] !== STILL) return other;
  }
  return -1;
}

/** Writes down what the body may hit in this tick, by ids: solids, ramps that carry it, Spaces. Whether there is anything at all. */
export function gather(region: SimRegion, mover: Mover, row: number): boolean {
  const flags = region.flags[row]!;
  mover.row = row;
  mover.solidCount = 0;
  mover.rampCount = 0;
  mover.spaceCount = 0;
  mover.isConfined = (flags & CONFINED) !== 0;
  const canHit = (flags & COLLIDES) !== 0 || region.store.pairs.count > 0;
  if (canHit) for (let i = 0; i < mover.foundCount; i++) meet(region, mover, mover.found[i]!);
  if (mover.isConfined || (canHit && region.surroundings.solids.count > 0)) gatherStill(region, mover, row, canHit);
  return mover.solidCount > 0 || mover.rampCount > 0 || mover.isConfined;
}

function gatherStill(region: SimRegion, mover: Mover, row: number, canHit: boolean): void {
  const { total } = region.store.shapes;
  const at = region.shape[row]! * BOX;
  const minX = region.px[row]! + total[at]! - region.wayX[row]!;
  const minY = region.py[row]! + total[at + 1]! - region.wayY[row]!;
  const minZ = region.pz[row]! + total[at + 2]! - region.wayZ[row]!;
  const maxX = region.px[row]! + total[at + 3]! + region.wayX[row]!;
  const maxY = region.py[row]! + total[at + 4]! + region.wayY[row]!;
  const maxZ = region.pz[row]! + total[at + 5]! + region.wayZ[row]!;
  if (canHit) gatherSolids(region, mover, minX, minY, minZ, maxX, maxY, maxZ);
  if (mover.isConfined) gatherSpaces(region, mover, minX, minY, minZ, maxX, maxY, maxZ);
}

function gatherSolids(
  region: SimRegion,
  mover: Mover,
  minX: number,
  minY: number,
  minZ: number,
  maxX: number,
  maxY: number,
  maxZ: number,
): void {
  const { solids, solidRow } = region.surroundings;
  const { boxes } = mover;
  const count = solids.collect(minX, minY, minZ, maxX, maxY, maxZ, boxes);
  for (let i = 0; i < count; i++) meet(region, mover, solidRow[boxes[i]!]!);
}

/** The rows of bodies whose boxes touch the given one, or may yet in this tick, itself aside; some perhaps twice. How many. Hot. */
export function collectBodies(
  region: SimRegion,
  self: number,
  minX: number,
  minY: number,
  minZ: number,
  maxX: number,
  maxY: number,
  maxZ: number,
  into: number[],
): number {
  const { bodyGrid: grid } = region.surroundings;
  const { cell, mask, start, rows } = grid;
  const { px, py, pz, shape, wayX, wayY, wayZ } = region;
  const { total } = region.store.shapes;
  const x0 = Math.floor((minX - grid.reachX) / cell);
  const width = Math.min(Math.floor((maxX + grid.reachX) / cell) - x0, mask);
  const y1 = Math.floor((maxY + grid.reachY) / cell);
  const z1 = Math.floor((maxZ + grid.reachZ) / cell);
  let found = 0;
  for (let cz = Math.floor((minZ - grid.reachZ) / cell); cz <= z1; cz++) {
    for (let cy = Math.floor((minY - grid.reachY) / cell); cy <= y1; cy++) {
      const first = grid.lineOf(x0, cy, cz);
      const wraps = first + width > mask;
      let k = start[first]!;
      let end = wraps ? start[mask + 1]! : start[first + width + 1]!;
      for (let part = wraps ? 0 : 1; part < 2; part++) {
        for (; k < end; k++) {
          const other = rows[k]!;
          const at = shape[other]! * BOX;
          const x = px[other]!;
          const byX = wayX[other]!;
          if (x + total[at]! - byX > maxX || x + total[at + 3]! + byX < minX) continue;
          const y = py[other]!;
          const byY = wayY[other]!;
          if (y + total[at + 1]! - byY > maxY || y + total[at + 4]! + byY < minY) continue;
          const z = pz[other]!;
          const byZ = wayZ[other]!;
          if (z + total[at + 2]! - byZ > maxZ || z + total[at + 5]! + byZ < minZ) continue;
          if (other !== self) into[found++] = other;
        }
        k = 0;
        end = start[((first + width) & mask) + 1]!;
      }
    }
  }
  return found;
}

/** Notes a row if the body can collide with it: ramps that carry the body apart, the others by id, each once. */
function meet(region: SimRegion, mover: Mover, other: number): void {
  const { row, solids, within } = mover;
  if (!canCollide(region, row, other)) return;
  if ((region.flags[other]! & STAIRS) !== 0 && rampCarries(region, other, row)) {
    if (!mover.ramps.slice(0, mover.rampCount).includes(other)) mover.ramps[mover.rampCount++] = other;
    return;
  }
  const id = region.id[other]!;
  let at = mover.solidCount;
  while (at > 0 && region.id[solids[at - 1]!]! > id) at--;
  if (at > 0 && solids[at - 1] === other) return;
  for (let i = mover.solidCount++; i > at; i--) {
    solids[i] = solids[i - 1]!;
    within[i] = within[i - 1]!;
  }
  solids[at] = other;
  within[at] = false;
}

/** [SW-E25] `CanCollide`: both have COLLIDES; a rule about the two overrides. */
export function canCollide(region: SimRegion, a: number, b: number): boolean {
  const { pairs } = region.store;
  const rule = pairs.count === 0 ? -1 : pairs.get(region.id[a]!, region.id[b]!);
  return rule < 0 ? (region.flags[a]! & region.flags[b]! & COLLIDES) !== 0 : rule === 1;
}

function gatherSpaces(
  region: SimRegion,
  mover: Mover,
  minX: number,
  minY: number,
  minZ: number,
  maxX: number,
  maxY: number,
  maxZ: number,
): void {
  const { spaces } = region.surroundings;
  const { boxes } = mover;
  const count = spaces.collect(minX, minY, minZ, maxX, maxY, maxZ, boxes);
  if (mover.spaces.length < count * BOX) mover.spaces = new Float64Array(count * 2 * BOX);
  for (let i = 0; i < count; i++) {
    const from = boxes[i]! * BOX;
    for (let k = 0; k < BOX; k++) mover.spaces[i * BOX + k] = spaces.boxes[from + k]!;
  }
  mover.spaceCount = count;
}

/** Before the first piece of the way: which solids the body is in already. */
export function noteWithin(region: SimRegion, mover: Mover): void {
  for (let i = 0; i < mover.solidCount; i++) mover.within[i] = overlaps(region, mover, mover.solids[i]!);
}
