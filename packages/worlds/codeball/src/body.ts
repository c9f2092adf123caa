import type { Action } from './action.ts';
import type { Config } from './rules.ts';
import type { State } from './state.ts';

/**
 * The working copy of the ball or a robot within one tick: one shape for both, so that every loop over bodies stays monomorphic in V8.
 * A tick loads bodies from the state, works on them, and stores them back; until then the state is the copy to start over from.
 */
export class Body {
  /** 0 = the ball, else the robot's id. */
  id = 0;
  x = 0.5;
  y = 0.5;
  z = 0.5;
  vx = 0.5;
  vy = 0.5;
  vz = 0.5;
  radius = 0.5;
  /** radius_change_speed: the jump speed. */
  push = 0.5;
  /** 1 + e with the arena. */
  bounce = 0.5;
  nitro = 0.5;
  touch = false;
  nx = 0.5;
  ny = 0.5;
  nz = 0.5;
  /** The asked target velocity, and the same clamped to ROBOT_MAX_GROUND_SPEED. */
  askX = 0.5;
  askY = 0.5;
  askZ = 0.5;
  groundX = 0.5;
  groundY = 0.5;
  groundZ = 0.5;
  useNitro = false;
  /** Its squared speed in the last move, before the clamp. */
  square = 0.5;
  /** The largest of those in this block. */
  fastest = 0.5;
  /** How far it is from where the loop it runs in no longer holds. */
  slack = 0.5;
  /** An upper bound of the way that it has gone since `path` was last set to 0. */
  path = 0.5;
}

export function loadBall(body: Body, state: State, bounce: number): void {
  const { ball } = state;
  body.id = 0;
  body.x = ball.x;
  body.y = ball.y;
  body.z = ball.z;
  body.vx = ball.vx;
  body.vy = ball.vy;
  body.vz = ball.vz;
  body.radius = ball.radius;
  body.push = 0;
  body.bounce = bounce;
  body.path = 0;
}

/** [CB-2.1] Orders hold for the whole tick, so the clamp, the radius and its change speed are worked out once. */
export function loadRobot(body: Body, state: State, index: number, action: Action, bounce: number): void {
  const robot = state.robots[index]!;
  const { rules } = state.config;
  const orders = action.robots[index % rules.team_size]!;
  body.id = robot.id;
  body.x = robot.x;
  body.y = robot.y;
  body.z = robot.z;
  body.vx = robot.vx;
  body.vy = robot.vy;
  body.vz = robot.vz;
  body.nitro = robot.nitro;
  body.touch = robot.touch;
  body.nx = robot.nx;
  body.ny = robot.ny;
  body.nz = robot.nz;
  body.bounce = bounce;
  body.path = 0;
  body.push = orders.jump_speed;
  body.radius = jumpRadius(state.config, orders.jump_speed);
  const x = (body.askX = orders.target_velocity_x);
  const y = (body.askY = orders.target_velocity_y);
  const z = (body.askZ = orders.target_velocity_z);
  body.useNitro = orders.use_nitro;
  const max = rules.ROBOT_MAX_GROUND_SPEED;
  const speed = Math.sqrt(x * x + y * y + z * z);
  const tooFast = speed > max;
  body.groundX = tooFast ? (x * max) / speed : x;
  body.groundY = tooFast ? (y * max) / speed : y;
  body.groundZ = tooFast ? (z * max) / speed : z;
}

/** [CB-1.4] formula 1.3 */
function jumpRadius({ rules }: Config, jumpSpeed: number): number {
  return rules.ROBOT_MIN_RADIUS + ((rules.ROBOT_MAX_RADIUS - rules.ROBOT_MIN_RADIUS) * jumpSpeed) / rules.ROBOT_MAX_JUMP_SPEED;
}

export function storeBall(body: Body, state: State): void {
  const { ball } = state;
  ball.x = body.x;
  ball.y = body.y;
  ball.z = body.z;
  ball.vx = body.vx;
  ball.vy = body.vy;
  ball.vz = body.vz;
}

export function storeRobot(body: Body, state: State, index: number): void {
  const robot = state.robots[index]!;
  robot.x = body.x;
  robot.y = body.y;
  robot.z = body.z;
  robot.vx = body.vx;
  robot.vy = body.vy;
  robot.vz = body.vz;
  robot.radius = body.radius;
  robot.nitro = body.nitro;
  robot.touch = body.touch;
  robot.nx = body.nx;
  robot.ny = body.ny;
  robot.nz = body.nz;
}
