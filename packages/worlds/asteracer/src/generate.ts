import { cos, nextInt, type Rng, type Seed, seedRng, sin, uniform } from '@lockstep/kernel';
import type { Circle, RaceMap } from './map.ts';

/** What a map is made of: equal recipes give equal maps. */
export interface Recipe {
  readonly seed: Seed;
  /** The side of the square box. */
  readonly size: number;
  /** The rocks' areas together as a share of the box's; where no more rocks fit, there are fewer. */
  readonly density: number;
  readonly goals: number;
}

/** What a recipe may ask for. */
export const RECIPE_LIMITS = { size: [40_000, 4_000_000], density: [0, 0.8], goals: [0, 200] } as const;

const RACER_RADIUS = 1000;
/** How far the racer's hull stays from every rock along the lanes. */
export const LANE_MARGIN = 1000;
const ROCK_RADII = [5000, 27_000] as const;
const GOAL_RADII = [3000, 9000] as const;
/** No rock is larger than this share of the map. */
const LARGEST_ROCK = 1 / 12;
/** A place is the loneliest of so many drawn. */
const PLACES_DRAWN = 10;
/** One lane more for so many goals, so that there are ways to choose from. */
const GOALS_A_LOOP = 3;
const BENDS_ACROSS = 10;
/** How far apart the points are that keep rocks off a lane. */
const LANE_STEP = 1000;
/** A rock may reach into its neighbours: so much further than to their edge. */
const OVERLAP = 1.25;
/** Where so many rocks in a row found no room, the map is full. */
const TRIES_A_ROCK = 100;

interface Point {
  readonly x: number;
  readonly y: number;
}

/**
 * [AR-4.6] A map that can be finished without touching anything: first lanes are laid that join the start and all goals, then rocks where
 * they leave the lanes free.
 */
export function generate({ seed, size, density, goals: count }: Recipe): RaceMap {
  const rng = seedRng(seed);
  const half = Math.floor(size / 2);
  const box = { min_x: -half, min_y: -half, max_x: size - half, max_y: size - half };
  const places = scatter(rng, half - 2 * (RACER_RADIUS + LANE_MARGIN), count + 1);
  const lanes = [...places, ...layLanes(rng, places, half)];
  const goals = places.slice(1).map((place) => ({ ...place, radius: between(rng, GOAL_RADII[0], Math.min(GOAL_RADII[1], size / 12)) }));
  return { racer: { ...places[0]!, radius: RACER_RADIUS }, box, asteroids: strewRocks(rng, half, density, lanes), goals };
}

const between = (rng: Rng, min: number, max: number): number => min + nextInt(rng, Math.floor(max) - min + 1);

const squaredBetween = (a: Point, b: Point): number => (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y);

/** Places within ±reach that keep away from each other. */
function scatter(rng: Rng, reach: number, count: number): Point[] {
  const places: Point[] = [];
  while (places.length < count) {
    let best: Point = { x: 0, y: 0 };
    let most = -1;
    for (let i = 0; i < PLACES_DRAWN; i++) {
      const place = { x: between(rng, -reach, reach), y: between(rng, -reach, reach) };
      const lonely = places.reduce((least, other) => Math.min(least, squaredBetween(place, other)), Infinity);
      if (lonely <= most) continue;
      most = lonely;
      best = place;
    }
    places.push(best);
  }
  return places;
}

/** Each place joined to the nearest of those before it, so that all hang together; and a few lanes more. As points on the lanes. */
function layLanes(rng: Rng, places: readonly Point[], half: number): Point[] {
  return places.flatMap((place, i) => {
    const before = places.slice(0, i).sort((a, b) => squaredBetween(a, place) - squaredBetween(b, place));
    const joined = before.slice(0, i % GOALS_A_LOOP === 0 ? 2 : 1);
    return joined.flatMap((other) => laneBetween(rng, other, place, half));
  });
}

/** A way with bends. */
function laneBetween(rng: Rng, from: Point, to: Point, half: number): Point[] {
  const reach = half - RACER_RADIUS - LANE_MARGIN;
  const kept = (at: number): number => Math.max(-reach, Math.min(reach, Math.floor(at)));
  const pieces = Math.floor((Math.sqrt(squaredBetween(from, to)) * BENDS_ACROSS) / (2 * half)) + 1;
  const swing = half / BENDS_ACROSS;
  const points = [from];
  for (let i = 1; i <= pieces; i++) {
    const angle = uniform(rng, 0, 2 * Math.PI);
    const x = kept(from.x + ((to.x - from.x) * i) / pieces + cos(angle) * swing);
    const y = kept(from.y + ((to.y - from.y) * i) / pieces + sin(angle) * swing);
    points.push(...straight(points.at(-1)!, i === pieces ? to : { x, y }));
  }
  return points;
}

/** Points on the way to another, at most LANE_STEP from each other, the last included. */
function straight(from: Point, to: Point): Point[] {
  const steps = Math.floor(Math.sqrt(squaredBetween(from, to)) / LANE_STEP) + 1;
  return Array.from({ length: steps }, (_, i) => {
    const share = (i + 1) / steps;
    return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
  });
}

function strewRocks(rng: Rng, half: number, density: number, lanes: readonly Point[]): Circle[] {
  const largest = Math.min(ROCK_RADII[1], Math.floor(2 * half * LARGEST_ROCK));
  const smallest = Math.min(ROCK_RADII[0], Math.floor(largest / 3));
  const free = new Crowd(half, largest);
  for (const point of lanes) free.add({ ...point, radius: RACER_RADIUS + LANE_MARGIN + LANE_STEP / 2 });
  const rocks = new Crowd(half, largest);
  let left = 4 * half * half * density;
  for (let missed = 0; left > 0 && missed < TRIES_A_ROCK; missed++) {
    const small = uniform(rng, 0, 1);
    const wanted = smallest + Math.floor((largest - smallest) * small * small);
    const centre = { x: between(rng, -half, half), y: between(rng, -half, half) };
    const beside = Math.min(wanted, Math.floor(rocks.gapAt(centre) * OVERLAP));
    if (beside < smallest) continue;
    const radius = Math.min(beside, Math.floor(free.gapAt(centre)) - 1);
    if (radius < smallest) continue;
    rocks.add({ ...centre, radius });
    left -= Math.PI * radius * radius;
    missed = 0;
  }
  return rocks.all;
}

/** Circles, also by the square of the map that their centre is in. */
class Crowd {
  readonly all: Circle[] = [];
  private readonly half: number;
  private readonly side: number;
  private readonly across: number;
  private readonly squares: Circle[][];

  /** No circle is larger than `largest`, and nobody asks for larger gaps. */
  constructor(half: number, largest: number) {
    this.half = half;
    this.side = 2 * largest;
    this.across = Math.floor((2 * half) / this.side) + 1;
    this.squares = Array.from({ length: this.across * this.across }, () => []);
  }
  add(circle: Circle): void {
    this.all.push(circle);
    this.squares[this.square(circle.y) * this.across + this.square(circle.x)]!.push(circle);
  }
  /** How far it is to the nearest circle's edge, less than 0 inside; where that is further than the largest radius, it may be less than said. */
  gapAt(point: Point): number {
    const [row, column] = [this.square(point.y), this.square(point.x)];
    let least = Infinity;
    for (let r = Math.max(row - 1, 0); r <= Math.min(row + 1, this.across - 1); r++) {
      for (let c = Math.max(column - 1, 0); c <= Math.min(column + 1, this.across - 1); c++) {
        for (const circle of this.squares[r * this.across + c]!)
          least = Math.min(least, Math.sqrt(squaredBetween(point, circle)) - circle.radius);
      }
    }
    return least;
  }
  private square(at: number): number {
    return Math.floor((at + this.half) / this.side);
  }
}
