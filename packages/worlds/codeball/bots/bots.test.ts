import type { BotMaker } from '@lockstep/kernel';
import { describe, expect, it } from 'vitest';
import { STANDARD_RULES, type Rules } from '../src/rules.ts';
import type { GameView, Orders } from '../src/view.ts';
import { world } from '../src/world.ts';
import { bots } from './index.ts';

type Maker = BotMaker<Rules, GameView, Orders>;

/** A game of two bots through the world's doors; `watch` sees every order with its view. */
function play(
  pair: readonly [Maker, Maker],
  rawConfig: object,
  seed: bigint,
  watch?: (orders: Orders, view: GameView, seat: number) => void,
) {
  const config = world.readConfig({ draws: 'counter', ...rawConfig });
  const state = world.create(config, seed);
  const players = pair.map((make, seat) => make(world.brief(state, seat), seat));
  while (world.result(state) === null) {
    const actions = players.map((player, seat) => {
      const view = world.observe(state, seat);
      const orders = player.act(view);
      watch?.(orders, view, seat);
      return world.readAction(orders, state, seat);
    });
    world.step(state, actions, []);
  }
  return world.result(state)!.scores;
}

/** The first rule of ours that the orders break, in words; '' if none. */
function untidy(orders: Orders, view: GameView, rules: Rules): string {
  const own = view.robots.filter((robot) => robot.is_teammate).map((robot) => robot.id);
  if (Object.keys(orders).join() !== own.sort((a, b) => a - b).join())
    return `orders for ${Object.keys(orders).join()}, own robots ${own.join()}`;
  for (const id of own) {
    const { target_velocity_x: x, target_velocity_y: y, target_velocity_z: z, jump_speed, use_nitro } = orders[id]!;
    for (const velocity of [x, y, z]) if (!Number.isInteger(velocity * 16) || Object.is(velocity, -0)) return `velocity ${velocity}`;
    if (!Number.isInteger(jump_speed * 2) || jump_speed < 0 || jump_speed > rules.ROBOT_MAX_JUMP_SPEED) return `jump_speed ${jump_speed}`;
    if (!use_nitro && Math.sqrt(x * x + y * y + z * z) > rules.ROBOT_MAX_GROUND_SPEED) return `ground velocity ${x}, ${y}, ${z}`;
  }
  return '';
}

const distance = (x: number, y: number, z: number) => Math.sqrt(x * x + y * y + z * z);

const everyPreset = Object.keys(world.presets);

describe.each(Object.entries(bots))('%s', (_name, make) => {
  it.each(everyPreset.flatMap((preset) => [1, 2, 3].map((size) => [preset, size] as const)))(
    'gives legal orders in sixteenths and halves, in every tick: %s, teams of %i',
    (preset, team_size) => {
      let seen = 0;
      play([make, bots.chaser], { preset, ticks: 300, rules: { team_size } }, 5n, (orders, view, seat) => {
        if (seat !== 0) return;
        seen++;
        expect(untidy(orders, view, { ...STANDARD_RULES, team_size })).toBe('');
      });
      expect(seen).toBe(300);
    },
  );

  it('gives the same orders for the same views', () => {
    const record = () => {
      const lines: string[] = [];
      play([make, make], { preset: 'finals', ticks: 400 }, 11n, (orders) => lines.push(JSON.stringify(orders)));
      return lines;
    };
    expect(record()).toEqual(record());
  });

  it('does not mind games beside its own', () => {
    const views: GameView[] = [];
    const expected: Orders[] = [];
    play([make, bots.chaser], { preset: 'round2', ticks: 200 }, 3n, (orders, view, seat) => {
      if (seat !== 0) return;
      views.push(view);
      expected.push(orders);
    });
    const rules = { ...STANDARD_RULES, max_tick_count: 200 };
    const one = make(rules, 0);
    const other = make(rules, 0);
    views.forEach((view, i) => {
      expect(one.act(view)).toEqual(expected[i]);
      other.act(views[views.length - 1 - i]!);
    });
  });

  it.each([
    { GRAVITY: 0 },
    { ROBOT_ACCELERATION: 0 },
    { ROBOT_MAX_GROUND_SPEED: 0 },
    { ROBOT_NITRO_ACCELERATION: 0, ROBOT_MAX_JUMP_SPEED: 0.25 },
    { GRAVITY: 300, MAX_ENTITY_SPEED: 1000, ROBOT_MAX_GROUND_SPEED: 500 },
    { TICKS_PER_SECOND: 7, MICROTICKS_PER_TICK: 3, BALL_RADIUS: 5 },
  ])('keeps to the rules of strange worlds too: %o', (rules) => {
    let seen = 0;
    play([make, bots.chaser], { preset: 'round2', ticks: 150, rules }, 9n, (orders, view, seat) => {
      if (seat !== 0) return;
      seen++;
      expect(untidy(orders, view, { ...STANDARD_RULES, ...rules })).toBe('');
    });
    expect(seen).toBe(150);
  });
});

/** Wins of `a` over `b`: each seed once from either side. */
function winsBySeat(a: Maker, b: Maker, preset: string, seeds: number, ticks: number): [asFirst: number, asSecond: number] {
  const wins: [number, number] = [0, 0];
  for (let seed = 1; seed <= seeds; seed++) {
    const first = play([a, b], { preset, ticks }, BigInt(seed));
    const second = play([b, a], { preset, ticks }, BigInt(seed));
    if (first[0]! > first[1]!) wins[0]++;
    if (second[1]! > second[0]!) wins[1]++;
  }
  return wins;
}

describe('strength', () => {
  it.each(['round1', 'round2'])('captain beats quickstart in four games of five, from either side: %s', (preset) => {
    const [asFirst, asSecond] = winsBySeat(bots.captain, bots.quickstart, preset, 3, 2500);
    expect(asFirst + asSecond).toBeGreaterThanOrEqual(5);
    expect(Math.min(asFirst, asSecond)).toBeGreaterThanOrEqual(2);
  });

  it('captain beats chaser, three against three', () => {
    expect(winsBySeat(bots.captain, bots.chaser, 'finals', 1, 2000)).toEqual([1, 1]);
  });

  it('quickstart beats idle', () => {
    expect(winsBySeat(bots.quickstart, bots.idle, 'round1', 1, 1500)).toEqual([1, 1]);
  });

  it('captain does not stand about at kick-off: somebody is at the ball within two seconds', () => {
    let nearest = 1e9;
    play([bots.captain, bots.idle], { preset: 'round1', ticks: 120 }, 2n, (_orders, { ball, robots }) => {
      for (const { x, y, z } of robots) nearest = Math.min(nearest, distance(x - ball.x, y - ball.y, z - ball.z));
    });
    expect(nearest).toBeLessThan(3.2);
  });
});
