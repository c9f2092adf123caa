import { exactSin } from './trig-exact.ts';

/**
 * sin and cos, correctly rounded for every double, hence the same bits in every engine: `Math.sin` differs between engines and
 * between versions of one. Only + - * and floor are used.
 *
 * The fast path works with unevaluated sums of two doubles (about 106 bits; Dekker, without fma) and knows a bound of its error. When
 * the bound leaves more than one double possible, when x lies within 2^-60 of a zero, or when x is huge, `exactSin` decides in BigInt.
 */
export function sin(x: number): number {
  if (x > -TINY && x < TINY) return x; // x - x^3/6 is nearer to x than to any other double; keeps -0
  const quick = fastSin(x, 0);
  return quick === quick ? quick : exactSin(x, 0);
}

export function cos(x: number): number {
  if (x > -TINY && x < TINY) return 1;
  const quick = fastSin(x, 1);
  return quick === quick ? quick : exactSin(x, 1);
}

const TINY = 1 / 0x800_0000; // 2^-27

/** Up to here k = round(x / (pi/2)) stays below 2^20. */
const FAST_LIMIT = 1_600_000;
const TWO_OVER_PI = 0.6366197723675814;
/** pi/2 in parts: three of 33 bits, whose product with k is exact, and a double for the rest; the remainder is below 2^-151. */
export const HALF_PI_PARTS = [1.5707963267341256, 6.077100506303966e-11, 2.0222662487111665e-21, 8.4784276603689e-32] as const;
const [PART_1, PART_2, PART_3, PART_4] = HALF_PI_PARTS;
const NEAR_ZERO = 1 / 0x1000_0000_0000_0000; // 2^-60

/**
 * Relative error of the fast path, 2^-72. Where it comes from, u = 2^-53, z = r*r < 0.618:
 * - the reduced r: its parts are exact but for the last, whose roundings are < 2^-135; |r| >= 2^-60, so < 2^-75, plus 2 u^2;
 * - the tail of the series from z^5 on, in plain doubles: < 4 u relative, and z^5/10! < 2^-25.2 of the result: < 2^-75.7 for
 *   the cosine (whose result is > 0.707), < 2^-79 for the sine;
 * - the cut: z^12/24! < 2^-87;
 * - some twenty operations on sums of two doubles, each < 8 u^2: < 2^-98.
 */
const ERROR = 1 / 0x100_0000_0000 / 0x1_0000_0000;

/** sin(x + quadrants*pi/2) if the error bound leaves one double only, NaN otherwise. Exported for its test. */
export function fastSin(x: number, quadrants: number): number {
  if (!(x > -FAST_LIMIT && x < FAST_LIMIT)) return NaN;
  const k = Math.floor(x * TWO_OVER_PI + 0.5);
  let rh = x;
  let rl = 0;
  if (k !== 0) {
    // x - k*PART_1 is exact: both are multiples of 2^-53 and the difference is below 1
    const first = x - k * PART_1;
    const second = -k * PART_2;
    const third = -k * PART_3;
    const a = first + second;
    const aRest = sumError(first, second, a);
    const b = aRest + third;
    const bRest = sumError(aRest, third, b) - k * PART_4;
    const c = a + b;
    const cRest = sumError(a, b, c) + bRest;
    rh = c + cRest;
    rl = cRest - (rh - c);
    if (rh > -NEAR_ZERO && rh < NEAR_ZERO) return NaN;
  }
  const quadrant = (k + quadrants) & 3;
  const value = series(rh, rl, (quadrant & 1) === 1);
  return quadrant < 2 ? value : -value;
}

/**
 * With z = r*r: r + r*z*(-1/3! + z/5! - …) for the sine, 1 + z*(-1/2! + z/4! - …) for the cosine. The terms up to z^4 are sums of
 * two doubles, the tail beyond is one double.
 */
function series(rh: number, rl: number, cosine: boolean): number {
  const square = rh * rh;
  const squareRest = productError(rh, rh, square) + 2 * rh * rl;
  const zh = square + squareRest;
  const zl = squareRest - (zh - square);

  const head = cosine ? COSINE_HEAD : SINE_HEAD;
  let ph = cosine ? cosineTail(zh) : sineTail(zh);
  let pl = 0;
  for (let i = 0; i < 8; i += 2) {
    const c = head[i]!;
    const m = zh * ph;
    const mRest = productError(zh, ph, m) + (zh * pl + zl * ph);
    const s = c + m;
    const sRest = c - s + m + (head[i + 1]! + mRest);
    ph = s + sRest;
    pl = sRest - (ph - s);
  }
  const w = zh * ph;
  const wRest = productError(zh, ph, w) + (zh * pl + zl * ph);
  if (cosine) {
    const s = 1 + w;
    return rounded(s, 1 - s + w + wRest);
  }
  const m = rh * w;
  const mRest = productError(rh, w, m) + (rh * wRest + rl * w);
  const s = rh + m;
  return rounded(s, rh - s + m + (rl + mRest));
}

const [S5, S6, S7, S8, S9, S10, S11] = [11, 13, 15, 17, 19, 21, 23].map(signedInverse) as Seven;
const [C5, C6, C7, C8, C9, C10, C11] = [10, 12, 14, 16, 18, 20, 22].map(signedInverse) as Seven;
type Seven = [number, number, number, number, number, number, number];

function sineTail(z: number): number {
  return S5 + z * (S6 + z * (S7 + z * (S8 + z * (S9 + z * (S10 + z * S11)))));
}

function cosineTail(z: number): number {
  return C5 + z * (C6 + z * (C7 + z * (C8 + z * (C9 + z * (C10 + z * C11)))));
}

/** The coefficients of z^4 .. z^1, each a sum of two doubles. */
const SINE_HEAD = Float64Array.from([9, 7, 5, 3].flatMap(inTwoDoubles));
const COSINE_HEAD = Float64Array.from([8, 6, 4, 2].flatMap(inTwoDoubles));

function inTwoDoubles(order: number): [number, number] {
  const hi = signedInverse(order);
  const whole = (order & 2 ? -1 : 1) * factorial(order);
  const product = hi * whole;
  return [hi, (1 - product - productError(hi, whole, product)) / whole];
}

/** 1/n!, negative for n = 2, 3, 6, 7, …: the coefficient of x^n in the series of the cosine or the sine. */
function signedInverse(n: number): number {
  return (n & 2 ? -1 : 1) / factorial(n);
}

function factorial(n: number): number {
  return n < 2 ? 1 : n * factorial(n - 1);
}

/** Ziv's test: the double nearest to both ends of the interval hi + lo ± error, or NaN if the ends disagree. */
function rounded(hi: number, lo: number): number {
  const error = Math.abs(hi) * ERROR;
  const low = hi + (lo - error);
  const high = hi + (lo + error);
  return low === high ? low : NaN;
}

/** What a + b lost when it was rounded to `sum`, exactly (Knuth). */
function sumError(a: number, b: number, sum: number): number {
  const bRounded = sum - a;
  return a - (sum - bRounded) + (b - bRounded);
}

/** What a * b lost when it was rounded to `product`, exactly (Veltkamp's splitting, Dekker's product). */
function productError(a: number, b: number, product: number): number {
  const aSplit = 0x800_0001 * a;
  const ah = aSplit - (aSplit - a);
  const al = a - ah;
  const bSplit = 0x800_0001 * b;
  const bh = bSplit - (bSplit - b);
  const bl = b - bh;
  return ah * bh - product + ah * bl + al * bh + al * bl;
}
