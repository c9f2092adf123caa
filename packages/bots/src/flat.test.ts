import { describe, expect, it } from 'vitest';
import { flatten, unflatten } from './index.ts';

describe('plain data as a row of doubles', () => {
  const value = { a: 1.5, b: true, c: null, list: [{ x: 1 }, { x: 2 }], text: 'ж!', deep: { z: -0 } };

  it('stands in the order of its JSON, lists and texts with their length first', () => {
    expect(flatten(value)).toEqual([1.5, 1, NaN, 2, 1, 2, 2, 1078, 33, -0]);
  });

  it('comes back by an example', () => {
    const example = { a: 0, b: false, c: null, list: [{ x: 0 }], text: '', deep: { z: 0 } };
    expect(unflatten(example, Float64Array.from(flatten(value)))).toEqual(value);
  });

  it.each([
    [[1], /^frame: expected a double number 2 for the example's fields, got "1 doubles"/],
    [[1, 2, 3], /^frame: expected 2 doubles for the example's fields, got 3/],
  ])('a row %j that does not fit is refused', (row, why) => {
    expect(() => unflatten({ a: 0, b: 0 }, Float64Array.from(row))).toThrow(why);
  });

  it.each([-1, 0.5, NaN, 1e9])('a list is not %d long', (length) => {
    expect(() => unflatten([0], Float64Array.of(length, 1))).toThrow('expected a length');
  });
});
