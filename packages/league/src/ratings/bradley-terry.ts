import { Z95 } from '../stats/elo.ts';
import { exp } from '../stats/numbers.ts';
import type { Comparisons } from './comparisons.ts';
import { factor, solve } from './cholesky.ts';

export interface Rating {
  readonly name: string;
  readonly rating: number;
  /** Half the 95 % interval. */
  readonly error: number;
  readonly games: number;
  /** Share of the points won. */
  readonly share: number;
}

export interface BradleyTerryOptions {
  /** What the average of the ratings is, where there are no anchors. */
  readonly average?: number;
  /** Ratings that are known and stay. */
  readonly anchors?: Readonly<Record<string, number>>;
}

/** Everybody has drawn so many games with an average player: who has won every game is not infinitely strong. */
const PRIOR_GAMES = 1;
const SCALE = 400 / Math.LN10;

/**
 * Bradley and Terry: i beats j with chance 1 / (1 + 10^((rⱼ - rᵢ) / 400)). The ratings under which the results are likeliest, all at once
 * from all of them, by Newton's method; the error bars come from the curvature at the top.
 */
export function bradleyTerry(comparisons: Comparisons, options: BradleyTerryOptions = {}): Rating[] {
  const { names, points, games } = comparisons;
  const n = names.length;
  const { average = 1500, anchors = {} } = options;
  const fixed = names.map((name) => anchors[name]);
  const known = fixed.filter((one) => one !== undefined);
  const zero = known.length === 0 ? average : known.reduce((sum, one) => sum + one, 0) / known.length;
  const strength = Float64Array.from(fixed, (one) => ((one ?? zero) - zero) / SCALE);
  const free = names.map((_, i) => i).filter((i) => fixed[i] === undefined);
  let curvature = new Float64Array(0);
  for (let round = 0; round < 100 && free.length > 0; round++) {
    const slope = new Float64Array(free.length);
    curvature = factor(slopeAndCurvature(points, n, strength, free, slope), free.length);
    const step = solve(curvature, slope);
    let longest = 0;
    free.forEach((i, k) => {
      const move = Math.max(-2, Math.min(2, step[k]!)); // far from the top a whole step would overshoot
      strength[i] = strength[i]! + move;
      longest = Math.max(longest, Math.abs(move));
    });
    if (longest < 1e-10) break;
  }
  const shift = known.length > 0 || n === 0 ? 0 : strength.reduce((sum, one) => sum + one, 0) / n;
  const variances = variancesOf(curvature, free.length, known.length === 0);
  return names
    .map((name, i) => {
      const k = free.indexOf(i);
      const error = k < 0 ? 0 : Z95 * Math.sqrt(variances[k]!) * SCALE;
      return { name, rating: zero + (strength[i]! - shift) * SCALE, error, games: games[i]!, share: shareWon(points, n, i) };
    })
    .sort((a, b) => b.rating - a.rating || (a.name < b.name ? -1 : 1));
}

/** Fills `slope`, the first derivative of the log-likelihood; returns minus the second. */
function slopeAndCurvature(
  points: Float64Array,
  n: number,
  strength: Float64Array,
  free: readonly number[],
  slope: Float64Array,
): Float64Array {
  const m = free.length;
  const place = new Int32Array(n).fill(-1);
  free.forEach((i, k) => (place[i] = k));
  const curvature = new Float64Array(m * m);
  free.forEach((i, k) => {
    const even = 1 / (1 + exp(-strength[i]!));
    let sum = PRIOR_GAMES * (0.5 - even);
    let bend = PRIOR_GAMES * even * (1 - even);
    for (let j = 0; j < n; j++) {
      const played = points[i * n + j]! + points[j * n + i]!;
      if (played === 0) continue;
      const chance = 1 / (1 + exp(strength[j]! - strength[i]!));
      const weight = played * chance * (1 - chance);
      sum += points[i * n + j]! - played * chance;
      bend += weight;
      if (place[j]! >= 0) curvature[k * m + place[j]!] = -weight;
    }
    slope[k] = sum;
    curvature[k * m + k] = bend;
  });
  return curvature;
}

/** Of each free rating; where nothing is anchored, of its distance from the average. */
function variancesOf(factored: Float64Array, m: number, centred: boolean): number[] {
  const columns = Array.from({ length: m }, (_, k) => {
    const unit = new Float64Array(m);
    unit[k] = 1;
    return solve(factored, unit);
  });
  if (!centred) return columns.map((column, k) => column[k]!);
  const means = columns.map((column) => column.reduce((sum, one) => sum + one, 0) / m);
  const mean = means.reduce((sum, one) => sum + one, 0) / Math.max(m, 1);
  return columns.map((column, k) => Math.max(0, column[k]! - 2 * means[k]! + mean));
}

function shareWon(points: Float64Array, n: number, i: number): number {
  let won = 0;
  let lost = 0;
  for (let j = 0; j < n; j++) {
    won += points[i * n + j]!;
    lost += points[j * n + i]!;
  }
  return won + lost === 0 ? 0 : won / (won + lost);
}
