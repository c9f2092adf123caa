import type { Rules } from '../src/rules.ts';
import type { RobotView } from '../src/view.ts';
import type { BallPath } from './ball-path.ts';
import { sixteenths } from './order.ts';
import type { Strike } from './strike.ts';

/** Ideas look this far ahead. */
const IDEA_TICKS = 100;
const NEVER = 10_000;
/** Steps of the additive recurrences that spread ideas: powers of the root of g^4 = g + 1 below 1, even in three dimensions at once. */
const STEP_U = 0.8191725133961645;
const STEP_V = 0.6710436067037893;
const STEP_W = 0.5497004779019703;
/** How much a variation of a strike differs at most: ground velocity, nitro's velocity, ticks of the run. */
const VARY_VELOCITY = 2;
const VARY_NITRO = 20;
const VARY_RUN = 2;

/** Finds out who can be where in time, and has ideas for strikes. */
export class Scout {
  private readonly rules: Rules;
  private readonly path: BallPath;
  private ideas = 0;
  /** The robot's height at the top of a jump. */
  private readonly jumpTop: number;
  /** Distance of the centres when a jumping robot meets the ball. */
  private readonly reach: number;

  constructor(rules: Rules, path: BallPath) {
    this.rules = rules;
    this.path = path;
    const jump = rules.ROBOT_MAX_JUMP_SPEED;
    this.jumpTop = rules.ROBOT_MAX_RADIUS + (jump * jump) / (2 * Math.max(rules.GRAVITY, 1));
    this.reach = rules.BALL_RADIUS + rules.ROBOT_MAX_RADIUS;
  }

  /** The first tick at which one of the robots can be at the ball. */
  firstAtBall(robots: readonly RobotView[]): number {
    let first = NEVER;
    for (const robot of robots) first = Math.min(first, this.ticksToBall(robot));
    return first;
  }

  ticksToBall(robot: RobotView): number {
    const { path, rules } = this;
    for (let t = 0; t <= path.last; t += 2) {
      if (path.y[t]! > this.jumpTop + 2) continue;
      const dx = path.x[t]! - robot.x;
      const dz = path.z[t]! - robot.z;
      const distance = Math.sqrt(dx * dx + dz * dz);
      const speed = distance > 0 ? (robot.velocity_x * dx + robot.velocity_z * dz) / distance : 0;
      if (distance - this.reach <= this.way(t / rules.TICKS_PER_SECOND, speed)) return t;
    }
    return path.last + 1;
  }

  /** How far a robot gets in a straight line from a given speed. */
  private way(seconds: number, speed: number): number {
    const { ROBOT_MAX_GROUND_SPEED: max, ROBOT_ACCELERATION: acceleration } = this.rules;
    const speedUp = Math.min((max - speed) / acceleration, seconds);
    return speed * speedUp + (acceleration * speedUp * speedUp) / 2 + max * (seconds - speedUp);
  }

  /** A robot in the air that does nothing but fly on. */
  coast(idea: Strike, robot: RobotView): Strike {
    idea.vx = robot.velocity_x;
    idea.vz = robot.velocity_z;
    idea.run = NEVER;
    idea.nitro = false;
    return idea;
  }

  /**
   * A new idea: meet the ball at some tick such that the hit turns its velocity towards some point of the enemy's goal line. Ideas are
   * spread evenly over moments, aims and heights (an additive recurrence: even, endless and without dice). False if it cannot be done.
   */
  propose(idea: Strike, robot: RobotView): boolean {
    const { path, rules } = this;
    const k = ++this.ideas;
    const u = spread(k, STEP_U);
    const v = spread(k, STEP_V);
    const w = spread(k, STEP_W);
    const t = 1 + Math.floor(u * u * Math.min(path.last, IDEA_TICKS));
    if (t > path.last) return false;
    // Every other idea is not picky about the direction.
    const aimX = (v * 2 - 1) * (k % 2 === 0 ? rules.arena.goal_width / 2 - 2 : 2 * rules.arena.width);
    const ballX = path.x[t]!;
    const ballY = path.y[t]!;
    const ballZ = path.z[t]!;
    let nx = aimX - ballX;
    let nz = rules.arena.depth / 2 + rules.BALL_RADIUS - ballZ;
    const far = Math.max(Math.sqrt(nx * nx + nz * nz), 1);
    const speed = rules.ROBOT_MAX_GROUND_SPEED + 5;
    nx = (nx / far) * speed - path.vx[t]!;
    nz = (nz / far) * speed - path.vz[t]!;
    const flat = Math.sqrt(nx * nx + nz * nz);
    if (flat < 1e-3) return false;
    const wish = -5 + 25 * w - path.vy[t]!;
    let ny = wish / Math.sqrt(flat * flat + wish * wish);
    let height = ballY - ny * this.reach;
    if (height < rules.ROBOT_RADIUS) height = rules.ROBOT_RADIUS;
    const top = robot.nitro_amount > 20 ? this.jumpTop + 6 : this.jumpTop - 0.1;
    if (height > top) height = top;
    ny = (ballY - height) / this.reach;
    if (ny * ny >= 0.95) return false;
    const side = (Math.sqrt(1 - ny * ny) * this.reach) / flat;
    return this.meet(idea, robot, t, ballX - nx * side, height, ballZ - nz * side);
  }

  /** A strike a little different from `best`. False if it is too fast to run. */
  vary(idea: Strike, best: Strike): boolean {
    const k = ++this.ideas;
    const u = 2 * spread(k, STEP_U) - 1;
    const v = 2 * spread(k, STEP_V) - 1;
    const w = 2 * spread(k, STEP_W) - 1;
    idea.copy(best);
    if (best.nitro && best.run > IDEA_TICKS) {
      idea.askX += sixteenths(u * VARY_NITRO);
      idea.askY += sixteenths(v * VARY_NITRO);
      idea.askZ += sixteenths(w * VARY_NITRO);
      return true;
    }
    idea.vx += sixteenths(u * VARY_VELOCITY);
    idea.vz += sixteenths(v * VARY_VELOCITY);
    idea.run = Math.max(0, idea.run + Math.floor(w * (VARY_RUN + 0.5) + 0.5));
    return idea.vx * idea.vx + idea.vz * idea.vz <= this.rules.ROBOT_MAX_GROUND_SPEED * this.rules.ROBOT_MAX_GROUND_SPEED;
  }

  /** Be at (x, y, z) at tick t: run, then jump so as to be at that height. */
  private meet(idea: Strike, robot: RobotView, t: number, x: number, y: number, z: number): boolean {
    const { rules } = this;
    const second = rules.TICKS_PER_SECOND;
    if (!robot.touch && robot.nitro_amount > 1 && this.steer(idea, robot, t, x, y, z)) return true;
    const land = robot.touch ? 0 : this.landing(robot);
    const rising = this.rise(y);
    const run = t - Math.max(1, Math.ceil(rising * second));
    const startX = robot.x + robot.velocity_x * land;
    const startZ = robot.z + robot.velocity_z * land;
    const time = t / second - land;
    const runTime = run / second - land;
    if (runTime < 0) return false;
    // A steady velocity that gets there, counting the time to reach it: a few rounds of approximation.
    const { ROBOT_ACCELERATION: acceleration, ROBOT_MAX_GROUND_SPEED: max } = rules;
    let vx = (x - startX) / time;
    let vz = (z - startZ) / time;
    let speedUp = 0;
    for (let round = 0; round < 3; round++) {
      const cx = vx - robot.velocity_x;
      const cz = vz - robot.velocity_z;
      speedUp = Math.sqrt(cx * cx + cz * cz) / acceleration;
      vx = (x - startX + (cx * speedUp) / 2) / time;
      vz = (z - startZ + (cz * speedUp) / 2) / time;
    }
    if (!(vx * vx + vz * vz <= max * max) || speedUp > runTime + 1 / second) return false;
    idea.vx = sixteenths(vx);
    idea.vz = sixteenths(vz);
    idea.run = run;
    idea.nitro = y > this.jumpTop - 0.1;
    idea.askX = idea.vx;
    idea.askY = rules.MAX_ENTITY_SPEED;
    idea.askZ = idea.vz;
    return true;
  }

  /** In the air with nitro: the thrust that leads there, if the engine is strong enough. */
  private steer(idea: Strike, robot: RobotView, t: number, x: number, y: number, z: number): boolean {
    const { rules } = this;
    const time = t / rules.TICKS_PER_SECOND;
    const ax = (2 * (x - robot.x - robot.velocity_x * time)) / (time * time);
    const ay = (2 * (y - robot.y - robot.velocity_y * time)) / (time * time) + rules.GRAVITY;
    const az = (2 * (z - robot.z - robot.velocity_z * time)) / (time * time);
    const thrust = Math.sqrt(ax * ax + ay * ay + az * az);
    const engine = rules.ROBOT_NITRO_ACCELERATION;
    if (thrust > engine * 1.1 || thrust < engine / 3) return false;
    const scale = rules.MAX_ENTITY_SPEED / thrust;
    idea.vx = 0;
    idea.vz = 0;
    idea.run = NEVER;
    idea.nitro = true;
    idea.askX = sixteenths(robot.velocity_x + ax * scale);
    idea.askY = sixteenths(robot.velocity_y + ay * scale);
    idea.askZ = sixteenths(robot.velocity_z + az * scale);
    return true;
  }

  /** Seconds until a robot in the air is on the floor. */
  private landing(robot: RobotView): number {
    const { GRAVITY: gravity, ROBOT_RADIUS: floor } = this.rules;
    const height = Math.max(robot.y - floor, 0);
    const vy = robot.velocity_y;
    return gravity > 0 ? (vy + Math.sqrt(vy * vy + 2 * gravity * height)) / gravity : NEVER;
  }

  /** Seconds from the jump to height y, on the way up. Above the top of a jump nitro carries the robot: it cancels gravity. */
  private rise(y: number): number {
    const { ROBOT_MAX_JUMP_SPEED: jump, GRAVITY: gravity, ROBOT_MAX_RADIUS: start } = this.rules;
    const up = Math.max(0, y - start);
    if (gravity === 0 || y > this.jumpTop - 0.1) return up / jump;
    return (jump - Math.sqrt(Math.max(0, jump * jump - 2 * gravity * up))) / gravity;
  }
}

function spread(k: number, step: number): number {
  const x = k * step;
  return x - Math.floor(x);
}
