import { nextInt, type Seed } from '@lockstep/kernel';
import { diceFor, drawNear } from './cup/play.ts';
import { bradleyTerry } from './ratings/bradley-terry.ts';
import { compare } from './ratings/comparisons.ts';
import type { GameLine } from './result.ts';

/** Ratings so far apart meet half as often as equal ones. */
const NEARNESS = 150;

/** Who plays next in an always-on league: the one with the fewest games, against somebody near in rating. */
export function ladderPair(names: readonly string[], games: readonly GameLine[], seed: Seed, turn: number): [string, string] {
  const dice = diceFor(seed, `ladder/${turn}`);
  const counts = new Map(names.map((name) => [name, 0]));
  for (const { bots } of games) for (const { name } of bots) if (counts.has(name)) counts.set(name, counts.get(name)! + 1);
  const fewest = Math.min(...counts.values());
  const hungry = names.filter((name) => counts.get(name) === fewest);
  const first = hungry[nextInt(dice, hungry.length)]!;
  const ratings = new Map(bradleyTerry(compare(games)).map(({ name, rating }) => [name, rating]));
  const others = names.filter((name) => name !== first);
  const distance = (name: string): number => (ratings.get(first) ?? 1500) - (ratings.get(name) ?? 1500);
  return [first, others[drawNear(others.map(distance), NEARNESS, dice)]!];
}
