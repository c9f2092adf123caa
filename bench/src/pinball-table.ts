import { cos, nextInt, type Rng, seedRng, sin, uniform } from '@lockstep/kernel';

/** What every engine has: walls without thickness (where it has them) and disks. */
export type Obstacle =
  | { readonly kind: 'disk'; readonly x: number; readonly y: number; readonly radius: number }
  | { readonly kind: 'wall'; readonly x1: number; readonly y1: number; readonly x2: number; readonly y2: number };

/** Metres: so a ball at 50 radii a step of 1/60 s flies at 375 m/s, below the 400 m/s at which Rapier cuts speeds off. */
export const RADIUS = 1 / 8;
export const STEP = 1 / 60;
const CELL = 6 * RADIUS;
const COLUMNS = 8;
const ROWS = 12;
export const WIDTH = COLUMNS * CELL;
export const HEIGHT = ROWS * CELL;

/** One in each cell of the field but one: posts, bumpers and short walls, so far apart that a ball passes everywhere. */
function inCell(cell: number, rng: Rng): Obstacle {
  const x = ((cell % COLUMNS) + 0.5) * CELL + uniform(rng, -0.4, 0.4) * RADIUS;
  const y = (Math.floor(cell / COLUMNS) + 0.5) * CELL + uniform(rng, -0.4, 0.4) * RADIUS;
  const kind = nextInt(rng, 3);
  if (kind < 2) return { kind: 'disk', x, y, radius: (kind === 0 ? uniform(rng, 0.2, 0.5) : uniform(rng, 0.7, 1.1)) * RADIUS };
  const angle = uniform(rng, 0, Math.PI);
  const [dx, dy] = [1.4 * RADIUS * cos(angle), 1.4 * RADIUS * sin(angle)];
  return { kind: 'wall', x1: x - dx, y1: y - dy, x2: x + dx, y2: y + dy };
}

/** 99 colliders: four walls around 95 obstacles. Between two hits a ball flies about six of its radii. */
export function makeTable(): Obstacle[] {
  const wall = (x1: number, y1: number, x2: number, y2: number): Obstacle => ({ kind: 'wall', x1, y1, x2, y2 });
  const rng = seedRng(99n);
  return [
    wall(0, 0, WIDTH, 0),
    wall(WIDTH, 0, WIDTH, HEIGHT),
    wall(WIDTH, HEIGHT, 0, HEIGHT),
    wall(0, HEIGHT, 0, 0),
    ...Array.from({ length: COLUMNS * ROWS - 1 }, (_, cell) => inCell(cell, rng)),
  ];
}

export interface Start {
  readonly x: number;
  readonly y: number;
  readonly vx: number;
  readonly vy: number;
}

/** Balls at the corners of the cells, where nothing is, all equally fast. More than there are corners share them. */
export function makeStarts(balls: number, radii: number): Start[] {
  const rng = seedRng(7n);
  const corners = (COLUMNS + 1) * (ROWS + 1);
  const inside = (at: number, end: number): number => Math.min(Math.max(at, 1.2 * RADIUS), end - 1.2 * RADIUS);
  const speed = (radii * RADIUS) / STEP;
  return Array.from({ length: balls }, (_, i) => {
    const corner = (i * 37) % corners;
    const angle = uniform(rng, 0, 2 * Math.PI);
    return {
      x: inside((corner % (COLUMNS + 1)) * CELL, WIDTH),
      y: inside(Math.floor(corner / (COLUMNS + 1)) * CELL, HEIGHT),
      vx: speed * cos(angle),
      vy: speed * sin(angle),
    };
  });
}
