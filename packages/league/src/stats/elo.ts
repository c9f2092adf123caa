import { type Counts, moments } from './counts.ts';
import { erf, exp, ln, square } from './numbers.ts';

/** A value and half the width of its 95 % interval. */
export interface Estimate {
  readonly value: number;
  readonly error: number;
}

/** The standard normal distribution has 95 % within this. */
export const Z95 = 1.959963984540054;

/** Elo per unit of normalized score: 800 / ln 10. */
export const NELO_SCALE = 800 / Math.LN10;

/** How many Elo points apart two players are of whom one wins this share of the points. */
export function eloOf(share: number): number {
  if (share <= 0) return -Infinity;
  if (share >= 1) return Infinity;
  return (-400 / Math.LN10) * ln(1 / share - 1);
}

/** The share of the points that a player wins who is so many Elo points better. */
export function shareAt(elo: number): number {
  return 1 / (1 + exp((-elo * Math.LN10) / 400));
}

export function elo(counts: Counts): Estimate {
  const { mean } = moments(counts);
  const half = halfWidth(counts);
  return { value: eloOf(mean), error: (eloOf(mean + half) - eloOf(mean - half)) / 2 };
}

/**
 * Normalized Elo: the distance from an even score in standard deviations of one game, so that the number of games needed to show it does
 * not depend on how often games are drawn.
 */
export function nElo(counts: Counts): Estimate {
  const { count, mean } = moments(counts);
  const deviation = gameDeviation(counts);
  if (deviation === 0) return { value: mean === 0.5 ? 0 : Infinity * (mean - 0.5), error: count === 1 ? Infinity : 0 };
  return { value: ((mean - 0.5) / deviation) * NELO_SCALE, error: (halfWidth(counts) / deviation) * NELO_SCALE };
}

/** The likelihood that the first player is the better one, 0..1. */
export function los(counts: Counts): number {
  const { count, mean, variance } = moments(counts);
  if (variance === 0) return mean === 0.5 ? 0.5 : Number(mean > 0.5);
  return (1 + erf((mean - 0.5) / Math.sqrt((2 * variance) / count))) / 2;
}

/** Of one game's points; a pair is two games, whose variances add up. */
export function gameDeviation(counts: Counts): number {
  const { variance } = moments(counts);
  return Math.sqrt(counts.length === 5 ? 2 * variance : variance);
}

/** Half the 95 % interval of the share of the points. One outcome tells nothing of how far they lie apart. */
function halfWidth(counts: Counts): number {
  const { count, variance } = moments(counts);
  return count === 1 ? Infinity : Z95 * Math.sqrt(variance / count);
}

/** Mean and 95 % interval of plain numbers, such as goal differences of pairs. */
export function meanOf(values: readonly number[]): Estimate {
  const n = values.length;
  if (n === 0) return { value: 0, error: Infinity };
  const mean = values.reduce((sum, one) => sum + one, 0) / n;
  if (n === 1) return { value: mean, error: Infinity };
  const variance = values.reduce((sum, one) => sum + square(one - mean), 0) / (n - 1);
  return { value: mean, error: Z95 * Math.sqrt(variance / n) };
}
