import { CONFINED, HAS_WEIGHT, SENSES } from './entity.ts';
import { keep } from './move.ts';
import { grain } from './rules.ts';
import { BOX } from './shapes.ts';
import { AT_HOME, CHANGED, MOVED, OWN, type SimRegion, WAITS } from './sim-region.ts';

const NEEDS_MORE = CONFINED | HAS_WEIGHT | SENSES;

/**
 * Moves those of some bodies that can meet neither a body nor a solid in this tick, and of which nothing else is asked: what `moveEntity` does for them, in
 * one loop over the columns. How many moved. Hot: in a large world these are most.
 */
export function moveFree(region: SimRegion, from: number, to: number): number {
  const { bodies, bodyGrid, solids } = region.surroundings;
  const { role, done, flags, limit, changed, px, py, pz, vx, vy, vz, dx, dy, dz, nx, ny, nz, homeX, homeY, homeZ } = region;
  const { meets } = bodyGrid;
  const halfX = region.rules.ChunkDimX / 2;
  const halfY = region.rules.ChunkDimY / 2;
  const halfZ = region.rules.ChunkDimZ / 2;
  const hasSolids = solids.count > 0;
  let moved = 0;
  for (let i = from; i < to; i++) {
    const row = bodies[i]!;
    if (meets[row] !== 0 || role[row] !== OWN || done[row] !== WAITS) continue;
    if ((flags[row]! & NEEDS_MORE) !== 0 || limit[row] !== Infinity) continue;
    const x = px[row]!;
    const y = py[row]!;
    const z = pz[row]!;
    const endX = x + grain(dx[row]!);
    const endY = y + grain(dy[row]!);
    const endZ = z + grain(dz[row]!);
    if (hasSolids && !solids.isFar(x, y, z) && !isWayClear(region, row, endX, endY, endZ)) continue;
    done[row] = MOVED;
    moved++;
    const isSameSpeed = vx[row] === nx[row] && vy[row] === ny[row] && vz[row] === nz[row];
    if (!isSameSpeed) {
      vx[row] = nx[row]!;
      vy[row] = ny[row]!;
      vz[row] = nz[row]!;
    } else if (x === endX && y === endY && z === endZ) continue;
    px[row] = endX;
    py[row] = endY;
    pz[row] = endZ;
    const inX = endX - homeX[row]!;
    const inY = endY - homeY[row]!;
    const inZ = endZ - homeZ[row]!;
    const isAtHome = inX >= -halfX && inX < halfX && inY >= -halfY && inY < halfY && inZ >= -halfZ && inZ < halfZ;
    changed[row] = isAtHome ? AT_HOME : CHANGED;
  }
  return moved;
}

/** Whether no solid is on the straight way of a body to its end. */
function isWayClear(region: SimRegion, row: number, endX: number, endY: number, endZ: number): boolean {
  const { total } = region.store.shapes;
  const mine = region.shape[row]! * BOX;
  const x = region.px[row]!;
  const y = region.py[row]!;
  const z = region.pz[row]!;
  return region.surroundings.solids.isClear(
    (x < endX ? x : endX) + total[mine]!,
    (y < endY ? y : endY) + total[mine + 1]!,
    (z < endZ ? z : endZ) + total[mine + 2]!,
    (x > endX ? x : endX) + total[mine + 3]!,
    (y > endY ? y : endY) + total[mine + 4]!,
    (z > endZ ? z : endZ) + total[mine + 5]!,
  );
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
  if (solids.count > 0 && !solids.isFar(x, y, z) && !isWayClear(region, row, endX, endY, endZ)) return false;
  keep(region, row, endX, endY, endZ, region.nx[row]!, region.ny[row]!, region.nz[row]!, region.flags[row]!);
  return true;
}
