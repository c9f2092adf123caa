import {
  type Control,
  cos,
  type Held,
  type Material,
  type Mesh,
  type Path,
  plate,
  type Scene,
  type SceneMaker,
  type Shape,
  sin,
  type Sphere,
} from '@lockstep/kernel';
import { GONE, type Point } from '../physics/index.ts';
import type { Controls } from './action.ts';
import type { Layout, Line } from './layout.ts';
import { arcPoints, outlineOf } from './outline.ts';
import { TICKS_PER_SECOND } from './pace.ts';
import { ribbons } from './scene-mesh.ts';
import type { Config, State } from './state.ts';
import type { PinballView, Play } from './view.ts';

/** The longer side of every table, in units of the scene. */
const SCENE_SIZE = 100;
const TRAIL_TICKS = TICKS_PER_SECOND / 4;
/** Held farther than this counts. */
const DEAD_ZONE = 0.3;

/** What to draw of a machine: the table lies flat, its x to the right and its y away from the viewer. */
export const stage: SceneMaker<Config, State, Controls, PinballView, Play> = {
  bounds({ machine: { layout } }) {
    const { x, z, scale } = frameOf(layout);
    return { min: [-x, 0, -z], max: [x, 4 * layout.radius * scale, z] };
  },
  meshes,
  scene,
  steer,
  names: { move: 'flippers (A, D), plunger (S)', jump: 'both flippers', boost: 'push the table, while held' },
  controls: hands(),
};

/** How table coordinates become the scene's. */
interface Frame {
  readonly scale: number;
  readonly x: number;
  readonly z: number;
}

function frameOf({ width, height }: Layout): Frame {
  const scale = SCENE_SIZE / Math.max(width, height);
  return { scale, x: (width * scale) / 2, z: (height * scale) / 2 };
}

/** A point of the table as [x, z] of the scene. */
const placed = ([x, y]: Point, frame: Frame): Point => [x * frame.scale - frame.x, frame.z - y * frame.scale];

function meshes({ machine: { layout } }: Config): Mesh[] {
  const frame = frameOf(layout);
  const lines = (layer: (layers: readonly number[]) => boolean): Point[][] =>
    layout.walls.filter(({ layers }) => layer(layers)).map((wall) => outlineOf(wall).map((point) => placed(point, frame)));
  const ground = lines((layers) => layers.includes(0));
  const ramps = lines((layers) => !layers.includes(0));
  const gates = layout.gates.map(({ from, to }) => [placed(from, frame), placed(to, frame)]);
  return [
    plate('table', frame.x, frame.z, { role: 'floor' }),
    ribbons('walls', ground, 0.6, 0.1, { role: 'wall' }),
    ...(ramps.length > 0 ? [ribbons('ramps', ramps, 0.4, 2.2, { role: 'ghost' })] : []),
    ...(gates.length > 0 ? [ribbons('gates', gates, 0.3, 0.1, { role: 'line' })] : []),
  ];
}

function scene(state: State, _actions?: readonly Controls[]): Scene {
  const { config, physics } = state;
  const { machine } = config;
  const { layout } = machine;
  const frame = frameOf(layout);
  const shapes: Shape[] = [];
  for (let i = 0; i < physics.status.length; i++) if (physics.status[i] !== GONE) shapes.push(ballShape(state, i, frame));
  layout.flippers.forEach((_, k) => shapes.push(flipperShape(state, k, frame)));
  shapes.push(plungerShape(state, frame));
  for (const { name, at, radius } of layout.bumpers)
    shapes.push(path(`bumper ${name}`, arcPoints(at, radius), 0.8, { role: 'pickup', glow: 0.4 }, frame));
  for (const sling of layout.slingshots) shapes.push(lineShape('sling', sling, 0.5, { role: 'pickup' }, frame));
  layout.targets.forEach((target, k) => {
    const up = physics.enabled[machine.targetCollider[k]!] === 1;
    shapes.push(lineShape('target', target, 0.8, { role: 'goal', alpha: up ? 1 : 0.2 }, frame));
  });
  for (const lane of layout.lanes) shapes.push(lineShape('lane', lane, 0.3, { role: 'line' }, frame));
  layout.spinners.forEach((spinner, k) => {
    shapes.push(lineShape('spinner', spinner, 0.4, { role: 'line', glow: Math.min(1, state.spinnerRate[k]! / 10) }, frame));
  });
  for (const { name, at, radius } of layout.rollovers)
    shapes.push(path(`rollover ${name}`, arcPoints(at, radius), 0.2, { role: 'line' }, frame));
  for (const { name, at, radius } of layout.saucers)
    shapes.push(path(`saucer ${name}`, arcPoints(at, radius), 0.4, { role: 'hazard' }, frame));
  return { tick: state.tick, shapes, scores: [state.score], metrics: metricsOf(state) };
}

function metricsOf({ physics, ballsLeft, multiplier }: State): Record<string, number> {
  let fastest = 0;
  for (let i = 0; i < physics.vx.length; i++)
    fastest = Math.max(fastest, physics.vx[i]! * physics.vx[i]! + physics.vy[i]! * physics.vy[i]!);
  return { speed: Math.sqrt(fastest), 'balls left': ballsLeft, multiplier };
}

function ballShape({ physics, config }: State, i: number, frame: Frame): Sphere {
  const { layout } = config.machine;
  const [x, z] = placed([physics.x[i]!, physics.y[i]!], frame);
  const radius = layout.radius * frame.scale;
  return {
    shape: 'sphere',
    key: `ball ${i}`,
    x,
    y: physics.layer[i] === 0 ? radius : 2 * radius,
    z,
    radius,
    material: { role: 'ball' },
    velocity: [physics.vx[i]! * frame.scale, 0, -physics.vy[i]! * frame.scale],
    rolls: true,
    trail: TRAIL_TICKS,
  };
}

/** The hull of its two disks. */
function flipperShape({ physics, config }: State, k: number, frame: Frame): Path {
  const { name, pivot, length, baseRadius, tipRadius } = config.machine.layout.flippers[k]!;
  const angle = physics.place[k]!;
  const tip: Point = [pivot[0] + length * cos(angle), pivot[1] + length * sin(angle)];
  const half = Math.PI / 2;
  const hull = [...arcPoints(tip, tipRadius, angle - half, angle + half), ...arcPoints(pivot, baseRadius, angle + half, angle + 3 * half)];
  return path(`flipper ${name}`, [...hull, hull[0]!], 0.5, { role: 'teamA', seat: 0 }, frame);
}

function plungerShape({ physics, config }: State, frame: Frame): Path {
  const { plunger, layout } = config.machine;
  const { at, width, travel } = layout.plunger;
  const y = at[1] - layout.radius + physics.place[plunger]!;
  const points: Point[] = [
    [at[0] - width / 2, y],
    [at[0] + width / 2, y],
    [at[0], y],
    [at[0], at[1] - layout.radius - travel],
  ];
  return path('plunger', points, 0.5, { role: 'teamA', seat: 0 }, frame);
}

const lineShape = (what: string, { name, from, to }: Line, width: number, material: Material, frame: Frame): Path =>
  path(`${what} ${name}`, [from, to], width, material, frame);

function path(key: string, points: readonly Point[], width: number, material: Material, frame: Frame): Path {
  const flat = new Float32Array(points.length * 3);
  points.forEach((point, i) => {
    const [x, z] = placed(point, frame);
    flat.set([x, 1, z], i * 3);
  });
  return { shape: 'path', key, points: flat, width, material };
}

/** [PB-M7.1] Buttons at both sides, a plunger to pull, three ways to push the table. */
function hands(): Control[] {
  return [
    { name: 'plunger', keys: ['Space', 'ArrowDown'], buttons: [0], axis: [3, 1], touch: [0.78, 0.7, 1, 1] },
    { name: 'nudge left', keys: ['KeyX'], buttons: [14], axis: [0, -1], touch: [0, 0, 0.3, 0.3] },
    { name: 'nudge right', keys: ['Period'], buttons: [15], axis: [0, 1], touch: [0.7, 0, 1, 0.3] },
    { name: 'nudge up', keys: ['ArrowUp'], buttons: [12], axis: [1, -1], touch: [0.3, 0, 0.7, 0.2] },
    { name: 'left', keys: ['ShiftLeft', 'KeyZ', 'ArrowLeft'], buttons: [4, 6], axis: null, touch: [0, 0.3, 0.5, 1] },
    { name: 'right', keys: ['ShiftRight', 'Slash', 'ArrowRight'], buttons: [5, 7], axis: null, touch: [0.5, 0.3, 1, 1] },
  ];
}

/**
 * [PB-M7.1] By name; or, with hands that only know ways to go: sideways the flippers, both with jump, towards the player the plunger, and with
 * boost the table is pushed instead.
 */
function steer(_seat: number, { move: [x, , z], jump, boost, controls }: Held, _view: PinballView, _asBot: Play): Play {
  const part = (value: number): number => Math.min(1, Math.max(-1, value)) + 0;
  if (controls !== undefined) {
    const far = (name: string): number => Math.max(0, part(controls[name] ?? 0));
    return {
      left: far('left') > DEAD_ZONE,
      right: far('right') > DEAD_ZONE,
      plunger: far('plunger'),
      nudgeX: far('nudge right') - far('nudge left'),
      nudgeY: far('nudge up'),
    };
  }
  if (boost) return { left: jump, right: jump, plunger: 0, nudgeX: part(x), nudgeY: part(-z) };
  return { left: jump || x < -DEAD_ZONE, right: jump || x > DEAD_ZONE, plunger: z > DEAD_ZONE ? part(z) : 0, nudgeX: 0, nudgeY: 0 };
}
