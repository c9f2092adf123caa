import type { Counts } from './stats/counts.ts';
import { type Estimate, elo, los, meanOf, nElo } from './stats/elo.ts';
import { type Sprt, type SprtState, sprtState } from './stats/sprt.ts';
import { crashed, type GameLine, pointsAgainst } from './result.ts';

/** What is known of one bot against another after some pairs of games on one seed each, the seats changed. */
export interface Versus {
  readonly pairs: number;
  readonly games: number;
  readonly wins: number;
  readonly losses: number;
  readonly draws: number;
  readonly points: number;
  /** By pairs: 0, ½, 1, 1½, 2 points. */
  readonly ptnml: readonly [number, number, number, number, number];
  readonly elo: Estimate;
  readonly nElo: Estimate;
  readonly los: number;
  /** Pairs won to pairs lost. */
  readonly pairsRatio: number;
  /** Difference of scores a game, its interval from whole pairs. */
  readonly difference: Estimate;
  readonly faults: readonly [own: number, others: number];
  readonly sprt: SprtState | null;
}

/** Of the games whose ids are those of `pairId`; a pair counts when both of its games are there. */
export function versus(games: ReadonlyMap<string, GameLine>, pairs: number, name: string, sprt: Sprt | null): Versus {
  const ptnml: [number, number, number, number, number] = [0, 0, 0, 0, 0];
  const tally = { wins: 0, losses: 0, draws: 0, points: 0 };
  const faults: [number, number] = [0, 0];
  const differences: number[] = [];
  for (let pair = 0; pair < pairs; pair++) {
    const both = [games.get(pairId(pair, 0)), games.get(pairId(pair, 1))];
    if (both[0] === undefined || both[1] === undefined) continue;
    let doubled = 0;
    let difference = 0;
    for (const game of both as GameLine[]) {
      const own = game.bots.findIndex((bot) => bot.name === name);
      const points = pointsAgainst(game, own, 1 - own);
      doubled += 2 * points;
      difference += (game.scores[own]! - game.scores[1 - own]!) / 2;
      tally.points += points;
      if (points === 1) tally.wins++;
      else if (points === 0) tally.losses++;
      else tally.draws++;
      if (crashed(game, own)) faults[0]++;
      if (crashed(game, 1 - own)) faults[1]++;
    }
    ptnml[doubled as 0 | 1 | 2 | 3 | 4]++;
    differences.push(difference);
  }
  return {
    pairs: differences.length,
    games: 2 * differences.length,
    ...tally,
    ptnml,
    ...estimates(ptnml),
    pairsRatio: (ptnml[3] + ptnml[4]) / (ptnml[0] + ptnml[1]),
    difference: meanOf(differences),
    faults,
    sprt: sprt === null ? null : sprtState(ptnml, sprt),
  };
}

export function pairId(pair: number, turn: 0 | 1): string {
  return `${pair + 1}${turn === 0 ? 'a' : 'b'}`;
}

export function estimates(counts: Counts): { readonly elo: Estimate; readonly nElo: Estimate; readonly los: number } {
  if (counts.every((one) => one === 0)) return { elo: UNKNOWN, nElo: UNKNOWN, los: 0.5 };
  return { elo: elo(counts), nElo: nElo(counts), los: los(counts) };
}

const UNKNOWN: Estimate = { value: 0, error: Infinity };
