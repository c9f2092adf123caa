import { nextInt, type Rng, uniform } from '@lockstep/kernel';
import { fuzz } from '@lockstep/testkit';
import { describe, expect, it } from 'vitest';
import type { Collider, Mover, TableDescription } from './colliders.ts';
import { Bench, box, direction } from './physics.test-support.ts';

/** Everything a ball can meet, or the first kinds of it, scattered over a box of 12 by 12; a ball passes everywhere. */
function clutter(rng: Rng, sensors: boolean, kinds = 8): Collider[] {
  const colliders: Collider[] = [box(12, 12, { restitution: 1 })];
  for (let cell = 0; cell < 16; cell++) {
    const x = (cell % 4) * 3 + 1.5;
    const y = Math.floor(cell / 4) * 3 + 1.5;
    const [dx, dy] = direction(rng);
    const [from, to] = [[x - 0.5 * dx, y - 0.5 * dy] as const, [x + 0.5 * dx, y + 0.5 * dy] as const];
    const material = [
      { restitution: 1 },
      { restitution: 0.7, friction: 0.2 },
      { restitution: 0.5, falloff: 0.1 },
      { restitution: 0.6, throwSpeed: 9, throwAbove: 1 },
    ][nextInt(rng, 4)]!;
    const things: Collider[] = [
      { kind: 'disk', at: [x, y], radius: uniform(rng, 0.05, 0.5), material },
      { kind: 'disk', at: [x, y], radius: uniform(rng, 0.05, 0.5) },
      { kind: 'segment', from, to, material },
      { kind: 'segment', from, to },
      { kind: 'one-way', from, to, material },
      { kind: 'capsule', from, to, radius: 0.2, material },
      { kind: 'arc', at: [x, y], radius: 0.6, from: uniform(rng, 0, 3), to: uniform(rng, 4, 8), side: 'both', material },
      { kind: 'polygon', points: [from, to, [x + 0.5 * dy, y - 0.5 * dx]], material },
    ];
    colliders.push(things[nextInt(rng, kinds)]!);
    if (sensors && nextInt(rng, 2) === 0)
      colliders.push({ kind: 'line-sensor', from, to: [to[0] + 1, to[1]] }, { kind: 'disk-sensor', at: from, radius: 0.7 });
  }
  return colliders;
}

const flipper: Mover = {
  kind: 'rotor',
  at: [3, 3],
  from: [0, 0],
  to: [1.5, 0],
  fromRadius: 0.2,
  toRadius: 0.1,
  min: -0.6,
  max: 0.6,
  inertia: 4,
  bounce: 0.2,
};

/** The same game on a table with all short cuts and on one without any: the same numbers after every step, and the same hits. */
function compare(rng: Rng, description: Partial<TableDescription>, balls: number, radii: number, step: number, steps: number): number {
  const table = { ...description, balls };
  const fast = new Bench(table);
  const naive = new Bench(table, { naive: true });
  const corners = [0.4, 3, 6, 9, 11.6];
  for (let i = 0; i < balls; i++) {
    const [dx, dy] = direction(rng);
    const v = (uniform(rng, 0.1, 1) * radii * 0.25) / step;
    for (const bench of [fast, naive]) bench.ball(i, corners[i % 5]!, corners[Math.floor(i / 5) % 5]!, dx * v, dy * v);
  }
  for (let k = 0; k < steps; k++) {
    for (const bench of [fast, naive]) {
      if (description.movers !== undefined) bench.state.drive[0] = k % 60 < 25 ? 500 : -500;
      if (k % 97 === 13) bench.state.shakeX = k % 2 === 0 ? 3 : 0;
      bench.step(step);
    }
    expectSame(numbersOf(fast), numbersOf(naive));
    expectSame(hitsOf(fast), hitsOf(naive));
  }
  expect(fast.capped).toBe(naive.capped);
  return naive.hits;
}

/** To the last bit, -0 and 0 told apart. */
function expectSame(ours: readonly number[], theirs: readonly number[]): void {
  if (ours.length !== theirs.length || ours.some((value, k) => !Object.is(value, theirs[k]))) expect(ours).toEqual(theirs);
}

const numbersOf = ({ state: { x, y, vx, vy, spin, region, place, rate } }: Bench): number[] =>
  [x, y, vx, vy, spin, region, place, rate].flatMap((column) => [...column]);

const hitsOf = ({ log }: Bench): number[] =>
  [log.kind, log.ball, log.target, log.time, log.speed, log.x, log.y].flatMap((column) => [...column.subarray(0, log.count)]);

describe('the short cuts change no bit', () => {
  it.each([0.5, 10, 500])('[PB-4.11] [PB-G8] on straight ways, alone, at %d radii a step', (radii) => {
    let hits = 0;
    fuzz(`straight ${radii}`, 6, (rng) => {
      hits += compare(rng, { colliders: clutter(rng, nextInt(rng, 2) === 0) }, 12, radii, 1 / 60, radii > 100 ? 8 : 80);
    });
    expect(hits).toBeGreaterThan(100);
  });

  it.each([0.5, 10, 500])('[PB-4.11] [PB-G8] on straight ways among disks and segments only, alone, at %d radii a step', (radii) => {
    let hits = 0;
    fuzz(`in sight ${radii}`, 8, (rng) => {
      hits += compare(rng, { colliders: clutter(rng, false, 4) }, 20, radii, 1 / 60, radii > 100 ? 12 : 120);
    });
    expect(hits).toBeGreaterThan(100);
  });

  it.each([0.5, 10])('[PB-4.9] [PB-4.11] among balls, with and without gravity, at %d radii a step', (radii) => {
    let hits = 0;
    fuzz(`among balls ${radii}`, 6, (rng) => {
      const gravity = nextInt(rng, 2) === 0 ? ([0, 0] as const) : ([1, -10] as const);
      const colliders = clutter(rng, nextInt(rng, 3) === 0);
      hits += compare(rng, { colliders, gravity, ballMaterial: { restitution: 0.95 } }, 25, radii, 1 / 60, 60);
    });
    expect(hits).toBeGreaterThan(100);
  });

  it('[PB-4.8] [PB-4.11] few balls, gravity, a ramp and a flipper at 1 kHz: steps in which nothing happens, and those in which something does', () => {
    let hits = 0;
    fuzz('few balls', 8, (rng) => {
      const colliders = clutter(rng, true);
      const points = [[7, 7], [11, 7], [11, 11], [7, 11]] as const; // prettier-ignore
      const regions = [{ points, gravity: [0, -4] as const }];
      const balls = 1 + nextInt(rng, 5);
      hits += compare(rng, { colliders, regions, gravity: [0, -10], movers: [flipper], ballMaterial: { restitution: 0.8, friction: 0.1 } }, balls, 0.08, 1 / 1000, 1500); // prettier-ignore
    });
    expect(hits).toBeGreaterThan(100);
  });
});
