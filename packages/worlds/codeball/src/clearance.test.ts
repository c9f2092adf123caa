import { type Rng, seedRng, uniform } from '@lockstep/kernel';
import { describe, expect, it } from 'vitest';
import { danToArena } from '../oracle/naive.ts';
import { ArenaShape } from './arena-shape.ts';
import { clearance, floorZoneSlack, goalClearance, type Slack } from './clearance.ts';
import { readConfig } from './door.ts';
import { type Arena, STANDARD_RULES } from './rules.ts';

/** The promises on which bodies run alone: checked against the document's own function at points anywhere within the slack. */
const arenas: readonly (readonly [string, Arena])[] = [
  ['the standard arena', STANDARD_RULES.arena],
  [
    'one with odd measures',
    readConfig({
      rules: {
        arena: {
          width: 77.7,
          height: 31.3,
          depth: 90.1,
          corner_radius: 17.9,
          top_radius: 5.3,
          goal_width: 33.3,
          goal_height: 14.1,
          goal_depth: 8.7,
        },
      },
    }).rules.arena,
  ],
];
const POINTS = 40_000;

/** A point around which there is room, and another one that is no further from it than that. */
function* pairs(shape: ArenaShape, radius: number, slackOf: (s: ArenaShape, b: Slack) => void, inside: (b: Slack) => boolean) {
  const rng = seedRng(20181227n);
  for (let i = 0; i < POINTS; i++) {
    const b = { x: signed(rng, shape.sideX), y: uniform(rng, -1, shape.height), z: signed(rng, shape.backZ), radius, slack: 0 };
    if (!inside(b)) continue;
    slackOf(shape, b);
    if (b.slack <= 0) continue;
    const [dx, dy, dz] = [signed(rng, 1), signed(rng, 1), signed(rng, 1)];
    const reach = (b.slack * uniform(rng, 0.5, 1)) / Math.sqrt(dx * dx + dy * dy + dz * dz);
    yield { from: b, to: { x: b.x + dx * reach, y: b.y + dy * reach, z: b.z + dz * reach } };
  }
}

const signed = (rng: Rng, most: number): number => uniform(rng, -most, most);

describe.each(arenas)('in %s', (_, arena) => {
  const shape = new ArenaShape(arena);

  it.each([1, 1.05, 2, 2.9])('[CB-2.3] from the floor zone a body of radius %d touches the ground or nothing', (radius) => {
    let checked = 0;
    for (const { from, to } of pairs(shape, radius, floorZoneSlack, () => radius < shape.floorZoneRadius)) {
      const { distance, branch } = danToArena(to, arena);
      expect(branch === 'ground' || distance >= radius, `${JSON.stringify(from)} → ${JSON.stringify(to)}: ${branch} ${distance}`).toBe(
        true,
      );
      checked++;
    }
    expect(checked).toBeGreaterThan(POINTS / 10);
  });

  it.each([1, 1.05, 2])('[CB-2.3] a body of radius %d in the clear of the field touches nothing', (radius) => {
    let checked = 0;
    for (const { from, to } of pairs(shape, radius, clearance, (b) => Math.abs(b.z) < shape.sideZ)) {
      const { distance, branch } = danToArena(to, arena);
      expect(distance, `${JSON.stringify(from)} → ${JSON.stringify(to)}: ${branch}`).toBeGreaterThan(radius - 1e-9);
      checked++;
    }
    expect(checked).toBeGreaterThan(POINTS / 10);
  });

  it.each([1, 1.05, 2])('[CB-2.3] a body of radius %d in the clear of a goal touches nothing', (radius) => {
    let checked = 0;
    for (const { from, to } of pairs(shape, radius, goalClearance, (b) => Math.abs(b.z) >= shape.outerZ)) {
      const { distance, branch } = danToArena(to, arena);
      expect(distance, `${JSON.stringify(from)} → ${JSON.stringify(to)}: ${branch}`).toBeGreaterThan(radius - 1e-9);
      checked++;
    }
    expect(checked).toBeGreaterThan(POINTS / 400);
  });
});
