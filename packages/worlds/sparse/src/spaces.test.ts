import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as E from './entity.ts';
import { positionAt, type WorldPosition } from './position.ts';
import { beginSim, endSim } from './region.ts';
import { DEFAULT_RULES, type Rules } from './rules.ts';
import { BODY } from './scenes.test-support.ts';
import { settle } from './settle.ts';
import { covered, SpaceLimit } from './spaces.ts';
import { simulate } from './step.ts';
import { Store } from './store.ts';

const rules: Rules = { ...DEFAULT_RULES, Skin: 2 ** -10 };

/** A Space from corner to corner. */
function space(store: Store, min: readonly number[], max: readonly number[]): number {
  const [x, y, z] = [0, 1, 2].map((axis) => (min[axis]! + max[axis]!) / 2) as [number, number, number];
  const volumes = [{ dimX: max[0]! - min[0]!, dimY: max[1]! - min[1]!, dimZ: max[2]! - min[2]! }];
  return store.insert({ flags: E.TRAVERSABLE, position: positionAt(rules, 0, 0, 0, x, y, z), volumes });
}

function body(store: Store, p: readonly [number, number, number], v: readonly [number, number, number]): number {
  const spec = { flags: BODY | E.CONFINED, volumes: [{ dimX: 1, dimY: 1, dimZ: 1 }], velocityX: v[0], velocityY: v[1], velocityZ: v[2] };
  return store.rowOf(store.insert({ ...spec, position: positionAt(rules, 0, 0, 0, ...p) }));
}

function run(store: Store, ticks: number, dt = 0.1): void {
  for (let i = 0; i < ticks; i++) {
    const region = beginSim(store, positionAt(rules, 0, 0, 0), dt);
    simulate(region);
    endSim(region);
  }
}

const x = (store: Store, row: number): number => store.x[row]! + 16 * store.chunkXOf(row);
const y = (store: Store, row: number): number => store.y[row]! + 16 * store.chunkYOf(row);

describe('the solid world', () => {
  it('[SW-R6] [SW-R36] [SW-E28] a confined body stays inside its Space with all of its box', () => {
    const store = new Store(rules);
    space(store, [0, 0, 0], [10, 10, 4]);
    const row = body(store, [5, 5, 2], [30, 7, 0]);
    run(store, 10);
    expect([x(store, row), store.vx[row], store.vy[row]]).toEqual([9.5 - rules.Skin, 0, 0]);
    expect(y(store, row)).toBe(9.5 - rules.Skin);
  });

  it('[SW-E29] [SW-R35] a step longer than the body, across three Spaces side by side, loses no speed', () => {
    const store = new Store(rules);
    space(store, [0, 0, 0], [4, 2, 2]);
    space(store, [4, 0, 0], [5, 2, 2]);
    space(store, [5, 0, 0], [20, 2, 2]);
    const row = body(store, [2, 1, 1], [30, 0, 0]);
    run(store, 5);
    expect([x(store, row), store.vx[row]]).toEqual([17, 30]);
  });

  it('[SW-R6] no leaks: a crack of two grains between two Spaces is not passed, at any speed', () => {
    for (const speed of [0.5, 5, 30]) {
      const store = new Store(rules);
      space(store, [0, 0, 0], [8 - 2 ** -35, 2, 2]);
      space(store, [8, 0, 0], [16, 2, 2]);
      const row = body(store, [6.9, 1, 1], [speed, 0, 0]);
      run(store, 20);
      expect(x(store, row)).toBeCloseTo(7.5 - rules.Skin, 9);
    }
  });

  it('[SW-R6] no snags: along a wall made of many Spaces a body glides on', () => {
    const store = new Store(rules);
    for (let i = -6; i < 12; i++) space(store, [i, 0, 0], [i + 1, 3, 3]);
    const row = body(store, [-5, 2, 1], [10, 10, 0]);
    run(store, 10);
    expect(x(store, row)).toBeCloseTo(5, 9);
    expect(y(store, row)).toBe(2.5 - rules.Skin);
  });

  it('[SW-R35] [SW-E7] [SW-E8] the nearer of solid and end of the Spaces stops: tMin from above, tMax from below', () => {
    for (const [wallAt, end] of [
      [6, 5],
      [12, 9.5],
    ] as const) {
      const store = new Store(rules);
      space(store, [0, 0, 0], [10, 2, 2]);
      store.insert({ flags: E.COLLIDES, position: positionAt(rules, 0, 0, 0, wallAt, 1, 1), volumes: [{ dimX: 1, dimY: 2, dimZ: 2 }] });
      const row = body(store, [1, 1, 1], [30, 0, 0]);
      run(store, 5);
      expect(x(store, row)).toBe(end - rules.Skin);
    }
  });

  it('[SW-E26] a body far from the middle of a large Space is not frozen', () => {
    const store = new Store({ ...rules, SimChunksInCamera: 1, SimBoundsExpansion: 0 });
    space(store, [-400, -10, -2], [40, 10, 2]);
    const row = body(store, [0, 0, 0], [5, 0, 0]);
    run(store, 4);
    expect(x(store, row)).toBeCloseTo(2, 9);
  });

  it('[SW-E30] outside every Space: placed into the nearest one, and reported', () => {
    const store = new Store(rules);
    space(store, [0, 0, 0], [10, 10, 4]);
    space(store, [-20, 0, 0], [-6, 10, 4]);
    const row = body(store, [-2, 5, 3.75], [0, 0, 0]);
    expect(settle(store)).toEqual([{ id: 3, outcome: 'moved', dx: 2.5 + rules.Skin, dy: 0, dz: -0.25 - rules.Skin }]);
    expect(x(store, row)).toBe(0.5 + rules.Skin);
    body(store, [200, 0, 0], [0, 0, 0]);
    expect(settle(store)).toEqual([{ id: 4, outcome: 'stuck', dx: 0, dy: 0, dz: 0 }]);
    expect(settle(store)).toEqual([]);
  });

  it('[SW-E11] depenetration: out of a wall through the nearest face, past other bodies', () => {
    const store = new Store(rules);
    store.insert({ flags: E.COLLIDES, position: positionAt(rules, 0, 0, 0), volumes: [{ dimX: 4, dimY: 4, dimZ: 4 }] });
    const spec = { flags: BODY, volumes: [{ dimX: 1, dimY: 1, dimZ: 1 }] };
    const row = store.rowOf(store.insert({ ...spec, position: positionAt(rules, 0, 0, 0, 1.75, 0, 0) }));
    expect(settle(store)).toEqual([{ id: 2, outcome: 'moved', dx: 0.75 + rules.Skin, dy: 0, dz: 0 }]);
    expect(x(store, row)).toBe(2.5 + rules.Skin);
  });

  it('[SW-R1] [SW-E11] [SW-E30] nobody is pushed or pulled over the edge of the world', () => {
    for (const [chunk, side] of [
      [2_147_483_647, 1],
      [-2_147_483_648, -1],
    ] as const) {
      const store = new Store(rules);
      const there = (offset: number): WorldPosition => positionAt(rules, chunk, 0, 0, side * offset);
      store.insert({ flags: E.COLLIDES, position: there(7), volumes: [{ dimX: 4, dimY: 9, dimZ: 9 }] });
      const row = store.rowOf(store.insert({ flags: BODY, position: there(7.75), volumes: [{ dimX: 1, dimY: 1, dimZ: 1 }] }));
      expect(settle(store)).toMatchObject([{ id: 2, outcome: 'moved', dx: -side * (3.25 + rules.Skin), dy: 0, dz: 0 }]);
      expect(store.chunkXOf(row)).toBe(chunk);
      const outer = new Store(rules);
      outer.insert({ flags: E.TRAVERSABLE, position: there(7.5), volumes: [{ dimX: 0.75, dimY: 9, dimZ: 9 }] });
      outer.insert({ flags: E.TRAVERSABLE, position: there(7.99), volumes: [{ dimX: 4, dimY: 4, dimZ: 4 }] });
      const lost = outer.rowOf(outer.insert({ flags: BODY | E.CONFINED, position: there(5), volumes: [{ dimX: 1, dimY: 1, dimZ: 1 }] }));
      expect(settle(outer)).toMatchObject([{ outcome: 'moved' }]);
      expect(outer.chunkXOf(lost)).toBe(chunk);
    }
  });
});

describe('the union of boxes', () => {
  const number = fc.integer({ min: 0, max: 6 });
  const box = fc
    .tuple(number, number, number, number, number, number)
    .map(([a, b, c, d, e, f]) => [
      Math.min(a, d),
      Math.min(b, e),
      Math.min(c, f),
      Math.max(a, d) + 1,
      Math.max(b, e) + 1,
      Math.max(c, f) + 1,
    ]);

  it('[SW-R6] a box is inside a union exactly if each of its unit cells is', () => {
    fc.assert(
      fc.property(fc.array(box, { maxLength: 8 }), box, (spaces, [x0, y0, z0, x1, y1, z1]) => {
        let all = true;
        for (let cx = x0!; cx < x1!; cx++)
          for (let cy = y0!; cy < y1!; cy++)
            for (let cz = z0!; cz < z1!; cz++)
              all &&= spaces.some(([a, b, c, d, e, f]) => a! <= cx && cx < d! && b! <= cy && cy < e! && c! <= cz && cz < f!);
        expect(covered(Float64Array.from(spaces.flat()), spaces.length, 0, x0!, y0!, z0!, x1!, y1!, z1!)).toBe(all);
      }),
      { numRuns: 500 },
    );
  });

  it('[SW-R35] tMax is the first moment after which the box is outside, and the axis leads out there', () => {
    fc.assert(
      fc.property(fc.array(box, { minLength: 1, maxLength: 8 }), fc.tuple(number, number, number), (spaces, way) => {
        const list = Float64Array.from(spaces.flat());
        const [a, b, c] = spaces[0]!;
        const mine = Float64Array.of(a!, b!, c!, a! + 1, b! + 1, c! + 1);
        const d = Float64Array.from(way, (step) => (step - 3) * 1.25);
        const limit = new SpaceLimit();
        limit.find(list, spaces.length, mine, d);
        const isIn = (t: number): boolean =>
          covered(
            list,
            spaces.length,
            0,
            ...([...mine].map((corner, i) => corner + t * d[i % 3]!) as [number, number, number, number, number, number]),
          );
        for (let i = 0; i < 64; i++) {
          const t = (i + 0.37) / 64;
          if (t < limit.tMax) expect(isIn(t)).toBe(true);
        }
        if (limit.tMax < 1) expect([d[limit.axis] !== 0, isIn(limit.tMax + 1e-9)]).toEqual([true, false]);
      }),
      { numRuns: 300 },
    );
  });
});
