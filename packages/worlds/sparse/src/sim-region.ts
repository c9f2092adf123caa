import { InputError } from '@lockstep/kernel';
import { type CameraChunks, clampDt, regionBounds, type RegionBounds } from './bounds.ts';
import { DISTANCE_LIMIT, DRAG, RESTITUTION, SPEED, WALKABLE_AXIS, WALKABLE_HEIGHT, Z_SUPPORTED } from './entity.ts';
import { IdIndex, type SharedIds } from './id-index.ts';
import { grown, heap, type Memory, roomFor } from './memory.ts';
import type { WorldPosition } from './position.ts';
import { wholeChunks } from './position.ts';
import { REGION_REACH, type Rules } from './rules.ts';
import type { Store } from './store.ts';
import { Surroundings } from './surroundings.ts';

/** What a row does in this tick. */
export const STILL = 0;
/** [SW-R10] Inside UpdatableBounds: this region moves it. */
export const OWN = 1;
/** [SW-E33] Another region moves it, this one sees it move. */
export const GHOST = 2;

export const WAITS = 0;
export const MOVED = 1;
/** Waits for a body that another region moves. */
export const HELD_UP = 2;

/** The row differs from the store; so does one that is known to be still in its chunk. */
export const CHANGED = 1;
export const AT_HOME = 2;

/** A box of chunk numbers, ends included. */
export class ChunkRange {
  minX = 0;
  minY = 0;
  minZ = 0;
  maxX = -1;
  maxY = -1;
  maxZ = -1;
}

type Column = Float64Array | Int32Array | Uint32Array | Uint8Array;

/** A region as plain data that may be posted to a thread. */
export interface SharedRegion {
  readonly count: number;
  readonly version: number;
  readonly originX: number;
  readonly originY: number;
  readonly originZ: number;
  readonly dt: number;
  readonly bounds: RegionBounds;
  readonly ids: SharedIds;
  readonly columns: readonly Column[];
}

/** The columns, but for the ids. */
const INTS = ['storeRow', 'flags', 'shape'] as const;
const BYTES = ['role', 'done', 'changed'] as const;
const NUMBERS = [
  'px',
  'py',
  'pz',
  'vx',
  'vy',
  'vz',
  'wishX',
  'wishY',
  'wishZ',
  'speed',
  'drag',
  'restitution',
  'limit',
  'rampHeight',
  'rampAxis',
  'dx',
  'dy',
  'dz',
  'nx',
  'ny',
  'nz',
  'wayX',
  'wayY',
  'wayZ',
  'homeX',
  'homeY',
  'homeZ',
] as const;

/**
 * [SW-R8] [SW-R11] A SimRegion: the entities around a camera as `sim_entity`, in columns by row, in coordinates whose origin is the centre of the
 * camera's chunk ([SW-R15] [SW-E4]: the camera is at (0, 0, 0) but for its offset in that chunk, so that coming and going never rounds).
 */
export class SimRegion {
  readonly store: Store;
  readonly rules: Rules;
  readonly memory: Memory;
  readonly chunks: CameraChunks;
  /** [SW-R19] Clamped: whoever asked for another one sees it here, and may warn. */
  dt: number;
  /** The chunk whose centre is the origin. */
  originX = 0;
  originY = 0;
  originZ = 0;
  bounds: RegionBounds;
  /** Chunks whose entities are here, all of them; empty in a region of one frame, which takes entities one by one. */
  loaded = new ChunkRange();
  count = 0;
  /** Another one whenever rows come, go, change their numbers or are set by hand: what follows from them is then made anew. */
  version = 1;
  readonly ids: IdIndex;
  id: Uint32Array = new Uint32Array(0);
  storeRow: Int32Array = new Int32Array(0);
  flags: Int32Array = new Int32Array(0);
  shape: Int32Array = new Int32Array(0);
  px: Float64Array = new Float64Array(0);
  py: Float64Array = new Float64Array(0);
  pz: Float64Array = new Float64Array(0);
  vx: Float64Array = new Float64Array(0);
  vy: Float64Array = new Float64Array(0);
  vz: Float64Array = new Float64Array(0);
  /** What the entity's mind wants in this tick, in units of its speed parameter; gone after the tick. */
  wishX: Float64Array = new Float64Array(0);
  wishY: Float64Array = new Float64Array(0);
  wishZ: Float64Array = new Float64Array(0);
  speed: Float64Array = new Float64Array(0);
  drag: Float64Array = new Float64Array(0);
  restitution: Float64Array = new Float64Array(0);
  limit: Float64Array = new Float64Array(0);
  /** Of a ramp. */
  rampHeight: Float64Array = new Float64Array(0);
  rampAxis: Float64Array = new Float64Array(0);
  /** The way of this tick if nothing is hit, and the velocity at its end. */
  dx: Float64Array = new Float64Array(0);
  dy: Float64Array = new Float64Array(0);
  dz: Float64Array = new Float64Array(0);
  nx: Float64Array = new Float64Array(0);
  ny: Float64Array = new Float64Array(0);
  nz: Float64Array = new Float64Array(0);
  /** How far the body may get in this tick on each axis, whatever it hits. */
  wayX: Float64Array = new Float64Array(0);
  wayY: Float64Array = new Float64Array(0);
  wayZ: Float64Array = new Float64Array(0);
  /** The centre of the chunk in which the store has the entity. */
  homeX: Float64Array = new Float64Array(0);
  homeY: Float64Array = new Float64Array(0);
  homeZ: Float64Array = new Float64Array(0);
  role: Uint8Array = new Uint8Array(0);
  /** Whether the body has moved in this tick: WAITS, MOVED or HELD_UP. */
  done: Uint8Array = new Uint8Array(0);
  /** CHANGED or AT_HOME when the row differs from the store: what did not move is not written back ([SW-E4]). */
  changed: Uint8Array = new Uint8Array(0);
  /** What follows from the rows: who stands where, in which order they move. */
  readonly surroundings = new Surroundings();
  /** Hits and overlaps of this tick, four numbers each. */
  readonly events: number[] = [];

  constructor(store: Store, camera: WorldPosition, dt: number, chunks: CameraChunks | null = null, memory: Memory = heap) {
    const { rules } = store;
    const n = rules.SimChunksInCamera;
    this.store = store;
    this.rules = rules;
    this.memory = memory;
    this.chunks = chunks ?? { x: n, y: n, z: n };
    this.dt = clampDt(dt);
    this.originX = camera.chunkX;
    this.originY = camera.chunkY;
    this.originZ = camera.chunkZ;
    this.bounds = boundsAround(rules, this.chunks, camera, this.dt);
    this.ids = new IdIndex(memory);
    this.grow(16);
  }

  /** [SW-R13] "определяем позицию сущности в системе координат симулируемой области": chunk numbers first, as integers. */
  admit(storeRow: number): number {
    const { store, rules } = this;
    const known = this.ids.get(store.id[storeRow]!);
    if (known >= 0) return known;
    if (this.count === this.id.length) this.grow(roomFor(this.count + 1, this.count));
    const row = this.count++;
    this.ids.set(store.id[storeRow]!, row);
    this.id[row] = store.id[storeRow]!;
    this.storeRow[row] = storeRow;
    const { chunks } = store;
    const chunk = chunks.slotOf(storeRow);
    this.homeX[row] = rules.ChunkDimX * (chunks.xOf(chunk) - this.originX);
    this.homeY[row] = rules.ChunkDimY * (chunks.yOf(chunk) - this.originY);
    this.homeZ[row] = rules.ChunkDimZ * (chunks.zOf(chunk) - this.originZ);
    this.px[row] = this.homeX[row] + store.x[storeRow]!;
    this.py[row] = this.homeY[row] + store.y[storeRow]!;
    this.pz[row] = this.homeZ[row] + store.z[storeRow]!;
    this.wishX[row] = 0;
    this.wishY[row] = 0;
    this.wishZ[row] = 0;
    this.role[row] = STILL;
    this.reread(row);
    this.version++;
    return row;
  }

  /** Takes everything but the place from the store anew: after its flags, velocity or parameters were set there. */
  reread(row: number): void {
    const { store } = this;
    const from = this.storeRow[row]!;
    const { parameters } = store;
    this.flags[row] = store.flags[from]!;
    this.shape[row] = store.shape[from]!;
    this.vx[row] = store.vx[from]!;
    this.vy[row] = store.vy[from]!;
    this.vz[row] = store.vz[from]!;
    this.speed[row] = parameters.get(from, SPEED);
    this.drag[row] = parameters.get(from, DRAG);
    this.restitution[row] = parameters.get(from, RESTITUTION);
    this.limit[row] = parameters.get(from, DISTANCE_LIMIT);
    this.rampHeight[row] = parameters.get(from, WALKABLE_HEIGHT);
    this.rampAxis[row] = parameters.get(from, WALKABLE_AXIS);
    this.changed[row] = 0;
    this.version++;
  }

  /** [SW-R14] "присваиваем симулируемым сущностям в хранилище новую позицию": if it has one. */
  writeBack(row: number): void {
    if (this.changed[row] === 0) return;
    this.changed[row] = 0;
    const { store, rules } = this;
    const to = this.storeRow[row]!;
    const x = wholeChunks(this.px[row]!, rules.ChunkDimX);
    const y = wholeChunks(this.py[row]!, rules.ChunkDimY);
    const z = wholeChunks(this.pz[row]!, rules.ChunkDimZ);
    this.homeX[row] = x * rules.ChunkDimX;
    this.homeY[row] = y * rules.ChunkDimY;
    this.homeZ[row] = z * rules.ChunkDimZ;
    store.vx[to] = this.vx[row]!;
    store.vy[to] = this.vy[row]!;
    store.vz[to] = this.vz[row]!;
    store.flags[to] = (store.flags[to]! & ~Z_SUPPORTED) | (this.flags[row]! & Z_SUPPORTED);
    if (this.limit[row] !== Infinity) store.parameters.set(to, DISTANCE_LIMIT, this.limit[row]!);
    store.moveTo(
      to,
      this.originX + x,
      this.originY + y,
      this.originZ + z,
      this.px[row]! - this.homeX[row],
      this.py[row]! - this.homeY[row],
      this.pz[row]! - this.homeZ[row],
    );
  }

  /** Whether the row has left the chunk in which the store has it. */
  hasCrossed(row: number): boolean {
    if (this.changed[row] !== CHANGED) return false;
    const { rules } = this;
    const x = this.px[row]! - this.homeX[row]!;
    const y = this.py[row]! - this.homeY[row]!;
    const z = this.pz[row]! - this.homeZ[row]!;
    const halfX = rules.ChunkDimX / 2;
    const halfY = rules.ChunkDimY / 2;
    const halfZ = rules.ChunkDimZ / 2;
    return x < -halfX || x >= halfX || y < -halfY || y >= halfY || z < -halfZ || z >= halfZ;
  }

  /** Forgets all rows and starts anew around another chunk. */
  clear(chunkX: number, chunkY: number, chunkZ: number): void {
    for (let row = 0; row < this.count; row++) this.ids.delete(this.id[row]!);
    this.count = 0;
    this.rebase(chunkX, chunkY, chunkZ);
    this.version++;
  }

  /** Forgets a row; the last row takes its number. */
  drop(row: number): void {
    this.ids.delete(this.id[row]!);
    this.version++;
    const last = --this.count;
    if (last === row) return;
    for (const column of this.columns()) column[row] = column[last]!;
    this.ids.set(this.id[row]!, row);
  }

  /** Moves the origin to another chunk: whole chunks are added to all places, exactly. */
  rebase(chunkX: number, chunkY: number, chunkZ: number): void {
    const { rules, count } = this;
    if (chunkX === this.originX && chunkY === this.originY && chunkZ === this.originZ) return;
    for (const column of [this.px, this.homeX]) shift(column, count, rules.ChunkDimX * (this.originX - chunkX));
    for (const column of [this.py, this.homeY]) shift(column, count, rules.ChunkDimY * (this.originY - chunkY));
    for (const column of [this.pz, this.homeZ]) shift(column, count, rules.ChunkDimZ * (this.originZ - chunkZ));
    this.originX = chunkX;
    this.originY = chunkY;
    this.originZ = chunkZ;
    this.version++;
  }

  /** Row number n becomes what row order[n] was. */
  renumber(order: Int32Array): void {
    for (const column of this.columns()) {
      const before = column.slice(0, this.count);
      for (let row = 0; row < this.count; row++) column[row] = before[order[row]!]!;
    }
    for (let row = 0; row < this.count; row++) this.ids.set(this.id[row]!, row);
    this.version++;
  }

  /** Everything that the phases of a tick read and write, to be sent to another thread; columns are shared if the region's memory is. */
  share(): SharedRegion {
    const { count, version, originX, originY, originZ, dt, bounds } = this;
    return { count, version, originX, originY, originZ, dt, bounds, ids: this.ids.share(), columns: this.columns() };
  }

  /** The other end of `share`: the rows are those of the region that shared them, written in place. Its store knows the same shapes and rules. */
  adopt(from: SharedRegion): void {
    let at = 0;
    this.id = from.columns[at++] as Uint32Array;
    for (const name of INTS) this[name] = from.columns[at++] as Int32Array;
    for (const name of NUMBERS) this[name] = from.columns[at++] as Float64Array;
    for (const name of BYTES) this[name] = from.columns[at++] as Uint8Array;
    this.count = from.count;
    this.originX = from.originX;
    this.originY = from.originY;
    this.originZ = from.originZ;
    this.dt = from.dt;
    this.bounds = from.bounds;
    this.version = from.version;
    this.ids.adopt(from.ids);
  }

  private columns(): Column[] {
    return [this.id, ...[...INTS, ...NUMBERS, ...BYTES].map((name) => this[name])];
  }

  private grow(capacity: number): void {
    const { memory } = this;
    this.id = grown(this.id, memory.u32(capacity));
    for (const name of INTS) this[name] = grown(this[name], memory.i32(capacity));
    for (const name of NUMBERS) this[name] = grown(this[name], memory.f64(capacity));
    for (const name of BYTES) this[name] = grown(this[name], memory.u8(capacity));
  }
}

function shift(column: Float64Array, count: number, by: number): void {
  if (by !== 0) for (let row = 0; row < count; row++) column[row]! += by;
}

export function boundsAround(rules: Rules, chunks: CameraChunks, camera: WorldPosition, dt: number): RegionBounds {
  const around = regionBounds(rules, chunks, camera.x, camera.y, camera.z, dt);
  const { maxX, maxY, maxZ } = around.bounds;
  if (!(Math.max(maxX, maxY, maxZ) <= REGION_REACH / 4)) throw new InputError('region', `bounds within ${REGION_REACH / 4} m`, maxX);
  return around;
}
