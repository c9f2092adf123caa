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

/** Raw bits of a state in the order of its field list; portable between machines of either byte order through `snapshotBytes`. */
export type Snapshot = Float64Array;

type Fields<S extends TickState> = Pick<World<never, S, never, unknown, unknown>, 'fields'>;
type ActionFields<A> = Pick<World<never, TickState, A, unknown, unknown>, 'actionFields'>;

class Writer implements FieldIO {
  at = 0;
  out = new Float64Array(1024);
  ints32 = new Int32Array(this.out.buffer);

  num(value: number): number {
    if (this.at >= this.out.length) this.grow(1);
    this.out[this.at++] = value;
    return value;
  }
  bool(value: boolean): boolean {
    this.num(value ? 1 : 0);
    return value;
  }
  nums(values: Float64Array): void {
    if (this.at + values.length > this.out.length) this.grow(values.length);
    this.out.set(values, this.at);
    this.at += values.length;
  }
  ints(values: Int32Array): void {
    const words = (values.length + 1) >> 1;
    if (this.at + words > this.out.length) this.grow(words);
    if (values.length & 1) this.ints32[this.at * 2 + values.length] = 0;
    this.ints32.set(values, this.at * 2);
    this.at += words;
  }
  derived(values: Int32Array): void {
    this.ints(values);
  }
  private grow(extra: number): void {
    const wider = new Float64Array(Math.max(this.out.length * 2, this.at + extra));
    wider.set(this.out);
    this.out = wider;
    this.ints32 = new Int32Array(wider.buffer);
  }
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
    values.set(this.ints32.subarray(this.at * 2, this.at * 2 + values.length));
    this.at += (values.length + 1) >> 1;
  }
  derived(values: Int32Array): void {
    this.ints(values);
  }
}

const f64 = new Float64Array(1);
const bits = new Int32Array(f64.buffer);

/**
 * 64 bits over the raw bits of every field, so that -0 and 0 differ and nothing is rounded. Two lanes of 32 bits, each
 * a chain of bijective steps (a changed word always changes its lane), crossed at the end.
 */
class Hasher implements FieldIO {
  a = 0;
  b = 0;
  count = 0;

  reset(): void {
    this.a = 0x243f6a88;
    this.b = 0x85a308d3 | 0;
    this.count = 0;
  }
  private word(lo: number, hi: number): void {
    let a = this.a;
    let b = this.b;
    a = Math.imul(a ^ lo, 0x9e3779b1);
    a ^= a >>> 15;
    a = Math.imul(a ^ hi, 0x85ebca77);
    b = Math.imul(b ^ hi, 0xc2b2ae3d);
    b ^= b >>> 13;
    b = Math.imul(b ^ lo, 0x27d4eb2f);
    this.a = a ^ (a >>> 14);
    this.b = b ^ (b >>> 16);
    this.count++;
  }
  num(value: number): number {
    f64[0] = value === value ? value : NaN;
    this.word(bits[0]!, bits[1]!);
    return value;
  }
  bool(value: boolean): boolean {
    this.word(value ? 1 : 0, 0);
    return value;
  }
  nums(values: Float64Array): void {
    for (let i = 0; i < values.length; i++) this.num(values[i]!);
  }
  ints(values: Int32Array): void {
    for (let i = 0; i < values.length; i++) this.word(values[i]!, 1);
  }
  derived(_values: Int32Array): void {}

  digest(): string {
    this.word(this.count, 0x5bd1e995);
    let a = this.a;
    let b = this.b;
    for (let round = 0; round < 2; round++) {
      a = Math.imul(a ^ (b >>> 16) ^ b, 0x85ebca6b);
      a ^= a >>> 13;
      b = Math.imul(b ^ (a >>> 15) ^ a, 0xc2b2ae35);
      b ^= b >>> 16;
    }
    return hex(a) + hex(b);
  }
}

const hex = (word: number): string => (word >>> 0).toString(16).padStart(8, '0');

const writer = new Writer();
const reader = new Reader();
const hasher = new Hasher();

/** Copies every field. With `into` of the right length nothing is allocated. */
export function snapshot<S extends TickState>(world: Fields<S>, state: S, into?: Snapshot): Snapshot {
  writer.at = 0;
  world.fields(writer, state);
  return written(into);
}

/** Writes a snapshot back into a living state of the same config. */
export function restore<S extends TickState>(world: Fields<S>, state: S, from: Snapshot): void {
  reader.open(from);
  world.fields(reader, state);
  if (reader.at !== from.length) {
    throw new Error(`restore: the snapshot holds ${from.length} values but the field list took ${reader.at}; was it made by another rulesVersion or config?`);
  }
}

/** 16 hexadecimal digits. */
export function hash<S extends TickState>(world: Fields<S>, state: S): string {
  hasher.reset();
  world.fields(hasher, state);
  return hasher.digest();
}

/** The values of one action, in the order of its field list. */
export function writeAction<A>(world: ActionFields<A>, action: A, into?: Float64Array): Float64Array {
  writer.at = 0;
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

/** Slow and complete: walks every own key of both values. Used for messages and to prove `fields` complete. */
export function firstDifference(a: unknown, b: unknown, path = 'state'): string | null {
  if (Object.is(a, b)) return null;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return `${path}: ${String(a)} vs ${String(b)}`;
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const step = /^\d+$/.test(key) ? `[${key}]` : `.${key}`;
    const found = firstDifference((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key], path + step);
    if (found !== null) return found;
  }
  return null;
}

