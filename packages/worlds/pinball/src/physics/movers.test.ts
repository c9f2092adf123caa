import { cos, nextInt, sin, uniform } from '@lockstep/kernel';
import { fuzz } from '@lockstep/testkit';
import { describe, expect, it } from 'vitest';
import type { Mover } from './colliders.ts';
import { HIT_MOVER } from './hits.ts';
import { moverAt } from './movers.ts';
import { Bench, box, direction, floor, toss } from './physics.test-support.ts';

const rubber = { restitution: 0.7 };

/** A left flipper: pivot at the origin, from 30 degrees down to 30 degrees up. */
const flipper: Mover = {
  kind: 'rotor',
  at: [0, 0],
  from: [0, 0],
  to: [3, 0],
  fromRadius: 0.4,
  toRadius: 0.2,
  min: -0.5,
  max: 0.5,
  inertia: 20,
  material: rubber,
};

/** Distance between ball i and mover k; negative is overlap. */
function gap(bench: Bench, i: number, k: number): number {
  bench.table.work.moverStart.fill(0);
  moverAt(bench.table, bench.state, i, k);
  return bench.table.work.out[2]!;
}

describe('moving colliders', () => {
  it('[PB-4.8] a rotor goes at its rate to its stop and stays, or bounces off it', () => {
    const bench = new Bench({ movers: [flipper, { ...flipper, at: [10, 0], bounce: 0.5 }] });
    bench.state.rate.fill(10);
    bench.step(0.05);
    expect([...bench.state.place]).toEqual([0, 0]);
    bench.step(0.06);
    expect(bench.state.place[0]).toBe(0.5);
    expect(bench.state.rate[0]).toBe(0);
    expect(bench.state.rate[1]).toBe(-5);
    expect(Math.abs(bench.state.place[1]! - 0.45)).toBeLessThan(1e-15);
    bench.state.drive[0] = -100;
    bench.step(0.01);
    expect([bench.state.rate[0], bench.state.place[0]]).toEqual([-1, 0.49]);
  });

  it('[PB-4.8] the hit time of a turning flipper is that of a fine search, and the gap at the hit is none', () => {
    let hits = 0;
    fuzz('flipper hit times', 400, (rng) => {
      const kind = nextInt(rng, 3) === 0 ? 'slider' : 'rotor';
      const shape: Mover = {
        ...flipper,
        kind,
        axis: direction(rng),
        from: [uniform(rng, -1, 0), 0],
        min: -2,
        max: 2,
        start: uniform(rng, -1, 1),
        inertia: Infinity,
      };
      const one = new Bench({ gravity: [0, -10], movers: [shape] });
      const [x, y] = [toss(rng, 5), toss(rng, 5)];
      one.state.x[0] = x;
      one.state.y[0] = y;
      one.state.status[0] = 1;
      if (gap(one, 0, 0) < 0.05) return;
      const v = [toss(rng, 30), toss(rng, 30)] as const;
      one.state.vx[0] = v[0];
      one.state.vy[0] = v[1];
      const w = toss(rng, 20);
      one.state.rate[0] = w;
      const T = Math.min(0.1, (w > 0 ? 2 - shape.start! : 2 + shape.start!) / Math.abs(w) / 1.01);
      one.step(T);
      if (one.log.total > 0 && one.log.count === 0) return; // so slow a hit that it came to rest
      const time = one.log.count > 0 ? one.log.time[0]! : T;
      // All along the way to the hit, ball and flipper are apart.
      const probe = new Bench({ movers: [shape] });
      const apartAt = (t: number): number => {
        probe.state.x[0] = x + v[0] * t;
        probe.state.y[0] = y + v[1] * t - 5 * t * t;
        probe.state.place[0] = shape.start! + w * t;
        return gap(probe, 0, 0);
      };
      let nearest = Infinity;
      for (let k = 0; k < 500; k++) nearest = Math.min(nearest, apartAt((time * k) / 500));
      expect(nearest).toBeGreaterThan(-1e-12);
      if (one.log.count === 0) return;
      hits++;
      expect(Math.abs(apartAt(time))).toBeLessThan(1e-10);
    });
    expect(hits).toBeGreaterThan(30);
  });

  it('[PB-5.5] a heavy flipper throws a ball that lies on it with (1 + c) times the speed of its surface', () => {
    const bench = new Bench({ movers: [{ ...flipper, fromRadius: 0.3, toRadius: 0.3, min: 0, inertia: Infinity }] });
    bench.ball(0, 2, 0.55);
    bench.state.rate[0] = 10;
    bench.step(0.001);
    expect(bench.log.kind[0]).toBe(HIT_MOVER);
    expect(Math.abs(bench.speed()[1] - 1.7 * 20)).toBeLessThan(1e-9);
    expect(bench.state.rate[0]).toBe(10);
  });

  it('[PB-5.5] a light one gives way: angular momentum is exchanged, elastic energy kept', () => {
    const light: Mover = {
      ...flipper,
      fromRadius: 0.3,
      toRadius: 0.3,
      min: -3,
      max: 3,
      start: 0,
      inertia: 2,
      material: { restitution: 1 },
    };
    const bench = new Bench({ movers: [light] });
    bench.ball(0, 2, 1, 0, -10).step(0.1);
    const [vx, vy] = bench.speed();
    const w = bench.state.rate[0]!;
    expect(bench.log.count).toBe(1);
    expect(Math.abs(vx)).toBe(0);
    expect(Math.abs(vy * 2 + 2 * w + 20)).toBeLessThan(1e-12);
    expect(Math.abs(vy * vy + 2 * w * w - 100)).toBeLessThan(1e-12);
    expect(w).toBeLessThan(-3);
  });

  it('[PB-5.5] at its stop it does not give way', () => {
    const bench = new Bench({ movers: [{ ...flipper, min: 0, fromRadius: 0.3, toRadius: 0.3, inertia: 2 }] });
    bench.ball(0, 2, 1, 0, -10).step(0.1);
    expect(Math.abs(bench.speed()[1] - 7)).toBeLessThan(1e-12);
    expect(bench.state.rate[0]).toBe(0);
  });

  it('[PB-6.2] a ball comes to rest on a flipper that stands, rolls down it, and costs about one hit a step', () => {
    const bench = new Bench({ gravity: [0, -10], movers: [{ ...flipper, min: 0, fromRadius: 0.3, toRadius: 0.3 }], colliders: [] });
    bench.ball(0, 1, 1).step(1 / 1000, 4000);
    expect(Math.abs(bench.at()[1] - 0.55)).toBeLessThan(1e-12);
    const { hits } = bench;
    bench.step(1 / 1000, 1000);
    expect(bench.hits - hits).toBeLessThan(2100);
    expect(bench.capped).toBe(0);
  });

  it('[PB-6.4] a ball that comes to rest on a free gate pushes it open by its weight; on a driven flipper at its stop it lies still', () => {
    const bar: Mover = { ...flipper, fromRadius: 0.1, toRadius: 0.1, min: -1.5, max: 0, start: 0, inertia: 1 };
    const free = new Bench({ gravity: [0, -10], movers: [bar] });
    free.ball(0, 2, 0.35).step(1 / 1000, 300);
    expect(free.state.place[0]).toBeLessThan(-0.1);
    expect(free.at()[1]).toBeLessThan(0.2);
    const held = new Bench({ gravity: [0, -10], movers: [{ ...bar, min: -1.5, max: 0 }] });
    held.ball(0, 2, 0.35);
    held.state.drive[0] = 100;
    held.step(1 / 1000, 300);
    expect([held.state.place[0], held.at()[1], held.hits]).toEqual([0, 0.35, 300]);
  });

  it('[PB-5.5] a plunger drives the ball before it', () => {
    const plunger: Mover = {
      kind: 'slider',
      at: [0, 0],
      axis: [0, 1],
      from: [-0.3, 0],
      to: [0.3, 0],
      fromRadius: 0.1,
      toRadius: 0.1,
      min: -1,
      max: 0,
      material: { restitution: 0 },
    };
    const bench = new Bench({ gravity: [0, -10], movers: [{ ...plunger, start: -1 }] });
    bench.ball(0, 0, -0.65);
    bench.state.drive[0] = 2000;
    bench.step(1 / 1000, 60);
    expect(bench.state.place[0]).toBe(0);
    expect(bench.speed()[1]).toBeGreaterThan(55);
    expect(gap(bench, 0, 0)).toBeGreaterThan(0);
  });

  it('[PB-4.8] a gate and a spinner, light and free, are pushed by the ball and slow it', () => {
    const spinner: Mover = {
      ...flipper,
      from: [-1, 0],
      to: [1, 0],
      fromRadius: 0.05,
      toRadius: 0.05,
      min: -100,
      max: 100,
      start: 0,
      inertia: 0.5,
    };
    const bench = new Bench({ movers: [spinner] });
    bench.ball(0, 0.8, 2, 0, -20).step(1 / 1000, 100);
    expect(bench.state.rate[0]).toBeLessThan(-5);
    expect(bench.energy() + 0.25 * bench.state.rate[0]! ** 2).toBeLessThan(200);
  });

  it('[PB-G7] a ball squeezed between a flipper and a pit does not escape: the flipper stops', () => {
    for (const inertia of [Infinity, 5]) {
      const material = { restitution: 0.9 };
      const bench = new Bench({
        gravity: [0, -10],
        colliders: [
          floor(material),
          { kind: 'half-plane', at: [1.7, 0], normal: [1, 0], material },
          { kind: 'half-plane', at: [2.3, 0], normal: [-1, 0], material },
        ],
        movers: [{ ...flipper, at: [0, 2], min: -1.5, max: 0.5, start: 0.5, inertia }],
      });
      bench.ball(0, 2, 0.25);
      bench.state.drive[0] = -3000;
      for (let k = 0; k < 300; k++) {
        bench.step(1 / 1000);
        const [x, y] = bench.at();
        expect(Math.min(y, x - 1.7, 2.3 - x)).toBeGreaterThan(0.25 - 1e-9);
        expect(gap(bench, 0, 0)).toBeGreaterThan(-1e-9);
        expect(Math.abs(bench.speed()[0]) + Math.abs(bench.speed()[1])).toBeLessThan(1e6);
      }
      expect(bench.state.place[0]).toBeGreaterThan(-1.2);
    }
  });

  it('[PB-4.8] fast balls and fast flippers in a box: no ball ever inside a flipper or outside of the box', () => {
    const W = 12;
    const H = 8;
    fuzz('flippers', 12, (rng) => {
      const movers: Mover[] = [
        { ...flipper, at: [2, 3], bounce: 0.3 },
        { ...flipper, at: [10, 3], min: Math.PI - 0.5, max: Math.PI + 0.5, bounce: 0.3, inertia: Infinity },
        {
          ...flipper,
          at: [6, 6],
          from: [-1.2, 0],
          to: [1.2, 0],
          fromRadius: 0.1,
          toRadius: 0.1,
          min: -1e6,
          max: 1e6,
          start: 0,
          inertia: 3,
        },
      ];
      const bench = new Bench({ balls: 3, gravity: [0, -10], colliders: [box(W, H, { restitution: 0.95 })], movers, ballMaterial: rubber });
      bench.ball(0, 6, 1).ball(1, 5, 4.2).ball(2, 7, 4.2);
      let worst = 0;
      for (let k = 0; k < 400; k++) {
        for (const i of [0, 1, 2]) {
          if (nextInt(rng, 20) > 0) continue;
          const speed = uniform(rng, 1, 300);
          const [x, y] = direction(rng);
          bench.state.vx[i] = x * speed;
          bench.state.vy[i] = y * speed;
        }
        for (const m of [0, 1, 2]) if (nextInt(rng, 10) === 0) bench.state.drive[m] = toss(rng, 3000);
        bench.step(1 / 240);
        for (const i of [0, 1, 2]) {
          const [x, y] = bench.at(i);
          worst = Math.max(worst, 0.25 - x, x - W + 0.25, 0.25 - y, y - H + 0.25);
          for (const m of [0, 1, 2]) worst = Math.max(worst, -gap(bench, i, m));
        }
      }
      expect(worst).toBeLessThan(1e-9);
    });
  });

  it('[PB-G18] angles go through the exact sine and cosine of the kernel', () => {
    const bench = new Bench({ movers: [{ ...flipper, start: 0.3, toRadius: 0.4 }] });
    bench.ball(0, 4 * cos(0.3), 4 * sin(0.3));
    expect(Math.abs(gap(bench, 0, 0) - (1 - 0.4 - 0.25))).toBeLessThan(1e-15);
  });
});
