import { describe, expect, it } from 'vitest';
import { contours } from './contours.ts';

/** Time is the distance to the middle of the map, in units. */
function cone(columns: number, size: number) {
  const times = Float32Array.from({ length: columns * columns }, (_, at) => {
    const [column, row] = [at % columns, Math.floor(at / columns)];
    return Math.hypot((column + 0.5 - columns / 2) * size, (row + 0.5 - columns / 2) * size);
  });
  return { left: -(columns * size) / 2, top: -(columns * size) / 2, size, columns, rows: columns, times };
}

describe('lines of equal time', () => {
  it('lie where the time is a multiple of the band', () => {
    const ends: number[] = [];
    const patch = { left: 0, top: 0, right: 60, bottom: 60, step: 1 };
    contours(cone(60, 10), patch, 30, 4, (x1, y1, x2, y2) => ends.push(Math.hypot(x1, y1), Math.hypot(x2, y2)));
    expect(ends.length).toBeGreaterThan(500);
    for (const radius of ends) expect(Math.abs(radius - Math.round(radius / 30) * 30)).toBeLessThan(1.5);
  });

  it('only in the part that is looked at, and not where time rises too fast', () => {
    let pieces = 0;
    const count = () => pieces++;
    contours(cone(60, 10), { left: 50, top: 50, right: 55, bottom: 55, step: 1 }, 30, 4, (x1, y1) => {
      count();
      expect([x1 >= 200, y1 >= 200]).toEqual([true, true]);
    });
    expect(pieces).toBeGreaterThan(0);
    pieces = 0;
    contours(cone(60, 100), { left: 0, top: 0, right: 60, bottom: 60, step: 1 }, 30, 1, count);
    expect(pieces).toBe(0);
  });
});
