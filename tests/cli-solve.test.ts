import { spawn } from 'node:child_process';
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { BIN, jsonLines, workshop } from './cli-run.ts';

const SPRINT = fileURLToPath(new URL('../../shared/vectors/asteracer/public/maps/sprint.txt', import.meta.url));

const { folder, lockstep, shell } = workshop();
const solve = (...args: string[]) => lockstep('solve', 'asteracer', ...args);
const textOf = (file: string): string => readFileSync(join(folder, file), 'utf8');

describe('solve', () => {
  it('the same seed and nodes give the same run, with one thread or two; the replay holds it', async () => {
    const args = ['needle', '--rules', 'v2025', '--nodes', '1000000', '--seed', '5', '--json'];
    const [one, two] = await Promise.all([
      solve(...args, '-j', '1', '-o', 'one.in'),
      solve(...args, '-j', '2', '-o', 'two.in', '--record', 'two.replay'),
    ]);
    expect(one).toMatchObject({ code: 0, err: '' });
    expect(two).toMatchObject({ code: 0, err: '' });
    expect(textOf('one.in')).toBe(textOf('two.in'));
    const [run] = jsonLines(one.out).slice(-1);
    expect(run).toMatchObject({ kind: 'run', world: 'asteracer', seed: '5', noTouch: false, interrupted: false, output: 'one.in' });
    expect(jsonLines(two.out).at(-1)).toMatchObject({ ticks: run!['ticks'], nodes: run!['nodes'] });
    expect(textOf('one.in').split('\n')[0]).toBe(String(run!['ticks']));
    expect(await lockstep('replay', 'verify', 'two.replay')).toMatchObject({ code: 0 });
  });

  it('goes on from a given run; without touching nothing is touched', async () => {
    const first = await solve('needle', '--nodes', '800000', '--no-touch', '-o', 'touchless.in');
    expect(first).toMatchObject({ code: 0, err: '' });
    expect(first.out).toMatch(/^\d+ ticks, nothing touched, proven by the exact model\n/);
    const more = await solve('needle', '--nodes', '1000000', '--no-touch', '--from', 'touchless.in', '-o', 'better.in', '--json');
    expect(more).toMatchObject({ code: 0, err: '' });
    const [run] = jsonLines(more.out).slice(-1);
    expect(run).toMatchObject({ noTouch: true, collisions: 0 });
    expect(run!['ticks']).toBeLessThanOrEqual(Number(textOf('touchless.in').split('\n')[0]));
  });

  it('takes a map from stdin, gives the run to stdout, and complains by the name of the file', async () => {
    cpSync(fileURLToPath(new URL('../packages/worlds/asteracer/maps/needle.txt', import.meta.url)), join(folder, 'needle.txt'));
    const judged = await shell('lockstep solve asteracer - --nodes 800000 -o - < needle.txt | lockstep judge asteracer needle -');
    expect(judged).toMatchObject({ code: 0, err: expect.stringMatching(/^lockstep: \d+ ticks, .*\nlockstep: [\d,]+ nodes in .*\n$/) });
    expect(judged.out).toMatch(/^finished: /);
    writeFileSync(join(folder, 'wrong.txt'), '0 0 1\n5 5 1 1\n0\n0\n');
    expect((await solve('wrong.txt', '-o', 'x.in')).err).toBe(
      'lockstep: wrong.txt: line 2: expected a box with min at most max, got "5 5 1 1"\n',
    );
    expect((await solve('needle', '-o', '-', '--json')).err).toMatch(
      /^lockstep: output: expected a file, for stdout has the JSON, got "-"\n$/,
    );
  });

  it('Ctrl+C keeps the best', async () => {
    const child = spawn(process.execPath, [BIN, 'solve', 'asteracer', 'needle', '--seconds', '600', '-o', 'kept.in', '--json'], {
      cwd: folder,
    });
    let out = '';
    const ended = new Promise<number | null>((resolve) => child.on('exit', resolve));
    await new Promise<void>((resolve) => {
      child.stdout.on('data', (text) => {
        out += String(text);
        resolve();
      });
    });
    expect(jsonLines(out)[0]).toMatchObject({ kind: 'better' });
    child.kill('SIGINT');
    expect(await ended).toBe(0);
    const run = jsonLines(out).at(-1)!;
    expect(run).toMatchObject({ kind: 'run', interrupted: true });
    expect(textOf('kept.in').split('\n')[0]).toBe(String(run['ticks']));
  });

  it('ends by the clock, too', async () => {
    await solve('needle', '--nodes', '300000', '-o', 'before.in');
    expect(await solve('needle', '--seconds', '1', '--from', 'before.in', '-o', 'clock.in')).toMatchObject({ code: 0, err: '' });
    expect(Number(textOf('clock.in').split('\n')[0])).toBeLessThanOrEqual(Number(textOf('before.in').split('\n')[0]));
  });

  it('a goal out of reach: no run, exit code 1, nothing written', async () => {
    writeFileSync(join(folder, 'walled.txt'), '0 0 1000\n-9000 -9000 9000 9000\n0\n1\n90000 0 10\n');
    const { code, err } = await solve('walled.txt', '--nodes', '100000', '-o', 'walled.in');
    expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(/^lockstep: no run was found within [\d,]+ nodes\n$/) });
    expect(existsSync(join(folder, 'walled.in'))).toBe(false);
  });

  it.each([
    [['needle'], 'output: expected -o FILE or --record FILE'],
    [['nedle', '-o', 'x.in'], 'lockstep: map: expected one of'],
    [['nowhere.txt', '-o', 'x.in'], 'nowhere.txt: expected a readable file'],
    [['broken.txt', '-o', 'x.in'], 'lockstep: broken.txt: line 2'],
    [['needle', '--rules', 'v2024', '-o', 'x.in'], 'rules: expected one of'],
    [['needle', '--nodes', '0', '-o', 'x.in'], 'nodes: expected'],
    [['needle', '--seconds', 'long', '-o', 'x.in'], 'seconds: expected'],
    [['needle', '--seconds', '1', '--nodes', '1', '-o', 'x.in'], 'cannot be used with'],
    [['needle', '--seed', '-1', '-o', 'x.in'], 'seed: expected'],
    [['needle', '-j', '0', '-o', 'x.in'], 'jobs: expected'],
    [['needle', '--from', 'short.in', '-o', 'x.in'], 'from: expected a run that reaches all 4 goals'],
    [['needle', '-o', 'no/such/folder/x.in'], 'expected a file in a folder that can be written to'],
  ])('%j: one line', async (args, line) => {
    writeFileSync(join(folder, 'broken.txt'), '0 0 1\n5 5 1 1\n0\n0\n');
    writeFileSync(join(folder, 'short.in'), '1\n5 5\n');
    const { code, out, err } = await solve(...args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(line);
    expect(err.trimEnd().split('\n')).toHaveLength(1);
  });

  it('a world without a solver is named', async () => {
    expect((await lockstep('solve', 'codeball', 'x', '-o', 'x.in')).err).toBe(
      'lockstep: world: expected one of asteracer, got "codeball"\n',
    );
  });

  it.skipIf(!existsSync(SPRINT))('the public sprint map: a few million nodes already come below the judge\'s "very good"', async () => {
    const { out } = await solve(SPRINT, '--rules', 'v2025', '--nodes', '3000000', '-o', 'sprint.in', '--json');
    expect(jsonLines(out).at(-1)!['ticks']).toBeLessThanOrEqual(1151);
  });
});
