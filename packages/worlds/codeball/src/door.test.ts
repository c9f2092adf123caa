import { InputError } from '@lockstep/kernel';
import { describe, expect, it } from 'vitest';
import { MAX_TEAM_SIZE, readAction, readConfig, writeConfig } from './door.ts';
import { STANDARD_RULES } from './rules.ts';
import { world } from './world.ts';

/** The one line that refuses it. */
function refused(act: () => unknown): string {
  let taken: unknown;
  try {
    taken = act();
  } catch (error) {
    expect(error).toBeInstanceOf(InputError);
    const { message } = error as Error;
    expect(message).toMatch(/^[^\n]*: expected [^\n]*, got [^\n]*$/);
    return message;
  }
  return `taken as ${JSON.stringify(taken)}`;
}
const refusedConfig = (raw: unknown) => refused(() => readConfig(raw));

describe('configs', () => {
  it('[CB-1.1] a preset is a stage of the contest: team size and nitro', () => {
    const stage = (name: string) => {
      const { rules, nitro, draws } = readConfig(name);
      return { team_size: rules.team_size, nitro, draws, ticks: rules.max_tick_count };
    };
    expect(stage('round1')).toStrictEqual({ team_size: 2, nitro: false, draws: 'official', ticks: 20000 });
    expect(stage('round2')).toStrictEqual({ team_size: 2, nitro: true, draws: 'official', ticks: 20000 });
    expect(stage('finals')).toStrictEqual({ team_size: 3, nitro: true, draws: 'official', ticks: 20000 });
    expect(readConfig({})).toStrictEqual(readConfig('round1'));
    for (const name of Object.keys(world.presets)) {
      expect(readConfig(world.presets[name])).toStrictEqual(readConfig(name));
      expect(readConfig({ preset: name })).toStrictEqual(readConfig(name));
    }
  });

  it('[CB-1.3] [CB-2.2] the arena’s measures and the constants are the document’s', () => {
    const { arena, ...constants } = readConfig({}).rules;
    expect(constants).toStrictEqual({
      max_tick_count: 20000,
      team_size: 2,
      ROBOT_MIN_RADIUS: 1,
      ROBOT_MAX_RADIUS: 1.05,
      ROBOT_MAX_JUMP_SPEED: 15,
      ROBOT_ACCELERATION: 100,
      ROBOT_NITRO_ACCELERATION: 30,
      ROBOT_MAX_GROUND_SPEED: 30,
      ROBOT_ARENA_E: 0,
      ROBOT_RADIUS: 1,
      ROBOT_MASS: 2,
      TICKS_PER_SECOND: 60,
      MICROTICKS_PER_TICK: 100,
      RESET_TICKS: 2 * 60,
      BALL_ARENA_E: 0.7,
      BALL_RADIUS: 2,
      BALL_MASS: 1,
      MIN_HIT_E: 0.4,
      MAX_HIT_E: 0.5,
      MAX_ENTITY_SPEED: 100,
      MAX_NITRO_AMOUNT: 100,
      START_NITRO_AMOUNT: 50,
      NITRO_POINT_VELOCITY_CHANGE: 0.6,
      NITRO_PACK_X: 20,
      NITRO_PACK_Y: 1,
      NITRO_PACK_Z: 30,
      NITRO_PACK_RADIUS: 0.5,
      NITRO_PACK_AMOUNT: 100,
      NITRO_PACK_RESPAWN_TICKS: 10 * 60,
      GRAVITY: 30,
    });
    expect(arena).toStrictEqual({
      width: 60,
      height: 20,
      depth: 80,
      bottom_radius: 3,
      top_radius: 7,
      corner_radius: 13,
      goal_top_radius: 3,
      goal_width: 30,
      goal_height: 10,
      goal_depth: 10,
      goal_side_radius: 1,
    });
  });

  it('[CB-G14] ticks is the length of the game, and stands above max_tick_count', () => {
    expect(readConfig({ ticks: 3000 }).rules.max_tick_count).toBe(3000);
    expect(readConfig({ rules: { max_tick_count: 18000 } }).rules.max_tick_count).toBe(18000);
    expect(readConfig({ ticks: 7, rules: { max_tick_count: 18000 } }).rules.max_tick_count).toBe(7);
  });

  it('[CB-3.9] every constant can be set, alone, and what is left out is the preset’s', () => {
    for (const name of Object.keys(STANDARD_RULES).filter((name) => name !== 'arena')) {
      const standard = STANDARD_RULES[name as 'GRAVITY'];
      // a little more or less, whichever is legal beside the others
      const value =
        name === 'ROBOT_MIN_RADIUS' || name === 'MIN_HIT_E' || name === 'ROBOT_MASS'
          ? standard / 2
          : name === 'ROBOT_ARENA_E'
            ? 0.5
            : standard + (standard > 1 ? 1 : 0.1);
      const { rules } = readConfig({ preset: 'finals', rules: { [name]: value } });
      expect(rules).toStrictEqual({ ...STANDARD_RULES, team_size: 3, [name]: value });
    }
    for (const name of Object.keys(STANDARD_RULES.arena).filter((name) => !/bottom|goal_top/.test(name))) {
      const value =
        STANDARD_RULES.arena[name as 'width'] *
        (/^(goal_side_radius|goal_height|goal_width|corner_radius|top_radius)$/.test(name) ? 0.9 : 1.1);
      const { rules } = readConfig({ rules: { arena: { [name]: value } } });
      expect(rules.arena).toStrictEqual({ ...STANDARD_RULES.arena, [name]: value });
    }
  });

  it('[CB-G21] RESET_TICKS and the packs’ timer do not follow TICKS_PER_SECOND', () => {
    const { rules } = readConfig({ rules: { TICKS_PER_SECOND: 20 } });
    expect([rules.RESET_TICKS, rules.NITRO_PACK_RESPAWN_TICKS]).toStrictEqual([120, 600]);
  });

  it.each([
    {},
    'finals',
    { preset: 'round2', draws: 'none', ticks: 5 },
    { nitro: true, draws: 'counter', rules: { team_size: 1, GRAVITY: 0, arena: { width: 70 } } },
  ])('[CB-3.9] a config survives being written and read: %j', (raw) => {
    const config = readConfig(raw);
    const written = JSON.parse(JSON.stringify(writeConfig(config)));
    expect(readConfig(written)).toStrictEqual(config);
    // what was written shares nothing with the config
    written.rules.arena.width = 1;
    expect(config.rules.arena.width).not.toBe(1);
  });

  it('[CB-G24] a config that is none is refused by its path, with what was expected and what came', () => {
    expect(refusedConfig('round3')).toBe('config.preset: expected one of round1, round2, finals, got "round3"');
    expect(refusedConfig({ preset: 'Finals' })).toBe(
      'config.preset: expected one of round1, round2, finals (did you mean finals?), got "Finals"',
    );
    expect(refusedConfig({ preset: 3 })).toBe('config.preset: expected one of round1, round2, finals, got 3');
    expect(refusedConfig({ preset: '__proto__' })).toMatch(/^config\.preset: expected one of/);
    expect(refusedConfig({ preset: 'toString' })).toMatch(/^config\.preset: expected one of/);
    expect(refusedConfig(null)).toBe('config: expected an object, got null');
    expect(refusedConfig(undefined)).toBe('config: expected an object, got nothing');
    expect(refusedConfig([])).toBe('config: expected an object, got []');
    expect(refusedConfig(7)).toBe('config: expected an object, got 7');
    expect(refusedConfig({ speed: 2 })).toBe('config.speed: expected only the fields preset, ticks, nitro, draws, rules, got 2');
    expect(refusedConfig({ nitro: 'yes' })).toBe('config.nitro: expected true or false, got "yes"');
    expect(refusedConfig({ nitro: 1 })).toBe('config.nitro: expected true or false, got 1');
    expect(refusedConfig({ draws: 'dice' })).toBe('config.draws: expected one of official, counter, none, got "dice"');
    expect(refusedConfig({ ticks: 0 })).toBe('config.ticks: expected a whole number 1..10000000, got 0');
    expect(refusedConfig({ ticks: 1.5 })).toBe('config.ticks: expected a whole number 1..10000000, got 1.5');
    expect(refusedConfig({ ticks: '100' })).toBe('config.ticks: expected a whole number 1..10000000, got "100"');
    expect(refusedConfig({ ticks: -5 })).toMatch(/^config\.ticks: /);
    expect(refusedConfig({ rules: [] })).toBe('config.rules: expected an object, got []');
    expect(refusedConfig({ rules: { gravity: 1 } })).toMatch(
      /^config\.rules\.gravity: expected a known field \(did you mean GRAVITY\?\), got 1$/,
    );
    expect(refusedConfig({ rules: { GRAVITY: NaN } })).toBe('config.rules.GRAVITY: expected a number 0..1000, got NaN');
    expect(refusedConfig({ rules: { GRAVITY: Infinity } })).toBe('config.rules.GRAVITY: expected a number 0..1000, got Infinity');
    expect(refusedConfig({ rules: { GRAVITY: '30' } })).toBe('config.rules.GRAVITY: expected a number 0..1000, got "30"');
    expect(refusedConfig({ rules: { BALL_RADIUS: -2 } })).toBe('config.rules.BALL_RADIUS: expected a number 0.01..100, got -2');
    expect(refusedConfig({ rules: { ROBOT_MASS: 0 } })).toBe('config.rules.ROBOT_MASS: expected a number 0.001..1000, got 0');
    expect(refusedConfig({ rules: { MICROTICKS_PER_TICK: 0 } })).toBe(
      'config.rules.MICROTICKS_PER_TICK: expected a whole number 1..10000, got 0',
    );
    expect(refusedConfig({ rules: { TICKS_PER_SECOND: 59.94 } })).toBe(
      'config.rules.TICKS_PER_SECOND: expected a whole number 1..1000, got 59.94',
    );
  });

  it.each([
    ['config.preset', { preset: null }],
    ['config.nitro', { nitro: null }],
    ['config.draws', { draws: null }],
    ['config.rules', { rules: null }],
    ['config.rules.GRAVITY', { rules: { GRAVITY: null } }],
    ['config.rules.arena', { rules: { arena: null } }],
    ['config.rules.arena.width', { rules: { arena: { width: null } } }],
  ])('[CB-G24] null is not the same as left out: %s', (path, raw) => {
    expect(refusedConfig(raw)).toMatch(new RegExp(`^${path.replaceAll('.', String.raw`\.`)}: expected .*, got null$`));
  });

  it('[CB-G17] teams have 1 to 32 robots', () => {
    expect(readConfig({ rules: { team_size: 1 } }).rules.team_size).toBe(1);
    expect(readConfig({ rules: { team_size: MAX_TEAM_SIZE } }).rules.team_size).toBe(32);
    for (const size of [0, 33, -1, 1e9, 2.5, '3']) {
      expect(refusedConfig({ rules: { team_size: size } })).toBe(
        `config.rules.team_size: expected a whole number 1..32, got ${JSON.stringify(size)}`,
      );
    }
  });

  it('[CB-G24] constants that contradict each other are refused', () => {
    expect(refusedConfig({ rules: { ROBOT_MIN_RADIUS: 1.1 } })).toBe(
      'config.rules.ROBOT_MIN_RADIUS: expected at most ROBOT_MAX_RADIUS = 1.05, got 1.1',
    );
    expect(refusedConfig({ rules: { MIN_HIT_E: 0.6 } })).toBe('config.rules.MIN_HIT_E: expected at most MAX_HIT_E = 0.5, got 0.6');
    expect(refusedConfig({ rules: { START_NITRO_AMOUNT: 101 } })).toBe(
      'config.rules.START_NITRO_AMOUNT: expected at most MAX_NITRO_AMOUNT = 100, got 101',
    );
  });

  it('[CB-2.3e] bottom_radius must equal goal_top_radius', () => {
    expect(refusedConfig({ rules: { arena: { bottom_radius: 2 } } })).toBe(
      'config.rules.arena.goal_top_radius: expected bottom_radius = 2 (the document asserts it), got 3',
    );
  });

  it('[CB-G24] measures that make no arena are refused', () => {
    const arena = (given: object) => refusedConfig({ rules: { arena: given } });
    expect(arena({ colour: 1 })).toMatch(/^config\.rules\.arena\.colour: expected only the fields width, /);
    expect(refusedConfig({ rules: { arena: 5 } })).toBe('config.rules.arena: expected an object, got 5');
    expect(arena({ width: 0 })).toBe('config.rules.arena.width: expected a number 0.01..1000, got 0');
    expect(arena({ width: NaN })).toBe('config.rules.arena.width: expected a number 0.01..1000, got NaN');
    expect(arena({ width: '60' })).toBe('config.rules.arena.width: expected a number 0.01..1000, got "60"');
    expect(arena({ corner_radius: 5 })).toBe('config.rules.arena.corner_radius: expected at least bottom_radius and top_radius, got 5');
    expect(arena({ corner_radius: 31 })).toBe('config.rules.arena.corner_radius: expected at most half of width and depth, got 31');
    expect(arena({ goal_width: 40 })).toBe('config.rules.arena.goal_width: expected goal and its side radius between the corners, got 40');
    expect(arena({ goal_height: 13 })).toBe(
      'config.rules.arena.goal_height: expected goal and its side radius below the top radius, got 13',
    );
    expect(arena({ goal_height: 5 })).toBe('config.rules.arena.bottom_radius: expected at most half the goal, got 3');
    expect(arena({ goal_depth: 3 })).toBe('config.rules.arena.goal_depth: expected room for goal_side_radius and bottom_radius, got 3');
  });
});

const still = { target_velocity_x: 0, target_velocity_y: 0, target_velocity_z: 0, jump_speed: 0, use_nitro: false };

describe('actions', () => {
  const state = world.create(readConfig('round2'), 1n);
  const read = (one: object, two: object = still) => readAction({ 1: one, 2: two }, state, 0);
  const refusedAction = (raw: unknown, seat = 0) => refused(() => readAction(raw, state, seat));

  it('[CB-3.2] orders are taken as they are given, robot by robot', () => {
    const action = read({ target_velocity_x: 1.5, target_velocity_y: -2, target_velocity_z: 3, jump_speed: 4, use_nitro: true });
    expect(action.crashed).toBe(false);
    expect(structuredClone(action.robots[0])).toStrictEqual({
      target_velocity_x: 1.5,
      target_velocity_y: -2,
      target_velocity_z: 3,
      jump_speed: 4,
      use_nitro: true,
    });
    expect(structuredClone(action.robots[1])).toStrictEqual(still);
  });

  it('[CB-G25] player 2’s z is mirrored back, and nothing else', () => {
    const orders = { target_velocity_x: 1, target_velocity_y: 2, target_velocity_z: 3, jump_speed: 4, use_nitro: true };
    const action = readAction({ 4: orders, 3: still }, state, 1);
    expect(structuredClone(action.robots[1])).toStrictEqual({ ...orders, target_velocity_z: -3 });
    expect(action.robots[0]!.target_velocity_z).toBe(0); // not -0
  });

  it('[CB-1.6d] a jump speed is anything from 0 to ROBOT_MAX_JUMP_SPEED', () => {
    for (const jump of [0, 1e-9, 7.25, 15]) expect(read({ ...still, jump_speed: jump }).robots[0]!.jump_speed).toBe(jump);
  });

  it('[CB-G11] a jump speed outside of its range is clamped', () => {
    const clamped = (jump_speed: number) => read({ ...still, jump_speed }).robots[0]!.jump_speed;
    expect(clamped(15.000001)).toBe(15);
    expect(clamped(1e308)).toBe(15);
    expect(clamped(-1)).toBe(0);
    expect(clamped(-0)).toBe(0);
    const lower = world.create(readConfig({ rules: { ROBOT_MAX_JUMP_SPEED: 5 } }), 1n);
    expect(readAction({ 1: { ...still, jump_speed: 9 }, 2: still }, lower, 0).robots[0]!.jump_speed).toBe(5);
  });

  it.each(['target_velocity_x', 'target_velocity_y', 'target_velocity_z', 'jump_speed'])(
    '[CB-G11] %s that is no finite number is a fault',
    (name) => {
      for (const [bad, shown] of [
        [NaN, 'NaN'],
        [Infinity, 'Infinity'],
        [-Infinity, '-Infinity'],
        ['5', '"5"'],
        [null, 'null'],
        [true, 'true'],
        [[1], '[1]'],
        [undefined, 'nothing'],
      ] as const) {
        expect(refusedAction({ 1: still, 2: { ...still, [name]: bad } })).toBe(`action.2.${name}: expected a finite number, got ${shown}`);
      }
    },
  );

  it('[CB-G13] target velocities beyond 1e100 are clamped, so that the game stays finite', () => {
    const { target_velocity_x: x, target_velocity_y: y } = read({ ...still, target_velocity_x: 1e300, target_velocity_y: -1e101 })
      .robots[0]!;
    expect([x, y]).toStrictEqual([1e100, -1e100]);
    expect(read({ ...still, target_velocity_z: 1e100 }).robots[0]!.target_velocity_z).toBe(1e100);
    const game = world.create(readConfig('round2'), 1n);
    const wild = { target_velocity_x: 1e308, target_velocity_y: 1e308, target_velocity_z: -1e308, jump_speed: 15, use_nitro: true };
    for (let tick = 0; tick < 20; tick++) {
      world.step(game, [readAction({ 1: wild, 2: wild }, game, 0), readAction({ 3: wild, 4: wild }, game, 1)], []);
    }
    for (const { x, y, z, vx, vy, vz, nitro } of game.robots) expect([x, y, z, vx, vy, vz, nitro].every(Number.isFinite)).toBe(true);
  });

  it('[CB-G15] orders name each robot of the seat, and no other', () => {
    expect(refusedAction({ 1: still })).toBe('action.2: expected an object, got nothing');
    expect(refusedAction({})).toBe('action.1: expected an object, got nothing');
    expect(refusedAction({ 1: still, 2: null })).toBe('action.2: expected an object, got null');
    expect(refusedAction({ 1: still, 2: [] })).toBe('action.2: expected an object, got []');
    expect(refusedAction({ 1: still, 2: still, 3: still })).toMatch(/^action\.3: expected only the fields 1, 2, got \{/);
    expect(refusedAction({ 1: still, 2: still }, 1)).toMatch(/^action\.1: expected only the fields 3, 4, got \{/);
    expect(refusedAction({ 3: still }, 1)).toBe('action.4: expected an object, got nothing');
  });

  it('[CB-G15] orders have each field of Action, and no other', () => {
    const { use_nitro: _, ...short } = still;
    expect(refusedAction({ 1: short, 2: still })).toBe('action.1.use_nitro: expected true or false, got nothing');
    expect(refusedAction({ 1: { ...still, use_nitro: 1 }, 2: still })).toBe('action.1.use_nitro: expected true or false, got 1');
    expect(refusedAction({ 1: { ...still, use_nitro: 'false' }, 2: still })).toBe(
      'action.1.use_nitro: expected true or false, got "false"',
    );
    expect(refusedAction({ 1: { ...still, boost: 3 }, 2: still })).toMatch(
      /^action\.1\.boost: expected only the fields target_velocity_x, .*, got 3$/,
    );
  });

  it.each([null, undefined, 7, 'jump', [], [still, still], true, NaN])('[CB-G15] what is no object is a fault: %j', (raw) => {
    expect(refusedAction(raw)).toMatch(/^action: expected an object, got /);
  });

  it('[CB-3.1] reading an action looks at the seat and changes nothing in the state', () => {
    const before = structuredClone(state);
    read({ ...still, jump_speed: 3 });
    refusedAction({ 1: still });
    expect(structuredClone(state)).toStrictEqual(before);
  });
});
