import type { RaceMap } from '@lockstep/asteracer';

/** Two rocks, or a rock and the border, too near each other for the ship, yet not so near that it could not be pushed through. */
export interface Gap {
  /** The ends of the neck: where the ship's centre would have to be on either side of it. */
  readonly x1: number;
  readonly y1: number;
  readonly x2: number;
  readonly y2: number;
  /** How deep in rock the ship's centre is at the middle of the neck. */
  readonly depth: number;
}

/** Deeper than this nobody was seen to get through. */
export const DEEPEST = 1500;

/** Every closed gap that might be clipped, the shallowest first. A grid keeps it quick where there are very many rocks. */
export function closedGaps({ racer, box, asteroids }: RaceMap, most = 2000): Gap[] {
  const gaps: Gap[] = [];
  const largest = asteroids.reduce((size, { radius }) => Math.max(size, radius), 0);
  const cell = Math.max(2 * (largest + racer.radius), 1);
  const cells = new Map<string, number[]>();
  const keyOf = (x: number, y: number) => `${Math.floor(x / cell)} ${Math.floor(y / cell)}`;
  asteroids.forEach(({ x, y }, i) => {
    const key = keyOf(x, y);
    const list = cells.get(key);
    if (list === undefined) cells.set(key, [i]);
    else list.push(i);
  });
  asteroids.forEach((one, i) => {
    for (let dx = -1; dx <= 1; dx++) {
      for (let dy = -1; dy <= 1; dy++) {
        for (const j of cells.get(keyOf(one.x + dx * cell, one.y + dy * cell)) ?? []) {
          if (j <= i) continue;
          const gap = between(one, asteroids[j]!, racer.radius);
          if (gap !== null) gaps.push(gap);
        }
      }
    }
    const { x, y, radius } = one;
    const walls = [
      { x: box.min_x, y },
      { x: box.max_x, y },
      { x, y: box.min_y },
      { x, y: box.max_y },
    ];
    for (const wall of walls) {
      const gap = atWall(x, y, radius, wall, racer.radius);
      if (gap !== null) gaps.push(gap);
    }
  });
  return gaps.sort((a, b) => a.depth - b.depth).slice(0, most);
}

interface Round {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
}

/** The neck runs across the line of the centres, where the rocks grown by the ship's radius meet. */
function between(a: Round, b: Round, ship: number): Gap | null {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const distance = Math.sqrt(dx * dx + dy * dy);
  const [A, B] = [a.radius + ship, b.radius + ship];
  const depth = (A + B - distance) / 2;
  if (depth <= 0 || depth > DEEPEST || distance <= a.radius + b.radius) return null;
  const along = (distance * distance + A * A - B * B) / (2 * distance);
  const across = Math.sqrt(Math.max(A * A - along * along, 0));
  const [ux, uy] = [dx / distance, dy / distance];
  const [mx, my] = [a.x + ux * along, a.y + uy * along];
  return { x1: mx - uy * across, y1: my + ux * across, x2: mx + uy * across, y2: my - ux * across, depth };
}

/** The border gives no way: where the rock leaves less than the ship's width, the ship's centre keeps to the line along the border. */
function atWall(x: number, y: number, radius: number, wall: { x: number; y: number }, ship: number): Gap | null {
  const [dx, dy] = [wall.x - x, wall.y - y];
  const distance = Math.sqrt(dx * dx + dy * dy);
  const reach = radius + ship;
  const inner = distance - ship;
  const depth = reach - inner;
  if (depth <= 0 || depth > DEEPEST || distance <= radius) return null;
  const across = Math.sqrt(Math.max(reach * reach - inner * inner, 0));
  const [ux, uy] = [dx / distance, dy / distance];
  const [mx, my] = [x + ux * inner, y + uy * inner];
  return { x1: mx - uy * across, y1: my + ux * across, x2: mx + uy * across, y2: my - ux * across, depth };
}
