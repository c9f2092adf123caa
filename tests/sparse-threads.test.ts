import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as Threads from '@lockstep/threads';
import { describe, expect, it } from 'vitest';
import {
  COLLIDES,
  eventsOf,
  HITS_ONCE,
  MOVABLE,
  type RegionEvent,
  Regions,
  SimRegion,
  type Store,
  worldHash,
  type WorldPosition,
} from '../packages/worlds/sparse/src/index.ts';
import { at, picture, randomScene, wish } from '../packages/worlds/sparse/src/scenes.test-support.ts';

/** Threads run what was built. */
const built = join(import.meta.dirname, '../packages/threads/dist/src/index.js');
const { RegionThreads, sharedMemory, startNodeThread } = existsSync(built)
  ? ((await import(pathToFileURL(built).href)) as typeof Threads)
  : ({} as typeof Threads);

const DT = 1 / 30;
const TICKS = 40;
const HOME = [0, 0, 0] as const;

interface Split {
  readonly name: string;
  readonly chunks: { readonly x: number; readonly y: number; readonly z: number };
  readonly cameras: readonly (readonly [number, number, number])[];
}

const ends = [-1, 1];
const SPLITS: readonly Split[] = [
  { name: '1 region', chunks: { x: 6, y: 4, z: 4 }, cameras: [[0, 0, 0]] },
  { name: '2 regions', chunks: { x: 4, y: 4, z: 4 }, cameras: ends.map((x) => [x, 0, 0] as const) },
  {
    name: '8 regions',
    chunks: { x: 4, y: 2, z: 2 },
    cameras: ends.flatMap((x) => ends.flatMap((y) => ends.map((z) => [x, y, z] as const))),
  },
];

/** A scene with swords, from seed alone. */
function scene(seed: number): Store {
  const store = randomScene(seed, HOME, { bodies: 60 });
  for (let i = 0; i < 6; i++)
    store.insert({
      flags: COLLIDES | MOVABLE | HITS_ONCE,
      position: at(HOME, i * 4 - 12, i, 2),
      velocityX: 20 - i * 8,
      velocityY: 3,
      volumes: [{ dimX: 1, dimY: 0.5, dimZ: 0.1 }],
    });
  return store;
}

interface Play {
  readonly store: Store;
  readonly events: RegionEvent[][];
}

/** Plays the scene; cameras wander by whole and broken chunks, newcomers of new shapes and rules about pairs come in between. */
async function play(seed: number, split: Split, hands: number, from: Play | null = null): Promise<Play> {
  const store = from?.store ?? scene(seed);
  const memory = hands > 0 ? sharedMemory : undefined;
  const cameras = (tick: number): WorldPosition[] => split.cameras.map(([x, y, z]) => at([x, y, z], (tick % 20) / 8, tick / 16, 0));
  const regions = new Regions(cameras(0).map((camera) => new SimRegion(store, camera, DT, split.chunks, memory)));
  const threads = hands > 0 ? new RegionThreads(regions, hands, startNodeThread) : null;
  const events: RegionEvent[][] = [];
  try {
    for (let tick = 0; tick < TICKS; tick++) {
      regions.stayAt(cameras(tick), DT);
      if (tick === 10)
        regions.insert({
          flags: COLLIDES | MOVABLE,
          position: at(HOME, 1, 1, 3),
          volumes: [{ dimX: 0.3, dimY: 0.7, dimZ: 0.9 }],
          velocityX: 9,
        });
      if (tick === 20) store.pairs.set(20, 21, false);
      regions.settle();
      for (const region of regions.list) wish(region, tick);
      if (threads === null) regions.simulate();
      else await threads.simulate();
      events.push(eventsOf(regions.list));
    }
  } finally {
    await threads?.stop();
  }
  regions.sync();
  return { store, events };
}

describe.skipIf(!existsSync(built))('regions in threads', () => {
  it.each([1, 2])('[SW-E33] [SW-G4] scene %i: the same hash and the same events for 1, 2, 8 regions and 0, 1, 2 threads', async (seed) => {
    const alone = await play(seed, SPLITS[0]!, 0);
    expect(alone.events.flat().length).toBeGreaterThan(10);
    for (const split of SPLITS) {
      for (const hands of [0, 1, 2]) {
        const other = await play(seed, split, hands);
        expect([split.name, hands, worldHash(other.store)]).toEqual([split.name, hands, worldHash(alone.store)]);
        expect(other.events).toEqual(alone.events);
      }
    }
  });

  /** A thread that ends during the tick with this number, in one way or another. */
  function mortal(tick: number, how: 'killed' | 'confused'): typeof startNodeThread {
    let started = 0;
    return (heard, ended) => {
      const isFirst = started++ === 0;
      let posts = 0;
      const thread = startNodeThread(heard, ended);
      return {
        stop: () => thread.stop(),
        post: (order) => {
          const isTheEnd = isFirst && posts++ === tick;
          thread.post(isTheEnd && how === 'confused' ? ({ regions: [], shapes: [], pairs: null } as typeof order) : order);
          if (isTheEnd && how === 'killed') void thread.stop().then(() => ended('killed'));
        },
      };
    };
  }

  it.each(['killed', 'confused'] as const)(
    'a thread that is %s in the middle of a tick is a clear error, and nothing is lost',
    async (how) => {
      const split = SPLITS[1]!;
      const cameras = split.cameras.map((camera) => at(camera));
      const run = async (start: typeof startNodeThread | null): Promise<string> => {
        const store = scene(4);
        const { count } = store;
        const regions = new Regions(cameras.map((camera) => new SimRegion(store, camera, DT, split.chunks, sharedMemory)));
        const threads = start === null ? null : new RegionThreads(regions, 2, start);
        let isAlive = threads !== null;
        for (let tick = 0; tick < TICKS; tick++) {
          regions.stayAt(cameras, DT);
          for (const region of regions.list) wish(region, tick);
          if (isAlive) {
            const fault = await threads!.simulate().then(
              () => null,
              (error: Error) => error.message,
            );
            if (fault === null) continue;
            expect(fault).toMatch(/^thread 1 of 2 ended: .+; the world is as it was before the tick$/);
            expect(tick).toBe(11);
            await expect(threads!.simulate()).rejects.toThrow(fault);
            isAlive = false;
          }
          regions.simulate();
        }
        expect(isAlive).toBe(false);
        regions.sync();
        expect(store.count).toBe(count);
        return picture(store, HOME);
      };
      const dying = await run(mortal(12, how));
      expect(dying).toBe(await run(null));
    },
  );

  it('regions whose columns are not shared are refused', () => {
    const store = scene(1);
    const regions = new Regions([new SimRegion(store, at(HOME), DT)]);
    expect(() => new RegionThreads(regions, 1, startNodeThread)).toThrow('threads: expected regions in shared memory');
  });
});
