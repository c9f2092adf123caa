import { nextInt, type Rng, uniform } from '@lockstep/kernel';
import { fuzz } from '@lockstep/testkit';
import { describe, expect, it } from 'vitest';
import type { Collider, Mover, Point } from './colliders.ts';
import { moverAt } from './movers.ts';
import { Bench, box, direction } from './physics.test-support.ts';

/** 10^6 bounces here; LOCKSTEP_LONG=1 makes it 10^8. */
const MANY = process.env['LOCKSTEP_LONG'] === '1' ? 100 : 1;
const TIMEOUT = 60_000 * MANY;
const elastic = { restitution: 1 };
const R = 0.25;

/** Speeds of 0.1, 1, 10, … 5000 radii a step. */
const SPEEDS = [0.1, 1, 10, 50, 500, 5000];

function launch(bench: Bench, rng: Rng, i: number, radii: number, step: number): void {
  const [x, y] = direction(rng);
  bench.state.vx[i] = (x * radii * R) / step;
  bench.state.vy[i] = (y * radii * R) / step;
}

/** A field of cells with walls without thickness, one ball in each; every other cell has something in it. */
function cellField(rng: Rng): Bench {
  const colliders: Collider[] = [];
  const wall = (from: Point, to: Point): void => {
    colliders.push({ kind: 'segment', from, to, material: elastic });
  };
  for (let k = 0; k <= 4; k++) {
    wall([k * 3, 0], [k * 3, 12]);
    wall([0, k * 3], [12, k * 3]);
  }
  for (let cell = 0; cell < 16; cell++) {
    const at: Point = [(cell % 4) * 3 + 2.1, Math.floor(cell / 4) * 3 + 2.1];
    const [x, y] = direction(rng);
    const end: Point = [at[0] + 0.4 * x, at[1] + 0.4 * y];
    const things: Collider[] = [
      { kind: 'disk', at, radius: uniform(rng, 0.05, 0.3), material: elastic },
      { kind: 'segment', from: at, to: end, material: elastic },
      { kind: 'capsule', from: at, to: end, radius: 0.1, material: elastic },
      { kind: 'arc', at, radius: 0.32, from: uniform(rng, 0, 3), to: uniform(rng, 4, 8), side: 'both', material: elastic },
      { kind: 'polygon', points: [at, [at[0] + 0.3, at[1]], [at[0], at[1] + 0.3]], material: elastic },
      { kind: 'point', at, material: elastic },
    ];
    if (cell % 2 === 0) colliders.push(things[nextInt(rng, things.length)]!);
  }
  const bench = new Bench({ balls: 16, gravity: nextInt(rng, 2) === 0 ? [0, 0] : [3, -10], colliders });
  for (let cell = 0; cell < 16; cell++) bench.ball(cell, (cell % 4) * 3 + 0.7, Math.floor(cell / 4) * 3 + 0.7);
  return bench;
}

/** How far ball i is out of the square [left, left + size] × [bottom, bottom + size]. */
function out(bench: Bench, i: number, left: number, bottom: number, size: number): number {
  const [x, y] = bench.at(i);
  const by = Math.max(left + R - x, x - (left + size - R), bottom + R - y, y - (bottom + size - R));
  return by === by ? by : Infinity;
}

/** Plays rounds, each with dice and a speed of its own, until there were enough bounces. */
function playUntil(wanted: number, name: string, round: (rng: Rng, radii: number) => number): void {
  const done = { bounces: 0, rounds: 0 };
  while (done.bounces < wanted) {
    const radii = SPEEDS[done.rounds % SPEEDS.length]!;
    fuzz(`${name} ${done.rounds++}`, 1, (rng) => {
      done.bounces += round(rng, radii);
    });
    expect(done.rounds).toBeLessThan(wanted);
  }
}

describe('nothing escapes', () => {
  it(
    '[PB-6] [PB-G9] thin walls and everything else, at up to 5,000 radii a step',
    () => {
      playUntil(600_000 * MANY, 'escape', (rng, radii) => {
        const bench = cellField(rng);
        const step = nextInt(rng, 2) === 0 ? 1 / 60 : 1 / 1000;
        for (let cell = 0; cell < 16; cell++) launch(bench, rng, cell, radii, step);
        const steps = Math.min(2000, Math.ceil(8000 / radii));
        let worst = 0;
        for (let k = 0; k < steps; k++) {
          bench.step(step);
          for (let cell = 0; cell < 16; cell++) worst = Math.max(worst, out(bench, cell, (cell % 4) * 3, Math.floor(cell / 4) * 3, 3));
        }
        expect(worst).toBeLessThan(1e-9);
        expect(bench.capped).toBe(0);
        return bench.hits;
      });
    },
    TIMEOUT,
  );

  it(
    '[PB-6] [PB-4.9] balls among balls',
    () => {
      playUntil(300_000 * MANY, 'escape among balls', (rng, radii) => {
        const bench = new Bench({ balls: 20, gravity: [0, -10], colliders: [box(5, 5, elastic)], ballMaterial: elastic });
        for (let i = 0; i < 20; i++) {
          bench.ball(i, 0.6 + 0.9 * (i % 5), 0.6 + 0.9 * Math.floor(i / 5));
          launch(bench, rng, i, radii, 1 / 240);
        }
        const before = bench.energy();
        const steps = Math.min(200, Math.ceil(1000 / radii));
        let worst = 0;
        for (let k = 0; k < steps; k++) {
          bench.step(1 / 240);
          for (let i = 0; i < 20; i++) worst = Math.max(worst, out(bench, i, 0, 0, 5), overlap(bench, i));
        }
        expect(worst).toBeLessThan(1e-9);
        expect(bench.capped).toBe(0);
        expect(Math.abs(bench.energy() / before - 1)).toBeLessThan(1e-9);
        return bench.hits;
      });
    },
    TIMEOUT,
  );

  it(
    '[PB-6] [PB-4.8] moving flippers, a spinner and a plunger, with balls that hit each other',
    () => {
      playUntil(100_000 * MANY, 'escape from flippers', (rng) => {
        const bench = flipperField(rng);
        const step = nextInt(rng, 2) === 0 ? 1 / 240 : 1 / 1000;
        let worst = 0;
        for (let k = 0; k < 300; k++) {
          for (let i = 0; i < 4; i++) if (nextInt(rng, 30) === 0) launch(bench, rng, i, SPEEDS[nextInt(rng, SPEEDS.length)]!, step);
          for (let m = 0; m < 4; m++) if (nextInt(rng, 10) === 0) bench.state.drive[m] = uniform(rng, -3000, 3000);
          bench.step(step);
          for (let i = 0; i < 4; i++) {
            worst = Math.max(worst, out(bench, i, 0, 0, 12), overlap(bench, i));
            for (let m = 0; m < 4; m++) worst = Math.max(worst, -gapTo(bench, i, m));
          }
        }
        expect(worst).toBeLessThan(1e-9);
        return bench.hits;
      });
    },
    TIMEOUT,
  );
});

function flipperField(rng: Rng): Bench {
  const rubber = { restitution: 0.8, friction: 0.2 };
  const flipper: Mover = {
    kind: 'rotor',
    at: [3, 4],
    from: [0, 0],
    to: [2, 0],
    fromRadius: 0.3,
    toRadius: 0.15,
    min: -0.5,
    max: 0.5,
    inertia: 20,
    bounce: 0.3,
    material: rubber,
  };
  const movers: Mover[] = [
    flipper,
    { ...flipper, at: [9, 4], min: Math.PI - 0.5, max: Math.PI + 0.5, inertia: Infinity },
    {
      ...flipper,
      at: [6, 8],
      from: [-1, 0],
      fromRadius: 0.1,
      to: [1, 0],
      toRadius: 0.1,
      min: -1e6,
      max: 1e6,
      start: 0,
      inertia: 2,
      bounce: 0,
    },
    {
      ...flipper,
      kind: 'slider',
      at: [6, 1.2],
      axis: [0, 1],
      from: [-0.4, 0],
      to: [0.4, 0],
      fromRadius: 0.1,
      min: -0.4,
      max: 0.4,
      start: -0.4,
    },
  ];
  const bench = new Bench({
    balls: 4,
    gravity: [0, -10],
    colliders: [box(12, 12, { restitution: uniform(rng, 0.5, 1), friction: 0.1 })],
    movers,
    ballMaterial: rubber,
  });
  for (let i = 0; i < 4; i++) bench.ball(i, 1.5 + 3 * i, 10.5);
  return bench;
}

function overlap(bench: Bench, i: number): number {
  const { x, y } = bench.state;
  let worst = 0;
  for (let j = 0; j < i; j++) worst = Math.max(worst, 2 * R - Math.sqrt((x[i]! - x[j]!) ** 2 + (y[i]! - y[j]!) ** 2));
  return worst;
}

function gapTo(bench: Bench, i: number, m: number): number {
  bench.table.work.moverStart.fill(0);
  moverAt(bench.table, bench.state, i, m);
  return bench.table.work.out[2]!;
}
