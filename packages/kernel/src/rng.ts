import type { FieldIO } from './fields.ts';
import type { Seed } from './seed.ts';

/** sfc32 (C. Doty-Humphrey, PractRand). The generator is four int32 inside the state, so a snapshot carries the dice with it. */
export class Rng {
  a = 0;
  b = 0;
  c = 0;
  counter = 1;
}

export function seedRng(seed: Seed): Rng {
  const rng = new Rng();
  rng.b = Number(BigInt.asIntN(32, seed));
  rng.c = Number(BigInt.asIntN(32, seed >> 32n));
  for (let i = 0; i < 12; i++) nextUint32(rng);
  return rng;
}

export function rngFields(io: FieldIO, rng: Rng): void {
  rng.a = io.num(rng.a);
  rng.b = io.num(rng.b);
  rng.c = io.num(rng.c);
  rng.counter = io.num(rng.counter);
}

export function nextUint32(rng: Rng): number {
  const { b, c } = rng;
  const out = (rng.a + b + rng.counter) | 0;
  rng.counter = (rng.counter + 1) | 0;
  rng.a = b ^ (b >>> 9);
  rng.b = (c + (c << 3)) | 0;
  rng.c = (((c << 21) | (c >>> 11)) + out) | 0;
  return out >>> 0;
}

/** 53 random bits between min (included) and max (excluded). */
export function uniform(rng: Rng, min: number, max: number): number {
  const high = nextUint32(rng) >>> 5;
  const low = nextUint32(rng) >>> 6;
  const value = min + (max - min) * ((high * 0x400_0000 + low) / 0x20_0000_0000_0000);
  return value < max ? value : min; // the product may round up to max itself
}

/** A whole number 0..n-1, each equally likely; n is 1..2^32. */
export function nextInt(rng: Rng, n: number): number {
  if (!(n >= 1 && n <= 0x1_0000_0000 && Math.floor(n) === n)) throw new RangeError(`nextInt: expected a whole number 1..2^32, got ${n}`);
  const fair = 0x1_0000_0000 - (0x1_0000_0000 % n); // draws beyond the last whole round of n are thrown away
  let draw = nextUint32(rng);
  while (draw >= fair) draw = nextUint32(rng);
  return draw % n;
}
