import { uniform } from '@lockstep/kernel';
import { fuzz } from '@lockstep/testkit';
import { describe, expect, it } from 'vitest';
import { type Ball, hitDisk, hitHalfPlane, hitPoint, react } from '../../oracle/document.ts';
import type { Collider, Point } from './colliders.ts';
import { Bench, direction, floor, toss } from './physics.test-support.ts';

const elastic = { restitution: 1 };

/** One step in which nothing but the hit happens: when, where and how the product says it was. */
function hitOf(collider: Collider, { X, s, r }: Ball, Dt: number): { dt: number; C: Point; n: Point } | null {
  const bench = new Bench({ radius: r, integrator: 'document', colliders: [collider] });
  bench.ball(0, ...X, ...s).step(Dt);
  const { log } = bench;
  if (log.count === 0) return null;
  return { dt: log.time[0]!, C: [log.x[0]!, log.y[0]!], n: [log.nx[0]!, log.ny[0]!] };
}

describe("the document's vectors", () => {
  it('[PB-4.1] 1: a ball flying up meets a point', () => {
    const ball: Ball = { X: [0, 0], s: [0, 1], r: 0.25 };
    const expected = { dt: 0.25, C: [0, 0.5], n: [0, -1] };
    expect(hitPoint(ball, [0, 0.5], 1)).toEqual(expected);
    expect(hitOf({ kind: 'point', at: [0, 0.5] }, ball, 1)).toEqual(expected);
  });

  it('[PB-4.2] 2: a falling ball meets a half-plane', () => {
    const ball: Ball = { X: [0, 1], s: [0, -1], r: 0.25 };
    const expected = { dt: 0.75, C: [0, 0], n: [0, 1] };
    expect(hitHalfPlane(ball, [0, 0], [0, 1], 1)).toEqual(expected);
    expect(hitOf(floor(elastic), ball, 1)).toEqual(expected);
  });

  it('[PB-5.3] 3: the reaction mirrors the speed and uses up the step', () => {
    const ball: Ball = { X: [0, 0], s: [0, -1], r: 0.25 };
    expect(react(ball, { dt: 0.5, C: [0, -0.75], n: [0, 1] }, 1, 1)).toEqual({ X: [0, 0], s: [0, 1], r: 0.25 });
    const bench = new Bench({
      integrator: 'document',
      colliders: [{ kind: 'half-plane', at: [0, -0.75], normal: [0, 1], material: elastic }],
    });
    bench.ball(0, 0, 0, 0, -1).step(1);
    expect([bench.speed(), bench.at()]).toEqual([
      [0, 1],
      [0, 0],
    ]);
  });

  it('[PB-2.1] 4: free fall is semi-implicit Euler', () => {
    const bench = new Bench({ integrator: 'document', gravity: [0, -10] });
    bench.ball(0, 0, 0).step(1);
    expect([bench.speed(), bench.at()]).toEqual([
      [0, -10],
      [0, -10],
    ]);
  });

  it('[PB-4.1] 5: the regression, a point just below a fast ball', () => {
    const bench = new Bench({ integrator: 'document', colliders: [{ kind: 'point', at: [0, -1], material: elastic }] });
    bench.ball(0, 0, -0.684, 0, -3.6).step(0.02);
    expect(bench.log.count).toBe(1);
    expect(bench.at()[1]).toBeGreaterThan(-0.75);
  });
});

describe('the product agrees with the text of the document where the text is defined', () => {
  const random = (rng: Parameters<typeof toss>[0]): Ball => {
    const [x, y] = direction(rng);
    const speed = uniform(rng, 1, 200);
    return { X: [toss(rng, 3), toss(rng, 3)], s: [x * speed, y * speed], r: uniform(rng, 0.1, 0.5) };
  };
  const same = (a: ReturnType<typeof hitOf>, b: ReturnType<typeof hitPoint>, what: string): void => {
    expect(a === null, what).toBe(b === null);
    if (a === null || b === null) return;
    expect(Math.abs(a.dt - b.dt), what).toBeLessThan(1e-9);
    for (const k of [0, 1]) {
      expect(Math.abs(a.C[k]! - b.C[k]!), what).toBeLessThan(1e-6);
      expect(Math.abs(a.n[k]! - b.n[k]!), what).toBeLessThan(1e-6);
    }
  };

  it('[PB-G2] [PB-G3] [PB-G4] hits of points, disks and half-planes: time, point and normal', () => {
    let hits = 0;
    fuzz('document hits', 2000, (rng) => {
      const ball = random(rng);
      const P: Point = [toss(rng, 3), toss(rng, 3)];
      const rD = uniform(rng, 0.05, 1);
      const distance = Math.sqrt((ball.X[0] - P[0]) ** 2 + (ball.X[1] - P[1]) ** 2);
      if (distance < ball.r + rD + 0.01) return;
      const what = JSON.stringify({ ball, P, rD });
      const disk = hitDisk(ball, P, rD, 0.02);
      // A graze is decided by the last bit: the text and the product may differ there.
      const across = Math.abs((ball.X[0] - P[0]) * ball.s[1] - (ball.X[1] - P[1]) * ball.s[0]) / Math.sqrt(ball.s[0] ** 2 + ball.s[1] ** 2);
      if (Math.abs(across - ball.r - rD) > 1e-3) same(hitOf({ kind: 'disk', at: P, radius: rD }, ball, 0.02), disk, what);
      if (Math.abs(across - ball.r) > 1e-3) same(hitOf({ kind: 'point', at: P }, ball, 0.02), hitPoint(ball, P, 0.02), what);
      const n = direction(rng);
      const height = (ball.X[0] - P[0]) * n[0] + (ball.X[1] - P[1]) * n[1];
      const approach = (ball.s[0] * n[0] + ball.s[1] * n[1]) / Math.sqrt(ball.s[0] ** 2 + ball.s[1] ** 2);
      if (height > ball.r && Math.abs(approach) > 1e-3)
        same(hitOf({ kind: 'half-plane', at: P, normal: n }, ball, 0.02), hitHalfPlane(ball, P, n, 0.02), what);
      if (disk) hits++;
    });
    expect(hits).toBeGreaterThan(50);
  });

  it('[PB-G1] a ball that overlaps a half-plane deeply is put on it at once, whatever its speed; leaving, it is let go', () => {
    const bench = new Bench({ integrator: 'document', colliders: [floor(elastic)] });
    bench.ball(0, 0, 1);
    Object.assign(bench.state.y, { 0: -5 });
    bench.state.vy[0] = -0.1;
    bench.step(1 / 64);
    expect(bench.at()[1]).toBe(0.25 + 0.1 / 64);
    bench.state.y[0] = -5;
    bench.state.vy[0] = 3;
    bench.step(1);
    expect(bench.at()[1]).toBe(-2);
  });

  it('[PB-G5] the document gains or loses energy at every bounce under gravity, by its phase; that is its rule, and kept', () => {
    const peak = (integrator: 'document' | 'ballistic', phase: number): number => {
      const bench = new Bench({ integrator, gravity: [0, -10], colliders: [floor({ restitution: 0.8 })] });
      bench.ball(0, 0, 1.25 + phase);
      let top = 0;
      let bounced = false;
      for (let k = 0; k < 90; k++) {
        bench.step(1 / 60);
        bounced ||= bench.log.count > 0;
        if (bounced && bench.speed()[1] <= 0) break;
        if (bounced) top = Math.max(top, bench.energy() / 10 - 0.25);
      }
      return Math.sqrt(top / (1 + phase));
    };
    const measured = [0, 0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.07, 0.08].map((phase) => peak('document', phase));
    expect(Math.max(...measured) - Math.min(...measured)).toBeGreaterThan(0.02);
    for (const phase of [0, 0.02, 0.05, 0.08]) expect(Math.abs(peak('ballistic', phase) - 0.8)).toBeLessThan(1e-9);
  });
});
