import { hash, type Json, nextInt, restore, type Rng, snapshot, type WorldEvent } from '@lockstep/kernel';
import { checkGolden, describeWorld, scripted } from '@lockstep/testkit';
import { describe, expect, it } from 'vitest';
import { bots } from '../bots/index.ts';
import { eventsOf } from '../src/events.ts';
import { worldHash } from '../src/world-hash.ts';
import { Deed } from './action.ts';
import { wake } from './dungeon.ts';
import { think } from './minds.ts';
import { stage } from './scene.ts';
import type { State } from './state.ts';
import { world } from './world.ts';

/** Random ways, held for ten ticks, with a sword now and then. */
const random = (() => {
  const at = scripted(5n, (rng: Rng): Deed => {
    const deed = new Deed();
    deed.x = (nextInt(rng, 201) - 100) / 100;
    deed.y = (nextInt(rng, 201) - 100) / 100;
    deed.sword = nextInt(rng, 3) === 0;
    return deed;
  });
  return (tick: number, seat: number): Deed => at(Math.floor(tick / 10), seat);
})();

/** What bots play in a game of their own: a function of the config, the seed and the tick alone. */
function played(config: unknown, seed: bigint, name: keyof typeof bots) {
  const state = world.create(world.readConfig(config), seed);
  const players = state.heroes.map((_, seat) => bots[name](world.brief(state, seat), seat));
  const log: Deed[][] = [];
  return (tick: number, seat: number): Deed => {
    while (log.length <= tick) {
      log.push(players.map((bot, i) => world.readAction(bot.act(world.observe(state, i)), state, i)));
      world.step(state, log.at(-1)!, []);
    }
    return log[tick]![seat]!;
  };
}

const badActions = [
  null,
  [],
  'north',
  {},
  { x: 1 },
  { x: 1.5, y: 0 },
  { x: 0, y: -2 },
  { x: 0, y: NaN },
  { x: 0, y: 0, sword: 1 },
  { x: 0, y: 0, z: 0 },
];
const badConfigs = [
  null,
  'near',
  { heroes: 0 },
  { heroes: 5 },
  { ticks: 0 },
  { origin: [0, 0] },
  { origin: [0, 0, 2_147_483_648] },
  { origin: 7 },
  { depth: 3 },
];

describe.each<[string, Json, number]>([
  ['solo', { ticks: 30 }, 24],
  ['a party, far away', { heroes: 3, ticks: 15, origin: [2_000_000_000, -2_000_000_000, 7] }, 12],
])('%s', (_name, config, ticks) => {
  describeWorld(world, { config, seed: '18446744073709551615', ticks, actionAt: random, badActions, badConfigs });
});

const numbers = (state: State): Record<string, number> => {
  const { x, y, z, hitPoints } = world.observe(state, 0);
  const [{ gold, kills, depth }] = state.heroes as [State['heroes'][0]];
  return { x, y, z, hitPoints, gold, kills, depth, stored: state.store.count };
};

describe('goldens', () => {
  it.each<[string, Json, keyof typeof bots]>([
    ['solo-delver', { ticks: 600 }, 'delver'],
    ['party-wanderer', { heroes: 4, ticks: 200 }, 'wanderer'],
  ])('%s', (name, config, bot) => {
    expect(() =>
      checkGolden(world, {
        file: new URL(`../golden/${name}.json`, import.meta.url),
        seed: '7',
        config,
        script: bot,
        ticks: 1000,
        actionAt: played(config, 7n, bot),
        numbers,
      }),
    ).not.toThrow();
  });
});

describe('the store inside the state', () => {
  it('[SW-D9] a snapshot brings back every entity, chunk and rule, also into a state of another dungeon', () => {
    const config = world.readConfig({ ticks: 400 });
    const actionAt = played({ ticks: 400 }, 3n, 'delver');
    const state = world.create(config, 3n);
    while (state.tick < 200) world.step(state, [actionAt(state.tick, 0)], []);
    const [kept, entities, whole] = [snapshot(world, state), worldHash(state.store), hash(world, state)];
    while (state.tick < 230) world.step(state, [actionAt(state.tick, 0)], []);
    const later = hash(world, state);
    const other = world.create(config, 4n);
    restore(world, other, kept);
    expect([worldHash(other.store), hash(world, other)]).toEqual([entities, whole]);
    while (other.tick < 230) world.step(other, [actionAt(other.tick, 0)], []);
    expect(hash(world, other)).toBe(later);
    expect(worldHash(other.store)).toBe(worldHash(state.store));
  });

  it('[SW-D9] one changed number of one entity changes the hash', () => {
    const state = world.create(world.readConfig('solo'), 3n);
    const before = hash(world, state);
    const row = state.store.rowOf(40);
    state.store.setParameter(row, 2, 0.5);
    expect(hash(world, state)).not.toBe(before);
  });
});

describe('anywhere in the world', () => {
  it.each([[[2_000_000_000, 2_000_000_000, 2_000_000_000]], [[-2_147_483_600, 2_147_483_600, -2_147_483_600]]])(
    '[SW-D1] [SW-R1] the same game around chunk %j, bit for bit',
    (origin) => {
      const ticks = 200;
      const actionAt = played({ ticks }, 11n, 'delver');
      const [near, far] = [{ ticks }, { ticks, origin }].map((config) => world.create(world.readConfig(config), 11n)) as [State, State];
      for (let tick = 0; tick < ticks; tick++) {
        const told: WorldEvent[][] = [[], []];
        world.step(near, [actionAt(tick, 0)], told[0]!);
        world.step(far, [actionAt(tick, 0)], told[1]!);
        expect(told[1]).toEqual(told[0]);
        if (tick % 25 !== 0) continue;
        expect(world.observe(far, 0)).toEqual(world.observe(near, 0));
        expect(stage.scene(far)).toEqual(stage.scene(near));
      }
      expect(far.store.count).toBe(near.store.count);
      expect(near.heroes[0]!.depth).toBeGreaterThan(0);
    },
  );

  it('[SW-R10] what minds want and what happens does not depend on a second look at the regions', () => {
    const state = world.create(world.readConfig('solo'), 3n);
    const events = [1, 2].map(() => {
      const twin = world.create(world.readConfig('solo'), 3n);
      restore(world, twin, snapshot(world, state));
      const regions = wake(twin)!;
      think(twin, regions, [new Deed()]);
      regions.simulate();
      regions.sync();
      return [worldHash(twin.store), eventsOf(regions.list)];
    });
    expect(events[0]).toEqual(events[1]);
  });
});
