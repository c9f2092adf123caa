import { InputError } from '@lockstep/kernel';
import { type ChunkStore, Chronicle, fileToWorld, MemoryChunkStore, sparse, worldToFile } from '@lockstep/sparse';
import { IndexedDbStore } from '@lockstep/store/browser';

/** A dungeon to begin with, where nothing is kept under its name. */
export interface Beginning {
  readonly name: string;
  readonly seed: string;
  readonly origin: readonly [number, number, number];
}

/** One's own dungeon never runs out of time. */
const TICKS = 1_000_000;

/** Where a dungeon is kept: a database of the browser by its name, or nowhere where the browser has none. */
export class Keeper {
  readonly beginning: Beginning;
  /** False where everything is gone with the page. */
  readonly lasts: boolean;
  chronicle: Chronicle;
  private store: ChunkStore & { close?(): Promise<void> };

  private constructor(beginning: Beginning, lasts: boolean, store: ChunkStore, chronicle: Chronicle) {
    this.beginning = beginning;
    this.lasts = lasts;
    this.store = store;
    this.chronicle = chronicle;
  }

  /** Throws an InputError where the dungeon is open elsewhere. */
  static async open(beginning: Beginning): Promise<Keeper> {
    const lasts = typeof indexedDB !== 'undefined';
    const store = lasts ? await openSoon(databaseOf(beginning.name)) : new MemoryChunkStore();
    return new Keeper(beginning, lasts, store, await begin(store, beginning));
  }

  /** Forgets what was kept and begins anew; with bytes, with the world of a file. A file that cannot be read changes nothing. */
  async replace(seed: string, file?: { readonly bytes: Uint8Array; readonly name: string }): Promise<void> {
    const batch = file === undefined ? null : fileToWorld(file.bytes, file.name);
    await this.close();
    if (this.lasts) {
      await IndexedDbStore.erase(databaseOf(this.beginning.name));
      this.store = await IndexedDbStore.open(databaseOf(this.beginning.name));
    } else this.store = new MemoryChunkStore();
    if (batch !== null) await this.store.commit(batch);
    this.chronicle = await begin(this.store, { ...this.beginning, seed });
  }

  async file(): Promise<Uint8Array<ArrayBuffer>> {
    await this.chronicle.commit();
    return new Uint8Array(await worldToFile(this.store));
  }

  close(): Promise<void> {
    return this.store.close?.() ?? Promise.resolve();
  }
}

const TRIES = 10;
const BETWEEN_TRIES = 200;

/** A page that has just gone, or been loaded again, may not have let go yet. */
async function openSoon(name: string): Promise<IndexedDbStore> {
  for (let left = TRIES; ; left--) {
    try {
      return await IndexedDbStore.open(name);
    } catch (error) {
      if (!(error instanceof InputError) || left === 0) throw error;
      await new Promise((resolve) => setTimeout(resolve, BETWEEN_TRIES));
    }
  }
}

const databaseOf = (name: string): string => `lockstep dungeon ${name}`;

function begin(store: ChunkStore, { seed, origin }: Beginning): Promise<Chronicle> {
  return Chronicle.open(store, sparse.world.readConfig({ heroes: 1, ticks: TICKS, origin }), BigInt(seed));
}

/** `#explore=NAME&seed=…&origin=x,y,z`: what is left out has a default. */
export function readExplorerLink(link: string, freshSeed: () => string): Beginning {
  const words = new URLSearchParams(`name=${link}`);
  const origin = (words.get('origin') ?? '0,0,0').split(',').map(Number);
  const seed = words.get('seed') ?? freshSeed();
  if (!/^\d{1,20}$/.test(seed)) throw new InputError('seed', 'a whole number 0..18446744073709551615', seed);
  sparse.world.readConfig({ origin });
  return { name: words.get('name') || 'home', seed, origin: origin as unknown as Beginning['origin'] };
}
