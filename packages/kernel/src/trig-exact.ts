/** sin(x + quadrants*pi/2) for a finite x that is not tiny, correctly rounded, in BigInt: slow and sure. NaN for anything else. */
export function exactSin(x: number, quadrants: number): number {
  if (!(x > -Infinity && x < Infinity)) return NaN;
  const { mantissa, exponent } = parts(x);
  // The sine of a nonzero rational is transcendental, so it never sits on the border between two doubles: the loop ends.
  for (let bits = 256; ; bits *= 2) {
    const { r, quadrant } = reduced(mantissa, exponent, bits);
    const turned = (quadrant + quadrants) & 3;
    const value = (turned & 1) === 0 ? series(r, bits, r, 2n) : series(r, bits, 1n << BigInt(bits), 1n);
    const low = toDouble(value - ERROR, bits);
    const high = toDouble(value + ERROR, bits);
    if (low === high) return turned < 2 ? low : -low;
  }
}

/** In units of the last bit: 1 from the reduction, and 2 for each of fewer than 200 terms of a series. */
const ERROR = 512n;

/** x = mantissa * 2^exponent, exactly. */
function parts(x: number): { mantissa: bigint; exponent: number } {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, x);
  const raw = view.getBigUint64(0);
  const biased = Number((raw >> 52n) & 0x7ffn);
  const fraction = raw & 0xf_ffff_ffff_ffffn;
  const magnitude = biased === 0 ? fraction : fraction | 0x10_0000_0000_0000n;
  return { mantissa: x < 0 ? -magnitude : magnitude, exponent: (biased === 0 ? 1 : biased) - 1075 };
}

/** x less the nearest multiple of pi/2, in units of 2^-bits, and which multiple it was, modulo 4. */
function reduced(mantissa: bigint, exponent: number, bits: number): { r: bigint; quadrant: number } {
  const guard = Math.max(0, exponent + 53) + 2; // the error of pi is multiplied by the quotient, which is below 2^(exponent + 53)
  const wide = bits + guard;
  const scaled = mantissa << BigInt(wide + exponent);
  const pi = piTimes2To(wide);
  const doubled = scaled * 2n;
  let quotient = (doubled * 2n + pi) / (pi * 2n);
  let rest = doubled - quotient * pi;
  if (rest * 2n < -pi) {
    quotient -= 1n;
    rest += pi;
  }
  return { r: rest >> BigInt(guard + 1), quadrant: Number(BigInt.asUintN(2, quotient)) };
}

/** first - first*z/(n(n+1)) + …, with z = r*r and n growing by two: the sine from (r, 2), the cosine from (1, 1). */
function series(r: bigint, bits: number, first: bigint, n: bigint): bigint {
  const shift = BigInt(bits);
  const z = (r * r) >> shift;
  let sum = 0n;
  let term = first;
  for (let at = n; term !== 0n; at += 2n) {
    sum += term;
    term = -((term * z) >> shift) / (at * (at + 1n));
  }
  return sum;
}

/** The double nearest to value * 2^-bits; the result of a sine here is never tiny. */
function toDouble(value: bigint, bits: number): number {
  const magnitude = value < 0n ? -value : value;
  const excess = Math.max(0, magnitude.toString(2).length - 53);
  const kept = excess === 0 ? magnitude : (magnitude + (1n << BigInt(excess - 1))) >> BigInt(excess);
  let result = Number(kept);
  for (let halvings = bits - excess; halvings > 0; halvings--) result /= 2;
  return value < 0n ? -result : result;
}

let pi = 0n;
let piBits = 0;

/** pi * 2^bits, less than one unit off: Machin's formula, 16 arctan(1/5) - 4 arctan(1/239), kept at the finest precision asked for. */
export function piTimes2To(bits: number): bigint {
  if (bits > piBits) {
    piBits = Math.max(bits, 320);
    const extra = 16;
    pi = (16n * arctanOfInverse(5n, piBits + extra) - 4n * arctanOfInverse(239n, piBits + extra)) >> BigInt(extra);
  }
  return pi >> BigInt(piBits - bits);
}

function arctanOfInverse(n: bigint, bits: number): bigint {
  let power = (1n << BigInt(bits)) / n;
  let sum = 0n;
  for (let k = 1n, sign = 1n; power !== 0n; k += 2n, sign = -sign) {
    sum += (sign * power) / k;
    power /= n * n;
  }
  return sum;
}
