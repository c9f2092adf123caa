import type { Body } from '../src/body.ts';
import { collideWithArena, move } from '../src/motion.ts';
import type { Rules } from '../src/rules.ts';
import type { RobotView } from '../src/view.ts';
import type { BallPath, Simulator } from './ball-path.ts';

/** How a robot is going to meet the ball: run at a steady velocity, jump after so many ticks, perhaps with nitro in the air. */
export class Strike {
  /** Ground velocity to ask for. */
  vx = 0.5;
  vz = 0.5;
  /** Ticks to run before the jump. */
  run = 0;
  /** In the air, fire nitro towards this velocity. */
  nitro = false;
  askX = 0.5;
  askY = 0.5;
  askZ = 0.5;
  /** Ticks until it meets the ball; -1 = it does not. */
  contact = -1;
  /** Where the ball is met. */
  atX = 0.5;
  atZ = 0.5;
  value = 0.5;

  copy(other: Strike): void {
    this.vx = other.vx;
    this.vz = other.vz;
    this.run = other.run;
    this.nitro = other.nitro;
    this.askX = other.askX;
    this.askY = other.askY;
    this.askZ = other.askZ;
    this.contact = other.contact;
    this.atX = other.atX;
    this.atZ = other.atZ;
    this.value = other.value;
  }
}

/** Ticks that a struck ball is followed. */
const FLIGHT_TICKS = 75;
/** A goal is worth this much, less the time that it takes; everything short of a goal stays far below. */
export const GOAL = 1000;
/** What an enemy needs before it starts for the ball, and the speed that it then averages. */
const ENEMY_WAITS = 0.1;
const ENEMY_SPEED = 26;
/** A ball above this is out of a running enemy's reach. */
const ENEMY_REACH_Y = 5.5;

/** Rehearses strikes against the predicted path of the ball and puts a value on what becomes of it. */
export class Rehearsal {
  enemies: RobotView[] = [];
  /** The tick at which an enemy can first be at the ball. */
  enemyFirst = 0;
  private readonly rules: Rules;
  private readonly simulator: Simulator;
  private readonly path: BallPath;
  private readonly robot: Body;
  private readonly ball: Body;
  private readonly second: number;
  /** (1 + e) * k: what the ball takes of the closing speed in a hit of mean restitution. */
  private readonly transfer: number;

  constructor(rules: Rules, simulator: Simulator, path: BallPath) {
    this.rules = rules;
    this.simulator = simulator;
    this.path = path;
    this.robot = simulator.robot(rules);
    this.ball = simulator.ball(rules);
    this.second = rules.TICKS_PER_SECOND;
    this.transfer = (1 + (rules.MIN_HIT_E + rules.MAX_HIT_E) / 2) * simulator.once.kBallRobot;
  }

  /** Plays `strike` from the robot's present state; sets its contact, place and value. */
  play(strike: Strike, start: RobotView): void {
    const { robot, path, rules } = this;
    const { once } = this.simulator;
    load(robot, start);
    strike.contact = -1;
    let jumped = false;
    const longReach = rules.BALL_RADIUS + rules.ROBOT_MAX_RADIUS;
    const ticks = Math.min(path.last, strike.run + rules.TICKS_PER_SECOND * 1.2);
    for (let t = 1; t <= ticks; t++) {
      const { x, y, z } = robot;
      const running = robot.touch && t <= strike.run;
      if (running) {
        this.runTick(strike);
      } else {
        if (robot.touch) {
          if (jumped) return;
          jumped = true;
          robot.y += rules.ROBOT_MAX_RADIUS - rules.ROBOT_MIN_RADIUS;
          robot.vy = rules.ROBOT_MAX_JUMP_SPEED;
        } else if (strike.nitro && robot.nitro > 0) {
          this.thrust(strike);
        }
        move(robot, once);
        robot.touch = collideWithArena(robot, once);
      }
      const dx = path.x[t]! - robot.x;
      const dy = path.y[t]! - robot.y;
      const dz = path.z[t]! - robot.z;
      if (dx * dx + dy * dy + dz * dz < longReach * longReach) {
        this.strikeBall(strike, t, x, y, z, running ? 0 : rules.ROBOT_MAX_JUMP_SPEED);
        return;
      }
    }
  }

  /** Constant acceleration towards the asked velocity, as on the flat floor. */
  private runTick(strike: Strike): void {
    const { robot, rules, second } = this;
    const cx = strike.vx - robot.vx;
    const cz = strike.vz - robot.vz;
    const lack = Math.sqrt(cx * cx + cz * cz);
    const gain = Math.min(lack, rules.ROBOT_ACCELERATION / second);
    const share = lack > 0 ? gain / lack : 0;
    robot.x += (robot.vx + (cx * share) / 2) / second;
    robot.z += (robot.vz + (cz * share) / 2) / second;
    robot.vx += cx * share;
    robot.vz += cz * share;
    const { arena } = rules;
    if (Math.abs(robot.x) > arena.width / 2 - arena.bottom_radius - 1 || Math.abs(robot.z) > arena.depth / 2 - arena.bottom_radius - 1) {
      collideWithArena(robot, this.simulator.once);
    }
  }

  private thrust(strike: Strike): void {
    const { robot, rules, second } = this;
    const cx = strike.askX - robot.vx;
    const cy = strike.askY - robot.vy;
    const cz = strike.askZ - robot.vz;
    const lack = Math.sqrt(cx * cx + cy * cy + cz * cz);
    const gain = Math.min(lack, rules.ROBOT_NITRO_ACCELERATION / second);
    if (lack === 0) return;
    robot.vx += (cx * gain) / lack;
    robot.vy += (cy * gain) / lack;
    robot.vz += (cz * gain) / lack;
    robot.nitro -= gain / rules.NITRO_POINT_VELOCITY_CHANGE;
  }

  /** The two meet between tick t - 1, when the robot was at (x, y, z), and tick t. */
  private strikeBall(strike: Strike, t: number, x: number, y: number, z: number, push: number): void {
    const { robot, path, ball, rules, second } = this;
    const reach = rules.BALL_RADIUS + rules.ROBOT_MAX_RADIUS;
    const f = meeting(
      path.x[t - 1]! - x,
      path.y[t - 1]! - y,
      path.z[t - 1]! - z,
      path.x[t]! - robot.x,
      path.y[t]! - robot.y,
      path.z[t]! - robot.z,
      reach,
    );
    ball.x = path.x[t - 1]! + (path.x[t]! - path.x[t - 1]!) * f;
    ball.y = path.y[t - 1]! + (path.y[t]! - path.y[t - 1]!) * f;
    ball.z = path.z[t - 1]! + (path.z[t]! - path.z[t - 1]!) * f;
    ball.vx = path.vx[t]!;
    ball.vy = path.vy[t]!;
    ball.vz = path.vz[t]!;
    strike.contact = t;
    strike.atX = ball.x;
    strike.atZ = ball.z;
    const dx = ball.x - x - (robot.x - x) * f;
    const dy = ball.y - y - (robot.y - y) * f;
    const dz = ball.z - z - (robot.z - z) * f;
    const distance = Math.sqrt(dx * dx + dy * dy + dz * dz);
    const nx = dx / distance;
    const ny = dy / distance;
    const nz = dz / distance;
    const closing = (ball.vx - robot.vx) * nx + (ball.vy - robot.vy) * ny + (ball.vz - robot.vz) * nz - push;
    if (closing < 0) {
      ball.vx -= nx * this.transfer * closing;
      ball.vy -= ny * this.transfer * closing;
      ball.vz -= nz * this.transfer * closing;
    }
    const rest = (1 - f) / second;
    ball.x += ball.vx * rest;
    ball.y += ball.vy * rest;
    ball.z += ball.vz * rest;
    ball.vy -= rules.GRAVITY * rest;
    strike.value = this.fate(t) - 2 * t - 10 * Math.max(0, t - this.enemyFirst);
  }

  /** What becomes of the ball after a hit at tick `now`: a goal for either side, or how far it gets and how near to the own goal. */
  private fate(now: number): number {
    const { ball, simulator, second } = this;
    const { goalLine } = simulator.once;
    let room = 15;
    let best = -1000;
    let worst = 0;
    for (let t = 1; t <= FLIGHT_TICKS; t++) {
      simulator.roll(ball);
      if (ball.z > goalLine) return GOAL - 2 * t + 15 * room;
      if (ball.z < -goalLine) return -GOAL + 2 * t;
      if ((t & 3) !== 0) continue;
      if (ball.y < ENEMY_REACH_Y) room = Math.min(room, this.roomFromEnemies((now + t) / second));
      best = Math.max(best, 3 * ball.z - Math.abs(ball.x) - t / 2);
      worst = Math.max(worst, -10 - ball.z - Math.abs(ball.x) / 2);
    }
    return best + 5 * Math.max(room, -10) - 5 * worst;
  }

  /** How far the ball stays out of the reach of every enemy after so many seconds. */
  private roomFromEnemies(seconds: number): number {
    const { ball, rules } = this;
    const reach = rules.BALL_RADIUS + rules.ROBOT_RADIUS + ENEMY_SPEED * Math.max(0, seconds - ENEMY_WAITS);
    let least = 1000;
    for (const enemy of this.enemies) {
      const dx = ball.x - enemy.x;
      const dz = ball.z - enemy.z;
      least = Math.min(least, Math.sqrt(dx * dx + dz * dz));
    }
    return Math.min(Math.max(least - reach, -15), 15);
  }
}

function load(body: Body, robot: RobotView): void {
  body.x = robot.x;
  body.y = robot.y;
  body.z = robot.z;
  body.vx = robot.velocity_x;
  body.vy = robot.velocity_y;
  body.vz = robot.velocity_z;
  body.nitro = robot.nitro_amount;
  body.touch = robot.touch;
}

/** The share of a tick after which a distance that goes from vector a to vector b falls below `reach`. */
function meeting(ax: number, ay: number, az: number, bx: number, by: number, bz: number, reach: number): number {
  const cx = bx - ax;
  const cy = by - ay;
  const cz = bz - az;
  const a = cx * cx + cy * cy + cz * cz;
  const b = ax * cx + ay * cy + az * cz;
  const c = ax * ax + ay * ay + az * az - reach * reach;
  if (c <= 0 || a === 0) return 0;
  const root = b * b - a * c;
  return root <= 0 ? 1 : Math.min(Math.max((-b - Math.sqrt(root)) / a, 0), 1);
}
