import type { ChunkRecord } from '@lockstep/sparse';
import type { Place } from './chunk-index.ts';
import type { DiskFile } from './disk.ts';
import type { Crc } from './format.ts';

/** Chunks that stand so near to one another are read at once. */
const GAP = 4096;
const RUN = 0x40_0000;

/** The chunks at these places, which are in the order of the file; those whose bytes are not what was written, with the damage told. */
export async function readPlaces(file: DiskFile, places: readonly Place[], suspectBelow: number, crc: Crc): Promise<ChunkRecord[]> {
  const records: ChunkRecord[] = [];
  for (let first = 0; first < places.length;) {
    const start = places[first]!.at;
    let [last, end] = [first, start];
    while (
      last < places.length &&
      places[last]!.at <= end + GAP &&
      (last === first || places[last]!.at + places[last]!.length <= start + RUN)
    ) {
      end = Math.max(end, places[last]!.at + places[last]!.length);
      last++;
    }
    const bytes = await file.read(start, end - start);
    for (const place of places.slice(first, last)) records.push(recordOf(place, bytes.subarray(place.at - start), suspectBelow, crc));
    first = last;
  }
  return records;
}

function recordOf({ x, y, z, at, length, crc: sum, seq }: Place, bytes: Uint8Array, suspectBelow: number, crc: Crc): ChunkRecord {
  const blob = bytes.slice(0, length);
  if (seq < suspectBelow) return { x, y, z, blob, damage: 'a chunk that may be older than a frame that is lost' };
  const got = crc(blob);
  if (got === sum) return { x, y, z, blob };
  return { x, y, z, blob, damage: `CRC ${hex(got)} instead of ${hex(sum)} at byte ${at} of the log` };
}

const hex = (value: number): string => value.toString(16).padStart(8, '0');
