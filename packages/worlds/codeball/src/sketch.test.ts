import { describe, expect, it } from 'vitest';
import { sketch } from './sketch.ts';

const colour = { r: 1, g: 0.5, b: 0, a: 0.25 };

describe('[CB-3.10] custom rendering', () => {
  it('a sphere is three rings of its radius about its middle, in its colour', () => {
    const { shapes, texts } = sketch(0, [{ Sphere: { x: 1, y: 2, z: 3, radius: 2, ...colour } }]);
    expect([shapes.length, texts]).toEqual([3, []]);
    for (const shape of shapes) {
      if (shape.shape !== 'path') throw new Error('a ring is a path');
      expect(shape.material).toEqual({ role: 'debug', seat: 0, alpha: 0.25, colour: [1, 0.5, 0] });
      for (let i = 0; i < shape.points.length; i += 3) {
        const [dx, dy, dz] = [shape.points[i]! - 1, shape.points[i + 1]! - 2, shape.points[i + 2]! - 3];
        expect(Math.abs(Math.sqrt(dx * dx + dy * dy + dz * dz) - 2)).toBeLessThan(1e-5);
      }
    }
  });

  it("player 2's z is mirrored back", () => {
    const line = { Line: { x1: 1, y1: 2, z1: 3, x2: 4, y2: 5, z2: 6, width: 1, ...colour } };
    const pointsFor = (seat: number): unknown => {
      const [shape] = sketch(seat, [line]).shapes;
      return shape?.shape === 'path' ? [...shape.points] : null;
    };
    expect(pointsFor(0)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(pointsFor(1)).toEqual([1, 2, -3, 4, 5, -6]);
  });

  it.each<[debug: unknown, texts: string[]]>([
    ['plain text', ['plain text']],
    [
      [{ Text: 'a' }, { Text: 'b' }],
      ['a', 'b'],
    ],
    [{ Text: 'alone' }, ['alone']],
    [[{ Sphere: { x: 1 } }], ['{"Sphere":{"x":1}}']],
    [
      [{ Line: { x1: 'no' } }, 7, null],
      ['{"Line":{"x1":"no"}}', '7', 'null'],
    ],
    [[], []],
  ])('what has no shape is text: %j', (debug, texts) => {
    expect(sketch(0, debug)).toEqual({ shapes: [], texts });
  });
});
