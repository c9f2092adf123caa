import { InputError, nextInt, type Seed } from '@lockstep/kernel';
import { diceFor } from './cup/play.ts';
import { exp, ln } from './stats/numbers.ts';

/** A number of a bot that is to be tuned. */
export interface Param {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  readonly start: number;
}

export type Values = Readonly<Record<string, number>>;

export interface SpsaPlan {
  readonly params: readonly Param[];
  readonly rounds: number;
  readonly seed: Seed;
  /** How far apart the two tries of a round are at the end, as a share of a parameter's range. */
  readonly lastStep: number;
  /** How far a whole won round moves a parameter at the end, as a share of that step. */
  readonly rate: number;
}

/** J. Spall's exponents. */
const ALPHA = 0.602;
const GAMMA = 0.101;

/** The two sets of values that play each other in round k (from 0). */
export function triesOf(plan: SpsaPlan, values: Values, round: number): { readonly plus: Values; readonly minus: Values } {
  const shift = (sign: number): Values =>
    Object.fromEntries(plan.params.map((param, i) => [param.name, clamp(values[param.name]! + sign * signsOf(plan, round)[i]! * stepOf(plan, param, round), param)])); // prettier-ignore
  return { plus: shift(1), minus: shift(-1) };
}

/** The values after round k, in which `plus` scored `share` (0..1) against `minus`: a step uphill. */
export function afterRound(plan: SpsaPlan, values: Values, round: number, share: number): Values {
  const signs = signsOf(plan, round);
  return Object.fromEntries(
    plan.params.map((param, i) => {
      const gain = plan.rate * power((plan.rounds * 1.1) / (round + 1 + 0.1 * plan.rounds), ALPHA - GAMMA);
      return [param.name, clamp(values[param.name]! + gain * (2 * share - 1) * signs[i]! * stepOf(plan, param, round), param)];
    }),
  );
}

export function startOf({ params }: SpsaPlan): Values {
  return Object.fromEntries(params.map(({ name, start }) => [name, start]));
}

/** "aggression=0:10" or "aggression=0:10:3", which begins at 3. */
export function readParam(text: string): Param {
  const [, name, min, max, start] = /^([A-Za-z_]\w*)=(-?[\d.]+):(-?[\d.]+)(?::(-?[\d.]+))?$/.exec(text) ?? [];
  const expected = 'name=least:most or name=least:most:start';
  if (name === undefined) throw new InputError('param', expected, text);
  const param = { name, min: Number(min), max: Number(max), start: start === undefined ? (Number(min) + Number(max)) / 2 : Number(start) };
  if (!(param.min < param.max && param.start >= param.min && param.start <= param.max)) throw new InputError('param', expected, text);
  return param;
}

function stepOf({ rounds, lastStep }: SpsaPlan, { min, max }: Param, round: number): number {
  return (max - min) * lastStep * power(rounds / (round + 1), GAMMA);
}

/** Each parameter goes up or down by the toss of a coin. */
function signsOf({ seed, params }: SpsaPlan, round: number): number[] {
  const dice = diceFor(seed, `tune/${round}`);
  return params.map(() => (nextInt(dice, 2) === 0 ? 1 : -1));
}

function clamp(value: number, { min, max }: Param): number {
  return Math.max(min, Math.min(max, value));
}

const power = (base: number, exponent: number): number => exp(exponent * ln(base));
