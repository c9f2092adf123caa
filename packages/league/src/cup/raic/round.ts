import type { Seed } from '@lockstep/kernel';
import type { GameLine } from '../../result.ts';
import { diceFor, type Entry, type Play, type PlannedGame, seedFor, shuffled } from '../play.ts';
import { keyOf } from '../swiss.ts';

/** "Tied places share the sum of the places they occupy, rounded down." One a bot, by the ranks of a game. */
export function pointsFor(ranks: readonly number[], table: readonly number[]): number[] {
  return ranks.map((rank) => {
    const sharing = ranks.filter((other) => other === rank).length;
    let sum = 0;
    for (let place = rank; place < rank + sharing; place++) sum += table[place - 1] ?? 0;
    return Math.floor(sum / sharing);
  });
}

/** The rating of a round: from 0, points for every game. */
export class RoundTable {
  readonly points = new Map<string, number>();
  private readonly table: readonly number[];

  constructor(names: readonly string[], table: readonly number[]) {
    for (const name of names) this.points.set(name, 0);
    this.table = table;
  }

  take(game: GameLine): void {
    const points = pointsFor(game.ranks, this.table);
    game.bots.forEach(({ name }, i) => this.points.set(name, this.points.get(name)! + points[i]!));
  }
}

export interface PartPlan {
  readonly id: string;
  readonly seed: Seed;
  readonly rules: string;
  readonly entries: readonly Entry[];
}

/** "In each wave each player takes part in exactly one game." Opponents are drawn, new ones where there are any. */
export function* playWaves(part: PartPlan, waves: number, table: RoundTable, onWave: (wave: number) => void): Play<void> {
  const met = new Set<string>();
  for (let wave = 1; wave <= waves; wave++) {
    const id = `${part.id}/wave${wave}`;
    const pairs = drawPairs(shuffled(part.entries, diceFor(part.seed, id)), met);
    for (const [a, b] of pairs) met.add(keyOf(a.name, b.name));
    const results: readonly GameLine[] = yield pairs.map((seats, i) => gameOf(part, `${id}/${i + 1}`, seats));
    for (const game of results) table.take(game);
    onWave(wave);
  }
}

/** "In each part games between all pairs; if time allows, once more": seats change from one time to the next. */
export function* playAllPairs(part: PartPlan, repeats: number, table: RoundTable): Play<void> {
  const games: PlannedGame[] = [];
  for (let time = 1; time <= repeats; time++)
    for (let i = 0; i < part.entries.length; i++)
      for (let j = i + 1; j < part.entries.length; j++) {
        const pair: [Entry, Entry] = [part.entries[i]!, part.entries[j]!];
        const seats = (i + j + time) % 2 === 0 ? pair : [pair[1], pair[0]];
        games.push(gameOf(part, `${part.id}/all${time}/${pair.map(({ name }) => name).join('~')}`, seats));
      }
  const results: readonly GameLine[] = yield games;
  for (const game of results) table.take(game);
}

function gameOf({ seed, rules }: PartPlan, id: string, seats: readonly Entry[]): PlannedGame {
  return { id, seed: seedFor(seed, id), seats, rules };
}

/** Each with the next in the row that was not met yet, or, failing that, with the next. */
function drawPairs(row: readonly Entry[], met: ReadonlySet<string>): [Entry, Entry][] {
  const left = [...row];
  const pairs: [Entry, Entry][] = [];
  while (left.length > 0) {
    const first = left.shift()!;
    const fresh = left.findIndex(({ name }) => !met.has(keyOf(first.name, name)));
    const [other] = left.splice(Math.max(0, fresh), 1);
    pairs.push([first, other!]);
  }
  return pairs;
}
