import { type GameLine, pointsAgainst } from '../result.ts';
import { exp, ln, square } from '../stats/numbers.ts';

export interface Glicko2 {
  readonly rating: number;
  /** The standard deviation of the rating. */
  readonly deviation: number;
  readonly volatility: number;
}

export interface Glicko2Options {
  readonly start?: Glicko2;
  /** Constrains how fast volatility changes. */
  readonly tau?: number;
  /** Games of one rating period, in the order of the lines. */
  readonly period?: number;
}

interface Meeting {
  readonly opponent: Glicko2;
  readonly points: number;
}

const NEW: Glicko2 = { rating: 1500, deviation: 350, volatility: 0.06 };
const SCALE = 173.7178;

/** M. Glickman, "Example of the Glicko-2 system": ratings after each period from those before it. */
export function glicko2Ratings(
  games: Iterable<GameLine>,
  { start = NEW, tau = 0.5, period = 100 }: Glicko2Options = {},
): Map<string, Glicko2> {
  const all = [...games];
  let ratings = new Map<string, Glicko2>();
  for (let from = 0; from < all.length; from += period) {
    const meetings = new Map<string, Meeting[]>([...ratings.keys()].map((name) => [name, []]));
    for (const game of all.slice(from, from + period))
      game.bots.forEach(({ name }, a) => {
        const met = meetings.get(name) ?? [];
        meetings.set(name, met);
        game.bots.forEach((other, b) => {
          if (other.name !== name) met.push({ opponent: ratings.get(other.name) ?? start, points: pointsAgainst(game, a, b) });
        });
      });
    ratings = new Map([...meetings].map(([name, met]) => [name, afterPeriod(ratings.get(name) ?? start, met, tau)]));
  }
  return ratings;
}

export function afterPeriod({ rating, deviation, volatility }: Glicko2, meetings: readonly Meeting[], tau: number): Glicko2 {
  const phi = deviation / SCALE;
  if (meetings.length === 0) return { rating, deviation: SCALE * Math.sqrt(phi * phi + volatility * volatility), volatility };
  let information = 0;
  let gain = 0;
  for (const { opponent, points } of meetings) {
    const weight = 1 / Math.sqrt(1 + (3 * square(opponent.deviation / SCALE)) / (Math.PI * Math.PI));
    const chance = 1 / (1 + exp((-weight * (rating - opponent.rating)) / SCALE));
    information += weight * weight * chance * (1 - chance);
    gain += weight * (points - chance);
  }
  const variance = 1 / information;
  const sigma = newVolatility(phi, volatility, variance, variance * gain, tau);
  const spread = 1 / Math.sqrt(1 / (phi * phi + sigma * sigma) + 1 / variance);
  return { rating: rating + SCALE * spread * spread * gain, deviation: SCALE * spread, volatility: sigma };
}

/** Step 5 of the paper: the root of f by the Illinois algorithm. */
function newVolatility(phi: number, volatility: number, variance: number, delta: number, tau: number): number {
  const a = 2 * ln(volatility);
  const f = (x: number): number => {
    const e = exp(x);
    const total = phi * phi + variance + e;
    return (e * (delta * delta - total)) / (2 * total * total) - (x - a) / (tau * tau);
  };
  let low = a;
  let high = delta * delta > phi * phi + variance ? ln(delta * delta - phi * phi - variance) : a - tau;
  while (high < a && f(high) < 0) high -= tau;
  let fLow = f(low);
  let fHigh = f(high);
  while (Math.abs(high - low) > 1e-6) {
    const middle = low + ((low - high) * fLow) / (fHigh - fLow);
    const fMiddle = f(middle);
    if (fMiddle * fHigh <= 0) [low, fLow] = [high, fHigh];
    else fLow /= 2;
    [high, fHigh] = [middle, fMiddle];
  }
  return exp(low / 2);
}
