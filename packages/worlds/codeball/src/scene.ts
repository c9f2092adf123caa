import type { Held, Path, Scene, SceneMaker, Shape, Sphere } from '@lockstep/kernel';
import type { Action, RobotAction } from './action.ts';
import { arenaMeshes } from './arena-mesh.ts';
import { Body, loadBall } from './body.ts';
import { collideWithArena, move } from './motion.ts';
import { Physics } from './physics.ts';
import type { Config } from './rules.ts';
import { sketch } from './sketch.ts';
import type { NitroPack, Robot, State } from './state.ts';
import type { GameView, Orders } from './view.ts';

/** What to draw of a CodeBall game. */
export const stage: SceneMaker<Config, State, Action, GameView, Orders> = {
  bounds({ rules: { arena } }) {
    const z = arena.depth / 2 + arena.goal_depth;
    return { min: [-arena.width / 2, 0, -z], max: [arena.width / 2, arena.height, z] };
  },
  meshes: arenaMeshes,
  scene,
  sketch,
  steer,
};

/** How far the ball's past and future reach, in ticks. */
const TRAIL_TICKS = 36;
const FLIGHT_TICKS = 80;

function scene(state: State, actions?: readonly Action[]): Scene {
  const { ball, config } = state;
  const teamSize = config.rules.team_size;
  const shapes: Shape[] = [
    {
      shape: 'sphere',
      key: 'ball',
      x: ball.x,
      y: ball.y,
      z: ball.z,
      radius: ball.radius,
      material: { role: 'ball' },
      velocity: [ball.vx, ball.vy, ball.vz],
      rolls: true,
      trail: TRAIL_TICKS,
    },
    ...state.robots.map((robot, i) => robotShape(state, robot, actions?.[robot.seat]?.robots[i % teamSize])),
    ...state.packs.map((pack) => packShape(config, pack)),
  ];
  if (state.resetTicks === 0) shapes.push(flight(state));
  return {
    tick: state.tick,
    shapes,
    scores: [state.scoreA, state.scoreB],
    metrics: {
      'ball height': ball.y,
      'ball along the field': ball.z,
      'ball speed': Math.sqrt(ball.vx * ball.vx + ball.vy * ball.vy + ball.vz * ball.vz),
    },
  };
}

function robotShape({ config: { rules, nitro } }: State, robot: Robot, orders: RobotAction | undefined): Sphere {
  const { x, y, z, vx, vy, vz, radius } = robot;
  const jump = (radius - rules.ROBOT_MIN_RADIUS) / (rules.ROBOT_MAX_RADIUS - rules.ROBOT_MIN_RADIUS);
  return {
    shape: 'sphere',
    key: `robot ${robot.id}`,
    x,
    y,
    z,
    radius,
    material: { role: robot.seat === 0 ? 'teamA' : 'teamB', seat: robot.seat },
    velocity: [vx, vy, vz],
    rolls: true,
    ...(jump > 0 && { pulse: Math.min(jump, 1) }),
    ...(nitro && rules.MAX_NITRO_AMOUNT > 0 && { gauge: robot.nitro / rules.MAX_NITRO_AMOUNT }),
    ...(orders?.use_nitro && robot.nitro > 0 && { thrust: pushOf(robot, orders) }),
  };
}

/** Nitro pushes towards the asked velocity; the length falls to 0 as the robot reaches it. */
function pushOf({ vx, vy, vz }: Robot, orders: RobotAction): [number, number, number] {
  const x = orders.target_velocity_x - vx;
  const y = orders.target_velocity_y - vy;
  const z = orders.target_velocity_z - vz;
  const length = Math.max(Math.sqrt(x * x + y * y + z * z), 1);
  return [x / length, y / length, z / length];
}

function packShape({ rules }: Config, pack: NitroPack): Sphere {
  const waiting = pack.respawnTicks / rules.NITRO_PACK_RESPAWN_TICKS;
  const alive = pack.respawnTicks === 0;
  return {
    shape: 'sphere',
    key: `pack ${pack.id}`,
    x: pack.x,
    y: pack.y,
    z: pack.z,
    radius: rules.NITRO_PACK_RADIUS,
    material: { role: 'pickup', glow: alive ? 1 : 0, alpha: alive ? 1 : 0.25 },
    gauge: 1 - waiting,
  };
}

const body = new Body();
let physics: Physics | undefined;
let physicsFor: Config | undefined;

/** Where the ball goes if nobody touches it: the world's own motion in steps of a tick instead of a microtick, good enough for the eye. */
function flight(state: State): Path {
  const { config } = state;
  if (physics === undefined || physicsFor !== config) {
    physicsFor = config;
    physics = new Physics({ ...config, rules: { ...config.rules, MICROTICKS_PER_TICK: 2 } });
  }
  loadBall(body, state, physics.ballBounce);
  const points = new Float32Array((FLIGHT_TICKS + 1) * 3);
  let count = 0;
  for (; count <= FLIGHT_TICKS; count++) {
    points[count * 3] = body.x;
    points[count * 3 + 1] = body.y;
    points[count * 3 + 2] = body.z;
    if (Math.abs(body.z) > physics.goalLine) break;
    for (let half = 0; half < 2; half++) {
      move(body, physics);
      collideWithArena(body, physics);
    }
  }
  return {
    shape: 'path',
    key: 'ball flight',
    points: points.slice(0, Math.min(count + 1, FLIGHT_TICKS + 1) * 3),
    width: 0.35,
    material: { role: 'ghost' },
  };
}

/** The fastest that orders make sense for: nitro carries beyond the limit on the ground. */
const STEER_SPEED = 30;
const STEER_JUMP = 15;

/** A person runs, jumps and flies with the seat's first robot. Player 2 sees z mirrored, so its orders are mirrored too. */
function steer(seat: number, { move: [x, y, z], jump, boost }: Held, view: GameView, asBot: Orders): Orders {
  const own = view.robots.filter((robot) => robot.is_teammate).map((robot) => robot.id);
  return {
    ...asBot,
    [Math.min(...own)]: {
      target_velocity_x: x * STEER_SPEED,
      target_velocity_y: boost && jump ? STEER_SPEED : y * STEER_SPEED,
      target_velocity_z: (seat === 0 ? z : -z) * STEER_SPEED,
      jump_speed: jump ? STEER_JUMP : 0,
      use_nitro: boost,
    },
  };
}
