import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import type { WorldEvent } from '@lockstep/kernel';
import { describe, expect, it } from 'vitest';
import type { Instruction } from './action.ts';
import { conform } from './conform.ts';
import { readConfig, writeConfig } from './door.ts';
import { readInstructions, readStates, stateLineOf, writeInstructions, writeMap, writeStates } from './formats.ts';
import { judge } from './judge.ts';
import type { RuleName } from './rules.ts';
import { State } from './state.ts';
import { step } from './step.ts';

/** Vectors made by the original programs, beside the project; without them these tests are skipped. */
const folder = fileURLToPath(new URL('../../../../../shared/vectors/asteracer/', import.meta.url));
const missing = !existsSync(folder);
const textOf = (name: string): string => readFileSync(folder + name, 'utf8');
const packed = (name: string): string => gunzipSync(readFileSync(`${folder}public/states/${name}.gz`)).toString('utf8');
const cases = missing ? ['none'] : readdirSync(folder).flatMap((file) => /^(.*)\.out$/.exec(file)?.[1] ?? []);

const PUBLIC_STATES = ['test-manual', 'sprint-manual', 'sprint-random'];

/** The text of the states, and of each tick 1 = collided, 2 = a new goal, 3 = both. */
function play(map: string, rules: RuleName, instructions: readonly Instruction[]): { out: string; flags: string } {
  const state = new State(readConfig({ rules, map }));
  const lines = [];
  let flags = '';
  for (const instruction of instructions) {
    const events: WorldEvent[] = [];
    step(state, [instruction], events);
    lines.push(stateLineOf(state));
    flags += Number(events.some(({ kind }) => kind === 'collision')) + 2 * Number(events.some(({ kind }) => kind === 'goal'));
  }
  return { out: writeStates(lines), flags };
}

describe.skipIf(missing)('the vectors', () => {
  it('there are eighteen cases, and no file of theirs is left out', () => {
    expect(cases).toHaveLength(18);
    const used = [
      ['README.md', 'alt-rules.json'],
      cases.flatMap((name) => ['txt', 'in', 'out', 'flags'].map((end) => `${name}.${end}`)),
      ['badinstr', 'div0', 'nogoals'].flatMap((name) => [`edge/${name}.txt`, `edge/${name}.in`]),
      ['marathon', 'sprint', 'test'].map((name) => `public/maps/${name}.txt`),
      PUBLIC_STATES.flatMap((name) => ['txt', 'in', 'out'].map((end) => `public/states/${name}.${end}.gz`)),
    ].flat();
    const there = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(new Set(there.map(({ parentPath, name }) => join(parentPath, name).slice(folder.length)))).toEqual(new Set(used));
  });

  it('[AR-4.1] the public maps come back as they were', () => {
    for (const name of ['marathon', 'sprint', 'test']) {
      const text = textOf(`public/maps/${name}.txt`);
      expect(
        writeMap(readConfig({ map: text }).map)
          .trimEnd()
          .split(/\s+/),
      ).toEqual(text.trim().split(/\s+/));
    }
  });

  it('[AR-4.5] each case as one recording', () => {
    for (const name of cases) {
      const outs = textOf(`${name}.out`).trimEnd().split('\n');
      const ins = textOf(`${name}.in`).trimEnd().split('\n').slice(1);
      const config = JSON.stringify({ rules: 'v2025', map: textOf(`${name}.txt`) });
      const { counts, difference } = conform([config, ...ins.map((line, i) => `${line} | ${outs[i]}`)]);
      expect([difference, counts['ticks']]).toEqual([null, outs.length]);
    }
  });

  it.each(cases)('[AR-2] [AR-3.3] %s: every state, collision and goal under v2025', (name) => {
    const { instructions, counted } = readInstructions(textOf(`${name}.in`));
    expect(counted).toBe(true);
    const { out, flags } = play(textOf(`${name}.txt`), 'v2025', instructions);
    expect(out === textOf(`${name}.out`)).toBe(true);
    expect(flags).toBe(textOf(`${name}.flags`).trim());
  });

  type Recorded = { sha256: string; last: string; every100: string[] } | { error: string };
  const older: Record<string, Record<string, Recorded>> = missing ? {} : (JSON.parse(textOf('alt-rules.json')) as never);
  const rulesOf = { cpp2023: 'cpp2023', py2023: 'py2023', seedText: 'document' } as const;

  it.each(cases)('[AR-3.3] %s: the older programs and the document', (name) => {
    const { instructions } = readInstructions(textOf(`${name}.in`));
    for (const [key, rules] of Object.entries(rulesOf)) {
      const recorded = older[name]![key]!;
      if ('error' in recorded) continue; // the originals divide by zero there
      const { out } = play(textOf(`${name}.txt`), rules, instructions);
      const lines = out.trimEnd().split('\n');
      expect(lines.filter((_, i) => i % 100 === 99)).toEqual(recorded.every100);
      expect(lines.at(-1)).toBe(recorded.last);
      expect(createHash('sha256').update(out).digest('hex')).toBe(recorded.sha256);
    }
  });

  it.each(PUBLIC_STATES)('[AR-3.3] %s: the states files of the public game', (name) => {
    const { instructions } = readInstructions(packed(`${name}.in`));
    const { out } = play(packed(`${name}.txt`), 'v2025', instructions);
    expect(out === packed(`${name}.out`)).toBe(true);
    expect(writeStates(readStates(out)) === out).toBe(true);
  });

  it('[AR-4.1] [AR-4.2] maps and instructions come back as they were', () => {
    for (const name of cases) {
      const config = readConfig({ map: textOf(`${name}.txt`) });
      expect(writeMap(config.map).trimEnd().split(/\s+/)).toEqual(textOf(`${name}.txt`).trim().split(/\s+/));
      expect(writeInstructions(readInstructions(textOf(`${name}.in`)).instructions)).toBe(textOf(`${name}.in`));
    }
  });

  it('[AR-G1] centres coincide: the racer leaves along x', () => {
    const { instructions } = readInstructions(textOf('edge/div0.in'));
    for (const rules of ['document', 'v2025'] as const)
      expect(play(textOf('edge/div0.txt'), rules, instructions).out).toMatch(/^6127 0 63 0 0\n/);
  });

  it('[AR-1.3] [AR-4.3] without goals a state line ends with a space, and a run is finished before it begins', () => {
    const map = textOf('edge/nogoals.txt');
    const { instructions } = readInstructions(textOf('edge/nogoals.in'));
    expect(play(map, 'v2025', instructions).out).toBe('127 0 127 0 \n241 0 114 0 \n343 -5 102 -5 \n');
    expect(judge(readConfig({ map }), []).finished).toBe(true);
  });

  it('[AR-2.1] the first illegal instruction is refused by line, tick and value', () => {
    expect(() => readInstructions(textOf('edge/badinstr.in'))).toThrow(
      'instructions line 2 (tick 1): expected vx*vx + vy*vy at most 16129, got "-128 0"',
    );
  });
});

describe('recordings in one file', () => {
  const config = readConfig({ preset: 'v2025', map: 'needle' });
  const { instructions } = readInstructions('100 -20\n'.repeat(60));
  const lines: string[] = [JSON.stringify(writeConfig(config))];
  judge(config, instructions, (line) => lines.push(`100 -20 | ${writeStates([line]).trimEnd()}`));

  it('[AR-4.5] a recording is compared number by number', () => {
    const report = conform([...lines, '']);
    expect(report).toMatchObject({ form: 'run', difference: null });
    expect(report.counts['ticks']).toBe(60);
    expect(report.counts['collisions']).toBeGreaterThan(0);
    const wrong = lines.with(5, lines[5]!.replace(/\| -?\d+/, '| 7'));
    expect(conform(wrong).difference).toMatch(/^tick 5: .*, recorded 7 /);
  });

  it.each([
    [[], /line 1: expected a recording/],
    [['{'], /line 1: expected a config as JSON/],
    [[lines[0]!, '1 2'], /line 2: expected "vx vy \| x y vx vy goals"/],
    [[lines[0]!, ' | 1 2 3 4 0'], /line 2: expected an instruction before the bar/],
    [[lines[0]!, '128 0 | 1 2 3 4 0'], /line 2, instruction line 1 \(tick 1\): vx: expected a whole number/],
  ])('[AR-4.5] %#: a recording that is none', (bad, why) => {
    expect(() => conform(bad)).toThrow(why);
  });
});
