import { type Rng } from '@lockstep/kernel';
import { annealOrder, type Cooling, shuffled, timeAt, type TimeField } from '@lockstep/solve';
import type { RaceMap } from '../src/map.ts';
import { CRUISE } from './terrain.ts';
import type { Fields } from './tour.ts';

/** The ways to one goal from all goals and, last, from the start: how long in ticks, and in which direction they begin. */
export interface Ways {
  readonly ticks: readonly number[];
  readonly x: readonly number[];
  readonly y: readonly number[];
}

export function waysTo(fields: Fields, goal: number): Ways {
  const { goals, racer } = fields.map;
  const { x, y } = goals[goal]!;
  const field = fields.to(x, y);
  const places = [...goals, racer];
  const directions = places.map((place) => downhill(field, place.x, place.y));
  return {
    ticks: places.map((place) => timeAt(field, place.x, place.y)),
    x: directions.map(([dx]) => dx),
    y: directions.map(([, dy]) => dy),
  };
}

function downhill(field: TimeField, x: number, y: number): readonly [number, number] {
  const reach = 1.5 * field.size;
  const dx = timeAt(field, x - reach, y) - timeAt(field, x + reach, y);
  const dy = timeAt(field, x, y - reach) - timeAt(field, x, y + reach);
  const length = Math.sqrt(dx * dx + dy * dy);
  return length > 0 ? [dx / length, dy / length] : [0, 0];
}

export interface Leg {
  readonly from: number;
  readonly to: number;
  readonly cost: number;
}

/** What turning back at a goal costs, in ticks. */
const TURN_BACK = 14;

/** What an order of the goals costs, as far as the ways between them tell. */
export class OrderModel {
  private readonly radii: readonly number[];
  private readonly ways: readonly Ways[];
  /** What legs have really cost, in place of what the ways tell: [to][from], with the start as the last. */
  private readonly learned: readonly (readonly (number | undefined)[])[];

  constructor({ goals, racer }: RaceMap, ways: readonly Ways[], learned: readonly (readonly (number | undefined)[])[] = []) {
    this.radii = goals.map(({ radius }) => (radius + racer.radius) / CRUISE);
    this.ways = ways;
    this.learned = learned;
  }

  /** Hot. */
  costOf(order: readonly number[]): number {
    const { ways, radii, learned } = this;
    let from = ways.length;
    let cost = 0;
    for (let i = 0; i < order.length; i++) {
      const goal = order[i]!;
      cost += learned[goal]?.[from] ?? ways[goal]!.ticks[from]!;
      cost += i + 1 < order.length ? this.passing(from, goal, order[i + 1]!) : -radii[goal]!;
      from = goal;
    }
    return cost;
  }

  /** A disc is cut short on the side where both ways go; a turn takes time. */
  private passing(from: number, goal: number, to: number): number {
    if (from === this.ways.length) return 0; // nobody knows in which direction the start lies
    const back = this.ways[from]!;
    const on = this.ways[to]!;
    const cosine = back.x[goal]! * on.x[goal]! + back.y[goal]! * on.y[goal]!;
    const half = Math.sqrt(Math.max((1 + cosine) / 2, 0)); // 0 straight on, 1 where it came from
    return TURN_BACK * half * half - 2 * this.radii[goal]! * half;
  }

  /** What the legs of a flown run have cost in the model's measure; turns belong half to the leg before and half to the one after. */
  legsOf(order: readonly number[], reachedAt: readonly number[]): Leg[] {
    const scale = this.costOf(order) / reachedAt.at(-1)!;
    const turnAt = (i: number): number =>
      i < 0 || i + 1 >= order.length ? 0 : this.passing(order[i - 1] ?? this.ways.length, order[i]!, order[i + 1]!);
    return order.map((to, i) => {
      const ticks = reachedAt[i]! - (reachedAt[i - 1] ?? 0);
      return { from: order[i - 1] ?? this.ways.length, to, cost: ticks * scale - turnAt(i - 1) / 2 - turnAt(i) / 2 };
    });
  }

  anneal(start: readonly number[] | null, rng: Rng, cooling: Cooling): readonly number[] {
    return annealOrder(start ?? shuffled(this.ways.length, rng), (order) => this.costOf(order), rng, cooling).order;
  }
}

/** All orders of a few things. */
export function allOrders(count: number): number[][] {
  if (count === 0) return [[]];
  return allOrders(count - 1).flatMap((order) =>
    Array.from({ length: count }, (_, i) => [...order.slice(0, i), count - 1, ...order.slice(i)]),
  );
}
