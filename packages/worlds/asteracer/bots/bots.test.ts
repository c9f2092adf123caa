import { fuzz } from '@lockstep/testkit';
import { nextInt } from '@lockstep/kernel';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../src/door.ts';
import { writeMap } from '../src/formats.ts';
import { generate } from '../src/generate.ts';
import { MAPS } from '../src/maps.ts';
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
  it.each(RULE_NAMES.flatMap((rules) => Object.keys(MAPS).map((map) => [map, rules])))('[AR-1.3] finishes %s under %s', (map, rules) => {
    const { reachedCount, reached, tick } = race('pilot', { map, rules });
    expect(reachedCount).toBe(reached.length);
    expect(tick).toBeLessThan(map === 'odyssey' ? 18_000 : 1500);
  });

  it('[AR-1.3] [AR-4.6] finishes maps made by seed, also where it is narrow', () => {
    expect(() =>
      fuzz('made maps', 24, (rng, seed) => {
        const recipe = { seed, size: 40_000 + nextInt(rng, 400_000), density: nextInt(rng, 80) / 100, goals: 1 + nextInt(rng, 10) };
        const rules = RULE_NAMES[nextInt(rng, RULE_NAMES.length)]!;
        const { reachedCount } = race('pilot', { map: writeMap(generate(recipe)), rules });
        if (reachedCount < recipe.goals) throw new Error(`${reachedCount} of ${recipe.goals} goals, size ${recipe.size}, ${rules}`);
      }),
    ).not.toThrow();
  });

  it('[AR-1.3] has nothing to do where there is no goal left', () => {
    const state = world.create(readConfig({ map: '0 0 1\n-9 -9 9 9\n0\n0\n' }), 1n);
    expect(bots.pilot(world.brief(state, 0), 0).act(world.observe(state, 0))).toEqual({ vx: 0, vy: 0 });
  });
});

describe('drifter', () => {
  it('[AR-2.1] plays legal instructions to the end', () => {
    expect(race('drifter', { ticks: 900 }).tick).toBeLessThanOrEqual(900);
  });

  it('[AR-1.3] does not get far', () => {
    for (const map of Object.keys(MAPS)) {
      const { reachedCount, reached } = race('drifter', { map, ticks: 3000 });
      expect(reachedCount).toBeLessThan(reached.length);
    }
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
