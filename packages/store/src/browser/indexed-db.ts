import { InputError } from '@lockstep/kernel';
import type { Batch, ChunkRecord, ChunkStore } from '@lockstep/sparse';
import { type Box, isInside } from '../ranges.ts';

const VERSION = 1;
const CHUNKS = 'chunks';
const HEAD = 'head';
/** So many lines of chunks are asked for one by one; more of them as one piece, of which most is thrown away. */
const MANY_LINES = 256;
/** A page that was closed or is loading anew has a world open for a moment longer, in milliseconds. */
const GOING = 1000;

interface Head {
  readonly frame: number;
  readonly head: Uint8Array;
}

/**
 * Permanent memory of a page or a worker: a database of the browser by a name of its own, a row a chunk under its three numbers. A frame is one
 * transaction that the browser flushes to the disk. One page at a time has it open.
 */
export class IndexedDbStore implements ChunkStore {
  private readonly name: string;
  private readonly database: IDBDatabase;
  private readonly unlock: () => void;
  /** The last frame on its way; frames end in their order. */
  private last: Promise<unknown> = Promise.resolve();

  private constructor(name: string, database: IDBDatabase, unlock: () => void) {
    this.name = name;
    this.database = database;
    this.unlock = unlock;
  }

  static async open(name: string): Promise<IndexedDbStore> {
    const unlock = await locked(name);
    try {
      return new IndexedDbStore(name, await opened(name), unlock);
    } catch (error) {
      unlock();
      throw error;
    }
  }

  /** Forgets a world for good. Nobody may have it open. */
  static async erase(name: string): Promise<void> {
    const unlock = await locked(name);
    try {
      const request = indexedDB.deleteDatabase(name);
      const isHeld = new Promise<never>((_, reject) => {
        request.addEventListener('blocked', () =>
          reject(new InputError(`world ${name}`, 'to be open nowhere', 'another page that has it open')),
        );
      });
      await Promise.race([answerOf(request), isHeld]);
    } finally {
      unlock();
    }
  }

  async readRange(range: Box): Promise<ChunkRecord[]> {
    const chunks = this.database.transaction(CHUNKS).objectStore(CHUNKS);
    const found = await Promise.all(keyRangesOf(range).map((keys) => answerOf<ChunkRecord[]>(chunks.getAll(keys))));
    return found.flat().filter((record) => isInside(range, record));
  }

  async readHead(): Promise<Head | null> {
    return (await answerOf<Head | undefined>(this.database.transaction(HEAD).objectStore(HEAD).get(HEAD))) ?? null;
  }

  async commit(batch: Batch): Promise<void> {
    let transaction: IDBTransaction;
    try {
      transaction = this.database.transaction([CHUNKS, HEAD], 'readwrite', { durability: 'strict' });
    } catch (error) {
      throw this.failure(error as DOMException);
    }
    const chunks = transaction.objectStore(CHUNKS);
    for (const { x, y, z, blob } of batch.chunks) {
      if (blob === null) chunks.delete([x, y, z]);
      else chunks.put({ x, y, z, blob }, [x, y, z]);
    }
    const head: Head = { frame: batch.frame, head: batch.head };
    transaction.objectStore(HEAD).put(head, HEAD);
    const done = new Promise<void>((resolve, reject) => {
      transaction.addEventListener('complete', () => resolve());
      transaction.addEventListener('abort', () => reject(this.failure(transaction.error)));
    });
    this.last = done.catch(() => {}); // who committed is told
    await done;
  }

  /** Waits for the frames that are on their way. */
  async close(): Promise<void> {
    await this.last;
    this.database.close();
    this.unlock();
  }

  private failure(error: DOMException | null): Error {
    const path = `world ${this.name}`;
    if (error?.name === 'QuotaExceededError') return new InputError(path, 'room for what is saved', 'a full disk');
    return new InputError(path, 'a frame to be saved', error?.message ?? 'an aborted transaction');
  }
}

/** Holds a lock by the name until the answer is called. Where the browser has no locks, the game must see to it. */
async function locked(name: string): Promise<() => void> {
  if (globalThis.navigator?.locks === undefined) return () => {};
  return new Promise((resolve, reject) => {
    const held = navigator.locks.request(
      `lockstep-store:${name}`,
      { signal: AbortSignal.timeout(GOING) },
      () => new Promise<void>((release) => resolve(release)),
    );
    held.catch((error: DOMException) => {
      const isHeld = error.name === 'TimeoutError';
      reject(isHeld ? new InputError(`world ${name}`, 'to be open once', 'another page that has it open') : error);
    });
  });
}

function opened(name: string): Promise<IDBDatabase> {
  const request = indexedDB.open(name, VERSION);
  request.addEventListener('upgradeneeded', () => {
    request.result.createObjectStore(CHUNKS);
    request.result.createObjectStore(HEAD);
  });
  return answerOf(request).catch((error: DOMException) => {
    const got = error.name === 'VersionError' ? 'a newer version of it' : error.message;
    throw new InputError(`world ${name}`, `a saved world of version ${VERSION}`, got);
  });
}

function answerOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error!));
  });
}

/** Keys are ordered by x, then y, then z: a line of chunks along z lies together. */
function keyRangesOf({ minX, minY, minZ, maxX, maxY, maxZ }: Box): IDBKeyRange[] {
  if (minX > maxX || minY > maxY || minZ > maxZ) return [];
  if ((maxX - minX + 1) * (maxY - minY + 1) > MANY_LINES) return [IDBKeyRange.bound([minX, minY, minZ], [maxX, maxY, maxZ])];
  const lines: IDBKeyRange[] = [];
  for (let x = minX; x <= maxX; x++) for (let y = minY; y <= maxY; y++) lines.push(IDBKeyRange.bound([x, y, minZ], [x, y, maxZ]));
  return lines;
}
