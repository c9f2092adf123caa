import { InputError, intAt } from '@lockstep/kernel';
import type { Batch, ChunkRecord, ChunkStore } from '@lockstep/sparse';
import { type Box, type ChunkNumbers, EVERYWHERE } from '../ranges.ts';
import type { Place } from './chunk-index.ts';
import { compacted } from './compact.ts';
import type { Disk } from './disk.ts';
import { frameLength, rowsOf, type Section } from './format.ts';
import { generationOf, openNewest, remove } from './generations.ts';
import { readPlaces } from './read.ts';
import type { Head, Repairs } from './recover.ts';
import { framed, noteIn, type Volume } from './volume.ts';
import { writePieces } from './write.ts';

export interface LogOptions {
  /** When the file is so many times as long as what is alive in it, it is compacted in the background; Infinity: only when asked. */
  readonly compactAt?: number;
  /** A shorter file is left alone. */
  readonly compactAbove?: number;
  /** Nothing is changed: what would be cut off is left where it is, and commits are refused. */
  readonly isReadOnly?: boolean;
  /** Where there is no world, none is made. A store for reading never makes one. */
  readonly mustExist?: boolean;
}

/** A commit that waits for its turn, or for the disk. */
interface Waiting {
  readonly batch: Batch;
  readonly kept: () => void;
  readonly failed: (error: unknown) => void;
}

/**
 * Permanent memory in an append-only log: a frame is one write and one flush, frames that wait share them. What is no longer alive goes when the log
 * is compacted into a new file beside the old one. The format is told in `format.ts`.
 */
export class LogStore implements ChunkStore {
  readonly repairs: Repairs;
  /** Why the last compaction in the background failed; the log goes on without. */
  compactionError: Error | null = null;
  private readonly disk: Disk;
  private readonly options: Required<LogOptions>;
  private readonly unlock: () => Promise<void>;
  private volume: Volume;
  private head: Head | null;
  private waiting: Waiting[] = [];
  /** The writer at work; it ends when nobody waits. */
  private writing: Promise<void> | null = null;
  private compacting: Promise<void> | null = null;
  /** What waits for the moment between two groups. */
  private interlude: (() => Promise<void>) | null = null;
  /** Frames written since the compaction that is at work began. */
  private since: Section[] | null = null;
  /** Reads that are at work in the present file. */
  private readonly reading = new Set<Promise<unknown>>();
  private broken: Error | null = null;
  private isClosed = false;
  /** How long the file was when compaction last failed: it is tried again when much has been added. */
  private failedAt = 0;

  private constructor(disk: Disk, options: LogOptions, unlock: () => Promise<void>, opened: Awaited<ReturnType<typeof openNewest>>) {
    this.disk = disk;
    this.options = { compactAt: 3, compactAbove: 8_000_000, isReadOnly: false, mustExist: false, ...options };
    this.unlock = unlock;
    this.volume = opened.volume;
    this.head = opened.head;
    this.repairs = opened.repairs;
  }

  static async open(disk: Disk, options: LogOptions = {}): Promise<LogStore> {
    const unlock = await disk.lock();
    try {
      return new LogStore(disk, options, unlock, await openNewest(disk, options));
    } catch (error) {
      await unlock();
      throw error;
    }
  }

  get chunkCount(): number {
    return this.volume.index.count;
  }

  /** Bytes of the file, and of the blobs that are alive in it. */
  get size(): { readonly file: number; readonly alive: number; readonly name: string; readonly generation: number } {
    const { length, index, name } = this.volume;
    return { file: length, alive: index.bytes, name, generation: generationOf(name) };
  }

  readHead(): Promise<Head | null> {
    return Promise.resolve(this.head);
  }

  readRange(range: Box): Promise<ChunkRecord[]> {
    return this.read(this.volume.index.within(range));
  }

  commit(batch: Batch): Promise<void> {
    return new Promise((kept, failed) => {
      if (this.isClosed) throw new InputError(this.disk.path, 'an open store', 'a closed one');
      batch.chunks.forEach(checkNumbers);
      this.waiting.push({ batch, kept, failed });
      this.writing ??= this.writeAll();
    });
  }

  /** Every chunk that is stored, in pieces, damaged ones with the damage told. */
  async *readAll(): AsyncGenerator<ChunkRecord[]> {
    const places = this.volume.index.within(EVERYWHERE);
    for (let i = 0; i < places.length; i += 1024) yield await this.read(places.slice(i, i + 1024));
  }

  /** Leaves only what is alive. Commits go on meanwhile. */
  compact(): Promise<void> {
    this.compacting ??= this.makeCompact().finally(() => (this.compacting = null));
    return this.compacting;
  }

  /** Waits for what is at work, and notes that all of it is on the disk. */
  async close(): Promise<void> {
    if (this.isClosed) return;
    this.isClosed = true;
    while (this.writing !== null || this.compacting !== null) {
      await this.writing;
      await this.compacting?.catch(() => {}); // who asked for it has been told
    }
    if (this.broken === null && !this.options.isReadOnly && !this.volume.isMarked) await this.mark().catch(() => {}); // it only spares a check
    await Promise.allSettled(this.reading);
    await this.volume.file.close();
    await this.unlock();
  }

  private read(places: readonly Place[]): Promise<ChunkRecord[]> {
    const { file, suspectBelow } = this.volume;
    const reading = readPlaces(file, places, suspectBelow, this.disk.crc32);
    this.reading.add(reading);
    return reading
      .catch((error: unknown) => {
        throw this.failure(error);
      })
      .finally(() => this.reading.delete(reading));
  }

  private async writeAll(): Promise<void> {
    while (this.waiting.length > 0 || this.interlude !== null) {
      const { interlude } = this;
      this.interlude = null;
      await interlude?.();
      const group = this.waiting.splice(0);
      try {
        if (group.length > 0) await this.writeGroup(group.map(({ batch }) => batch));
        for (const { kept } of group) kept();
      } catch (error) {
        for (const { failed } of group) failed(error);
      }
      this.compactIfWorthIt();
    }
    this.writing = null; // not later: nobody may come in between and wait for a writer that has gone
  }

  private async writeGroup(batches: readonly Batch[]): Promise<void> {
    if (this.options.isReadOnly) throw new InputError(this.disk.path, 'a store that may be written', 'one that was opened for reading');
    const { volume } = this;
    let [at, seq] = [volume.length, volume.seq];
    const sections = batches.map((batch): Section => {
      const section = { seq: seq++, at, synced: volume.length, frame: batch.frame, rows: rowsOf(batch, this.disk.crc32), head: batch.head };
      at += frameLength(section);
      return section;
    });
    const blobs = batches.map(({ chunks }) => chunks.flatMap(({ blob }) => (blob === null ? [] : [blob])));
    await this.append(sections, blobs);
    const last = batches.at(-1)!;
    this.head = { frame: last.frame, head: last.head.slice() };
  }

  /** One write, one flush. A write that fails leaves the file as it was; after a flush that fails nobody knows, and the store is no longer used. */
  private async append(sections: readonly Section[], blobs: readonly (readonly Uint8Array[])[]): Promise<void> {
    if (this.broken !== null) throw this.broken;
    const { volume } = this;
    const pieces = sections.flatMap((section, i) => framed(section, blobs[i]!, this.disk));
    let end: number;
    try {
      end = await writePieces(volume.file, volume.length, pieces);
    } catch (error) {
      await volume.file.truncate(volume.length).catch((reason: Error) => (this.broken = this.failure(reason)));
      throw this.failure(error);
    }
    try {
      await volume.file.sync();
    } catch (error) {
      this.broken = this.failure(error);
      throw this.broken;
    }
    for (const section of sections) noteIn(volume, section);
    volume.length = end;
    this.since?.push(...sections);
  }

  private mark(): Promise<void> {
    const { seq, length } = this.volume;
    return this.append([{ seq, at: length, synced: length, frame: this.head?.frame ?? 0, rows: [], head: null }], [[]]);
  }

  private compactIfWorthIt(): void {
    const { length, index } = this.volume;
    const { compactAt, compactAbove } = this.options;
    if (this.compacting !== null || this.broken !== null || this.isClosed || length < compactAbove) return;
    if (length < (index.bytes + index.count * 40) * compactAt || length < this.failedAt * 1.5) return;
    this.compact().then(
      () => (this.compactionError = null),
      (error: Error) => {
        this.compactionError = error;
        this.failedAt = this.volume.length;
      },
    );
  }

  private async makeCompact(): Promise<void> {
    if (this.options.isReadOnly) throw new InputError(this.disk.path, 'a store that may be written', 'one that was opened for reading');
    if (this.broken !== null) throw this.broken;
    const since: Section[] = [];
    this.since = since;
    const old = this.volume;
    try {
      const work = compacted(this.disk, old, this.head);
      const next = await work.copyAlive();
      await work.flush();
      for (let round = 0; round < 3 && since.length > 0; round++) {
        await work.copyFrames(since.splice(0));
        await work.flush();
      }
      // the rest while no frame is written; whoever commits waits that long
      await this.alone(async () => {
        if (this.broken !== null) throw this.broken;
        await work.copyFrames(since.splice(0));
        await work.finish();
        this.volume = next;
        this.failedAt = 0;
      });
    } catch (error) {
      throw this.failure(error);
    } finally {
      this.since = null;
    }
    await Promise.allSettled(this.reading);
    await old.file.close();
    await remove(this.disk, [old.name]);
  }

  /** Runs between two groups of frames, also when they come without a pause. */
  private alone(work: () => Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      this.interlude = () => work().then(resolve, reject);
      this.writing ??= this.writeAll();
    });
  }

  private failure(error: unknown): Error {
    if (error instanceof InputError) return error;
    const { code, message } = error as NodeJS.ErrnoException;
    const path = `${this.disk.path}/${this.volume.name}`;
    if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG') return new InputError(path, 'room on the disk', code);
    return new InputError(path, 'a disk that works', message);
  }
}

function checkNumbers({ x, y, z }: ChunkNumbers): void {
  intAt(x, 'chunk.x', -0x8000_0000, 0x7fff_ffff);
  intAt(y, 'chunk.y', -0x8000_0000, 0x7fff_ffff);
  intAt(z, 'chunk.z', -0x8000_0000, 0x7fff_ffff);
}
