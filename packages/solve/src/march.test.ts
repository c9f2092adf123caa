import { describe, expect, it } from 'vitest';
import { cellAt, Marcher, type Raster, timeAt } from './march.ts';

const raster: Raster = { left: -50, top: -50, size: 1, columns: 100, rows: 100 };
const costs = (costAt: (x: number, y: number) => number): Float32Array =>
  Float32Array.from({ length: raster.columns * raster.rows }, (_, i) => costAt((i % 100) - 49.5, Math.floor(i / 100) - 49.5));
const open = costs(() => 1);
const seedAt = (x: number, y: number): Map<number, number> => new Map([[cellAt(raster, x, y), 0]]);

describe('fast marching', () => {
  it('in the open times are distances, in all directions alike', () => {
    const field = new Marcher(raster, open, 1).march(seedAt(0.5, 0.5));
    for (const [x, y] of [
      [40.5, 0.5],
      [0.5, -39.5],
      [30.5, 30.5],
      [-20.5, 35.5],
    ] as const) {
      // prettier-ignore
      const distance = Math.sqrt((x - 0.5) * (x - 0.5) + (y - 0.5) * (y - 0.5));
      expect(Math.abs(timeAt(field, x, y) - distance)).toBeLessThan(0.06 * distance);
    }
  });

  it('goes around what is dear, and through where that is cheaper', () => {
    const wall = (cost: number) => costs((x, y) => (Math.abs(x - 10) < 2 && y < 30 ? cost : 1));
    const through = timeAt(new Marcher(raster, wall(3), 1).march(seedAt(0.5, 0.5)), 20.5, 0.5);
    const around = timeAt(new Marcher(raster, wall(1000), 1).march(seedAt(0.5, 0.5)), 20.5, 0.5);
    expect(through).toBeGreaterThan(26);
    expect(through).toBeLessThan(31);
    expect(around).toBeGreaterThan(60);
    expect(around).toBeLessThan(70);
  });

  it('seeds keep their times, and the cheaper one wins', () => {
    const seeds = new Map([
      [cellAt(raster, -40.5, 0.5), 30],
      [cellAt(raster, 40.5, 0.5), 0],
    ]);
    const field = new Marcher(raster, open, 1).march(seeds);
    expect(timeAt(field, -40.5, 0.5)).toBe(30);
    expect(timeAt(field, -29.5, 0.5)).toBeCloseTo(41, 0);
    expect(timeAt(field, 30.5, 0.5)).toBeCloseTo(10, 0);
  });

  it('with wanted cells it is a part of the whole, and the same there', () => {
    const marcher = new Marcher(raster, open, 1);
    const whole = marcher.march(seedAt(0.5, 0.5));
    const part = marcher.march(seedAt(0.5, 0.5), [cellAt(raster, 10.5, 0.5)], 3);
    expect(part.times.length).toBeLessThan(whole.times.length / 4);
    expect(part.columns * part.rows).toBe(part.times.length);
    for (const [x, y] of [[10.5, 0.5], [3.25, -4.5], [-7.75, 5.125]] as const) expect(timeAt(part, x, y)).toBe(timeAt(whole, x, y)); // prettier-ignore
    expect(timeAt(part, 49, 49)).toBeGreaterThan(12);
  });

  it('between centres times are bilinear; beyond the field they are those of its border', () => {
    const field = { left: 0, top: 0, size: 2, columns: 2, rows: 2, times: Float32Array.of(0, 4, 8, 12) };
    expect([timeAt(field, 2, 2), timeAt(field, 1.5, 1), timeAt(field, -9, 9), timeAt(field, 9, 99)]).toEqual([6, 1, 8, 12]);
  });
});
