import type { Batch } from '@lockstep/sparse';

/*
 * The log of a world, all numbers little-endian. A file is a header and frames:
 *
 *   header   "LSWORLD\n"  u32 version  u32 crc of the 12 bytes before
 *   frame    front section, the blobs one after another, back section
 *   section  u32 "SWF1" (front) or "SWB1" (back)   u32 length of the section
 *            f64 seq       this is frame number seq of the file, from 0
 *            f64 at        where in the file the frame begins
 *            f64 synced    so many bytes of the file were on the disk when this was written (of a compacted file: when it got its name)
 *            f64 frame     the game's number of it
 *            f64 body      bytes of all blobs
 *            u32 count     chunks      u32 head   bytes of the head, 2^32 - 1: none, the head stays as it was
 *            count × { i32 x, i32 y, i32 z, u32 length of the blob (2^32 - 1: the chunk is forgotten), u32 crc of the blob }
 *            the head
 *            u32 crc of the section up to here
 *
 * The two sections of a frame say the same, so that one damaged byte never hides which chunks a frame changed. `at` and `seq` tell a section from bytes
 * that look like one, and a lost frame from none. `synced` tells a torn end (which was never acknowledged, and is cut) from damage (which is
 * reported): what lies before some frame's `synced` was whole once.
 */
export const VERSION = 1;
export const HEADER = 16;
const MAGIC = 'LSWORLD\n';
export const FRONT = 0x3146_5753;
export const BACK = 0x3142_5753;
/** Bytes of a section before its table. */
export const FIXED = 56;
const ROW = 20;
/** A chunk that is forgotten; a frame that leaves the head as it was. */
export const NONE = 0xffff_ffff;

export type Crc = (bytes: Uint8Array) => number;

export interface Row {
  readonly x: number;
  readonly y: number;
  readonly z: number;
  /** NONE: the chunk is forgotten. */
  readonly length: number;
  readonly crc: number;
}

export interface Section {
  readonly seq: number;
  readonly at: number;
  readonly synced: number;
  readonly frame: number;
  readonly rows: readonly Row[];
  readonly head: Uint8Array | null;
}

export const sectionLength = (rows: number, head: Uint8Array | null): number => FIXED + rows * ROW + (head?.length ?? 0) + 4;
export const bodyLength = (rows: readonly Row[]): number => rows.reduce((sum, { length }) => sum + (length === NONE ? 0 : length), 0);
export const frameLength = ({ rows, head }: Pick<Section, 'rows' | 'head'>): number =>
  2 * sectionLength(rows.length, head) + bodyLength(rows);
/** Where the first blob of a frame begins. */
export const bodyAt = (section: Section): number => section.at + sectionLength(section.rows.length, section.head);

/** A frame that only says that all before it is on the disk. */
export const isMark = ({ rows, head, at, synced }: Section): boolean => rows.length === 0 && head === null && synced === at;

export function rowsOf(batch: Batch, crc: Crc): Row[] {
  return batch.chunks.map(({ x, y, z, blob }) => ({ x, y, z, length: blob?.length ?? NONE, crc: blob === null ? 0 : crc(blob) }));
}

export function encodeHeader(crc: Crc): Uint8Array {
  const bytes = new Uint8Array(HEADER);
  const view = new DataView(bytes.buffer);
  bytes.set(new TextEncoder().encode(MAGIC));
  view.setUint32(8, VERSION, true);
  view.setUint32(12, crc(bytes.subarray(0, 12)), true);
  return bytes;
}

/** The version that a header tells; null when it is no whole header. */
export function decodeHeader(bytes: Uint8Array, crc: Crc): number | null {
  if (bytes.length < HEADER || new TextDecoder().decode(bytes.subarray(0, 8)) !== MAGIC) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return view.getUint32(12, true) === crc(bytes.subarray(0, 12)) ? view.getUint32(8, true) : null;
}

export function encodeSection(section: Section, magic: number, crc: Crc): Uint8Array {
  const { rows, head } = section;
  const bytes = new Uint8Array(sectionLength(rows.length, head));
  const view = new DataView(bytes.buffer);
  view.setUint32(0, magic, true);
  view.setUint32(4, bytes.length, true);
  [section.seq, section.at, section.synced, section.frame, bodyLength(rows)].forEach((value, i) => view.setFloat64(8 + 8 * i, value, true));
  view.setUint32(48, rows.length, true);
  view.setUint32(52, head?.length ?? NONE, true);
  let at = FIXED;
  for (const { x, y, z, length, crc: sum } of rows) {
    view.setInt32(at, x, true);
    view.setInt32(at + 4, y, true);
    view.setInt32(at + 8, z, true);
    view.setUint32(at + 12, length, true);
    view.setUint32(at + 16, sum, true);
    at += ROW;
  }
  if (head !== null) bytes.set(head, at);
  view.setUint32(bytes.length - 4, crc(bytes.subarray(0, bytes.length - 4)), true);
  return bytes;
}

/** The length that the beginning of a section claims; 0 when it is none of that kind. */
export function claimedLength(bytes: Uint8Array, magic: number): number {
  if (bytes.length < FIXED) return 0;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = view.getUint32(4, true);
  return view.getUint32(0, true) === magic && length >= FIXED + 4 ? length : 0;
}

/** A whole section, or null when its bytes are not what was written. */
export function decodeSection(bytes: Uint8Array, magic: number, crc: Crc): Section | null {
  if (claimedLength(bytes, magic) !== bytes.length) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (crc(bytes.subarray(0, bytes.length - 4)) !== view.getUint32(bytes.length - 4, true)) return null;
  const [count, headLength] = [view.getUint32(48, true), view.getUint32(52, true)];
  const rows: Row[] = Array.from({ length: count }, (_, i) => {
    const at = FIXED + i * ROW;
    const [x, y, z] = [view.getInt32(at, true), view.getInt32(at + 4, true), view.getInt32(at + 8, true)];
    return { x, y, z, length: view.getUint32(at + 12, true), crc: view.getUint32(at + 16, true) };
  });
  const head = headLength === NONE ? null : bytes.slice(FIXED + count * ROW, FIXED + count * ROW + headLength);
  const [seq, at, synced, frame] = [8, 16, 24, 32].map((place) => view.getFloat64(place, true));
  return { seq: seq!, at: at!, synced: synced!, frame: frame!, rows, head };
}
