import { nextInt, type Rng, uniform } from '@lockstep/kernel';

export interface Cooling {
  readonly steps: number;
  /** How much worse an order may be and still often be taken, at the beginning and at the end. */
  readonly hot: number;
  readonly cold: number;
}

const LONGEST_MOVE = 3;

/** Simulated annealing of an order by 2-opt (a part reversed) and Or-opt (a few things moved, perhaps reversed). The best order met. */
export function annealOrder(
  start: readonly number[],
  costOf: (order: readonly number[]) => number,
  rng: Rng,
  { steps, hot, cold }: Cooling,
): { readonly order: readonly number[]; readonly cost: number } {
  let order = start;
  let cost = costOf(order);
  let best = { order, cost };
  if (start.length < 2) return best;
  for (let step = 0; step < steps; step++) {
    const left = 1 - step / steps;
    const temperature = cold + (hot - cold) * left * left * left;
    const next = nextInt(rng, 2) === 0 ? reversed(order, rng) : moved(order, rng);
    const nextCost = costOf(next);
    if (nextCost > cost && uniform(rng, 0, 1) >= likelihood((nextCost - cost) / temperature)) continue;
    order = next;
    cost = nextCost;
    if (cost < best.cost) best = { order, cost };
  }
  return best;
}

/** Near enough to e^-x, and the same bits in every engine. */
const likelihood = (x: number): number => 1 / (1 + x * (1 + x * (1 / 2 + x * (1 / 6 + x / 24))));

function reversed(order: readonly number[], rng: Rng): number[] {
  const next = order.slice();
  let i = nextInt(rng, order.length);
  let j = nextInt(rng, order.length);
  if (i > j) [i, j] = [j, i];
  for (; i < j; i++, j--) [next[i], next[j]] = [next[j]!, next[i]!];
  return next;
}

function moved(order: readonly number[], rng: Rng): number[] {
  const next = order.slice();
  const length = 1 + nextInt(rng, Math.min(LONGEST_MOVE, order.length - 1));
  const part = next.splice(nextInt(rng, order.length - length + 1), length);
  if (nextInt(rng, 2) === 0) part.reverse();
  next.splice(nextInt(rng, next.length + 1), 0, ...part);
  return next;
}

/** Every order that is one such step away; some come twice. */
export function* neighboursOf(order: readonly number[]): Generator<number[]> {
  for (let i = 0; i < order.length; i++) {
    for (let j = i + 1; j < order.length; j++) yield [...order.slice(0, i), ...order.slice(i, j + 1).reverse(), ...order.slice(j + 1)];
  }
  for (let length = 1; length <= Math.min(LONGEST_MOVE, order.length - 1); length++) {
    for (let i = 0; i + length <= order.length; i++) {
      const part = order.slice(i, i + length);
      const others = [...order.slice(0, i), ...order.slice(i + length)];
      for (let j = 0; j <= others.length; j++) {
        if (j === i) continue;
        yield [...others.slice(0, j), ...part, ...others.slice(j)];
        if (length > 1) yield [...others.slice(0, j), ...[...part].reverse(), ...others.slice(j)];
      }
    }
  }
}

export function shuffled(length: number, rng: Rng): number[] {
  const order = Array.from({ length }, (_, i) => i);
  for (let i = length - 1; i > 0; i--) {
    const j = nextInt(rng, i + 1);
    [order[i], order[j]] = [order[j]!, order[i]!];
  }
  return order;
}
