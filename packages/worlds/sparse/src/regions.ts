import { type Box, contains } from './bounds.ts';
import { type EntitySpec, MOVABLE, NONSPATIAL } from './entity.ts';
import { ghostsOf, takeStates, takeWays } from './ghosts.ts';
import { Mover } from './mover.ts';
import { wholeChunks, type WorldPosition } from './position.ts';
import { aimAt, chunksAround, endSim, inRange, isHeld, ownWithinBounds, release, sameRange, stream, without } from './region.ts';
import { type Settlement, settle } from './settle.ts';
import { type ChunkRange, GHOST, OWN, type SimRegion, STILL } from './sim-region.ts';
import { finish, moveReady, prepare, sortIntoCells } from './step.ts';
import type { Store } from './store.ts';
import { tidyRows } from './surroundings.ts';

/**
 * [SW-E33] Many resident regions on one store. A chunk belongs to the first region whose UpdatableBounds touch it, and to nobody else; the owner
 * moves what is in it, the others see it move. A tick is made of phases; within a phase a region writes only its own rows, so phases may run in
 * as many threads as there are. Bodies wait for those with smaller ids that they may meet, wherever these are moved: the world after a tick is the
 * same however it is split.
 */
export class Regions {
  readonly list: readonly SimRegion[];
  readonly store: Store;
  /** Chunks that each region may own. */
  private ranges: ChunkRange[] = [];
  private readonly mover = new Mover();

  /** At least one region; all of one store. */
  constructor(list: readonly SimRegion[]) {
    this.list = list;
    this.store = list[0]!.store;
  }

  /** Moves every region to its camera: chunks are taken in, given back and handed over here, between ticks. */
  stayAt(cameras: readonly WorldPosition[], dt: number): void {
    const { list } = this;
    this.ranges = list.map((region, i) => aimAt(region, cameras[i]!, dt));
    const kept = list.map((region, i) => chunksAround(region, this.ranges.slice(0, i).reduce(without, this.ranges[i]!)));
    // one region may take in what another has not written back yet
    if (list.some((region, i) => !sameRange(region.loaded, kept[i]!))) this.sync();
    list.forEach((region, i) => stream(region, kept[i]!));
  }

  /** One tick of all regions, in this thread. */
  simulate(): void {
    const { list, mover } = this;
    this.begin();
    for (const region of list) prepare(region);
    const ghosts = list.map((region) => ghostsOf(region, list));
    for (const one of ghosts) takeWays(one);
    for (const region of list) sortIntoCells(region);
    // a round always moves the smallest id that has not moved, so there is an end
    let left = countOwn(list);
    while (left > 0) {
      for (const region of list) left -= moveReady(region, mover);
      for (const one of ghosts) takeStates(one);
    }
    this.end();
  }

  /** The first part of a tick, for one thread: who moves what. */
  begin(): void {
    for (const region of this.list) {
      region.events.length = 0;
      tidyRows(region);
    }
    this.assignRoles();
  }

  /** The last part of a tick, for one thread. */
  end(): void {
    for (const region of this.list) finish(region);
    this.handOver();
  }

  /** Adds an entity to the store and to the regions that keep its chunk. It is settled with the next call of `settle`. */
  insert(spec: EntitySpec): number {
    const id = this.store.insert(spec);
    this.takeIn(id);
    return id;
  }

  remove(id: number): void {
    this.letGo(id);
    this.store.remove(id);
  }

  /** Whatever is done to an entity from outside, to its place, velocity, flags or parameters, is done here, between ticks. */
  change(id: number, act: (store: Store, row: number) => void): void {
    this.letGo(id);
    act(this.store, this.store.rowOf(id));
    this.takeIn(id);
  }

  /** [SW-E30] Finds places for those that are new or were placed by hand. */
  settle(): Settlement[] {
    if (!this.store.hasUnsettled) return [];
    this.sync();
    const settlements = settle(this.store);
    for (const { id } of settlements) {
      this.letGo(id);
      this.takeIn(id);
    }
    return settlements;
  }

  /** [SW-R14] Writes back everything that changed. The regions stay. */
  sync(): void {
    for (const region of this.list) endSim(region);
  }

  /** The regions forget an entity; what they know of it goes to the store. */
  private letGo(id: number): void {
    for (const region of this.list) {
      const row = region.ids.get(id);
      if (row >= 0) release(region, row);
    }
  }

  private takeIn(id: number): void {
    const { store } = this;
    const row = store.rowOf(id);
    if ((store.flags[row]! & NONSPATIAL) !== 0) return;
    for (const region of this.list) {
      let isHere = inRange(region.loaded, store.chunkXOf(row), store.chunkYOf(row), store.chunkZOf(row));
      if (store.isBig(row)) store.touchedChunks(row, (x, y, z) => (isHere ||= inRange(region.loaded, x, y, z)));
      if (isHere) region.admit(row);
    }
  }

  /** The number of the region that owns a chunk; -1 if none does. */
  ownerOf(x: number, y: number, z: number): number {
    for (let i = 0; i < this.ranges.length; i++) if (inRange(this.ranges[i]!, x, y, z)) return i;
    return -1;
  }

  /** Who moves what. A row that another region moves from now on is written back first. */
  private assignRoles(): void {
    const { list } = this;
    if (list.length === 1) {
      ownWithinBounds(list[0]!);
      return;
    }
    list.forEach((region, self) => {
      const frames = list.map((other) => frameOf(region, other));
      for (let row = 0; row < region.count; row++) {
        const moves = (region.flags[row]! & (MOVABLE | NONSPATIAL)) === MOVABLE && isUpdatable(frames, region, row);
        const role = moves ? (this.ownerOfRow(region, row) === self ? OWN : GHOST) : STILL;
        if (role === GHOST) region.writeBack(row);
        region.role[row] = role;
      }
    });
  }

  private ownerOfRow(region: SimRegion, row: number): number {
    const { rules } = region;
    const x = region.originX + wholeChunks(region.px[row]!, rules.ChunkDimX);
    const y = region.originY + wholeChunks(region.py[row]!, rules.ChunkDimY);
    return this.ownerOf(x, y, region.originZ + wholeChunks(region.pz[row]!, rules.ChunkDimZ));
  }

  /** After the tick: what has crossed into another chunk goes to the store, and to the regions that keep that chunk. */
  private handOver(): void {
    const crossed: number[] = [];
    for (const region of this.list) {
      for (let row = 0; row < region.count; row++) {
        if (!region.hasCrossed(row)) continue;
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
        } else if (inRange(region.loaded, store.chunkXOf(from), store.chunkYOf(from), store.chunkZOf(from))) region.admit(from);
      }
    }
  }
}

/** The UpdatableBounds of a region, and what leads from another region's coordinates to its own. */
interface Frame {
  readonly updatable: Box;
  readonly dx: number;
  readonly dy: number;
  readonly dz: number;
}

function frameOf(from: SimRegion, to: SimRegion): Frame {
  return {
    updatable: to.bounds.updatable,
    dx: from.rules.ChunkDimX * (from.originX - to.originX),
    dy: from.rules.ChunkDimY * (from.originY - to.originY),
    dz: from.rules.ChunkDimZ * (from.originZ - to.originZ),
  };
}

/** Inside the UpdatableBounds of any region: asked in that region's coordinates, so that all agree. */
function isUpdatable(frames: readonly Frame[], region: SimRegion, row: number): boolean {
  const x = region.px[row]!;
  const y = region.py[row]!;
  const z = region.pz[row]!;
  for (let i = 0; i < frames.length; i++) {
    const { updatable, dx, dy, dz } = frames[i]!;
    if (contains(updatable, x + dx, y + dy, z + dz)) return true;
  }
  return false;
}

/** How many bodies are to be moved in this tick. */
export function countOwn(list: readonly SimRegion[]): number {
  let count = 0;
  for (const region of list) for (let row = 0; row < region.count; row++) if (region.role[row] === OWN) count++;
  return count;
}
