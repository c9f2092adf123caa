/** A game on the list of the best: its file, and nothing that the file does not prove but the day. */
export interface Kept {
  readonly id: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly when: number;
}

const NAME = 'lockstep-arcade';
const STORE = 'games';

/** Files of games, in the browser. Where it keeps nothing, they last as long as the page. */
export class ScoreStore {
  private readonly memory: Kept[] = [];
  private readonly opened: Promise<IDBDatabase | null>;

  constructor() {
    this.opened = new Promise((resolve) => {
      try {
        const asked = indexedDB.open(NAME, 1);
        asked.addEventListener('upgradeneeded', () => asked.result.createObjectStore(STORE, { keyPath: 'id', autoIncrement: true }));
        asked.addEventListener('success', () => resolve(asked.result));
        asked.addEventListener('error', () => resolve(null));
        asked.addEventListener('blocked', () => resolve(null));
      } catch {
        resolve(null);
      }
    });
  }

  async all(): Promise<readonly Kept[]> {
    const base = await this.opened;
    if (base === null) return this.memory;
    return (await settled(base.transaction(STORE).objectStore(STORE).getAll())) as Kept[];
  }

  async add(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    const base = await this.opened;
    const when = Date.now();
    if (base === null) this.memory.push({ id: this.memory.length + 1, bytes, when });
    else await settled(base.transaction(STORE, 'readwrite').objectStore(STORE).add({ bytes, when }));
  }

  async remove(id: number): Promise<void> {
    const base = await this.opened;
    if (base === null) {
      const at = this.memory.findIndex((kept) => kept.id === id);
      if (at >= 0) this.memory.splice(at, 1);
    } else await settled(base.transaction(STORE, 'readwrite').objectStore(STORE).delete(id));
  }
}

function settled<T>(asked: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    asked.addEventListener('success', () => resolve(asked.result));
    asked.addEventListener('error', () => reject(asked.error ?? new Error('the browser keeps nothing')));
  });
}
