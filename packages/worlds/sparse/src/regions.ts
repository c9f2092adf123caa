import { contains } from './bounds.ts';
import { MOVABLE, NONSPATIAL } from './entity.ts';
import { Mover } from './mover.ts';
import { wholeChunks, type WorldPosition } from './position.ts';
import {
  type ChunkRange,
  chunksOf,
  endSim,
  GHOST,
  inRange,
  isHeld,
  MOVED,
  OWN,
  ownWithinBounds,
  release,
  type SimRegion,
  stayAt,
  STILL,
} from './region.ts';
import { finish, moveReady, prepare, sortIntoCells } from './step.ts';

/** Of one region, the rows that others move, and where they are moved: in which region, in which row. */
class Ghosts {
  readonly rows: number[] = [];
  readonly owners: SimRegion[] = [];
  readonly ownerRows: number[] = [];
}

/**
 * [SW-E33] Many resident regions on one store. A chunk belongs to the first region whose UpdatableBounds touch it, and to nobody else; the owner
 * moves what is in it, the others see it move. A tick is made of phases; within a phase a region writes only its own rows, so phases may run in
 * as many threads as there are. Bodies wait for those with smaller ids that they may meet, wherever these are moved: the world after a tick is the
 * same however it is split.
 */
export class Regions {
  readonly list: readonly SimRegion[];
  /** Chunks that each region may own. */
  private ranges: ChunkRange[] = [];
  private readonly mover = new Mover();

  constructor(list: readonly SimRegion[]) {
    this.list = list;
  }

  /** Moves every region to its camera: chunks are handed over here, between ticks, and nowhere else. */
  stayAt(cameras: readonly WorldPosition[], dt: number): void {
    this.sync();
    this.list.forEach((region, i) => stayAt(region, cameras[i]!, dt));
    this.ranges = this.list.map((region) => chunksOf(region, region.bounds.updatable));
  }

  /** One tick of all regions. */
  simulate(): void {
    const { list, mover } = this;
    for (const region of list) region.events.length = 0;
    this.assignRoles();
    for (const region of list) prepare(region);
    const ghosts = list.map((region) => this.ghostsOf(region));
    list.forEach((region, i) => eachGhost(region, ghosts[i]!, copyWay));
    for (const region of list) sortIntoCells(region);
    // a round always moves the smallest id that has not moved, so there is an end
    for (let left = countOwn(list); left > 0;) {
      for (const region of list) left -= moveReady(region, mover);
      list.forEach((region, i) => eachGhost(region, ghosts[i]!, copyState));
    }
    for (const region of list) finish(region);
    this.handOver();
  }

  /** [SW-R14] Writes back everything that changed. The regions stay. */
  sync(): void {
    for (const region of this.list) endSim(region);
  }

  /** The number of the region that owns a chunk; -1 if none does. */
  ownerOf(x: number, y: number, z: number): number {
    return this.ranges.findIndex((range) => inRange(range, x, y, z));
  }

  /** Who moves what. A row that another region moves from now on is written back first. */
  private assignRoles(): void {
    const { list } = this;
    if (list.length === 1) {
      ownWithinBounds(list[0]!);
      return;
    }
    list.forEach((region, self) => {
      for (let row = 0; row < region.count; row++) {
        const moves = (region.flags[row]! & (MOVABLE | NONSPATIAL)) === MOVABLE && this.isUpdatable(region, row);
        const role = moves ? (this.ownerOfRow(region, row) === self ? OWN : GHOST) : STILL;
        if (role === GHOST) region.writeBack(row);
        region.role[row] = role;
      }
    });
  }

  /** Inside the UpdatableBounds of any region. */
  private isUpdatable(region: SimRegion, row: number): boolean {
    const x = region.px[row]!;
    const y = region.py[row]!;
    const z = region.pz[row]!;
    for (const other of this.list) {
      const dx = region.rules.ChunkDimX * (region.originX - other.originX);
      const dy = region.rules.ChunkDimY * (region.originY - other.originY);
      const dz = region.rules.ChunkDimZ * (region.originZ - other.originZ);
      if (contains(other.bounds.updatable, x + dx, y + dy, z + dz)) return true;
    }
    return false;
  }

  private ownerOfRow(region: SimRegion, row: number): number {
    const { rules } = region;
    const x = region.originX + wholeChunks(region.px[row]!, rules.ChunkDimX);
    const y = region.originY + wholeChunks(region.py[row]!, rules.ChunkDimY);
    return this.ownerOf(x, y, region.originZ + wholeChunks(region.pz[row]!, rules.ChunkDimZ));
  }

  private ghostsOf(region: SimRegion): Ghosts {
    const ghosts = new Ghosts();
    for (let row = 0; row < region.count; row++) {
      if (region.role[row] !== GHOST) continue;
      const owner = this.list[this.ownerOfRow(region, row)]!;
      ghosts.rows.push(row);
      ghosts.owners.push(owner);
      ghosts.ownerRows.push(owner.ids.get(region.id[row]!));
    }
    return ghosts;
  }

  /** After the tick: what has crossed into another chunk goes to the store, and to the regions that keep that chunk. */
  private handOver(): void {
    const crossed: number[] = [];
    for (const region of this.list) {
      for (let row = 0; row < region.count; row++) {
        if (region.changed[row] === 0 || !region.hasCrossed(row)) continue;
        region.writeBack(row);
        crossed.push(region.storeRow[row]!);
      }
    }
    for (const region of this.list) {
      for (const from of crossed) {
        const { store } = region;
        const row = region.ids.get(store.id[from]!);
        if (row >= 0) {
          if (!isHeld(region, row)) release(region, row);
        } else if (inRange(region.loaded, store.chunkX[from]!, store.chunkY[from]!, store.chunkZ[from]!)) region.admit(from);
      }
    }
  }
}

function countOwn(list: readonly SimRegion[]): number {
  let count = 0;
  for (const region of list) for (let row = 0; row < region.count; row++) if (region.role[row] === OWN) count++;
  return count;
}

/** Reads rows of other regions, writes the region's own. */
function eachGhost(region: SimRegion, ghosts: Ghosts, copy: (to: SimRegion, row: number, from: SimRegion, other: number) => void): void {
  for (let i = 0; i < ghosts.rows.length; i++) copy(region, ghosts.rows[i]!, ghosts.owners[i]!, ghosts.ownerRows[i]!);
}

function copyWay(to: SimRegion, row: number, from: SimRegion, other: number): void {
  to.wayX[row] = from.wayX[other]!;
  to.wayY[row] = from.wayY[other]!;
  to.wayZ[row] = from.wayZ[other]!;
}

/** What has moved since the last look. Places differ by whole chunks, so the copy is exact. */
function copyState(to: SimRegion, row: number, from: SimRegion, other: number): void {
  if (to.done[row] === MOVED || from.done[other] !== MOVED) return;
  const { rules } = to;
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
