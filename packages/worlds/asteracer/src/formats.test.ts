import { InputError, nextInt, type Rng } from '@lockstep/kernel';
import { fuzz } from '@lockstep/testkit';
import { describe, expect, it } from 'vitest';
import { readConfig } from './door.ts';
import { readInstructions, readMap, readStates, writeInstructions, writeMap, writeStates } from './formats.ts';
import { judge } from './judge.ts';
import { MAPS } from './maps.ts';
import { between, KINDS, mapWithin } from './random-map.test-support.ts';

const map = '0 0 10\n-50 -50 50 50\n2\n1 2 3\n-4 5 6\n1\n7 8 9\n';

describe('maps', () => {
  it('[AR-4.1] [AR-1.2] are read and written', () => {
    expect(readMap(map)).toEqual({
      racer: { x: 0, y: 0, radius: 10 },
      box: { min_x: -50, min_y: -50, max_x: 50, max_y: 50 },
      asteroids: [
        { x: 1, y: 2, radius: 3 },
        { x: -4, y: 5, radius: 6 },
      ],
      goals: [{ x: 7, y: 8, radius: 9 }],
    });
    for (const text of [map, ...Object.values(MAPS)]) expect(writeMap(readMap(text))).toBe(text);
  });

  it('[AR-4.1] blank lines, tabs and other line ends do no harm, and zero has no sign', () => {
    expect(writeMap(readMap(`\r\n${map.replaceAll('\n', ' \r\n\n').replace('0 0 10', '\t-0 +0   10')}`))).toBe(map);
    expect(Object.is(readMap(map.replace('0 0', '-0 -0')).racer.x, 0)).toBe(true);
  });

  it('[AR-1.1] [AR-4.1] take the whole range of the datatypes and nothing beyond', () => {
    const widest = '2147483647 -2147483648 4294967295\n-2147483648 -2147483648 2147483647 2147483647\n0\n0\n';
    expect(writeMap(readMap(widest))).toBe(widest);
  });

  it.each([
    ['', 'map line 1: expected the racer as "x y radius", got nothing'],
    ['1 2\n', 'map line 1: expected the racer as "x y radius", got "1 2"'],
    [map.replace('0 0 10', '0 0 -10'), 'map line 1: radius: expected a whole number 0..4294967295, got "-10"'],
    [map.replace('0 0 10', '0 2147483648 10'), 'map line 1: y: expected a whole number -2147483648..2147483647, got "2147483648"'],
    [map.replace('0 0 10', '0 1.5 10'), 'map line 1: y: expected a whole number -2147483648..2147483647, got "1.5"'],
    [map.replace('0 0 10', '0 1e3 10'), 'map line 1: y: expected a whole number -2147483648..2147483647, got "1e3"'],
    [map.replace('-50 -50 50', '60 -50 50'), 'map line 2: expected a box with min at most max, got "60 -50 50 50"'],
    [map.replace('-50 -50 50 50', '-50 -50 50'), 'map line 2: expected the bounding box as "min_x min_y max_x max_y", got "-50 -50 50"'],
    [map.replace('\n2\n', '\n3\n'), 'map line 6: expected asteroid 3 of 3 as "x y radius", got "1"'],
    [map.replace('\n2\n', '\n1\n'), 'map line 5: expected the number of goals alone as "count", got "-4 5 6"'],
    [map.replace('\n2\n', '\n-1\n'), 'map line 3: count: expected a whole number 0..4294967295, got "-1"'],
    [map.replace('\n1\n', '\n2\n'), 'map line 8: expected goal 2 of 2 as "x y radius", got nothing'],
    [map.replace('1 2 3', '1 2 4294967296'), 'map line 4: radius: expected a whole number 0..4294967295, got "4294967296"'],
    [map.replace('7 8 9', '-2147483649 8 9'), 'map line 7: x: expected a whole number -2147483648..2147483647, got "-2147483649"'],
    [map.replace('7 8 9', '7 8 0x9'), 'map line 7: radius: expected a whole number 0..4294967295, got "0x9"'],
    [`${map}1 1 1\n`, 'map line 8: expected nothing after the last of 1 goals, got "1 1 1"'],
  ])('[AR-4.1] %#: what is wrong is said in one line', (text, message) => {
    expect(() => readMap(text)).toThrow(InputError);
    expect(() => readMap(text)).toThrow(message);
  });
});

describe('instructions', () => {
  it('[AR-4.2] are read with and without their number', () => {
    const rows = '1 -2\n127 0\n-89 90\n';
    const counted = readInstructions(`3\n${rows}`);
    expect(counted.counted).toBe(true);
    expect(writeInstructions(counted.instructions)).toBe(`3\n${rows}`);
    const bare = readInstructions(rows);
    expect(bare.counted).toBe(false);
    expect(writeInstructions(bare.instructions, false)).toBe(rows);
    expect(readInstructions('').instructions).toEqual([]);
    expect(readInstructions('0\n')).toEqual({ instructions: [], counted: true });
  });

  it.each([
    ['2\n1 1\n', 'instructions line 3: expected instruction 2 of 2, got nothing'],
    ['1\n1 1\n2 2\n', 'instructions line 3: expected nothing after the last of 1 instructions, got "2 2"'],
    ['1 1\n1 1 1\n', 'instructions line 2 (tick 2): expected an instruction as "vx vy", got "1 1 1"'],
    ['1\n128 0\n', 'instructions line 2 (tick 1): vx: expected a whole number -128..127, got "128"'],
    ['1 1\n-129 0\n', 'instructions line 2 (tick 2): vx: expected a whole number -128..127, got "-129"'],
    ['1 1\n1 1.0\n', 'instructions line 2 (tick 2): vy: expected a whole number -128..127, got "1.0"'],
    ['1 1\n1 NaN\n', 'instructions line 2 (tick 2): vy: expected a whole number -128..127, got "NaN"'],
    ['1\n-128 0\n', 'instructions line 2 (tick 1): expected vx*vx + vy*vy at most 16129, got "-128 0"'],
    ['\n90 90\n', 'instructions line 2 (tick 1): expected vx*vx + vy*vy at most 16129, got "90 90"'],
    ['go\n', 'instructions line 1: count: expected a whole number 0..4294967295, got "go"'],
  ])('[AR-4.2] [AR-2.1] %#: what is wrong is said in one line', (text, message) => {
    expect(() => readInstructions(text)).toThrow(message);
  });
});

describe('states', () => {
  it('[AR-4.3] are read and written, with goals and without', () => {
    const text = '1 2 -3 4 010\n-5 6 0 0 011\n';
    expect(writeStates(readStates(text))).toBe(text);
    expect(writeStates(readStates('1 2 3 4 \n'))).toBe('1 2 3 4 \n');
    expect(writeStates([{ x: 0, y: 0, vx: 0, vy: 0, goals: '' }])).toBe('0 0 0 0 \n');
  });

  it.each([
    ['1 2 3\n', 'states line 1: expected a state as "x y vx vy", got "1 2 3"'],
    ['1 2 3 4 012\n', 'states line 1: goals: expected 0 or 1 for each goal, got "012"'],
    ['1 2 3 4 0\n1 2 3 x 0\n', 'states line 2: vy: expected a whole number'],
  ])('[AR-4.3] %#: what is wrong is said in one line', (text, message) => {
    expect(() => readStates(text)).toThrow(message);
  });
});

describe('the judge', () => {
  it('[AR-4.4] runs all instructions and tells when the goals were reached', () => {
    const config = readConfig({ rules: 'v2025', map: '0 0 10\n-500 -500 500 500\n0\n3\n100 0 5\n290 0 5\n0 480 5\n' });
    const { instructions } = readInstructions('100 0\n'.repeat(9));
    const seen: number[] = [];
    expect(judge(config, instructions, ({ x }) => seen.push(x))).toEqual({ finished: false, ticks: 9, goals: [1, 2, null], collisions: 7 });
    expect(seen.slice(0, 4)).toEqual([100, 290, 490, 490]);
  });
});

/** A text of the kind these files have, with something wrong here and there. */
function garbled(rng: Rng, text: string): string {
  const junk = ['', ' ', '\n', '-', '9', '99999999999', 'x', '0', '\u0000', '1 1 1', '\r', '.5', 'é'];
  let out = text;
  for (let i = nextInt(rng, 4); i >= 0; i--) {
    const at = nextInt(rng, out.length + 1);
    out = out.slice(0, at) + junk[nextInt(rng, junk.length)]! + out.slice(at + nextInt(rng, 6));
  }
  return out;
}

/** Whatever comes in, a reader takes it or says in one line, with the line's number, why not. */
function survives(read: () => unknown): void {
  try {
    read();
  } catch (error) {
    if (!(error instanceof InputError) || !/^\w+ line \d+[^\n]*: expected [^\n]*, got [^\n]*$/.test(error.message)) throw error;
  }
}

/** The same words, laid out as some editor or system would. */
function relaid(rng: Rng, text: string): string {
  const end = ['\n', '\r\n', ' \n', '\n\n', '\t\r\n'][nextInt(rng, 5)]!;
  const out = text.replaceAll('\n', end).replaceAll(' ', ['  ', ' ', '\t'][nextInt(rng, 3)]!);
  return [out, out.trimEnd(), `\n${out}\n \n`][nextInt(rng, 3)]!;
}

describe('what is written is read back', () => {
  it.each(KINDS)('[AR-4.1] maps: %s', (name, span, radius, count) => {
    expect(() =>
      fuzz(`maps, ${name}`, 60, (rng) => {
        const text = writeMap(mapWithin(rng, span, radius, count));
        if (writeMap(readMap(relaid(rng, text))) !== text) throw new Error(text);
      }),
    ).not.toThrow();
  });

  it('[AR-4.2] instructions, with their number and without', () => {
    expect(() =>
      fuzz('instructions', 300, (rng) => {
        const rows = Array.from({ length: nextInt(rng, 40) }, () => ({ vx: between(rng, -89, 89), vy: between(rng, -89, 89) }));
        const counted = rows.length === 0 || nextInt(rng, 2) === 0;
        const text = writeInstructions(rows, counted);
        const read = readInstructions(relaid(rng, text));
        if (read.counted !== counted || writeInstructions(read.instructions, counted) !== text) throw new Error(text);
      }),
    ).not.toThrow();
  });

  it('[AR-4.3] states', () => {
    expect(() =>
      fuzz('states', 300, (rng) => {
        const far = (): number => between(rng, -9_000_000_000, 9_000_000_000);
        const goals = nextInt(rng, 4);
        const rows = Array.from({ length: 1 + nextInt(rng, 20) }, () => ({
          x: far(),
          y: far(),
          vx: between(rng, -1279, 1279),
          vy: between(rng, -1279, 1279),
          goals: Array.from({ length: goals }, () => nextInt(rng, 2)).join(''),
        }));
        if (writeStates(readStates(relaid(rng, writeStates(rows)))) !== writeStates(rows)) throw new Error(writeStates(rows));
      }),
    ).not.toThrow();
  });
});

describe('garbled files', () => {
  it.each([
    ['maps', map, (text: string) => writeMap(readMap(writeMap(readMap(text))))],
    ['instructions', '3\n1 2\n3 4\n-5 100\n', (text: string) => writeInstructions(readInstructions(text).instructions)],
    ['states', '1 2 3 4 01\n5 6 7 8 11\n', (text: string) => writeStates(readStates(text))],
  ])('[AR-4.1] [AR-4.2] [AR-4.3] %s are taken or refused by line', (name, text, read) => {
    expect(() => fuzz(`garbled ${name}`, 1500, (rng) => survives(() => read(garbled(rng, text))))).not.toThrow();
  });

  it('[AR-4.1] a count that promises more than there is costs nothing', () => {
    expect(() => readMap('0 0 1\n0 0 9 9\n4294967295\n')).toThrow(
      'map line 4: expected asteroid 1 of 4294967295 as "x y radius", got nothing',
    );
  });

  it('[AR-4.1] a million asteroids are read and raced', () => {
    const count = 1_000_000;
    const rows = Array.from(
      { length: count },
      (_, i) => `${((i * 7919) % 2_000_000) - 1_000_000} ${((i * 104_729) % 2_000_000) - 1_000_000} 300\n`,
    );
    const config = readConfig({ map: `0 0 100\n-1000000 -1000000 1000000 1000000\n${count}\n${rows.join('')}0\n` });
    expect(config.map.asteroids).toHaveLength(count);
    expect(judge(config, readInstructions('100 50\n'.repeat(50)).instructions).ticks).toBe(50);
  });
});
