import { describe, expect, it } from 'vitest';
import { divFloor, divTrunc, isqrt } from './int.ts';
import { nextUint32, seedRng } from './rng.ts';

const MAX = Number.MAX_SAFE_INTEGER;

/** Safe integers of every size, both signs. */
function integers(count: number): number[] {
  const rng = seedRng(20n);
  return Array.from({ length: count }, () => {
    const wide = nextUint32(rng) * 0x20_0000 + (nextUint32(rng) >>> 11);
    const value = Math.floor(wide / 2 ** (nextUint32(rng) % 53));
    return nextUint32(rng) & 1 ? value : -value;
  });
}

const bigTrunc = (a: number, b: number): number => Number(BigInt(a) / BigInt(b));
const bigFloor = (a: number, b: number): number => {
  const [x, y] = [BigInt(a), BigInt(b)];
  const q = x / y;
  return Number(x % y !== 0n && x < 0n !== y < 0n ? q - 1n : q);
};

describe('integer division', () => {
  it('equals that of BigInt for safe integers of every size, and is never -0', () => {
    const samples = [...integers(20_000), MAX, -MAX, MAX - 1, 1 - MAX, 1, -1, 2, -2, 3, -3, 0];
    for (let i = 0; i < samples.length; i++) {
      const a = samples[i]!;
      for (const b of [samples[(i * 7919 + 1) % samples.length]!, 3, -3, 1, MAX, 94906265]) {
        if (b === 0) continue;
        if (!Object.is(divFloor(a, b), bigFloor(a, b))) expect.fail(`divFloor(${a}, ${b}) = ${divFloor(a, b)}`);
        if (!Object.is(divTrunc(a, b), bigTrunc(a, b))) expect.fail(`divTrunc(${a}, ${b}) = ${divTrunc(a, b)}`);
      }
    }
  });

  it('goes down or towards zero where the two differ', () => {
    expect([divFloor(-1, 4), divTrunc(-1, 4)]).toEqual([-1, 0]);
    expect([divFloor(7, -2), divTrunc(7, -2)]).toEqual([-4, -3]);
    expect([divFloor(-8, 4), divTrunc(-8, 4)]).toEqual([-2, -2]);
  });

  it('is exact where a/b would round up: (2^53-1) / 2 is not 2^52', () => {
    expect(Math.floor((MAX - 1) / 1.0000000000000002)).toBeLessThan(MAX);
    expect(divFloor(9007199254740991, 4503599627370496)).toBe(1);
    expect(divFloor(-9007199254740991, 9007199254740990)).toBe(-2);
  });

  it('by zero is a bug and says so', () => {
    expect(() => divFloor(1, 0)).toThrow(RangeError);
    expect(() => divTrunc(1, -0)).toThrow('integer division by zero');
  });
});

describe('isqrt', () => {
  const rightFor = (n: number) => {
    const root = BigInt(isqrt(n));
    return root * root <= BigInt(n) && (root + 1n) * (root + 1n) > BigInt(n);
  };

  it('is exact over the whole range of safe integers', () => {
    const samples = [0, 1, 2, 3, 4, MAX, MAX - 1, ...integers(20_000).map(Math.abs)];
    expect(samples.filter((n) => !rightFor(n))).toEqual([]);
  });

  it('is exact beside squares, where a rounded root would be one too large', () => {
    let roundedUp = 0;
    for (let root = 94906265; root > 94906265 - 20_000; root--) {
      for (const n of [root * root - 1, root * root, root * root + 1]) {
        if (n > MAX) continue;
        if (!rightFor(n)) expect.fail(`isqrt(${n}) = ${isqrt(n)}`);
        if (Math.floor(Math.sqrt(n)) !== isqrt(n)) roundedUp++;
      }
    }
    expect(roundedUp).toBeGreaterThan(0); // else this test would prove nothing
  });

  it('refuses what has no exact answer', () => {
    for (const bad of [-1, 2 ** 53, NaN, Infinity]) expect(() => isqrt(bad)).toThrow(RangeError);
  });
});
