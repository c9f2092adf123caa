import { expect, it } from 'vitest';
import { slicesOf } from './slices.ts';

it('slices of a search are all of it, and what is told of comes soon: no slice is much longer than all before it', () => {
  for (const nodes of [1, 1000, 500_000, 2_000_000, 10_000_000, 250_000_000]) {
    let before = 0;
    for (const slice of slicesOf(nodes)) {
      expect(slice).toBeGreaterThan(0);
      expect(slice).toBeLessThanOrEqual(before + 500_000);
      before += slice;
    }
    expect(before).toBe(nodes);
  }
});
