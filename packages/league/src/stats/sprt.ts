import { InputError } from '@lockstep/kernel';
import { type Counts, shareOf } from './counts.ts';
import { NELO_SCALE, shareAt } from './elo.ts';
import { ln, square } from './numbers.ts';

/**
 * The sequential probability ratio test: after every pair of games, how much more likely are the results if the new bot is `elo1` better
 * than if it is `elo0` better? It stops as soon as the answer is clear, which on average takes a fraction of a fixed number of games.
 */
export interface Sprt {
  readonly elo0: number;
  readonly elo1: number;
  /** 'normalized': elo0 and elo1 are normalized Elo; 'logistic': plain Elo. */
  readonly model: 'normalized' | 'logistic';
  /** The share of worthless changes that pass, and of good ones that fail. */
  readonly alpha: number;
  readonly beta: number;
}

export type Verdict = 'H0' | 'H1' | null;

export interface SprtState {
  readonly llr: number;
  readonly lower: number;
  readonly upper: number;
  /** 'H1': the change is good; 'H0': it is not; null: go on. */
  readonly verdict: Verdict;
}

/** The one place that refuses a test that decides nothing. */
export function checkSprt({ elo0, elo1, alpha, beta }: Sprt): void {
  if (!(elo0 < elo1)) throw new InputError('elo1', `more than elo0 = ${elo0}`, elo1);
  for (const [name, value] of [
    ['alpha', alpha],
    ['beta', beta],
  ] as const)
    // prettier-ignore
    if (!(value > 0 && value < 0.5)) throw new InputError(name, 'a number between 0 and 0.5', value);
}

export function sprtState(counts: Counts, test: Sprt): SprtState {
  const lower = ln(test.beta / (1 - test.alpha));
  const upper = ln((1 - test.beta) / test.alpha);
  const value = counts.some((one) => one > 0) ? llr(counts, test) : 0;
  return { llr: value, lower, upper, verdict: value >= upper ? 'H1' : value <= lower ? 'H0' : null };
}

/** The log of the ratio of the greatest likelihoods under elo1 and under elo0 (M. Van den Bergh, "The generalized SPRT"). */
export function llr(counts: Counts, { elo0, elo1, model }: Pick<Sprt, 'elo0' | 'elo1' | 'model'>): number {
  const seen = counts.map((one) => Math.max(one, NEVER_SEEN));
  const total = seen.reduce((sum, one) => sum + one, 0);
  const shares = counts.map((_, i) => shareOf(counts, i));
  const chances = seen.map((one) => one / total);
  const likeliest = model === 'logistic' ? likeliestWithMean : likeliestWithDistance;
  const target = model === 'logistic' ? shareAt : (elo: number): number => (elo / NELO_SCALE) * (counts.length === 5 ? Math.SQRT2 : 1);
  const under0 = likeliest(shares, chances, target(elo0));
  const under1 = likeliest(shares, chances, target(elo1));
  return total * chances.reduce((sum, chance, i) => sum + chance * ln(under1[i]! / under0[i]!), 0);
}

/** An outcome that never came is taken as this often: its chance is small, not zero. */
const NEVER_SEEN = 1e-3;

/** Among the distributions with this mean the one under which the seen ones are likeliest. */
function likeliestWithMean(shares: readonly number[], chances: readonly number[], mean: number): number[] {
  return tilted(
    shares.map((share) => share - mean),
    chances,
  );
}

/** The same among those whose mean lies `distance` standard deviations above an even score; found by repeated linearization. */
function likeliestWithDistance(shares: readonly number[], chances: readonly number[], distance: number): number[] {
  let found = shares.map(() => 1 / shares.length);
  for (let round = 0; round < 100; round++) {
    const mean = found.reduce((sum, chance, i) => sum + chance * shares[i]!, 0);
    const deviation = Math.sqrt(found.reduce((sum, chance, i) => sum + chance * square(shares[i]! - mean), 0));
    const slopes = shares.map((share) => share - 0.5 - (distance * deviation * (1 + square((mean - share) / deviation))) / 2);
    const next = tilted(slopes, chances);
    const change = Math.max(...next.map((chance, i) => Math.abs(chance - found[i]!)));
    found = next;
    if (change < 1e-12) break;
  }
  return found;
}

/** chanceᵢ / (1 + x·slopeᵢ) with the x for which Σ slope·that = 0: Lagrange's answer to "likeliest, with Σ slope·chance = 0". */
function tilted(slopes: readonly number[], chances: readonly number[]): number[] {
  let low = -1 / Math.max(...slopes);
  let high = -1 / Math.min(...slopes);
  for (let i = 0; i < 200; i++) {
    const x = (low + high) / 2;
    if (slopes.reduce((sum, slope, k) => sum + (chances[k]! * slope) / (1 + x * slope), 0) > 0) low = x;
    else high = x;
  }
  return chances.map((chance, i) => chance / (1 + ((low + high) / 2) * slopes[i]!));
}
