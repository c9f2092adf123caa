import { hash, MAX_SEED, nextInt, seedRng, type Seed } from '@lockstep/kernel';
import { fuzz } from '@lockstep/testkit';
import { describe, expect, it } from 'vitest';
import { chance, copyBodies, firstMismatch, PLACES, randomRules, RESTLESSNESS, rethink, scatter } from '../oracle/compare.test-support.ts';
import { NaiveGame } from '../oracle/naive.ts';
import { Action } from './action.ts';
import { readConfig } from './door.ts';
import { DRAWS } from './rules.ts';
import type { State } from './state.ts';
import { doneOver } from './tick.ts';
import { world } from './world.ts';

/** LOCKSTEP_LONG=1: the same tests, twenty times as long. */
const LONG = process.env['LOCKSTEP_LONG'] === '1' ? 20 : 1;

interface Played {
  goals: number;
  hits: number;
  packsTaken: number;
  kickOffs: number;
  /** Robot ticks in the air, on the flat floor, on anything else. */
  airborne: number;
  floor: number;
  slopes: number;
}

const total: Played = { goals: 0, hits: 0, packsTaken: 0, kickOffs: 0, airborne: 0, floor: 0, slopes: 0 };

/** Plays product and oracle side by side and compares every number after every tick; the first mismatch, or ''. */
function sideBySide(rawConfig: object, seed: Seed, ticks: number, restlessness: number, scatterEvery = 0): string {
  const config = world.readConfig(rawConfig);
  const rng = seedRng(seed);
  const state = world.create(config, seed);
  const oracle = new NaiveGame(config, seed);
  const actions = [new Action(config.rules.team_size), new Action(config.rules.team_size)];
  for (let tick = 0; tick < ticks; tick++) {
    let place: string = 'as it came';
    if (scatterEvery > 0 && tick % scatterEvery === 0) {
      place = PLACES[nextInt(rng, PLACES.length)]!;
      scatter(rng, state, place as (typeof PLACES)[number]);
      copyBodies(state, oracle);
    }
    rethink(rng, state, actions, restlessness);
    const packsBefore = state.packs.filter((pack) => pack.respawnTicks === 0).length;
    const hitsBefore = oracle.contacts;
    const events: { kind: string }[] = [];
    world.step(state, actions, events);
    oracle.step(actions);
    const mismatch = firstMismatch(oracle, state);
    if (mismatch !== null) return `${JSON.stringify(rawConfig)} seed ${seed} tick ${tick} (${place}): ${mismatch}`;
    total.goals += events.filter((event) => event.kind === 'goal').length;
    total.kickOffs += events.filter((event) => event.kind === 'kickoff').length;
    total.hits += oracle.contacts - hitsBefore;
    total.packsTaken += Math.max(0, packsBefore - state.packs.filter((pack) => pack.respawnTicks === 0).length);
    for (const robot of state.robots) {
      if (!robot.touch) total.airborne++;
      else if (robot.ny === 1) total.floor++;
      else total.slopes++;
    }
  }
  return '';
}

describe('the product equals the naive oracle in every number of every tick', () => {
  const games = Array.from({ length: 12 }, (_, i) => ({
    draws: DRAWS[i % 3]!,
    nitro: i % 2 === 0,
    team_size: 1 + (i % 4),
    restlessness: RESTLESSNESS[i % 5]!,
    seed: i === 3 ? MAX_SEED : 538_460_243_868_820_754n + BigInt(i),
  }));
  it.each(games)(
    '[CB-2.1g] long random games: $draws draws, nitro $nitro, teams of $team_size, restlessness $restlessness',
    ({ draws, nitro, team_size, restlessness, seed }) => {
      expect(sideBySide({ draws, nitro, rules: { team_size } }, seed, (team_size > 2 ? 300 : 700) * LONG, restlessness)).toBe('');
    },
  );

  it.each(DRAWS.flatMap((draws) => [1, 2, 3].map((team_size) => ({ draws, team_size }))))(
    '[CB-2.1b] bodies put by hand into walls, each other, goals, packs and outside of the arena: $draws draws, teams of $team_size',
    ({ draws, team_size }) => {
      expect(sideBySide({ draws, nitro: true, rules: { team_size } }, BigInt(team_size) + 77n, 100 * LONG, 0.3, 3)).toBe('');
    },
  );

  const unusual: Record<string, object> = {
    'seven microticks': { MICROTICKS_PER_TICK: 7 },
    'one microtick': { MICROTICKS_PER_TICK: 1, TICKS_PER_SECOND: 600 },
    'twenty ticks a second': { TICKS_PER_SECOND: 20 },
    'a ball larger than the bottom rounding': { BALL_RADIUS: 4 },
    'a ball larger than any rounding': { BALL_RADIUS: 7.5, arena: { goal_height: 10 } },
    'robots that grow': { ROBOT_MAX_RADIUS: 1.5 },
    'robots larger than the bottom rounding': { ROBOT_MIN_RADIUS: 3.2, ROBOT_MAX_RADIUS: 3.5 },
    'no gravity': { GRAVITY: 0 },
    'strong gravity': { GRAVITY: 300 },
    'a ball that loses nothing': { BALL_ARENA_E: 1 },
    'robots that bounce': { ROBOT_ARENA_E: 0.8 },
    'very fast bodies': { MAX_ENTITY_SPEED: 300, ROBOT_MAX_GROUND_SPEED: 250, ROBOT_ACCELERATION: 2000 },
    'very slow bodies': { MAX_ENTITY_SPEED: 5 },
    'high jumps': { ROBOT_MAX_JUMP_SPEED: 90 },
    'strong nitro': { ROBOT_NITRO_ACCELERATION: 500, NITRO_POINT_VELOCITY_CHANGE: 0.01, NITRO_PACK_RADIUS: 6, NITRO_PACK_RESPAWN_TICKS: 3 },
    'packs that are always full enough': { START_NITRO_AMOUNT: 100, MAX_NITRO_AMOUNT: 100, NITRO_PACK_RADIUS: 3 },
    'light robots, heavy ball': { ROBOT_MASS: 0.1, BALL_MASS: 50 },
    'hits that lose nothing': { MIN_HIT_E: 1, MAX_HIT_E: 1 },
    'hits that stick': { MIN_HIT_E: 0, MAX_HIT_E: 0 },
    'a small arena': {
      arena: {
        width: 30,
        depth: 40,
        height: 14,
        corner_radius: 5,
        top_radius: 4,
        bottom_radius: 1.5,
        goal_top_radius: 1.5,
        goal_width: 12,
        goal_height: 6,
        goal_depth: 5,
        goal_side_radius: 0.5,
      },
      NITRO_PACK_X: 10,
      NITRO_PACK_Z: 15,
    },
    'an arena with hardly any rounding': {
      arena: { bottom_radius: 0.25, goal_top_radius: 0.25, top_radius: 0.3, corner_radius: 0.5, goal_side_radius: 0.1 },
    },
    'an arena that is all rounding': {
      arena: {
        width: 52,
        depth: 60,
        height: 22,
        corner_radius: 12,
        top_radius: 10,
        bottom_radius: 4,
        goal_top_radius: 4,
        goal_width: 24,
        goal_height: 9,
        goal_depth: 8,
        goal_side_radius: 2,
      },
    },
    'a short reset': { RESET_TICKS: 1 },
  };
  it.each(Object.entries(unusual))('[CB-G4] under unusual rules too: %s', (name, rules) => {
    const draws = DRAWS[name.length % 3]!;
    expect(sideBySide({ draws, nitro: true, rules }, 4n, 40 * LONG, 0.2)).toBe('');
    expect(sideBySide({ draws: 'counter', nitro: true, rules }, 5n, 40 * LONG, 0.2, 4)).toBe('');
  });

  it('[CB-G4] under any rules at all, in any arena, from any state', () => {
    fuzz('codeball rules', 80 * LONG, (rng, seed) => {
      const draws = DRAWS[nextInt(rng, 3)]!;
      const rules = randomRules(rng);
      const raw = { draws, nitro: chance(rng, 0.7), rules };
      try {
        world.readConfig(raw);
      } catch {
        return; // no arena
      }
      const ticks = Math.ceil(3000 / ((rules['MICROTICKS_PER_TICK'] as number | undefined) ?? 100));
      expect(sideBySide(raw, seed, Math.min(ticks, 200), 0.3, [0, 1, 2, 5, 20][nextInt(rng, 5)])).toBe('');
    });
  });

  it.each([12, 32])('[CB-G17] teams of %i, which stand inside each other at the kick-off', (team_size) => {
    expect(sideBySide({ draws: 'official', nitro: true, rules: { team_size } }, 1n, 3 * LONG, 0.3)).toBe('');
  });

  it('[CB-2.1i] a tick whose guess about who meets whom fails is done over, and comes out the same', () => {
    const before = doneOver.count;
    expect(sideBySide({ draws: 'official', nitro: true }, 11n, 400 * LONG, 0.3, 2)).toBe('');
    expect(doneOver.count - before).toBeGreaterThan(0);
  });

  it('[CB-2.1] the games above went everywhere: hits, goals, kick-offs, packs, air, floor and slopes', () => {
    const seldom = Object.entries(total).filter(([, count]) => count <= 20);
    expect(seldom).toStrictEqual([]);
  });
});

/** One tick from a state put by hand: the first mismatch, or ''. */
function oneTick(rawConfig: object, place: (state: State) => void, command: (actions: readonly Action[]) => void): string {
  const config = world.readConfig({ draws: 'none', ...rawConfig });
  const state = world.create(config, 1n);
  const oracle = new NaiveGame(config, 1n);
  place(state);
  copyBodies(state, oracle);
  const actions = [world.idle(config, 0), world.idle(config, 1)];
  command(actions);
  world.step(state, actions, []);
  oracle.step(actions);
  return firstMismatch(oracle, state) ?? '';
}

describe('what shortcuts could miss', () => {
  it('[CB-2.1b] the ground takes the sign off a velocity of -0, also of a robot that has its target velocity', () => {
    const place = ({ robots }: State) => Object.assign(robots[0]!, { x: 5, z: -20, vx: -0, vz: 20 });
    expect(oneTick({}, place, ([action]) => (action!.robots[0]!.target_velocity_z = 20))).toBe('');
  });

  it('[CB-2.1k] a full robot that spends nitro beside a pack takes it in the same tick', () => {
    const place = ({ robots }: State) => {
      for (const robot of robots) robot.nitro = 100;
      Object.assign(robots[0]!, { x: 20, z: 29 });
    };
    const spend = ([action]: readonly Action[]) => Object.assign(action!.robots[0]!, { target_velocity_x: -30, use_nitro: true });
    expect(oneTick({ nitro: true }, place, spend)).toBe('');
  });

  it('[CB-1.4e] a robot that jumps off floor and wall at once is faster than its jump speed', () => {
    const arena = { bottom_radius: 0.25, goal_top_radius: 0.25, top_radius: 0.3, corner_radius: 0.5, goal_side_radius: 0.1 };
    const place = ({ robots, ball }: State) => {
      Object.assign(robots[0]!, { x: 29, y: 1, z: 0 });
      Object.assign(ball, { x: 29 - 3.58, y: 1.05 + 3.53, z: 0 });
    };
    const jump = ([action]: readonly Action[]) => (action!.robots[0]!.jump_speed = 90);
    const before = doneOver.count;
    expect(oneTick({ rules: { arena, ROBOT_MAX_JUMP_SPEED: 90, MAX_ENTITY_SPEED: 300 } }, place, jump)).toBe('');
    expect(doneOver.count).toBe(before + 1);
  });

  it('[CB-2.1k] a robot that the floor pushes to a pack has it before a later robot that was near it all along', () => {
    const place = ({ robots }: State) => {
      Object.assign(robots[0]!, { x: 20, y: 0.7, z: 30 });
      Object.assign(robots[1]!, { x: 20, y: 3.5, z: 30, touch: false });
    };
    expect(oneTick({ nitro: true, rules: { NITRO_PACK_Y: 2.45 } }, place, () => {})).toBe('');
  });

  it('[CB-1.4e] robots that rebound jump off with (1 + ROBOT_ARENA_E) times the jump speed, and reach more', () => {
    const place = ({ robots, ball }: State) => {
      Object.assign(robots[0]!, { x: 5, y: 1, z: -20 });
      Object.assign(ball, { x: 5, y: 5.25, z: -20 });
    };
    const jump = ([action]: readonly Action[]) => (action!.robots[0]!.jump_speed = 50);
    expect(oneTick({ rules: { ROBOT_ARENA_E: 0.5, ROBOT_MAX_JUMP_SPEED: 50 } }, place, jump)).toBe('');
  });

  it('[CB-2.1c] and are limited to MAX_ENTITY_SPEED again and again', () => {
    for (let x = 1; x < 12; x++) {
      const jump = (actions: readonly Action[]) => {
        for (const { robots } of actions) {
          robots.forEach((o, i) => Object.assign(o, { jump_speed: 90 - i, target_velocity_x: x, target_velocity_z: 3 + i }));
        }
      };
      expect(oneTick({ rules: { ROBOT_ARENA_E: 0.3, ROBOT_MAX_JUMP_SPEED: 90, GRAVITY: 0 } }, () => {}, jump)).toBe('');
    }
  });

  it.each([
    [{}, -5e-324],
    [{ ROBOT_ACCELERATION: 0 }, -5],
  ])('[CB-2.1b] nor where control adds nothing to a velocity of -0: %j, target %d', (rules, target_velocity_x) => {
    const place = ({ robots }: State) => {
      Object.assign(robots[0]!, { x: 5, z: -20, vx: -0 });
      Object.assign(robots[1]!, { x: -5, z: -25 });
    };
    const run = ([action]: readonly Action[]) => {
      for (const orders of action!.robots) Object.assign(orders, { target_velocity_x, target_velocity_z: 20 });
    };
    expect(oneTick({ rules }, place, run)).toBe('');
  });
});

describe('what the guards are for', () => {
  it('[CB-2.1e] a robot that nitro presses against a wall stands still, and its nitro runs out all the same', () => {
    const place = ({ robots }: State) => Object.assign(robots[0]!, { x: 29, y: 5, z: 0, touch: true, nx: -1, ny: 0, nz: 0 });
    const press = ([action]: readonly Action[]) => Object.assign(action!.robots[0]!, { target_velocity_x: 100, use_nitro: true });
    expect(oneTick({ nitro: true, rules: { GRAVITY: 0 } }, place, press)).toBe('');
  });

  it('[CB-2.1d] a robot at rest on the middle line, where zeros have signs of their own', () => {
    for (const [x, z, vx, vz] of [
      [0, -20, -0, 0],
      [-0, -20, -0, -0],
      [0, 0, 0, -0],
      [-5, -0, -0, -0],
    ]) {
      const place = ({ robots, ball }: State) => {
        Object.assign(robots[0]!, { x, z, vx, vz });
        Object.assign(ball, { x: 20, z: 20 });
      };
      expect(oneTick({}, place, () => {})).toBe('');
    }
  });

  it('[CB-G3] hardly any nitro left: just below, at and above what can still change a velocity', () => {
    for (const nitro of [0.8e-5, 0.95e-5, 1e-5, 1.05e-5, 1.2e-5, 2e-5].map((change) => change / 0.6)) {
      const place = ({ robots }: State) => Object.assign(robots[0]!, { y: 5, touch: false, nitro });
      const burn = ([action]: readonly Action[]) =>
        Object.assign(action!.robots[0]!, { target_velocity_x: 30, target_velocity_y: 20, use_nitro: true });
      expect(oneTick({ nitro: true }, place, burn), `nitro ${nitro}`).toBe('');
    }
  });

  it('[CB-2.1d] a robot so small that the fall of one microtick is more than half of it', () => {
    const rules = { ROBOT_MIN_RADIUS: 0.01, ROBOT_MAX_RADIUS: 0.01, MICROTICKS_PER_TICK: 1, TICKS_PER_SECOND: 20, GRAVITY: 30 };
    const run = ([action]: readonly Action[]) => Object.assign(action!.robots[0]!, { target_velocity_x: 10, target_velocity_z: 20 });
    expect(oneTick({ rules }, () => {}, run)).toBe('');
  });

  it('[CB-2.1b] an acceleration too small to be felt leaves the sign of a zero to the ground', () => {
    const place = ({ robots }: State) => {
      Object.assign(robots[0]!, { x: 5, z: -20, vx: -0 });
      Object.assign(robots[1]!, { x: -5, z: -25, vx: -0 });
    };
    const run = ([action]: readonly Action[]) => {
      for (const orders of action!.robots) Object.assign(orders, { target_velocity_x: -1e-150, target_velocity_z: 20 });
    };
    expect(oneTick({ rules: { ROBOT_ACCELERATION: 1e-200 } }, place, run)).toBe('');
  });

  it('[CB-G11] an action that no door can have let in is refused before anything moves', () => {
    const config = readConfig({ draws: 'none' });
    for (const [name, value] of [
      ['jump_speed', 1000],
      ['jump_speed', -1],
      ['jump_speed', NaN],
      ['target_velocity_x', Infinity],
      ['target_velocity_y', NaN],
      ['target_velocity_z', 1e101],
    ] as const) {
      const state = world.create(config, 1n);
      const before = hash(world, state);
      const actions = [world.idle(config, 0), world.idle(config, 1)];
      actions[1]!.robots[0]![name] = value;
      expect(() => world.step(state, actions, [])).toThrow(new RegExp(`^action\\.robots\\[0\\]\\.${name}: expected a number .*, got `));
      expect(hash(world, state)).toBe(before);
    }
  });
});

describe('the ledger', () => {
  it.each(DRAWS)('[CB-G7] tells the draws that the oracle makes, in its order, and asking for it changes no bit: %s', (draws) => {
    const config = world.readConfig({ draws, nitro: true, rules: { team_size: 3, RESET_TICKS: 5 } });
    const rng = seedRng(9n);
    const plain = world.create(config, 21n);
    const noted = world.create(config, 21n);
    const oracle = new NaiveGame(config, 21n);
    oracle.draws = [];
    const actions = [new Action(3), new Action(3)];
    let hits = 0;
    for (let tick = 0; tick < 100 * LONG; tick++) {
      if (chance(rng, 0.1)) {
        scatter(rng, plain, 'pile');
        scatterLike(plain, noted);
        copyBodies(plain, oracle);
      }
      rethink(rng, plain, actions, 0.2);
      const ledger: { kind: string }[] = [];
      world.step(plain, actions, []);
      world.step(noted, actions, [], ledger);
      oracle.step(actions);
      expect(firstMismatch(oracle, plain)).toBeNull();
      expect(firstMismatch(oracle, noted)).toBeNull();
      const expected = oracle.draws
        .filter((draw) => draws !== 'none' || 'order' in draw)
        .map((draw) =>
          'order' in draw
            ? { kind: 'order', microtick: draw.microtick, robots: draw.order }
            : { kind: 'restitution', microtick: draw.microtick, a: draw.a, b: draw.b, e: draw.e },
        );
      expect(ledger.filter((entry) => entry.kind !== 'kickoff')).toStrictEqual(expected);
      hits += ledger.filter((entry) => entry.kind === 'restitution').length;
    }
    if (draws === 'none') expect(hits).toBe(0);
    else expect(hits).toBeGreaterThan(50);
  });
});

/** The same bodies in another state of the same game. */
function scatterLike(from: ReturnType<typeof world.create>, to: ReturnType<typeof world.create>): void {
  Object.assign(to.ball, from.ball);
  to.robots.forEach((robot, i) => Object.assign(robot, from.robots[i]!));
  to.packs.forEach((pack, i) => (pack.respawnTicks = from.packs[i]!.respawnTicks));
  to.resetTicks = from.resetTicks;
}
