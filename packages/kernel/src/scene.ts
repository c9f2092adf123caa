import type { TickState } from './world.ts';

/** What to draw, as data: no DOM, no colours. Themes and palettes map roles to looks. */
export type Role = 'teamA' | 'teamB' | 'ball' | 'floor' | 'wall' | 'goal' | 'hazard' | 'pickup' | 'ghost' | 'debug';

export interface Material {
  readonly role: Role;
  readonly glow?: number;
  readonly alpha?: number;
}

/** Shapes with the same key in two scenes are the same thing, moved: stages may interpolate between them. */
export interface Sphere {
  readonly shape: 'sphere';
  readonly key: string;
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly radius: number;
  readonly material: Material;
  /** 0..1: how hard it pushes off right now. */
  readonly thrust?: number;
}

export interface Segment {
  readonly shape: 'segment';
  readonly key: string;
  readonly from: readonly [number, number, number];
  readonly to: readonly [number, number, number];
  readonly width: number;
  readonly material: Material;
}

export interface Label {
  readonly shape: 'label';
  readonly key: string;
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly text: string;
}

export type Shape = Sphere | Segment | Label;

/** Static geometry, built once for a config and sent by key. */
export interface Mesh {
  readonly key: string;
  readonly positions: Float32Array;
  readonly normals: Float32Array;
  readonly indices: Uint32Array;
  readonly material: Material;
}

export interface Box {
  readonly min: readonly [number, number, number];
  readonly max: readonly [number, number, number];
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

export interface SceneMaker<Config, State extends TickState> {
  bounds(config: Config): Box;
  /** The world's static geometry, once a config. */
  meshes(config: Config): Mesh[];
  scene(state: State): Scene;
}
