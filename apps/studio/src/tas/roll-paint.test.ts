import { expect, it } from 'vitest';
import { lanesOf, namedQuarters } from './roll-paint.ts';

/** Where the arrows are drawn from the lane's top: the outer ones five pixels inside. */
const placesIn = (height: number) => namedQuarters(height).map((quarter) => (height * quarter) / 4 + [5, 0, 0, 0, -5][quarter]!);

it('the arrows beside the angles never overlap, in a phone on its side neither', () => {
  for (let height = 60; height <= 240; height++) {
    for (const perTick of [6, 44]) {
      const [top, bottom] = lanesOf({ width: 844, height }, { first: 0, perTick }).angle;
      const places = placesIn(bottom - top);
      expect(places.length).toBeGreaterThan(0);
      for (let i = 1; i < places.length; i++) expect(places[i]! - places[i - 1]!).toBeGreaterThanOrEqual(10);
    }
  }
  expect(namedQuarters(120)).toHaveLength(5);
});
