import { describe, expect, it } from 'vitest';
import { InputError } from './errors.ts';
import { MAX_SEED, readSeed } from './seed.ts';

describe('seeds are unsigned 64-bit numbers end to end', () => {
  it.each(['0', '7', '538460243868820754', '9007199254740993', '18446744073709551615'])('%s survives a string and JSON', (text) => {
    const seed = readSeed(text);
    expect(String(seed)).toBe(text);
    expect(readSeed(JSON.parse(JSON.stringify({ seed: String(seed) })).seed)).toBe(BigInt(text));
    expect(readSeed(seed)).toBe(seed);
  });

  it('a whole number that a double holds exactly is taken', () => {
    expect(readSeed(7)).toBe(7n);
    expect(readSeed(Number.MAX_SAFE_INTEGER)).toBe(9007199254740991n);
  });

  const refused: unknown[] = [
    '18446744073709551616',
    MAX_SEED + 1n,
    -1n,
    -1,
    1.5,
    NaN,
    Infinity,
    2 ** 53,
    538460243868820754,
    '',
    '-1',
    '1.5',
    '1e3',
    '0x10',
    ' 7',
    '٣',
    '111111111111111111111',
    null,
    undefined,
    true,
    [7],
    {},
  ];
  it.each(refused.map((raw) => [raw]))('%s is refused by one line that names the path', (raw) => {
    const refuse = () => readSeed(raw, 'match.seed');
    expect(refuse).toThrow(InputError);
    expect(refuse).toThrow(/^match\.seed: expected a whole number 0\.\.18446744073709551615[^\n]*, got [^\n]*$/);
  });
});
