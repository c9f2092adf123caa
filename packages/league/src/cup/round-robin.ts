import type { Seed } from '@lockstep/kernel';
import type { GameLine } from '../result.ts';
import { type Entry, gamesOf, type Play } from './play.ts';
import { type Standing, standingsOf } from './standings.ts';

export interface TablePlan {
  readonly entries: readonly Entry[];
  /** Seats of a game; 1 for worlds that are played alone. */
  readonly seats: number;
  /** How often each group meets; each time once on every seat. */
  readonly rounds: number;
  readonly rules: string;
  readonly seed: Seed;
}

/** Everybody against everybody. Alone: everybody on the same seeds. */
export function* roundRobin(plan: TablePlan): Play<Standing[]> {
  return yield* playGroups(plan, groupsOf(plan.entries, plan.seats));
}

/** The first `heroes` against everybody else. */
export function* gauntlet(plan: TablePlan & { readonly heroes: number }): Play<Standing[]> {
  const names = new Set(plan.entries.slice(0, plan.heroes).map(({ name }) => name));
  const groups = groupsOf(plan.entries, plan.seats).filter((group) => group.filter(({ name }) => names.has(name)).length === 1);
  return yield* playGroups(plan, groups);
}

function* playGroups({ entries, rounds, rules, seed }: TablePlan, groups: readonly (readonly Entry[])[]): Play<Standing[]> {
  const games = groups.flatMap((group) => {
    // whoever plays alone plays the seeds that everybody plays
    if (group.length === 1) return gamesOf({ id: 'solo', entries: group, rounds }, seed, rules).map((game) => ({ ...game, id: `${group[0]!.name}/${game.id}` }));
    return gamesOf({ id: group.map(({ name }) => name).join('~'), entries: group, rounds }, seed, rules);
  }); // prettier-ignore
  const results: readonly GameLine[] = yield games;
  return standingsOf(
    entries.map(({ name }) => name),
    results,
  );
}

/** Every choice of `size` entries; for two in the order of the circle method, so that everybody is busy all the time. */
function groupsOf(entries: readonly Entry[], size: number): Entry[][] {
  if (size === 2) return circle(entries);
  const groups: Entry[][] = [];
  const choose = (from: number, chosen: readonly Entry[]): void => {
    if (chosen.length === size) groups.push([...chosen]);
    else for (let i = from; i < entries.length; i++) choose(i + 1, [...chosen, entries[i]!]);
  };
  choose(0, []);
  return groups;
}

/** One stays, the others walk around the table; who meets the empty chair rests. */
function circle(entries: readonly Entry[]): Entry[][] {
  const chairs: (Entry | null)[] = entries.length % 2 === 0 ? [...entries] : [...entries, null];
  const pairs: Entry[][] = [];
  for (let round = 1; round < chairs.length; round++) {
    for (let i = 0; i < chairs.length / 2; i++) {
      const [a, b] = [chairs[i]!, chairs[chairs.length - 1 - i]!];
      if (a !== null && b !== null) pairs.push([a, b]);
    }
    chairs.splice(1, 0, chairs.pop()!);
  }
  return pairs;
}
