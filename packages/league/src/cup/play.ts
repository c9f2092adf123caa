import { nextInt, type Rng, type Seed, seedRng, uniform } from '@lockstep/kernel';
import type { GameLine } from '../result.ts';
import { square } from '../stats/numbers.ts';

/** A game that is to be played. */
export interface PlannedGame {
  /** Says where in the cup it stands; the same in every run of the same cup. */
  readonly id: string;
  readonly seed: Seed;
  /** By seat: whose bot sits there. */
  readonly seats: readonly Entry[];
  /** The name of the world's preset. */
  readonly rules: string;
}

/** Somebody with the bot that plays for them now. */
export interface Entry {
  readonly name: string;
  /** How the bot is reached: a path, a command, a built-in name. */
  readonly bot: string;
}

/**
 * A part of a cup: yields the games that can be played at once, is given their results in the same order, returns where everybody stands.
 * It is a function of its plan and the results alone, so a cup that was stopped is run again from its journal up to the first game that
 * is not there.
 */
export type Play<Outcome> = Generator<readonly PlannedGame[], Outcome, readonly GameLine[]>;

/** FNV-1a over the text, spread over all bits: every game of a cup has a seed of its own. */
export function seedFor(base: Seed, key: string): Seed {
  let h = 0xcbf29ce484222325n;
  for (const char of `${base}/${key}`) h = BigInt.asUintN(64, (h ^ BigInt(char.codePointAt(0)!)) * 0x100000001b3n);
  h = BigInt.asUintN(64, (h ^ (h >> 30n)) * 0xbf58476d1ce4e5b9n);
  h = BigInt.asUintN(64, (h ^ (h >> 27n)) * 0x94d049bb133111ebn);
  return h ^ (h >> 31n);
}

export function diceFor(base: Seed, key: string): Rng {
  return seedRng(seedFor(base, key));
}

/** One of those who are so far away in rating: `nearness` apart half as likely as equal ones. */
export function drawNear(distances: readonly number[], nearness: number, dice: Rng): number {
  const weights = distances.map((distance) => 1 / (1 + square(distance / nearness)));
  let left = uniform(dice, 0, weights.reduce((sum, one) => sum + one, 0)); // prettier-ignore
  for (let i = 0; i < weights.length; i++) {
    left -= weights[i]!;
    if (left < 0) return i;
  }
  return weights.length - 1;
}

export function shuffled<T>(list: readonly T[], rng: Rng): T[] {
  const out = [...list];
  for (let i = out.length - 1; i > 0; i--) {
    const j = nextInt(rng, i + 1);
    [out[i], out[j]] = [out[j]!, out[i]!];
  }
  return out;
}

/** Who meets whom, and how often: on each seed once on every seat, so that neither seed nor seat favours anybody. */
export interface Encounter {
  readonly id: string;
  readonly entries: readonly Entry[];
  readonly rounds: number;
}

export function gamesOf({ id, entries, rounds }: Encounter, base: Seed, rules: string): PlannedGame[] {
  const games: PlannedGame[] = [];
  for (let round = 0; round < rounds; round++)
    for (let turn = 0; turn < entries.length; turn++) {
      const seats = entries.map((_, seat) => entries[(seat + turn) % entries.length]!);
      games.push({ id: `${id}/${round + 1}${letter(turn)}`, seed: seedFor(base, `${id}/${round + 1}`), seats, rules });
    }
  return games;
}

const letter = (turn: number): string => String.fromCharCode(97 + turn);
