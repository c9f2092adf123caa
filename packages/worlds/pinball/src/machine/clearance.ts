import { cos, InputError, sin } from '@lockstep/kernel';
import type { Point } from '../physics/index.ts';
import type { Flipper, Layout, WallShape } from './layout.ts';
import { distanceTo, isInside } from './outline.ts';

/** A flipper is looked at in steps so small that nothing moves farther than this between two of them, in centimetres. */
const FINE = 0.05;

interface Obstacle {
  /** As people find it in their table. */
  readonly name: string;
  /** Below 0 inside of it. */
  readonly distance: (point: Point) => number;
}

/** [PB-M1.3] Nowhere between rest and raised may a flipper touch anything that balls bounce off. */
export function checkFlipper(flipper: Flipper, layout: Layout, path: string): void {
  const { pivot, length, baseRadius, tipRadius, rest, raised } = flipper;
  const reach = length + baseRadius;
  const near = obstaclesOf(layout).filter(({ distance }) => distance(pivot) < reach);
  const angles = Math.ceil((Math.abs(raised - rest) * length) / (2 * FINE));
  const places = Math.ceil(length / (2 * FINE));
  for (let a = 0; near.length > 0 && a <= angles; a++) {
    const angle = rest + ((raised - rest) * a) / angles;
    const [x, y] = [cos(angle), sin(angle)];
    for (let s = 0; s <= places; s++) {
      const share = s / places;
      const point: Point = [pivot[0] + share * length * x, pivot[1] + share * length * y];
      const radius = baseRadius + share * (tipRadius - baseRadius);
      for (const { name, distance } of near) {
        if (distance(point) >= radius) continue;
        const when = a === 0 ? 'at rest' : `at the angle ${angle.toFixed(2)}`;
        throw new InputError(`${path}.pivot`, `a flipper that is clear of ${name}, which it touches ${when}`, pivot);
      }
    }
  }
}

function obstaclesOf({ walls, bumpers, slingshots, targets, gates }: Layout): Obstacle[] {
  const line =
    ({ from, to }: { readonly from: Point; readonly to: Point }) =>
    (point: Point) =>
      distanceTo([from, to], point);
  return [
    ...walls.flatMap((wall, i) => (wall.layers.includes(0) ? [{ name: `walls[${i}]`, distance: distanceOf(wall) }] : [])),
    ...bumpers.map(({ at, radius }, i) => ({ name: `bumpers[${i}]`, distance: (point: Point) => apart(at, point) - radius })),
    ...slingshots.map((one, i) => ({ name: `slingshots[${i}]`, distance: line(one) })),
    ...targets.map((one, i) => ({ name: `targets[${i}]`, distance: line(one) })),
    ...gates.map((one, i) => ({ name: `gates[${i}]`, distance: line(one) })),
  ];
}

const apart = ([ax, ay]: Point, [bx, by]: Point): number => Math.sqrt((ax - bx) * (ax - bx) + (ay - by) * (ay - by));

/** How far a point is from a wall. */
function distanceOf(wall: WallShape): (point: Point) => number {
  switch (wall.kind) {
    case 'polyline':
      return (point) => distanceTo(wall.points, point);
    case 'polygon': {
      const closed = [...wall.points, wall.points[0]!];
      return (point) => (isInside(closed, point) ? -distanceTo(closed, point) : distanceTo(closed, point));
    }
    case 'post':
      return (point) => apart(wall.at, point) - wall.radius;
    case 'bar':
      return (point) => distanceTo([wall.from, wall.to], point) - wall.radius;
    case 'arc':
      return (point) => arcDistance(wall, point);
  }
}

/** The nearest point of an arc lies in the point's own direction, or it is an end. */
function arcDistance({ at, radius, from, to }: Extract<WallShape, { kind: 'arc' }>, point: Point): number {
  const end = (angle: number): Point => [at[0] + radius * cos(angle), at[1] + radius * sin(angle)];
  const toEnds = Math.min(apart(end(from), point), apart(end(to), point));
  const [dx, dy] = [point[0] - at[0], point[1] - at[1]];
  return isWithin(dx, dy, from, to) ? Math.min(toEnds, Math.abs(apart(at, point) - radius)) : toEnds;
}

/** Does a direction lie between two angles, without an arctangent: on the left of the first and on the right of the second. */
function isWithin(dx: number, dy: number, from: number, to: number): boolean {
  const afterFrom = cos(from) * dy - sin(from) * dx >= 0;
  const beforeTo = cos(to) * dy - sin(to) * dx <= 0;
  return to - from <= Math.PI ? afterFrom && beforeTo : afterFrom || beforeTo;
}
