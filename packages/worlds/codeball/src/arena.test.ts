import { seedRng, uniform } from '@lockstep/kernel';
import { describe, expect, it } from 'vitest';
import { danToArena } from '../oracle/naive.ts';
import { ArenaShape } from './arena-shape.ts';
import { Contact, touchArena } from './arena.ts';
import { readConfig } from './door.ts';
import { STANDARD_RULES } from './rules.ts';

const shape = new ArenaShape(STANDARD_RULES.arena);

/** The nearest surface to a point: a body so large that it reaches every surface. */
function nearest(x: number, y: number, z: number) {
  const contact = new Contact();
  expect(touchArena(shape, { x, y, z, radius: Infinity }, contact)).toBe(true);
  return contact;
}

type Point = readonly [x: number, y: number, z: number];

/** Points whose distance and normal follow from 3-4-5 triangles: rule, surface, point, distance, normal. */
const surfaces: readonly (readonly [rule: string, surface: string, point: Point, distance: number, normal: Point])[] = [
  ['CB-2.3b', 'ground', [0, 0.5, 0], 0.5, [0, 1, 0]],
  ['CB-2.3b', 'ceiling', [0, 19, 0], 1, [0, -1, 0]],
  ['CB-2.3b', 'side x', [29, 10, 0], 1, [-1, 0, 0]],
  ['CB-2.3b', 'side z (goal)', [0, 5, 48], 2, [0, 0, -1]],
  ['CB-2.3c', 'side z', [16.5, 8, 39], 1, [0, 0, -1]],
  ['CB-2.3d', 'goal side x', [14, 5, 44], 1, [-1, 0, 0]],
  ['CB-2.3d', 'goal ceiling plane', [0, 9, 44], 1, [0, -1, 0]],
  ['CB-2.3e', 'goal back corner', [13.5, 5, 49], 0.5, [-0.6, 0, -0.8]],
  ['CB-2.3f', 'corner', [23, 10, 35], 3, [-0.6, 0, -0.8]],
  ['CB-2.3g', 'goal outer side x', [14.5, 5, 39], 1.5, [-0.6, 0, -0.8]],
  ['CB-2.3g', 'goal outer ceiling', [0, 9.5, 39], 1.5, [0, -0.6, -0.8]],
  ['CB-2.3g', 'goal outer top corner', [13.5, 9, 39], 1.5, [-0.36, -0.48, -0.8]],
  ['CB-2.3h', 'goal inside top side x', [13.5, 9, 44], 0.5, [-0.6, -0.8, 0]],
  ['CB-2.3i', 'bottom side x', [28.5, 1, 0], 0.5, [-0.6, 0.8, 0]],
  ['CB-2.3i', 'bottom side z', [16.5, 1, 38.5], 0.5, [0, 0.8, -0.6]],
  ['CB-2.3j', 'bottom goal outer corner', [14.5, 1, 39], 0.5, [-0.36, 0.8, -0.48]],
  ['CB-2.3k', 'bottom side x (goal)', [13.5, 1, 44], 0.5, [-0.6, 0.8, 0]],
  ['CB-2.3l', 'bottom corner', [23.9, 1, 36.2], 0.5, [-0.36, 0.8, -0.48]],
  ['CB-2.3m', 'ceiling side x', [26, 17, 0], 2, [-0.6, -0.8, 0]],
  ['CB-2.3m', 'ceiling side z', [0, 17, 36], 2, [0, -0.8, -0.6]],
  ['CB-2.3m', 'ceiling corner', [22.4, 17, 34.2], 2, [-0.36, -0.8, -0.48]],
];

/** The bits are the oracle's affair (below); here the geometry is checked by hand. */
const nearly = (got: number, expected: number) => Math.abs(got - expected) < 1e-12;

describe('dan_to_arena by hand', () => {
  it.each(surfaces)(
    '[%s] %s is the nearest surface where it should be, at its distance and with its normal',
    (_rule, surface, point, distance, normal) => {
      const found = nearest(...point);
      expect(danToArena({ x: point[0], y: point[1], z: point[2] }, STANDARD_RULES.arena).branch).toBe(surface);
      expect(nearly(found.distance, distance)).toBe(true);
      expect([found.nx, found.ny, found.nz].map((n, i) => nearly(n, normal[i]!))).toStrictEqual([true, true, true]);
    },
  );

  it('[CB-2.3c] there is no side z in the goal mouth, whose top corners are rounded', () => {
    expect(nearest(0, 5, 39.5).distance).toBe(5); // the ground
    expect(nearest(15.2, 10.2, 39.5)).toMatchObject({ distance: 0.5, nx: 0, nz: -1 }); // beyond the rounded corner: the wall
    expect(nearest(14, 9, 39.5).distance).toBeGreaterThan(0.5); // within it: the edge is farther
  });

  it('[CB-2.3a] of two equal distances the first surface stays', () => {
    // The goal's back plane and the sphere of its back corners are both 1 away; the plane comes first.
    expect(nearest(0, 5, 49)).toMatchObject({ distance: 1, nx: 0, ny: 0, nz: -1 });
    // Ground and ceiling in the middle of the arena.
    expect(nearest(0, 10, 0)).toMatchObject({ distance: 10, ny: 1 });
  });

  it('[CB-2.3n] the four quarters mirror each other: same distance, normals turned, zeros signed like the side', () => {
    for (const [, , [x, y, z]] of surfaces) {
      const at = nearest(x, y, z);
      for (const [sx, sz] of [
        [-1, 1],
        [1, -1],
        [-1, -1],
      ] as const) {
        const there = nearest(x * sx, y, z * sz);
        expect(there.distance).toBe(at.distance);
        expect(there.ny).toBe(at.ny);
        const turnsX = x !== 0 && sx < 0;
        const turnsZ = z !== 0 && sz < 0;
        expect(there.nx).toBe(turnsX ? -at.nx : at.nx); // toBe is Object.is: 0 turned is -0
        expect(there.nz).toBe(turnsZ ? -at.nz : at.nz);
      }
    }
  });

  it('[CB-1.3a] a body fits into a goal: in its middle no surface is within 4', () => {
    expect(nearest(0, 5, 45).distance).toBe(5);
    expect(touchArena(shape, { x: 0, y: 5, z: 45, radius: 4 }, new Contact())).toBe(false);
  });

  it('[CB-1.2] outside of the arena the distance is negative and the normal points back in', () => {
    expect(nearest(0, -2, 0)).toMatchObject({ distance: -2, ny: 1 });
    expect(nearest(33, 10, 0)).toMatchObject({ distance: -3, nx: -1 });
    expect(nearest(-33, 10, 0)).toMatchObject({ distance: -3, nx: 1 });
  });
});

const arenas = {
  'the standard arena': {},
  'a small one': {
    width: 30,
    depth: 40,
    height: 14,
    corner_radius: 5,
    top_radius: 4,
    bottom_radius: 1.5,
    goal_top_radius: 1.5,
    goal_width: 12,
    goal_height: 6,
    goal_depth: 5,
    goal_side_radius: 0.5,
  },
  'one with hardly any rounding': {
    bottom_radius: 0.25,
    goal_top_radius: 0.25,
    top_radius: 0.3,
    corner_radius: 0.5,
    goal_side_radius: 0.1,
  },
  'one with odd measures': {
    width: 61.7,
    depth: 83.3,
    height: 21.1,
    corner_radius: 12.3,
    top_radius: 6.1,
    bottom_radius: 2.7,
    goal_top_radius: 2.7,
    goal_width: 29.1,
    goal_height: 9.9,
    goal_depth: 8.3,
    goal_side_radius: 1.3,
  },
};

describe('touchArena against the document line by line', () => {
  it.each(Object.entries(arenas))(
    '[CB-2.3] distance and normal are the oracle’s, bit for bit, near every surface of %s',
    (_name, given) => {
      const { arena } = readConfig({ rules: { arena: given } }).rules;
      const own = new ArenaShape(arena);
      const contact = new Contact();
      const rng = seedRng(3n);
      const met = new Map<string, number>();
      for (let i = 0; i < 40_000; i++) {
        const inGoal = i % 3 === 0;
        const point = inGoal
          ? {
              x: uniform(rng, -arena.goal_width / 2 - 2, arena.goal_width / 2 + 2),
              y: uniform(rng, -1, arena.goal_height + 2),
              z:
                uniform(rng, -1, 1) < 0
                  ? uniform(rng, -arena.depth / 2 - 11, -arena.depth / 2 + 4)
                  : uniform(rng, arena.depth / 2 - 4, arena.depth / 2 + 11),
            }
          : {
              x: uniform(rng, -arena.width / 2 - 2, arena.width / 2 + 2),
              y: uniform(rng, -2, arena.height + 2),
              z: uniform(rng, -arena.depth / 2 - 3, arena.depth / 2 + 3),
            };
        const expected = danToArena(point, arena);
        for (const radius of [1, 2, 2.6, 4, Infinity]) {
          const touches = touchArena(own, { ...point, radius }, contact);
          const { distance, normal } = expected;
          const same =
            touches === distance < radius &&
            (!touches ||
              (Object.is(contact.distance, distance) &&
                Object.is(contact.nx, normal.x) &&
                Object.is(contact.ny, normal.y) &&
                Object.is(contact.nz, normal.z)));
          if (!same)
            throw new Error(`radius ${radius} at ${JSON.stringify(point)}: ${JSON.stringify(contact)} but ${JSON.stringify(expected)}`);
        }
        if (expected.distance < 2) met.set(expected.branch, (met.get(expected.branch) ?? 0) + 1);
      }
      // Two more of the document's surfaces have the centre of one before them and never win: goal inside top side z, bottom side z (goal).
      // The goal's back plane ties with the sphere of the back corners; with odd measures rounding decides between them.
      const large = arena.bottom_radius > 1; // smaller roundings are met too seldom by chance
      const never = surfaces.map(([, surface]) => surface).filter((surface) => large && surface !== 'side z (goal)' && !met.has(surface));
      expect(never).toStrictEqual([]);
    },
  );
});
