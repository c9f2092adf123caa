import { describe, expect, it } from 'vitest';
import type { Collider, Point } from './colliders.ts';
import { HIT_SENSOR } from './hits.ts';
import { placeBall, pushOut } from './overlap.ts';
import { Bench, box, floor } from './physics.test-support.ts';

const material = { restitution: 1 };

/** Where a ball without gravity is after a second, and how often it hit. */
function shot(collider: Collider, from: Point, speed: Point): { at: Point; speed: Point; hits: number } {
  const bench = new Bench({ colliders: [collider] });
  bench.ball(0, ...from, ...speed).step(1);
  return { at: bench.at(), speed: bench.speed(), hits: bench.log.count };
}

describe('colliders', () => {
  it('[PB-4.4] [PB-G12] a segment is hit from both sides, and past its ends not at all', () => {
    const wall: Collider = { kind: 'segment', from: [-1, 0], to: [1, 0], material };
    expect(shot(wall, [0, 1], [0, -1])).toEqual({ at: [0, 0.5], speed: [0, 1], hits: 1 });
    expect(shot(wall, [0, -1], [0, 1])).toEqual({ at: [0, -0.5], speed: [0, -1], hits: 1 });
    expect(shot(wall, [1.26, 1], [0, -2])).toEqual({ at: [1.26, -1], speed: [0, -2], hits: 0 });
  });

  it('[PB-4.4] the end of a segment is a point: the ball is deflected around it', () => {
    const { speed, hits } = shot({ kind: 'segment', from: [-1, 0], to: [1, 0], material }, [1.2, 1], [0, -2]);
    expect(hits).toBe(1);
    expect(speed[0]).toBeGreaterThan(1);
  });

  it('[PB-4.4] under gravity a ball may pass beside a segment and hit it from below on its way back', () => {
    // Gravity upwards: thrown down past the right end, the ball returns under the wall.
    const bench = new Bench({ gravity: [0, 10], colliders: [{ kind: 'segment', from: [-4, 0], to: [1, 0], material }] });
    bench.ball(0, 1.5, 1, -1, -8).step(1.5);
    expect(bench.log.count).toBe(1);
    expect(bench.log.ny[0]).toBe(-1);
    expect(bench.at()[1]).toBeLessThan(-0.25);
  });

  it('[PB-4.5] a one-way segment holds what comes from its left and lets pass what comes from its right', () => {
    const gate: Collider = { kind: 'one-way', from: [-1, 0], to: [1, 0], material };
    expect(shot(gate, [0, 1], [0, -1])).toEqual({ at: [0, 0.5], speed: [0, 1], hits: 1 });
    expect(shot(gate, [0, -1], [0, 2])).toEqual({ at: [0, 1], speed: [0, 2], hits: 0 });
  });

  it('[PB-4.6] an arc is hit outside and inside, and open where it is not', () => {
    const arc: Collider = { kind: 'arc', at: [0, 0], radius: 2, from: 0, to: Math.PI, side: 'both', material };
    expect(shot(arc, [0, 3], [0, -1])).toEqual({ at: [0, 2.5], speed: [0, 1], hits: 1 });
    expect(shot(arc, [0, 0], [0, 2]).speed[1]).toBe(-2);
    expect(shot(arc, [0, 0], [0, -3])).toEqual({ at: [0, -3], speed: [0, -3], hits: 0 });
    // In through the gap below, against the inside above.
    const through = shot(arc, [0, -3], [0, 6]);
    expect([through.speed, through.hits]).toEqual([[0, -6], 1]);
    expect(Math.abs(through.at[1] - 0.5)).toBeLessThan(1e-14);
    const oneSided: Collider = { ...arc, side: 'inside' };
    expect(shot(oneSided, [0, 3], [0, -1]).hits).toBe(0);
    expect(shot({ ...arc, side: 'outside' }, [0, 0], [0, 2]).hits).toBe(0);
  });

  it('[PB-4.6] in and out by a gap under gravity, and in again: the last hit counts', () => {
    // Thrown up through the open top, the ball falls back in, on the ground inside.
    const bowl: Collider = { kind: 'arc', at: [0, 0], radius: 2, from: -Math.PI, to: 0, side: 'both', material };
    const bench = new Bench({ gravity: [0, -10], colliders: [bowl] });
    bench.ball(0, 0.5, -1, 0, 10).step(1 / 64, 150);
    expect(bench.hits).toBeGreaterThan(0);
    expect(bench.log.dropped + bench.capped).toBe(0);
    expect(Math.abs(bench.energy() - 40)).toBeLessThan(1e-9);
  });

  it('[PB-4.7] polygons are solid in either order of points; corners that stick out are round for the ball', () => {
    const points: Point[] = [
      [-1, -1],
      [1, -1],
      [1, 1],
      [-1, 1],
    ];
    for (const polygon of [points, [...points].reverse()]) {
      const solid: Collider = { kind: 'polygon', points: polygon, material };
      expect(shot(solid, [0, 2], [0, -1])).toEqual({ at: [0, 1.5], speed: [0, 1], hits: 1 });
      const corner = shot(solid, [2, 2], [-1, -1]);
      expect(corner.hits).toBe(1);
      expect(Math.abs(corner.speed[0] - 1)).toBeLessThan(1e-12);
    }
    // An L: its inner corner has no point of its own, and a ball that flies into it comes back by both walls.
    const notch: Point[] = [
      [0, 0],
      [4, 0],
      [4, 1],
      [1, 1],
      [1, 4],
      [0, 4],
    ];
    const back = shot({ kind: 'polygon', points: notch, material }, [2, 2.1], [-1, -1]);
    expect(back.hits).toBe(2);
    expect(back.speed).toEqual([1, 1]);
  });

  it('[PB-4.7] a capsule has flat sides and round ends', () => {
    const capsule: Collider = { kind: 'capsule', from: [-1, 0], to: [1, 0], radius: 0.5, material };
    expect(shot(capsule, [0, 1.25], [0, -1])).toEqual({ at: [0, 1.25], speed: [0, 1], hits: 1 });
    expect(shot(capsule, [0, -1.25], [0, 1])).toEqual({ at: [0, -1.25], speed: [0, -1], hits: 1 });
    expect(shot(capsule, [2.25, 0], [-1, 0])).toEqual({ at: [2.25, 0], speed: [1, 0], hits: 1 });
  });

  it('[PB-4.10] sensors tell each crossing once, with its direction, and change nothing', () => {
    const colliders: Collider[] = [
      { kind: 'line-sensor', from: [-1, 0], to: [1, 0] },
      { kind: 'disk-sensor', at: [0, -2], radius: 0.5 },
    ];
    const bench = new Bench({ colliders });
    const plain = new Bench({});
    bench.ball(0, 0.1, 1, 0, -1);
    plain.ball(0, 0.1, 1, 0, -1);
    const told: number[][] = [];
    for (let k = 0; k < 64; k++) {
      bench.step(1 / 16);
      plain.step(1 / 16);
      for (let h = 0; h < bench.log.count; h++) {
        expect(bench.log.kind[h]).toBe(HIT_SENSOR);
        told.push([bench.log.target[h]!, bench.log.speed[h]!]);
      }
    }
    expect(told).toEqual([
      [0, -1],
      [1, 1],
    ]);
    expect(Math.abs(bench.at()[1] - plain.at()[1])).toBeLessThan(1e-14);
    // Thrown up through the line and falling back: twice, in a single step.
    const arc = new Bench({ gravity: [0, -10], colliders: colliders.slice(0, 1) });
    arc.ball(0, 0, -1, 0, 6).step(1.1);
    expect([...arc.log.speed.subarray(0, arc.log.count)].map(Math.sign)).toEqual([1, -1]);
  });

  it('[PB-2.4] a ball meets only colliders of its layer, and those that are enabled', () => {
    const bench = new Bench({ balls: 3, colliders: [{ ...floor(material), layers: [1] }, floor(material)] });
    for (const i of [0, 1]) bench.ball(i, i, 1, 0, -1);
    bench.state.layer[1] = 1;
    bench.step(1);
    expect([bench.at(0)[1], bench.at(1)[1]]).toEqual([0.5, 0.5]);
    bench.state.enabled[1] = 0;
    bench.state.vy.fill(-1);
    bench.step(1);
    expect([bench.at(0)[1], bench.at(1)[1]]).toEqual([-0.5, 1]);
  });

  it('[PB-3.1] [PB-G10] [PB-G16] a ball placed into something is pushed out along the nearest normal and gains no speed', () => {
    const colliders: Collider[] = [
      floor(material),
      { kind: 'segment', from: [2, 0], to: [2, 3], material },
      {
        kind: 'polygon',
        points: [
          [4, 0],
          [6, 0],
          [6, 1],
          [4, 1],
        ],
        material,
      },
      { kind: 'capsule', from: [8, 3], to: [10, 3], radius: 0.4, material },
      { kind: 'arc', at: [14, 3], radius: 1, from: 0, to: 7, side: 'both', material },
    ];
    const bench = new Bench({ colliders });
    const placed = (x: number, y: number): Point => {
      expect(placeBall(bench.table, bench.state, 0, x, y)).toBe(true);
      return bench.at().map((v) => Math.trunc(v * 1e9 + 0.5) / 1e9) as unknown as Point;
    };
    expect(placed(1, -3)).toEqual([1, 0.25]);
    expect(placed(1.9, 1)).toEqual([1.75, 1]);
    expect(placed(2.1, 1)).toEqual([2.25, 1]);
    expect(placed(5, 0.9)).toEqual([5, 1.25]);
    expect(placed(9, 3.1)).toEqual([9, 3.65]);
    expect(placed(9, 2.9)).toEqual([9, 2.35]);
    expect(placed(14, 3.9)).toEqual([14, 3.75]);
    expect(placed(14, 4.1)).toEqual([14, 4.25]);
    bench.state.x[0] = 1;
    bench.state.y[0] = 0.1;
    bench.state.vx[0] = 2;
    bench.state.vy[0] = -3;
    expect(pushOut(bench.table, bench.state, 0)).toBe(true);
    expect(bench.speed()).toEqual([2, 0]);
  });

  it('[PB-3.1] where there is no room the answer is no', () => {
    const bench = new Bench({
      colliders: [floor(material), { kind: 'half-plane', at: [0, 0.4], normal: [0, -1], material }],
    });
    expect(placeBall(bench.table, bench.state, 0, 0, 0.2)).toBe(false);
  });

  it.each([
    [{ colliders: [{ kind: 'segment', from: [1, 1], to: [1, 1] }] }, 'colliders.0: expected two different points, got [1,1]'],
    [{ colliders: [floor({ restitution: 1.1 })] }, 'colliders.0.material.restitution: expected a number 0..1, got 1.1'],
    [
      { colliders: [{ kind: 'arc', at: [0, 0], radius: 0.2, from: 0, to: 1, side: 'inside' }] },
      "colliders.0.radius: expected more than the ball's radius 0.25, got 0.2",
    ],
    [{ radius: 0 }, 'radius: expected a number above 0, got 0'],
    [{ colliders: [{ ...floor(material), layers: [31] }] }, 'colliders.0.layers: expected layers 0..30, got 31'],
    [{ colliders: [{ kind: 'polygon', points: [[0, 0]] }] }, 'colliders.0.points: expected three points or more around an area, got 1'],
  ] as const)('[PB-G11] bad data is refused by path: %j', (description, why) => {
    expect(() => new Bench(description as never)).toThrow(why);
  });

  it('[PB-4.11] the index changes nothing: cells of any size, the same bits', () => {
    const run = (cell: number): Point[] => {
      const colliders: Collider[] = [box(20, 12, material)];
      for (let k = 0; k < 30; k++)
        colliders.push({ kind: 'disk', at: [2 + (k % 6) * 3, 1.6 + Math.floor(k / 6) * 2.2], radius: 0.3, material });
      const bench = new Bench({ balls: 4, gravity: [0, -10], colliders }, { cell });
      for (let i = 0; i < 4; i++) bench.ball(i, 3.5 + 3 * i, 2.7, 31 + i, 17 * (i - 1.5)).step(1 / 60, 100);
      return [0, 1, 2, 3].map((i) => bench.at(i));
    };
    const fine = run(0.75);
    expect(run(2)).toEqual(fine);
    expect(run(7)).toEqual(fine);
    expect(run(1000)).toEqual(fine);
  });
});
