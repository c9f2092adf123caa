import { type Seed, seedRng } from '@lockstep/kernel';
import type { TimeField } from '@lockstep/solve';
import type { Circle, RaceMap } from '../src/map.ts';
import type { Config } from '../src/track.ts';
import { OrderModel, waysTo } from './orders.ts';
import { cellSizeOf, groundOf, STYLES } from './style.ts';
import { Terrain } from './terrain.ts';
import { Fields } from './tour.ts';

const PICTURE_CELLS = 250_000;
const ORDER_CELLS = 60_000;
const ORDER_COOLING = { steps: 200_000, hot: 100, cold: 0.5 };

/** How many ticks it takes at least, as the solver sees it, from every cell of the map to go to goals in an order. To be drawn. */
export function valueField({ map }: Config, order: readonly [number, ...number[]], noTouch = false): TimeField {
  const ground = groundOf(STYLES[0]!, noTouch);
  return new Fields(map, new Terrain(map, cellSizeOf(map, PICTURE_CELLS)), ground).whole(order);
}

/** A good order of all goals from the start, without any flight. */
export function goalOrder({ map }: Config, seed: Seed): readonly number[] {
  if (map.goals.length < 2) return map.goals.map((_, goal) => goal);
  const fields = new Fields(map, new Terrain(map, cellSizeOf(map, ORDER_CELLS)), groundOf(STYLES[0]!, false));
  const model = new OrderModel(map, map.goals.map((_, goal) => waysTo(fields, goal))); // prettier-ignore
  return model.anneal(null, seedRng(seed), ORDER_COOLING);
}

/** Between two asteroids that a racer cannot pass without being pushed by both. */
export interface ClosedGap {
  /** The narrowest place. */
  readonly x: number;
  readonly y: number;
  /** How deep in both rocks the racer's centre is there. */
  readonly depth: number;
  readonly asteroids: readonly [number, number];
}

/** The gaps that are closed to the racer but so little that it may be able to slip through. */
export function closedGaps({ racer, asteroids }: RaceMap, deepest = 1500): ClosedGap[] {
  const reaches = asteroids.map(({ radius }) => radius + racer.radius);
  const near = new Neighbourhood(asteroids, reaches);
  const gaps: ClosedGap[] = [];
  asteroids.forEach((one, i) => {
    for (const j of near.of(one.x, one.y)) {
      if (j <= i) continue;
      const other = asteroids[j]!;
      const [dx, dy] = [other.x - one.x, other.y - one.y];
      const distance = Math.sqrt(dx * dx + dy * dy);
      const depth = (reaches[i]! + reaches[j]! - distance) / 2;
      if (!(depth > 0 && depth <= deepest && distance > 0)) continue;
      const part = (reaches[i]! - depth) / distance;
      const [x, y] = [one.x + dx * part, one.y + dy * part];
      const isCovered = near.of(x, y).some((k) => k !== i && k !== j && depthIn(asteroids[k]!, reaches[k]!, x, y) > depth);
      if (!isCovered) gaps.push({ x, y, depth, asteroids: [i, j] });
    }
  });
  return gaps;
}

const depthIn = (circle: Circle, reach: number, x: number, y: number): number =>
  reach - Math.sqrt((x - circle.x) * (x - circle.x) + (y - circle.y) * (y - circle.y));

/** Circles by squares so large that two that overlap are in the same or in adjoining ones. */
class Neighbourhood {
  private readonly size: number;
  private readonly squares = new Map<string, number[]>();

  constructor(circles: readonly Circle[], reaches: readonly number[]) {
    this.size = Math.max(2 * reaches.reduce((most, reach) => Math.max(most, reach), 0), 1);
    circles.forEach(({ x, y }, i) => {
      const key = this.keyOf(x, y);
      const members = this.squares.get(key);
      if (members === undefined) this.squares.set(key, [i]);
      else members.push(i);
    });
  }

  of(x: number, y: number): number[] {
    const { size } = this;
    return [-size, 0, size].flatMap((dy) => [-size, 0, size].flatMap((dx) => this.squares.get(this.keyOf(x + dx, y + dy)) ?? []));
  }

  private keyOf(x: number, y: number): string {
    return `${Math.floor(x / this.size)} ${Math.floor(y / this.size)}`;
  }
}
