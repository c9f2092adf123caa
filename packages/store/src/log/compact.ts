import { InputError } from '@lockstep/kernel';
import { EVERYWHERE } from '../ranges.ts';
import { ChunkIndex, type Place } from './chunk-index.ts';
import type { Disk, DiskFile } from './disk.ts';
import { bodyAt, bodyLength, encodeHeader, frameLength, HEADER, type Row, type Section } from './format.ts';
import { generationOf, nameOf } from './generations.ts';
import { readOver } from './read.ts';
import type { Head } from './recover.ts';
import { framed, noteIn, type Volume } from './volume.ts';
import { writePieces } from './write.ts';

/** A frame of a new file holds so many chunks, or a bit more than so many bytes. */
const PART_CHUNKS = 4096;
const PART_BYTES = 0x40_0000;

/** Writes a new file beside the old one; nobody sees it before `finish`. */
export interface Compaction {
  /** What is alive at this moment. */
  copyAlive(): Promise<Volume>;
  /** Frames that were added to the old file since. */
  copyFrames(frames: readonly Section[]): Promise<void>;
  /** What was written so far is flushed, so that little is left for the end. */
  flush(): Promise<void>;
  /** Everything on the disk, then the name, then the name on the disk. */
  finish(): Promise<void>;
}

export function compacted(disk: Disk, old: Volume, head: Head | null): Compaction {
  const name = nameOf(generationOf(old.name) + 1);
  const parts = [...partsOf(old.index.within(EVERYWHERE))];
  const planned = plannedLength(parts, head);
  let file: DiskFile;
  let next: Volume;

  async function add(rows: readonly Row[], blobs: readonly Uint8Array[], frame: number, own: Uint8Array | null): Promise<void> {
    const section: Section = { seq: next.seq, at: next.length, synced: Math.max(planned, next.length), frame, rows, head: own };
    next.length = await writePieces(file, next.length, framed(section, blobs, disk));
    noteIn(next, section);
  }

  async function guarded<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      await file?.close().catch(() => {});
      await disk.remove(`${name}.new`).catch(() => {});
      throw error;
    }
  }

  return {
    copyAlive: () =>
      guarded(async () => {
        file = await disk.open(`${name}.new`, true);
        next = { file, name, index: new ChunkIndex(), length: HEADER, seq: 0, suspectBelow: 0, isMarked: false };
        await file.write(0, encodeHeader(disk.crc32));
        for (const part of parts) {
          const blobs = await blobsAt(old.file, part);
          await add(part.map((place) => rowOf(place, old.suspectBelow)), blobs, head?.frame ?? 0, null); // prettier-ignore
        }
        if (head !== null) await add([], [], head.frame, head.head);
        return next;
      }),
    copyFrames: (frames) =>
      guarded(async () => {
        for (const section of frames) {
          const body = await wholeRead(old.file, bodyAt(section), bodyLength(section.rows));
          await add(section.rows, [body], section.frame, section.head);
        }
      }),
    flush: () => guarded(() => file.sync()),
    finish: () =>
      guarded(async () => {
        await add([], [], head?.frame ?? 0, null); // says that all before it is on the disk: it will be when the file gets its name
        await file.sync();
        await disk.rename(`${name}.new`, name);
        await disk.sync();
      }),
  };
}

/** How long the file will be with all that is alive. Every part of it says so: it is one thing, and a piece of it is not the world. */
function plannedLength(parts: readonly (readonly Place[])[], head: Head | null): number {
  const heads = head === null ? [] : [{ rows: [], head: head.head }];
  const frames = [...parts.map((rows) => ({ rows, head: null })), ...heads];
  return frames.reduce((sum, frame) => sum + frameLength(frame), HEADER);
}

/** Damage stays damage: bytes are copied with the CRC that they should have, and a chunk that may be out of date gets one that it has not. */
function rowOf({ x, y, z, length, crc, seq }: Place, suspectBelow: number): Row {
  return { x, y, z, length, crc: seq < suspectBelow ? ~crc >>> 0 : crc };
}

function* partsOf(places: readonly Place[]): Generator<Place[]> {
  let part: Place[] = [];
  let bytes = 0;
  for (const place of places) {
    part.push(place);
    bytes += place.length;
    if (part.length < PART_CHUNKS && bytes < PART_BYTES) continue;
    yield part;
    [part, bytes] = [[], 0];
  }
  if (part.length > 0) yield part;
}

/** In the order of the file; neighbours are read at once. */
async function blobsAt(file: DiskFile, places: readonly Place[]): Promise<Uint8Array[]> {
  const blobs: Uint8Array[] = [];
  for (let first = 0; first < places.length;) {
    const { at } = places[first]!;
    let [last, end] = [first, at];
    while (last < places.length && places[last]!.at === end) end += places[last++]!.length;
    blobs.push(await wholeRead(file, at, end - at));
    first = last;
  }
  return blobs;
}

async function wholeRead(file: DiskFile, at: number, length: number): Promise<Uint8Array> {
  const bytes = await readOver(file, at, length);
  if (bytes.length < length) throw new InputError('log', `${length} bytes at ${at}`, bytes.length);
  return bytes;
}
