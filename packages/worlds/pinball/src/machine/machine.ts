import { InputError } from '@lockstep/kernel';
import { type Collider, HitLog, type Material, type Mover, PhysicsState, placeBall, type Point, Table } from '../physics/index.ts';
import { checkFlipper } from './clearance.ts';
import type { Condition, Effects, Flipper, Layout, Wall } from './layout.ts';
import { MODULES } from './modules/index.ts';
import type { RulesModule } from './modules/module.ts';

/** What a collider or sensor of the physics is to the machine. */
export const PLAIN = 0;
export const BUMPER = 1;
export const SLINGSHOT = 2;
export const TARGET = 3;
export const ROLLOVER = 4;
export const LANE = 5;
export const SPINNER = 6;
export const SAUCER = 7;
export const RAMP_ENTRANCE = 8;
export const RAMP_EXIT = 9;
export const DRAIN = 10;

const PLUNGER_RADIUS = 0.4;
const BALL_MATERIAL: Material = { restitution: 0.8, friction: 0.1 };

/** Names turned into indexes. */
export interface CompiledEffects {
  readonly effects: Effects;
  readonly when: readonly { readonly counter: number; readonly min: number; readonly max: number }[];
  readonly add: readonly (readonly [counter: number, by: number])[];
  readonly set: readonly (readonly [counter: number, to: number])[];
  readonly raise: readonly number[];
}

export interface CompiledMission extends CompiledEffects {
  readonly name: string;
  readonly seconds: number;
  readonly starts: readonly boolean[];
  readonly steps: readonly { readonly on: readonly boolean[]; readonly times: number }[];
}

/** [PB-M1] A layout made ready to play: shared by all states of a game, never changed but for the memory of a step. */
export class Machine {
  readonly layout: Layout;
  readonly table: Table;
  readonly log = new HitLog(64);
  /** By collider: what it is, which one of its kind, and its switch or -1. */
  readonly role: Int32Array;
  readonly which: Int32Array;
  readonly switchOf: Int32Array;
  readonly switches: readonly string[];
  /** Flippers are the first movers; then comes the plunger. */
  readonly plunger: number;
  /** The collider of each target. */
  readonly targetCollider: Int32Array;
  readonly counters: readonly string[];
  /** By switch: the rules that it may set off, in their order. */
  readonly rules: readonly (readonly CompiledEffects[])[];
  readonly missions: readonly CompiledMission[];
  /** [PB-M5.4] What goes beyond the rules of the table's data, if anything does. */
  readonly module: RulesModule | null;
  /** The plunger's spring: acceleration per way, a second squared. */
  readonly stiffness: number;

  constructor(layout: Layout, path = 'table') {
    this.layout = layout;
    const parts = gather(layout);
    this.role = Int32Array.from(parts, ({ role }) => role);
    this.which = Int32Array.from(parts, ({ which }) => which);
    this.switches = switchesOf(layout);
    this.switchOf = Int32Array.from(parts, ({ name }) => (name === null ? -1 : this.switches.indexOf(name)));
    this.targetCollider = Int32Array.from(layout.targets, (_, i) => parts.findIndex(({ role, which }) => role === TARGET && which === i));
    this.plunger = layout.flippers.length;
    layout.flippers.forEach((flipper, i) => checkFlipper(flipper, layout, `${path}.flippers[${i}]`));
    this.module = layout.module === '' ? null : MODULES[layout.module]!;
    this.table = new Table({
      radius: layout.radius,
      balls: layout.capacity,
      gravity: layout.gravity,
      colliders: parts.map(({ collider }) => collider),
      movers: [...layout.flippers.map((flipper) => flipperMover(flipper, layout)), plungerMover(layout)],
      regions: layout.ramps.map(({ layer, slope }) => ({ ...slope, layers: [layer] })),
      ballMaterial: BALL_MATERIAL,
    });
    const { speed, travel, at } = layout.plunger;
    this.stiffness = (speed / travel) * (speed / travel);
    this.counters = Object.keys(layout.counters);
    const rules = layout.rules.map((rule) => ({ on: rule.on, compiled: this.compile(rule) }));
    this.rules = this.switches.map((name) => rules.filter(({ on }) => on.includes(name)).map(({ compiled }) => compiled));
    this.missions = layout.missions.map((mission) => ({
      ...this.compile(mission),
      name: mission.name,
      seconds: mission.seconds,
      starts: this.switches.map((name) => mission.starts.includes(name)),
      steps: mission.steps.map(({ on, times }) => ({ on: this.switches.map((name) => on.includes(name)), times })),
    }));
    const trial = new PhysicsState(this.table);
    if (!placeBall(this.table, trial, 0, ...at) || trial.x[0] !== at[0] || trial.y[0] !== at[1])
      throw new InputError(`${path}.plunger.at`, 'room for a ball', at);
  }

  private compile(effects: Effects & { readonly when: readonly Condition[] }): CompiledEffects {
    const counter = (name: string): number => this.counters.indexOf(name);
    return {
      effects,
      when: effects.when.map(({ counter: name, min, max }) => ({ counter: counter(name), min, max })),
      add: Object.entries(effects.add).map(([name, by]) => [counter(name), by]),
      set: Object.entries(effects.set).map(([name, to]) => [counter(name), to]),
      raise: effects.raise.map((name) => this.layout.targets.findIndex((target) => target.name === name)),
    };
  }
}

interface Part {
  readonly collider: Collider;
  readonly role: number;
  readonly which: number;
  readonly name: string | null;
}

/** All that balls can meet, in the order in which ids are given. */
function gather(layout: Layout): Part[] {
  const ground = [0];
  const material = (name: string): Material => layout.materials[name]!;
  const thrower = (speed: number, above: number): Material => ({ restitution: 0.6, friction: 0.2, throwSpeed: speed, throwAbove: above });
  const line = (ends: { readonly from: Point; readonly to: Point }): { from: Point; to: Point } => ({ from: ends.from, to: ends.to });
  const part = (role: number, name: string | null, which: number, collider: Collider): Part => ({ collider, role, which, name });
  return [
    ...layout.walls.map((wall, i) => part(PLAIN, null, i, wallCollider(wall, material(wall.material)))),
    ...layout.gates.map((gate, i) =>
      part(PLAIN, null, i, { kind: 'one-way', ...line(gate), material: { restitution: 0.3 }, layers: ground }),
    ),
    ...layout.bumpers.map(({ name, at, radius, throwSpeed, threshold }, i) =>
      part(BUMPER, name, i, { kind: 'disk', at, radius, material: thrower(throwSpeed, threshold), layers: ground }),
    ),
    ...layout.slingshots.map((sling, i) =>
      part(SLINGSHOT, sling.name, i, {
        kind: 'segment',
        ...line(sling),
        material: thrower(sling.throwSpeed, sling.threshold),
        layers: ground,
      }),
    ),
    ...layout.targets.map((target, i) =>
      part(TARGET, target.name, i, { kind: 'segment', ...line(target), material: material(target.material), layers: ground }),
    ),
    ...layout.rollovers.map(({ name, at, radius }, i) => part(ROLLOVER, name, i, { kind: 'disk-sensor', at, radius, layers: ground })),
    ...layout.lanes.map((lane, i) => part(LANE, lane.name, i, { kind: 'line-sensor', ...line(lane), layers: ground })),
    ...layout.spinners.map((spinner, i) => part(SPINNER, spinner.name, i, { kind: 'line-sensor', ...line(spinner), layers: ground })),
    ...layout.saucers.map(({ name, at, radius }, i) => part(SAUCER, name, i, { kind: 'disk-sensor', at, radius, layers: ground })),
    ...layout.ramps.flatMap(({ name, layer, entrance, exit }, i) => [
      part(RAMP_ENTRANCE, null, i, { kind: 'line-sensor', ...line(entrance), layers: ground }),
      part(RAMP_ENTRANCE, null, i, { kind: 'line-sensor', ...widened(entrance, 2 * layout.radius), layers: [layer] }),
      part(RAMP_EXIT, name, i, { kind: 'line-sensor', ...line(exit), layers: [layer] }),
    ]),
    part(DRAIN, null, 0, { kind: 'line-sensor', ...line(layout.drain) }),
  ];
}

/** [PB-M4.6] Who rolls back from a ramp may do so nearer to its walls than anybody can enter. */
function widened({ from, to }: { readonly from: Point; readonly to: Point }, by: number): { from: Point; to: Point } {
  const length = Math.sqrt((to[0] - from[0]) * (to[0] - from[0]) + (to[1] - from[1]) * (to[1] - from[1]));
  const [x, y] = [(by * (to[0] - from[0])) / length, (by * (to[1] - from[1])) / length];
  return { from: [from[0] - x, from[1] - y], to: [to[0] + x, to[1] + y] };
}

const switchesOf = (layout: Layout): string[] =>
  [
    layout.bumpers,
    layout.slingshots,
    layout.targets,
    layout.rollovers,
    layout.lanes,
    layout.spinners,
    layout.saucers,
    layout.ramps,
  ].flatMap((list) => list.map(({ name }) => name));

function wallCollider(wall: Wall, material: Material): Collider {
  const rest = { material, layers: wall.layers };
  switch (wall.kind) {
    case 'polyline':
    case 'polygon':
      return { kind: wall.kind, points: wall.points, ...rest };
    case 'arc':
      return { kind: 'arc', at: wall.at, radius: wall.radius, from: wall.from, to: wall.to, side: wall.side, ...rest };
    case 'post':
      return { kind: 'disk', at: wall.at, radius: wall.radius, ...rest };
    case 'bar':
      return { kind: 'capsule', from: wall.from, to: wall.to, radius: wall.radius, ...rest };
  }
}

/** [PB-M3.1] A bar of even weight about its end: I = m L²/3. */
function flipperMover(flipper: Flipper, layout: Layout): Mover {
  const { pivot, length, baseRadius, tipRadius, rest, raised, mass, material } = flipper;
  return {
    kind: 'rotor',
    at: pivot,
    from: [0, 0],
    to: [length, 0],
    fromRadius: baseRadius,
    toRadius: tipRadius,
    min: Math.min(rest, raised),
    max: Math.max(rest, raised),
    start: rest,
    inertia: (mass * length * length) / 3,
    bounce: 0.2,
    material: layout.materials[material]!,
    layers: [0],
  };
}

/** [PB-M3.2] Its upper side is where a served ball lies. */
function plungerMover({ plunger: { at, width, travel }, radius }: Layout): Mover {
  const half = Math.max(width / 2 - PLUNGER_RADIUS, 0.01);
  return {
    kind: 'slider',
    at: [at[0], at[1] - radius - PLUNGER_RADIUS],
    axis: [0, 1],
    from: [-half, 0],
    to: [half, 0],
    fromRadius: PLUNGER_RADIUS,
    toRadius: PLUNGER_RADIUS,
    min: -travel,
    max: 0,
    start: 0,
    material: { restitution: 0 },
    layers: [0],
  };
}
