import { seedRng, uniform } from '@lockstep/kernel';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BoxGrid } from './grid.ts';
import { BOX } from './shapes.ts';

const CELL = 4;

/** Boxes here and there, some of them long and thin as walls are. */
function gridOf(seed: number, count: number, spread: number): BoxGrid {
  const rng = seedRng(BigInt.asUintN(64, BigInt(seed)));
  const boxes = new Float64Array(count * BOX);
  for (let i = 0; i < count; i++) {
    const longest = i % 7 === 0 ? spread : 3;
    for (let axis = 0; axis < 3; axis++) {
      const low = uniform(rng, -spread, spread);
      boxes[i * BOX + axis] = low;
      boxes[i * BOX + axis + 3] = low + uniform(rng, 0, axis === i % 3 ? longest : 3);
    }
  }
  const grid = new BoxGrid();
  grid.build(boxes, count, CELL);
  return grid;
}

const some = fc.record({
  seed: fc.integer(),
  count: fc.integer({ min: 1, max: 60 }),
  // cells share places of the table when boxes are far apart
  spread: fc.constantFrom(5, 60, 3000),
  reach: fc.double({ min: 0.01, max: 9, noNaN: true }),
});

describe('boxes that do not move', () => {
  it('[SW-E34] who is far from all of them has clear space around, as far as was asked for', () => {
    let far = 0;
    fc.assert(
      fc.property(some, ({ seed, count, spread, reach }) => {
        const grid = gridOf(seed, count, spread);
        grid.expect(Infinity, reach);
        const rng = seedRng(1n);
        for (let i = 0; i < 200; i++) {
          const [x, y, z] = [0, 0, 0].map(() => uniform(rng, -spread - 20, spread + 20)) as [number, number, number];
          if (!grid.isFar(x, y, z)) continue;
          far++;
          const touched = grid.collect(x - reach, y - reach, z - reach, x + reach, y + reach, z + reach, []);
          expect(touched).toBe(0);
        }
      }),
      { numRuns: 60 },
    );
    expect(far).toBeGreaterThan(1000);
  });

  it('[SW-E34] nobody is far when the table is not worth its making, or has not been asked for', () => {
    const grid = gridOf(3, 40, 60);
    expect(grid.isFar(1e4, 1e4, 1e4)).toBe(false);
    grid.expect(1, 0.5);
    expect(grid.isFar(1e4, 1e4, 1e4)).toBe(false);
  });

  it('[SW-E34] it is made anew for bodies that reach farther, and after other boxes have come', () => {
    const grid = new BoxGrid();
    grid.build(Float64Array.of(0, 0, 0, 1, 1, 1), 1, CELL);
    grid.expect(1000, 0.5);
    expect(grid.isFar(13, 0.5, 0.5)).toBe(true);
    grid.expect(1000, 9);
    expect(grid.isFar(13, 0.5, 0.5)).toBe(false);
    grid.build(Float64Array.of(20, 0, 0, 21, 1, 1), 1, CELL);
    grid.expect(1000, 0.5);
    expect(grid.isFar(13, 0.5, 0.5)).toBe(true);
    expect(grid.isFar(20.5, 0.5, 0.5)).toBe(false);
  });
});
