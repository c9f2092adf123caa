import { nextInt, type Rng } from '@lockstep/kernel';
import type { Circle, RaceMap } from './map.ts';
import { MAX_POS, MAX_SIZE, MIN_POS } from './rules.ts';

/** A whole number min..max. */
export const between = (rng: Rng, min: number, max: number): number =>
  min + Math.floor((nextInt(rng, 0x1_0000_0000) / 0x1_0000_0000) * (max - min + 1));

export function mapWithin(rng: Rng, span: number, radius: number, count: number): RaceMap {
  const at = (): number => Math.max(MIN_POS, Math.min(MAX_POS, between(rng, -span, span)));
  const circle = (): Circle => ({ x: at(), y: at(), radius: Math.min(MAX_SIZE, between(rng, 0, radius)) });
  const [a, b, c, d] = [at(), at(), at(), at()] as const;
  const box = { min_x: Math.min(a, b), min_y: Math.min(c, d), max_x: Math.max(a, b), max_y: Math.max(c, d) };
  const circles = (): Circle[] => Array.from({ length: count }, circle);
  return { racer: { ...circle(), radius: between(rng, 0, Math.min(radius, span / 4)) }, box, asteroids: circles(), goals: circles() };
}

/** The kinds of maps that all computing is compared on: name, span, radius, how many circles, how many ticks. */
export const KINDS = [
  ['tiny units, where centres coincide', 20, 4, 12, 80],
  ['a crowd in a small box', 3000, 300, 120, 40],
  ['the size of public maps', 500_000, 60_000, 60, 40],
  ['around the switch-over', 300_000_000, 0x800_0000, 8, 25],
  ['the whole range of the datatypes', 0x8000_0000, MAX_SIZE, 6, 15],
  ['the whole range, small things', 0x8000_0000, 1000, 6, 10],
] as const;
