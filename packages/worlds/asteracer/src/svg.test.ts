import { describe, expect, it } from 'vitest';
import { readMap } from './formats.ts';
import { MAPS } from './maps.ts';
import { mapSvg } from './svg.ts';

const map = readMap('0 0 10\n-50 -40 50 60\n2\n1 2 3\n-4 5 6\n1\n7 8 9\n');
const count = (text: string, part: string): number => text.split(part).length - 1;

describe('the picture of a map', () => {
  it('[AR-4.7] shows the box, every rock, every goal with its number, and the racer', () => {
    const svg = mapSvg(map);
    expect(svg).toContain('viewBox="-50 -40 100 100"');
    expect(svg).toContain('<circle cx="-4" cy="5" r="6"/>');
    expect(svg).toContain('>1</text>');
    expect([count(svg, '<circle'), count(svg, '<polyline')]).toEqual([4, 0]);
    for (const text of Object.values(MAPS)) {
      const { asteroids, goals } = readMap(text);
      expect(count(mapSvg(readMap(text)), '<circle')).toBe(asteroids.length + goals.length + 1);
    }
  });

  it('[AR-4.7] shows the way that was flown', () => {
    expect(mapSvg(map, [{ x: 0, y: 0 }, { x: 5, y: -6 }])).toContain('points="0,0 5,-6"'); // prettier-ignore
  });

  it('[AR-4.7] a box without width is still a picture', () => {
    expect(mapSvg(readMap('0 0 1\n0 0 0 0\n0\n0\n'))).toContain('viewBox="0 0 1 1"');
  });
});
