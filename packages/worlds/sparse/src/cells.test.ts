import { seedRng, uniform } from '@lockstep/kernel';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as E from './entity.ts';
import { positionAt } from './position.ts';
import { beginSim, endSim, ownWithinBounds } from './region.ts';
import { DEFAULT_RULES } from './rules.ts';
import { picture } from './scenes.test-support.ts';
import { BOX } from './shapes.ts';
import type { SimRegion } from './sim-region.ts';
import { prepare, simulate, sortIntoCells } from './step.ts';
import { Store } from './store.ts';

const rules = DEFAULT_RULES;
const origin = positionAt(rules, 0, 0, 0);
const DT = 1 / 30;

interface Crowd {
  readonly seed: number;
  readonly count: number;
  /** Metres along each axis. */
  readonly spread: readonly [number, number, number];
}

const crowd = fc.record({
  seed: fc.integer(),
  count: fc.integer({ min: 0, max: 120 }),
  // a cube, a plane, a line: cells share places of the table in all of them
  spread: fc.constantFrom([6, 6, 6] as const, [110, 110, 110] as const, [110, 60, 1] as const, [110, 0, 0] as const, [2, 2, 110] as const),
});

function storeOf({ seed, count, spread }: Crowd, flags: number): Store {
  const rng = seedRng(BigInt.asUintN(64, BigInt(seed)));
  const store = new Store(rules);
  const within = (length: number): number => uniform(rng, -length / 2, length / 2);
  for (let i = 0; i < count; i++)
    store.insert({
      flags: E.MOVABLE | flags,
      position: positionAt(rules, 0, 0, 0, within(spread[0]), within(spread[1]), within(spread[2])),
      velocityX: uniform(rng, -15, 15),
      velocityY: uniform(rng, -15, 15),
      velocityZ: uniform(rng, -15, 15),
      volumes: [{ dimX: uniform(rng, 0.1, 3), dimY: uniform(rng, 0.1, 3), dimZ: uniform(rng, 0.1, 3) }],
    });
  return store;
}

/** Pairs of ids whose boxes, widened by how far they may get, touch. */
function pairsByHand(region: SimRegion): string[] {
  const { total } = region.store.shapes;
  const boxOf = (row: number): number[] => {
    const at = region.shape[row]! * BOX;
    const place = [region.px[row]!, region.py[row]!, region.pz[row]!];
    const way = [region.wayX[row]!, region.wayY[row]!, region.wayZ[row]!];
    return [0, 1, 2, 3, 4, 5].map((i) => place[i % 3]! + total[at + i]! + (i < 3 ? -way[i]! : way[i - 3]!));
  };
  const boxes = Array.from({ length: region.count }, (_, row) => boxOf(row));
  const touch = (a: number[], b: number[]): boolean => [0, 1, 2].every((i) => a[i]! <= b[i + 3]! && b[i]! <= a[i + 3]!);
  return boxes.flatMap((a, i) => boxes.flatMap((b, j) => (i !== j && touch(a, b) ? [`${region.id[i]} ${region.id[j]}`] : []))).sort();
}

function pairsOfGrid(region: SimRegion): string[] {
  const { placeOf, firstNeighbour, neighbours } = region.surroundings.bodyGrid;
  return Array.from({ length: region.count }, (_, row) => {
    const place = placeOf[row]!;
    const others = neighbours.subarray(firstNeighbour[place], firstNeighbour[place + 1]);
    return [...others].map((other) => `${region.id[row]} ${region.id[other]}`);
  })
    .flat()
    .sort();
}

describe('bodies in cells', () => {
  it('[SW-E34] [SW-R25] they find whom comparing everybody with everybody finds, each once', () => {
    fc.assert(
      fc.property(crowd, (one) => {
        const region = beginSim(storeOf(one, 0), origin, DT);
        ownWithinBounds(region);
        prepare(region);
        sortIntoCells(region);
        expect(pairsOfGrid(region)).toEqual(pairsByHand(region));
      }),
      { numRuns: 50 },
    );
  });

  it('[SW-E34] they find the same when all have moved on since it was noted how far apart they are', () => {
    fc.assert(
      fc.property(crowd, fc.integer({ min: -200, max: 200 }), fc.constantFrom(0.05, 1, 40), (one, by, stretch) => {
        const region = beginSim(storeOf(one, 0), origin, DT);
        ownWithinBounds(region);
        prepare(region);
        for (const p of [region.px, region.py, region.pz]) for (let row = 0; row < region.count; row++) p[row] = p[row]! * stretch + by;
        sortIntoCells(region);
        expect(pairsOfGrid(region)).toEqual(pairsByHand(region));
      }),
      { numRuns: 50 },
    );
  });

  it('[SW-G4] who meets nobody moves as everybody does, bit for bit', () => {
    fc.assert(
      fc.property(crowd, (one) => {
        // whoever wants to know what it overlaps takes the long way
        const [short, long] = [storeOf(one, E.COLLIDES), storeOf(one, E.COLLIDES | E.SENSES)];
        for (const store of [short, long]) {
          for (let tick = 0; tick < 5; tick++) {
            const region = beginSim(store, origin, DT);
            simulate(region);
            endSim(region);
          }
        }
        for (let row = 0; row < long.rowEnd; row++) long.setFlags(row, long.flags[row]! & ~E.SENSES);
        expect(picture(short, [0, 0, 0])).toBe(picture(long, [0, 0, 0]));
      }),
      { numRuns: 20 },
    );
  });
});
