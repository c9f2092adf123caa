import { CONFINED, MOVABLE, NONSPATIAL, TRAVERSABLE, UNSETTLED } from './entity.ts';
import { canCollide } from './gather.ts';
import { Mover } from './mover.ts';
import { Box } from './bounds.ts';
import { WorldPosition } from './position.ts';
import { chunksOf, eachChunk } from './region.ts';
import { CHANGED, SimRegion } from './sim-region.ts';
import { toGrain } from './rules.ts';
import { BOX } from './shapes.ts';
import { coveredAt } from './spaces.ts';
import type { Store } from './store.ts';
import { noteEdge, overlaps, placeBox } from './sweep.ts';

const MAX_ROUNDS = 32;

/** What was done about an entity that was put where it may not be. */
export interface Settlement {
  readonly id: number;
  readonly outcome: 'moved' | 'stuck';
  /** By how much it was moved. */
  readonly dx: number;
  readonly dy: number;
  readonly dz: number;
}

/**
 * [SW-E30] [SW-E11] Finds a legal place for every body that is new or was placed by hand, by ids: out of solids through the nearest face
 * (depenetration), into the nearest Space. Tells whom it moved, and who found no place within MaxEntityRadius. It works on the store, so regions
 * must be synced before and take the body in after.
 */
export function settle(store: Store): Settlement[] {
  const settlements: Settlement[] = [];
  const ids = store.takeUnsettled();
  if (ids.length === 0) return settlements;
  const region = new SimRegion(store, new WorldPosition(), 0, { x: 0, y: 0, z: 0 });
  const mover = new Mover();
  for (const id of ids) {
    const row = store.ids.get(id);
    if (row < 0 || (store.flags[row]! & UNSETTLED) === 0) continue;
    store.flags[row]! &= ~UNSETTLED;
    store.touch(row);
    if ((store.flags[row]! & (MOVABLE | NONSPATIAL)) !== MOVABLE) continue;
    // most are in order where they are: a look at what touches them tells
    takeInAround(store, row, region, store.shapes.radius[store.shape[row]!]!);
    if (isInOrder(region, mover, row)) continue;
    takeInAround(store, row, region, 3 * store.rules.MaxEntityRadius);
    const found = settleOne(region, mover, row);
    if (found !== null) settlements.push(found);
  }
  return settlements;
}

/** Lets the region hold what is within so many metres of the body along each axis. */
function takeInAround(store: Store, row: number, region: SimRegion, reach: number): void {
  const far = reach + store.rules.MaxEntityRadius;
  const box = new Box();
  box.minX = store.x[row]! - far;
  box.minY = store.y[row]! - far;
  box.minZ = store.z[row]! - far;
  box.maxX = store.x[row]! + far;
  box.maxY = store.y[row]! + far;
  box.maxZ = store.z[row]! + far;
  region.clear(store.chunkXOf(row), store.chunkYOf(row), store.chunkZOf(row));
  const rows: number[] = [];
  eachChunk(store, chunksOf(region, box), (slot) => {
    const found = store.chunks.rowsOf(slot, rows);
    for (let i = 0; i < found; i++) {
      const other = rows[i]!;
      const dx = store.rules.ChunkDimX * (store.chunkXOf(other) - region.originX) + store.x[other]! - store.x[row]!;
      const dy = store.rules.ChunkDimY * (store.chunkYOf(other) - region.originY) + store.y[other]! - store.y[row]!;
      const dz = store.rules.ChunkDimZ * (store.chunkZOf(other) - region.originZ) + store.z[other]! - store.z[row]!;
      const near = reach + store.shapes.radius[store.shape[other]!]!;
      if (Math.abs(dx) <= near && Math.abs(dy) <= near && Math.abs(dz) <= near) region.admit(other);
    }
  });
}

/** Whether the body is in no solid and, if it must be, inside the Spaces. The region holds whatever touches it. */
function isInOrder(region: SimRegion, mover: Mover, row: number): boolean {
  const self = begin(region, mover, row);
  if (neighbours(region, self).some((other) => overlaps(region, mover, other))) return false;
  if ((region.flags[self]! & CONFINED) === 0) return true;
  noteSpaces(region, mover);
  placeBox(mover, mover.p);
  return coveredAt(mover.spaces, mover.spaceCount, mover.box, 0, 0, 0);
}

/** The mover becomes the body; the answer is its row in the region. */
function begin(region: SimRegion, mover: Mover, row: number): number {
  const { store } = region;
  const self = region.ids.get(store.id[row]!);
  mover.row = self;
  noteEdge(region, mover);
  mover.p[0] = region.px[self]!;
  mover.p[1] = region.py[self]!;
  mover.p[2] = region.pz[self]!;
  for (let i = 0; i < BOX; i++) mover.body[i] = store.shapes.total[store.shape[row]! * BOX + i]!;
  return self;
}

function settleOne(region: SimRegion, mover: Mover, row: number): Settlement | null {
  const { store } = region;
  const self = begin(region, mover, row);
  const isConfined = (store.flags[row]! & CONFINED) !== 0;
  const others = neighbours(region, self);
  if (isConfined) noteSpaces(region, mover);
  const from = [...mover.p];
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const isFree = !pushOut(region, mover, others);
    const isInside = !isConfined || !pullIn(mover, store.rules.Skin);
    if (!isFree || !isInside) continue;
    if (round === 0) return null;
    const [dx, dy, dz] = [mover.p[0]! - from[0]!, mover.p[1]! - from[1]!, mover.p[2]! - from[2]!];
    if (Math.max(Math.abs(dx), Math.abs(dy), Math.abs(dz)) > store.rules.MaxEntityRadius) break;
    region.px[self] = mover.p[0]!;
    region.py[self] = mover.p[1]!;
    region.pz[self] = mover.p[2]!;
    region.changed[self] = CHANGED;
    region.writeBack(self);
    return { id: store.id[row]!, outcome: 'moved', dx, dy, dz };
  }
  return { id: store.id[row]!, outcome: 'stuck', dx: 0, dy: 0, dz: 0 };
}

/** Rows the body collides with, by ids. */
function neighbours(region: SimRegion, self: number): number[] {
  const others: number[] = [];
  for (let row = 0; row < region.count; row++)
    if (row !== self && (region.flags[row]! & TRAVERSABLE) === 0 && canCollide(region, self, row)) others.push(row);
  return others.sort((a, b) => region.id[a]! - region.id[b]!);
}

function noteSpaces(region: SimRegion, mover: Mover): void {
  const { shapes } = region.store;
  const corners: number[] = [];
  const rows = [...region.id.subarray(0, region.count)].sort((a, b) => a - b).map((id) => region.ids.get(id));
  for (const row of rows.filter((one) => (region.flags[one]! & TRAVERSABLE) !== 0)) {
    const at = [region.px[row]!, region.py[row]!, region.pz[row]!];
    for (let v = shapes.first[region.shape[row]!]! * BOX; v < shapes.first[region.shape[row]! + 1]! * BOX; v += BOX)
      for (let k = 0; k < BOX; k++) corners.push(at[k % 3]! + shapes.volumes[v + k]!);
  }
  mover.spaces = Float64Array.from(corners);
  mover.spaceCount = corners.length / BOX;
}

/** Out of the first solid that the body is in, along the shortest way inside the world, and Skin farther. Whether there was one. */
function pushOut(region: SimRegion, mover: Mover, others: readonly number[]): boolean {
  const { p, body } = mover;
  const { total } = region.store.shapes;
  const gap = toGrain(region.rules.Skin);
  const other = others.find((one) => overlaps(region, mover, one));
  if (other === undefined) return false;
  const at = region.shape[other]! * BOX;
  const place = [region.px[other]!, region.py[other]!, region.pz[other]!];
  const ways = [0, 1, 2].flatMap((axis) => [
    { axis, by: place[axis]! + total[at + axis]! - body[axis + 3]! - gap - p[axis]! },
    { axis, by: place[axis]! + total[at + axis + 3]! - body[axis]! + gap - p[axis]! },
  ]);
  const open = ways.filter(({ axis, by }) => isInWorld(mover, axis, p[axis]! + by));
  if (open.length === 0) return true;
  const shortest = open.reduce((best, way) => (Math.abs(way.by) < Math.abs(best.by) ? way : best));
  p[shortest.axis]! += shortest.by;
  return true;
}

/** [SW-R1] Beyond the edge chunk numbers would wrap: the body would be at the other end of the world. */
const isInWorld = ({ edge }: Mover, axis: number, to: number): boolean => to >= edge[axis]! && to <= edge[axis + 3]!;

/** Into the nearest Space that has room for the body. Whether it was outside; also when there is no such Space. */
function pullIn(mover: Mover, skin: number): boolean {
  const { p, body, spaces, spaceCount } = mover;
  placeBox(mover, p);
  if (coveredAt(spaces, spaceCount, mover.box, 0, 0, 0)) return false;
  let best: number[] | null = null;
  let nearest = Infinity;
  for (let i = 0; i < spaceCount; i++) {
    const to = [0, 1, 2].map((axis) => {
      const room = (spaces[i * BOX + axis + 3]! - spaces[i * BOX + axis]! - (body[axis + 3]! - body[axis]!)) / 2;
      const gap = toGrain(Math.max(0, Math.min(skin, room)));
      const low = spaces[i * BOX + axis]! - body[axis]! + gap;
      const high = spaces[i * BOX + axis + 3]! - body[axis + 3]! - gap;
      const inside = Math.max(low, Math.min(high, p[axis]!));
      return room < 0 || !isInWorld(mover, axis, inside) ? NaN : inside;
    });
    const distance = to.reduce((sum, c, axis) => sum + (c - p[axis]!) * (c - p[axis]!), 0);
    if (!(distance < nearest)) continue;
    nearest = distance;
    best = to;
  }
  if (best !== null) p.set(best);
  return true;
}
