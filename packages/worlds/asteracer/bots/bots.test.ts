import { fuzz } from '@lockstep/testkit';
import { nextInt } from '@lockstep/kernel';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../src/door.ts';
import { RULE_NAMES } from '../src/rules.ts';
import type { State } from '../src/state.ts';
import { world } from '../src/world.ts';
import { bots } from './index.ts';
import { thrustAt } from './thrusts.ts';

/** Plays a whole race through the world's door. */
function race(name: keyof typeof bots, config: object): State {
  const state = world.create(readConfig(config), 1n);
  const bot = bots[name](world.brief(state, 0), 0);
  while (world.result(state) === null) world.step(state, [world.readAction(bot.act(world.observe(state, 0)), state, 0)], []);
  return state;
}

describe('pilot', () => {
  it.each(RULE_NAMES.flatMap((rules) => ['orchard', 'needle'].map((map) => [map, rules])))(
    '[AR-1.3] finishes %s under %s',
    (map, rules) => {
      const { reachedCount, reached } = race('pilot', { map, rules, ticks: 1500 });
      expect(reachedCount).toBe(reached.length);
    },
  );

  it('[AR-1.3] has nothing to do where there is no goal left', () => {
    const state = world.create(readConfig({ map: '0 0 1\n-9 -9 9 9\n0\n0\n' }), 1n);
    expect(bots.pilot(world.brief(state, 0), 0).act(world.observe(state, 0))).toEqual({ vx: 0, vy: 0 });
  });
});

describe('drifter', () => {
  it('[AR-2.1] plays legal instructions to the end', () => {
    expect(race('drifter', { ticks: 900 }).tick).toBeLessThanOrEqual(900);
  });

  it('[AR-2.1] no direction gives an instruction that is too long', () => {
    expect(() =>
      fuzz('thrusts', 500, (rng) => {
        const { vx, vy } = thrustAt(nextInt(rng, 1_000_000) / 1000);
        if (vx * vx + vy * vy > 127 * 127) throw new Error(`${vx} ${vy}`);
      }),
    ).not.toThrow();
  });
});
