import { cos, InputError, sin } from '@lockstep/kernel';
import { type Collider, layerMask, type Point, type Region } from './colliders.ts';

/** What hit times are computed for. Every collider is made of some of these. */
export const PLANE = 0;
/** One side of a segment; what is behind it is solid or covered by others. */
export const FACE = 1;
export const SEGMENT = 2;
export const ONE_WAY = 3;
export const CIRCLE = 4;
export const ARC_OUTSIDE = 5;
export const ARC_INSIDE = 6;
/** From here on a hit changes no speed. */
export const LINE_SENSOR = 7;
export const DISK_SENSOR = 8;
export const BORDER = 9;

/** Numbers a primitive has in `data`, at these offsets. */
export const STRIDE = 8;
export const PX = 0;
export const PY = 1;
/** Unit normal of a line (its direction is [ny, -nx]), or the middle direction of an arc. */
export const NX = 2;
export const NY = 3;
/** Length of a segment. */
export const LEN = 4;
/** Distance from P at which a ball's centre touches a circle or an arc. */
export const REACH = 5;
/** Radius of the arc or the disk itself; on the flat sides of a capsule, half of its width. */
export const RADIUS = 6;
/** Cosine of half the angle an arc spans; -2 for a whole circle. */
export const COS_HALF = 7;

const TWO_PI = 2 * Math.PI;

/** Primitives by column, in the order of their colliders: of two hits at the same time the one with the lower index is first (PB-G8). */
export class Primitives {
  count = 0;
  kind = new Int32Array(0);
  /** The collider it is a part of; a region's borders name the region. */
  owner = new Int32Array(0);
  mask = new Int32Array(0);
  data = new Float64Array(0);
  /** For sensors and borders: where a ball's memory of them is. */
  slot = new Int32Array(0);
  slots = 0;
}

/** Gathers primitives; turned into columns once. */
class Parts {
  readonly kind: number[] = [];
  readonly owner: number[] = [];
  readonly mask: number[] = [];
  readonly data: number[] = [];

  add(kind: number, owner: number, mask: number, at: Point, n: Point = [0, 0], len = 0, reach = 0, radius = 0, cosHalf = -2): void {
    this.kind.push(kind);
    this.owner.push(owner);
    this.mask.push(mask);
    this.data.push(at[0], at[1], n[0], n[1], len, reach, radius, cosHalf);
  }

  /** A line from → to whose normal points to the left. */
  addLine(kind: number, owner: number, mask: number, from: Point, to: Point, radius = 0): void {
    const dx = to[0] - from[0];
    const dy = to[1] - from[1];
    const len = Math.sqrt(dx * dx + dy * dy);
    this.add(kind, owner, mask, from, [-dy / len, dx / len], len, 0, radius);
  }
}

export function compile(colliders: readonly Collider[], regions: readonly Region[], r: number): Primitives {
  const parts = new Parts();
  for (const [owner, collider] of colliders.entries()) addCollider(parts, collider, owner, r, `colliders.${owner}`);
  for (const [k, region] of regions.entries()) {
    const path = `regions.${k}`;
    const points = counterclockwise(region.points, `${path}.points`);
    const mask = layerMask(region.layers, `${path}.layers`);
    forEdges(points, true, (from, to) => parts.addLine(BORDER, k, mask, from, to));
  }
  const out = new Primitives();
  out.count = parts.kind.length;
  out.kind = Int32Array.from(parts.kind);
  out.owner = Int32Array.from(parts.owner);
  out.mask = Int32Array.from(parts.mask);
  out.data = Float64Array.from(parts.data);
  out.slot = out.kind.map((kind) => (kind >= LINE_SENSOR ? out.slots++ : -1));
  return out;
}

function addCollider(parts: Parts, collider: Collider, owner: number, r: number, path: string): void {
  const mask = layerMask(collider.layers, `${path}.layers`);
  const circle = (at: Point, radius: number): void =>
    parts.add(CIRCLE, owner, mask, at, [0, 0], 0, positive(radius, `${path}.radius`, true) + r, radius);
  const line = (kind: number, from: Point, to: Point, radius = 0): void => {
    if (from[0] === to[0] && from[1] === to[1]) throw new InputError(path, 'two different points', to);
    parts.addLine(kind, owner, mask, from, to, radius);
  };
  switch (collider.kind) {
    case 'point':
      return circle(collider.at, 0);
    case 'disk':
      return circle(collider.at, collider.radius);
    case 'half-plane':
      return parts.add(PLANE, owner, mask, collider.at, unit(collider.normal, `${path}.normal`));
    case 'segment':
    case 'one-way':
      line(collider.kind === 'segment' ? SEGMENT : ONE_WAY, collider.from, collider.to);
      circle(collider.from, 0);
      return circle(collider.to, 0);
    case 'polyline':
      forEdges(collider.points, false, (from, to) => line(SEGMENT, from, to));
      return collider.points.forEach((at) => circle(at, 0));
    case 'polygon': {
      const points = counterclockwise(collider.points, `${path}.points`);
      forEdges(points, true, (from, to) => line(FACE, to, from)); // to the left of to → from lies the outside
      return points.forEach((at, i) => {
        if (turnsLeft(points.at(i - 1)!, at, points[(i + 1) % points.length]!)) circle(at, 0);
      });
    }
    case 'capsule': {
      const { from, to, radius } = collider;
      positive(radius, `${path}.radius`, false);
      const [nx, ny] = unit([from[1] - to[1], to[0] - from[0]], path);
      const beside = ([x, y]: Point, side: number): Point => [x + side * radius * nx, y + side * radius * ny];
      line(FACE, beside(from, 1), beside(to, 1), radius);
      line(FACE, beside(to, -1), beside(from, -1), radius);
      circle(from, radius);
      return circle(to, radius);
    }
    case 'arc':
      return addArc(parts, collider, owner, mask, r, path);
    case 'line-sensor':
      return line(LINE_SENSOR, collider.from, collider.to);
    case 'disk-sensor':
      return parts.add(DISK_SENSOR, owner, mask, collider.at, [0, 0], 0, positive(collider.radius, `${path}.radius`, false));
  }
}

/** [PB-4.6] A thin wall along a circle: what is outside and what is inside of it are hit apart, and its ends are points. */
function addArc(parts: Parts, arc: Extract<Collider, { kind: 'arc' }>, owner: number, mask: number, r: number, path: string): void {
  const { at, radius, from, to, side } = arc;
  if (!(to > from)) throw new InputError(`${path}.to`, `an angle above ${from}`, to);
  positive(radius, `${path}.radius`, false);
  if (side !== 'outside' && !(radius > r)) throw new InputError(`${path}.radius`, `more than the ball's radius ${r}`, radius);
  const whole = to - from >= TWO_PI;
  const middle: Point = [cos((from + to) / 2), sin((from + to) / 2)];
  const cosHalf = whole ? -2 : cos((to - from) / 2);
  if (side !== 'inside') parts.add(ARC_OUTSIDE, owner, mask, at, middle, 0, radius + r, radius, cosHalf);
  if (side !== 'outside') parts.add(ARC_INSIDE, owner, mask, at, middle, 0, radius - r, radius, cosHalf);
  if (whole) return;
  for (const angle of [from, to])
    parts.add(CIRCLE, owner, mask, [at[0] + radius * cos(angle), at[1] + radius * sin(angle)], [0, 0], 0, r, 0);
}

function forEdges(points: readonly Point[], closed: boolean, edge: (from: Point, to: Point) => void): void {
  for (let i = 1; i < points.length; i++) edge(points[i - 1]!, points[i]!);
  if (closed) edge(points.at(-1)!, points[0]!);
}

export function counterclockwise(points: readonly Point[], path: string): readonly Point[] {
  let area = 0;
  if (points.length >= 3) forEdges(points, true, (a, b) => (area += a[0] * b[1] - b[0] * a[1]));
  if (!(Math.abs(area) > 0)) throw new InputError(path, 'three points or more around an area', points.length);
  return area > 0 ? points : [...points].reverse();
}

const turnsLeft = (a: Point, b: Point, c: Point): boolean => (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]) > 0;

export function unit([x, y]: Point, path: string): Point {
  const length = Math.sqrt(x * x + y * y);
  if (!(length > 0 && length < Infinity)) throw new InputError(path, 'a direction', [x, y]);
  return [x / length, y / length];
}

function positive(value: number, path: string, orZero: boolean): number {
  if (!(value > 0 || (orZero && value === 0)) || value === Infinity) throw new InputError(path, 'a number above 0', value);
  return value;
}
