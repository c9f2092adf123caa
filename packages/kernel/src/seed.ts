import { InputError } from './errors.ts';

/** An unsigned 64-bit number. A bigint inside, a decimal string in JSON and on the command line: never a double. */
export type Seed = bigint;

export const MAX_SEED = 0xffff_ffff_ffff_ffffn;

/** Takes a bigint, a decimal string, or a whole number that a double holds exactly. */
export function readSeed(raw: unknown, path = 'seed'): Seed {
  const expected = `a whole number 0..${MAX_SEED}`;
  if (typeof raw === 'bigint') {
    if (raw < 0n || raw > MAX_SEED) throw new InputError(path, expected, raw);
    return raw;
  }
  if (typeof raw === 'number') {
    if (!Number.isSafeInteger(raw) || raw < 0) throw new InputError(path, `${expected} (as a string when above 2^53)`, raw);
    return BigInt(raw);
  }
  if (typeof raw !== 'string' || !/^[0-9]{1,20}$/.test(raw)) throw new InputError(path, expected, raw);
  return readSeed(BigInt(raw), path);
}
