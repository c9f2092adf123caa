import { InputError } from '@lockstep/kernel';
import { ChunkIndex } from './chunk-index.ts';
import type { Disk, DiskFile } from './disk.ts';
import {
  BACK,
  bodyAt,
  claimedLength,
  decodeHeader,
  decodeSection,
  FIXED,
  FRONT,
  frameLength,
  HEADER,
  isMark,
  NONE,
  type Section,
  sectionLength,
  VERSION,
} from './format.ts';
import { readOver } from './read.ts';

/** A piece of the file that cannot be read, and how many frames were in it; null: nobody knows. */
interface Lost {
  readonly at: number;
  readonly bytes: number;
  readonly frames: number | null;
}

/** What was found wrong when a log was opened. */
export interface Repairs {
  /** Where the end was cut off, and how many bytes: a write that was never acknowledged, or a damaged last frame. Null: nothing was. */
  readonly cut: { readonly at: number; readonly bytes: number } | null;
  /** Frames of which not even the list of chunks can be read. Chunks written before them count as damaged, since they may be out of date. */
  readonly lost: readonly Lost[];
  readonly isHeaderDamaged: boolean;
}

export interface Head {
  readonly frame: number;
  readonly head: Uint8Array;
}

/** A log as it was found. */
export interface Recovered {
  readonly index: ChunkIndex;
  readonly head: Head | null;
  /** Where the next frame begins; behind it is what must be cut. */
  readonly length: number;
  /** The number in the file of the next frame. */
  readonly seq: number;
  /** Chunks that were written by frames below this number may be out of date. */
  readonly suspectBelow: number;
  /** The last frame says that all before it is on the disk. */
  readonly isMarked: boolean;
  readonly repairs: Repairs;
}

interface Found {
  readonly section: Section;
  /** Only its back section could be read. */
  readonly isHurt: boolean;
}

const AHEAD = 0x1_0000;
const SEARCH_WINDOW = 0x10_0000;

/**
 * Reads the lists of chunks, not the chunks: those before the last `synced` were whole once, and are checked when they are read. Behind it every byte
 * is checked, and the log ends before the first frame that is not whole.
 */
export async function recover(file: DiskFile, name: string, disk: Disk): Promise<Recovered> {
  const size = await file.size();
  const version = decodeHeader(await readOver(file, 0, HEADER), disk.crc32);
  const path = `${disk.path}/${name}`;
  if (version !== null && version !== VERSION) throw new InputError(path, `a world's log of version ${VERSION}`, `version ${version}`);
  const log = new LogReader(file, size, disk);
  const builder = new Builder();
  const pending: Found[] = [];
  let end = HEADER;
  for (let found = await log.frameFrom(end); found !== null; found = await log.frameFrom(end)) {
    pending.push(found);
    end = found.section.at + frameLength(found.section);
    while (pending.length > 0 && pending[0]!.section.at < log.synced) builder.take(pending.shift()!.section);
  }
  if (version === null && builder.isEmpty && pending.length === 0) throw new InputError(path, "a world's log", 'another file');
  for (const { section, isHurt } of pending) {
    if (isHurt || section.at !== builder.end || !(await log.isWhole(section))) break;
    builder.take(section);
  }
  return builder.done(size, log.synced, version === null);
}

class Builder {
  readonly index = new ChunkIndex();
  end = HEADER;
  private head: Head | null = null;
  private seq = 0;
  private suspectBelow = 0;
  private isMarked = true;
  private readonly lost: Lost[] = [];

  get isEmpty(): boolean {
    return this.seq === 0;
  }

  take(section: Section): void {
    if (section.at > this.end) {
      this.lost.push({ at: this.end, bytes: section.at - this.end, frames: section.seq - this.seq });
      this.suspectBelow = section.seq;
    }
    this.index.reserve(this.index.count + section.rows.length);
    let at = bodyAt(section);
    for (const row of section.rows) {
      this.index.put(row, at, section.seq);
      if (row.length !== NONE) at += row.length;
    }
    if (section.head !== null) this.head = { frame: section.frame, head: section.head };
    this.seq = section.seq + 1;
    this.isMarked = isMark(section);
    this.end = section.at + frameLength(section);
  }

  /** `synced`: so long the file was once, all of it on the disk. */
  done(size: number, synced: number, isHeaderDamaged: boolean): Recovered {
    if (this.end < synced) {
      this.lost.push({ at: this.end, bytes: synced - this.end, frames: null });
      this.suspectBelow = this.seq;
    }
    const { index, head, end: length, seq, suspectBelow, isMarked, lost } = this;
    const cut = length < size ? { at: length, bytes: size - length } : null;
    return { index, head, length, seq, suspectBelow, isMarked, repairs: { cut, lost, isHeaderDamaged } };
  }
}

/** Finds frames in a file whose bytes may be anything. */
class LogReader {
  /** So many bytes of the file were on the disk, as the frames say that could be read. */
  synced = 0;
  private readonly file: DiskFile;
  private readonly size: number;
  private readonly disk: Disk;
  private ahead: Uint8Array = new Uint8Array(0);
  private aheadAt = 0;

  constructor(file: DiskFile, size: number, disk: Disk) {
    this.file = file;
    this.size = size;
    this.disk = disk;
  }

  /** The frame that begins here; where none can be read, the next one behind. */
  async frameFrom(at: number): Promise<Found | null> {
    const section = await this.sectionAt(at, FRONT);
    if (section !== null) return at + frameLength(section) <= this.size ? { section, isHurt: false } : null;
    return at < this.size ? this.search(at) : null;
  }

  /** Are both sections and all blobs what was written? */
  async isWhole(section: Section): Promise<boolean> {
    let at = bodyAt(section);
    for (const { length, crc } of section.rows) {
      if (length === NONE) continue;
      if (this.disk.crc32(await this.read(at, length)) !== crc) return false;
      at += length;
    }
    return (await this.sectionAt(at, BACK)) !== null;
  }

  /** A section of the frame that says to be here. */
  private async sectionAt(at: number, magic: number): Promise<Section | null> {
    const length = claimedLength(await this.read(at, FIXED), magic);
    if (length === 0 || at + length > this.size) return null;
    const section = decodeSection(await this.read(at, length), magic, this.disk.crc32);
    if (section === null) return null;
    const begin = magic === FRONT ? at : at + sectionLength(section.rows.length, section.head) - frameLength(section);
    if (section.at !== begin) return null;
    this.synced = Math.max(this.synced, section.synced);
    return section;
  }

  private async search(from: number): Promise<Found | null> {
    for (let at = from; at < this.size; at += SEARCH_WINDOW) {
      const bytes = await readOver(this.file, at, SEARCH_WINDOW + 3);
      for (let i = 0; i + 3 < bytes.length; i++) {
        if (bytes[i] !== 0x53 || bytes[i + 1] !== 0x57 || bytes[i + 3] !== 0x31) continue; // "SW.1"
        const front = await this.sectionAt(at + i, FRONT);
        if (front !== null && at + i + frameLength(front) <= this.size) return { section: front, isHurt: false };
        const back = await this.sectionAt(at + i, BACK);
        if (back !== null && back.at >= from) return { section: back, isHurt: true };
      }
    }
    return null;
  }

  /** From bytes that are read ahead: most frames begin behind one another. */
  private async read(at: number, length: number): Promise<Uint8Array> {
    if (at < this.aheadAt || at + length > this.aheadAt + this.ahead.length) {
      this.ahead = await readOver(this.file, at, Math.max(length, AHEAD));
      this.aheadAt = at;
    }
    return this.ahead.subarray(at - this.aheadAt, at - this.aheadAt + length);
  }
}
