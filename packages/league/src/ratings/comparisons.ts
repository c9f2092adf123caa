import { type GameLine, pointsAgainst } from '../result.ts';

/** Who won how much against whom. A game of more than two seats counts as a game between each two of them. */
export interface Comparisons {
  readonly names: readonly string[];
  /** points[i * n + j]: what i won against j; a draw is half a point. */
  readonly points: Float64Array;
  /** Games that each took part in. */
  readonly games: readonly number[];
}

export function compare(games: Iterable<GameLine>): Comparisons {
  const all = [...games];
  const names = [...new Set(all.flatMap(({ bots }) => bots.map(({ name }) => name)))];
  const index = new Map(names.map((name, i) => [name, i]));
  const n = names.length;
  const points = new Float64Array(n * n);
  const played = names.map(() => 0);
  for (const game of all) {
    const who = game.bots.map(({ name }) => index.get(name)!);
    for (const i of new Set(who)) played[i]!++;
    for (let a = 0; a < who.length; a++)
      for (let b = 0; b < who.length; b++) {
        const cell = who[a]! * n + who[b]!;
        if (who[a] !== who[b]) points[cell] = points[cell]! + pointsAgainst(game, a, b);
      }
  }
  return { names, points, games: played };
}
