import { describe, expect, it } from 'vitest';
import type { State } from '../game/state.ts';
import { world } from '../game/world.ts';
import { bots } from './index.ts';

/** Plays a whole game through the world's door. */
function game(name: keyof typeof bots, seed: bigint, config: object): State {
  const state = world.create(world.readConfig(config), seed);
  const players = state.heroes.map((_, seat) => bots[name](world.brief(state, seat), seat));
  while (world.result(state) === null) {
    const deeds = players.map((bot, seat) => world.readAction(bot.act(world.observe(state, seat)), state, seat));
    world.step(state, deeds, []);
  }
  return state;
}

describe('the bots', () => {
  it.each([2n, 6n])('[SW-D8] delver goes down, fights and finds gold (seed %s)', (seed) => {
    const [hero] = game('delver', seed, { ticks: 800 }).heroes as [State['heroes'][0]];
    expect(hero.depth).toBeGreaterThan(0);
    expect(hero.gold + hero.kills).toBeGreaterThan(0);
  });

  it('[SW-D8] delver beats wanderer by far', () => {
    const scores = (['delver', 'wanderer'] as const).map((name) => world.result(game(name, 1n, { ticks: 800 }))!.scores[0]!);
    expect(scores[0]).toBeGreaterThan(3 * scores[1]!);
  });

  it('[SW-D4] whoever has fallen is asked on and does nothing', () => {
    const state = world.create(world.readConfig({ heroes: 2 }), 1n);
    const bot = bots.delver(world.brief(state, 0), 0);
    world.step(state, [world.forfeit(state.config, 0), world.idle(state.config, 1)], []);
    expect(bot.act(world.observe(state, 0))).toEqual({ x: 0, y: 0, sword: false });
  });
});
