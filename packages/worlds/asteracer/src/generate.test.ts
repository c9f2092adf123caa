import { readdirSync, readFileSync } from 'node:fs';
import { nextInt } from '@lockstep/kernel';
import { fuzz } from '@lockstep/testkit';
import { describe, expect, it } from 'vitest';
import { readMap, writeMap } from './formats.ts';
import { generate, LANE_MARGIN, RECIPE_LIMITS } from './generate.ts';
import type { Circle, RaceMap } from './map.ts';
import { MAPS } from './maps.ts';

/** Half of the lanes' margin: from a point this far from all rocks, its neighbours on the raster can be reached in a straight line. */
const STEP = LANE_MARGIN / 2;

const AROUND = [-1, 0, 1].flatMap((dx) => [-1, 0, 1].map((dy) => [dx, dy] as const));

/** An independent look at a map: which goals a slow racer can reach without touching anything, on a raster of points. */
function reachable({ racer, box, asteroids, goals }: RaceMap): boolean[] {
  const columns = Math.floor((box.max_x - box.min_x) / STEP) + 1;
  const rows = Math.floor((box.max_y - box.min_y) / STEP) + 1;
  const taken = new Uint8Array(columns * rows);
  const near = ({ x, y }: Circle, reach: number, tell: (cell: number, distance: number) => void): void => {
    for (let row = Math.max(Math.floor((y - reach - box.min_y) / STEP), 0); row < rows && box.min_y + row * STEP <= y + reach; row++)
      for (let column = Math.max(Math.floor((x - reach - box.min_x) / STEP), 0); column < columns; column++) {
        const distance = Math.hypot(box.min_x + column * STEP - x, box.min_y + row * STEP - y);
        if (distance < reach) tell(row * columns + column, distance);
        if (box.min_x + column * STEP > x + reach) break;
      }
  };
  for (const asteroid of asteroids) near(asteroid, asteroid.radius + racer.radius + 1 + STEP, (cell) => (taken[cell] = 1));
  const wall = Math.ceil((racer.radius + STEP) / STEP);
  const isInside = (at: number, count: number): boolean => at >= wall && at < count - wall;

  const queue: number[] = [];
  near(racer, STEP, (cell) => taken[cell] === 0 && queue.push(cell));
  for (const cell of queue) taken[cell] = 2;
  for (let at = 0; at < queue.length; at++) {
    const [column, row] = [queue[at]! % columns, Math.floor(queue[at]! / columns)];
    for (const [dx, dy] of AROUND) {
      const next = (row + dy) * columns + column + dx;
      if (!isInside(column + dx, columns) || !isInside(row + dy, rows) || taken[next] !== 0) continue;
      taken[next] = 2;
      queue.push(next);
    }
  }
  return goals.map((goal) => {
    let isReached = false;
    near(goal, goal.radius + racer.radius, (cell) => (isReached ||= taken[cell] === 2));
    return isReached;
  });
}

describe('maps made by seed', () => {
  it('[AR-4.6] every goal can be reached without touching anything: an independent flood over the free space', () => {
    expect(() =>
      fuzz('flood', 40, (rng, seed) => {
        const recipe = { seed, size: 40_000 + nextInt(rng, 360_000), density: nextInt(rng, 81) / 100, goals: nextInt(rng, 12) };
        const map = generate(recipe);
        const reached = reachable(map);
        if (reached.length !== recipe.goals || !reached.every(Boolean))
          throw new Error(`${JSON.stringify(recipe, (_, value: unknown) => String(value))}: ${reached.join()}`);
      }),
    ).not.toThrow();
  });

  it('[AR-4.6] the flood sees a closed gap', () => {
    const wall = Array.from({ length: 41 }, (_, i) => ({ x: 0, y: -20_000 + i * 1000, radius: 600 }));
    const map = (asteroids: Circle[]): RaceMap => ({
      racer: { x: -10_000, y: 0, radius: 1000 },
      box: { min_x: -20_000, min_y: -20_000, max_x: 20_000, max_y: 20_000 },
      asteroids,
      goals: [{ x: 10_000, y: 0, radius: 3000 }],
    });
    expect([reachable(map([])), reachable(map(wall))]).toEqual([[true], [false]]);
  });

  it('[AR-4.6] equal recipes give equal maps, other seeds other ones', () => {
    const recipe = { seed: 7n, size: 200_000, density: 0.3, goals: 4 };
    expect(writeMap(generate(recipe))).toBe(writeMap(generate({ ...recipe })));
    expect(writeMap(generate({ ...recipe, seed: 8n }))).not.toBe(writeMap(generate(recipe)));
  });

  it('[AR-4.6] what a recipe asks for is there, at the limits as well, and the files can be read', () => {
    for (const size of [RECIPE_LIMITS.size[0], 1_000_000])
      for (const density of RECIPE_LIMITS.density)
        for (const goals of RECIPE_LIMITS.goals) {
          const map = readMap(writeMap(generate({ seed: 5n, size, density, goals })));
          expect([map.box.max_x - map.box.min_x, map.goals.length]).toEqual([size, goals]);
          const area = map.asteroids.reduce((sum, { radius }) => sum + Math.PI * radius * radius, 0) / (size * size);
          expect(area).toBeLessThan(density + 0.02);
          expect(area).toBeGreaterThanOrEqual(Math.min(density, size === 1_000_000 ? 0.2 : 0));
        }
  });
});

describe('our own maps', () => {
  const folder = new URL('../maps/', import.meta.url);

  it('[AR-4.7] are files as well, the same to the last letter', () => {
    expect(readdirSync(folder).sort()).toEqual(Object.keys(MAPS).map((name) => `${name}.txt`).sort()); // prettier-ignore
    for (const [name, text] of Object.entries(MAPS)) expect(readFileSync(new URL(`${name}.txt`, folder), 'utf8')).toBe(text);
  });

  it('[AR-4.7] every goal of every map can be reached without touching anything', () => {
    for (const text of Object.values(MAPS)) expect(reachable(readMap(text))).not.toContain(false);
  });

  it('[AR-4.7] there are short ones and a marathon', () => {
    const goals = Object.values(MAPS).map((text) => readMap(text).goals.length);
    expect(Math.min(...goals)).toBeLessThan(8);
    expect(Math.max(...goals)).toBe(70);
  });
});
