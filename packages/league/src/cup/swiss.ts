import type { GameLine } from '../result.ts';
import { type Entry, gamesOf, type Play } from './play.ts';
import type { TablePlan } from './round-robin.ts';
import { type Standing, standingsOf } from './standings.ts';

export interface SwissPlan extends TablePlan {
  /** How many times everybody is paired; `rounds` is how often a pair meets each time. */
  readonly turns: number;
}

/** What is known of the turns so far, for whoever watches. */
export interface SwissTurn {
  readonly pairs: readonly (readonly [string, string])[];
  readonly bye: string | null;
}

/**
 * Each turn pairs those with like points who have not met yet. With an odd number the last one who had no bye rests and is given the
 * points of a win in every game of the turn.
 */
export function* swiss(plan: SwissPlan, onTurn?: (turn: SwissTurn) => void): Play<Standing[]> {
  const { entries, rounds, rules, seed } = plan;
  const names = entries.map(({ name }) => name);
  const byName = new Map(entries.map((entry) => [entry.name, entry]));
  const played: GameLine[] = [];
  const byes: string[] = [];
  const met = new Set<string>();
  for (let turn = 1; turn <= plan.turns; turn++) {
    const pointsForBye = byes.flatMap((name) => Array.from({ length: 2 * rounds }, () => name));
    const order = standingsOf(names, played, pointsForBye).map(({ name }) => name);
    const bye = order.length % 2 === 0 ? null : lastWithout(order, byes);
    const pairs = pairUp(order.filter((name) => name !== bye), met); // prettier-ignore
    onTurn?.({ pairs, bye });
    for (const [a, b] of pairs) met.add(keyOf(a, b));
    if (bye !== null) byes.push(bye);
    played.push(...(yield pairs.flatMap(([a, b]) => encounter(turn, byName.get(a)!, byName.get(b)!))));
  }
  return standingsOf(names, played, byes.flatMap((name) => Array.from({ length: 2 * rounds }, () => name))); // prettier-ignore

  function encounter(turn: number, a: Entry, b: Entry) {
    return gamesOf({ id: `turn${turn}/${a.name}~${b.name}`, entries: [a, b], rounds }, seed, rules);
  }
}

/** Who rests: the last who has not yet. */
function lastWithout(order: readonly string[], byes: readonly string[]): string {
  const fromTheEnd = [...order].reverse();
  return fromTheEnd.find((name) => !byes.includes(name)) ?? fromTheEnd[0]!;
}

/** Best first, each with the nearest below that was not met; goes back where the last ones would have to meet again. */
export function pairUp(order: readonly string[], met: ReadonlySet<string>): [string, string][] {
  let tries = 0;
  const search = (left: readonly string[]): [string, string][] | null => {
    if (left.length === 0) return [];
    const [first, ...others] = left as [string, ...string[]];
    for (const other of others) {
      if (met.has(keyOf(first, other))) continue;
      if (++tries > MOST_TRIES) return null;
      const rest = search(others.filter((name) => name !== other));
      if (rest !== null) return [[first, other], ...rest];
    }
    return null;
  };
  // where everybody has met, neighbours meet again
  return search(order) ?? Array.from({ length: order.length / 2 }, (_, i) => [order[2 * i]!, order[2 * i + 1]!]);
}

const MOST_TRIES = 100_000;

export function keyOf(a: string, b: string): string {
  return JSON.stringify(a < b ? [a, b] : [b, a]);
}
