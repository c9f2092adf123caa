import { describe, expect, it } from 'vitest';
import { readConfig } from '../src/machine/door.ts';
import type { State } from '../src/machine/state.ts';
import { world } from '../src/machine/world.ts';
import { bots } from './index.ts';

/** Plays a game through the world's door, for so many ticks at most. */
function play(name: keyof typeof bots, config: object, seed: bigint, ticks: number): State {
  const state = world.create(readConfig(config), seed);
  const bot = bots[name](world.brief(state, 0), 0);
  while (world.result(state) === null && state.tick < ticks)
    world.step(state, [world.readAction(bot.act(world.observe(state, 0)), state, 0)], []);
  return state;
}

describe('flapper', () => {
  it('[PB-M7.2] launches, scores a little and loses its ball', () => {
    const state = play('flapper', { table: 'classic', balls: 1 }, 5n, 100_000);
    expect(world.result(state)?.reason).toBe('game over');
    expect(state.score).toBeGreaterThan(0);
  });
});

describe('wizard', () => {
  it('[PB-M7.2] keeps its first ball on the learner for twelve seconds', () => {
    const state = play('wizard', { table: 'learner' }, 1n, 3000);
    expect([state.tick, state.ballsLeft]).toEqual([3000, 3]);
  });

  const LONG = process.env['LOCKSTEP_LONG'] === '1';
  const [seconds, seeds] = LONG ? [300, 10] : [20, 2];
  it(`[PB-M7.2] keeps a ball on the classic for ${seconds} seconds in most seeds`, { timeout: LONG ? 3_600_000 : 240_000 }, () => {
    let alive = 0;
    for (let seed = 1; seed <= seeds; seed++) {
      const state = play('wizard', { table: 'classic', balls: 1 }, BigInt(seed), 250 * seconds);
      if (state.ballsLeft > 0) alive++;
    }
    expect(alive).toBeGreaterThan(seeds / 2);
  });

  it('[PB-M7.2] still has the ball on the classic when the flapper has long lost it', () => {
    const config = { table: 'classic', balls: 1 };
    const [silly, wise] = [play('flapper', config, 9n, 5500), play('wizard', config, 9n, 5500)];
    expect([silly.ballsLeft, wise.ballsLeft]).toEqual([0, 1]);
    expect(wise.score).toBeGreaterThan(silly.score);
  });
});
