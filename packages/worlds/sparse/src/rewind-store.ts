import type { Batch, ChunkRecord, ChunkStore } from './chunk-store.ts';
import type { ChunkRange } from './sim-region.ts';

const keyOf = ({ x, y, z }: ChunkRecord): string => `${x},${y},${z}`;

/**
 * Permanent memory that can be taken back: it remembers what every frame wrote over. What was taken back is written with the next frame, so that the
 * store below goes from one whole frame to another. Whoever commits a chunk has read it before.
 */
export class RewindStore implements ChunkStore {
  private readonly below: ChunkStore;
  /** What the store below holds, or will hold, of the chunks that were read and written; no entry: nothing. */
  private readonly known = new Map<string, ChunkRecord>();
  /** In the order of their frames. */
  private past: { readonly frame: number; readonly before: ChunkRecord }[] = [];
  /** Taken back and not yet written. */
  private readonly owed = new Map<string, ChunkRecord>();

  constructor(below: ChunkStore) {
    this.below = below;
  }

  async readRange(range: ChunkRange): Promise<ChunkRecord[]> {
    const found = (await this.below.readRange(range)).filter((record) => !this.owed.has(keyOf(record)));
    for (const record of this.owed.values()) if (record.blob !== null && isWithin(range, record)) found.push(record);
    for (const record of found) this.known.set(keyOf(record), record);
    return found;
  }

  readHead(): ReturnType<ChunkStore['readHead']> {
    return this.below.readHead();
  }

  async commit(batch: Batch): Promise<void> {
    const fresh = new Set(batch.chunks.map(keyOf));
    const taken = [...this.owed.values()].filter((record) => !fresh.has(keyOf(record)));
    await this.below.commit({ ...batch, chunks: [...batch.chunks, ...taken] });
    for (const record of taken) this.owed.delete(keyOf(record));
    for (const record of batch.chunks) {
      const key = keyOf(record);
      this.past.push({ frame: batch.frame, before: this.known.get(key) ?? { ...record, blob: null } });
      this.known.set(key, record);
      this.owed.delete(key);
    }
  }

  /** As if no frame after this one had been written. */
  rewind(frame: number): void {
    while (this.past.length > 0 && this.past.at(-1)!.frame > frame) {
      const { before } = this.past.pop()!;
      this.known.set(keyOf(before), before);
      this.owed.set(keyOf(before), before);
    }
  }

  /** Nobody will ask for what was before this frame; of chunks nobody has in memory nothing need be known. */
  forget(frame: number, read: ReadonlySet<string>): void {
    this.past = this.past.filter((entry) => entry.frame > frame);
    for (const key of this.known.keys()) if (!read.has(key)) this.known.delete(key);
  }
}

function isWithin({ minX, minY, minZ, maxX, maxY, maxZ }: ChunkRange, { x, y, z }: ChunkRecord): boolean {
  return x >= minX && x <= maxX && y >= minY && y <= maxY && z >= minZ && z <= maxZ;
}
