import { InputError, shown } from './errors.ts';
import type { TickState, World } from './world.ts';

/** Each call returns the value the field must hold afterwards, so one list both writes and reads. */
export interface FieldIO {
  num(value: number): number;
  bool(value: boolean): boolean;
  nums(values: Float64Array): void;
  ints(values: Int32Array): void;
  /** A pure function of fields already listed, kept because it is dear to compute: snapshots carry it, the hash passes it by. */
  derived(values: Int32Array): void;
}

/** Raw bits of a state in the order of its field list; `snapshotToBytes` gives the form for files. */
export type Snapshot = Float64Array;

type Fields<S extends TickState> = Pick<World<never, S, never, unknown, unknown>, 'fields'>;
type ActionFields<A> = Pick<World<never, TickState, A, unknown, unknown>, 'actionFields'>;

/** False on the few machines that store the high byte first; the low half of a double is then the second of its two words. */
const LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;
const LO = LITTLE_ENDIAN ? 0 : 1;
const HI = 1 - LO;

/** Writes the list into a buffer that is kept; one class for copies and hashes, because two kinds of call are faster than three. */
class Writer implements FieldIO {
  at = 0;
  out = new Float64Array(1024);
  ints32 = new Int32Array(this.out.buffer);
  /** For a hash the lengths of arrays count, derived fields do not, and a NaN is a NaN. */
  forHash = false;

  open(forHash: boolean): void {
    this.at = 0;
    this.forHash = forHash;
  }
  num(value: number): number {
    if (this.at >= this.out.length) this.grow(1);
    this.out[this.at++] = value === value ? value : NaN;
    return value;
  }
  bool(value: boolean): boolean {
    this.num(value ? 1 : 0);
    return value;
  }
  nums(values: Float64Array): void {
    if (this.forHash) this.num(values.length);
    if (this.at + values.length > this.out.length) this.grow(values.length);
    this.out.set(values, this.at);
    if (this.forHash) uniteNaNs(this.out, this.at, values.length);
    this.at += values.length;
  }
  ints(values: Int32Array): void {
    if (this.forHash) this.num(values.length);
    const words = (values.length + 1) >> 1;
    if (this.at + words > this.out.length) this.grow(words);
    const from = this.at * 2;
    if (values.length & 1) this.ints32[from + values.length] = 0;
    this.ints32.set(values, from);
    if (!LITTLE_ENDIAN) swapPairs(this.ints32, from, words);
    this.at += words;
  }
  derived(values: Int32Array): void {
    if (!this.forHash) this.ints(values);
  }
  private grow(extra: number): void {
    const wider = new Float64Array(Math.max(this.out.length * 2, this.at + extra));
    wider.set(this.out);
    this.out = wider;
    this.ints32 = new Int32Array(wider.buffer);
  }
}

function uniteNaNs(values: Float64Array, from: number, count: number): void {
  for (let i = from; i < from + count; i++) if (values[i] !== values[i]) values[i] = NaN;
}

class Reader implements FieldIO {
  at = 0;
  from: Float64Array = new Float64Array(0);
  ints32: Int32Array = new Int32Array(0);

  open(from: Snapshot): void {
    this.at = 0;
    this.from = from;
    this.ints32 = new Int32Array(from.buffer, from.byteOffset, from.length * 2);
  }
  num(_value: number): number {
    return this.from[this.at++]!;
  }
  bool(_value: boolean): boolean {
    return this.from[this.at++] === 1;
  }
  nums(values: Float64Array): void {
    values.set(this.from.subarray(this.at, this.at + values.length));
    this.at += values.length;
  }
  ints(values: Int32Array): void {
    const from = this.at * 2;
    const words = (values.length + 1) >> 1;
    if (!LITTLE_ENDIAN) swapPairs(this.ints32, from, words);
    values.set(this.ints32.subarray(from, from + values.length));
    if (!LITTLE_ENDIAN) swapPairs(this.ints32, from, words);
    this.at += words;
  }
  derived(values: Int32Array): void {
    this.ints(values);
  }
}

/** Keeps the two ints of an eight-byte word where a little-endian machine would see them. */
function swapPairs(ints: Int32Array, from: number, words: number): void {
  for (let i = from; i < from + words * 2; i += 2) {
    const first = ints[i]!;
    ints[i] = ints[i + 1]!;
    ints[i + 1] = first;
  }
}

/**
 * 64 bits over the raw bits of every word, so that -0 and 0 differ and nothing is rounded. The scheme is that of MurmurHash3 with
 * two lanes: a word is scrambled by itself before it enters, and the lanes feed each other, so that a small difference in one field
 * and a small one in the next do not cancel. Every step is a bijection of the lanes: one changed word always changes the hash.
 */
function digest(words: Int32Array, count: number): string {
  let a = 0x243f6a88;
  let b = 0x85a308d3 | 0;
  for (let i = 0; i < count * 2; i += 2) {
    let lo = Math.imul(words[i + LO]!, 0x239b961b);
    lo = Math.imul((lo << 15) | (lo >>> 17), 0xab0e9789);
    let hi = Math.imul(words[i + HI]!, 0xab0e9789);
    hi = Math.imul((hi << 16) | (hi >>> 16), 0x38b34ae5);
    a ^= lo;
    b ^= hi;
    a = (((a << 19) | (a >>> 13)) + b) | 0;
    b = (Math.imul((b << 17) | (b >>> 15), 5) + a + 0x561ccd1b) | 0;
  }
  const first = scramble((a ^ count) + b);
  const second = scramble(b + first);
  return hex(first + second) + hex(second);
}

/** The closing step of MurmurHash3: a bijection in which every input bit reaches every output bit. */
function scramble(word: number): number {
  let h = word | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}

const hex = (word: number): string => (word >>> 0).toString(16).padStart(8, '0');

const writer = new Writer();
const reader = new Reader();

/** Copies every field. With `into` of the right length nothing is allocated. */
export function snapshot<S extends TickState>(world: Fields<S>, state: S, into?: Snapshot): Snapshot {
  writer.open(false);
  world.fields(writer, state);
  return written(into);
}

/** Writes a snapshot back into a living state of the same config. */
export function restore<S extends TickState>(world: Fields<S>, state: S, from: Snapshot): void {
  reader.open(from);
  world.fields(reader, state);
  if (reader.at !== from.length) {
    throw new Error(
      `restore: the snapshot holds ${from.length} values but the field list took ${reader.at}; was it made by another rulesVersion or config?`,
    );
  }
}

/** 16 hexadecimal digits. */
export function hash<S extends TickState>(world: Fields<S>, state: S): string {
  writer.open(true);
  world.fields(writer, state);
  return digest(writer.ints32, writer.at);
}

/** The values of one action, in the order of its field list. */
export function writeAction<A>(world: ActionFields<A>, action: A, into?: Float64Array): Float64Array {
  writer.open(false);
  world.actionFields(writer, action);
  return written(into);
}

/** Fills an action (for instance a fresh idle one) from such values. */
export function restoreAction<A>(world: ActionFields<A>, action: A, from: Float64Array): void {
  reader.open(from);
  world.actionFields(reader, action);
  if (reader.at !== from.length) throw new Error(`restoreAction: ${from.length} values came but the field list took ${reader.at}`);
}

function written(into: Float64Array | undefined): Float64Array {
  if (into === undefined || into.length !== writer.at) return writer.out.slice(0, writer.at);
  into.set(writer.out.subarray(0, writer.at)); // set() moves bits: a loop could change words that look like a NaN
  return into;
}

/** A snapshot as bytes for a file: eight a value, low byte first, on every machine. A copy: it shares nothing with the snapshot. */
export function snapshotToBytes(from: Snapshot): Uint8Array {
  const bytes = new Uint8Array(from.length * 8);
  bytes.set(new Uint8Array(from.buffer, from.byteOffset, from.byteLength));
  return LITTLE_ENDIAN ? bytes : reverseEights(bytes);
}

/** The way back; `bytes` may begin anywhere in a larger buffer. */
export function bytesToSnapshot(bytes: Uint8Array): Snapshot {
  if (bytes.length % 8 !== 0) throw new InputError('snapshot', 'a whole number of 8-byte values', `${bytes.length} bytes`);
  const copy = new Uint8Array(bytes);
  return new Float64Array((LITTLE_ENDIAN ? copy : reverseEights(copy)).buffer);
}

function reverseEights(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  for (let at = 0; at < bytes.length; at += 8) bytes.subarray(at, at + 8).reverse();
  return bytes;
}

/** Slow and complete: walks every own key of both values. Used for messages and to prove `fields` complete. */
export function firstDifference(a: unknown, b: unknown, path = 'state'): string | null {
  if (Object.is(a, b)) return null;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return `${path}: ${shown(a)} vs ${shown(b)}`;
  if (a instanceof Map || a instanceof Set) {
    return firstDifference([...a], b instanceof Map || b instanceof Set ? [...b] : b, `${path}.entries`);
  }
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const step = /^\d+$/.test(key) ? `[${key}]` : `.${key}`;
    const found = firstDifference((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key], path + step);
    if (found !== null) return found;
  }
  return null;
}
