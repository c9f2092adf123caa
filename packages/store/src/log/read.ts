import type { ChunkRecord } from '@lockstep/sparse';
import type { Place } from './chunk-index.ts';
import type { DiskFile } from './disk.ts';
import type { Crc } from './format.ts';

/** Chunks that stand so near to one another are read at once. */
const GAP = 4096;
const RUN = 0x40_0000;
const SECTOR = 4096;

/** What can be read of a file. A bad sector is zeros: what was there does not fit its CRC then, and the rest is not hurt by it. */
export async function readOver(file: DiskFile, at: number, length: number): Promise<Uint8Array> {
  try {
    return await file.read(at, length);
  } catch (error) {
    if ((error as { code?: string }).code !== 'EIO') throw error;
  }
  const bytes = new Uint8Array(Math.max(0, Math.min(length, (await file.size()) - at)));
  for (let done = 0; done < bytes.length;) {
    const piece = Math.min(bytes.length - done, SECTOR - ((at + done) % SECTOR));
    const read = await file.read(at + done, piece).catch(() => new Uint8Array(0));
    bytes.set(read, done);
    done += piece;
  }
  return bytes;
}

/** The chunks at these places, which are in the order of the file; those whose bytes are not what was written, with the damage told. */
export async function readPlaces(file: DiskFile, places: readonly Place[], suspectBelow: number, crc: Crc): Promise<ChunkRecord[]> {
  const records: ChunkRecord[] = [];
  for (let first = 0; first < places.length;) {
    const start = places[first]!.at;
    let [last, end] = [first, start];
    while (last < places.length && isNear(places[last]!, start, end)) {
      end = Math.max(end, places[last]!.at + places[last]!.length);
      last++;
    }
    const bytes = await readOver(file, start, end - start);
    for (const place of places.slice(first, last)) records.push(recordOf(place, bytes.subarray(place.at - start), suspectBelow, crc));
    first = last;
  }
  return records;
}

const isNear = ({ at, length }: Place, start: number, end: number): boolean =>
  at <= end + GAP && (at === start || at + length <= start + RUN);

function recordOf({ x, y, z, at, length, crc: sum, seq }: Place, bytes: Uint8Array, suspectBelow: number, crc: Crc): ChunkRecord {
  const blob = bytes.slice(0, length);
  if (seq < suspectBelow) return { x, y, z, blob, damage: 'a chunk that may be older than a frame that is lost' };
  const got = crc(blob);
  if (got === sum) return { x, y, z, blob };
  return { x, y, z, blob, damage: `CRC ${hex(got)} instead of ${hex(sum)} at byte ${at} of the log` };
}

const hex = (value: number): string => value.toString(16).padStart(8, '0');
