import { cos, sin } from '@lockstep/kernel';
import type { Point } from '../physics/index.ts';
import type { WallShape } from './layout.ts';

const CORNERS = 48;

/** A circle's points from one angle to another. */
export function arcPoints([x, y]: Point, radius: number, from = 0, to = 2 * Math.PI): Point[] {
  const count = Math.max(2, Math.ceil((CORNERS * (to - from)) / (2 * Math.PI)));
  return Array.from({ length: count + 1 }, (_, i) => {
    const angle = from + ((to - from) * i) / count;
    return [x + radius * cos(angle), y + radius * sin(angle)];
  });
}

/** A wall as a line through points: for drawing, and to see what stands in its way. */
export function outlineOf(wall: WallShape): Point[] {
  switch (wall.kind) {
    case 'polyline':
      return [...wall.points];
    case 'polygon':
      return [...wall.points, wall.points[0]!];
    case 'arc':
      return arcPoints(wall.at, wall.radius, wall.from, wall.to);
    case 'post':
      return arcPoints(wall.at, wall.radius);
    case 'bar': {
      const { from, to, radius } = wall;
      const length = Math.sqrt((to[0] - from[0]) * (to[0] - from[0]) + (to[1] - from[1]) * (to[1] - from[1]));
      const nx = (radius * (from[1] - to[1])) / length;
      const ny = (radius * (to[0] - from[0])) / length;
      const corners: Point[] = [
        [from[0] + nx, from[1] + ny],
        [to[0] + nx, to[1] + ny],
        [to[0] - nx, to[1] - ny],
        [from[0] - nx, from[1] - ny],
      ];
      return [...corners, corners[0]!];
    }
  }
}

/** How far a point is from a line through points. */
export function distanceTo(line: readonly Point[], [x, y]: Point): number {
  let least = Infinity;
  for (let i = 1; i < line.length; i++) {
    const [ax, ay] = line[i - 1]!;
    const [bx, by] = line[i]!;
    const square = (bx - ax) * (bx - ax) + (by - ay) * (by - ay);
    const share = square === 0 ? 0 : Math.min(1, Math.max(0, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / square));
    const [dx, dy] = [ax + share * (bx - ax) - x, ay + share * (by - ay) - y];
    least = Math.min(least, Math.sqrt(dx * dx + dy * dy));
  }
  return least;
}

/** Is a point inside of a closed line? */
export function isInside(line: readonly Point[], [x, y]: Point): boolean {
  let inside = false;
  for (let i = 1; i < line.length; i++) {
    const [ax, ay] = line[i - 1]!;
    const [bx, by] = line[i]!;
    if (ay > y !== by > y && x < ax + ((y - ay) / (by - ay)) * (bx - ax)) inside = !inside;
  }
  return inside;
}
