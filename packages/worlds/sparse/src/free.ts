import { CONFINED, HAS_WEIGHT, SENSES } from './entity.ts';
import { keep } from './move.ts';
import { grain } from './rules.ts';
import { BOX } from './shapes.ts';
import { MOVED, OWN, type SimRegion, WAITS } from './sim-region.ts';

const NEEDS_MORE = CONFINED | HAS_WEIGHT | SENSES;

/**
 * Moves the bodies that can meet neither a body nor a solid in this tick, and of which nothing else is asked: what `moveEntity` does for them, in
 * one loop over the columns. How many moved. Hot: in a large world these are most.
 */
export function moveFree(region: SimRegion): number {
  const { bodies, bodyCount, bodyGrid, solids } = region.surroundings;
  const { role, done, flags, limit, changed, shape, px, py, pz, vx, vy, vz, dx, dy, dz, nx, ny, nz } = region;
  const { total } = region.store.shapes;
  const { meets } = bodyGrid;
  const hasSolids = solids.count > 0;
  let moved = 0;
  for (let i = 0; i < bodyCount; i++) {
    const row = bodies[i]!;
    if (meets[row] !== 0 || role[row] !== OWN || done[row] !== WAITS) continue;
    if ((flags[row]! & NEEDS_MORE) !== 0 || limit[row] !== Infinity) continue;
    const x = px[row]!;
    const y = py[row]!;
    const z = pz[row]!;
    const endX = x + grain(dx[row]!);
    const endY = y + grain(dy[row]!);
    const endZ = z + grain(dz[row]!);
    if (hasSolids) {
      const mine = shape[row]! * BOX;
      const minX = (x < endX ? x : endX) + total[mine]!;
      const minY = (y < endY ? y : endY) + total[mine + 1]!;
      const minZ = (z < endZ ? z : endZ) + total[mine + 2]!;
      const maxX = (x > endX ? x : endX) + total[mine + 3]!;
      const maxY = (y > endY ? y : endY) + total[mine + 4]!;
      const maxZ = (z > endZ ? z : endZ) + total[mine + 5]!;
      if (!solids.isClear(minX, minY, minZ, maxX, maxY, maxZ)) continue;
    }
    done[row] = MOVED;
    moved++;
    const isSamePlace = x === endX && y === endY && z === endZ;
    if (isSamePlace && vx[row] === nx[row] && vy[row] === ny[row] && vz[row] === nz[row]) continue;
    changed[row] = 1;
    px[row] = endX;
    py[row] = endY;
    pz[row] = endZ;
    vx[row] = nx[row]!;
    vy[row] = ny[row]!;
    vz[row] = nz[row]!;
  }
  return moved;
}

/**
 * The same for one body whose neighbours have had their turn, if nothing is on its straight way. Whether it has moved. Most bodies that may meet
 * somebody do not.
 */
export function moveStraight(region: SimRegion, row: number): boolean {
  const { bodyGrid, solids } = region.surroundings;
  if ((region.flags[row]! & NEEDS_MORE) !== 0 || region.limit[row] !== Infinity) return false;
  const { px, py, pz, shape } = region;
  const { total } = region.store.shapes;
  const x = px[row]!;
  const y = py[row]!;
  const z = pz[row]!;
  const endX = x + grain(region.dx[row]!);
  const endY = y + grain(region.dy[row]!);
  const endZ = z + grain(region.dz[row]!);
  const mine = shape[row]! * BOX;
  const minX = (x < endX ? x : endX) + total[mine]!;
  const minY = (y < endY ? y : endY) + total[mine + 1]!;
  const minZ = (z < endZ ? z : endZ) + total[mine + 2]!;
  const maxX = (x > endX ? x : endX) + total[mine + 3]!;
  const maxY = (y > endY ? y : endY) + total[mine + 4]!;
  const maxZ = (z > endZ ? z : endZ) + total[mine + 5]!;
  const { placeOf, firstNeighbour, neighbours } = bodyGrid;
  const end = firstNeighbour[placeOf[row]! + 1]!;
  for (let i = firstNeighbour[placeOf[row]!]!; i < end; i++) {
    const other = neighbours[i]!;
    const at = shape[other]! * BOX;
    if (px[other]! + total[at]! > maxX || px[other]! + total[at + 3]! < minX) continue;
    if (py[other]! + total[at + 1]! > maxY || py[other]! + total[at + 4]! < minY) continue;
    if (pz[other]! + total[at + 2]! <= maxZ && pz[other]! + total[at + 5]! >= minZ) return false;
  }
  if (solids.count > 0 && !solids.isClear(minX, minY, minZ, maxX, maxY, maxZ)) return false;
  keep(region, row, endX, endY, endZ, region.nx[row]!, region.ny[row]!, region.nz[row]!, region.flags[row]!);
  return true;
}
