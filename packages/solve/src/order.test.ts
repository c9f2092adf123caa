import { seedRng } from '@lockstep/kernel';
import { describe, expect, it } from 'vitest';
import { annealOrder, neighboursOf, shuffled } from './order.ts';

/** Around a ring in either direction from thing 0. */
const ringCost = (order: readonly number[]): number => {
  let cost = order[0]!;
  for (let i = 1; i < order.length; i++) {
    const apart = Math.abs(order[i]! - order[i - 1]!);
    cost += Math.min(apart, order.length - apart);
  }
  return cost;
};

describe('orders', () => {
  it('annealing finds the way around a ring', () => {
    const found = annealOrder(shuffled(20, seedRng(1n)), ringCost, seedRng(2n), { steps: 20_000, hot: 10, cold: 0.1 });
    expect(found).toEqual({ order: found.order, cost: 19 });
    expect([...found.order].sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, i) => i));
  });

  it('the same dice give the same order', () => {
    const once = () => annealOrder(shuffled(12, seedRng(3n)), ringCost, seedRng(3n), { steps: 500, hot: 5, cold: 1 });
    expect(once()).toEqual(once());
  });

  it.each([0, 1, 2])('%i things have few orders', (count) => {
    const order = shuffled(count, seedRng(1n));
    expect(annealOrder(order, ringCost, seedRng(1n), { steps: 10, hot: 1, cold: 1 }).order).toHaveLength(count);
    expect([...neighboursOf(order)].length).toBe(count < 2 ? 0 : 3);
  });

  it('neighbours are orders of the same things, all others of three among them', () => {
    const near = [...neighboursOf([0, 1, 2])].map((order) => order.join());
    expect(new Set(near)).toEqual(new Set(['1,0,2', '2,1,0', '0,2,1', '1,2,0', '2,0,1']));
  });
});
