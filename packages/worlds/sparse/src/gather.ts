import { COLLIDES, CONFINED, STAIRS } from './entity.ts';
import type { Mover } from './mover.ts';
import { rampCarries } from './ramps.ts';
import { MOVED, type SimRegion, STILL } from './sim-region.ts';
import { BOX } from './shapes.ts';
import { overlaps } from './sweep.ts';

/** A row that must move before this one, because the two may meet, its id is smaller and it has not moved yet; -1 if there is none. */
export function earlierThan(region: SimRegion, row: number): number {
  const { placeOf, firstNeighbour, neighbours } = region.surroundings.bodyGrid;
  const { role, done, id } = region;
  const place = placeOf[row]!;
  const end = firstNeighbour[place + 1]!;
  for (let i = firstNeighbour[place]!; i < end; i++) {
    const other = neighbours[i]!;
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
  if (canHit) gatherBodies(region, mover, row);
  if (mover.isConfined || (canHit && region.surroundings.solids.count > 0)) gatherStill(region, mover, row, canHit);
  return mover.solidCount > 0 || mover.rampCount > 0 || mover.isConfined;
}

function gatherBodies(region: SimRegion, mover: Mover, row: number): void {
  const { placeOf, firstNeighbour, neighbours } = region.surroundings.bodyGrid;
  const end = firstNeighbour[placeOf[row]! + 1]!;
  for (let i = firstNeighbour[placeOf[row]!]!; i < end; i++) meet(region, mover, neighbours[i]!);
}

function gatherStill(region: SimRegion, mover: Mover, row: number, canHit: boolean): void {
  const { px, py, pz, wayX, wayY, wayZ } = region;
  const { total } = region.store.shapes;
  const at = region.shape[row]! * BOX;
  const minX = px[row]! + total[at]! - wayX[row]!;
  const minY = py[row]! + total[at + 1]! - wayY[row]!;
  const minZ = pz[row]! + total[at + 2]! - wayZ[row]!;
  const maxX = px[row]! + total[at + 3]! + wayX[row]!;
  const maxY = py[row]! + total[at + 4]! + wayY[row]!;
  const maxZ = pz[row]! + total[at + 5]! + wayZ[row]!;
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
