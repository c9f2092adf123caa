import type { TickState } from './world.ts';

/** What to draw, as data: no DOM, no colours. Themes and palettes map roles to looks. */
export type Role = 'teamA' | 'teamB' | 'ball' | 'floor' | 'line' | 'wall' | 'goal' | 'hazard' | 'pickup' | 'treasure' | 'ghost' | 'debug';

export interface Material {
  readonly role: Role;
  /** Whose it is: a theme may tint it with that seat's colour. */
  readonly seat?: number;
  readonly glow?: number;
  readonly alpha?: number;
  /** Red, green and blue, 0..1: of what a bot has drawn, which has a colour of its own. */
  readonly colour?: Vector;
}

type Vector = readonly [x: number, y: number, z: number];

/** Shapes with the same key in two scenes are the same thing, moved: stages may interpolate between them. */
export interface Sphere {
  readonly shape: 'sphere';
  readonly key: string;
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly radius: number;
  readonly material: Material;
  /** In units a second. A stage that knows it can tell motion from a jump to another place. */
  readonly velocity?: Vector;
  /** Where it is being pushed right now, 0..1 long. Stages draw a flame on the other side. */
  readonly thrust?: Vector;
  /** 0..1: a short burst of this very tick, such as a jump or a hit. */
  readonly pulse?: number;
  /** 0..1: what is left of what it carries. */
  readonly gauge?: number;
  /** It turns as it moves, and its surface should show it. */
  readonly rolls?: boolean;
  /** So many ticks of its past are drawn behind it. */
  readonly trail?: number;
  /** The height of the floor under it, where that is not the world's lowest. */
  readonly ground?: number;
}

/** A line through points, three numbers each. One of the role `ghost` is where something would go; any other is there. */
export interface Path {
  readonly shape: 'path';
  readonly key: string;
  readonly points: Float32Array;
  readonly width: number;
  readonly material: Material;
}

/** Boxes along the axes, six numbers each: the low corner, the high corner. */
export interface Boxes {
  readonly shape: 'boxes';
  readonly key: string;
  readonly boxes: Float32Array;
  readonly material: Material;
}

/** A crowd of specks that shine, three numbers each, in colours of their own: red, green, blue, alpha, 0..1. */
export interface Points {
  readonly shape: 'points';
  readonly key: string;
  readonly points: Float32Array;
  readonly colours: Float32Array;
  /** How wide each is. */
  readonly size: number;
  readonly material: Material;
}

export type Shape = Sphere | Path | Boxes | Points;

/** Static geometry, built once for a config and sent by key. Triangles turn counter-clockwise seen from where their normals point. */
export interface Mesh {
  readonly key: string;
  readonly positions: Float32Array;
  readonly normals: Float32Array;
  readonly indices: Uint32Array;
  readonly material: Material;
}

export interface Box {
  readonly min: Vector;
  readonly max: Vector;
}

/** Fresh for every tick, with no reference into the state. */
export interface Scene {
  readonly tick: number;
  readonly shapes: readonly Shape[];
  /** One number a seat, as the scoreboard shows it. */
  readonly scores: readonly number[];
  /** Named numbers over time, for charts. */
  readonly metrics: Readonly<Record<string, number>>;
}

/** What a person asks of one of a seat's things, in the scene's own directions. */
export interface Held {
  /** Where to, 0..1 long. */
  readonly move: Vector;
  readonly jump: boolean;
  readonly boost: boolean;
  /** How far each of the stage's own `controls` is held, 0..1 by name; what is left out is not held. Where it is there, it alone counts. */
  readonly controls?: Readonly<Record<string, number>>;
}

/** Something of a world's own that a person can hold: a button or a pull. Where hands look for it is the world's advice. */
export interface Control {
  readonly name: string;
  /** On a keyboard by place: codes of keys. */
  readonly keys: readonly string[];
  /** On a standard gamepad: numbers of buttons. */
  readonly buttons: readonly number[];
  /** On a standard gamepad: the number of an axis, and the way it is pulled. */
  readonly axis: readonly [axis: number, way: 1 | -1] | null;
  /** On a touch screen, in parts of it: left, top, right, bottom. Of two that lie over each other the first counts. */
  readonly touch: readonly [left: number, top: number, right: number, bottom: number];
}

/** What a bot has drawn, in the scene's own coordinates, and what it has written. Keys of shapes do not matter. */
export interface Sketch {
  readonly shapes: readonly Shape[];
  readonly texts: readonly string[];
}

export interface SceneMaker<Config, State extends TickState, Action = unknown, View = unknown, RawAction = unknown> {
  bounds(config: Config): Box;
  /** The world's static geometry, once a config. */
  meshes(config: Config): Mesh[];
  /** `actions` are those of the tick that led to this state; there are none before the first. */
  scene(state: State, actions?: readonly Action[]): Scene;
  /** What a seat's bot said beside its action, if the world has a way of drawing: it is in the seat's own coordinates. */
  sketch?(seat: number, debug: unknown): Sketch;
  /**
   * What a seat plays when a person steers the first of its things and its bot the others. `view` and `asBot` are in the seat's own
   * coordinates, as the bot saw and gave them; so is the answer.
   */
  steer?(seat: number, held: Held, view: View, asBot: RawAction): RawAction;
  /** What moving, jump or boost is called in this world, where it is something else. Who names `move` goes nowhere that could be pointed at. */
  readonly names?: { readonly move?: string; readonly jump?: string; readonly boost?: string };
  /** What a person holds in this world, where it is more than going somewhere. */
  readonly controls?: readonly Control[];
}

/** The floor of a flat world, its middle in the origin, x and z to each side. */
export function plate(key: string, x: number, z: number, material: Material): Mesh {
  return {
    key,
    positions: Float32Array.of(-x, 0, -z, -x, 0, z, x, 0, z, x, 0, -z),
    normals: Float32Array.of(0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0),
    indices: Uint32Array.of(0, 1, 2, 0, 2, 3),
    material,
  };
}
