import { Box, type CameraChunks, clampDt, contains, expanded } from './bounds.ts';
import { MOVABLE, NONSPATIAL } from './entity.ts';
import { wholeChunks, type WorldPosition } from './position.ts';
import { MAX_CHUNK, MIN_CHUNK, type Rules } from './rules.ts';
import { BOX } from './shapes.ts';
import { boundsAround, ChunkRange, GHOST, OWN, SimRegion, STILL } from './sim-region.ts';
import type { Store } from './store.ts';

/** Chunks that a box of the region touches, cut off at the world's edge. */
export function chunksOf(region: SimRegion, box: Box): ChunkRange {
  const { rules } = region;
  const range = new ChunkRange();
  range.minX = Math.max(MIN_CHUNK, region.originX + wholeChunks(box.minX, rules.ChunkDimX));
  range.minY = Math.max(MIN_CHUNK, region.originY + wholeChunks(box.minY, rules.ChunkDimY));
  range.minZ = Math.max(MIN_CHUNK, region.originZ + wholeChunks(box.minZ, rules.ChunkDimZ));
  range.maxX = Math.min(MAX_CHUNK, region.originX + wholeChunks(box.maxX, rules.ChunkDimX));
  range.maxY = Math.min(MAX_CHUNK, region.originY + wholeChunks(box.maxY, rules.ChunkDimY));
  range.maxZ = Math.min(MAX_CHUNK, region.originZ + wholeChunks(box.maxZ, rules.ChunkDimZ));
  return range;
}

/** Calls back for the slot of every chunk that exists in a range: by looking each one up, or through all chunks if they are fewer. */
export function eachChunk(store: Store, range: ChunkRange, visit: (slot: number) => void): void {
  const { chunks } = store;
  const { minX, minY, minZ, maxX, maxY, maxZ } = range;
  if ((maxX - minX + 1) * (maxY - minY + 1) * (maxZ - minZ + 1) > chunks.slotEnd) {
    for (let slot = 0; slot < chunks.slotEnd; slot++)
      if (chunks.exists(slot) && inRange(range, chunks.xOf(slot), chunks.yOf(slot), chunks.zOf(slot))) visit(slot);
    return;
  }
  for (let z = minZ; z <= maxZ; z++) {
    for (let y = minY; y <= maxY; y++) {
      for (let x = minX; x <= maxX; x++) {
        const slot = chunks.find(x, y, z);
        if (slot >= 0) visit(slot);
      }
    }
  }
}

export function inRange(range: ChunkRange, x: number, y: number, z: number): boolean {
  return x >= range.minX && x <= range.maxX && y >= range.minY && y <= range.maxY && z >= range.minZ && z <= range.maxZ;
}

/**
 * [SW-R13] `BeginSim()`: chunks of the region → their blocks → low entities → sim entities. An entity is in if its box touches Bounds; it may live
 * in a chunk MaxEntityRadius beyond them (SPEC-GAP SW-G3: the document only looks at the chunks of Bounds).
 */
export function beginSim(store: Store, camera: WorldPosition, dt: number, chunks: CameraChunks | null = null): SimRegion {
  const region = new SimRegion(store, camera, dt, chunks);
  const bounds = expanded(region.bounds.bounds, stepSlack(store.rules));
  const { total } = store.shapes;
  const rows: number[] = [];
  eachChunk(store, chunksOf(region, expanded(bounds, store.rules.MaxEntityRadius)), (slot) => {
    const found = store.chunks.rowsOf(slot, rows);
    for (let i = 0; i < found; i++) {
      const from = rows[i]!;
      const chunk = store.chunks.slotOf(from);
      const x = store.rules.ChunkDimX * (store.chunks.xOf(chunk) - region.originX) + store.x[from]!;
      const y = store.rules.ChunkDimY * (store.chunks.yOf(chunk) - region.originY) + store.y[from]!;
      const z = store.rules.ChunkDimZ * (store.chunks.zOf(chunk) - region.originZ) + store.z[from]!;
      const at = store.shape[from]! * BOX;
      if (x + total[at]! > bounds.maxX || x + total[at + 3]! < bounds.minX) continue;
      if (y + total[at + 1]! > bounds.maxY || y + total[at + 4]! < bounds.minY) continue;
      if (z + total[at + 2]! > bounds.maxZ || z + total[at + 5]! < bounds.minZ) continue;
      region.admit(from);
    }
  });
  return region;
}

/** Steps lift and lower a body beyond what its velocity allows. */
function stepSlack(rules: Rules): number {
  return 2 * rules.StepHeight + 4 * rules.Skin;
}

/** [SW-R14] `EndSim()`. */
export function endSim(region: SimRegion): void {
  for (let row = 0; row < region.count; row++) region.writeBack(row);
}

/** The chunks a resident region keeps: its own ones and all that their entities can meet in a tick. */
export function chunksAround(region: SimRegion, owned: ChunkRange): ChunkRange {
  if (isEmpty(owned)) return new ChunkRange();
  const { rules, originX, originY, originZ } = region;
  const box = new Box();
  box.minX = (owned.minX - originX - 0.5) * rules.ChunkDimX;
  box.minY = (owned.minY - originY - 0.5) * rules.ChunkDimY;
  box.minZ = (owned.minZ - originZ - 0.5) * rules.ChunkDimZ;
  box.maxX = (owned.maxX - originX + 0.5) * rules.ChunkDimX;
  box.maxY = (owned.maxY - originY + 0.5) * rules.ChunkDimY;
  box.maxZ = (owned.maxZ - originZ + 0.5) * rules.ChunkDimZ;
  const { MaxEntityRadius, MaxEntityVelocity } = rules;
  return chunksOf(region, expanded(box, 2 * MaxEntityRadius + region.dt * MaxEntityVelocity + stepSlack(rules)));
}

/**
 * A region that stays: moves it to a camera (or sets it up there), writes back what leaves and takes in the chunks that enter. The result of
 * every tick is that of `beginSim` … `endSim`, bit for bit; only the chunks at the edges are touched.
 */
export function stayAt(region: SimRegion, camera: WorldPosition, dt: number): void {
  stream(region, chunksAround(region, aimAt(region, camera, dt)));
}

/** Sets origin and bounds for a camera; the answer is which chunks the region may then own: those of UpdatableBounds. */
export function aimAt(region: SimRegion, camera: WorldPosition, dt: number): ChunkRange {
  region.dt = clampDt(dt);
  region.rebase(camera.chunkX, camera.chunkY, camera.chunkZ);
  region.bounds = boundsAround(region.rules, region.chunks, camera, region.dt);
  return chunksOf(region, region.bounds.updatable);
}

/** Gives back the chunks that are not in the range, takes in those that are new. */
export function stream(region: SimRegion, range: ChunkRange): void {
  const { store, loaded: before } = region;
  if (sameRange(before, range)) return;
  region.loaded = range;
  for (let row = region.count - 1; row >= 0; row--) if (!isHeld(region, row)) release(region, row);
  const rows: number[] = [];
  eachChunk(store, range, (slot) => {
    const { chunks } = store;
    if (inRange(before, chunks.xOf(slot), chunks.yOf(slot), chunks.zOf(slot))) return;
    const found = store.chunks.rowsOf(slot, rows);
    for (let i = 0; i < found; i++) region.admit(rows[i]!);
  });
}

const isEmpty = (range: ChunkRange): boolean => range.minX > range.maxX || range.minY > range.maxY || range.minZ > range.maxZ;

/** What is left of a range of chunks without another one, as a range: that takes away from its ends only. */
export function without(range: ChunkRange, other: ChunkRange): ChunkRange {
  const left = Object.assign(new ChunkRange(), range);
  const coversX = other.minX <= range.minX && other.maxX >= range.maxX;
  const coversY = other.minY <= range.minY && other.maxY >= range.maxY;
  const coversZ = other.minZ <= range.minZ && other.maxZ >= range.maxZ;
  if (coversY && coversZ) [left.minX, left.maxX] = ends(range.minX, range.maxX, other.minX, other.maxX);
  if (coversX && coversZ) [left.minY, left.maxY] = ends(range.minY, range.maxY, other.minY, other.maxY);
  if (coversX && coversY) [left.minZ, left.maxZ] = ends(range.minZ, range.maxZ, other.minZ, other.maxZ);
  return left;
}

function ends(min: number, max: number, otherMin: number, otherMax: number): [number, number] {
  if (otherMin <= min && otherMax >= min) return [otherMax + 1, max];
  return otherMax >= max && otherMin <= max ? [min, otherMin - 1] : [min, max];
}

/** Whether the row belongs to the chunks that the region keeps: small ones by their place, big ones by any chunk that they touch. */
export function isHeld(region: SimRegion, row: number): boolean {
  const { store, loaded } = region;
  const from = region.storeRow[row]!;
  if (!store.isBig(from)) {
    const { rules } = region;
    const x = region.originX + wholeChunks(region.px[row]!, rules.ChunkDimX);
    const y = region.originY + wholeChunks(region.py[row]!, rules.ChunkDimY);
    return inRange(loaded, x, y, region.originZ + wholeChunks(region.pz[row]!, rules.ChunkDimZ));
  }
  let held = false;
  store.touchedChunks(from, (x, y, z) => (held ||= inRange(loaded, x, y, z)));
  return held;
}

/** Writes the row back and forgets it. */
export function release(region: SimRegion, row: number): void {
  if (region.role[row] !== GHOST) region.writeBack(row);
  region.drop(row);
}

export function sameRange(a: ChunkRange, b: ChunkRange): boolean {
  return a.minX === b.minX && a.minY === b.minY && a.minZ === b.minZ && a.maxX === b.maxX && a.maxY === b.maxY && a.maxZ === b.maxZ;
}

/** [SW-R10] (b): entities whose position is inside UpdatableBounds. SPEC-GAP SW-G2: not those that only touch them; they could reach beyond Bounds. */
export function ownWithinBounds(region: SimRegion): void {
  const { updatable } = region.bounds;
  for (let row = 0; row < region.count; row++) {
    const moves = (region.flags[row]! & (MOVABLE | NONSPATIAL)) === MOVABLE;
    region.role[row] = moves && contains(updatable, region.px[row]!, region.py[row]!, region.pz[row]!) ? OWN : STILL;
  }
}
