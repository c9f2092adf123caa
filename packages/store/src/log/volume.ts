import type { ChunkIndex } from './chunk-index.ts';
import type { Disk, DiskFile } from './disk.ts';
import { BACK, bodyAt, encodeSection, FRONT, isMark, NONE, type Section } from './format.ts';

/** What the log of a world is written in; compaction replaces it as a whole. */
export interface Volume {
  readonly file: DiskFile;
  readonly name: string;
  readonly index: ChunkIndex;
  length: number;
  seq: number;
  /** Chunks that were written by frames below this number may be out of date. */
  readonly suspectBelow: number;
  /** The last frame says that all before it is on the disk. */
  isMarked: boolean;
}

/** The bytes of a frame, piece by piece. */
export function framed(section: Section, blobs: readonly Uint8Array[], { crc32 }: Disk): Uint8Array[] {
  return [encodeSection(section, FRONT, crc32), ...blobs, encodeSection(section, BACK, crc32)];
}

/** Notes a frame that now stands in the file. */
export function noteIn(volume: Volume, section: Section): void {
  let at = bodyAt(section);
  for (const row of section.rows) {
    volume.index.put(row, at, section.seq);
    if (row.length !== NONE) at += row.length;
  }
  volume.seq = section.seq + 1;
  volume.isMarked = isMark(section);
}
