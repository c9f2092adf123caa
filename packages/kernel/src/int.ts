/** Whole-number arithmetic, exact for every safe integer; a result is never -0. */

/** Towards minus infinity: divFloor(-1, 4) is -1. */
export function divFloor(a: number, b: number): number {
  const rest = a % b;
  const quotient = (a - rest) / checkedDivisor(b);
  return rest !== 0 && rest < 0 !== b < 0 ? quotient - 1 : quotient + 0;
}

/** Towards zero: divTrunc(-1, 4) is 0. */
export function divTrunc(a: number, b: number): number {
  return (a - (a % b)) / checkedDivisor(b) + 0; // a/b itself may round up to the next whole number when a is large
}

/** The largest whole number whose square is at most n. */
export function isqrt(n: number): number {
  if (!(n >= 0 && n <= Number.MAX_SAFE_INTEGER)) throw new RangeError(`isqrt: expected a whole number 0..2^53-1, got ${n}`);
  const root = Math.floor(Math.sqrt(n));
  return root * root > n ? root - 1 : root; // from 2^52 on, the square root of k*k-1 rounds to k
}

function checkedDivisor(b: number): number {
  if (b === 0) throw new RangeError('integer division by zero');
  return b;
}
