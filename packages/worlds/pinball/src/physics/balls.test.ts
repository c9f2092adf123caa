import { hash, restore, snapshot, uniform } from '@lockstep/kernel';
import { fuzz } from '@lockstep/testkit';
import { describe, expect, it } from 'vitest';
import { Billiards } from '../../oracle/billiards.ts';
import type { Collider } from './colliders.ts';
import { HIT_BALL } from './hits.ts';
import { Bench, benchWorld, box, direction, outsideBy } from './physics.test-support.ts';

const elastic = { restitution: 1 };

/** Balls on a lattice in a box, each with a speed of its own. */
function crowd(count: number, speed: number, extra: Partial<ConstructorParameters<typeof Bench>[0]>, index = {}): Bench {
  const columns = Math.ceil(Math.sqrt(count));
  const side = columns * 0.75 + 0.5;
  const bench = new Bench({ balls: count, colliders: [box(side, side, elastic)], ballMaterial: elastic, ...extra }, index);
  fuzz('crowd', 1, (rng) => {
    for (let i = 0; i < count; i++) {
      const [x, y] = direction(rng);
      const v = uniform(rng, 0, speed);
      bench.ball(i, 0.6 + 0.75 * (i % columns), 0.6 + 0.75 * Math.floor(i / columns), x * v, y * v);
    }
  });
  return bench;
}

function worstOverlap(bench: Bench): number {
  const { state, table } = bench;
  let worst = 0;
  for (let i = 0; i < table.capacity; i++) {
    for (let j = 0; j < i; j++) {
      const dx = state.x[i]! - state.x[j]!;
      const dy = state.y[i]! - state.y[j]!;
      worst = Math.max(worst, 2 * table.r - Math.sqrt(dx * dx + dy * dy));
    }
  }
  return worst;
}

describe('balls among balls', () => {
  it('[PB-4.9] [PB-5.7] head on, equal balls exchange their speeds; the log names both', () => {
    const bench = new Bench({ balls: 2, ballMaterial: elastic });
    bench.ball(0, 0, 0, 2, 0).ball(1, 2, 0, -1, 0).step(1);
    expect([bench.speed(0), bench.speed(1)]).toEqual([
      [-1, 0],
      [2, 0],
    ]);
    const { log } = bench;
    expect([log.count, log.kind[0], log.ball[0], log.target[0], log.time[0], log.speed[0], log.x[0]]).toEqual([
      1,
      HIT_BALL,
      0,
      1,
      0.5,
      3,
      1.25,
    ]);
  });

  it("[PB-G13] Newton's cradle: the last ball leaves with the speed of the first, the others stay", () => {
    const bench = new Bench({ balls: 5, ballMaterial: elastic });
    for (let i = 0; i < 5; i++) bench.ball(i, i === 0 ? -2 : 0.5 * i, 0, i === 0 ? 3 : 0, 0);
    bench.step(1 / 60, 120);
    expect([0, 1, 2, 3, 4].map((i) => Math.abs(bench.speed(i)[0]))).toEqual([0, 0, 0, 0, 3]);
    expect(bench.capped).toBe(0);
  });

  it('[PB-4.9] a break: events in the order of time agree with a naive table of all pairs and walls', () => {
    let collisions = 0;
    fuzz('billiards', 30, (rng) => {
      const count = 12;
      const bench = new Bench({ balls: count, colliders: [box(6, 5, elastic)], ballMaterial: elastic });
      const oracle = new Billiards(6, 5, 0.25);
      for (let i = 0; i < count; i++) {
        const [x, y] = direction(rng);
        const v = uniform(rng, 0, 6);
        bench.ball(i, 0.8 + 1.2 * (i % 4), 0.8 + 1.2 * Math.floor(i / 4), x * v, y * v);
        oracle.add(...bench.at(i), ...bench.speed(i));
      }
      // Rounding grows by about a factor of ten a collision of each ball; after half a second it is still far below.
      bench.step(1 / 16, 8);
      oracle.run(0.5);
      collisions += oracle.collisions;
      for (let i = 0; i < count; i++) {
        expect(Math.abs(bench.at(i)[0] - oracle.x[i]!)).toBeLessThan(1e-7);
        expect(Math.abs(bench.at(i)[1] - oracle.y[i]!)).toBeLessThan(1e-7);
      }
    });
    expect(collisions).toBeGreaterThan(200);
  });

  it.each([2, 30, 100])('[PB-4.9] %i balls, fast: none overlaps another or leaves, energy and number stay', (count) => {
    const bench = crowd(count, 100, {});
    const side = Math.ceil(Math.sqrt(count)) * 0.75 + 0.5;
    const before = bench.energy();
    for (let k = 0; k < 60; k++) {
      bench.step(1 / 60);
      expect(worstOverlap(bench)).toBeLessThan(1e-9);
      for (let i = 0; i < count; i++) expect(outsideBy(bench, i, side, side)).toBeLessThan(1e-9);
    }
    expect(Math.abs(bench.energy() / before - 1)).toBeLessThan(1e-11);
    expect([bench.capped, bench.log.dropped]).toEqual([0, 0]);
    expect(bench.hits).toBeGreaterThan(count * 30);
  });

  it('[PB-4.9] a thousand balls', () => {
    const bench = crowd(1000, 20, {});
    const before = bench.energy();
    bench.step(1 / 60, 30);
    expect(worstOverlap(bench)).toBeLessThan(1e-9);
    expect(Math.abs(bench.energy() / before - 1)).toBeLessThan(1e-11);
    expect(bench.capped).toBe(0);
  });

  it("[PB-4.9] [PB-4.11] [PB-G8] the balls' cells change nothing: from all in one cell to the smallest, the same bits", () => {
    const run = (ballCell: number, cell: number): number[] => {
      const bench = crowd(40, 60, { gravity: [0, -10] }, { ballCell, cell });
      bench.step(1 / 60, 60);
      return [...bench.state.x, ...bench.state.y, ...bench.state.vx, ...bench.state.vy];
    };
    const coarse = run(1000, 1000);
    expect(run(0.8, 0.5)).toEqual(coarse);
    expect(run(1.5, 0.75)).toEqual(coarse);
    expect(run(2.1, 3)).toEqual(coarse);
  });

  it('[PB-6.4] a heap of balls under gravity settles: few hits, no cap, no overlap, no more than a tremor', () => {
    const dull = { restitution: 0.5, friction: 0.2 };
    for (const integrator of ['ballistic', 'document'] as const) {
      const bench = crowd(25, 1, { gravity: [0, -10], integrator, colliders: [box(4.25, 4.25, dull)], ballMaterial: dull });
      bench.step(1 / 240, 240 * 6);
      expect(worstOverlap(bench)).toBeLessThan(1e-7);
      for (let i = 0; i < 25; i++) expect(outsideBy(bench, i, 4.25, 4.25)).toBeLessThan(1e-7);
      const { hits } = bench;
      const at = [...bench.state.x, ...bench.state.y];
      bench.step(1 / 240, 240);
      expect((bench.hits - hits) / 240 / 25).toBeLessThan(15);
      expect(bench.capped).toBe(0);
      [...bench.state.x, ...bench.state.y].forEach((v, k) => expect(Math.abs(v - at[k]!)).toBeLessThan(0.1));
    }
  });

  it('[PB-4.9] inelastic collapse ends: three balls, c = 0.02, between walls', () => {
    const bench = new Bench({ balls: 3, colliders: [box(9, 0.5, { restitution: 0.02 })], ballMaterial: { restitution: 0.02 } });
    bench.ball(0, 1, 0.25, 9, 0).ball(1, 3, 0.25, 0, 0).ball(2, 5, 0.25, -9, 0);
    bench.step(1 / 60, 120);
    expect(bench.capped).toBe(0);
    expect(worstOverlap(bench)).toBeLessThan(1e-9);
  });

  it('[PB-5.4] friction between balls lets one spin the other, and makes no energy', () => {
    const bench = new Bench({ balls: 2, ballMaterial: { restitution: 1, friction: 0.3 } });
    bench.ball(0, 0, 0, 5, 0).ball(1, 1, 0);
    bench.state.spin[0] = 50;
    const before = bench.energy();
    bench.step(0.5);
    expect(bench.state.spin[1]).toBeLessThan(0);
    expect(bench.speed(1)[1]).not.toBe(0);
    expect(bench.energy()).toBeLessThan(before);
  });

  it('[PB-2.4] balls on different layers do not meet; a held ball is not there', () => {
    const bench = new Bench({ balls: 3, ballMaterial: elastic });
    bench.ball(0, 0, 0, 2, 0).ball(1, 1, 0).ball(2, 2, 0);
    bench.state.layer[1] = 1;
    bench.state.status[2] = 2;
    bench.step(2);
    expect([bench.log.count, bench.at(0)[0], bench.at(2)[0]]).toEqual([0, 4, 2]);
  });
});

describe('determinism', () => {
  const stadium: Collider[] = [
    box(9.5, 9.5, { restitution: 0.9, friction: 0.1 }),
    { kind: 'arc', at: [4.6, 8], radius: 1.2, from: 0, to: 3, side: 'both', material: { restitution: 0.8 } },
    { kind: 'line-sensor', from: [0, 4], to: [9, 5] },
  ];
  const make = (): Bench => {
    const bench = new Bench({
      balls: 9,
      gravity: [0, -10],
      colliders: stadium,
      ballMaterial: { restitution: 0.9, friction: 0.1 },
      movers: [
        {
          kind: 'rotor',
          at: [3, 2],
          from: [0, 0],
          to: [1.5, 0],
          fromRadius: 0.2,
          toRadius: 0.1,
          min: -0.6,
          max: 0.6,
          inertia: 4,
          bounce: 0.2,
        },
      ],
    });
    for (let i = 0; i < 9; i++) bench.ball(i, 1 + 3 * (i % 3), 3.5 + 1.3 * Math.floor(i / 3), 7 - i, i * 2);
    return bench;
  };
  const drive = (bench: Bench, k: number): void => {
    bench.state.drive[0] = k % 40 < 20 ? 500 : -500;
    bench.step(1 / 240);
  };
  const hashOf = (bench: Bench): string => hash(benchWorld, { tick: bench.tick, physics: bench.state });

  it('[PB-6] twice the same hash at every step', () => {
    const a = make();
    const b = make();
    for (let k = 0; k < 600; k++) {
      drive(a, k);
      drive(b, k);
      expect(hashOf(a)).toBe(hashOf(b));
    }
    expect(a.hits).toBeGreaterThan(100);
  });

  it('[PB-6] restored in mid-flight, on the same or another table object, it goes on as if it had not been stopped', () => {
    const whole = make();
    const other = make();
    const taken: [number, Float64Array][] = [];
    for (let k = 0; k < 400; k++) {
      if (k % 57 === 3) taken.push([k, snapshot(benchWorld, { tick: whole.tick, physics: whole.state })]);
      drive(whole, k);
    }
    const end = hashOf(whole);
    for (const [k, at] of taken) {
      for (const bench of [whole, other]) {
        const holder = { tick: 0, physics: bench.state };
        restore(benchWorld, holder, at);
        bench.tick = holder.tick;
        for (let step = k; step < 400; step++) drive(bench, step);
        expect(hashOf(bench)).toBe(end);
      }
    }
  });
});
