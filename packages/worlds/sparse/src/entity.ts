import type { FieldIO } from '@lockstep/kernel';
import type { WorldPosition } from './position.ts';
import type { Volume } from './shapes.ts';

/**
 * [SW-R18] The Sparse Entity System: there is one kind of entity. What it does is decided by these flags and by its parameters, never by a type.
 */
export const COLLIDES = 1;
/** Moves by its velocity. What does not is the same for good until somebody places it anew. */
export const MOVABLE = 2;
/** [SW-R36] A Space: its volumes are where confined entities may be. */
export const TRAVERSABLE = 4;
/** [SW-R6] May only be inside the union of Spaces. */
export const CONFINED = 8;
/** Falls unless supported. */
export const HAS_WEIGHT = 16;
/** Stands on something: no gravity this tick. */
export const Z_SUPPORTED = 32;
/** A wish longer than 1 is shortened to 1. */
export const UNIT_MAX_ACCEL = 64;
/** A ramp: a body whose feet are within StepHeight of its surface walks on it, for others it is a box. */
export const STAIRS = 128;
/** Passes through what it hits, and hits it once. */
export const HITS_ONCE = 256;
/** Wants to be told what it overlaps. */
export const SENSES = 512;
/** [SW-E30] New or placed by hand: a legal place is looked for before it moves. */
export const UNSETTLED = 1024;
/** [SW-E38] Exists, but has no place. */
export const NONSPATIAL = 2048;
/** From here on flags are the game's own. */
export const FIRST_OWN_FLAG = 65536;

/** [SW-R18] A parameter that every entity has, almost all of them at its default, which costs nothing. */
export interface Parameter {
  readonly name: string;
  readonly default: number;
}

/** Accelerates by wish * SPEED - DRAG * velocity (z aside). */
export const SPEED = 0;
export const DRAG = 1;
/** 0 glides, 1 reflects, between them bounces. */
export const RESTITUTION = 2;
/** How many metres it may still go. */
export const DISTANCE_LIMIT = 3;
/** A ramp rises by so much over its box, along x (0) or y (1). */
export const WALKABLE_HEIGHT = 4;
export const WALKABLE_AXIS = 5;

export const PARAMETERS: readonly Parameter[] = [
  { name: 'speed', default: 0 },
  { name: 'drag', default: 0 },
  { name: 'restitution', default: 0 },
  { name: 'distanceLimit', default: Infinity },
  { name: 'walkableHeight', default: 0 },
  { name: 'walkableAxis', default: 1 },
];

/** What an entity is made of. Without a position it is nowhere. */
export interface EntitySpec {
  readonly flags: number;
  readonly position?: WorldPosition;
  readonly velocityX?: number;
  readonly velocityY?: number;
  readonly velocityZ?: number;
  readonly volumes?: readonly Volume[];
  /** Pairs of parameter and value. */
  readonly parameters?: readonly (readonly [parameter: number, value: number])[];
}

const PAGE = 256;

/** Parameters by row, in pages that exist only where some entity differs from the default. */
export class ParameterTable {
  readonly parameters: readonly Parameter[];
  private readonly pages: (Float64Array | undefined)[][];

  constructor(own: readonly Parameter[]) {
    this.parameters = [...PARAMETERS, ...own];
    this.pages = this.parameters.map(() => []);
  }

  get(row: number, parameter: number): number {
    const page = this.pages[parameter]![row >>> 8];
    return page === undefined ? this.parameters[parameter]!.default : page[row & (PAGE - 1)]!;
  }

  set(row: number, parameter: number, value: number): void {
    const pages = this.pages[parameter]!;
    const fallback = this.parameters[parameter]!.default;
    let page = pages[row >>> 8];
    if (page === undefined) {
      if (value === fallback) return;
      page = new Float64Array(PAGE).fill(fallback);
      pages[row >>> 8] = page;
    }
    page[row & (PAGE - 1)] = value;
  }

  /** The pages of the first rows. */
  fields(io: FieldIO, rowEnd: number): void {
    for (let parameter = 0; parameter < this.parameters.length; parameter++) {
      const pages = this.pages[parameter]!;
      for (let at = 0; at * PAGE < rowEnd; at++) {
        if (io.bool(pages[at] !== undefined)) io.nums((pages[at] ??= new Float64Array(PAGE)));
        else pages[at] = undefined;
      }
      pages.length = Math.ceil(rowEnd / PAGE);
    }
  }

  /** Back to the defaults. */
  reset(row: number): void {
    for (let parameter = 0; parameter < this.parameters.length; parameter++) {
      const page = this.pages[parameter]![row >>> 8];
      if (page !== undefined) page[row & (PAGE - 1)] = this.parameters[parameter]!.default;
    }
  }
}
