import { nextInt, type Rng, seedRng } from '@lockstep/kernel';
import {
  type Batch,
  type ChunkRecord,
  type ChunkStore,
  DEFAULT_RULES,
  MOVABLE,
  positionAt,
  Save,
  Store,
  worldHash,
} from '@lockstep/sparse';
import { type Box, EVERYWHERE } from './ranges.ts';

/** What is asked of every permanent memory, in any engine: it runs under vitest and, bundled, in a browser's page. */
export interface Claim {
  readonly name: string;
  readonly check: (place: Place) => Promise<void>;
}

export interface OpenStore extends ChunkStore {
  close(): Promise<void>;
}

/** Where one world is kept; empty at first. */
export interface Place {
  /** Opens it; again, after it was closed. */
  open(): Promise<OpenStore>;
  /** Flips a bit in the stored bytes of a chunk while nobody has the place open. */
  damage(x: number, y: number, z: number): Promise<void>;
}

const MIN = -0x8000_0000;
const MAX = 0x7fff_ffff;

export const box = (minX: number, minY: number, minZ: number, maxX: number, maxY: number, maxZ: number): Box => ({
  minX,
  minY,
  minZ,
  maxX,
  maxY,
  maxZ,
});

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);
const chunk = (x: number, y: number, z: number, ...values: number[]): ChunkRecord => ({ x, y, z, blob: bytes(...values) });
const gone = (x: number, y: number, z: number): ChunkRecord => ({ x, y, z, blob: null });
const frame = (number: number, ...chunks: ChunkRecord[]): Batch => ({ frame: number, head: bytes(number & 255, 7), chunks });

function same(got: unknown, expected: unknown, what: string): void {
  const [a, b] = [JSON.stringify(got), JSON.stringify(expected)];
  if (a !== b) throw new Error(`${what}: expected ${b.slice(0, 400)}, got ${a?.slice(0, 400)}`);
}

/** What a store holds in a box, as sorted text. */
async function within(store: ChunkStore, range: Box = EVERYWHERE): Promise<string[]> {
  const records = await store.readRange(range);
  return records.map(({ x, y, z, blob, damage }) => `${x},${y},${z}:${damage ?? [...blob!].join(' ')}`).sort();
}

async function headOf(store: ChunkStore): Promise<unknown> {
  const last = await store.readHead();
  return last === null ? null : [last.frame, ...last.head];
}

async function withStore<T>(place: Place, use: (store: OpenStore) => Promise<T>): Promise<T> {
  const store = await place.open();
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

/** Random batches against a Map that does the same. */
async function likeAMap(place: Place, rng: Rng): Promise<void> {
  const model = new Map<string, string>();
  for (let round = 0, number = 1; round < 4; round++) {
    await withStore(place, async (store) => {
      same(await within(store), [...model.values()].sort(), `opened for the time ${round + 1}`);
      for (let i = 0; i < 6; i++, number++) {
        const touched = new Map<string, ChunkRecord>();
        for (let k = nextInt(rng, 12); k > 0; k--) {
          const [x, y, z] = [nextInt(rng, 4) - 2, nextInt(rng, 4) - 2, nextInt(rng, 2)];
          const blob = nextInt(rng, 3) === 0 ? null : Uint8Array.from({ length: nextInt(rng, 50) }, () => nextInt(rng, 256));
          touched.set(`${x},${y},${z}`, { x, y, z, blob });
        }
        await store.commit({ frame: number, head: bytes(i), chunks: [...touched.values()] });
        for (const [key, { blob }] of touched)
          if (blob === null) model.delete(key);
          else model.set(key, `${key}:${[...blob].join(' ')}`);
        same(await within(store), [...model.values()].sort(), `frame ${number}`);
      }
    });
  }
}

/** A world of a few hundred entities over chunks near and far. */
function someWorld(): Store {
  const store = new Store(DEFAULT_RULES);
  for (let i = 0; i < 300; i++) {
    const far = i % 3 === 0 ? 2_000_000_000 : 0;
    store.insert({ flags: MOVABLE, position: positionAt(DEFAULT_RULES, far + (i % 7), (i % 5) - far, i % 2, (i % 11) - 5, 1, 2) });
  }
  return store;
}

const NEAR = box(0, 0, 0, 7, 5, 1);
const FAR = box(2_000_000_000, -2_000_000_000, 0, 2_000_000_007, -1_999_999_990, 1);

async function loaded(chunkStore: ChunkStore): Promise<Save> {
  const save = new Save(new Store(DEFAULT_RULES), chunkStore);
  await save.open();
  for (const range of [NEAR, FAR]) await save.require(range);
  return save;
}

export const claims: readonly Claim[] = [
  {
    name: 'a new place has neither head nor chunks',
    check: (place) =>
      withStore(place, async (store) => {
        same(await headOf(store), null, 'head');
        same(await within(store), [], 'chunks');
      }),
  },
  {
    name: '[SW-R10] a frame that was committed is there, now and when the place is opened again',
    async check(place) {
      const expected = ['-1,0,5:4 5', '0,0,0:1 2 3', '3,2,1:'];
      await withStore(place, async (store) => {
        await store.commit(frame(5, chunk(0, 0, 0, 1, 2, 3), chunk(-1, 0, 5, 4, 5), chunk(3, 2, 1)));
        same(await within(store), expected, 'at once');
      });
      await withStore(place, async (store) => {
        same(await headOf(store), [5, 5, 7], 'head');
        same(await within(store), expected, 'later');
      });
    },
  },
  {
    name: 'frames are kept in the order of the calls, though nobody waits for them',
    async check(place) {
      await withStore(place, async (store) => {
        await Promise.all(Array.from({ length: 40 }, (_, i) => store.commit(frame(i + 1, chunk(i % 3, 0, 0, i), chunk(9, 9, 9, i)))));
        same(await within(store), ['0,0,0:39', '1,0,0:37', '2,0,0:38', '9,9,9:39'], 'at once');
      });
      await withStore(place, async (store) => {
        same(await within(store), ['0,0,0:39', '1,0,0:37', '2,0,0:38', '9,9,9:39'], 'later');
        same(await headOf(store), [40, 40, 7], 'head');
      });
    },
  },
  {
    name: '[SW-R10] who reads while frames are committed sees whole frames',
    check: (place) =>
      withStore(place, async (store) => {
        const all = (value: number): Batch => frame(value, ...Array.from({ length: 12 }, (_, x) => chunk(x, x % 2, -x, value)));
        await store.commit(all(1));
        for (let value = 2; value <= 30; value++) {
          const [, seen] = await Promise.all([store.commit(all(value)), store.readRange(box(0, 0, -20, 20, 1, 0))]);
          same([seen.length, new Set(seen.map(({ blob }) => blob![0])).size], [12, 1], `frame ${value}`);
        }
      }),
  },
  {
    name: '[SW-R1] chunk numbers over the whole range',
    async check(place) {
      const corners = [MIN, -1, 0, MAX].flatMap((x) => [MIN, MAX].flatMap((y) => [MIN, 0, MAX].map((z) => [x, y, z] as const)));
      await withStore(place, (store) => store.commit(frame(2 ** 40, ...corners.map(([x, y, z], i) => chunk(x, y, z, i)))));
      await withStore(place, async (store) => {
        same((await within(store)).length, corners.length, 'all');
        for (const [i, [x, y, z]] of corners.entries()) same(await within(store, box(x, y, z, x, y, z)), [`${x},${y},${z}:${i}`], 'one');
        same((await store.readHead())!.frame, 2 ** 40, 'frame');
      });
    },
  },
  {
    name: 'the ends of a range belong to it, and nothing beside it',
    check: (place) =>
      withStore(place, async (store) => {
        const cube: ChunkRecord[] = [];
        for (let x = -2; x <= 2; x++) for (let y = -2; y <= 2; y++) for (let z = -2; z <= 2; z++) cube.push(chunk(x, y, z, 1));
        await store.commit(frame(1, ...cube));
        same((await within(store, box(-1, -1, -1, 1, 1, 1))).length, 27, 'inside');
        same(await within(store, box(2, -2, 1, 2, -2, 9)), ['2,-2,1:1', '2,-2,2:1'], 'an edge');
        same((await within(store, box(-2, MIN, 0, MAX, MAX, 0))).length, 25, 'a sheet');
        same(await within(store, box(0, 0, 0, -1, 0, 0)), [], 'an empty range');
      }),
  },
  {
    name: '[SW-R5] [SW-E32] a chunk that emptied is forgotten, also one that never was',
    async check(place) {
      await withStore(place, async (store) => {
        await store.commit(frame(1, chunk(0, 0, 0, 1), chunk(1, 0, 0, 2)));
        await store.commit(frame(2, gone(0, 0, 0), gone(5, 5, 5)));
        same(await within(store), ['1,0,0:2'], 'at once');
      });
      await withStore(place, async (store) => {
        same(await within(store), ['1,0,0:2'], 'later');
        await store.commit(frame(3, chunk(0, 0, 0, 3)));
        same(await within(store), ['0,0,0:3', '1,0,0:2'], 'back again');
      });
    },
  },
  {
    name: 'big blobs, empty blobs and thousands of chunks',
    async check(place) {
      const big = Uint8Array.from({ length: 300_000 }, (_, i) => i % 251);
      const many = Array.from({ length: 3000 }, (_, i) => chunk(i % 100, Math.floor(i / 100), 4, i & 255));
      await withStore(place, (store) => store.commit(frame(1, { x: -5, y: 0, z: 0, blob: big }, chunk(-6, 0, 0), ...many)));
      await withStore(place, async (store) => {
        const [found] = await store.readRange(box(-5, 0, 0, -5, 0, 0));
        same(
          found!.blob!.every((value, i) => value === i % 251),
          true,
          'big',
        );
        same(await within(store, box(-6, 0, 0, -6, 0, 0)), ['-6,0,0:'], 'empty');
        same((await store.readRange(EVERYWHERE)).length, 3002, 'all');
      });
    },
  },
  { name: 'random frames and openings: like a Map', check: (place) => likeAMap(place, seedRng(11n)) },
  {
    name: '[SW-R7] a world comes back bit for bit, and entities that crossed chunks stand once',
    async check(place) {
      const store = someWorld();
      const before = await withStore(place, async (chunkStore) => {
        const save = new Save(store, chunkStore);
        await save.commit(1);
        for (let id = 1; id <= 300; id += 4) store.moveTo(store.rowOf(id), (id % 6) + 1, 2, 1, 0, 0, 0);
        await save.commit(2);
        return worldHash(store);
      });
      await withStore(place, async (chunkStore) => {
        const { store: again, damaged } = await loaded(chunkStore);
        same([again.count, worldHash(again), damaged.length], [300, before, 0], 'the world');
      });
    },
  },
  {
    name: '[SW-R10] a damaged chunk is reported and left out, the rest loads, and the world goes on',
    async check(place) {
      const store = someWorld();
      await withStore(place, (chunkStore) => new Save(store, chunkStore).commit(1));
      const slot = store.chunks.find(1, 1, 1);
      const lost: number[] = [];
      lost.length = store.chunks.rowsOf(slot, lost);
      await place.damage(1, 1, 1);
      await withStore(place, async (chunkStore) => {
        const save = await loaded(chunkStore);
        const reports = save.damaged.map(({ x, y, z }) => [x, y, z]);
        same([reports, save.store.count], [[[1, 1, 1]], 300 - lost.length], 'the rest');
        save.store.insert({ flags: MOVABLE, position: positionAt(DEFAULT_RULES, 0, 0, 0) });
        await save.commit(2);
      });
      await withStore(place, async (chunkStore) => {
        const save = await loaded(chunkStore);
        same([save.damaged.length, save.store.count], [1, 301 - lost.length], 'the day after');
      });
    },
  },
];
