import { type FieldIO, InputError, numberAt } from '@lockstep/kernel';
import { ChunkTable, NOWHERE } from './chunk-table.ts';
import { type EntitySpec, MOVABLE, NONSPATIAL, type Parameter, ParameterTable, UNSETTLED } from './entity.ts';
import { IdIndex } from './id-index.ts';
import { grown, roomFor } from './memory.ts';
import { PairRules } from './pair-rules.ts';
import { checkCanonical, wholeChunks, WorldPosition } from './position.ts';
import { MAX_CHUNK, MIN_CHUNK, type Rules } from './rules.ts';
import { RowPlaces } from './row-places.ts';
import { BOX, Shapes } from './shapes.ts';

/** Ids are never used again; a world has room for four billion of them. */
const MAX_ID = 0xffff_ffff;

/** A big entity may touch so many chunks at most. */
const MAX_TOUCHED = 65_536;

/**
 * [SW-R5] [SW-R11] Sparse World Storage: all entities as `low_entity`, in columns by row. A row stays an entity's own as long as it lives; the
 * chunk table says who lives where, the id index which row belongs to an id.
 */
export class Store {
  readonly rules: Rules;
  readonly shapes = new Shapes();
  readonly parameters: ParameterTable;
  private readonly places = new RowPlaces();
  /** Who lives where. */
  readonly chunks = new ChunkTable(this.places);
  readonly ids = new IdIndex();
  readonly pairs = new PairRules();
  /** Living entities. */
  count = 0;
  /** All rows below have been used; a free one has id 0, is nowhere, and all its numbers are zeros. */
  rowEnd = 0;
  nextId = 1;
  id = new Uint32Array(16);
  flags = new Int32Array(16);
  shape = new Int32Array(16);
  x = new Float64Array(16);
  y = new Float64Array(16);
  z = new Float64Array(16);
  vx = new Float64Array(16);
  vy = new Float64Array(16);
  vz = new Float64Array(16);
  /** Chunks that have emptied since the last commit, as triples of chunk numbers; null while nobody commits. */
  emptied: number[] | null = null;
  /** Chunks come from permanent memory or go back there: no chunk counts as changed. */
  isStreaming = false;
  private freeRow = -1;
  private unsettled: number[] = [];
  private readonly scratch = new WorldPosition();

  constructor(rules: Rules, ownParameters: readonly Parameter[] = []) {
    this.rules = rules;
    this.parameters = new ParameterTable(ownParameters);
  }

  /** [SW-R3] Adds an entity; the answer is its id. One that is refused leaves nothing behind. */
  insert(spec: EntitySpec): number {
    if (spec.position !== undefined) checkCanonical(this.rules, spec.position, 'entity.position');
    checkVelocity(spec.velocityX ?? 0, spec.velocityY ?? 0, spec.velocityZ ?? 0);
    for (const [parameter, value] of spec.parameters ?? []) this.checkParameter(parameter, value);
    const shape = spec.volumes === undefined ? 0 : this.shapes.intern(spec.volumes, 'entity.volumes');
    const row = this.add(this.nextId, spec.flags | UNSETTLED, shape, spec.position ?? null);
    this.shorten(row, spec.velocityX ?? 0, spec.velocityY ?? 0, spec.velocityZ ?? 0);
    for (const [parameter, value] of spec.parameters ?? []) this.parameters.set(row, parameter, value);
    return this.id[row]!;
  }

  /** The bare form of `insert`: everything about the entity is already known to be in order. The answer is its row. */
  add(id: number, flags: number, shape: number, at: WorldPosition | null): number {
    const isBig = this.shapes.radius[shape]! > this.rules.MaxEntityRadius;
    if (isBig) this.checkSize(flags, shape);
    if (!(id > 0 && id <= MAX_ID)) throw new InputError('entity.id', `an id 1..${MAX_ID}`, id);
    if (isBig && at !== null) this.touchedRange(shape, at);
    const row = this.newRow();
    if (!this.ids.add(id, row)) {
      this.free(row);
      throw new InputError('entity.id', 'an id that is free', id);
    }
    this.id[row] = id;
    this.count++;
    if (id >= this.nextId) this.nextId = id + 1;
    this.shape[row] = shape;
    this.vx[row] = 0;
    this.vy[row] = 0;
    this.vz[row] = 0;
    if ((flags & UNSETTLED) !== 0) this.unsettled.push(id);
    if (at === null) {
      this.flags[row] = flags | NONSPATIAL;
      this.settleNowhere(row);
    } else {
      this.flags[row] = flags & ~NONSPATIAL;
      this.settleAt(row, at.x, at.y, at.z);
      if (isBig) this.link(row, at.chunkX, at.chunkY, at.chunkZ);
      else this.chunks.putSoon(row, at.chunkX, at.chunkY, at.chunkZ, !this.isStreaming);
    }
    return row;
  }

  /** Makes room for so many entities in all, so that adding them moves nothing about. Whoever adds more than that is welcome, too. */
  reserve(entities: number): void {
    if (entities > this.id.length) this.grow(entities);
    this.ids.reserve(entities);
  }

  remove(id: number): void {
    const row = this.rowOf(id);
    if ((this.flags[row]! & NONSPATIAL) === 0) this.unlink(row);
    this.parameters.reset(row);
    if (this.pairs.count > 0) this.pairs.clearFor(id);
    this.ids.delete(id);
    this.free(row);
    this.count--;
  }

  /** The row of a living entity. */
  rowOf(id: number): number {
    const row = this.ids.get(id);
    if (row < 0 || this.id[row] !== id) throw new InputError('id', 'a living entity', id);
    return row;
  }

  /** The numbers of the entity's chunk; zeros if it is nowhere. */
  chunkXOf(row: number): number {
    return this.chunks.xOf(this.chunks.slotOf(row));
  }
  chunkYOf(row: number): number {
    return this.chunks.yOf(this.chunks.slotOf(row));
  }
  chunkZOf(row: number): number {
    return this.chunks.zOf(this.chunks.slotOf(row));
  }

  positionOf(row: number, into = new WorldPosition()): WorldPosition {
    into.chunkX = this.chunkXOf(row);
    into.chunkY = this.chunkYOf(row);
    into.chunkZ = this.chunkZOf(row);
    into.x = this.x[row]!;
    into.y = this.y[row]!;
    into.z = this.z[row]!;
    return into;
  }

  /** `ChangeEntityLocation`: null takes the entity out of space ([SW-E38]). A place given by hand must still be found legal. */
  place(row: number, at: WorldPosition | null): void {
    if (at !== null) {
      checkCanonical(this.rules, at, 'position');
      if (this.isBig(row)) this.touchedRange(this.shape[row]!, at);
    }
    if ((this.flags[row]! & NONSPATIAL) === 0) this.unlink(row);
    this.flags[row]! |= NONSPATIAL;
    this.settleNowhere(row);
    if (at === null) return;
    this.settleAt(row, at.x, at.y, at.z);
    this.flags[row] = (this.flags[row]! & ~NONSPATIAL) | UNSETTLED;
    this.unsettled.push(this.id[row]!);
    this.link(row, at.chunkX, at.chunkY, at.chunkZ);
  }

  get hasUnsettled(): boolean {
    return this.unsettled.length > 0;
  }

  /** Ids of those that are new or were placed by hand since the last call, in order. */
  takeUnsettled(): number[] {
    const ids = this.unsettled.sort((a, b) => a - b);
    this.unsettled = [];
    return ids;
  }

  /** [SW-R14] The new place of an entity that physics moved. Within its chunk no list changes. */
  moveTo(row: number, chunkX: number, chunkY: number, chunkZ: number, x: number, y: number, z: number): void {
    if (this.chunks.isAt(this.chunks.slotOf(row), chunkX, chunkY, chunkZ)) {
      this.settleAt(row, x, y, z);
      this.touch(row);
      return;
    }
    this.unlink(row);
    this.settleAt(row, x, y, z);
    this.link(row, chunkX, chunkY, chunkZ);
  }

  /** [SW-E26] Velocities beyond the limit are shortened to it. */
  setVelocity(row: number, vx: number, vy: number, vz: number): void {
    checkVelocity(vx, vy, vz);
    this.shorten(row, vx, vy, vz);
    this.touch(row);
  }

  setParameter(row: number, parameter: number, value: number): void {
    this.checkParameter(parameter, value);
    this.parameters.set(row, parameter, value);
    this.touch(row);
  }

  /** Flags of behaviour; whether the entity has a place is not among them. */
  setFlags(row: number, flags: number): void {
    this.checkSize(flags, this.shape[row]!);
    this.flags[row] = (flags & ~NONSPATIAL) | (this.flags[row]! & NONSPATIAL);
    this.touch(row);
  }

  /** [SW-E26] Larger than MaxEntityRadius: it stands in the lists of all chunks that it touches, and cannot move. */
  isBig(row: number): boolean {
    return this.shapes.radius[this.shape[row]!]! > this.rules.MaxEntityRadius;
  }

  /** Calls back for every chunk number that the entity's box touches, its own included. */
  touchedChunks(row: number, visit: (x: number, y: number, z: number) => void): void {
    const [lowX, lowY, lowZ, highX, highY, highZ] = this.touchedRange(this.shape[row]!, this.positionOf(row, this.scratch));
    for (let z = lowZ; z <= highZ; z++) for (let y = lowY; y <= highY; y++) for (let x = lowX; x <= highX; x++) visit(x, y, z);
  }

  /** Marks the chunks that hold the entity as changed. */
  touch(row: number): void {
    if (this.isStreaming || (this.flags[row]! & NONSPATIAL) !== 0) return;
    const { chunks } = this;
    if (!this.isBig(row)) chunks.makeDirty(chunks.slotOf(row));
    else this.touchedChunks(row, (x, y, z) => chunks.makeDirty(chunks.find(x, y, z)));
  }

  /** Every field, for the field list of a world that stands on the store. Regions are made anew after a restore. */
  fields(io: FieldIO): void {
    this.count = io.num(this.count);
    this.nextId = io.num(this.nextId);
    this.freeRow = io.num(this.freeRow);
    this.rowEnd = io.num(this.rowEnd);
    if (this.rowEnd > this.id.length) this.grow(this.rowEnd);
    const { rowEnd } = this;
    this.chunks.fields(io);
    for (const column of [this.places.slot, this.places.place]) io.derived(column.subarray(0, rowEnd));
    io.ints(new Int32Array(this.id.buffer, 0, rowEnd));
    for (const column of [this.flags, this.shape]) io.ints(column.subarray(0, rowEnd));
    io.ints(this.columnOf((row) => this.chunkXOf(row)));
    io.ints(this.columnOf((row) => this.chunkYOf(row)));
    io.ints(this.columnOf((row) => this.chunkZOf(row)));
    for (const column of [this.x, this.y, this.z, this.vx, this.vy, this.vz]) io.nums(column.subarray(0, rowEnd));
    this.shapes.fields(io);
    this.parameters.fields(io, rowEnd);
    this.pairs.fields(io);
    this.ids.fields(io);
    const unsettled = new Float64Array(io.num(this.unsettled.length));
    unsettled.set(this.unsettled.slice(0, unsettled.length));
    io.nums(unsettled);
    this.unsettled = [...unsettled];
  }

  private checkSize(flags: number, shape: number): void {
    const radius = this.shapes.radius[shape]!;
    if ((flags & MOVABLE) !== 0 && radius > this.rules.MaxEntityRadius)
      throw new InputError('entity.volumes', `a body within MaxEntityRadius ${this.rules.MaxEntityRadius}, because it moves`, radius);
  }

  private checkParameter(parameter: number, value: number): void {
    if (this.parameters.parameters[parameter] === undefined || Number.isNaN(value))
      throw new InputError(`entity.parameters.${parameter}`, 'a known parameter and a number', value);
  }

  /** The first and the last chunk on each axis that a box of this shape touches there. */
  private touchedRange(shape: number, here: WorldPosition): [number, number, number, number, number, number] {
    const { rules, shapes } = this;
    const at = shape * BOX;
    const total = shapes.total;
    const lowX = reach(here.chunkX, here.x + total[at]!, rules.ChunkDimX, 0);
    const lowY = reach(here.chunkY, here.y + total[at + 1]!, rules.ChunkDimY, 0);
    const lowZ = reach(here.chunkZ, here.z + total[at + 2]!, rules.ChunkDimZ, 0);
    const highX = reach(here.chunkX, here.x + total[at + 3]!, rules.ChunkDimX, 1);
    const highY = reach(here.chunkY, here.y + total[at + 4]!, rules.ChunkDimY, 1);
    const highZ = reach(here.chunkZ, here.z + total[at + 5]!, rules.ChunkDimZ, 1);
    const touched = (highX - lowX + 1) * (highY - lowY + 1) * (highZ - lowZ + 1);
    if (touched > MAX_TOUCHED) throw new InputError('entity.volumes', `a box that touches at most ${MAX_TOUCHED} chunks`, touched);
    return [lowX, lowY, lowZ, highX, highY, highZ];
  }

  /** A column that is not kept. Chunk numbers are seen by hashes, and slots are not: those follow from the order in which chunks were made. */
  private columnOf(numberOf: (row: number) => number): Int32Array {
    const column = new Int32Array(this.rowEnd);
    for (let row = 0; row < this.rowEnd; row++) column[row] = numberOf(row);
    return column;
  }

  private shorten(row: number, vx: number, vy: number, vz: number): void {
    const speed2 = vx * vx + vy * vy + vz * vz;
    const limit = this.rules.MaxEntityVelocity;
    // the square of a number so large is none: a shorter arrow points the same way
    if (speed2 === Infinity) return this.shorten(row, vx * 1e-150, vy * 1e-150, vz * 1e-150);
    // a velocity that was shortened before may be above the limit by a rounding: it stays as it is
    const scale = speed2 > limit * limit * (1 + 1e-12) ? limit / Math.sqrt(speed2) : 1;
    this.vx[row] = vx * scale;
    this.vy[row] = vy * scale;
    this.vz[row] = vz * scale;
  }

  private settleNowhere(row: number): void {
    this.places.slot[row] = NOWHERE;
    this.settleAt(row, 0, 0, 0);
  }

  private settleAt(row: number, x: number, y: number, z: number): void {
    this.x[row] = x;
    this.y[row] = y;
    this.z[row] = z;
  }

  private link(row: number, chunkX: number, chunkY: number, chunkZ: number): void {
    const { chunks } = this;
    const home = chunks.findOrMake(chunkX, chunkY, chunkZ);
    if (this.isBig(row)) {
      this.places.slot[row] = home;
      this.touchedChunks(row, (x, y, z) => {
        const slot = chunks.findOrMake(x, y, z);
        chunks.putBig(slot, row);
        if (!this.isStreaming) chunks.makeDirty(slot);
      });
      return;
    }
    chunks.put(home, row);
    if (!this.isStreaming) chunks.makeDirty(home);
  }

  private unlink(row: number): void {
    const { chunks } = this;
    if (!this.isBig(row)) {
      this.leave(chunks.take(row));
      return;
    }
    this.touchedChunks(row, (x, y, z) => {
      const slot = chunks.find(x, y, z);
      chunks.takeBig(slot, row);
      this.leave(slot);
    });
  }

  private leave(slot: number): void {
    const { chunks } = this;
    if (!chunks.isEmpty(slot)) {
      if (!this.isStreaming) chunks.makeDirty(slot);
      return;
    }
    if (!this.isStreaming) this.emptied?.push(chunks.xOf(slot), chunks.yOf(slot), chunks.zOf(slot));
    chunks.free(slot);
  }

  private free(row: number): void {
    this.id[row] = 0;
    this.flags[row] = 0;
    this.shape[row] = 0;
    this.settleNowhere(row);
    this.vx[row] = 0;
    this.vy[row] = 0;
    this.vz[row] = 0;
    this.places.place[row] = this.freeRow;
    this.freeRow = row;
  }

  private newRow(): number {
    const free = this.freeRow;
    if (free >= 0) {
      this.freeRow = this.places.place[free]!;
      return free;
    }
    // four times as much: what nobody has written to is no memory yet, but what is copied is memory twice
    if (this.rowEnd === this.id.length) this.grow(roomFor(this.rowEnd + 1, this.rowEnd, 4));
    return this.rowEnd++;
  }

  private grow(capacity: number): void {
    this.id = grown(this.id, new Uint32Array(capacity));
    this.flags = grown(this.flags, new Int32Array(capacity));
    this.shape = grown(this.shape, new Int32Array(capacity));
    this.x = grown(this.x, new Float64Array(capacity));
    this.y = grown(this.y, new Float64Array(capacity));
    this.z = grown(this.z, new Float64Array(capacity));
    this.vx = grown(this.vx, new Float64Array(capacity));
    this.vy = grown(this.vy, new Float64Array(capacity));
    this.vz = grown(this.vz, new Float64Array(capacity));
    this.places.grow(capacity);
  }
}

/** The number of the chunk that a corner reaches, its own chunk included, cut off at the world's edge. */
function reach(chunk: number, offset: number, side: number, end: 0 | 1): number {
  const there = chunk + wholeChunks(offset, side);
  return end === 0 ? Math.max(Math.min(there, chunk), MIN_CHUNK) : Math.min(Math.max(there, chunk), MAX_CHUNK);
}

function checkVelocity(vx: number, vy: number, vz: number): void {
  numberAt(vx, 'entity.velocityX');
  numberAt(vy, 'entity.velocityY');
  numberAt(vz, 'entity.velocityZ');
}
