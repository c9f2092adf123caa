/**
 * Signs of polynomials in exact arithmetic. A double is a whole number times a power of two, so sums and products of doubles are as well: they
 * are kept as { whole, power }, value whole · 2^power, and nothing is ever rounded.
 */
export interface Exact {
  readonly whole: bigint;
  readonly power: number;
}

const view = new DataView(new ArrayBuffer(8));

export function exact(x: number): Exact {
  view.setFloat64(0, x);
  const bits = view.getBigUint64(0);
  const exponent = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xf_ffff_ffff_ffffn;
  const whole = exponent === 0 ? fraction : fraction | 0x10_0000_0000_0000n;
  return { whole: bits >> 63n === 1n ? -whole : whole, power: Math.max(exponent, 1) - 1075 };
}

export function add(a: Exact, b: Exact): Exact {
  const power = Math.min(a.power, b.power);
  return { whole: (a.whole << BigInt(a.power - power)) + (b.whole << BigInt(b.power - power)), power };
}

export const times = (a: Exact, b: Exact): Exact => ({ whole: a.whole * b.whole, power: a.power + b.power });
export const half = (a: Exact): Exact => ({ whole: a.whole, power: a.power - 1 });
export const minus = (a: Exact): Exact => ({ whole: -a.whole, power: a.power });
export const sign = (a: Exact): number => (a.whole > 0n ? 1 : a.whole < 0n ? -1 : 0);

/** p + v t + a t²/2. */
export function placeAt(p: number, v: number, a: number, t: number): Exact {
  const T = exact(t);
  return add(exact(p), add(times(exact(v), T), half(times(exact(a), times(T, T)))));
}

/** The sign of |d + v t + a t²/2|² - R². */
export function circleSign(d: readonly number[], v: readonly number[], a: readonly number[], R: number, t: number): number {
  const x = placeAt(d[0]!, v[0]!, a[0]!, t);
  const y = placeAt(d[1]!, v[1]!, a[1]!, t);
  return sign(add(add(times(x, x), times(y, y)), minus(times(exact(R), exact(R)))));
}

/** The sign of h + v t + a t²/2. */
export const heightSign = (h: number, v: number, a: number, t: number): number => sign(placeAt(h, v, a, t));
