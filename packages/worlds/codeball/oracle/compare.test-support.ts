import { nextInt, type Rng, shown, uniform } from '@lockstep/kernel';
import type { Action } from '../src/action.ts';
import type { State } from '../src/state.ts';
import type { NaiveGame } from './naive.ts';

/** The first number in which the product and the oracle differ, by Object.is, so that -0 is not 0; null if there is none. */
export function firstMismatch(oracle: NaiveGame, state: State): string | null {
  const differs = (path: string, naive: number | boolean | undefined, ours: number | boolean | undefined) =>
    Object.is(naive, ours) ? null : `${path}: naive ${shown(naive)}, product ${shown(ours)}`;
  const vec = (path: string, naive: { x: number; y: number; z: number }, x: number, y: number, z: number) =>
    differs(`${path}.x`, naive.x, x) ?? differs(`${path}.y`, naive.y, y) ?? differs(`${path}.z`, naive.z, z);
  const { ball } = state;
  let found =
    differs('tick', oracle.tick, state.tick) ??
    differs('scores[0]', oracle.scores[0], state.scoreA) ??
    differs('scores[1]', oracle.scores[1], state.scoreB) ??
    differs('reset ticks', oracle.resetTicks, state.resetTicks) ??
    vec('ball', oracle.ball.position, ball.x, ball.y, ball.z) ??
    vec('ball.velocity', oracle.ball.velocity, ball.vx, ball.vy, ball.vz) ??
    differs('ball.radius', oracle.ball.radius, ball.radius);
  for (let i = 0; i < oracle.robots.length && found === null; i++) {
    const naive = oracle.robots[i]!;
    const robot = state.robots[naive.id - 1]!;
    const path = `robot ${naive.id}`;
    found =
      differs(`order[${i}]`, naive.id, state.order[i]! + 1) ??
      vec(path, naive.position, robot.x, robot.y, robot.z) ??
      vec(`${path}.velocity`, naive.velocity, robot.vx, robot.vy, robot.vz) ??
      differs(`${path}.radius`, naive.radius, robot.radius) ??
      differs(`${path}.nitro`, naive.nitro, robot.nitro) ??
      differs(`${path}.touch`, naive.touch, robot.touch) ??
      vec(`${path}.touch_normal`, naive.touchNormal, robot.nx, robot.ny, robot.nz);
  }
  for (let i = 0; i < oracle.packs.length && found === null; i++) {
    const { alive, respawnTicks } = oracle.packs[i]!;
    found = differs(`packs[${i}]`, alive ? 0 : respawnTicks, state.packs[i]?.respawnTicks);
  }
  return found;
}

/** Puts the oracle's bodies and packs where the state has them; the dice of both must have come equally far. */
export function copyBodies(state: State, oracle: NaiveGame): void {
  const { ball } = state;
  oracle.resetTicks = state.resetTicks;
  oracle.ball.position = { x: ball.x, y: ball.y, z: ball.z };
  oracle.ball.velocity = { x: ball.vx, y: ball.vy, z: ball.vz };
  for (const naive of oracle.robots) {
    const robot = state.robots[naive.id - 1]!;
    naive.position = { x: robot.x, y: robot.y, z: robot.z };
    naive.velocity = { x: robot.vx, y: robot.vy, z: robot.vz };
    naive.radius = robot.radius;
    naive.nitro = robot.nitro;
    naive.touch = robot.touch;
    naive.touchNormal = { x: robot.nx, y: robot.ny, z: robot.nz };
  }
  oracle.packs.forEach((pack, i) => {
    pack.respawnTicks = state.packs[i]!.respawnTicks;
    pack.alive = pack.respawnTicks === 0;
  });
}

export const chance = (rng: Rng, probability: number): boolean => uniform(rng, 0, 1) < probability;
const zero = (rng: Rng): number => (chance(rng, 0.5) ? 0 : -0);

/** How often a robot thinks again, per tick. */
export const RESTLESSNESS = [0.05, 0.2, 0.02, 0.5, 0.1] as const;

/**
 * New orders for some robots: after the ball, after a pack, rest (with zeros of both signs), straight along one axis, or anywhere at all,
 * with and without jump and nitro. They drive robots into walls, corners, goals, packs and each other.
 */
export function rethink(rng: Rng, state: State, actions: readonly Action[], restlessness: number): void {
  const { ball, packs } = state;
  actions.forEach((action, seat) => {
    action.robots.forEach((orders, i) => {
      if (!chance(rng, restlessness)) return;
      const me = state.robots[seat * action.robots.length + i]!;
      const style = uniform(rng, 0, 1);
      let [x, y, z] = [uniform(rng, -150, 150), uniform(rng, -50, 50), uniform(rng, -150, 150)];
      if (style < 0.35) {
        x = (ball.x - me.x) * 10;
        y = chance(rng, 0.5) ? (ball.y - me.y) * 10 : 0;
        z = (ball.z - me.z) * 10 + (seat === 0 ? 1 : -1) * uniform(rng, 0, 20);
      } else if (style < 0.5) [x, y, z] = [zero(rng), 0, zero(rng)];
      else if (style < 0.56) [x, y, z] = [zero(rng), zero(rng), uniform(rng, -30, 30)];
      else if (style < 0.6) [x, y, z] = [uniform(rng, -30, 30), zero(rng), zero(rng)];
      else if (style < 0.75 && packs.length > 0) {
        const pack = packs[nextInt(rng, packs.length)]!;
        [x, y, z] = [(pack.x - me.x) * 20, 0, (pack.z - me.z) * 20];
      }
      orders.target_velocity_x = x;
      orders.target_velocity_y = y;
      orders.target_velocity_z = z;
      const { ROBOT_MAX_JUMP_SPEED } = state.config.rules;
      orders.jump_speed = chance(rng, 0.6) ? 0 : chance(rng, 0.5) ? ROBOT_MAX_JUMP_SPEED : uniform(rng, 0, ROBOT_MAX_JUMP_SPEED);
      orders.use_nitro = chance(rng, 0.4);
    });
  });
}

/** Where `scatter` puts bodies. */
export const PLACES = ['field', 'walls', 'pile', 'outside', 'goal', 'floor', 'packs'] as const;

/** Puts everybody somewhere by hand, also where no game could: in walls, in each other, outside of the arena, with any velocity and normal. */
export function scatter(rng: Rng, state: State, place: (typeof PLACES)[number]): void {
  const { rules } = state.config;
  const { width, height, depth, goal_depth, goal_width, goal_height } = rules.arena;
  const centre = { x: uniform(rng, -width / 2, width / 2), y: uniform(rng, 0, height), z: uniform(rng, -depth / 2, depth / 2) };
  const either = (a: number) => (chance(rng, 0.5) ? a : -a);
  const spot = (): { x: number; y: number; z: number } => {
    switch (place) {
      case 'field':
        return { x: uniform(rng, -width / 2, width / 2), y: uniform(rng, 0, height), z: uniform(rng, -depth / 2, depth / 2) };
      case 'walls': {
        const side = nextInt(rng, 3);
        return {
          x: side === 0 ? either(width / 2 + uniform(rng, -3, 3)) : uniform(rng, -width / 2, width / 2),
          y: side === 1 ? (chance(rng, 0.5) ? uniform(rng, -3, 3) : height + uniform(rng, -3, 3)) : uniform(rng, 0, height),
          z: side === 2 ? either(depth / 2 + uniform(rng, -3, goal_depth + 2)) : uniform(rng, -depth / 2, depth / 2),
        };
      }
      case 'pile':
        if (chance(rng, 0.2)) return { ...centre };
        return { x: centre.x + uniform(rng, -2, 2), y: centre.y + uniform(rng, -2, 2), z: centre.z + uniform(rng, -2, 2) };
      case 'outside':
        return { x: uniform(rng, -3 * width, 3 * width), y: uniform(rng, -2 * height, 3 * height), z: uniform(rng, -2 * depth, 2 * depth) };
      case 'goal':
        return {
          x: uniform(rng, -goal_width / 2 - 3, goal_width / 2 + 3),
          y: uniform(rng, 0, goal_height + 3),
          z: either(depth / 2 + uniform(rng, -4, goal_depth)),
        };
      case 'floor':
        return { x: uniform(rng, -width / 2, width / 2), y: rules.ROBOT_MIN_RADIUS, z: uniform(rng, -depth / 2, depth / 2) };
      case 'packs': {
        const { NITRO_PACK_X: x, NITRO_PACK_Y: y, NITRO_PACK_Z: z, NITRO_PACK_RADIUS: r } = rules;
        const off = r + rules.ROBOT_MAX_RADIUS + 1;
        return { x: either(x) + uniform(rng, -off, off), y: y + uniform(rng, -0.5, 2), z: either(z) + uniform(rng, -off, off) };
      }
    }
  };
  const speed = chance(rng, 0.3) ? 0 : chance(rng, 0.5) ? 20 : 1.2 * rules.MAX_ENTITY_SPEED;
  const velocity = () => (chance(rng, 0.1) ? zero(rng) : uniform(rng, -speed, speed));
  for (const body of [state.ball, ...state.robots]) {
    Object.assign(body, spot(), { vx: velocity(), vy: velocity(), vz: velocity() });
  }
  for (const robot of state.robots) {
    robot.touch = chance(rng, 0.5);
    const [nx, ny, nz] = [uniform(rng, -1, 1), uniform(rng, -1, 1), uniform(rng, -1, 1)];
    const len = Math.sqrt(nx * nx + ny * ny + nz * nz);
    const flat = chance(rng, 0.6);
    robot.nx = flat ? zero(rng) : nx / len;
    robot.ny = flat ? 1 : ny / len;
    robot.nz = flat ? zero(rng) : nz / len;
    if (place === 'floor' && chance(rng, 0.7)) robot.vy = 0;
    if (state.packs.length > 0) robot.nitro = chance(rng, 0.2) ? rules.MAX_NITRO_AMOUNT : uniform(rng, 0, rules.MAX_NITRO_AMOUNT);
  }
  for (const pack of state.packs) pack.respawnTicks = chance(rng, 0.6) ? 0 : 1 + nextInt(rng, 5);
  state.resetTicks = chance(rng, 0.75) ? 0 : 1 + nextInt(rng, 10);
}

/** A value between lo and hi, small ones as likely as large ones, the ends more likely still. */
function anywhere(rng: Rng, lo: number, hi: number): number {
  const where = uniform(rng, 0, 1);
  if (where < 0.1) return lo;
  if (where < 0.2) return hi;
  let value = uniform(rng, lo, hi);
  for (let halvings = nextInt(rng, 12); halvings > 0; halvings--) value = lo + (value - lo) / 2;
  return value;
}

/** Raw rules with some constants anywhere in a wide range, and often another arena. The door may still refuse them. */
export function randomRules(rng: Rng): Record<string, unknown> {
  const rules: Record<string, unknown> = { team_size: 1 + nextInt(rng, 4) };
  const sometimes = (name: string, make: () => number) => {
    if (chance(rng, 0.3)) rules[name] = make();
  };
  sometimes('MICROTICKS_PER_TICK', () => [1, 2, 3, 7, 10, 11, 50, 150][nextInt(rng, 8)]!);
  sometimes('TICKS_PER_SECOND', () => [1, 10, 20, 240, 1000][nextInt(rng, 5)]!);
  sometimes('RESET_TICKS', () => 1 + nextInt(rng, 10));
  sometimes('NITRO_PACK_RESPAWN_TICKS', () => 1 + nextInt(rng, 5));
  sometimes('BALL_RADIUS', () => anywhere(rng, 0.01, 12));
  sometimes('ROBOT_MIN_RADIUS', () => anywhere(rng, 0.01, 1));
  sometimes('ROBOT_MAX_RADIUS', () => anywhere(rng, 1, 8));
  sometimes('GRAVITY', () => (chance(rng, 0.4) ? 0 : anywhere(rng, 1e-12, 1000)));
  sometimes('BALL_ARENA_E', () => (chance(rng, 0.5) ? 1 : uniform(rng, 0, 1)));
  sometimes('ROBOT_ARENA_E', () => (chance(rng, 0.3) ? 1 : uniform(rng, 0, 1)));
  sometimes('MIN_HIT_E', () => uniform(rng, 0, 0.5));
  sometimes('MAX_HIT_E', () => uniform(rng, 0.5, 1));
  sometimes('MAX_ENTITY_SPEED', () => anywhere(rng, 0.01, 1000));
  sometimes('ROBOT_MAX_JUMP_SPEED', () => anywhere(rng, 0.01, 1000));
  sometimes('ROBOT_ACCELERATION', () => (chance(rng, 0.2) ? 0 : anywhere(rng, 0.001, 10_000)));
  sometimes('ROBOT_NITRO_ACCELERATION', () => (chance(rng, 0.2) ? 0 : anywhere(rng, 0.001, 10_000)));
  sometimes('ROBOT_MAX_GROUND_SPEED', () => (chance(rng, 0.2) ? 0 : anywhere(rng, 0.001, 1000)));
  sometimes('ROBOT_MASS', () => anywhere(rng, 0.001, 1000));
  sometimes('BALL_MASS', () => anywhere(rng, 0.001, 1000));
  sometimes('MAX_NITRO_AMOUNT', () => anywhere(rng, 50, 1e6));
  sometimes('NITRO_POINT_VELOCITY_CHANGE', () => anywhere(rng, 0.001, 1000));
  sometimes('NITRO_PACK_RADIUS', () => anywhere(rng, 0.01, 20));
  sometimes('NITRO_PACK_X', () => uniform(rng, -30, 30));
  sometimes('NITRO_PACK_Y', () => uniform(rng, -5, 20));
  sometimes('NITRO_PACK_Z', () => uniform(rng, -40, 40));
  if (chance(rng, 0.5)) rules['arena'] = randomArena(rng);
  return rules;
}

function randomArena(rng: Rng): Record<string, number> {
  const bottom_radius = anywhere(rng, 0.01, 5);
  const top_radius = anywhere(rng, 0.01, 8);
  const goal_side_radius = anywhere(rng, 0.01, 3);
  const corner_radius = Math.max(bottom_radius, top_radius) + (chance(rng, 0.5) ? 0 : anywhere(rng, 0.01, 10));
  const goal_width = 2 * bottom_radius + anywhere(rng, 0.01, 30);
  const goal_height = 2 * bottom_radius + anywhere(rng, 0.01, 10);
  return {
    width: goal_width + 2 * (goal_side_radius + corner_radius) + anywhere(rng, 0.01, 30),
    height: goal_height + goal_side_radius + top_radius + anywhere(rng, 0.01, 15),
    depth: 2 * corner_radius + anywhere(rng, 0.01, 60),
    bottom_radius,
    top_radius,
    corner_radius,
    goal_top_radius: bottom_radius,
    goal_width,
    goal_height,
    goal_depth: goal_side_radius + bottom_radius + anywhere(rng, 0.01, 10),
    goal_side_radius,
  };
}
