import { boolAt, choiceAt, InputError, intAt, type Json, numberAt, objectAt } from '@lockstep/kernel';
import { Action } from './action.ts';
import { type Arena, type Config, DRAWS, type Rules, STANDARD_RULES } from './rules.ts';
import type { State } from './state.ts';

/** [CB-1.1] The contest's stages: two robots without nitro, two with, three with. */
export const presets = {
  round1: { nitro: false, rules: { team_size: 2 } },
  round2: { nitro: true, rules: { team_size: 2 } },
  finals: { nitro: true, rules: { team_size: 3 } },
} satisfies Record<string, Json>;

export const MAX_TEAM_SIZE = 32;

/** A target velocity beyond this is as good as this: far beyond every limit of speed, and its square is still finite. */
const MAX_TARGET_VELOCITY = 1e100;

type Range = readonly [min: number, max: number];

const WHOLE = {
  max_tick_count: [1, 10_000_000],
  team_size: [1, MAX_TEAM_SIZE],
  TICKS_PER_SECOND: [1, 1000],
  MICROTICKS_PER_TICK: [1, 10_000],
  RESET_TICKS: [1, 100_000],
  NITRO_PACK_RESPAWN_TICKS: [1, 1_000_000],
} as const satisfies Partial<Record<keyof Rules, Range>>;

type Measure = Exclude<keyof Rules, 'arena' | keyof typeof WHOLE>;

const MEASURES: Record<Measure, Range> = {
  ROBOT_MIN_RADIUS: [0.01, 100],
  ROBOT_MAX_RADIUS: [0.01, 100],
  ROBOT_MAX_JUMP_SPEED: [0.01, 1000],
  ROBOT_ACCELERATION: [0, 10_000],
  ROBOT_NITRO_ACCELERATION: [0, 10_000],
  ROBOT_MAX_GROUND_SPEED: [0, 1000],
  ROBOT_ARENA_E: [0, 1],
  ROBOT_RADIUS: [0.01, 100],
  ROBOT_MASS: [0.001, 1000],
  BALL_ARENA_E: [0, 1],
  BALL_RADIUS: [0.01, 100],
  BALL_MASS: [0.001, 1000],
  MIN_HIT_E: [0, 1],
  MAX_HIT_E: [0, 1],
  MAX_ENTITY_SPEED: [0.01, 1000],
  MAX_NITRO_AMOUNT: [0, 1_000_000],
  START_NITRO_AMOUNT: [0, 1_000_000],
  NITRO_POINT_VELOCITY_CHANGE: [0.001, 1000],
  NITRO_PACK_X: [-1000, 1000],
  NITRO_PACK_Y: [-1000, 1000],
  NITRO_PACK_Z: [-1000, 1000],
  NITRO_PACK_RADIUS: [0, 100],
  NITRO_PACK_AMOUNT: [0, 1_000_000],
  GRAVITY: [0, 1000],
};

const RANGES: Record<Exclude<keyof Rules, 'arena'>, Range> = { ...WHOLE, ...MEASURES };
const RULE_NAMES = Object.keys(STANDARD_RULES) as (keyof Rules)[];
const ARENA_NAMES = Object.keys(STANDARD_RULES.arena) as (keyof Arena)[];

/** A preset's name, or { preset, ticks, nitro, draws, rules }: every constant of Rules may be set, what is left out is the preset's. */
export function readConfig(raw: unknown): Config {
  if (typeof raw === 'string') return readConfig({ preset: raw });
  const given = objectAt(raw, 'config', ['preset', 'ticks', 'nitro', 'draws', 'rules']);
  const base = presets[choiceAt(orElse(given['preset'], 'round1'), 'config.preset', Object.keys(presets) as (keyof typeof presets)[])];
  const rules = objectAt(orElse(given['rules'], {}), 'config.rules', RULE_NAMES);
  const length = given['ticks'] === undefined ? {} : { max_tick_count: intAt(given['ticks'], 'config.ticks', ...WHOLE.max_tick_count) };
  return {
    rules: readRules({ ...base.rules, ...rules, ...length }),
    nitro: boolAt(orElse(given['nitro'], base.nitro), 'config.nitro'),
    draws: choiceAt(orElse(given['draws'], 'official'), 'config.draws', DRAWS),
  };
}

/** What was left out; null was not. */
const orElse = (value: unknown, fallback: unknown): unknown => (value === undefined ? fallback : value);

export function writeConfig(config: Config): Json {
  return { nitro: config.nitro, draws: config.draws, rules: { ...config.rules, arena: { ...config.rules.arena } } };
}

function readRules(given: Record<string, unknown>): Rules {
  const valueOf = (name: keyof Rules): unknown => orElse(given[name], STANDARD_RULES[name]);
  const rules: { -readonly [K in keyof Rules]: Rules[K] } = { ...STANDARD_RULES, arena: readArena(valueOf('arena')) };
  for (const name of RULE_NAMES) {
    if (name === 'arena') continue;
    const path = `config.rules.${name}`;
    const [min, max] = RANGES[name];
    rules[name] = name in WHOLE ? intAt(valueOf(name), path, min, max) : numberAt(valueOf(name), path, min, max);
  }
  const atMost = (less: Measure, more: Measure): void => {
    if (rules[less] > rules[more]) throw new InputError(`config.rules.${less}`, `at most ${more} = ${rules[more]}`, rules[less]);
  };
  atMost('ROBOT_MIN_RADIUS', 'ROBOT_MAX_RADIUS');
  atMost('MIN_HIT_E', 'MAX_HIT_E');
  atMost('START_NITRO_AMOUNT', 'MAX_NITRO_AMOUNT');
  return rules;
}

function readArena(raw: unknown): Arena {
  const given = objectAt(raw, 'config.rules.arena', ARENA_NAMES);
  const arena = { ...STANDARD_RULES.arena };
  for (const name of ARENA_NAMES) arena[name] = numberAt(orElse(given[name], arena[name]), `config.rules.arena.${name}`, 0.01, 1000);
  const need = (holds: boolean, name: keyof Arena, expected: string) => {
    if (!holds) throw new InputError(`config.rules.arena.${name}`, expected, arena[name]);
  };
  need(
    arena.goal_top_radius === arena.bottom_radius,
    'goal_top_radius',
    `bottom_radius = ${arena.bottom_radius} (the document asserts it)`,
  );
  need(
    arena.corner_radius >= arena.bottom_radius && arena.corner_radius >= arena.top_radius,
    'corner_radius',
    'at least bottom_radius and top_radius',
  );
  need(
    arena.corner_radius <= arena.width / 2 && arena.corner_radius <= arena.depth / 2,
    'corner_radius',
    'at most half of width and depth',
  );
  need(
    arena.goal_width / 2 + arena.goal_side_radius <= arena.width / 2 - arena.corner_radius,
    'goal_width',
    'goal and its side radius between the corners',
  );
  need(
    arena.goal_height + arena.goal_side_radius <= arena.height - arena.top_radius,
    'goal_height',
    'goal and its side radius below the top radius',
  );
  need(
    2 * arena.bottom_radius <= arena.goal_height && 2 * arena.bottom_radius <= arena.goal_width,
    'bottom_radius',
    'at most half the goal',
  );
  need(arena.goal_side_radius + arena.bottom_radius <= arena.goal_depth, 'goal_depth', 'room for goal_side_radius and bottom_radius');
  return arena;
}

const ORDERS = ['target_velocity_x', 'target_velocity_y', 'target_velocity_z', 'jump_speed', 'use_nitro'] as const;

/** [CB-3.2] One entry a robot of the seat, by robot id, in the seat's own coordinates: player 2's z is mirrored back here. */
export function readAction(raw: unknown, state: State, seat: number): Action {
  const { rules } = state.config;
  const first = seat * rules.team_size + 1;
  const ids = Array.from({ length: rules.team_size }, (_, i) => String(first + i));
  const given = objectAt(raw, 'action', ids);
  const action = new Action(rules.team_size);
  for (let i = 0; i < rules.team_size; i++) {
    const path = `action.${ids[i]}`;
    const orders = objectAt(given[ids[i]!], path, ORDERS);
    const robot = action.robots[i]!;
    robot.target_velocity_x = velocityAt(orders['target_velocity_x'], `${path}.target_velocity_x`);
    robot.target_velocity_y = velocityAt(orders['target_velocity_y'], `${path}.target_velocity_y`);
    const z = velocityAt(orders['target_velocity_z'], `${path}.target_velocity_z`);
    robot.target_velocity_z = seat === 0 ? z : 0 - z;
    // SPEC-GAP CB-G11: a jump speed outside 0..ROBOT_MAX_JUMP_SPEED is clamped; a number that is not finite is a fault.
    robot.jump_speed = Math.min(Math.max(numberAt(orders['jump_speed'], `${path}.jump_speed`), 0), rules.ROBOT_MAX_JUMP_SPEED);
    robot.use_nitro = boolAt(orders['use_nitro'], `${path}.use_nitro`);
  }
  return action;
}

function velocityAt(raw: unknown, path: string): number {
  return Math.min(Math.max(numberAt(raw, path), -MAX_TARGET_VELOCITY), MAX_TARGET_VELOCITY);
}

/** Refuses an action that cannot have come through the door, e.g. one from a made-up replay. */
export function checkAction(action: Action, { rules }: Config): void {
  for (let i = 0; i < action.robots.length; i++) {
    const robot = action.robots[i]!;
    if (!(robot.jump_speed >= 0 && robot.jump_speed <= rules.ROBOT_MAX_JUMP_SPEED))
      throw new InputError(`action.robots[${i}].jump_speed`, `a number 0..${rules.ROBOT_MAX_JUMP_SPEED}`, robot.jump_speed);
    checkVelocity(robot.target_velocity_x, i, 'x');
    checkVelocity(robot.target_velocity_y, i, 'y');
    checkVelocity(robot.target_velocity_z, i, 'z');
  }
}

function checkVelocity(value: number, i: number, axis: string): void {
  if (!(Math.abs(value) <= MAX_TARGET_VELOCITY))
    throw new InputError(`action.robots[${i}].target_velocity_${axis}`, `a number up to ${MAX_TARGET_VELOCITY}`, value);
}
