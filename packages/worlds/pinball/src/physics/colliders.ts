import { InputError } from '@lockstep/kernel';

/** What a table is made of, as plain data. Lengths, seconds and radians; angles run from +x towards +y. */
export type Point = readonly [x: number, y: number];

/** [PB-5] How a surface answers. */
export interface Material {
  /** c: the part of the normal speed that comes back, 0..1. */
  readonly restitution: number;
  /** mu of Coulomb's friction, 0 by default. */
  readonly friction?: number;
  /** The restitution of a hit at normal speed v is c / (1 + falloff v); 0 by default. */
  readonly falloff?: number;
  /** [PB-5.6] A bumper: hits at `throwAbove` or more leave with exactly this normal speed. 0, the default, is no bumper. */
  readonly throwSpeed?: number;
  readonly throwAbove?: number;
}

export type Shape =
  | { readonly kind: 'point'; readonly at: Point }
  /** All that lies against `normal` from `at` is solid. */
  | { readonly kind: 'half-plane'; readonly at: Point; readonly normal: Point }
  | { readonly kind: 'disk'; readonly at: Point; readonly radius: number }
  /** A wall without thickness, hit from both sides. */
  | { readonly kind: 'segment'; readonly from: Point; readonly to: Point }
  /** Holds balls that come from the left of from → to, lets pass those from the right. */
  | { readonly kind: 'one-way'; readonly from: Point; readonly to: Point }
  /** Segments from point to point; shared ends are there once. */
  | { readonly kind: 'polyline'; readonly points: readonly Point[] }
  /** A wall without thickness along a circle, from the angle `from` up to `to`. */
  | {
      readonly kind: 'arc';
      readonly at: Point;
      readonly radius: number;
      readonly from: number;
      readonly to: number;
      readonly side: 'outside' | 'inside' | 'both';
    }
  /** Solid, in either order of its points. */
  | { readonly kind: 'polygon'; readonly points: readonly Point[] }
  | { readonly kind: 'capsule'; readonly from: Point; readonly to: Point; readonly radius: number }
  /** [PB-4.10] Tell that the ball's centre crossed a line or entered a disk; they change nothing. */
  | { readonly kind: 'line-sensor'; readonly from: Point; readonly to: Point }
  | { readonly kind: 'disk-sensor'; readonly at: Point; readonly radius: number };

export type Collider = Shape & {
  readonly material?: Material;
  /** [PB-2.4] The layers on which it exists, 0..30; all by default. */
  readonly layers?: readonly number[];
};

/**
 * [PB-4.8] A moving collider: the convex hull of two disks that turns about `at` (flipper, gate, spinner) or slides along `axis` (plunger).
 * Its place q is an angle or a way along the axis, between the stops `min` and `max`.
 */
export interface Mover {
  readonly kind: 'rotor' | 'slider';
  readonly at: Point;
  /** The centres of the disks, seen from `at` when q = 0. */
  readonly from: Point;
  readonly to: Point;
  readonly fromRadius: number;
  readonly toRadius: number;
  /** Slider only: the direction in which q grows. */
  readonly axis?: Point;
  readonly min: number;
  readonly max: number;
  readonly start?: number;
  /** Moment of inertia (rotor) or mass (slider) in units of a ball's mass; Infinity, the default, is not slowed by balls. */
  readonly inertia?: number;
  /** The part of its rate that comes back from a stop; 0 by default. */
  readonly bounce?: number;
  readonly material?: Material;
  readonly layers?: readonly number[];
}

/** [PB-2.3] A convex piece of the field with an acceleration of its own: a ramp. Where two overlap, the first counts. */
export interface Region {
  readonly points: readonly Point[];
  readonly gravity: Point;
  readonly layers?: readonly number[];
}

export interface TableDescription {
  /** r, of every ball. */
  readonly radius: number;
  /** How many balls there can be. */
  readonly balls?: number;
  readonly gravity?: Point;
  /** [PB-2.1] [PB-2.2] */
  readonly integrator?: 'ballistic' | 'document';
  readonly colliders: readonly Collider[];
  readonly movers?: readonly Mover[];
  readonly regions?: readonly Region[];
  /** What balls do to each other; without it they pass through each other. */
  readonly ballMaterial?: Material;
}

export const ALL_LAYERS = 0x7fff_ffff;

export function layerMask(layers: readonly number[] | undefined, path: string): number {
  if (layers === undefined) return ALL_LAYERS;
  let mask = 0;
  for (const layer of layers) {
    if (!Number.isInteger(layer) || layer < 0 || layer > 30) throw new InputError(path, 'layers 0..30', layer);
    mask |= 1 << layer;
  }
  return mask;
}

const PERFECT: Material = { restitution: 1 };

/** Materials by column: one row a collider, then one a mover, then one for the balls. */
export class Materials {
  readonly restitution: Float64Array;
  readonly friction: Float64Array;
  readonly falloff: Float64Array;
  readonly throwSpeed: Float64Array;
  readonly throwAbove: Float64Array;

  constructor(rows: readonly { readonly material: Material | undefined; readonly path: string }[]) {
    const column = (read: (material: Material) => number): Float64Array =>
      Float64Array.from(rows, ({ material }) => read(material ?? PERFECT));
    for (const { material, path } of rows) checkMaterial(material ?? PERFECT, path);
    this.restitution = column((m) => m.restitution);
    this.friction = column((m) => m.friction ?? 0);
    this.falloff = column((m) => m.falloff ?? 0);
    this.throwSpeed = column((m) => m.throwSpeed ?? 0);
    this.throwAbove = column((m) => m.throwAbove ?? 0);
  }
}

/** [PB-G11] A passive surface makes no energy: c is at most 1. */
function checkMaterial(material: Material, path: string): void {
  const { restitution, friction = 0, falloff = 0, throwSpeed = 0, throwAbove = 0 } = material;
  if (!(restitution >= 0 && restitution <= 1)) throw new InputError(`${path}.restitution`, 'a number 0..1', restitution);
  for (const [name, value] of Object.entries({ friction, falloff, throwSpeed, throwAbove })) {
    if (!(value >= 0 && value < Infinity)) throw new InputError(`${path}.${name}`, 'a number from 0', value);
  }
}
