import { ArenaShape } from './arena-shape.ts';
import { type Config, LEAST_VELOCITY_CHANGE } from './rules.ts';

/** Numbers that follow from the config alone, each computed once exactly as the document's formulas compute them every time. */
export class Physics {
  readonly shape: ArenaShape;
  readonly microticks: number;
  /** (1 / TICKS_PER_SECOND) / MICROTICKS_PER_TICK. */
  readonly dt: number;
  /** GRAVITY * dt * dt / 2 and GRAVITY * dt. */
  readonly fall: number;
  readonly pull: number;
  readonly gravity: number;
  readonly maxSpeed: number;
  /** A bound of the speed below which no clamp can act. */
  readonly calmSpeed: number;
  /** A squared speed up to here is surely below the limit. */
  readonly speedCheck: number;
  readonly acceleration: number;
  /** A velocity change longer than this is surely longer than one microtick's acceleration (a * dt * (1 + 4 ulp)), so no clamp can act. */
  readonly surelyLonger: number;
  readonly nitroAcceleration: number;
  readonly nitroPoint: number;
  readonly maxNitro: number;
  readonly packRadius: number;
  readonly packRespawnTicks: number;
  readonly minHitE: number;
  readonly maxHitE: number;
  /** 1 + e of a body's collision with the arena. */
  readonly robotBounce: number;
  readonly ballBounce: number;
  /** k_a = (1 / a.mass) / ((1 / a.mass) + (1 / b.mass)), for the pairs that exist. */
  readonly kRobotRobot: number;
  readonly kRobotBall: number;
  readonly kBallRobot: number;
  readonly goalLine: number;

  constructor(config: Config) {
    const { rules } = config;
    this.shape = new ArenaShape(rules.arena);
    this.microticks = rules.MICROTICKS_PER_TICK;
    this.dt = 1 / rules.TICKS_PER_SECOND / rules.MICROTICKS_PER_TICK;
    this.fall = (rules.GRAVITY * this.dt * this.dt) / 2;
    this.pull = rules.GRAVITY * this.dt;
    this.gravity = rules.GRAVITY;
    this.maxSpeed = rules.MAX_ENTITY_SPEED;
    this.calmSpeed = this.maxSpeed * 0.9999;
    this.speedCheck = this.maxSpeed * this.maxSpeed * 0.9999;
    this.acceleration = rules.ROBOT_ACCELERATION;
    this.surelyLonger = this.acceleration * this.dt * (1 + 1e-12) + LEAST_VELOCITY_CHANGE;
    this.nitroAcceleration = rules.ROBOT_NITRO_ACCELERATION;
    this.nitroPoint = rules.NITRO_POINT_VELOCITY_CHANGE;
    this.maxNitro = rules.MAX_NITRO_AMOUNT;
    this.packRadius = rules.NITRO_PACK_RADIUS;
    this.packRespawnTicks = rules.NITRO_PACK_RESPAWN_TICKS;
    this.minHitE = rules.MIN_HIT_E;
    this.maxHitE = rules.MAX_HIT_E;
    this.robotBounce = 1 + rules.ROBOT_ARENA_E;
    this.ballBounce = 1 + rules.BALL_ARENA_E;
    const robot = 1 / rules.ROBOT_MASS;
    const ball = 1 / rules.BALL_MASS;
    this.kRobotRobot = robot / (robot + robot);
    this.kRobotBall = robot / (robot + ball);
    this.kBallRobot = ball / (robot + ball);
    this.goalLine = rules.arena.depth / 2 + rules.BALL_RADIUS;
  }
}

const known = new WeakMap<Config, Physics>();

export function physicsOf(config: Config): Physics {
  let physics = known.get(config);
  if (physics === undefined) {
    physics = new Physics(config);
    known.set(config, physics);
  }
  return physics;
}
