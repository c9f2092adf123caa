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
  it('[PB-M7.2] launches, scores a little and loses its three balls', () => {
    const state = play('flapper', { table: 'classic' }, 1n, 100_000);
    expect(world.result(state)?.reason).toBe('game over');
    expect(state.score).toBeGreaterThan(0);
  });
});

describe('wizard', () => {
  it('[PB-M7.2] keeps its first ball on the learner for sixteen seconds', () => {
    const state = play('wizard', { table: 'learner' }, 1n, 4000);
    expect([state.tick, state.ballsLeft]).toEqual([4000, 3]);
  });

  it('[PB-M7.2] plays the classic better than the flapper', () => {
    const scores = (['wizard', 'flapper'] as const).map((name) => play(name, { table: 'classic', balls: 1 }, 2n, 3000).score);
    expect(scores[0]).toBeGreaterThan(scores[1]!);
  });
});
