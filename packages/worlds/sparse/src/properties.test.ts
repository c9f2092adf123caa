import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { faultsOf } from '../oracle/naive.ts';
import * as E from './entity.ts';
import { ghostsOf, takeStates, takeWays } from './ghosts.ts';
import type { Memory } from './memory.ts';
import { Mover } from './mover.ts';
import type { WorldPosition } from './position.ts';
import { inRange, without } from './region.ts';
import { ChunkRange, SimRegion } from './sim-region.ts';
import { countOwn, Regions } from './regions.ts';
import { at, type Base, picture, randomScene, runFrames, runRegions, wish } from './scenes.test-support.ts';
import { moveReady, prepare, sortIntoCells } from './step.ts';
import { Store } from './store.ts';
import { worldHash } from './world-hash.ts';

const home: Base = [0, 0, 0];
const seed = fc.integer();
const TICKS = 40;

/** The world of a seed after some ticks in the reference mode. */
function reference(number: number): Store {
  const store = randomScene(number, home);
  runFrames(store, at(home), TICKS);
  return store;
}

/** As a thread would: only the columns, no store. */
function moveApart(workers: readonly SimRegion[]): void {
  const mover = new Mover();
  for (const worker of workers) prepare(worker);
  const ghosts = workers.map((worker) => ghostsOf(worker, workers));
  for (const one of ghosts) takeWays(one);
  for (const worker of workers) sortIntoCells(worker);
  for (let left = countOwn(workers); left > 0;) {
    for (const worker of workers) left -= moveReady(worker, mover);
    for (const one of ghosts) takeStates(one);
  }
}

const shared: Memory = {
  f64: (length) => new Float64Array(new SharedArrayBuffer(length * 8)),
  i32: (length) => new Int32Array(new SharedArrayBuffer(length * 4)),
  u32: (length) => new Uint32Array(new SharedArrayBuffer(length * 4)),
  u8: (length) => new Uint8Array(new SharedArrayBuffer(length)),
};

describe('for every random dungeon', () => {
  it('[SW-R6] no body ever overlaps a solid or leaves the Spaces, and none is lost', () => {
    fc.assert(
      fc.property(seed, (number) => {
        const store = randomScene(number, home);
        const { count } = store;
        expect(faultsOf(store)).toEqual([]);
        for (let i = 0; i < 8; i++) {
          runFrames(store, at(home), 5);
          expect(faultsOf(store)).toEqual([]);
        }
        expect(store.count).toBe(count);
      }),
      { numRuns: 12 },
    );
  });

  it('[SW-G1] [SW-R1] [SW-E3] far from the origin equals near the origin, bit for bit', () => {
    const edge = fc.integer({ min: 2_147_483_500, max: 2_147_483_630 });
    const number = fc.oneof(
      edge,
      edge.map((n) => -n),
      fc.integer({ min: -2_147_483_630, max: 2_147_483_630 }),
    );
    fc.assert(
      fc.property(seed, fc.tuple(number, number, number), (scene, far) => {
        const store = randomScene(scene, far);
        runFrames(store, at(far), TICKS);
        expect(picture(store, far)).toBe(picture(reference(scene), home));
      }),
      { numRuns: 8 },
    );
  });

  it('[SW-R15] [SW-E4] the result does not depend on where the camera is', () => {
    const metres = fc.double({ min: -20, max: 20, noNaN: true });
    fc.assert(
      fc.property(seed, metres, metres, metres, (number, x, y, z) => {
        const store = randomScene(number, home);
        runFrames(store, at(home, x, y, z), TICKS);
        expect(picture(store, home)).toBe(picture(reference(number), home));
      }),
      { numRuns: 8 },
    );
  });

  it('[SW-R10] a region that stays, while its camera wanders, equals loading and storing every frame', () => {
    fc.assert(
      fc.property(seed, (number) => {
        const [frames, resident] = [randomScene(number, home), randomScene(number, home)];
        const camera = (tick: number): WorldPosition => at(home, tick * 3 - 60, 50 - tick * 2.5, 0);
        for (let tick = 0; tick < TICKS; tick++) runFrames(frames, camera(tick), 1);
        const regions = new Regions([new SimRegion(resident, at(home), 1 / 30)]);
        for (let tick = 0; tick < TICKS; tick++) runRegions(regions, () => [camera(tick)], 1);
        expect(picture(resident, home)).toBe(picture(frames, home));
      }),
      { numRuns: 8 },
    );
  });

  it('[SW-G4] [SW-E33] the world hash is the same for 1, 2 and 8 regions', () => {
    const cameras = (xs: number[], ys: number[], zs: number[]): WorldPosition[] =>
      xs.flatMap((x) => ys.flatMap((y) => zs.map((z) => at([x, y, z]))));
    const splits = [
      { chunks: { x: 4, y: 4, z: 4 }, cameras: cameras([0], [0], [0]) },
      { chunks: { x: 2, y: 4, z: 4 }, cameras: cameras([-1, 1], [0], [0]) },
      { chunks: { x: 2, y: 2, z: 2 }, cameras: cameras([-1, 1], [-1, 1], [-1, 1]) },
      { chunks: { x: 2, y: 2, z: 2 }, cameras: cameras([1, -1], [1, -1], [1, -1]) },
    ];
    fc.assert(
      fc.property(seed, (number) => {
        const hashes = splits.map((split) => {
          const store = randomScene(number, home);
          const regions = new Regions(split.cameras.map((camera) => new SimRegion(store, camera, 1 / 30, split.chunks)));
          runRegions(regions, () => split.cameras, TICKS);
          return worldHash(store);
        });
        expect(new Set(hashes).size).toBe(1);
      }),
      { numRuns: 8 },
    );
  });

  it('[SW-G4] regions over shared columns, moved by others who know only these, in any order, give the same world', () => {
    fc.assert(
      fc.property(seed, fc.boolean(), (number, isReversed) => {
        const store = randomScene(number, home);
        const cameras = [at([-1, 0, 0]), at([1, 0, 0])];
        const chunks = { x: 2, y: 4, z: 4 };
        const regions = new Regions(cameras.map((camera) => new SimRegion(store, camera, 1 / 30, chunks, shared)));
        const shadow = new Store(store.rules);
        for (let shape = 1; shape < store.shapes.count; shape++) shadow.shapes.internCorners(store.shapes.cornersOf(shape));
        const workers = cameras.map((camera) => new SimRegion(shadow, camera, 1 / 30, chunks));
        for (let tick = 0; tick < TICKS; tick++) {
          regions.stayAt(cameras, 1 / 30);
          for (const region of regions.list) wish(region, tick);
          regions.begin();
          workers.forEach((worker, i) => worker.adopt(regions.list[i]!.share()));
          moveApart(isReversed ? workers.toReversed() : workers);
          regions.end();
        }
        regions.sync();
        expect(picture(store, home)).toBe(picture(reference(number), home));
      }),
      { numRuns: 6 },
    );
  });

  it('[SW-E33] a chunk has one owner, also where regions overlap', () => {
    const store = randomScene(1, home);
    const regions = new Regions([at(home), at([3, 0, 0]), at([1000, 0, 0])].map((camera) => new SimRegion(store, camera, 1 / 30)));
    regions.stayAt([at(home), at([3, 0, 0]), at([1000, 0, 0])], 1 / 30);
    expect([-5, -4, 4, 5, 7, 8, 1000].map((x) => regions.ownerOf(x, 0, 0))).toEqual([-1, 0, 0, 1, 1, -1, 2]);
    // nobody keeps what only others can meet: chunks 5..7 belong to the second, which sees one more on each side; a third one finds nothing left
    expect([regions.list[1]!.loaded.minX, regions.list[1]!.loaded.maxX]).toEqual([4, 8]);
    const late = new Regions([at(home), at(home)].map((camera) => new SimRegion(store, camera, 1 / 30)));
    late.stayAt([at(home), at(home)], 1 / 30);
    expect(late.list.map(({ count }) => count)).toEqual([store.count, 0]);
  });

  it('[SW-E33] what is left of a range of chunks without another one holds every chunk that only the range has', () => {
    const side = fc.tuple(fc.integer({ min: -3, max: 3 }), fc.integer({ min: 0, max: 4 }));
    const ranges = fc.tuple(side, side, side).map(([[x, a], [y, b], [z, c]]) => {
      const [maxX, maxY, maxZ] = [x + a, y + b, z + c];
      return Object.assign(new ChunkRange(), { minX: x, minY: y, minZ: z, maxX, maxY, maxZ });
    });
    fc.assert(
      fc.property(ranges, ranges, (range, other) => {
        const left = without(range, other);
        let wrong = 0;
        for (let x = -4; x <= 8; x++)
          for (let y = -4; y <= 8; y++)
            for (let z = -4; z <= 8; z++) {
              const isOnly = inRange(range, x, y, z) && !inRange(other, x, y, z);
              if (inRange(left, x, y, z) ? !inRange(range, x, y, z) : isOnly) wrong++;
            }
        expect(wrong).toBe(0);
      }),
      { numRuns: 100 },
    );
  });

  it('[SW-E33] regions that meet in the middle of the game and part again give the same world', () => {
    fc.assert(
      fc.property(seed, (number) => {
        const [one, two] = [randomScene(number, home), randomScene(number, home)];
        const all = at(home);
        const wide = { x: 12, y: 12, z: 4 };
        runRegions(new Regions([new SimRegion(one, all, 1 / 30, wide)]), () => [all], TICKS);
        const walker = (tick: number): WorldPosition => at(home, tick * 6 - 120, tick - 20, 0);
        runRegions(
          new Regions([walker(0), all].map((camera) => new SimRegion(two, camera, 1 / 30, camera === all ? wide : null))),
          (tick) => [walker(tick), all],
          TICKS,
        );
        expect(picture(two, home)).toBe(picture(one, home));
      }),
      { numRuns: 6 },
    );
  });

  it('[SW-E26] nobody is ever faster than MaxEntityVelocity or farther from its place than a tick allows', () => {
    fc.assert(
      fc.property(seed, fc.double({ min: 0.001, max: 0.1, noNaN: true }), (number, dt) => {
        const store = randomScene(number, home);
        const { MaxEntityVelocity, StepHeight, Skin } = store.rules;
        for (let tick = 0; tick < 20; tick++) {
          const before = Float64Array.from(store.id, (_, row) => store.chunkXOf(row) * 16 + store.x[row]!);
          runFrames(store, at(home), 1, dt);
          for (let row = 0; row < store.rowEnd; row++) {
            const speed = Math.sqrt(store.vx[row]! ** 2 + store.vy[row]! ** 2 + store.vz[row]! ** 2);
            expect(speed).toBeLessThanOrEqual(MaxEntityVelocity * (1 + 1e-9));
            const way = Math.abs(store.chunkXOf(row) * 16 + store.x[row]! - before[row]!);
            expect(way).toBeLessThanOrEqual(MaxEntityVelocity * dt + StepHeight + Skin);
          }
        }
      }),
      { numRuns: 6 },
    );
  });

  it('[SW-R11] [SW-R12] entities are conserved while regions come, go, tick and are changed from outside, in any order', () => {
    const act = fc.record({ kind: fc.constantFrom('tick', 'camera', 'insert', 'remove', 'place', 'sync', 'anew'), n: fc.nat(1000) });
    fc.assert(
      fc.property(seed, fc.array(act, { minLength: 5, maxLength: 30 }), (number, acts) => {
        const store = randomScene(number, home, { bodies: 15, walls: 4 });
        const alive = new Set<number>([...store.id].filter((id) => id !== 0));
        const camera = (n: number): WorldPosition => at([(n % 7) - 3, (n % 5) - 2, 0], n % 8, 0, 0);
        let cameras = [camera(0), camera(3)];
        const make = (): Regions => new Regions(cameras.map((one) => new SimRegion(store, one, 1 / 30, { x: 1, y: 1, z: 1 })));
        let regions = make();
        regions.stayAt(cameras, 1 / 30);
        for (const { kind, n } of acts) {
          const id = [...alive][n % alive.size]!;
          if (kind === 'tick') regions.simulate();
          else if (kind === 'camera') regions.stayAt((cameras = [camera(n), camera(n * 3 + 1)]), 1 / 30);
          else if (kind === 'insert')
            alive.add(regions.insert({ flags: E.MOVABLE | E.COLLIDES, position: camera(n), velocityX: (n % 60) - 30 }));
          else if (kind === 'remove') {
            regions.remove(id);
            alive.delete(id);
          } else if (kind === 'place') regions.change(id, (all, row) => all.place(row, n % 4 === 0 ? null : camera(n)));
          else regions.sync();
          if (kind === 'anew') {
            regions = make();
            regions.stayAt(cameras, 1 / 30);
          }
        }
        regions.sync();
        expect([...store.id.subarray(0, store.rowEnd)].filter((id) => id !== 0).sort((a, b) => a - b)).toEqual(
          [...alive].sort((a, b) => a - b),
        );
        const stored = [...alive].flatMap((id) => ((store.flags[store.rowOf(id)]! & E.NONSPATIAL) === 0 ? [id] : []));
        const found = new Set<number>();
        const small: number[] = [];
        for (let slot = 0; slot < store.chunks.slotEnd; slot++) {
          if (!store.chunks.exists(slot)) continue;
          const rows: number[] = [];
          rows.length = store.chunks.rowsOf(slot, rows);
          expect(rows.length).toBeGreaterThan(0); // [SW-E32] no empty chunk is kept
          for (const row of rows) {
            found.add(store.id[row]!);
            if (!store.isBig(row)) small.push(store.id[row]!);
          }
        }
        expect([...found].sort((a, b) => a - b)).toEqual(stored.sort((a, b) => a - b));
        expect(new Set(small).size).toBe(small.length); // nobody stands in two chunks
      }),
      { numRuns: 40 },
    );
  });

  it('[SW-R1] at the edge of the world bodies stop, and the world is not left', () => {
    const edge: Base = [2_147_483_647, 2_147_483_647, -2_147_483_648];
    const store = randomScene(5, [edge[0] - 1, edge[1] - 1, edge[2] + 1], { confined: false, walls: 0 });
    for (let row = 0; row < store.rowEnd; row++) if ((store.flags[row]! & E.MOVABLE) !== 0) store.setVelocity(row, 20, 20, -20);
    const { count } = store;
    runFrames(store, at(edge), 60);
    expect(store.count).toBe(count);
    expect(faultsOf(store)).toEqual([]);
  });
});
