import { crashed, type GameLine, pointsAgainst } from '../result.ts';

/** Where somebody stands after the games of a stage. */
export interface Standing {
  readonly name: string;
  readonly games: number;
  readonly wins: number;
  readonly draws: number;
  readonly losses: number;
  /** A win against each other bot of a game is one point, a draw half; a bye is a win. */
  readonly points: number;
  /** Sum of own scores, and of the scores of the others. */
  readonly scored: number;
  readonly conceded: number;
  readonly crashes: number;
  /** Of all games together. */
  readonly ticks: number;
}

/** Counts games; best first: points, then the difference of scores, then the score, then fewer ticks, then the order of `names`. */
export function standingsOf(names: readonly string[], games: Iterable<GameLine>, byes: readonly string[] = []): Standing[] {
  const table = new Map(names.map((name) => [name, blank(name)]));
  for (const game of games) game.bots.forEach(({ name }, bot) => addGame(table.get(name), game, bot));
  for (const name of byes) table.get(name)!.points++;
  const place = new Map(names.map((name, i) => [name, i]));
  const difference = ({ scored, conceded }: Standing): number => scored - conceded;
  return [...table.values()].sort(
    (a, b) =>
      b.points - a.points ||
      difference(b) - difference(a) ||
      b.scored - a.scored ||
      (a.conceded + b.conceded === 0 ? a.ticks - b.ticks : 0) ||
      place.get(a.name)! - place.get(b.name)!,
  );
}

type Tally = { -readonly [K in keyof Standing]: Standing[K] };

function blank(name: string): Tally {
  return { name, games: 0, wins: 0, draws: 0, losses: 0, points: 0, scored: 0, conceded: 0, crashes: 0, ticks: 0 };
}

function addGame(tally: Tally | undefined, game: GameLine, bot: number): void {
  if (tally === undefined) return;
  tally.games++;
  tally.scored += game.scores[bot]!;
  tally.ticks += game.ticks;
  if (crashed(game, bot)) tally.crashes++;
  let against = 0;
  game.bots.forEach((_, other) => {
    if (other === bot) return;
    tally.conceded += game.scores[other]!;
    against += pointsAgainst(game, bot, other);
  });
  tally.points += against;
  const others = game.bots.length - 1;
  if (others === 0) return;
  if (against === others) tally.wins++;
  else if (game.ranks[bot] === 1) tally.draws++;
  else tally.losses++;
}
