import { crashed, type GameLine, pointsAgainst } from './result.ts';
import type { Counts } from './stats/counts.ts';
import { type Estimate, elo, los, meanOf, nElo } from './stats/elo.ts';
import { type Sprt, type SprtState, sprtState } from './stats/sprt.ts';

/**
 * What is known of one bot against another after some pairs of games. The two games of a pair have one seed: with the seats changed, or,
 * where a world is played alone, one game of each bot.
 */
export interface Versus {
  readonly pairs: number;
  readonly games: number;
  readonly wins: number;
  readonly losses: number;
  readonly draws: number;
  /** Wins and half the draws. */
  readonly points: number;
  /** Pairs with 0, ½, 1, 1½, 2 points; lost, drawn and won where a world is played alone. */
  readonly counts: Counts;
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

/**
 * Counts games whose ids are those of `pairId`, in the order of the pairs, up to the first that is not whole or the one that decides the
 * test: how many were played at once does not matter.
 */
export class PairCount {
  private readonly name: string;
  private readonly sprt: Sprt | null;
  private counts: number[] = [0, 0, 0, 0, 0];
  private readonly tally = { wins: 0, losses: 0, draws: 0, points: 0 };
  private readonly faults: [number, number] = [0, 0];
  private readonly differences: number[] = [];
  private state: SprtState | null;

  constructor(name: string, sprt: Sprt | null) {
    this.name = name;
    this.sprt = sprt;
    this.state = sprt === null ? null : sprtState(this.counts as unknown as Counts, sprt);
  }

  /** What is known with all results so far; those that were counted before are not looked at again. */
  take(games: ReadonlyMap<string, GameLine>): Versus {
    while ((this.state?.verdict ?? null) === null) {
      const pair = this.differences.length;
      const [first, second] = [games.get(pairId(pair, 0)), games.get(pairId(pair, 1))];
      if (first === undefined || second === undefined) break;
      this.add(first, second);
      if (this.sprt !== null) this.state = sprtState(this.counts as unknown as Counts, this.sprt);
    }
    return this.versus();
  }

  private add(first: GameLine, second: GameLine): void {
    const { name, tally } = this;
    const alone = first.bots.length === 1;
    if (alone && this.counts.length === 5) this.counts = [0, 0, 0];
    const points = alone ? [soloPoints(first, second)] : [pointsOf(first, name), pointsOf(second, name)];
    for (const one of points) {
      tally.points += one;
      if (one > 0.5) tally.wins++;
      else if (one < 0.5) tally.losses++;
      else tally.draws++;
    }
    this.counts[Math.floor(2 * points.reduce((sum, one) => sum + one, 0))]!++;
    this.differences.push(alone ? first.scores[0]! - second.scores[0]! : (difference(first, name) + difference(second, name)) / 2);
    for (const game of [first, second])
      game.bots.forEach((bot, i) => {
        if (crashed(game, i)) this.faults[bot.name === name ? 0 : 1]++;
      });
  }

  private versus(): Versus {
    const counts = [...this.counts] as unknown as Counts;
    const middle = (counts.length - 1) / 2;
    const sum = (list: readonly number[]): number => list.reduce((total, one) => total + one, 0);
    return {
      pairs: this.differences.length,
      games: 2 * this.differences.length,
      ...this.tally,
      counts,
      ...estimates(counts),
      pairsRatio: sum(counts.slice(middle + 1)) / sum(counts.slice(0, middle)),
      difference: meanOf(this.differences),
      faults: [...this.faults],
      sprt: this.state,
    };
  }
}

export function pairId(pair: number, turn: 0 | 1): string {
  return `${pair + 1}${turn === 0 ? 'a' : 'b'}`;
}

export function estimates(counts: Counts): { readonly elo: Estimate; readonly nElo: Estimate; readonly los: number } {
  if (counts.every((one) => one === 0)) return { elo: UNKNOWN, nElo: UNKNOWN, los: 0.5 };
  return { elo: elo(counts), nElo: nElo(counts), los: los(counts) };
}

const UNKNOWN: Estimate = { value: 0, error: Infinity };

/** 1, ½ or 0: the higher score wins, at equal scores the shorter game. */
function soloPoints(own: GameLine, other: GameLine): number {
  const ahead = own.scores[0]! - other.scores[0]! || other.ticks - own.ticks;
  return ahead > 0 ? 1 : ahead < 0 ? 0 : 0.5;
}

/** Of the seats with this name against all others, rounded to 0, ½ or 1. */
function pointsOf(game: GameLine, name: string): number {
  let won = 0;
  let met = 0;
  eachMeeting(game, name, (own, other) => {
    won += pointsAgainst(game, own, other);
    met++;
  });
  return won * 2 > met ? 1 : won * 2 < met ? 0 : 0.5;
}

function difference(game: GameLine, name: string): number {
  let sum = 0;
  let met = 0;
  eachMeeting(game, name, (own, other) => {
    sum += game.scores[own]! - game.scores[other]!;
    met++;
  });
  return sum / met;
}

function eachMeeting({ bots }: GameLine, name: string, meet: (own: number, other: number) => void): void {
  bots.forEach((bot, own) => {
    if (bot.name === name)
      bots.forEach((one, other) => {
        if (one.name !== name) meet(own, other);
      });
  });
}
