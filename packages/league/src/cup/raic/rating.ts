import { exp } from '../../stats/numbers.ts';
import type { RatingPlan } from './plan.ts';

/** What the Sandbox holds of a participant. */
export interface SandboxRating {
  estimate: number;
  deviation: number;
}

const Q = Math.LN10 / 400;

export function newRating({ start, deviation, caution }: RatingPlan): SandboxRating {
  return { estimate: start + caution * deviation, deviation };
}

export function shownRating({ estimate, deviation }: SandboxRating, { caution }: RatingPlan): number {
  return estimate - caution * deviation;
}

/** "A win over a weak opponent gives little; it grows inert with games": one game of M. Glickman's first system. */
export function afterGame(own: SandboxRating, other: SandboxRating, points: number, { leastDeviation }: RatingPlan): SandboxRating {
  const weight = 1 / Math.sqrt(1 + (3 * Q * Q * other.deviation * other.deviation) / (Math.PI * Math.PI));
  const chance = 1 / (1 + exp(-Q * weight * (own.estimate - other.estimate)));
  const information = 1 / (own.deviation * own.deviation) + Q * Q * weight * weight * chance * (1 - chance);
  return {
    estimate: own.estimate + (Q / information) * weight * (points - chance),
    deviation: Math.max(leastDeviation, Math.sqrt(1 / information)),
  };
}
