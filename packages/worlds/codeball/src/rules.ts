/** [CB-1.3] The arena's measures, spelled as in the document. */
export interface Arena {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly bottom_radius: number;
  readonly top_radius: number;
  readonly corner_radius: number;
  readonly goal_top_radius: number;
  readonly goal_width: number;
  readonly goal_height: number;
  readonly goal_depth: number;
  readonly goal_side_radius: number;
}

/** [CB-3.9] Rules: what a strategy is told once. Constants keep the document's spelling. */
export interface Rules {
  readonly max_tick_count: number;
  readonly arena: Arena;
  readonly team_size: number;
  readonly ROBOT_MIN_RADIUS: number;
  readonly ROBOT_MAX_RADIUS: number;
  readonly ROBOT_MAX_JUMP_SPEED: number;
  readonly ROBOT_ACCELERATION: number;
  readonly ROBOT_NITRO_ACCELERATION: number;
  readonly ROBOT_MAX_GROUND_SPEED: number;
  readonly ROBOT_ARENA_E: number;
  readonly ROBOT_RADIUS: number;
  readonly ROBOT_MASS: number;
  readonly TICKS_PER_SECOND: number;
  readonly MICROTICKS_PER_TICK: number;
  readonly RESET_TICKS: number;
  readonly BALL_ARENA_E: number;
  readonly BALL_RADIUS: number;
  readonly BALL_MASS: number;
  readonly MIN_HIT_E: number;
  readonly MAX_HIT_E: number;
  readonly MAX_ENTITY_SPEED: number;
  readonly MAX_NITRO_AMOUNT: number;
  readonly START_NITRO_AMOUNT: number;
  readonly NITRO_POINT_VELOCITY_CHANGE: number;
  readonly NITRO_PACK_X: number;
  readonly NITRO_PACK_Y: number;
  readonly NITRO_PACK_Z: number;
  readonly NITRO_PACK_RADIUS: number;
  readonly NITRO_PACK_AMOUNT: number;
  readonly NITRO_PACK_RESPAWN_TICKS: number;
  readonly GRAVITY: number;
}

/**
 * Where random numbers come from: `official` = the contest runner's own stream (contest seeds give contest games);
 * `counter` = hash(seed, microtick, draw), evaluated only where it is needed; `none` = `--disable-random`.
 */
export const DRAWS = ['official', 'counter', 'none'] as const;
export type Draws = (typeof DRAWS)[number];

export interface Config {
  readonly rules: Rules;
  readonly nitro: boolean;
  readonly draws: Draws;
}

/** [CB-1.3], [CB-2.2] The rule book's own values. */
export const STANDARD_RULES: Rules = {
  max_tick_count: 20000,
  arena: {
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
  },
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
  RESET_TICKS: 120,
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
  NITRO_PACK_RESPAWN_TICKS: 600,
  GRAVITY: 30,
};

/** Ground control and nitro act only on a change longer than this (found in recordings of the contest's runner, in no document). */
export const LEAST_VELOCITY_CHANGE = 1e-5;

/** Kick-off: robots stand on an arc of this radius around the centre, spread over PI / 3. */
export const KICKOFF_DISTANCE = 20;
export const KICKOFF_ANGLE_NOISE = 0.3;
