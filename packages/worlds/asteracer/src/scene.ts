import { type Held, type Mesh, type Path, plate, type Scene, type SceneMaker, type Sphere } from '@lockstep/kernel';
import { Instruction } from './action.ts';
import type { Circle } from './map.ts';
import { MAX_INSTRUCTION } from './rules.ts';
import { discs, domes } from './scene-mesh.ts';
import { State } from './state.ts';
import { step } from './step.ts';
import type { Config } from './track.ts';
import type { RaceView, Thrust } from './view.ts';

/** The longer side of every map, in units of the scene. */
const SCENE_SIZE = 100;
const TRAIL_TICKS = 90;
const FUTURE_TICKS = 60;
const TICKS_PER_SECOND = 60;

/** What to draw of a race: the map lies flat, its x to the right and its y towards the viewer. */
export const stage: SceneMaker<Config, State, Instruction, RaceView, Thrust> = {
  bounds(config) {
    const { x, z, height } = frameOf(config);
    return { min: [-x, 0, -z], max: [x, height, z] };
  },
  meshes,
  scene,
  steer,
};

/** How map coordinates become the scene's. */
interface Frame {
  readonly scale: number;
  readonly middleX: number;
  readonly middleY: number;
  /** Half of the map's sides, and how high its things rise. */
  readonly x: number;
  readonly z: number;
  readonly height: number;
}

function frameOf({ map: { box, racer } }: Config): Frame {
  const width = box.max_x - box.min_x;
  const depth = box.max_y - box.min_y;
  const scale = SCENE_SIZE / Math.max(width, depth, 1);
  return {
    scale,
    middleX: box.min_x + width / 2,
    middleY: box.min_y + depth / 2,
    x: Math.max((width * scale) / 2, 1),
    z: Math.max((depth * scale) / 2, 1),
    height: Math.min(Math.max(2 * racer.radius * scale, 1), SCENE_SIZE / 10),
  };
}

/** A circle of the map as [x, z, radius] of the scene. */
function placed({ x, y, radius }: Circle, { scale, middleX, middleY }: Frame): [number, number, number] {
  return [(x - middleX) * scale, (y - middleY) * scale, radius * scale];
}

function meshes(config: Config): Mesh[] {
  const frame = frameOf(config);
  const rocks = config.map.asteroids.map((asteroid) => placed(asteroid, frame));
  return [
    plate('space', frame.x, frame.z, { role: 'floor' }),
    discs('asteroids', rocks, { role: 'hazard', alpha: 0.35 }),
    domes('rock', rocks, { role: 'wall' }),
  ];
}

function scene(state: State, actions?: readonly Instruction[]): Scene {
  const { config, tick, vx, vy, reached, reachedCount } = state;
  const frame = frameOf(config);
  return {
    tick,
    shapes: [
      racerShape(state, frame, actions?.[0]),
      ...config.map.goals.map((goal, i) => goalShape(goal, i, reached[i] === 1, frame)),
      border(frame),
      future(state, frame, actions?.[0]),
    ],
    scores: [reachedCount],
    metrics: { speed: Math.sqrt(vx * vx + vy * vy), 'goals left': reached.length - reachedCount },
  };
}

function racerShape({ x, y, vx, vy, config }: State, frame: Frame, played: Instruction | undefined): Sphere {
  const [sceneX, sceneZ, radius] = placed({ x, y, radius: config.map.racer.radius }, frame);
  const speed = frame.scale * TICKS_PER_SECOND;
  return {
    shape: 'sphere',
    key: 'racer',
    x: sceneX,
    y: radius,
    z: sceneZ,
    radius,
    material: { role: 'teamA', seat: 0 },
    velocity: [vx * speed, 0, vy * speed],
    trail: TRAIL_TICKS,
    ...(played !== undefined && { thrust: [played.vx / MAX_INSTRUCTION, 0, played.vy / MAX_INSTRUCTION] }),
  };
}

function goalShape(goal: Circle, i: number, isReached: boolean, frame: Frame): Sphere {
  const [x, z, radius] = placed(goal, frame);
  return {
    shape: 'sphere',
    key: `goal ${i}`,
    x,
    y: 0,
    z,
    radius,
    material: { role: 'pickup', glow: isReached ? 0 : 1, alpha: isReached ? 0.2 : 1 },
  };
}

function border({ x, z }: Frame): Path {
  return {
    shape: 'path',
    key: 'border',
    points: Float32Array.of(-x, 0, -z, x, 0, -z, x, 0, z, -x, 0, z, -x, 0, -z),
    width: 0.3,
    material: { role: 'line' },
  };
}

/** Where the racer goes if it keeps its thrust: the world's own ticks on a state of its own. */
function future({ config, x, y, vx, vy }: State, frame: Frame, played: Instruction | undefined): Path {
  const ahead = new State(config);
  ahead.x = x;
  ahead.y = y;
  ahead.vx = vx;
  ahead.vy = vy;
  ahead.reached.fill(1);
  const held = new Instruction();
  held.vx = played?.vx ?? 0;
  held.vy = played?.vy ?? 0;
  const points = new Float32Array((FUTURE_TICKS + 1) * 3);
  for (let i = 0; i <= FUTURE_TICKS; i++) {
    const [sceneX, sceneZ, radius] = placed({ x: ahead.x, y: ahead.y, radius: config.map.racer.radius }, frame);
    points.set([sceneX, radius, sceneZ], i * 3);
    step(ahead, [held], []);
  }
  return { shape: 'path', key: 'future', points, width: 0.3, material: { role: 'ghost' } };
}

/** A person's thrust, in the scene's directions; cut towards zero, so it is never too long. */
function steer(_seat: number, { move: [x, , z] }: Held, _view: RaceView, _asBot: Thrust): Thrust {
  const length = Math.max(Math.sqrt(x * x + z * z), 1);
  return { vx: Math.trunc((x / length) * MAX_INSTRUCTION) + 0, vy: Math.trunc((z / length) * MAX_INSTRUCTION) + 0 };
}
