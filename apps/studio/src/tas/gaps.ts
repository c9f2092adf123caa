import type { RaceMap } from '@lockstep/asteracer';

/** Two rocks, or a rock and the border, too near each other for the ship, yet not so near that it could not be pushed through. */
export interface Gap {
  /** The ends of the neck: where the ship's centre goes into rock and where it comes out. */
  readonly x1: number;
  readonly y1: number;
  readonly x2: number;
  readonly y2: number;
  /** How deep in rock the ship's centre is at the middle of the neck. */
  readonly depth: number;
}

/** Deeper than this nobody was seen to get through. */
const DEEPEST = 1500;

/** Between two rocks: across the line of their centres, where they would meet if each were larger by the ship's radius. */
export function neckOf({ racer, asteroids }: RaceMap, one: number, other: number, depth: number): Gap {
  const [a, b] = [asteroids[one]!, asteroids[other]!];
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const distance = Math.sqrt(dx * dx + dy * dy);
  const [A, B] = [a.radius + racer.radius, b.radius + racer.radius];
  return neck(a.x, a.y, dx / distance, dy / distance, A, (distance * distance + A * A - B * B) / (2 * distance), depth);
}

/** Between a rock and the border, along which the ship's centre would have to go. */
export function bordersOf({ racer, box, asteroids }: RaceMap): Gap[] {
  const gaps: Gap[] = [];
  for (const { x, y, radius } of asteroids) {
    const sides = [
      { ux: -1, uy: 0, room: x - box.min_x },
      { ux: 1, uy: 0, room: box.max_x - x },
      { ux: 0, uy: -1, room: y - box.min_y },
      { ux: 0, uy: 1, room: box.max_y - y },
    ];
    for (const { ux, uy, room } of sides) {
      const depth = radius + 2 * racer.radius - room;
      if (depth > 0 && depth <= DEEPEST && room > radius) gaps.push(neck(x, y, ux, uy, radius + racer.radius, room - racer.radius, depth));
    }
  }
  return gaps;
}

/** The chord of a circle at a distance from its centre. */
function neck(x: number, y: number, ux: number, uy: number, reach: number, along: number, depth: number): Gap {
  const across = Math.sqrt(Math.max(reach * reach - along * along, 0));
  const [mx, my] = [x + ux * along, y + uy * along];
  return { x1: mx - uy * across, y1: my + ux * across, x2: mx + uy * across, y2: my - ux * across, depth };
}
