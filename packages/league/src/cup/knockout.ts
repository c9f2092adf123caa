import { type GameLine, pointsAgainst } from '../result.ts';
import { type Entry, gamesOf, type Play, type PlannedGame } from './play.ts';
import type { TablePlan } from './round-robin.ts';

export interface KnockoutPlan extends TablePlan {
  /** More rounds for those who are level; after them the better seeded one goes on. */
  readonly extra: number;
  /** The two who lost the semi-finals play for the third place. */
  readonly third: boolean;
}

/** One meeting of the bracket. */
export interface Tie {
  readonly round: number;
  readonly a: string;
  /** null: nobody; a goes on without a game. */
  readonly b: string | null;
  readonly points: readonly [number, number];
  readonly winner: string | null;
  /** What it is played for beside going on: the cup, or the third place. */
  readonly stake: 'final' | 'third' | null;
}

/** The order of `entries` is the seeding. Returns all names, the winner first; those who left in the same round in the order of the seeding. */
export function* knockout(plan: KnockoutPlan, onRound?: (ties: readonly Tie[]) => void): Play<string[]> {
  const { entries } = plan;
  const seeding = new Map(entries.map(({ name }, i) => [name, i]));
  let alive: (Entry | null)[] = bracketOrder(entries);
  const gone: string[] = [];
  for (let round = 1; alive.length > 1; round++) {
    const last = alive.length === 2;
    const ties = couples(alive);
    const done = yield* playTies(plan, round, ties, seeding, last ? 'final' : null);
    onRound?.(done);
    const losers = done.flatMap(({ a, b, winner }) => (b === null ? [] : [winner === a ? b : a]));
    losers.sort((x, y) => seeding.get(x)! - seeding.get(y)!);
    if (last && plan.third && gone.length >= 2) {
      const [x, y] = gone.slice(0, 2).map((name) => entries[seeding.get(name)!]!);
      const [tie] = yield* playTies(plan, round + 1, [[x!, y!]], seeding, 'third');
      onRound?.([tie!]);
      gone.splice(0, 2, tie!.winner!, tie!.winner === x!.name ? y!.name : x!.name);
    }
    gone.unshift(...losers);
    alive = done.map(({ winner }) => entries[seeding.get(winner!)!]!);
  }
  return [...alive.map((entry) => entry!.name), ...gone];
}

/** The places of a bracket of the next power of two, so that the two best can only meet at the end; the empty places meet the best. */
export function bracketOrder<T>(entries: readonly T[]): (T | null)[] {
  let places = [0];
  while (places.length < entries.length) {
    const size = places.length * 2;
    places = places.flatMap((place) => [place, size - 1 - place]);
  }
  return places.map((place) => entries[place] ?? null);
}

function couples<T>(list: readonly (T | null)[]): [T, T | null][] {
  const out: [T, T | null][] = [];
  for (let i = 0; i < list.length; i += 2) out.push([(list[i] ?? list[i + 1])!, list[i] === null ? null : list[i + 1]!]);
  return out;
}

function* playTies(
  plan: KnockoutPlan,
  round: number,
  ties: readonly [Entry, Entry | null][],
  seeding: ReadonlyMap<string, number>,
  stake: Tie['stake'],
): Play<Tie[]> {
  const points = ties.map((): [number, number] => [0, 0]);
  const open = ties.map(([, b], i) => (b === null ? -1 : i)).filter((i) => i >= 0);
  let level = open;
  for (let extra = 0; extra <= plan.extra && level.length > 0; extra++) {
    const planned = level.map((i) => encounter(plan, round, extra, ties[i]! as [Entry, Entry]));
    const results: readonly GameLine[] = yield planned.flat();
    let from = 0;
    level.forEach((i, k) => {
      for (const game of results.slice(from, from + planned[k]!.length)) addPoints(points[i]!, game, ties[i]![0].name);
      from += planned[k]!.length;
    });
    level = level.filter((i) => points[i]![0] === points[i]![1]);
  }
  return ties.map(([a, b], i) => {
    const [forA, forB] = points[i]!;
    const better = b === null || seeding.get(a.name)! < seeding.get(b.name)! ? a : b;
    const winner = forA === forB ? better : forA > forB ? a : b!;
    return { round, a: a.name, b: b?.name ?? null, points: points[i]!, winner: winner.name, stake };
  });
}

function encounter({ rounds, rules, seed }: KnockoutPlan, round: number, extra: number, entries: readonly Entry[]): PlannedGame[] {
  const id = `round${round}/${entries.map(({ name }) => name).join('~')}${extra === 0 ? '' : `/extra${extra}`}`;
  return gamesOf({ id, entries, rounds: extra === 0 ? rounds : 1 }, seed, rules);
}

function addPoints(points: [number, number], game: GameLine, a: string): void {
  const first = game.bots.findIndex(({ name }) => name === a);
  points[0] += pointsAgainst(game, first, 1 - first);
  points[1] += pointsAgainst(game, 1 - first, first);
}
