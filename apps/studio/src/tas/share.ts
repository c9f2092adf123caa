import { InputError } from '@lockstep/kernel';
import { type Circle, type RaceMap, readMap, RULE_NAMES, type RuleName, writeMap } from '@lockstep/asteracer';
import type { Marker } from './document.ts';
import { lengthOf, MOST_TICKS, type Script } from './script.ts';
import { isLegal } from './thrust.ts';

/** A run that travels in a link: all that it takes to fly it again. */
export interface SharedRun {
  readonly map: RaceMap;
  readonly rules: RuleName;
  readonly script: Script;
  readonly markers: readonly Marker[];
}

const VERSION = 1;
/** Unpacked: the longest run on a map of half a million asteroids. */
const MOST_BYTES = 8_000_000;
const WHOLE = 'a whole share link (copy it again)';

/** As letters, digits, - and _: numbers as varints, instructions by column, all of it deflated with a checksum. */
export async function writeShare({ map, rules, script, markers }: SharedRun): Promise<string> {
  const out = new Writer();
  out.bytes.push(VERSION, RULE_NAMES.indexOf(rules));
  out.circle(map.racer);
  for (const side of [map.box.min_x, map.box.min_y, map.box.max_x, map.box.max_y]) out.int(side);
  for (const circles of [map.asteroids, map.goals]) {
    out.int(circles.length);
    for (const circle of circles) out.circle(circle);
  }
  const ticks = lengthOf(script);
  out.int(ticks);
  for (const axis of [0, 1]) for (let tick = 0; tick < ticks; tick++) out.bytes.push(script[2 * tick + axis]! & 0xff);
  out.int(markers.length);
  for (const { tick, name } of markers) {
    out.int(tick);
    out.text(name);
  }
  if (out.bytes.length > MOST_BYTES) throw new InputError('link', `a run of at most ${MOST_BYTES} bytes`, out.bytes.length);
  return toLetters(await through(new CompressionStream('deflate'), Uint8Array.from(out.bytes)));
}

/** Throws an InputError of one line for anything that `writeShare` did not write. */
export async function readShare(letters: string): Promise<SharedRun> {
  let bytes: Uint8Array;
  try {
    bytes = await through(new DecompressionStream('deflate'), fromLetters(letters));
  } catch {
    throw new InputError('link', WHOLE, letters);
  }
  const from = new Reader(bytes);
  const version = from.byte();
  if (version !== VERSION) throw new InputError('link', `version ${VERSION} of the share link`, version);
  const rules = RULE_NAMES[from.byte()];
  if (rules === undefined) throw new InputError('link', WHOLE, 'unknown rules');
  const racer = from.circle();
  const [min_x, min_y, max_x, max_y] = [from.int(), from.int(), from.int(), from.int()];
  const asteroids = from.list(3, () => from.circle());
  const goals = from.list(3, () => from.circle());
  const map = readMap(writeMap({ racer, box: { min_x, min_y, max_x, max_y }, asteroids, goals }), 'link: map');
  const script = readScript(from);
  const markers = from.list(2, () => ({ tick: from.int(), name: from.text() }));
  return { map, rules, script, markers: markers.filter(({ tick }) => tick >= 0 && tick <= lengthOf(script)) };
}

function readScript(from: Reader): Script {
  const ticks = from.count(2);
  if (ticks > MOST_TICKS) throw new InputError('link: instructions', `at most ${MOST_TICKS}`, ticks);
  const script = new Int8Array(2 * ticks);
  for (const axis of [0, 1]) for (let tick = 0; tick < ticks; tick++) script[2 * tick + axis] = from.byte();
  for (let tick = 0; tick < ticks; tick++) {
    const [vx, vy] = [script[2 * tick]!, script[2 * tick + 1]!];
    if (!isLegal(vx, vy)) throw new InputError(`link (tick ${tick + 1})`, 'vx*vx + vy*vy at most 16129', `${vx} ${vy}`);
  }
  return script;
}

class Writer {
  readonly bytes: number[] = [];

  /** Seven bits a byte, the sign in the lowest. */
  int(value: number): void {
    let rest = value < 0 ? -value * 2 - 1 : value * 2;
    for (; rest > 127; rest = Math.floor(rest / 128)) this.bytes.push((rest % 128) + 128);
    this.bytes.push(rest);
  }
  circle({ x, y, radius }: Circle): void {
    for (const value of [x, y, radius]) this.int(value);
  }
  text(text: string): void {
    const bytes = new TextEncoder().encode(text);
    this.int(bytes.length);
    for (const byte of bytes) this.bytes.push(byte);
  }
}

class Reader {
  private readonly bytes: Uint8Array;
  private at = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  byte(): number {
    if (this.at >= this.bytes.length) throw new InputError('link', WHOLE, 'one that ends too early');
    return this.bytes[this.at++]!;
  }
  int(): number {
    let [value, scale] = [0, 1];
    for (;;) {
      const byte = this.byte();
      value += (byte % 128) * scale;
      if (byte < 128) break;
      scale *= 128;
      if (scale > 2 ** 42) throw new InputError('link', WHOLE, 'a number that is too long');
    }
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }
  /** A number of things of at least so many bytes each: no link can declare more than it holds. */
  count(bytesEach: number): number {
    const count = this.int();
    if (count < 0 || count * bytesEach > this.bytes.length - this.at) throw new InputError('link', WHOLE, `a count of ${count}`);
    return count;
  }
  list<T>(bytesEach: number, read: () => T): T[] {
    return Array.from({ length: this.count(bytesEach) }, read);
  }
  circle(): Circle {
    return { x: this.int(), y: this.int(), radius: this.int() };
  }
  text(): string {
    const length = this.count(1);
    this.at += length;
    return new TextDecoder().decode(this.bytes.subarray(this.at - length, this.at));
  }
}

async function through(stream: CompressionStream | DecompressionStream, bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const writer = stream.writable.getWriter();
  // What goes wrong in writing is told to the reader too.
  writer.write(bytes).catch(() => {});
  writer.close().catch(() => {});
  const reader = stream.readable.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  const parts: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value);
    length += value.length;
    if (length > MOST_BYTES) throw new InputError('link', `a run of at most ${MOST_BYTES} bytes`, 'more');
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function toLetters(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function fromLetters(letters: string): Uint8Array<ArrayBuffer> {
  const text = atob(letters.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}
