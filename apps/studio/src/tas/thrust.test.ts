import { describe, expect, it } from 'vitest';
import { angleOf, FULL, isLegal, magnitudeOf, nearestThrust, thrustOf, typedThrust } from './thrust.ts';

describe('angle and magnitude as exact whole numbers', () => {
  it('every legal instruction comes back from its own angle and magnitude', () => {
    for (let vx = -FULL; vx <= FULL; vx++) {
      for (let vy = -FULL; vy <= FULL; vy++) {
        if (!isLegal(vx, vy)) continue;
        const back = thrustOf(angleOf({ vx, vy }), magnitudeOf({ vx, vy }));
        if (back.vx !== vx || back.vy !== vy) expect(back).toEqual({ vx, vy });
      }
    }
    expect(thrustOf(0, 0)).toEqual({ vx: 0, vy: 0 });
  });

  it('no angle and no magnitude gives more than the longest instruction, and full thrust is as near to it as whole numbers are', () => {
    for (let angle = -720; angle < 720; angle += 0.37) {
      for (const magnitude of [FULL, 1000, Infinity, 126.7]) {
        const thrust = thrustOf(angle, magnitude);
        expect(isLegal(thrust.vx, thrust.vy)).toBe(true);
        expect(magnitudeOf(thrust)).toBeGreaterThan(125.5);
      }
    }
  });

  it('is the nearest legal one of all', () => {
    const legal: [number, number][] = [];
    for (let vx = -FULL; vx <= FULL; vx++) for (let vy = -FULL; vy <= FULL; vy++) if (isLegal(vx, vy)) legal.push([vx, vy]);
    for (let i = 0; i < 60; i++) {
      const [x, y] = [Math.cos(i) * (i % 3 === 0 ? FULL : i * 2), Math.sin(i) * (i % 3 === 0 ? FULL : i * 2)];
      const { vx, vy } = nearestThrust(x, y);
      const error = (ax: number, ay: number) => (ax - x) ** 2 + (ay - y) ** 2;
      expect(error(vx, vy)).toBe(Math.min(...legal.map(([ax, ay]) => error(ax, ay))));
    }
  });

  it('points where the map points: right, down, left, up', () => {
    expect([0, 90, 180, 270].map((angle) => thrustOf(angle, Infinity))).toEqual([
      { vx: 127, vy: 0 },
      { vx: 0, vy: 127 },
      { vx: -127, vy: 0 },
      { vx: 0, vy: -127 },
    ]);
    expect(angleOf({ vx: 0, vy: -5 })).toBe(270);
    expect(Object.is(thrustOf(180, 127).vy, 0)).toBe(true);
  });

  it('takes typed numbers as they are, and refuses what is no instruction', () => {
    expect(typedThrust('-127', ' 0 ')).toEqual({ vx: -127, vy: 0 });
    for (const [vx, vy] of [
      ['127', '1'],
      ['-128', '0'],
      ['90', '90'],
      ['1.5', '0'],
      ['', '0'],
      ['x', '1'],
    ] as const) {
      expect([vx, vy, typedThrust(vx, vy)]).toEqual([vx, vy, null]);
    }
  });
});
