import { nearest } from './nearest.ts';

/** Bad data from outside (bot, file, command line): the user's to fix, so no stack trace is shown. */
export class InputError extends Error {
  override readonly name = 'InputError';

  constructor(path: string, expected: string, got: unknown) {
    super(`${path}: expected ${expected}, got ${shown(got)}`);
  }
}

/** A value as a short piece of one line, whatever it is. */
export function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Object.is(value, -0)) return '-0';
  let text: string;
  try {
    text = typeof value === 'bigint' || typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? typeof value);
  } catch {
    text = typeof value;
  }
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}

/** A finite number between min and max, both included. */
export function numberAt(raw: unknown, path: string, min = -Infinity, max = Infinity): number {
  if (typeof raw !== 'number' || !Number.isFinite(raw) || raw < min || raw > max) {
    const range = min === -Infinity && max === Infinity ? 'a finite number' : `a number ${min}..${max}`;
    throw new InputError(path, range, raw);
  }
  return raw + 0; // a -0 would not survive JSON
}

export function intAt(raw: unknown, path: string, min: number, max: number): number {
  if (typeof raw !== 'number' || !Number.isInteger(raw) || raw < min || raw > max) {
    throw new InputError(path, `a whole number ${min}..${max}`, raw);
  }
  return raw + 0;
}

export function boolAt(raw: unknown, path: string): boolean {
  if (typeof raw !== 'boolean') throw new InputError(path, 'true or false', raw);
  return raw;
}

export function choiceAt<const T extends string>(raw: unknown, path: string, choices: readonly T[]): T {
  const found = choices.find((choice) => choice === raw);
  if (found === undefined) throw new InputError(path, `one of ${choices.join(', ')}${meant(raw, choices)}`, raw);
  return found;
}

/** A plain object whose keys are all among `known`. */
export function objectAt(raw: unknown, path: string, known: readonly string[]): Record<string, unknown> {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) throw new InputError(path, 'an object', raw);
  for (const key of Object.keys(raw)) {
    if (known.includes(key)) continue;
    const near = meant(key, known);
    // a long list would hide the one word that helps
    const expected = near !== '' && known.length > FEW_WORDS ? `a known field${near}` : `only the fields ${known.join(', ')}${near}`;
    throw new InputError(`${path}.${key}`, expected, (raw as Record<string, unknown>)[key]);
  }
  return raw as Record<string, unknown>;
}

/** The word that was probably meant, to be said after those that were expected. */
export function meant(word: unknown, words: readonly string[]): string {
  const near = typeof word === 'string' && word.length <= LONGEST_WORD ? nearest(word, words) : null;
  return near === null ? '' : ` (did you mean ${near}?)`;
}

/** A map pasted where its name should be is no slip of the finger, and dear to compare. */
const LONGEST_WORD = 100;

const FEW_WORDS = 8;
