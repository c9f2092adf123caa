import { shareAt } from '../stats/elo.ts';
import { type GameLine, pointsAgainst } from '../result.ts';

export interface EloOptions {
  readonly start?: number;
  readonly k?: number;
}

/** Elo, game after game in the order of the lines: the order matters, which is why it is not the default. */
export function eloRatings(games: Iterable<GameLine>, { start = 1500, k = 20 }: EloOptions = {}): Map<string, number> {
  const ratings = new Map<string, number>();
  for (const game of games) {
    const before = game.bots.map(({ name }) => ratings.get(name) ?? start);
    game.bots.forEach(({ name }, a) => {
      let gain = 0;
      for (let b = 0; b < before.length; b++)
        if (game.bots[b]!.name !== name) gain += pointsAgainst(game, a, b) - shareAt(before[a]! - before[b]!);
      ratings.set(name, before[a]! + (k * gain) / Math.max(1, before.length - 1));
    });
  }
  return ratings;
}
