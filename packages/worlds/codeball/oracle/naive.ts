/**
 * The document's pseudo-code, line by line, with vector objects and no shortcut: the oracle that the product must equal bit for bit,
 * and the yardstick of the benchmark. Nothing here is shared with the product but the rules, the state records and sin/cos.
 */
import { cos, sin } from '@lockstep/kernel';
import type { Action, RobotAction } from '../src/action.ts';
import { type Arena, type Config, KICKOFF_ANGLE_NOISE, KICKOFF_DISTANCE, LEAST_VELOCITY_CHANGE, type Rules } from '../src/rules.ts';
import { NaiveDice } from './naive-dice.ts';

interface Vec {
  x: number;
  y: number;
  z: number;
}
const vec = (x: number, y: number, z: number): Vec => ({ x, y, z });
const add = (a: Vec, b: Vec): Vec => vec(a.x + b.x, a.y + b.y, a.z + b.z);
const sub = (a: Vec, b: Vec): Vec => vec(a.x - b.x, a.y - b.y, a.z - b.z);
const mul = (a: Vec, k: number): Vec => vec(a.x * k, a.y * k, a.z * k);
const div = (a: Vec, k: number): Vec => vec(a.x / k, a.y / k, a.z / k);
const dot = (a: Vec, b: Vec): number => a.x * b.x + a.y * b.y + a.z * b.z;
const length = (a: Vec): number => Math.sqrt(a.x * a.x + a.y * a.y + a.z * a.z);
const normalize = (a: Vec): Vec => div(a, length(a));
const clampLength = (a: Vec, max: number): Vec => {
  const len = length(a);
  return len > max ? div(mul(a, max), len) : a;
};
const clamp = (v: number, min: number, max: number): number => (v < min ? min : v > max ? max : v);

export interface Dan {
  distance: number;
  normal: Vec;
  branch: string;
}

function danToPlane(branch: string, point: Vec, pointOnPlane: Vec, normal: Vec): Dan {
  return { distance: dot(sub(point, pointOnPlane), normal), normal, branch };
}
function danToSphereInner(branch: string, point: Vec, center: Vec, radius: number): Dan {
  return { distance: radius - length(sub(point, center)), normal: normalize(sub(center, point)), branch };
}
function danToSphereOuter(branch: string, point: Vec, center: Vec, radius: number): Dan {
  return { distance: length(sub(point, center)) - radius, normal: normalize(sub(point, center)), branch };
}
const min = (a: Dan, b: Dan): Dan => (b.distance < a.distance ? b : a);

function danToArenaQuarter(point: Vec, arena: Arena): Dan {
  // Ground
  let dan = danToPlane('ground', point, vec(0, 0, 0), vec(0, 1, 0));
  // Ceiling
  dan = min(dan, danToPlane('ceiling', point, vec(0, arena.height, 0), vec(0, -1, 0)));
  // Side x
  dan = min(dan, danToPlane('side x', point, vec(arena.width / 2, 0, 0), vec(-1, 0, 0)));
  // Side z (goal)
  dan = min(dan, danToPlane('side z (goal)', point, vec(0, 0, arena.depth / 2 + arena.goal_depth), vec(0, 0, -1)));
  // Side z
  {
    const vx = point.x - (arena.goal_width / 2 - arena.goal_top_radius);
    const vy = point.y - (arena.goal_height - arena.goal_top_radius);
    if (
      point.x >= arena.goal_width / 2 + arena.goal_side_radius ||
      point.y >= arena.goal_height + arena.goal_side_radius ||
      (vx > 0 && vy > 0 && Math.sqrt(vx * vx + vy * vy) >= arena.goal_top_radius + arena.goal_side_radius)
    ) {
      dan = min(dan, danToPlane('side z', point, vec(0, 0, arena.depth / 2), vec(0, 0, -1)));
    }
  }
  // Side x & ceiling (goal)
  if (point.z >= arena.depth / 2 + arena.goal_side_radius) {
    dan = min(dan, danToPlane('goal side x', point, vec(arena.goal_width / 2, 0, 0), vec(-1, 0, 0)));
    dan = min(dan, danToPlane('goal ceiling plane', point, vec(0, arena.goal_height, 0), vec(0, -1, 0)));
  }
  // Goal back corners
  if (point.z > arena.depth / 2 + arena.goal_depth - arena.bottom_radius) {
    dan = min(
      dan,
      danToSphereInner(
        'goal back corner',
        point,
        vec(
          clamp(point.x, arena.bottom_radius - arena.goal_width / 2, arena.goal_width / 2 - arena.bottom_radius),
          clamp(point.y, arena.bottom_radius, arena.goal_height - arena.goal_top_radius),
          arena.depth / 2 + arena.goal_depth - arena.bottom_radius,
        ),
        arena.bottom_radius,
      ),
    );
  }
  // Corner
  if (point.x > arena.width / 2 - arena.corner_radius && point.z > arena.depth / 2 - arena.corner_radius) {
    const center = vec(arena.width / 2 - arena.corner_radius, point.y, arena.depth / 2 - arena.corner_radius);
    dan = min(dan, danToSphereInner('corner', point, center, arena.corner_radius));
  }
  // Goal outer corner
  if (point.z < arena.depth / 2 + arena.goal_side_radius) {
    // Side x
    if (point.x < arena.goal_width / 2 + arena.goal_side_radius) {
      const center = vec(arena.goal_width / 2 + arena.goal_side_radius, point.y, arena.depth / 2 + arena.goal_side_radius);
      dan = min(dan, danToSphereOuter('goal outer side x', point, center, arena.goal_side_radius));
    }
    // Ceiling
    if (point.y < arena.goal_height + arena.goal_side_radius) {
      const center = vec(point.x, arena.goal_height + arena.goal_side_radius, arena.depth / 2 + arena.goal_side_radius);
      dan = min(dan, danToSphereOuter('goal outer ceiling', point, center, arena.goal_side_radius));
    }
    // Top corner
    const ox = arena.goal_width / 2 - arena.goal_top_radius;
    const oy = arena.goal_height - arena.goal_top_radius;
    const vx = point.x - ox;
    const vy = point.y - oy;
    if (vx > 0 && vy > 0) {
      const len = Math.sqrt(vx * vx + vy * vy);
      const reach = arena.goal_top_radius + arena.goal_side_radius;
      const center = vec(ox + (vx / len) * reach, oy + (vy / len) * reach, arena.depth / 2 + arena.goal_side_radius);
      dan = min(dan, danToSphereOuter('goal outer top corner', point, center, arena.goal_side_radius));
    }
  }
  // Goal inside top corners
  if (point.z > arena.depth / 2 + arena.goal_side_radius && point.y > arena.goal_height - arena.goal_top_radius) {
    // Side x
    if (point.x > arena.goal_width / 2 - arena.goal_top_radius) {
      const center = vec(arena.goal_width / 2 - arena.goal_top_radius, arena.goal_height - arena.goal_top_radius, point.z);
      dan = min(dan, danToSphereInner('goal inside top side x', point, center, arena.goal_top_radius));
    }
    // Side z
    if (point.z > arena.depth / 2 + arena.goal_depth - arena.goal_top_radius) {
      const center = vec(point.x, arena.goal_height - arena.goal_top_radius, arena.depth / 2 + arena.goal_depth - arena.goal_top_radius);
      dan = min(dan, danToSphereInner('goal inside top side z', point, center, arena.goal_top_radius));
    }
  }
  // Bottom corners
  if (point.y < arena.bottom_radius) {
    // Side x
    if (point.x > arena.width / 2 - arena.bottom_radius) {
      const center = vec(arena.width / 2 - arena.bottom_radius, arena.bottom_radius, point.z);
      dan = min(dan, danToSphereInner('bottom side x', point, center, arena.bottom_radius));
    }
    // Side z
    if (point.z > arena.depth / 2 - arena.bottom_radius && point.x >= arena.goal_width / 2 + arena.goal_side_radius) {
      const center = vec(point.x, arena.bottom_radius, arena.depth / 2 - arena.bottom_radius);
      dan = min(dan, danToSphereInner('bottom side z', point, center, arena.bottom_radius));
    }
    // Side z (goal)
    if (point.z > arena.depth / 2 + arena.goal_depth - arena.bottom_radius) {
      const center = vec(point.x, arena.bottom_radius, arena.depth / 2 + arena.goal_depth - arena.bottom_radius);
      dan = min(dan, danToSphereInner('bottom side z (goal)', point, center, arena.bottom_radius));
    }
    // Goal outer corner
    {
      const ox = arena.goal_width / 2 + arena.goal_side_radius;
      const oz = arena.depth / 2 + arena.goal_side_radius;
      const vx = point.x - ox;
      const vz = point.z - oz;
      const len = Math.sqrt(vx * vx + vz * vz);
      if (vx < 0 && vz < 0 && len < arena.goal_side_radius + arena.bottom_radius) {
        const reach = arena.goal_side_radius + arena.bottom_radius;
        const center = vec(ox + (vx / len) * reach, arena.bottom_radius, oz + (vz / len) * reach);
        dan = min(dan, danToSphereInner('bottom goal outer corner', point, center, arena.bottom_radius));
      }
    }
    // Side x (goal)
    if (point.z >= arena.depth / 2 + arena.goal_side_radius && point.x > arena.goal_width / 2 - arena.bottom_radius) {
      const center = vec(arena.goal_width / 2 - arena.bottom_radius, arena.bottom_radius, point.z);
      dan = min(dan, danToSphereInner('bottom side x (goal)', point, center, arena.bottom_radius));
    }
    // Corner
    if (point.x > arena.width / 2 - arena.corner_radius && point.z > arena.depth / 2 - arena.corner_radius) {
      const ox = arena.width / 2 - arena.corner_radius;
      const oz = arena.depth / 2 - arena.corner_radius;
      const nx = point.x - ox;
      const nz = point.z - oz;
      const dist = Math.sqrt(nx * nx + nz * nz);
      if (dist > arena.corner_radius - arena.bottom_radius) {
        const reach = arena.corner_radius - arena.bottom_radius;
        const center = vec(ox + (nx / dist) * reach, arena.bottom_radius, oz + (nz / dist) * reach);
        dan = min(dan, danToSphereInner('bottom corner', point, center, arena.bottom_radius));
      }
    }
  }
  // Ceiling corners
  if (point.y > arena.height - arena.top_radius) {
    // Side x
    if (point.x > arena.width / 2 - arena.top_radius) {
      const center = vec(arena.width / 2 - arena.top_radius, arena.height - arena.top_radius, point.z);
      dan = min(dan, danToSphereInner('ceiling side x', point, center, arena.top_radius));
    }
    // Side z
    if (point.z > arena.depth / 2 - arena.top_radius) {
      const center = vec(point.x, arena.height - arena.top_radius, arena.depth / 2 - arena.top_radius);
      dan = min(dan, danToSphereInner('ceiling side z', point, center, arena.top_radius));
    }
    // Corner
    if (point.x > arena.width / 2 - arena.corner_radius && point.z > arena.depth / 2 - arena.corner_radius) {
      const ox = arena.width / 2 - arena.corner_radius;
      const oz = arena.depth / 2 - arena.corner_radius;
      const dx = point.x - ox;
      const dz = point.z - oz;
      const len = Math.sqrt(dx * dx + dz * dz);
      if (len > arena.corner_radius - arena.top_radius) {
        const reach = arena.corner_radius - arena.top_radius;
        const center = vec(ox + (dx / len) * reach, arena.height - arena.top_radius, oz + (dz / len) * reach);
        dan = min(dan, danToSphereInner('ceiling corner', point, center, arena.top_radius));
      }
    }
  }
  return dan;
}

export function danToArena(at: Vec, arena: Arena): Dan {
  const negateX = at.x < 0;
  const negateZ = at.z < 0;
  const point = vec(negateX ? -at.x : at.x, at.y, negateZ ? -at.z : at.z);
  const { distance, normal, branch } = danToArenaQuarter(point, arena);
  return { distance, normal: vec(negateX ? -normal.x : normal.x, normal.y, negateZ ? -normal.z : normal.z), branch };
}

interface NaiveEntity {
  position: Vec;
  velocity: Vec;
  radius: number;
  radiusChangeSpeed: number;
  mass: number;
  arenaE: number;
}

interface NaiveRobot extends NaiveEntity {
  id: number;
  nitro: number;
  touch: boolean;
  touchNormal: Vec;
  action: RobotAction;
}

interface NaivePack {
  position: Vec;
  alive: boolean;
  respawnTicks: number;
}

/** One random draw as the oracle made it: compared with the product's ledger. */
export type NaiveDraw = { microtick: number; order: number[] } | { microtick: number; a: number; b: number; e: number };

export class NaiveGame {
  tick = 0;
  scores = [0, 0];
  resetTicks = 0;
  ball: NaiveEntity;
  robots: NaiveRobot[] = [];
  packs: NaivePack[];
  contacts = 0;
  draws: NaiveDraw[] | null = null;
  private microtick = 0;
  private readonly dice: NaiveDice;
  private readonly config: Config;
  private readonly rules: Rules;

  constructor(config: Config, seed: bigint) {
    this.config = config;
    this.rules = config.rules;
    this.dice = new NaiveDice(config.draws, seed);
    const { rules } = this;
    this.ball = this.entity(rules.BALL_RADIUS, rules.BALL_MASS, rules.BALL_ARENA_E);
    this.packs = [];
    if (config.nitro) {
      for (const x of [-rules.NITRO_PACK_X, rules.NITRO_PACK_X]) {
        for (const z of [-rules.NITRO_PACK_Z, rules.NITRO_PACK_Z]) {
          this.packs.push({ position: vec(x, rules.NITRO_PACK_Y, z), alive: true, respawnTicks: 0 });
        }
      }
    }
    this.kickOff();
  }

  private entity(radius: number, mass: number, arenaE: number): NaiveEntity {
    return { position: vec(0, 0, 0), velocity: vec(0, 0, 0), radius, radiusChangeSpeed: 0, mass, arenaE };
  }

  private random(lo: number, hi: number): number {
    return this.dice.between(lo, hi);
  }

  private kickOff(): void {
    const { rules, config } = this;
    const n = rules.team_size;
    this.dice.atKickOff(this.tick);
    this.ball.position = vec(0, this.random(rules.BALL_RADIUS, 4 * rules.BALL_RADIUS), 0);
    this.ball.velocity = vec(0, 0, 0);
    const offset = this.random(-KICKOFF_ANGLE_NOISE, KICKOFF_ANGLE_NOISE);
    this.robots = [];
    for (let i = 0; i < 2 * n; i++) {
      const k = i % n;
      const angle = (n === 1 ? 0 : -Math.PI / 6 + (k * Math.PI) / 3 / (n - 1)) + offset;
      const x = -KICKOFF_DISTANCE * sin(angle);
      const z = -KICKOFF_DISTANCE * cos(angle);
      const robot: NaiveRobot = {
        ...this.entity(rules.ROBOT_MIN_RADIUS, rules.ROBOT_MASS, rules.ROBOT_ARENA_E),
        id: i + 1,
        nitro: config.nitro ? rules.START_NITRO_AMOUNT : 0,
        touch: true,
        touchNormal: vec(0, 1, 0),
        action: { target_velocity_x: 0, target_velocity_y: 0, target_velocity_z: 0, jump_speed: 0, use_nitro: false },
      };
      robot.position = i < n ? vec(x, rules.ROBOT_MIN_RADIUS, z) : vec(-x, rules.ROBOT_MIN_RADIUS, -z);
      this.robots.push(robot);
    }
  }

  private collideEntities(a: NaiveEntity, b: NaiveEntity): void {
    const deltaPosition = sub(b.position, a.position);
    const distance = length(deltaPosition);
    const penetration = a.radius + b.radius - distance;
    if (penetration > 0) {
      const kA = 1 / a.mass / (1 / a.mass + 1 / b.mass);
      const kB = 1 / b.mass / (1 / a.mass + 1 / b.mass);
      const normal = distance === 0 ? vec(0, 1, 0) : normalize(deltaPosition);
      a.position = sub(a.position, mul(mul(normal, penetration), kA));
      b.position = add(b.position, mul(mul(normal, penetration), kB));
      const deltaVelocity = dot(sub(b.velocity, a.velocity), normal) - b.radiusChangeSpeed - a.radiusChangeSpeed;
      if (deltaVelocity < 0) {
        const e = this.config.draws === 'none' ? this.rules.MAX_HIT_E : this.random(this.rules.MIN_HIT_E, this.rules.MAX_HIT_E);
        this.contacts++;
        this.draws?.push({ microtick: this.microtick, a: this.idOf(a), b: this.idOf(b), e });
        const impulse = mul(normal, (1 + e) * deltaVelocity);
        a.velocity = add(a.velocity, mul(impulse, kA));
        b.velocity = sub(b.velocity, mul(impulse, kB));
      }
    }
  }

  private idOf(e: NaiveEntity): number {
    return e === this.ball ? 0 : (e as NaiveRobot).id;
  }

  private collideWithArena(e: NaiveEntity): Vec | null {
    const { distance, normal } = danToArena(e.position, this.rules.arena);
    const penetration = e.radius - distance;
    if (penetration > 0) {
      e.position = add(e.position, mul(normal, penetration));
      const velocity = dot(e.velocity, normal) - e.radiusChangeSpeed;
      if (velocity < 0) {
        e.velocity = sub(e.velocity, mul(mul(normal, 1 + e.arenaE), velocity));
        return normal;
      }
    }
    return null;
  }

  private move(e: NaiveEntity, dt: number): void {
    const { MAX_ENTITY_SPEED, GRAVITY } = this.rules;
    e.velocity = clampLength(e.velocity, MAX_ENTITY_SPEED);
    e.position = add(e.position, mul(e.velocity, dt));
    e.position.y -= (GRAVITY * dt * dt) / 2;
    e.velocity = vec(e.velocity.x, e.velocity.y - GRAVITY * dt, e.velocity.z);
  }

  private controlRobot(robot: NaiveRobot, dt: number): void {
    const { rules } = this;
    const { action } = robot;
    const asked = vec(action.target_velocity_x, action.target_velocity_y, action.target_velocity_z);
    if (robot.touch) {
      let target = clampLength(asked, rules.ROBOT_MAX_GROUND_SPEED);
      target = sub(target, mul(robot.touchNormal, dot(robot.touchNormal, target)));
      const change = sub(target, robot.velocity);
      const len = length(change);
      if (len > LEAST_VELOCITY_CHANGE) {
        const acceleration = rules.ROBOT_ACCELERATION * Math.max(0, robot.touchNormal.y);
        robot.velocity = add(robot.velocity, clampLength(mul(mul(normalize(change), acceleration), dt), len));
      }
    }
    if (action.use_nitro) {
      const change = clampLength(sub(asked, robot.velocity), robot.nitro * rules.NITRO_POINT_VELOCITY_CHANGE);
      const len = length(change);
      if (len > LEAST_VELOCITY_CHANGE) {
        const acceleration = mul(normalize(change), rules.ROBOT_NITRO_ACCELERATION);
        const velocityChange = clampLength(mul(acceleration, dt), len);
        robot.velocity = add(robot.velocity, velocityChange);
        robot.nitro -= length(velocityChange) / rules.NITRO_POINT_VELOCITY_CHANGE;
      }
    }
  }

  private update(dt: number): void {
    const { rules, ball, config } = this;
    this.dice.atMicrotick(this.tick * rules.MICROTICKS_PER_TICK + this.microtick);
    if (config.draws === 'none') this.robots.sort((a, b) => a.id - b.id);
    else {
      if (config.draws === 'counter') this.robots.sort((a, b) => a.id - b.id);
      this.dice.shuffle(this.robots);
      this.draws?.push({ microtick: this.microtick, order: this.robots.map((robot) => robot.id) });
    }
    for (const robot of this.robots) {
      this.controlRobot(robot, dt);
      this.move(robot, dt);
      robot.radius =
        rules.ROBOT_MIN_RADIUS + ((rules.ROBOT_MAX_RADIUS - rules.ROBOT_MIN_RADIUS) * robot.action.jump_speed) / rules.ROBOT_MAX_JUMP_SPEED;
      robot.radiusChangeSpeed = robot.action.jump_speed;
    }
    this.move(ball, dt);
    for (let i = 0; i < this.robots.length; i++) {
      for (let j = 0; j < i; j++) this.collideEntities(this.robots[i]!, this.robots[j]!);
    }
    for (const robot of this.robots) {
      this.collideEntities(robot, ball);
      const collisionNormal = this.collideWithArena(robot);
      if (collisionNormal === null) robot.touch = false;
      else {
        robot.touch = true;
        robot.touchNormal = collisionNormal;
      }
    }
    this.collideWithArena(ball);
    if (this.resetTicks > 0) {
      // undocumented, seen in recordings: after a goal the ball cannot leave the goal
      if ((ball.position.z > 0 && ball.velocity.z < 0) || (ball.position.z < 0 && ball.velocity.z > 0)) {
        ball.velocity = vec(ball.velocity.x, ball.velocity.y, 0);
      }
    } else if (Math.abs(ball.position.z) > rules.arena.depth / 2 + ball.radius) {
      this.scores[ball.position.z > 0 ? 0 : 1]!++;
      this.resetTicks = rules.RESET_TICKS;
    }
    for (const robot of this.robots) {
      if (robot.nitro === rules.MAX_NITRO_AMOUNT) continue;
      for (const pack of this.packs) {
        if (!pack.alive) continue;
        if (length(sub(robot.position, pack.position)) <= robot.radius + rules.NITRO_PACK_RADIUS) {
          robot.nitro = rules.MAX_NITRO_AMOUNT;
          pack.alive = false;
          pack.respawnTicks = rules.NITRO_PACK_RESPAWN_TICKS;
        }
      }
    }
  }

  step(actions: readonly Action[]): void {
    const { rules } = this;
    const n = rules.team_size;
    for (const robot of this.robots) robot.action = actions[robot.id <= n ? 0 : 1]!.robots[(robot.id - 1) % n]!;
    this.draws?.splice(0);
    const dt = 1 / rules.TICKS_PER_SECOND;
    for (this.microtick = 0; this.microtick < rules.MICROTICKS_PER_TICK; this.microtick++) this.update(dt / rules.MICROTICKS_PER_TICK);
    for (const pack of this.packs) {
      if (pack.alive) continue;
      pack.respawnTicks -= 1;
      if (pack.respawnTicks === 0) pack.alive = true;
    }
    this.tick++;
    if (this.resetTicks > 0) {
      this.resetTicks--;
      if (this.resetTicks === 0) this.kickOff();
    }
  }
}
