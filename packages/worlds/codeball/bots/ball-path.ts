import { Body } from '../src/body.ts';
import { collideWithArena, move } from '../src/motion.ts';
import { type Physics, physicsOf } from '../src/physics.ts';
import type { Rules } from '../src/rules.ts';
import type { BallView } from '../src/view.ts';

/** Microticks of a tick in which the ball meets a surface; a free flight is a parabola, exact in one step. */
const BOUNCE_MICROTICKS = 8;

/** The world's own simulator at two coarser resolutions. */
export class Simulator {
  /** One step a tick. */
  readonly once: Physics;
  readonly often: Physics;
  /** A ball within |x| < innerX, |z| < innerZ and between floorY and ceilingY is clear of every surface. */
  private readonly innerX: number;
  private readonly innerZ: number;
  private readonly floorY: number;
  private readonly ceilingY: number;

  constructor(rules: Rules) {
    const { arena, BALL_RADIUS: radius } = rules;
    const edge = Math.max(arena.corner_radius, radius);
    this.innerX = arena.width / 2 - edge;
    this.innerZ = arena.depth / 2 - edge;
    this.floorY = radius;
    this.ceilingY = arena.height - radius;
    this.once = physicsOf({ rules: { ...rules, MICROTICKS_PER_TICK: 1 }, nitro: true, draws: 'none' });
    this.often = physicsOf({ rules: { ...rules, MICROTICKS_PER_TICK: BOUNCE_MICROTICKS }, nitro: true, draws: 'none' });
  }

  ball(rules: Rules): Body {
    const ball = new Body();
    ball.radius = rules.BALL_RADIUS;
    ball.bounce = this.once.ballBounce;
    ball.push = 0;
    return ball;
  }

  robot(rules: Rules): Body {
    const robot = new Body();
    robot.radius = rules.ROBOT_RADIUS;
    robot.bounce = this.once.robotBounce;
    robot.push = 0;
    return robot;
  }

  /** One tick of a ball that nobody touches: in one step if it meets nothing, else again in small ones. */
  roll(ball: Body): void {
    const { once, often } = this;
    const { x, y, z, vx, vy, vz } = ball;
    move(ball, once);
    if (ball.y > this.floorY && ball.y < this.ceilingY && Math.abs(ball.x) < this.innerX && Math.abs(ball.z) < this.innerZ) return;
    if (!collideWithArena(ball, once)) return;
    ball.x = x;
    ball.y = y;
    ball.z = z;
    ball.vx = vx;
    ball.vy = vy;
    ball.vz = vz;
    for (let i = 0; i < often.microticks; i++) {
      move(ball, often);
      collideWithArena(ball, often);
    }
  }
}

/** A prediction is kept while the ball is this near to it, in position and in velocity. */
const SAME_PLACE = 0.02;
const SAME_VELOCITY = 0.1;

/** Where the ball will be if nobody touches it, tick by tick from now. It ends where the ball is in a goal. */
export class BallPath {
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly z: Float64Array;
  readonly vx: Float64Array;
  readonly vy: Float64Array;
  readonly vz: Float64Array;
  /** The last tick that is predicted. */
  last = 0;
  /** The ball ends in the own (-1) or the enemy's (1) goal, or in none (0). */
  goal = 0;
  private readonly columns: readonly Float64Array[];
  private readonly simulator: Simulator;
  private readonly horizon: number;
  private readonly ball: Body;

  constructor(simulator: Simulator, rules: Rules, horizon: number) {
    this.simulator = simulator;
    this.horizon = horizon;
    this.ball = simulator.ball(rules);
    const column = () => new Float64Array(horizon + 1);
    this.x = column();
    this.y = column();
    this.z = column();
    this.vx = column();
    this.vy = column();
    this.vz = column();
    this.columns = [this.x, this.y, this.z, this.vx, this.vy, this.vz];
  }

  /** A tick later: what was predicted is kept and prolonged if it came true, else the ball is followed afresh. */
  follow(ball: BallView): void {
    if (this.cameTrue(ball)) {
      for (const column of this.columns) column.copyWithin(0, 1);
      this.last--;
    } else {
      this.x[0] = ball.x;
      this.y[0] = ball.y;
      this.z[0] = ball.z;
      this.vx[0] = ball.velocity_x;
      this.vy[0] = ball.velocity_y;
      this.vz[0] = ball.velocity_z;
      this.last = 0;
      this.goal = 0;
    }
    while (this.last < this.horizon && this.goal === 0) this.prolong();
  }

  private cameTrue(ball: BallView): boolean {
    if (this.last < 1) return false;
    const away = Math.abs(this.x[1]! - ball.x) + Math.abs(this.y[1]! - ball.y) + Math.abs(this.z[1]! - ball.z);
    const turned =
      Math.abs(this.vx[1]! - ball.velocity_x) + Math.abs(this.vy[1]! - ball.velocity_y) + Math.abs(this.vz[1]! - ball.velocity_z);
    return away < SAME_PLACE && turned < SAME_VELOCITY;
  }

  private prolong(): void {
    const { ball, last } = this;
    ball.x = this.x[last]!;
    ball.y = this.y[last]!;
    ball.z = this.z[last]!;
    ball.vx = this.vx[last]!;
    ball.vy = this.vy[last]!;
    ball.vz = this.vz[last]!;
    this.simulator.roll(ball);
    const next = ++this.last;
    this.x[next] = ball.x;
    this.y[next] = ball.y;
    this.z[next] = ball.z;
    this.vx[next] = ball.vx;
    this.vy[next] = ball.vy;
    this.vz[next] = ball.vz;
    if (Math.abs(ball.z) > this.simulator.once.goalLine) this.goal = Math.sign(ball.z);
  }
}
