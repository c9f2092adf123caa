import { claims, type Place } from '../conformance.test-support.ts';
import { IndexedDbStore } from './indexed-db.ts';

/** What the tests in a browser call from outside. */
export interface StorePage {
  readonly names: readonly string[];
  check(index: number): Promise<void>;
  open(name: string): Promise<string>;
  /** What a commit answers when the store is closed. */
  commitAfterEnd(name: string): Promise<string>;
  /** What survives when the page goes in the middle of things. */
  commitForever(name: string): Promise<void>;
  lastFrame(name: string): Promise<readonly number[]>;
}

function databasePlace(name: string): Place {
  return {
    open: () => IndexedDbStore.open(name),
    damage: (x, y, z) =>
      new Promise((resolve, reject) => {
        const opening = indexedDB.open(name);
        opening.onsuccess = () => {
          const transaction = opening.result.transaction('chunks', 'readwrite');
          const chunks = transaction.objectStore('chunks');
          const reading = chunks.get([x, y, z]) as IDBRequest<{ blob: Uint8Array }>;
          reading.onsuccess = () => {
            reading.result.blob[9]! ^= 16;
            chunks.put(reading.result, [x, y, z]);
          };
          transaction.addEventListener('abort', () => reject(transaction.error!));
          transaction.oncomplete = () => {
            opening.result.close();
            resolve();
          };
        };
      }),
  };
}

const held = new Map<string, IndexedDbStore>();
const everywhere = { minX: -9, minY: -9, minZ: -9, maxX: 999, maxY: 9, maxZ: 9 };

const page: StorePage = {
  names: claims.map(({ name }) => name),
  async check(index) {
    const name = `claim ${index}`;
    await IndexedDbStore.erase(name);
    await claims[index]!.check(databasePlace(name));
    await IndexedDbStore.erase(name);
  },
  async open(name) {
    try {
      held.set(name, await IndexedDbStore.open(name));
      return 'open';
    } catch (error) {
      return (error as Error).message;
    }
  },
  async commitAfterEnd(name) {
    const store = await IndexedDbStore.open(name);
    await store.close();
    return store.commit({ frame: 1, head: new Uint8Array(0), chunks: [] }).then(
      () => 'kept',
      (error: Error) => error.message,
    );
  },
  async commitForever(name) {
    const store = await IndexedDbStore.open(name);
    for (let frame = 1; ; frame++) {
      const blob = new Uint8Array(500).fill(frame % 256);
      await store.commit({
        frame,
        head: Uint8Array.of(frame % 256),
        chunks: Array.from({ length: 50 }, (_, x) => ({ x, y: 0, z: 0, blob })),
      });
      document.title = String(frame);
    }
  },
  async lastFrame(name) {
    const store = await IndexedDbStore.open(name);
    const head = await store.readHead();
    const records = await store.readRange(everywhere);
    await store.close();
    return [head!.frame, ...new Set([...head!.head, ...records.flatMap(({ blob }) => [...blob!])])];
  },
};

Object.assign(globalThis, { storePage: page });
