import { SpaceLimit } from './spaces.ts';

/** What is known during the move of one body; used again for the next. Arrays of three are x, y, z. */
export class Mover {
  row = 0;
  /** Where the body is, and where the next piece of its way may end. */
  readonly p = new Float64Array(3);
  readonly q = new Float64Array(3);
  /** The rest of its way. */
  readonly d = new Float64Array(3);
  /** Velocity at the start and at the end of the present piece, per axis: a bounce starts a new piece on its own axis only. */
  readonly v0 = new Float64Array(3);
  readonly v1 = new Float64Array(3);
  readonly acceleration = new Float64Array(3);
  /** Time left on this axis' piece, and the way gone on it. */
  readonly time = new Float64Array(3);
  readonly gone = new Float64Array(3);
  /** Corners of the box around its volumes, relative to p, and in the region. */
  readonly body = new Float64Array(6);
  readonly box = new Float64Array(6);
  /** Metres it may still go. */
  distance = Infinity;

  /** Rows that may be in the way, and whether the body already overlaps them. */
  readonly solids: number[] = [];
  readonly within: boolean[] = [];
  solidCount = 0;
  /** Ramps that carry the body. */
  readonly ramps: number[] = [];
  rampCount = 0;
  /** [SW-R6] Volumes of Spaces nearby, six numbers each; `isConfined` says whether they matter. */
  spaces = new Float64Array(6 * 16);
  spaceCount = 0;
  isConfined = false;
  readonly spaceLimit = new SpaceLimit();
  /** The world's edge in the region's coordinates. */
  readonly edge = new Float64Array(6);
  isNearEdge = false;

  /** The nearest hit: when, across which axis, and the row that was hit; axis -1 is none, row -1 the end of the Spaces. */
  t = 1;
  axis = -1;
  /** Two faces of it at once. */
  isEdge = false;
  other = -1;
  otherId = 0;
  /** The body stood on something in this tick. */
  landed = false;

  /** Rows that wait for each other, the first one for the last. */
  readonly chain: number[] = [];
  /** Boxes that the body may meet. */
  readonly boxes: number[] = [];
}
