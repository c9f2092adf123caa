import { InputError } from '@lockstep/kernel';

/**
 * Plain data as a row of doubles, in the order in which its JSON would tell it. A number is itself; true and false are 1 and 0; null is NaN;
 * a list is its length and its items; a text its length and its UTF-16 units; an object the values of its fields, whose names are known
 * from elsewhere. What binary frames carry.
 */
export function flatten(value: unknown, into: number[] = []): number[] {
  if (typeof value === 'number') into.push(value);
  else if (typeof value === 'boolean') into.push(value ? 1 : 0);
  else if (value === null || value === undefined) into.push(NaN);
  else if (typeof value === 'string') {
    into.push(value.length);
    for (let i = 0; i < value.length; i++) into.push(value.charCodeAt(i));
  } else if (Array.isArray(value)) {
    into.push(value.length);
    for (const item of value) flatten(item, into);
  } else for (const key in value) flatten((value as Record<string, unknown>)[key], into);
  return into;
}

/**
 * The way back needs an example: its fields, in its order, with other values. A list's items are like its first one. `whole`: there is
 * nothing else in the row.
 */
export function unflatten(example: unknown, row: Float64Array, whole = true): unknown {
  let at = 0;
  const next = (): number => {
    if (at >= row.length) throw new InputError('frame', `a double number ${at + 1} for the example's fields`, `${row.length} doubles`);
    return row[at++]!;
  };
  const length = (): number => {
    const count = next();
    if (!Number.isInteger(count) || count < 0 || count > row.length) throw new InputError(`frame[${at - 1}]`, 'a length', count);
    return count;
  };
  const read = (like: unknown): unknown => {
    if (typeof like === 'boolean') return next() !== 0;
    if (typeof like === 'string') return String.fromCharCode(...Array.from({ length: length() }, next));
    if (Array.isArray(like)) return Array.from({ length: length() }, () => read(like[0]));
    if (typeof like !== 'object' || like === null) return orNull(next(), like);
    const value: Record<string, unknown> = {};
    for (const key of keysOf(like)) value[key] = read((like as Record<string, unknown>)[key]);
    return value;
  };
  const value = read(example);
  if (whole && at < row.length) throw new InputError('frame', `${at} doubles for the example's fields`, row.length);
  return value;
}

/** An example stays the same for a whole game: its keys are looked up once. */
const known = new WeakMap<object, readonly string[]>();

function keysOf(like: object): readonly string[] {
  let keys = known.get(like);
  if (keys === undefined) known.set(like, (keys = Object.keys(like)));
  return keys;
}

/** NaN is null where the example has null, and itself where it has a number: the world's door will refuse it. */
const orNull = (value: number, like: unknown): number | null => (like === null && Number.isNaN(value) ? null : value);
