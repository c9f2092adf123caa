import { GHOST, MOVED, OWN, type SimRegion } from './sim-region.ts';

/** [SW-E33] The rows of a region that others move, and where they are moved: in which region, in which row. */
export interface Ghosts {
  readonly region: SimRegion;
  readonly rows: readonly number[];
  readonly owners: readonly SimRegion[];
  readonly ownerRows: readonly number[];
}

/** Roles are known, and rows keep their numbers until the end of the tick. */
export function ghostsOf(region: SimRegion, list: readonly SimRegion[]): Ghosts {
  const rows: number[] = [];
  const owners: SimRegion[] = [];
  const ownerRows: number[] = [];
  if (list.length === 1) return { region, rows, owners, ownerRows };
  for (let row = 0; row < region.count; row++) {
    if (region.role[row] !== GHOST) continue;
    const id = region.id[row]!;
    for (let i = 0; i < list.length; i++) {
      const owner = list[i]!;
      if (owner === region) continue;
      const ownerRow = owner.ids.get(id);
      if (owner.role[ownerRow] !== OWN) continue;
      rows.push(row);
      owners.push(owner);
      ownerRows.push(ownerRow);
      break;
    }
  }
  return { region, rows, owners, ownerRows };
}

/** How far the ghosts may get, as their owners know it. Reads rows of other regions, writes the region's own. */
export function takeWays({ region, rows, owners, ownerRows }: Ghosts): void {
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!;
    const from = owners[i]!;
    const other = ownerRows[i]!;
    region.wayX[row] = from.wayX[other]!;
    region.wayY[row] = from.wayY[other]!;
    region.wayZ[row] = from.wayZ[other]!;
  }
}

/** Where those ghosts have got to that have moved since the last look. Places differ by whole chunks, so the copy is exact. */
export function takeStates({ region: to, rows, owners, ownerRows }: Ghosts): void {
  const { rules } = to;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!;
    const from = owners[i]!;
    const other = ownerRows[i]!;
    if (to.done[row] === MOVED || from.done[other] !== MOVED) continue;
    to.done[row] = MOVED;
    to.px[row] = from.px[other]! + rules.ChunkDimX * (from.originX - to.originX);
    to.py[row] = from.py[other]! + rules.ChunkDimY * (from.originY - to.originY);
    to.pz[row] = from.pz[other]! + rules.ChunkDimZ * (from.originZ - to.originZ);
    to.vx[row] = from.vx[other]!;
    to.vy[row] = from.vy[other]!;
    to.vz[row] = from.vz[other]!;
    to.flags[row] = from.flags[other]!;
    to.limit[row] = from.limit[other]!;
  }
}
