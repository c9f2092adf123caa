import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Corners, searchInP } from '../oracle/search-in-p.ts';
import { clampDt, FixedStep } from './bounds.ts';
import * as E from './entity.ts';
import { eventsOf, type RegionEvent } from './events.ts';
import { BoxGrid } from './grid.ts';
import { positionAt } from './position.ts';
import { beginSim, endSim, stayAt } from './region.ts';
import { DEFAULT_RULES, type Rules } from './rules.ts';
import { BODY } from './scenes.test-support.ts';
import type { Volume } from './shapes.ts';
import { simulate } from './step.ts';
import { Store } from './store.ts';

const rules: Rules = { ...DEFAULT_RULES, Skin: 2 ** -10 };
const skin = rules.Skin;
const cube: Volume = { dimX: 1, dimY: 1, dimZ: 1 };

type Place = readonly [x: number, y: number, z: number];

function body(store: Store, p: Place, v: Place, extra: Partial<Parameters<Store['insert']>[0]> = {}): number {
  const position = positionAt(store.rules, 0, 0, 0, ...p);
  const id = store.insert({ flags: BODY, position, velocityX: v[0], velocityY: v[1], velocityZ: v[2], volumes: [cube], ...extra });
  return store.rowOf(id);
}

function wall(store: Store, p: Place, dims: Place, flags = E.COLLIDES): number {
  const volumes = [{ dimX: dims[0], dimY: dims[1], dimZ: dims[2] }];
  return store.insert({ flags, position: positionAt(store.rules, 0, 0, 0, ...p), volumes });
}

/** Ticks of a tenth of a second; the events of the last. */
function run(store: Store, ticks = 1, dt = 0.1, wish: Place = [0, 0, 0]): RegionEvent[] {
  let events: RegionEvent[] = [];
  for (let i = 0; i < ticks; i++) {
    const region = beginSim(store, positionAt(store.rules, 0, 0, 0), dt);
    region.wishX.fill(wish[0]);
    region.wishY.fill(wish[1]);
    region.wishZ.fill(wish[2]);
    simulate(region);
    endSim(region);
    events = eventsOf([region]);
  }
  return events;
}

const place = (store: Store, row: number): number[] =>
  [store.x, store.y, store.z].map(
    (column, axis) => column[row]! + 16 * [store.chunkXOf(row), store.chunkYOf(row), store.chunkZOf(row)][axis]!,
  );
const velocity = (store: Store, row: number): number[] => [store.vx[row]!, store.vy[row]!, store.vz[row]!];

describe('time', () => {
  it('[SW-R19] dt is clamped to [0.001, 0.1]', () => {
    expect([clampDt(1), clampDt(0.1), clampDt(0.016), clampDt(0.001), clampDt(0), clampDt(NaN)]).toEqual([
      0.1, 0.1, 0.016, 0.001, 0.001, 0.001,
    ]);
    for (const [asked, got] of [
      [5, 0.1],
      [NaN, 0.001],
    ] as const) {
      const store = new Store(rules);
      const row = body(store, [0, 0, 0], [20, 0, 0]);
      const region = beginSim(store, positionAt(rules, 0, 0, 0), asked);
      simulate(region);
      endSim(region);
      expect(region.dt).toBe(got);
      expect(place(store, row)[0]).toBeCloseTo(20 * got, 9);
      stayAt(region, positionAt(rules, 0, 0, 0), asked);
      expect(region.dt).toBe(got);
      expect(region.bounds.bounds.maxX - region.bounds.updatable.maxX).toBeCloseTo(
        rules.MaxEntityRadius + got * rules.MaxEntityVelocity,
        9,
      );
    }
  });

  it('[SW-E35] fixed steps: no frame rate slows the world down or speeds it up', () => {
    for (const frame of [1 / 7, 1 / 60, 1 / 5000]) {
      const clock = new FixedStep(1 / 60, 100);
      let steps = 0;
      for (let i = 0; i < 10 / frame; i++) steps += clock.stepsFor(frame);
      expect(Math.abs(steps - 600)).toBeLessThanOrEqual(10);
    }
    const clock = new FixedStep(1 / 60, 8);
    expect([clock.stepsFor(10), clock.stepsFor(NaN), clock.stepsFor(-1), clock.stepsFor(0.05)]).toEqual([8, 0, 0, 3]);
  });
});

describe('equations of motion', () => {
  it("[SW-R20] p' = a/2 t^2 + v t + p, v' = a t + v: the example of the document, 5t^2 + 2t + 3", () => {
    const store = new Store(rules);
    const row = body(store, [3, 0, 0], [2, 0, 0], { parameters: [[E.SPEED, 10]] });
    run(store, 10, 0.1, [1, 0, 0]);
    expect(place(store, row)[0]).toBeCloseTo(10, 9);
    expect(velocity(store, row)[0]).toBeCloseTo(12, 12);
  });

  it('[SW-R20] drag slows along x and y only, a wish longer than 1 counts as 1, weight falls', () => {
    const store = new Store(rules);
    const row = body(store, [0, 0, 0], [1, 1, 1], {
      flags: E.MOVABLE | E.HAS_WEIGHT | E.UNIT_MAX_ACCEL,
      parameters: [
        [E.DRAG, 2],
        [E.SPEED, 10],
      ],
    });
    run(store, 1, 0.1, [3, 4, 0]);
    expect(velocity(store, row)).toEqual([1 + (0.6 * 10 - 2) * 0.1, 1 + (0.8 * 10 - 2) * 0.1, 1 + -9.8 * 0.1]);
  });

  it('[SW-E26] nobody is ever faster than MaxEntityVelocity', () => {
    const store = new Store(rules);
    const row = body(store, [0, 0, 0], [0, 0, 0], { parameters: [[E.SPEED, 1e6]] });
    run(store, 1, 0.1, [3, 4, 0]);
    expect(velocity(store, row).map((v) => Math.round(v * 1e9) / 1e9)).toEqual([18, 24, 0]);
    expect(place(store, row)[1]).toBeCloseTo(1.2, 9);
  });
});

describe('what to do when we hit', () => {
  it('[SW-R21] restitution 1 reflects: v - 2 (v.r) r', () => {
    const store = new Store(rules);
    const row = body(store, [0, 0, 0], [10, 3, 0], { parameters: [[E.RESTITUTION, 1]] });
    wall(store, [1.5, 0, 0], [1, 20, 5]);
    run(store);
    expect(velocity(store, row)).toEqual([-10, 3, 0]);
    expect(place(store, row)[0]).toBeCloseTo(0.5 - skin - (0.5 + skin), 9);
  });

  it('[SW-R22] [SW-R29] restitution 0 glides: v - (v.r) r, with the rest of the way along the wall', () => {
    const store = new Store(rules);
    const row = body(store, [0, 0, 0], [10, 3, 0]);
    wall(store, [1.5, 0, 0], [1, 20, 5]);
    const events = run(store);
    expect(velocity(store, row)).toEqual([0, 3, 0]);
    expect(place(store, row)[0]).toBe(0.5 - skin);
    expect(place(store, row)[1]).toBeCloseTo(0.3, 9);
    expect(events).toEqual([{ kind: 'hit', mover: 1, other: 2, axis: 0, normal: -1 }]);
  });

  it('[SW-R30] up to four times a tick: into a corner of three walls and out again', () => {
    const store = new Store(rules);
    const row = body(store, [0, 0, 0], [9, 8, 7], { parameters: [[E.RESTITUTION, 1]] });
    wall(store, [1.2, 0, 0], [1, 9, 9]);
    wall(store, [0, 1.2, 0], [9, 1, 9]);
    wall(store, [0, 0, 1.2], [9, 9, 1]);
    expect(run(store).map(({ axis }) => axis)).toEqual([0, 1, 2]);
    expect(velocity(store, row)).toEqual([-9, -8, -7]);
  });

  it('[SW-R30] four times and no more, where walls are near enough for ten', () => {
    const store = new Store(rules);
    body(store, [0, 0, 0], [20, 0, 0], { parameters: [[E.RESTITUTION, 1]] });
    for (const side of [-1, 1]) wall(store, [1.1 * side, 0, 0], [1, 9, 9]);
    expect(run(store).map(({ normal }) => normal)).toEqual([-1, 1, -1, 1]);
  });

  it('[SW-E25] what may go only so far stops there, and says so once', () => {
    const store = new Store(rules);
    const row = body(store, [0, 0, 0], [30, 40, 0], { parameters: [[E.DISTANCE_LIMIT, 2]] });
    expect(run(store)).toEqual([{ kind: 'spent', mover: 1, other: 0, axis: 0, normal: -1 }]);
    expect(place(store, row)[0]).toBeCloseTo(1.2, 9);
    expect(run(store)).toEqual([]);
    expect(store.parameters.get(row, E.DISTANCE_LIMIT)).toBe(0);
  });

  it('[SW-E25] a sword passes through its victim and hits it once; a rule makes two pass each other', () => {
    const store = new Store(rules);
    const sword = body(store, [0, 0, 0], [10, 0, 0], { flags: BODY | E.HITS_ONCE });
    const victim = wall(store, [1.2, 0, 0], [1, 1, 1]);
    expect(run(store).map(({ kind, other }) => [kind, other])).toEqual([['hit', victim]]);
    expect(run(store)).toEqual([]);
    expect(place(store, sword)[0]).toBe(2);
    expect(store.pairs.get(1, victim)).toBe(0);
  });

  it('[SW-R28] [SW-R34] overlap queries count touching; sweeps do not', () => {
    const store = new Store(rules);
    body(store, [0, 0, 0], [0, 0, 0], { flags: E.MOVABLE | E.SENSES });
    const touching = wall(store, [1, 0, 0], [1, 1, 1], 0);
    const inside = wall(store, [0.25, 0.25, 0], [0.1, 0.1, 0.1], 0);
    wall(store, [-1 - 2 ** -36, 0, 0], [1, 1, 1], 0);
    expect(run(store).map(({ kind, other }) => [kind, other])).toEqual([
      ['overlap', touching],
      ['overlap', inside],
    ]);
  });
});

describe('when do we hit', () => {
  it('[SW-R23] [SW-R26] [SW-R27] where the way meets the wall; never beside it, behind it or along it', () => {
    const at = (v: Place): number => {
      const store = new Store(rules);
      wall(store, [3, 0, 0], [1, 2, 2]);
      body(store, [0, 0, 0], v);
      return run(store).length;
    };
    expect([at([25, 0, 0]), at([-25, 0, 0]), at([0, 25, 0]), at([15, 25, 0]), at([22, 17, 0])]).toEqual([1, 0, 0, 0, 0]);
    expect(at([25, 14, 0])).toBe(1);
  });

  it('[SW-E13] all six faces stop, each along its own axis', () => {
    for (const [axis, sign] of [
      [0, 1],
      [0, -1],
      [1, 1],
      [1, -1],
      [2, 1],
      [2, -1],
    ] as const) {
      const store = new Store(rules);
      wall(store, [0, 0, 0], [1, 1, 1]);
      const start = [0, 0, 0].map((_, i) => (i === axis ? -sign * 2 : 0.25)) as unknown as Place;
      const row = body(store, start, [0, 0, 0].map((_, i) => (i === axis ? sign * 20 : 0)) as unknown as Place);
      const [hit] = run(store);
      expect([hit?.axis, hit?.normal, place(store, row)[axis]]).toEqual([axis, -sign, -sign * (1 + skin)]);
    }
  });

  it('[SW-R31] [SW-R33] [SW-R37] nobody passes a gap that is narrower than its diameter; a wider one, everybody', () => {
    const across = (gap: number): number => {
      const store = new Store(rules);
      wall(store, [2, 5 + gap / 2, 0], [1, 10, 3]);
      wall(store, [2, -5 - gap / 2, 0], [1, 10, 3]);
      const row = body(store, [0, 0, 0], [20, 0, 0]);
      run(store, 3);
      return place(store, row)[0]!;
    };
    expect(across(1)).toBeCloseTo(6, 9);
    expect(across(1 - 2 ** -34)).toBe(1 - skin);
  });

  it('[SW-R32] every volume of one against every volume of the other', () => {
    const store = new Store(rules);
    const volumes = [cube, { offsetX: 1, offsetY: 2, dimX: 1, dimY: 1, dimZ: 1 }];
    const row = body(store, [0, 0, 0], [30, 0, 0], { volumes });
    store.insert({
      flags: E.COLLIDES,
      position: positionAt(rules, 0, 0, 0, 4, 0, 0),
      volumes: [
        { ...cube, offsetY: 3 },
        { ...cube, offsetX: 9 },
      ],
    });
    run(store);
    // the arm reaches 1.5 in front of the body and meets the box that stands 3 aside? it is 2.5 high at most: they touch, so it passes
    expect(place(store, row)[0]).toBeCloseTo(3, 9);
    const other = new Store(rules);
    const stopped = body(other, [0, 0, 0], [30, 0, 0], { volumes });
    other.insert({
      flags: E.COLLIDES,
      position: positionAt(rules, 0, 0, 0, 4, 0, 0),
      volumes: [
        { ...cube, offsetY: 2.75 },
        { ...cube, offsetX: 9 },
      ],
    });
    run(other);
    expect(place(other, stopped)[0]).toBe(4 - 0.5 - 1.5 - skin);
  });

  it('[SW-E9] the gap before a wall is the same at every speed', () => {
    for (const speed of [0.02, 1, 30]) {
      const store = new Store(rules);
      wall(store, [1.501, 0, 0], [1, 9, 9]);
      const row = body(store, [0, 0, 0], [speed, 0, 0]);
      run(store, speed < 1 ? 400 : 10);
      expect(place(store, row)[0]).toBeCloseTo(0.501 - skin, 10);
    }
  });

  it('[SW-E10] [SW-E11] a body that is inside a wall may leave it, but not go deeper', () => {
    const leave = new Store(rules);
    wall(leave, [0, 0, 0], [4, 4, 4]);
    const out = body(leave, [-2.4, 0, 0], [-10, 0, 0]);
    run(leave);
    expect(place(leave, out)[0]).toBeCloseTo(-3.4, 9);
    const enter = new Store(rules);
    wall(enter, [0, 0, 0], [4, 4, 4]);
    const stuck = body(enter, [-2.5 + 1e-6, 0, 0], [10, 0, 0]);
    run(enter, 5);
    expect(place(enter, stuck)[0]).toBeCloseTo(-2.5, 5);
  });

  it('[SW-E12] a body that slides exactly along a face, or over the seams of a floor, is not caught', () => {
    const store = new Store(rules);
    for (let x = -3; x < 12; x++) wall(store, [x, 0, -1], [1, 1, 1]);
    wall(store, [0, 1, 0], [30, 1, 1]);
    const row = body(store, [-3, 0, 0], [10, 0, 0], { flags: BODY | E.HAS_WEIGHT });
    run(store, 10);
    expect(place(store, row)[0]).toBeCloseTo(7, 9);
    expect(velocity(store, row)[0]).toBe(10);
  });

  it.each<[Place, Place]>([
    [
      [1.5, -3, 0],
      [0, 20, 0],
    ],
    [
      [-1.5, 0, -3],
      [0, 0, 20],
    ],
    [
      [0, 1.5, 3],
      [0, 0, -20],
    ],
    [
      [-3, 0, 1.5],
      [20, 0, 0],
    ],
  ])('[SW-E12] along a face of a box: from %j by %j nothing is hit', (from, way) => {
    const store = new Store(rules);
    wall(store, [0, 0, 0], [2, 2, 2]);
    const row = body(store, from, way);
    expect(run(store, 3)).toEqual([]);
    expect(velocity(store, row)).toEqual(way);
  });

  it('[SW-E6] [SW-R38] Rel ends at a corner of the Minkowski sum, a skin before it, not at 0', () => {
    const store = new Store(rules);
    wall(store, [5, 0, 0], [2, 2, 2]);
    const row = body(store, [3, 0, 0], [30, 0, 0]);
    run(store);
    expect(place(store, row)[0]! - 5).toBe(-1.5 - skin);
  });

  it('[SW-E5] boxes overlap when Rel is within half the Minkowski diameter, not within all of it', () => {
    const store = new Store(rules);
    body(store, [0, 0, 0], [0, 0, 0], { flags: E.MOVABLE | E.SENSES });
    wall(store, [1.75, 0, 0], [1, 1, 1], 0);
    expect(run(store)).toEqual([]);
  });

  it('[SW-R24] search in t stops where search in P does, and knows the face besides', () => {
    const coordinate = fc.integer({ min: -24, max: 24 }).map((n) => n / 8);
    const size = fc.integer({ min: 2, max: 12 }).map((n) => n / 8);
    const box = fc.tuple(coordinate, coordinate, coordinate, size, size, size);
    fc.assert(
      fc.property(fc.array(box, { minLength: 1, maxLength: 4 }), fc.tuple(coordinate, coordinate, coordinate), (boxes, way) => {
        const corners = boxes.map(([x, y, z, a, b, c]): Corners => [x - a / 2, y - b / 2, z - c / 2, x + a / 2, y + b / 2, z + c / 2]);
        const mine: Corners = [-8, -8, -8, -7, -7, -7];
        const d: Place = [7.5 + way[0], 7.5 + way[1], 7.5 + way[2]];
        const store = new Store({ ...rules, MaxEntityVelocity: 3000 });
        for (const [x, y, z, a, b, c] of boxes) wall(store, [x, y, z], [a, b, c]);
        const row = body(store, [-7.5, -7.5, -7.5], d.map((c) => c * 10) as unknown as Place, { parameters: [[E.DISTANCE_LIMIT, 1e9]] });
        const [hit] = run(store);
        const samples = 2000;
        const t = searchInP(mine, d, corners, samples);
        expect(place(store, row)[0]).toBeGreaterThanOrEqual(-7.5);
        // samples may miss a corner that is cut, never the other way round
        if (t < 1) expect(hit).toBeDefined();
        if (hit === undefined) return;
        const face = (solid: Corners): number =>
          hit.normal < 0 ? solid[hit.axis]! - mine[hit.axis + 3]! : solid[hit.axis + 3]! - mine[hit.axis]!;
        expect(face(corners[hit.other - 1]!) / d[hit.axis]!).toBeLessThanOrEqual(t + 1 / samples);
      }),
      { numRuns: 60 },
    );
  });

  it('[SW-R25] [SW-E34] the grid finds exactly what comparing with everybody finds', () => {
    const coordinate = fc.double({ min: -60, max: 60, noNaN: true });
    const box = fc.tuple(
      coordinate,
      coordinate,
      coordinate,
      fc.double({ min: 0.01, max: 90, noNaN: true }),
      fc.double({ min: 0.01, max: 9, noNaN: true }),
    );
    fc.assert(
      fc.property(fc.array(box, { maxLength: 60 }), box, (boxes, query) => {
        const corners = ([x, y, z, long, short]: readonly number[]): number[] => [x!, y!, z!, x! + long!, y! + short!, z! + short!];
        const grid = new BoxGrid();
        grid.build(Float64Array.from(boxes.flatMap(corners)), boxes.length, 4);
        const q = corners(query);
        const found: number[] = [];
        found.length = grid.collect(q[0]!, q[1]!, q[2]!, q[3]!, q[4]!, q[5]!, found);
        const touches = (b: number[]): boolean => [0, 1, 2].every((axis) => b[axis]! <= q[axis + 3]! && b[axis + 3]! >= q[axis]!);
        expect(found.sort((a, b) => a - b)).toEqual(boxes.flatMap((b, i) => (touches(corners(b)) ? [i] : [])));
      }),
    );
  });
});

describe('ground', () => {
  it('[SW-R9] [SW-E25] a body falls, lands, stands, walks off the edge and falls on', () => {
    const store = new Store(rules);
    wall(store, [0, 0, 0], [8, 8, 1]);
    const row = body(store, [0, 0, 2], [0, 0, 0], { flags: BODY | E.HAS_WEIGHT });
    run(store, 30, 1 / 30);
    expect([place(store, row)[2], store.flags[row]! & E.Z_SUPPORTED]).toEqual([1 + skin, E.Z_SUPPORTED]);
    store.setVelocity(row, 5, 0, 0);
    run(store, 20, 1 / 30);
    expect(place(store, row)[2]).toBe(1 + skin);
    run(store, 26, 1 / 30);
    expect([place(store, row)[2]! < 0, store.flags[row]! & E.Z_SUPPORTED]).toEqual([true, 0]);
  });

  it('[SW-E25] stairs carry whoever comes from an end, are a wall from the side, and follow down again', () => {
    const store = new Store(rules);
    wall(store, [0, 0, -0.5], [40, 40, 1]);
    store.insert({
      flags: E.COLLIDES | E.STAIRS,
      position: positionAt(rules, 0, 0, 0, 0, 0, 1.5),
      volumes: [{ dimX: 2, dimY: 6, dimZ: 3 }],
      parameters: [[E.WALKABLE_HEIGHT, 3]],
    });
    wall(store, [0, 6, 1.5], [4, 6, 3]);
    const walker = body(store, [0, -5, 0.5 + skin], [0, 4, 0], { flags: BODY | E.HAS_WEIGHT });
    const aside = body(store, [-4, 2, 0.5 + skin], [4, 0, 0], { flags: BODY | E.HAS_WEIGHT });
    const above = body(store, [-4, -2, 2.2], [4, 0, 0]); // well above the slope there, and below the top of its box
    run(store, 75, 1 / 30);
    expect(place(store, walker)[1]).toBeCloseTo(5, 6);
    expect(place(store, walker)[2]).toBeCloseTo(3.5, 2);
    expect(place(store, aside)[0]).toBeCloseTo(-1.5, 2);
    expect(place(store, above)[0]).toBeCloseTo(-1.5, 2);
    store.setVelocity(walker, 0, -4, 0);
    run(store, 75, 1 / 30);
    expect(place(store, walker)[1]).toBeCloseTo(-5, 6);
    expect(place(store, walker)[2]).toBeCloseTo(0.5, 2);
  });
});

describe('energy', () => {
  it('[SW-G5] [SW-R21] an elastic box under gravity keeps its energy to 1e-9 over 100,000 bounces', () => {
    const store = new Store(rules);
    const side = 3;
    for (const [axis, sign] of [
      [0, 1],
      [0, -1],
      [1, 1],
      [1, -1],
      [2, 1],
      [2, -1],
    ] as const) {
      const p = [0, 1, 2].map((i) => (i === axis ? sign * (side / 2 + 0.5) : 0)) as unknown as Place;
      wall(store, p, [0, 1, 2].map((i) => (i === axis ? 1 : side + 2)) as unknown as Place);
    }
    const row = body(store, [0, 0, 0], [13, 17, 11], { flags: BODY | E.HAS_WEIGHT, parameters: [[E.RESTITUTION, 1]] });
    const energy = (z: number, v: readonly number[]): number => (v[0]! ** 2 + v[1]! ** 2 + v[2]! ** 2) / 2 + 9.8 * z;
    const before = energy(0, [13, 17, 11]);
    const region = beginSim(store, positionAt(rules, 0, 0, 0), 1 / 30);
    let bounces = 0;
    while (bounces < 100_000) {
      simulate(region);
      bounces += region.events.length / 4;
    }
    endSim(region);
    const after = energy(place(store, row)[2]!, velocity(store, row));
    expect(Math.abs(after - before) / before).toBeLessThan(1e-9);
  });
});
