import { describe, expect, it } from 'vitest';
import { nextUint32, type Rng, seedRng, uniform } from './rng.ts';
import { piTimes2To } from './trig-exact.ts';
import { cos, fastSin, HALF_PI_PARTS, sin } from './trig.ts';

// The oracle shares nothing with the product: pi by Gauss's formula, e^(ir) by halving the angle 24 times and squaring back,
// and nearness checked against the midpoints to both neighbours in whole numbers.

const f64 = new Float64Array(1);
const u64 = new BigUint64Array(f64.buffer);
const fromBits = (bits: bigint): number => {
  u64[0] = bits;
  return f64[0]!;
};
const bitsOf = (x: number): bigint => {
  f64[0] = x;
  return u64[0]!;
};
const neighbour = (x: number, steps: bigint): number => fromBits(bitsOf(x) + steps);

/** x * 2^bits as a whole number; x must be a multiple of 2^-bits. */
function fixed(x: number, bits: number): bigint {
  const raw = bitsOf(Math.abs(x));
  const exponent = Math.max(1, Number(raw >> 52n)) - 1075 + bits;
  const mantissa = (raw & 0xf_ffff_ffff_ffffn) | (raw >> 52n === 0n ? 0n : 1n << 52n);
  const value = exponent >= 0 ? mantissa << BigInt(exponent) : mantissa >> BigInt(-exponent);
  return x < 0 ? -value : value;
}

function arctan(inverse: bigint, one: bigint): bigint {
  let sum = 0n;
  for (let k = 0n, power = one / inverse; power > 0n; k++, power /= inverse * inverse) sum += (k % 2n ? -power : power) / (2n * k + 1n);
  return sum;
}
const PI_BITS = 1600;
const GAUSS_ONE = 1n << BigInt(PI_BITS + 32);
const GAUSS_PI = (4n * (12n * arctan(18n, GAUSS_ONE) + 8n * arctan(57n, GAUSS_ONE) - 5n * arctan(239n, GAUSS_ONE))) >> 32n;

/** [cos, sin] of x in units of 2^-bits, good to all but a few dozen units. */
function oracle(x: number, bits: number): [bigint, bigint] {
  const wide = bits + (Math.abs(x) > 1e6 ? 1100 : 64);
  const turn = 2n * (GAUSS_PI >> BigInt(PI_BITS - wide));
  const halvings = 24;
  const work = BigInt(bits + 2 * halvings);
  const rest = fixed(x, wide) % turn;
  const shift = BigInt(wide) - work + BigInt(halvings);
  const r = shift >= 0n ? rest >> shift : rest << -shift;
  const one = 1n << work;
  let [re, im] = [0n, 0n];
  // e^(ir) term by term; the power of i says where each term goes
  for (let n = 0n, term = one; term !== 0n && term !== -1n; n++, term = ((term * r) >> work) / n) {
    if (n % 2n === 0n) re += n % 4n === 0n ? term : -term;
    else im += n % 4n === 1n ? term : -term;
  }
  for (let i = 0; i < halvings; i++) [re, im] = [(re * re - im * im) >> work, (2n * re * im) >> work];
  return [re >> BigInt(2 * halvings), im >> BigInt(2 * halvings)];
}

/** Null when `got` is the double nearest to the true value. */
function wrong(name: 'sin' | 'cos', x: number): string | null {
  const got = name === 'sin' ? sin(x) : cos(x);
  const bits = 1300;
  const exact = oracle(x, 260)[name === 'sin' ? 1 : 0] << BigInt(bits - 260);
  const slack = 1n << BigInt(bits - 260 + 30);
  const here = fixed(got, bits);
  const [below, above] = got < 0 ? [neighbour(got, 1n), neighbour(got, -1n)] : [neighbour(got, -1n), neighbour(got, 1n)];
  const fits = here + fixed(below, bits) <= 2n * (exact - slack) && 2n * (exact + slack) <= here + fixed(above, bits);
  return fits ? null : `${name}(${x}) = ${got}`;
}

const failures = (xs: readonly number[]): string[] => xs.flatMap((x) => [wrong('sin', x), wrong('cos', x)]).filter((text) => text !== null);

const anyFinite = (rng: Rng): number => {
  for (;;) {
    const x = fromBits((BigInt(nextUint32(rng)) << 32n) | BigInt(nextUint32(rng)));
    if (Number.isFinite(x) && Math.abs(x) > 2 ** -27) return x;
  }
};

describe('sin and cos are correctly rounded', () => {
  it('the parts of pi/2 are those of Machin, Gauss and fdlibm', () => {
    expect(piTimes2To(1500)).toBe(GAUSS_PI >> 100n);
    const sum = HALF_PI_PARTS.reduce((total, part) => total + fixed(part, 300), 0n);
    const off = (GAUSS_PI >> BigInt(PI_BITS - 299)) - sum;
    expect(off < 0n ? -off : off).toBeLessThan(1n << BigInt(300 - 151));
    for (const part of HALF_PI_PARTS.slice(0, 3)) expect(bitsOf(part) & 0xf_ffffn).toBe(0n); // at most 33 significant bits
  });

  it('for random angles of a few turns', () => {
    const rng = seedRng(1n);
    expect(failures(Array.from({ length: 20_000 }, () => uniform(rng, -20, 20)))).toEqual([]);
  });

  it('for random angles of every size, from 2^-27 to the largest double', () => {
    const rng = seedRng(2n);
    expect(failures(Array.from({ length: 8000 }, () => anyFinite(rng)))).toEqual([]);
  });

  it('for sizes about the limits of the fast path', () => {
    const rng = seedRng(3n);
    const xs = Array.from({ length: 500 }, () => uniform(rng, 1_500_000, 1_700_000));
    expect(failures([...xs, 1_600_000, neighbour(1_600_000, -1n), Math.PI / 4, neighbour(Math.PI / 4, 1n)])).toEqual([]);
  });

  it('next to multiples of pi/2, where nearly everything cancels', () => {
    const xs: number[] = [];
    for (let k = 1; k < 200; k++) for (const step of [-2n, -1n, 0n, 1n, 2n]) xs.push(neighbour((k * Math.PI) / 2, step));
    for (let k = 1; k < 1e6; k = k * 3 + 1) for (const step of [-1n, 0n, 1n]) xs.push(neighbour((k * Math.PI) / 2, step));
    expect(failures(xs)).toEqual([]);
  });

  it('for the hardest reductions known, 1e22, 2^1000 and other large ones', () => {
    const kahan = 6381956970095103 * 2 ** 797; // of all doubles the nearest to a multiple of pi/2
    expect(failures([kahan, -kahan, 1e22, 2 ** 1000, 2 ** 1023, Number.MAX_VALUE, 5e15, 2 ** 53, 1e300, 355, 103993, 1146408])).toEqual([]);
    expect(sin(1e22)).toBe(-0.8522008497671888);
  });

  it('for round angles and powers of two', () => {
    const xs = [1, 2, 3, 30, 45, 60, 90, 180, 360, Math.PI / 6, Math.PI / 3, 0.1, 0.5, 2 ** -26, 2 ** -27, 2 ** -13, 2 ** -20 * 1.1];
    expect(failures(xs.flatMap((x) => [x, -x, neighbour(x, 1n)]))).toEqual([]);
  });

  it('tiny and denormal angles: sin x is x, cos x is 1, and the sign of zero stays', () => {
    for (const x of [Number.MIN_VALUE, 2 ** -1022, 2 ** -1000, 2 ** -100, 2 ** -28, neighbour(2 ** -27, -1n)]) {
      expect([sin(x), sin(-x), cos(x), cos(-x)]).toEqual([x, -x, 1, 1]);
    }
    expect(Object.is(sin(0), 0)).toBe(true);
    expect(Object.is(sin(-0), -0)).toBe(true);
    expect([cos(0), cos(-0)]).toEqual([1, 1]);
  });

  it('NaN and infinities give NaN', () => {
    for (const x of [NaN, Infinity, -Infinity]) expect([sin(x), cos(x)]).toEqual([NaN, NaN]);
  });

  it('sin is odd and cos is even, to the bit', () => {
    const rng = seedRng(4n);
    for (let i = 0; i < 2000; i++) {
      const x = i % 2 ? uniform(rng, 0, 50) : Math.abs(anyFinite(rng));
      if (!Object.is(sin(-x), -sin(x)) || !Object.is(cos(-x), cos(x))) expect.fail(`asymmetric at ${x}`);
    }
  });

  it('never strays from the engine by more than its last bit', () => {
    const rng = seedRng(5n);
    for (let i = 0; i < 50_000; i++) {
      const x = uniform(rng, -100, 100);
      if (Math.abs(sin(x) - Math.sin(x)) > 2.3e-16) expect.fail(`sin(${x}) = ${sin(x)}, engine: ${Math.sin(x)}`);
    }
  });

  it('the fast path leaves fewer than 1 angle in 50,000 to BigInt (about 2^-18 expected), and those come out right too', () => {
    const rng = seedRng(6n);
    const hard: number[] = [];
    for (let i = 0; i < 2_000_000; i++) {
      const x = uniform(rng, -1000, 1000);
      if (Number.isNaN(fastSin(x, i & 1))) hard.push(x);
    }
    expect(hard.length).toBeGreaterThan(0);
    expect(hard.length).toBeLessThan(40);
    expect(failures(hard)).toEqual([]);
    expect(fastSin(2e6, 0)).toBeNaN();
  });

  it('the bits are those that every engine must give', () => {
    const rng = seedRng(7n);
    let sum = 0n;
    for (let i = 0; i < 20_000; i++) {
      const x = uniform(rng, -1000, 1000);
      sum = BigInt.asUintN(64, sum * 31n + bitsOf(sin(x)) * 7n + bitsOf(cos(x)));
    }
    expect(sum.toString(16)).toBe('b9e20db0515f3f31');
  });
});
