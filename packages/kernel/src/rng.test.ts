import { describe, expect, it } from 'vitest';
import { restore, snapshot, type FieldIO } from './fields.ts';
import { nextInt, nextUint32, type Rng, rngFields, seedRng, uniform } from './rng.ts';
import { MAX_SEED } from './seed.ts';

/** The published generator in plain 32-bit BigInt arithmetic. */
function* sfc32(seed: bigint): Generator<number> {
  const u32 = (value: bigint) => BigInt.asUintN(32, value);
  let [a, b, c, counter] = [0n, u32(seed), u32(seed >> 32n), 1n];
  for (let i = 0; ; i++) {
    const out = u32(a + b + counter);
    counter = u32(counter + 1n);
    a = b ^ (b >> 9n);
    b = u32(c + (c << 3n));
    c = u32(u32(c << 21n) + (c >> 11n) + out);
    if (i >= 12) yield Number(out);
  }
}

describe('rng', () => {
  it.each([0n, 1n, 538460243868820754n, 1n << 32n, MAX_SEED])('seed %s gives the sequence of sfc32', (seed) => {
    const rng = seedRng(seed);
    const reference = sfc32(seed);
    for (let i = 0; i < 1000; i++) expect(nextUint32(rng)).toBe(reference.next().value);
  });

  it('every bit of a 64-bit seed matters: neighbours, halves swapped, one bit apart', () => {
    const seeds = [0n, 1n, 2n, MAX_SEED, ...Array.from({ length: 64 }, (_, i) => 1n << BigInt(i)), 0x1_0000_0002n, 0x2_0000_0001n];
    const firsts = new Set([...new Set(seeds)].map((seed) => Array.from({ length: 2 }, nextUint32.bind(null, seedRng(seed))).join()));
    expect(firsts.size).toBe(new Set(seeds).size);
  });

  it('its state is int32 throughout and travels through a snapshot', () => {
    const world = { fields: (io: FieldIO, state: { tick: number; rng: Rng }) => rngFields(io, state.rng) };
    const state = { tick: 0, rng: seedRng(7n) };
    for (let i = 0; i < 1000; i++) {
      nextUint32(state.rng);
      for (const part of Object.values(state.rng)) expect(part | 0).toBe(part);
    }
    const kept = snapshot(world, state);
    const future = Array.from({ length: 20 }, () => nextUint32(state.rng));
    restore(world, state, kept);
    expect(Array.from({ length: 20 }, () => nextUint32(state.rng))).toEqual(future);
  });

  it('uniform stays below max, reaches both ends, and uses 53 bits', () => {
    const rng = seedRng(3n);
    let [least, most, odd] = [1, 0, 0];
    for (let i = 0; i < 100_000; i++) {
      const value = uniform(rng, 0, 1);
      least = Math.min(least, value);
      most = Math.max(most, value);
      if ((value * 2 ** 53) % 2 === 1) odd++;
    }
    expect(least).toBeGreaterThanOrEqual(0);
    expect(least).toBeLessThan(1e-4);
    expect(most).toBeLessThan(1);
    expect(most).toBeGreaterThan(1 - 1e-4);
    expect(odd / 100_000).toBeGreaterThan(0.49);
    expect(odd / 100_000).toBeLessThan(0.51);
    expect(uniform(rng, 5, 5)).toBe(5);
    const next = 1 + Number.EPSILON;
    for (let i = 0; i < 1000; i++) expect(uniform(rng, 1, next)).toBe(1);
  });

  it('nextInt gives every number equally often, also where plain remainders would favour small ones', () => {
    const rng = seedRng(11n);
    const counts = new Int32Array(6);
    for (let i = 0; i < 60_000; i++) counts[nextInt(rng, 6)]!++;
    for (const count of counts) expect(Math.abs(count - 10_000)).toBeLessThan(500);

    // with n = 3/4 of 2^32, remainders alone would give the lower third twice as often as each other third
    let low = 0;
    for (let i = 0; i < 60_000; i++) if (nextInt(rng, 0xc000_0000) < 0x4000_0000) low++;
    expect(Math.abs(low - 20_000)).toBeLessThan(700);
    expect(nextInt(rng, 1)).toBe(0);
    expect(nextInt(rng, 0x1_0000_0000)).toBeGreaterThanOrEqual(0);
    for (const bad of [0, -1, 1.5, NaN, 0x1_0000_0001]) expect(() => nextInt(rng, bad)).toThrow(RangeError);
  });
});
