import { seedRng } from '@lockstep/kernel';
import { describe, expect, it } from 'vitest';
import { rethink, scatter } from '../oracle/compare.test-support.ts';
import { Action } from './action.ts';
import type { State } from './state.ts';
import { world } from './world.ts';

/** A game that has been going on for a while. */
function game(ticks: number, raw: object = { preset: 'finals', draws: 'counter' }): State {
  const state = world.create(world.readConfig(raw), 8n);
  const rng = seedRng(8n);
  const actions = [new Action(state.config.rules.team_size), new Action(state.config.rules.team_size)];
  for (let tick = 0; tick < ticks; tick++) {
    rethink(rng, state, actions, 0.2);
    world.step(state, actions, []);
  }
  return state;
}

describe('the view', () => {
  const view = world.observe(game(50), 0);

  it('[CB-3.5] Game has exactly the API’s fields', () => {
    expect(Object.keys(view)).toStrictEqual(['current_tick', 'players', 'robots', 'nitro_packs', 'ball']);
    expect(view.current_tick).toBe(50);
    expect([view.players.length, view.robots.length, view.nitro_packs.length]).toStrictEqual([2, 6, 4]);
  });

  it('[CB-3.7] Player has exactly the API’s fields', () => {
    for (const player of view.players) expect(Object.keys(player)).toStrictEqual(['id', 'me', 'strategy_crashed', 'score']);
  });

  it('[CB-3.8] Robot has exactly the API’s fields', () => {
    for (const robot of view.robots) {
      expect(Object.keys(robot).join(' ')).toBe(
        'id player_id is_teammate x y z velocity_x velocity_y velocity_z radius nitro_amount touch touch_normal_x touch_normal_y touch_normal_z',
      );
    }
  });

  it('[CB-3.6] NitroPack has exactly the API’s fields', () => {
    for (const pack of view.nitro_packs) expect(Object.keys(pack)).toStrictEqual(['id', 'x', 'y', 'z', 'radius', 'respawn_ticks']);
  });

  it('[CB-3.4] Ball has exactly the API’s fields', () => {
    expect(Object.keys(view.ball)).toStrictEqual(['x', 'y', 'z', 'velocity_x', 'velocity_y', 'velocity_z', 'radius']);
    expect(view.ball.radius).toBe(2);
  });

  it('[CB-3.9] Rules are the API’s, the same for both seats', () => {
    const state = game(0);
    const rules = world.brief(state, 0);
    expect(rules).toStrictEqual(state.config.rules);
    expect(world.brief(state, 1)).toStrictEqual(rules);
    expect(Object.keys(rules)).toHaveLength(31);
    expect(Object.keys(rules).slice(0, 3)).toStrictEqual(['max_tick_count', 'arena', 'team_size']);
  });

  it('[CB-3.3] Arena has exactly the API’s fields', () => {
    expect(Object.keys(world.brief(game(0), 0).arena).join(' ')).toBe(
      'width height depth bottom_radius top_radius corner_radius goal_top_radius goal_width goal_height goal_depth goal_side_radius',
    );
  });

  it('[CB-G22] players are 1 and 2; robots 1..n are player 1’s, the others player 2’s; packs are numbered by x, then z', () => {
    for (const seat of [0, 1]) {
      const seen = world.observe(game(50), seat);
      expect(seen.players.map(({ id, me }) => [id, me])).toStrictEqual([
        [1, seat === 0],
        [2, seat === 1],
      ]);
      for (const robot of seen.robots) {
        expect(robot.player_id).toBe(robot.id <= 3 ? 1 : 2);
        expect(robot.is_teammate).toBe(robot.player_id === seat + 1);
      }
      expect(seen.robots.map((robot) => robot.id).sort((a, b) => a - b)).toStrictEqual([1, 2, 3, 4, 5, 6]);
    }
    expect(view.nitro_packs.map(({ id, x, y, z }) => [id, x, y, z])).toStrictEqual([
      [1, -20, 1, -30],
      [2, -20, 1, 30],
      [3, 20, 1, -30],
      [4, 20, 1, 30],
    ]);
  });

  it('[CB-G16] robots come in the shuffled order, in id order at the kick-off', () => {
    const start = world.observe(game(0), 0);
    expect(start.robots.map((robot) => robot.id)).toStrictEqual([1, 2, 3, 4, 5, 6]);
    const orders = [1, 2, 3, 4, 5].map((ticks) => {
      const state = game(ticks);
      const ids = world.observe(state, 0).robots.map((robot) => robot.id);
      expect(ids).toStrictEqual(Array.from(state.order, (index) => index + 1));
      expect(world.observe(state, 1).robots.map((robot) => robot.id)).toStrictEqual(ids);
      return ids.join();
    });
    expect(new Set(orders).size).toBeGreaterThan(1);
  });

  it('[CB-1.2b] both think that their own half is z < 0', () => {
    for (const seat of [0, 1]) {
      for (const robot of world.observe(game(0), seat).robots) expect(robot.z < 0).toBe(robot.is_teammate);
    }
  });

  it('[CB-G25] player 2 sees z mirrored, in positions, velocities, normals and packs, and nothing else', () => {
    const state = game(0);
    const rng = seedRng(4n);
    for (let i = 0; i < 20; i++) {
      scatter(rng, state, 'walls');
      const one = world.observe(state, 0);
      const two = world.observe(state, 1);
      const turn = (z: number | null) => (z === null ? null : 0 - z);
      for (const [j, robot] of one.robots.entries()) {
        expect(two.robots[j]).toStrictEqual({
          ...robot,
          is_teammate: !robot.is_teammate,
          z: turn(robot.z),
          velocity_z: turn(robot.velocity_z),
          touch_normal_z: turn(robot.touch_normal_z),
        });
      }
      expect(two.ball).toStrictEqual({ ...one.ball, z: turn(one.ball.z), velocity_z: turn(one.ball.velocity_z) });
      expect(two.nitro_packs).toStrictEqual(one.nitro_packs.map((pack) => ({ ...pack, z: turn(pack.z) })));
    }
  });

  it('[CB-1.2a] y points up, z from one’s own goal to the opponent’s: the ball behind z > 0 is my goal', () => {
    for (const seat of [0, 1]) {
      const state = game(0);
      state.ball.z = seat === 0 ? 42.5 : -42.5;
      world.step(state, [new Action(3), new Action(3)], []);
      const seen = world.observe(state, seat);
      expect(seen.ball.z).toBeGreaterThan(42);
      expect(seen.ball.velocity_y).toBeLessThan(0); // it falls
      expect(seen.players.map(({ me, score }) => [me, score])).toContainEqual([true, 1]);
    }
  });

  it('[CB-G16] a view has no negative zero', () => {
    const state = game(0);
    const rng = seedRng(6n);
    for (let i = 0; i < 60; i++) {
      scatter(rng, state, 'floor');
      for (const body of [state.ball, ...state.robots]) Object.assign(body, { x: -0, vx: -0, vz: i % 2 === 0 ? -0 : 0 });
      for (const robot of state.robots) robot.touch = true;
      for (const seat of [0, 1]) {
        const text: string[] = [];
        JSON.stringify(world.observe(state, seat), (key, value: unknown) => {
          if (Object.is(value, -0)) text.push(key);
          return value;
        });
        expect(text).toStrictEqual([]);
      }
    }
  });

  it('[CB-2.1m] the touch normal is null while the robot does not touch, and a unit vector while it does', () => {
    let [touching, flying] = [0, 0];
    for (const robot of [10, 40, 80].flatMap((ticks) => world.observe(game(ticks), 1).robots)) {
      const { touch_normal_x: x, touch_normal_y: y, touch_normal_z: z } = robot;
      if (robot.touch) {
        touching++;
        expect(Math.abs(Math.sqrt(x! * x! + y! * y! + z! * z!) - 1)).toBeLessThan(1e-9);
      } else {
        flying++;
        expect([x, y, z]).toStrictEqual([null, null, null]);
      }
    }
    expect(touching).toBeGreaterThan(0);
    expect(flying).toBeGreaterThan(0);
  });

  it('[CB-3.6] respawn_ticks is null while the pack can be taken', () => {
    const state = game(0);
    state.packs[2]!.respawnTicks = 17;
    expect(world.observe(state, 1).nitro_packs.map((pack) => pack.respawn_ticks)).toStrictEqual([null, null, 17, null]);
  });

  it('[CB-1.2h] strategy_crashed is shown to both', () => {
    const state = game(3);
    world.step(state, [new Action(3), world.forfeit(state.config, 1)], []);
    for (const seat of [0, 1]) {
      expect(world.observe(state, seat).players.map((player) => player.strategy_crashed)).toStrictEqual([false, true]);
    }
  });

  it('[CB-1.2e] scribbling on a view changes neither the state nor the next view', () => {
    const state = game(30);
    const before = structuredClone(state);
    for (const seat of [0, 1]) {
      const kept = JSON.stringify(world.observe(state, seat));
      const seen = world.observe(state, seat);
      Object.assign(seen.ball, { x: 99 });
      Object.assign(seen.robots[0]!, { x: 99, id: 99 });
      seen.robots.length = 0;
      seen.players[0]!.score = 99;
      seen.nitro_packs[0]!.respawn_ticks = 99;
      const rules = world.brief(state, seat);
      Object.assign(rules, { GRAVITY: 0 });
      Object.assign(rules.arena, { width: 0 });
      expect(JSON.stringify(world.observe(state, seat))).toBe(kept);
      expect(world.brief(state, seat).arena.width).toBe(60);
    }
    expect(structuredClone(state)).toStrictEqual(before);
  });
});
