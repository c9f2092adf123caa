import { InputError } from '@lockstep/kernel';
import { blobToChunk, blobToHead, chunkToBlob, headToBlob } from './blob.ts';
import type { ChunkRecord, ChunkStore } from './chunk-store.ts';
import { inRange } from './region.ts';
import { ChunkRange } from './sim-region.ts';
import type { Store } from './store.ts';

/** A chunk whose bytes are not what was written. It is left out, the rest loads. */
export interface Damage {
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly why: string;
}

/** A region that one machine can simulate is far smaller; a range of the whole world would be listed for ever. */
const MAX_REQUIRED = 0x10_0000;

const keyOf = (x: number, y: number, z: number): string => `${x},${y},${z}`;
const numbersIn = (key: string): [number, number, number] => key.split(',').map(Number) as [number, number, number];

/**
 * [SW-R7] Between a store in memory and permanent memory: the world may be larger than memory, because only chunks that somebody asked for are in
 * it. Regions must be synced before `commit` and `keep`.
 */
export class Save {
  readonly store: Store;
  readonly damaged: Damage[] = [];
  private readonly chunkStore: ChunkStore;
  /** Chunks that have been read, also those that turned out empty. */
  private readonly loaded = new Set<string>();
  /** Commits whose promise is not yet kept: until then their chunks stay in memory. */
  private readonly underway = new Set<readonly ChunkRecord[]>();

  constructor(store: Store, chunkStore: ChunkStore) {
    this.store = store;
    this.chunkStore = chunkStore;
    store.emptied = [];
  }

  /** Takes in what belongs to no chunk. The frame of the last commit and the game's own bytes; null for a new world. */
  async open(): Promise<{ readonly frame: number; readonly own: Uint8Array } | null> {
    const last = await this.chunkStore.readHead();
    return last === null ? null : { frame: last.frame, own: blobToHead(this.store, last.head) };
  }

  /** Makes sure that all chunks of a range are in memory. Whether any had to be read. */
  async require(range: ChunkRange): Promise<boolean> {
    const missing = numbersOf(range).filter(([x, y, z]) => !this.loaded.has(keyOf(x, y, z)));
    if (missing.length === 0) return false;
    const records = await this.chunkStore.readRange(around(missing));
    for (const [x, y, z] of missing) this.loaded.add(keyOf(x, y, z));
    const isMissing = new Set(missing.map(([x, y, z]) => keyOf(x, y, z)));
    for (const record of records) if (isMissing.has(keyOf(record.x, record.y, record.z))) this.takeIn(record);
    return true;
  }

  /** The chunks that have been read: with the store's fields, a moment to come back to. */
  get read(): ReadonlySet<string> {
    return new Set(this.loaded);
  }

  /** The store holds another moment, at which these chunks had been read. What of it was written nobody knows: all of it counts as changed. */
  startOver(read: ReadonlySet<string>): void {
    const { chunks } = this.store;
    this.loaded.clear();
    const emptied: number[] = [];
    for (const key of read) {
      this.loaded.add(key);
      const [x, y, z] = numbersIn(key);
      if (chunks.find(x, y, z) < 0) emptied.push(x, y, z);
    }
    this.store.emptied = emptied;
    for (let slot = 0; slot < chunks.slotEnd; slot++) if (chunks.exists(slot)) chunks.makeDirty(slot);
  }

  /** Writes every chunk that changed, all or nothing. An entity that wandered into a chunk that is not here is joined with it first. */
  async commit(frame: number, own: Uint8Array = new Uint8Array(0)): Promise<number> {
    const { chunks } = this.store;
    for (const [x, y, z] of this.changed()) if (!this.loaded.has(keyOf(x, y, z))) await this.require(oneChunk(x, y, z));
    const records = this.changed().map(([x, y, z]): ChunkRecord => {
      const slot = chunks.find(x, y, z);
      return { x, y, z, blob: slot < 0 ? null : chunkToBlob(this.store, slot) };
    });
    const head = headToBlob(this.store, own);
    chunks.cleanAll(); // what changes while the bytes are on their way belongs to the next commit
    this.store.emptied = [];
    this.underway.add(records);
    try {
      await this.chunkStore.commit({ frame, head, chunks: records });
    } catch (error) {
      this.markChanged(records);
      throw error;
    } finally {
      this.underway.delete(records);
    }
    return records.length;
  }

  /** Nothing of a commit that failed was written: all of it belongs to the next one. */
  private markChanged(records: readonly ChunkRecord[]): void {
    for (const { x, y, z } of records) {
      const slot = this.store.chunks.find(x, y, z);
      if (slot < 0) this.store.emptied!.push(x, y, z);
      else this.store.chunks.makeDirty(slot);
    }
  }

  /** Forgets all chunks outside the ranges, but for those that have changed since the last commit. */
  keep(ranges: readonly ChunkRange[]): void {
    const { store } = this;
    const changed = new Set(this.changed().map(([x, y, z]) => keyOf(x, y, z)));
    for (const records of this.underway) for (const { x, y, z } of records) changed.add(keyOf(x, y, z));
    const leaving = [...this.loaded.keys()].map(numbersIn);
    store.isStreaming = true;
    for (const [x, y, z] of leaving) {
      const key = keyOf(x, y, z);
      if (changed.has(key) || ranges.some((range) => inRange(range, x, y, z))) continue;
      this.loaded.delete(key);
      this.forget(x, y, z);
    }
    store.isStreaming = false;
  }

  /** Chunks that differ from what was committed last. */
  private changed(): [number, number, number][] {
    const { chunks, emptied } = this.store;
    const found = new Map<string, [number, number, number]>();
    for (let slot = 0; slot < chunks.slotEnd; slot++) {
      if (!chunks.exists(slot) || !chunks.isDirty(slot)) continue;
      const at: [number, number, number] = [chunks.xOf(slot), chunks.yOf(slot), chunks.zOf(slot)];
      found.set(keyOf(...at), at);
    }
    for (let i = 0; i < emptied!.length; i += 3) found.set(keyOf(...tripleAt(emptied!, i)), tripleAt(emptied!, i));
    return [...found.values()];
  }

  private takeIn(record: ChunkRecord): void {
    const { x, y, z } = record;
    const path = `chunk ${keyOf(x, y, z)}`;
    this.store.isStreaming = true;
    try {
      if (record.damage !== undefined) throw new InputError(path, 'the bytes that were written', record.damage);
      blobToChunk(this.store, record.blob!, path, [x, y, z]);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      this.damaged.push({ x, y, z, why: error.message });
    } finally {
      this.store.isStreaming = false;
    }
  }

  /** Takes a chunk's entities out of memory; big ones only with the last chunk that they touch. */
  private forget(x: number, y: number, z: number): void {
    const { store } = this;
    const slot = store.chunks.find(x, y, z);
    if (slot < 0) return;
    const rows: number[] = [];
    rows.length = store.chunks.rowsOf(slot, rows);
    for (const row of rows) {
      let isNeeded = false;
      if (store.isBig(row)) store.touchedChunks(row, (cx, cy, cz) => (isNeeded ||= this.loaded.has(keyOf(cx, cy, cz))));
      if (!isNeeded) store.remove(store.id[row]!);
    }
  }
}

function tripleAt(list: readonly number[], i: number): [number, number, number] {
  const at = i - (i % 3);
  return [list[at]!, list[at + 1]!, list[at + 2]!];
}

function numbersOf(range: ChunkRange): [number, number, number][] {
  const count = (range.maxX - range.minX + 1) * (range.maxY - range.minY + 1) * (range.maxZ - range.minZ + 1);
  if (!(count <= MAX_REQUIRED)) throw new InputError('range', `at most ${MAX_REQUIRED} chunks at a time`, count);
  const numbers: [number, number, number][] = [];
  for (let z = range.minZ; z <= range.maxZ; z++)
    for (let y = range.minY; y <= range.maxY; y++) for (let x = range.minX; x <= range.maxX; x++) numbers.push([x, y, z]);
  return numbers;
}

function around(numbers: readonly (readonly [number, number, number])[]): ChunkRange {
  const range = new ChunkRange();
  [range.minX, range.minY, range.minZ] = numbers[0]!;
  [range.maxX, range.maxY, range.maxZ] = numbers[0]!;
  for (const [x, y, z] of numbers) {
    range.minX = Math.min(range.minX, x);
    range.minY = Math.min(range.minY, y);
    range.minZ = Math.min(range.minZ, z);
    range.maxX = Math.max(range.maxX, x);
    range.maxY = Math.max(range.maxY, y);
    range.maxZ = Math.max(range.maxZ, z);
  }
  return range;
}

const oneChunk = (x: number, y: number, z: number): ChunkRange => around([[x, y, z]]);
