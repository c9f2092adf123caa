import { bradleyTerry, type Rating } from '../ratings/bradley-terry.ts';
import { compare } from '../ratings/comparisons.ts';
import { crashed, type GameLine, pointsAgainst } from '../result.ts';

/** One meeting of two bots in all games of a run. */
export interface CrossCell {
  readonly games: number;
  /** Of the row's bot against the column's. */
  readonly points: number;
}

export interface Crosstable {
  readonly names: readonly string[];
  /** cells[row][column]; null where they never met. */
  readonly cells: readonly (readonly (CrossCell | null)[])[];
}

/** Rows and columns in the order of the ratings. */
export function crosstable(games: readonly GameLine[], order: readonly string[]): Crosstable {
  const place = new Map(order.map((name, i) => [name, i]));
  const cells = order.map(() => order.map((): { games: number; points: number } | null => null));
  for (const game of games)
    game.bots.forEach(({ name: a }, i) =>
      game.bots.forEach(({ name: b }, j) => {
        const [row, column] = [place.get(a), place.get(b)];
        if (i === j || a === b || row === undefined || column === undefined) return;
        const cell = (cells[row]![column] ??= { games: 0, points: 0 });
        cell.games++;
        cell.points += pointsAgainst(game, i, j);
      }),
    );
  return { names: order, cells };
}

export interface RatingCurve {
  readonly name: string;
  /** After so many games of the run. */
  readonly points: readonly { readonly games: number; readonly rating: number; readonly error: number }[];
}

/** Ratings computed anew from all games up to each of some moments. */
export function ratingCurves(games: readonly GameLine[], moments = 24): RatingCurve[] {
  const curves = new Map<string, { games: number; rating: number; error: number }[]>();
  const count = Math.min(moments, games.length);
  for (let i = 1; i <= count; i++) {
    const upTo = Math.floor((i * games.length) / count);
    for (const { name, rating, error } of bradleyTerry(compare(games.slice(0, upTo)))) {
      const curve = curves.get(name) ?? [];
      curves.set(name, curve);
      curve.push({ games: upTo, rating, error });
    }
  }
  return [...curves].map(([name, points]) => ({ name, points }));
}

/** Heights of labels at least `gap` apart, each as near to its own as the others let it, all above `bottom`. */
export function spreadLabels(heights: readonly number[], gap: number, bottom: number): number[] {
  const order = heights.map((_, i) => i).sort((a, b) => heights[a]! - heights[b]!);
  const out = [...heights];
  order.forEach((i, k) => {
    if (k > 0) out[i] = Math.max(out[i]!, out[order[k - 1]!]! + gap);
  });
  order.reverse().forEach((i, k) => {
    out[i] = Math.min(out[i]!, k === 0 ? bottom : out[order[k - 1]!]! - gap);
  });
  return out;
}

export interface Loss {
  readonly game: GameLine;
  readonly name: string;
  readonly margin: number;
}

/** The games to look at: the clearest losses of anybody, the worst first. Whoever has several seats is as good as the best of them. */
export function worstLosses(games: readonly GameLine[], most: number, name?: string): Loss[] {
  const losses = games.flatMap((game) => {
    const names = [...new Set(game.bots.map((bot) => bot.name))];
    const best = (of: (name: string) => boolean): number => Math.max(...game.scores.filter((_, i) => of(game.bots[i]!.name)));
    return names.flatMap((own) => {
      if (names.length < 2 || (name !== undefined && own !== name)) return [];
      const margin = best((other) => other !== own) - best((other) => other === own);
      return margin > 0 ? [{ game, name: own, margin }] : [];
    });
  });
  return losses.sort((a, b) => b.margin - a.margin || (a.game.id < b.game.id ? -1 : 1)).slice(0, most);
}

/** Of bots that play alone: mean score and ticks over all their games. */
export interface SoloRow {
  readonly name: string;
  readonly games: number;
  readonly score: number;
  readonly best: number;
  readonly ticks: number;
}

export function soloTable(games: readonly GameLine[]): SoloRow[] {
  const rows = new Map<string, { name: string; games: number; score: number; best: number; ticks: number }>();
  for (const { bots, scores, ticks } of games) {
    const { name } = bots[0]!;
    const row = rows.get(name) ?? { name, games: 0, score: 0, best: -Infinity, ticks: 0 };
    rows.set(name, row);
    row.games++;
    row.score += scores[0]!;
    row.ticks += ticks;
    row.best = Math.max(row.best, scores[0]!);
  }
  const means = [...rows.values()].map((row) => ({ ...row, score: row.score / row.games, ticks: row.ticks / row.games }));
  return means.sort((a, b) => b.score - a.score || a.ticks - b.ticks);
}

/** Everything about one bot in a run. */
export interface BotPage {
  readonly name: string;
  readonly rating: Rating | null;
  readonly games: readonly GameLine[];
  readonly crashes: number;
  readonly losses: readonly Loss[];
}

export function botPage(games: readonly GameLine[], ratings: readonly Rating[], name: string): BotPage {
  const own = games.filter(({ bots }) => bots.some((bot) => bot.name === name));
  return {
    name,
    rating: ratings.find((rating) => rating.name === name) ?? null,
    games: own,
    crashes: own.filter((game) => crashed(game, game.bots.findIndex((bot) => bot.name === name))).length, // prettier-ignore
    losses: worstLosses(own, 10, name),
  };
}
