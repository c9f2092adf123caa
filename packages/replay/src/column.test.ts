import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ByteReader } from './bytes.ts';
import { packColumn, unpackColumn } from './column.ts';

const words = (values: Float64Array): number[] => [...new Uint32Array(values.buffer, values.byteOffset, values.length * 2)];

async function roundTrip(values: Float64Array): Promise<{ size: number; back: Float64Array }> {
  const packed = await packColumn(values);
  const from = new ByteReader(packed);
  const back = await unpackColumn(from, values.length);
  from.end();
  return { size: packed.length, back };
}

const noise = (i: number): number => ((Math.imul(i + 1, 0x9e3779b1) ^ (Math.imul(i + 7, 0x85ebca6b) >>> 13)) >>> 0) / 2 ** 32;
const series = (length: number, value: (i: number) => number): Float64Array => Float64Array.from({ length }, (_, i) => value(i));

describe('a column of actions', () => {
  it.each<[string, Float64Array]>([
    ['nothing', series(0, () => 0)],
    ['one value', series(1, () => -0)],
    ['zeros of both signs', series(300, (i) => (i % 3 === 0 ? -0 : 0))],
    [
      'the ends of the range',
      Float64Array.of(Number.MAX_VALUE, -Number.MAX_VALUE, 5e-324, -5e-324, 1e300, 2 ** 53, 2 ** 50 + 1, -(2 ** 50)),
    ],
    ['no numbers', Float64Array.of(NaN, Infinity, -Infinity, 0, NaN)],
    ['sixteenths', series(1000, (i) => Math.round(noise(i) * 960 - 480) / 16)],
    ['cents', series(1000, (i) => Math.round(noise(i) * 6000 - 3000) / 100)],
    ['sixteenths that turn to cents', series(1000, (i) => (i < 500 ? i / 16 : i / 100))],
    ['a switch', series(1000, (i) => (i % 97 < 10 ? 15 : 0))],
    ['full doubles', series(1000, (i) => noise(i) * 60 - 30)],
    ['full doubles that stay a while', series(1000, (i) => noise(Math.floor(i / 40)))],
    ['tenths of a large number', series(100, (i) => 1e9 + i / 10)],
  ])('%s: comes back bit for bit', async (_name, values) => {
    expect(words((await roundTrip(values)).back)).toEqual(words(values));
  });

  it('comes back bit for bit whatever the bits, NaNs with payloads too', async () => {
    const bits = fc.array(fc.tuple(fc.nat(0xffffffff), fc.nat(0xffffffff)), { maxLength: 80 });
    await fc.assert(
      fc.asyncProperty(bits, async (pairs) => {
        const values = new Float64Array(Uint32Array.from(pairs.flat()).buffer);
        expect(words((await roundTrip(values)).back)).toEqual(words(values));
      }),
      { numRuns: 200 },
    );
  });

  it('comes back bit for bit for numbers of people: few of them, short ones, repeated ones', async () => {
    const number = fc.oneof(fc.constantFrom(0, -0, 15, 0.1, -0.1, 30), fc.double(), fc.integer(), fc.integer().map((n) => n / 64), fc.integer().map((n) => n / 1000)); // prettier-ignore
    const runs = fc.array(fc.tuple(number, fc.integer({ min: 1, max: 20 })), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(runs, async (list) => {
        const values = Float64Array.from(list.flatMap(([value, times]) => Array<number>(times).fill(value)));
        expect(words((await roundTrip(values)).back)).toEqual(words(values));
      }),
      { numRuns: 200 },
    );
  });

  it('is small: constants and switches next to nothing, rounded numbers about their digits, full doubles no larger than themselves', async () => {
    const size = async (value: (i: number) => number) => (await roundTrip(series(20_000, value))).size;
    expect(await size(() => Math.PI)).toBeLessThan(40);
    expect(await size((i) => (i % 500 < 20 ? 15 : 0))).toBeLessThan(200);
    expect(await size((i) => Math.round(30 * 16 * noise(Math.floor(i / 7))) / 16)).toBeLessThan(20_000);
    expect(await size((i) => noise(i))).toBeLessThan(8 * 20_000);
  });
});
