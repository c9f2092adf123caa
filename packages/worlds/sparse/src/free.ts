import { CONFINED, HAS_WEIGHT, SENSES } from './entity.ts';
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
  const { role, done, flags, limit, changed, px, py, pz, vx, vy, vz, dx, dy, dz, nx, ny, nz } = region;
  const { firstNeighbour, placeOf, boxes } = bodyGrid;
  const hasSolids = solids.count > 0;
  let moved = 0;
  for (let i = 0; i < bodyCount; i++) {
    const row = bodies[i]!;
    const place = placeOf[row]!;
    if (firstNeighbour[place] !== firstNeighbour[place + 1] || role[row] !== OWN || done[row] !== WAITS) continue;
    if ((flags[row]! & NEEDS_MORE) !== 0 || limit[row] !== Infinity) continue;
    const at = place * BOX;
    if (hasSolids && !solids.isClear(boxes[at]!, boxes[at + 1]!, boxes[at + 2]!, boxes[at + 3]!, boxes[at + 4]!, boxes[at + 5]!)) continue;
    done[row] = MOVED;
    moved++;
    const x = px[row]! + grain(dx[row]!);
    const y = py[row]! + grain(dy[row]!);
    const z = pz[row]! + grain(dz[row]!);
    const isSamePlace = px[row] === x && py[row] === y && pz[row] === z;
    if (isSamePlace && vx[row] === nx[row] && vy[row] === ny[row] && vz[row] === nz[row]) continue;
    changed[row] = 1;
    px[row] = x;
    py[row] = y;
    pz[row] = z;
    vx[row] = nx[row]!;
    vy[row] = ny[row]!;
    vz[row] = nz[row]!;
  }
  return moved;
}
