import type { ChunkRange } from './sim-region.ts';

/** One chunk of a commit; null when the chunk has emptied and is to be forgotten. */
export interface ChunkRecord {
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly blob: Uint8Array | null;
  /** Of a chunk that was read: why its bytes are not what was written. */
  readonly damage?: string;
}

/** What changed since the last commit. An entity that crossed chunks is in one batch with both. */
export interface Batch {
  readonly frame: number;
  readonly head: Uint8Array;
  readonly chunks: readonly ChunkRecord[];
}

/** Permanent memory ([SW-R7] [SW-R10]): a log, a database, or a Map. Blobs are opaque here and carry a CRC of their own. */
export interface ChunkStore {
  /** All chunks stored within a range of chunk numbers, ends included, in any order. */
  readRange(range: ChunkRange): Promise<ChunkRecord[]>;
  /** The frame and the head of the last commit; null when there was none. */
  readHead(): Promise<{ readonly frame: number; readonly head: Uint8Array } | null>;
  /** All of it or nothing; when the promise resolves it survives whatever may happen. */
  commit(batch: Batch): Promise<void>;
}

/** For tests, and for worlds that live as long as the page. */
export class MemoryChunkStore implements ChunkStore {
  private readonly chunks = new Map<string, ChunkRecord>();
  private last: { readonly frame: number; readonly head: Uint8Array } | null = null;

  get count(): number {
    return this.chunks.size;
  }

  readRange(range: ChunkRange): Promise<ChunkRecord[]> {
    const { minX, minY, minZ, maxX, maxY, maxZ } = range;
    const isIn = ({ x, y, z }: ChunkRecord): boolean => x >= minX && x <= maxX && y >= minY && y <= maxY && z >= minZ && z <= maxZ;
    return Promise.resolve([...this.chunks.values()].filter((record) => isIn(record)));
  }

  readHead(): Promise<{ readonly frame: number; readonly head: Uint8Array } | null> {
    return Promise.resolve(this.last);
  }

  commit(batch: Batch): Promise<void> {
    for (const record of batch.chunks) {
      const key = `${record.x},${record.y},${record.z}`;
      if (record.blob === null) this.chunks.delete(key);
      else this.chunks.set(key, record);
    }
    this.last = { frame: batch.frame, head: batch.head };
    return Promise.resolve();
  }
}
