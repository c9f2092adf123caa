/**
 * exp, ln and erf of + - * / alone. `Math.exp` and its kin differ in the last bit between engines, and a cup that pairs by ratings would
 * be another cup on another machine.
 */

const LN2_HIGH = 0.69314718036912381649; // 33 bits: a product with a whole number below 2^20 is exact
const LN2_LOW = 1.90821492927058770002e-10;

export function exp(x: number): number {
  if (x > 709) return Infinity;
  if (x < -745) return 0;
  const k = Math.floor(x / (LN2_HIGH + LN2_LOW) + 0.5);
  const r = x - k * LN2_HIGH - k * LN2_LOW;
  let sum = 1;
  for (let n = 17; n >= 1; n--) sum = 1 + (sum * r) / n;
  return timesPowerOfTwo(sum, k);
}

/** The natural logarithm; -Infinity at 0. */
export function ln(x: number): number {
  if (!(x > 0)) return x === 0 ? -Infinity : NaN;
  if (x === Infinity) return x;
  let k = 0;
  let m = x;
  while (m > Math.SQRT2) [m, k] = [m / 2, k + 1];
  while (m < Math.SQRT1_2) [m, k] = [m * 2, k - 1];
  const s = (m - 1) / (m + 1);
  const squared = s * s;
  let sum = 0;
  for (let n = 31; n >= 1; n -= 2) sum = sum * squared + 1 / n;
  return k * LN2_HIGH + (k * LN2_LOW + 2 * s * sum);
}

/** 2/√π ∫₀ˣ e^(-t²) dt, by the series whose terms all have one sign. */
export function erf(x: number): number {
  const size = Math.abs(x);
  if (size > 6) return Math.sign(x);
  let term = size;
  let sum = size;
  for (let n = 1; term > sum * 1e-18; n++) {
    term *= (2 * size * size) / (2 * n + 1);
    sum += term;
  }
  const value = (2 / Math.sqrt(Math.PI)) * exp(-size * size) * sum;
  return x < 0 ? -value : value;
}

/** `**` is not the same in every engine. */
export function square(x: number): number {
  return x * x;
}

function timesPowerOfTwo(value: number, k: number): number {
  let out = value;
  for (let left = Math.abs(k); left > 0; left--) out = k > 0 ? out * 2 : out / 2;
  return out;
}
