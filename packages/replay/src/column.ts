import { ByteReader, ByteWriter, Damage, HI, LO } from './bytes.ts';
import { pack, unpack } from './deflate.ts';

/**
 * The k-th value of a seat's action over all ticks. Each column is written in the cheapest of a few encodings; all are exact to the
 * bit, whatever the bits. Doubles are handled as pairs of 32-bit words wherever they might be a NaN, since engines may change the
 * bits of a NaN that passes through a number.
 */
export type Column = Float64Array;

const RUNS = 0;
const INTS = 1;
const PLANES = 2;
const XOR_PLANES = 3;

/** Value = whole number / scale: thirds of a bit are not tried. The index is what the file holds. */
const SCALES = [...Array.from({ length: 21 }, (_, k) => 2 ** k), ...Array.from({ length: 9 }, (_, k) => Number(`1e${k + 1}`))];
/** So that differences of two, doubled by the zigzag, are still exact. */
const LARGEST_INT = 2 ** 50;

/** A column as it lies in a file: the encoding's number, then a block. */
export async function packColumn(column: Column): Promise<Uint8Array> {
  const candidates = candidatesOf(column);
  const packed = await Promise.all(candidates.map(({ bytes }) => pack(bytes)));
  let best = 0;
  for (let i = 1; i < packed.length; i++) if (packed[i]!.length < packed[best]!.length) best = i;
  const out = new ByteWriter();
  out.u8(candidates[best]!.encoding);
  out.put(packed[best]!);
  return out.done();
}

export async function unpackColumn(from: ByteReader, ticks: number): Promise<Column> {
  const encoding = from.u8();
  const body = new ByteReader(await unpack(from, ticks * 24 + 64));
  const column = decode(encoding, body, ticks);
  body.end();
  return column;
}

interface Candidate {
  readonly encoding: number;
  readonly bytes: Uint8Array;
}

function candidatesOf(column: Column): Candidate[] {
  const runs = asRuns(column);
  const candidates: Candidate[] = runs === null ? [] : [{ encoding: RUNS, bytes: runs }];
  const scale = scaleOf(column);
  if (scale >= 0) {
    for (const order of [0, 1]) candidates.push({ encoding: INTS, bytes: asInts(column, scale, order) });
  } else {
    candidates.push({ encoding: PLANES, bytes: asPlanes(column, false) }, { encoding: XOR_PLANES, bytes: asPlanes(column, true) });
  }
  return candidates;
}

function decode(encoding: number, body: ByteReader, ticks: number): Column {
  if (encoding === RUNS) return fromRuns(body, ticks);
  if (encoding === INTS) return fromInts(body, ticks);
  if (encoding === PLANES || encoding === XOR_PLANES) return fromPlanes(body, ticks, encoding === XOR_PLANES);
  throw new Damage(`a column has the unknown encoding ${encoding}`);
}

/** Distinct values, then the length of each run, then which value it holds. Constants and switches come out tiny. */
function asRuns(column: Column): Uint8Array | null {
  const words = wordsOf(column);
  const values = new Map<string, number>();
  const lengths: number[] = [];
  const which: number[] = [];
  const out = new ByteWriter();
  for (let i = 0; i < column.length; i++) {
    const lo = words[i * 2 + LO]!;
    const hi = words[i * 2 + HI]!;
    if (i > 0 && lo === words[i * 2 - 2 + LO] && hi === words[i * 2 - 2 + HI]) {
      lengths[lengths.length - 1]!++;
      continue;
    }
    if (lengths.length > 64 && lengths.length > column.length / 2) return null; // hardly any run: other encodings are cheaper
    const key = `${lo},${hi}`;
    let value = values.get(key);
    if (value === undefined) {
      value = values.size;
      values.set(key, value);
      out.u32(lo);
      out.u32(hi);
    }
    lengths.push(1);
    which.push(value);
  }
  const head = new ByteWriter();
  head.varint(values.size);
  head.varint(lengths.length);
  head.put(out.done());
  for (const length of lengths) head.varint(length);
  for (const value of which) head.varint(value);
  return head.done();
}

function fromRuns(body: ByteReader, ticks: number): Column {
  const count = body.varint();
  const runs = body.varint();
  if (count > ticks || runs > ticks) throw new Damage(`a column of ${ticks} ticks declares ${runs} runs of ${count} values`);
  const column = new Float64Array(ticks);
  const words = wordsOf(column);
  const values = Array.from({ length: count }, () => [body.u32(), body.u32()] as const);
  const lengths = Array.from({ length: runs }, () => body.varint());
  let at = 0;
  for (const length of lengths) {
    const value = values[body.varint()];
    if (value === undefined || length > ticks - at) throw new Damage('a run leads out of its column');
    for (const end = at + length; at < end; at++) {
      words[at * 2 + LO] = value[0];
      words[at * 2 + HI] = value[1];
    }
  }
  if (at !== ticks) throw new Damage(`runs fill ${at} of ${ticks} ticks`);
  return column;
}

/** The index of a scale under which every value is a whole number, -0 aside; -1 when there is none. */
function scaleOf(column: Column): number {
  let index = 0;
  for (let i = 0; i < column.length; i++) {
    while (!fits(column[i]!, SCALES[index]!)) {
      if (++index === SCALES.length) return -1;
      i = 0; // a larger scale must fit the earlier values as well; this happens at most once a scale
    }
  }
  return index;
}

function fits(value: number, scale: number): boolean {
  const whole = Math.round(value * scale);
  return Math.abs(whole) <= LARGEST_INT && whole / scale === value;
}

/** Scale, order of differences, the places of -0, then zigzag varints. */
function asInts(column: Column, scale: number, order: number): Uint8Array {
  const out = new ByteWriter();
  out.u8(scale);
  out.u8(order);
  const negativeZeros: number[] = [];
  for (let i = 0; i < column.length; i++) if (Object.is(column[i], -0)) negativeZeros.push(i);
  out.varint(negativeZeros.length);
  negativeZeros.forEach((place, i) => out.varint(i === 0 ? place : place - negativeZeros[i - 1]! - 1));
  let before = 0;
  for (let i = 0; i < column.length; i++) {
    const whole = Math.round(column[i]! * SCALES[scale]!);
    const step = order === 0 ? whole : whole - before;
    out.varint(step >= 0 ? step * 2 : step * -2 - 1);
    before = whole;
  }
  return out.done();
}

function fromInts(body: ByteReader, ticks: number): Column {
  const scale = SCALES[body.u8()];
  const order = body.u8();
  const zeros = body.varint();
  if (scale === undefined || order > 1 || zeros > ticks) throw new Damage('a column of whole numbers has an impossible head');
  const negativeZeros: number[] = [];
  for (let i = 0, place = -1; i < zeros; i++) {
    place += body.varint() + 1;
    if (place >= ticks) throw new Damage('a -0 lies outside its column');
    negativeZeros.push(place);
  }
  const column = new Float64Array(ticks);
  let before = 0;
  for (let i = 0; i < ticks; i++) {
    const zigzag = body.varint();
    const step = zigzag % 2 === 0 ? zigzag / 2 : (zigzag + 1) / -2;
    before = order === 0 ? step : before + step;
    column[i] = before / scale + 0;
  }
  for (const place of negativeZeros) column[place] = -0;
  return column;
}

/** The first bytes of all values, then the second bytes of all, …: equal exponents lie together. Optionally XORed with the value before. */
function asPlanes(column: Column, xor: boolean): Uint8Array {
  const words = wordsOf(column);
  const out = new Uint8Array(column.length * 8);
  let lo = 0;
  let hi = 0;
  for (let i = 0; i < column.length; i++) {
    const low = words[i * 2 + LO]! ^ (xor ? lo : 0);
    const high = words[i * 2 + HI]! ^ (xor ? hi : 0);
    lo = words[i * 2 + LO]!;
    hi = words[i * 2 + HI]!;
    for (let byte = 0; byte < 4; byte++) {
      out[byte * column.length + i] = low >>> (byte * 8);
      out[(byte + 4) * column.length + i] = high >>> (byte * 8);
    }
  }
  return out;
}

function fromPlanes(body: ByteReader, ticks: number, xor: boolean): Column {
  const bytes = body.take(ticks * 8);
  const column = new Float64Array(ticks);
  const words = wordsOf(column);
  let lo = 0;
  let hi = 0;
  for (let i = 0; i < ticks; i++) {
    let low = 0;
    let high = 0;
    for (let byte = 0; byte < 4; byte++) {
      low |= bytes[byte * ticks + i]! << (byte * 8);
      high |= bytes[(byte + 4) * ticks + i]! << (byte * 8);
    }
    lo = xor ? lo ^ low : low;
    hi = xor ? hi ^ high : high;
    words[i * 2 + LO] = lo;
    words[i * 2 + HI] = hi;
  }
  return column;
}

function wordsOf(values: Float64Array): Uint32Array {
  return new Uint32Array(values.buffer, values.byteOffset, values.length * 2);
}
