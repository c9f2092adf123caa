import { type Rng, uniform } from '@lockstep/kernel';
import { checkGolden, describeWorld, type GoldenCase, scripted } from '@lockstep/testkit';
import { describe, expect, it } from 'vitest';
import { Action } from './action.ts';
import { DRAWS } from './rules.ts';
import type { State } from './state.ts';
import { world } from './world.ts';

/** Random orders that run, jump and use nitro, new ones every twentieth tick. */
function random(teamSize: number) {
  const actionAt = scripted(7n, (rng: Rng): Action => {
    const action = new Action(teamSize);
    for (const orders of action.robots) {
      orders.target_velocity_x = uniform(rng, -40, 40);
      orders.target_velocity_y = uniform(rng, -10, 40);
      orders.target_velocity_z = uniform(rng, -40, 40);
      orders.jump_speed = Math.max(0, uniform(rng, -15, 15));
      orders.use_nitro = uniform(rng, 0, 1) < 0.5;
    }
    return action;
  });
  return (tick: number, seat: number): Action => actionAt(Math.floor(tick / 20), seat);
}

/**
 * Everybody after the ball: from behind, with a jump when near, with nitro in the air; the last robot of a team after its nearest pack. They
 * see a game of their own, so what they do depends on config, seed and tick alone.
 */
function chase(config: object, seed: string) {
  const state = world.create(world.readConfig(config), BigInt(seed));
  const n = state.config.rules.team_size;
  const asked: Action[][] = [];
  const think = (seat: number): Action => {
    const action = new Action(n);
    const { ball, packs } = state;
    const ahead = seat === 0 ? 1 : -1;
    action.robots.forEach((orders, i) => {
      const me = state.robots[seat * n + i]!;
      const pack = i === n - 1 && me.nitro < 60 ? packs.find((p) => p.respawnTicks === 0 && p.z * ahead < 0) : undefined;
      const goal = pack ?? { x: ball.x, y: ball.y, z: ball.z - ahead * 2 };
      orders.target_velocity_x = (goal.x - me.x) * 8;
      orders.target_velocity_y = (goal.y - me.y) * 8;
      orders.target_velocity_z = (goal.z - me.z) * 8 + ahead * 4;
      const [dx, dy, dz] = [ball.x - me.x, ball.y - me.y, ball.z - me.z];
      orders.jump_speed = dx * dx + dy * dy + dz * dz < 25 && dz * ahead > 0 ? 15 : 0;
      orders.use_nitro = !me.touch;
    });
    return action;
  };
  return (tick: number, seat: number): Action => {
    while (asked.length <= tick) {
      asked.push([think(0), think(1)]);
      world.step(state, asked.at(-1)!, []);
    }
    return asked[tick]![seat]!;
  };
}

const orders = { target_velocity_x: 0, target_velocity_y: 0, target_velocity_z: 0, jump_speed: 0, use_nitro: false };
const badActions = [
  null,
  [],
  'go',
  {},
  { 1: orders },
  { 1: orders, 2: orders, 3: orders },
  { 1: { ...orders, jump_speed: NaN }, 2: orders },
];
const badConfigs = [
  null,
  'round9',
  { ticks: -1 },
  { colour: 'red' },
  { draws: 'dice' },
  { rules: { team_size: 1000 } },
  { rules: { arena: [] } },
];

describe.each(DRAWS)('with %s draws', (draws) => {
  const config = { preset: 'round2', draws, rules: { RESET_TICKS: 30 } };
  const seed = '18446744073709551615';
  describeWorld(world, { config, seed, ticks: 300, actionAt: chase(config, seed), badActions, badConfigs });
});

const numbers = ({ scoreA, scoreB, ball, robots, packs }: State): Record<string, number> => ({
  scoreA,
  scoreB,
  'ball.x': ball.x,
  'ball.y': ball.y,
  'ball.z': ball.z,
  'robot1.x': robots[0]!.x,
  'robot1.nitro': robots[0]!.nitro,
  'last.z': robots.at(-1)!.z,
  packs: packs.filter((pack) => pack.respawnTicks === 0).length,
});

type Golden = Omit<GoldenCase<State, Action>, 'file' | 'numbers'> & { name: string };

/** A contest seed, and one beyond what a double holds. */
const goldens: readonly Golden[] = DRAWS.flatMap((draws): Golden[] => {
  const three = { preset: 'finals', draws };
  const two = { preset: 'round2', draws };
  return [
    { name: `random-${draws}`, seed: '538460243868820754', config: three, script: 'random orders', ticks: 1000, actionAt: random(3) },
    {
      name: `chase-${draws}`,
      seed: '396075381',
      config: two,
      script: 'all chase the ball',
      ticks: 2000,
      actionAt: chase(two, '396075381'),
    },
  ];
});

describe('goldens', () => {
  it.each(goldens)('[CB-2.1] $name: the game goes as it always has', ({ name, ...golden }) => {
    const file = new URL(`../golden/${name}.json`, import.meta.url);
    expect(() => checkGolden(world, { ...golden, file, numbers })).not.toThrow();
  });
});
