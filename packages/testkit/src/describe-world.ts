import { describe, expect, it } from 'vitest';
import type { TickState, World } from '@lockstep/kernel';
import { contract, type WorldCase } from './contract.ts';

/** The promises every world makes, as tests. A new world is done when this passes and its goldens are committed. */
export function describeWorld<C, S extends TickState, A, V, B>(world: World<C, S, A, V, B>, test: WorldCase<A>): void {
  describe(`${world.name} keeps the world contract`, () => {
    for (const [promise, check] of Object.entries(contract)) {
      it(promise, () => {
        expect(() => check(world, test)).not.toThrow();
      });
    }
  });
}
