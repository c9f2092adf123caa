import { square } from './numbers.ts';
import { InputError } from '@lockstep/kernel';

/**
 * How often each outcome came, from the worst to the best: three for single games (loss, draw, win), five for pairs of games on one seed
 * with the seats changed (0, ½, 1, 1½, 2 points). Pairs tell more: what the seed gives to one side it gives to the other in the second game.
 */
export type Counts = readonly [number, number, number] | readonly [number, number, number, number, number];

/** Points of outcome i as a share of all that could be won: 0..1. */
export function shareOf(counts: Counts, i: number): number {
  return i / (counts.length - 1);
}

export interface Moments {
  readonly count: number;
  /** Mean share of the points. */
  readonly mean: number;
  /** Of one outcome's share. */
  readonly variance: number;
}

export function moments(counts: Counts): Moments {
  const count = counts.reduce<number>((sum, one) => sum + one, 0);
  const mean = counts.reduce<number>((sum, one, i) => sum + one * shareOf(counts, i), 0) / count;
  const variance = counts.reduce<number>((sum, one, i) => sum + one * square(shareOf(counts, i) - mean), 0) / count;
  return { count, mean, variance };
}

/** The door for counts: three or five whole numbers. */
export function readCounts(raw: unknown, path = 'counts'): Counts {
  const expected = 'three numbers (losses, draws, wins) or five (pairs with 0, ½, 1, 1½, 2 points)';
  if (!Array.isArray(raw) || (raw.length !== 3 && raw.length !== 5)) throw new InputError(path, expected, raw);
  raw.forEach((one, i) => {
    if (!Number.isSafeInteger(one) || one < 0) throw new InputError(`${path}[${i}]`, 'a whole number from 0', one);
  });
  const counts = raw as unknown as Counts;
  if (counts.every((one) => one === 0)) throw new InputError(path, 'at least one game', raw);
  return counts;
}
