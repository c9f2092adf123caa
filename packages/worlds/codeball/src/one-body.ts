import { Action } from './action.ts';
import { runBallAlone, runRobotAlone } from './alone.ts';
import { Body, loadBall, loadRobot } from './body.ts';
import { physicsOf } from './physics.ts';
import type { Config } from './rules.ts';
import { State } from './state.ts';

/** A ball or a robot alone in the arena, with nobody to meet and no goal to score. */
export interface OneBody {
  e: 'ball' | 'robot';
  p: number[];
  v: number[];
  nitro?: number;
  a?: { tv: number[]; jump: number; nitro: boolean };
}

/** One tick of one body alone. */
export function runOneBody(
  config: Config,
  start: OneBody,
): { p: number[]; v: number[]; nitro: number; radius: number; touch: number[] | null } {
  const state = new State(config, 0n);
  const p = physicsOf(config);
  const body = new Body();
  if (start.e === 'ball') {
    state.ball.radius = config.rules.BALL_RADIUS;
    loadBall(body, state, p.ballBounce);
  } else {
    const action = new Action(config.rules.team_size);
    const orders = action.robots[0]!;
    const { tv, jump, nitro } = start.a!;
    orders.target_velocity_x = tv[0]!;
    orders.target_velocity_y = tv[1]!;
    orders.target_velocity_z = tv[2]!;
    orders.jump_speed = jump;
    orders.use_nitro = nitro;
    loadRobot(body, state, 0, action, p.robotBounce);
    body.nitro = start.nitro!;
  }
  body.x = start.p[0]!;
  body.y = start.p[1]!;
  body.z = start.p[2]!;
  body.vx = start.v[0]!;
  body.vy = start.v[1]!;
  body.vz = start.v[2]!;
  if (start.e === 'robot') runRobotAlone(body, p, p.microticks);
  else for (let left = p.microticks; left > 0;) left -= runBallAlone(body, p, left); // goes on behind a goal line
  return {
    p: [body.x, body.y, body.z],
    v: [body.vx, body.vy, body.vz],
    nitro: body.nitro,
    radius: body.radius,
    touch: body.touch ? [body.nx, body.ny, body.nz] : null,
  };
}
