import { type Rng, uniform } from '@lockstep/kernel';
import { fuzz } from '@lockstep/testkit';
import { describe, expect, it } from 'vitest';
import { circleSign, heightSign } from '../../oracle/exact.ts';
import { toss } from './physics.test-support.ts';
import { enterCircle, fallTime, firstRoot, leaveCircle, type Motion, TIME } from './roots.ts';

/** Just before and just after a time, by more than its rounding. */
const around = (t: number, unit: number): [number, number] => [Math.max(0, t - 1e-11 * unit), t + 1e-11 * unit];

/** Which signs occur at so many times. */
const signs = (count: number, at: (k: number) => number): number[] => [...new Set(Array.from({ length: count }, (_, k) => at(k)))];

type Seen = [dx: number, dy: number, vx: number, vy: number, ax: number, ay: number, R: number, T: number];

function timeOf(find: (m: Motion) => void, [dx, dy, vx, vy, ax, ay, R, T]: Seen): number {
  const way = T * (Math.abs(vx) + Math.abs(vy) + (T * (Math.abs(ax) + Math.abs(ay))) / 2);
  const motion = Float64Array.of(dx, dy, vx, vy, ax, ay, T, R, 0, way, 1e-11);
  find(motion);
  return motion[TIME]!;
}

describe('hit times against exact arithmetic', () => {
  it('[PB-G1] [PB-4.2] a height comes down to 0 at the time said, not earlier', () => {
    fuzz('fall times', 2000, (rng) => {
      const h = uniform(rng, 0.001, 2);
      const v = toss(rng, 20);
      const a = toss(rng, 30);
      const t = fallTime(h, v, a, 1e-11, 0, 0);
      if (t === Infinity) {
        expect(signs(25, (k) => heightSign(h, v, a, k / 5))).toEqual([1]);
        return;
      }
      const [before, after] = around(t, 1);
      expect(heightSign(h, v, a, before)).toBeGreaterThanOrEqual(0);
      if (Math.abs(v + a * t) > 0.01) expect(heightSign(h, v, a, after)).toBe(-1);
      expect(signs(20, (k) => heightSign(h, v, a, (before * k) / 20))).toEqual([1]);
    });
  });

  const flight = (rng: Rng): { d: number[]; v: number[]; a: number[]; R: number } => {
    const bent = uniform(rng, 0, 1) < 0.8 ? 1 : 0;
    const scale = uniform(rng, 0, 1) < 0.5 ? 1 : 20;
    return {
      d: [toss(rng, 3), toss(rng, 3)],
      v: [toss(rng, scale), toss(rng, scale)],
      a: [bent * toss(rng, 30), bent * toss(rng, 30)],
      R: uniform(rng, 0.2, 2),
    };
  };

  it('[PB-4.3] [PB-G2] a parabola enters a circle at the time said, and never before', () => {
    let hits = 0;
    fuzz('entering circles', 1500, (rng) => {
      const { d, v, a, R } = flight(rng);
      if (circleSign(d, v, a, R * 1.001, 0) <= 0) return;
      const T = 2;
      const t = timeOf(enterCircle, [d[0]!, d[1]!, v[0]!, v[1]!, a[0]!, a[1]!, R, T]);
      const last = Math.min(t, T);
      expect(signs(50, (k) => circleSign(d, v, a, R, (last * k) / 50))).toEqual([1]);
      if (t >= T) return;
      hits++;
      const x = d[0]! + t * (v[0]! + (t * a[0]!) / 2);
      const y = d[1]! + t * (v[1]! + (t * a[1]!) / 2);
      const approach = (x * (v[0]! + t * a[0]!) + y * (v[1]! + t * a[1]!)) / R;
      expect(Math.abs(Math.sqrt(x * x + y * y) - R)).toBeLessThan(1e-11);
      if (approach < -0.1) expect(circleSign(d, v, a, R, around(t, 1)[1])).toBe(-1);
    });
    expect(hits).toBeGreaterThan(200);
  });

  it('[PB-4.6] and leaves it at the time said, from inside or after it came in', () => {
    let hits = 0;
    fuzz('leaving circles', 3000, (rng) => {
      const { d, v, a, R } = flight(rng);
      if (circleSign(d, v, a, R * 0.999, 0) >= 0) return;
      const T = 2;
      const t = timeOf(leaveCircle, [d[0]!, d[1]!, v[0]!, v[1]!, a[0]!, a[1]!, R, T]);
      const last = Math.min(t, T);
      expect(signs(50, (k) => circleSign(d, v, a, R, (last * k) / 50))).toEqual([-1]);
      if (t >= T) return;
      hits++;
      const x = d[0]! + t * (v[0]! + (t * a[0]!) / 2);
      const y = d[1]! + t * (v[1]! + (t * a[1]!) / 2);
      expect(Math.abs(Math.sqrt(x * x + y * y) - R)).toBeLessThan(1e-11);
    });
    expect(hits).toBeGreaterThan(300);
  });

  it('[PB-G6] in contact the root of now is divided out: a hop on a circle ends when it comes back', () => {
    // On top of a circle of radius 1, straight up at 3, g = 10: back after 0.6 s exactly.
    expect(timeOf(enterCircle, [0, 1, 0, 3, 0, -10, 1, 2])).toBe(0.6);
    expect(fallTime(0, 3, -10, 1e-11, 0, 0)).toBe(0.6);
    expect(timeOf(enterCircle, [0, 1, 0, 0, 0, -10, 1, 2])).toBe(0);
    expect(timeOf(leaveCircle, [0, -1, 0, 3, 0, -10, 1, 0.7])).toBe(0.6000000000000001);
    expect(timeOf(leaveCircle, [0, -1, 0, 0, 0, -10, 1, 2])).toBe(0);
  });

  it('of a polynomial with four roots the first is found; one that only comes near 0 has none', () => {
    // (t - 1)(t - 2)(t - 3)(t - 4)
    expect(Math.abs(firstRoot(24, -50, 35, -10, 1, 10) - 1)).toBeLessThan(1e-12);
    // (t - 1)² (t - 3)² + 1e-9
    expect(firstRoot(9 + 1e-9, -24, 22, -8, 1, 10)).toBe(Infinity);
    expect(Math.abs(firstRoot(9 - 1e-9, -24, 22, -8, 1, 10) - 1)).toBeLessThan(1e-4);
  });
});
