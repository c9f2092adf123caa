import { asteracer, writeInstructions, writeMap } from '@lockstep/asteracer';
import type { AnyWorld } from '@lockstep/kernel';
import { readReplay, verifyReplay } from '@lockstep/replay';
import { describe, expect, it } from 'vitest';
import { configFor, readFound, writeReplay } from './files.ts';
import { bordersOf, neckOf } from './gaps.ts';
import { fill, type Script, scriptOf, thrustsOf } from './script.ts';
import { readShare, writeShare } from './share.ts';
import { thrustOf } from './thrust.ts';

const { map } = asteracer.world.readConfig('v2025');
const script: Script = scriptOf(Array.from({ length: 1400 }, (_, tick) => thrustOf(Math.floor(tick / 9) * 41, 127 - (tick % 3))));
const bytesOf = (text: string) => new TextEncoder().encode(text);

describe('files', () => {
  it('tells a map, instructions and a replay apart, whatever they are called', async () => {
    expect(await readFound(bytesOf(writeMap(map)), 'a')).toEqual({ kind: 'map', map });
    for (const counted of [true, false]) {
      const text = writeInstructions(thrustsOf(script), counted);
      expect(await readFound(bytesOf(text), 'b')).toEqual({ kind: 'instructions', script, counted });
    }
    const found = await readFound(await writeReplay(configFor(map, 'cpp2023'), script), 'c');
    expect(found).toEqual({ kind: 'run', map, rules: 'cpp2023', script });
  });

  it('the replay of a run verifies, and so does that of a race that is won before its script ends', async () => {
    const near = { ...map, goals: [{ x: map.racer.x, y: map.racer.y, radius: 1 }] };
    for (const [config, ticks] of [
      [configFor(map, 'v2025'), 1400],
      [configFor(near, 'v2025'), 1],
    ] as const) {
      const replay = await readReplay(await writeReplay(config, script));
      expect(verifyReplay(asteracer.world as AnyWorld, replay)).toMatchObject({ ok: true });
      expect(replay.ticks).toBe(ticks);
    }
    const long = await readReplay(await writeReplay(configFor(map, 'v2025'), fill(script, { from: 4999, to: 5000 }, { vx: 0, vy: 0 })));
    expect(long.ticks).toBe(5000);
  });

  it.each([
    ['', 'x: expected a map, instructions or a replay, got ""'],
    ['hello', 'x: expected a map, instructions or a replay, got "hello"'],
    ['1 2 3 4\n', 'x: expected a map, instructions or a replay, got "1 2 3 4"'],
    ['2\n1 1\n', 'x line 3: expected instruction 2 of 2, got nothing'],
    ['0 0 5\n10 0 -10 5\n0\n0\n', 'x line 2: expected a box with min at most max'],
    ['1\n127 1\n', ': expected vx*vx + vy*vy at most 16129, got "127 1"'],
    ['\u008c', 'x: expected'],
  ])('refuses %j in one line', async (text, line) => {
    const failed = await readFound(text === '\u008c' ? Uint8Array.of(0x8c, 1, 2) : bytesOf(text), 'x').catch((error: Error) => error);
    expect(failed).toBeInstanceOf(Error);
    expect((failed as Error).message).toContain(line);
    expect((failed as Error).message).not.toContain('\n');
  });
});

describe('share links', () => {
  const markers = [
    { tick: 0, name: '' },
    { tick: 700, name: 'вираж ✦' },
  ];

  it('carry the run: map, rules, instructions, markers', async () => {
    const run = { map, rules: 'py2023', script, markers } as const;
    const letters = await writeShare(run);
    expect(letters).toMatch(/^[\w-]+$/);
    expect(await readShare(letters)).toEqual(run);
    expect(letters.length).toBeLessThan(3000);
  });

  it('hold every number a map may have', async () => {
    const circle = { x: -0x8000_0000, y: 0x7fff_ffff, radius: 0xffff_ffff };
    const box = { min_x: -0x8000_0000, min_y: -0x8000_0000, max_x: 0x7fff_ffff, max_y: 0x7fff_ffff };
    const run = {
      map: { racer: circle, box, asteroids: [circle], goals: [] },
      rules: 'document',
      script: new Int8Array(0),
      markers: [],
    } as const;
    expect(await readShare(await writeShare(run))).toEqual(run);
  });

  it('refuse whatever is not whole in one line', async () => {
    const letters = await writeShare({ map, rules: 'v2025', script, markers });
    const other = letters[200] === 'A' ? 'B' : 'A';
    const bad = ['', 'x', '***', letters.slice(0, -9), letters.slice(9), `${letters.slice(0, 200)}${other}${letters.slice(201)}`];
    for (const text of bad) {
      const failed = await readShare(text).catch((error: Error) => error);
      expect(failed).toBeInstanceOf(Error);
      expect((failed as Error).message).toMatch(/^link.*: expected .*, got .*$/);
    }
  });
});

describe('closed gaps', () => {
  const racer = { x: 0, y: 50_000, radius: 1000 };
  const box = { min_x: -100_000, min_y: -100_000, max_x: 100_000, max_y: 100_000 };
  const rock = (x: number, y: number, radius = 5000) => ({ x, y, radius });
  const among = (...asteroids: ReturnType<typeof rock>[]) => ({ racer, box, asteroids, goals: [] });

  it('between two rocks the neck lies across the line of their centres, as long as the ship is in rock', () => {
    const gap = neckOf(among(rock(0, 0), rock(11_000, 0)), 0, 1, 500);
    expect([gap.x1, gap.x2]).toEqual([5500, 5500]);
    expect(gap.y1).toBeCloseTo(Math.sqrt(6000 ** 2 - 5500 ** 2), 6);
    expect(gap.y2).toBeCloseTo(-gap.y1, 6);
  });

  it('between a rock and the border they are those narrower than the ship by not too much', () => {
    expect(bordersOf(among(rock(-92_900, 0)))).toEqual([]);
    expect(bordersOf(among(rock(-93_900, 0)))).toMatchObject([{ depth: 900, x1: -99_000, x2: -99_000 }]);
    expect(bordersOf(among(rock(0, 93_900)))).toMatchObject([{ depth: 900, y1: 99_000, y2: 99_000 }]);
    expect(bordersOf(among(rock(-95_100, 0)))).toEqual([]);
  });
});
