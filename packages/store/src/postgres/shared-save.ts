import { InputError } from '@lockstep/kernel';
import {
  type Batch,
  blobToChunk,
  type ChunkRecord,
  type ChunkStore,
  type Damage,
  type EntitySpec,
  Save,
  type Store,
} from '@lockstep/sparse';
import { type Box, isInside } from '../ranges.ts';
import type { LeasedStore } from './world.ts';

/**
 * [SW-E33] Between a store in memory and the leased part of a world that several processes simulate. Who walks out of the part is handed over in the
 * frame that writes the chunk left behind, and taken by whoever holds the part entered in the frame that writes the chunk entered: at every moment
 * each entity stands in one place of the database. The world must stand still while a frame is committed.
 */
export class SharedSave {
  readonly store: Store;
  private readonly leased: LeasedStore;
  private readonly save: Save;
  /** Rows whose entities are in memory and not yet in a frame. */
  private taken: string[] = [];
  private nextId = 0;
  private idsEnd = 0;

  constructor(store: Store, leased: LeasedStore) {
    this.store = store;
    this.leased = leased;
    this.save = new Save(store, this.part());
  }

  get damaged(): readonly Damage[] {
    return this.save.damaged;
  }

  open(): Promise<{ readonly frame: number; readonly own: Uint8Array } | null> {
    return this.save.open();
  }

  /** Makes sure that the chunks of a range are in memory, as far as they are leased. Whether any had to be read. */
  require(range: Box): Promise<boolean> {
    return this.save.require(common(range, this.leased.lease.range));
  }

  /** Ids for so many new entities. */
  async reserveIds(count: number): Promise<void> {
    this.nextId = await this.leased.world.reserveIds(count);
    this.idsEnd = this.nextId + count;
  }

  /** Adds an entity under an id that no other process gives away. */
  insert(spec: EntitySpec): number {
    if (this.nextId === this.idsEnd) throw new InputError('entity', 'reserved ids', 'none left');
    this.store.nextId = this.nextId++;
    return this.store.insert(spec);
  }

  /** Takes in who was handed over to this part; the next frame makes it final. The answer is how many came. */
  async take(): Promise<number> {
    const waiting = (await this.leased.handed()).filter(({ id }) => !this.taken.includes(id));
    const before = this.store.count;
    for (const { id, x, y, z, blob } of waiting) {
      await this.save.require({ minX: x, minY: y, minZ: z, maxX: x, maxY: y, maxZ: z });
      blobToChunk(this.store, blob, `handed ${id}`, [x, y, z]);
      this.taken.push(id);
    }
    return this.store.count - before;
  }

  /** Writes what changed and hands over who has left; they are gone from memory then. */
  async commit(frame: number, own?: Uint8Array): Promise<number> {
    const written = await this.save.commit(frame, own);
    this.save.keep([this.leased.lease.range]);
    return written;
  }

  /** As `Save` sees it, other parts are empty: only who comes from here is in their chunks. */
  private part(): ChunkStore {
    const { leased } = this;
    const { range } = leased.lease;
    return {
      readHead: () => leased.readHead(),
      readRange: async (asked) => (await leased.readRange(asked)).filter((record) => isInside(range, record)),
      commit: async (batch: Batch) => {
        const isMine = (record: ChunkRecord): boolean => isInside(range, record);
        const given = batch.chunks.filter((record) => !isMine(record) && record.blob !== null);
        const taken = [...this.taken];
        await leased.commitWith({ ...batch, chunks: batch.chunks.filter(isMine) }, { given, taken });
        this.taken = this.taken.filter((id) => !taken.includes(id));
      },
    };
  }
}

function common(a: Box, b: Box): Box {
  return {
    minX: Math.max(a.minX, b.minX),
    minY: Math.max(a.minY, b.minY),
    minZ: Math.max(a.minZ, b.minZ),
    maxX: Math.min(a.maxX, b.maxX),
    maxY: Math.min(a.maxY, b.maxY),
    maxZ: Math.min(a.maxZ, b.maxZ),
  };
}
