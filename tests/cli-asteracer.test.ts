import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { asteracer, MAPS, readMap, RULE_NAMES, writeInstructions } from '@lockstep/asteracer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const BIN = fileURLToPath(new URL('../apps/cli/bin/lockstep.mjs', import.meta.url));
const VECTORS = fileURLToPath(new URL('../../shared/vectors/asteracer/', import.meta.url));

interface Run {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'lockstep-asteracer-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function lockstepWith(input: string, ...args: string[]): Promise<Run> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [BIN, ...args], { cwd: folder });
    let [out, err] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
    child.stdin.on('error', () => {}); // whoever reads no input closes it
    child.stdin.end(input);
    child.on('close', (code) => resolve({ code: code ?? -1, out, err }));
  });
}
const lockstep = (...args: string[]): Promise<Run> => lockstepWith('', ...args);

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const LINE = '0 0 10\n-500 -500 500 500\n0\n2\n100 0 5\n290 0 5\n';

/** What the pilot plays, as a file of instructions. */
function piloted(map: string): string {
  const { world, bots } = asteracer;
  const state = world.create(world.readConfig({ preset: 'v2025', map }), 0n);
  const bot = bots['pilot']!(world.brief(state, 0), 0);
  const played = [];
  while (world.result(state) === null) {
    played.push(world.readAction(bot.act(world.observe(state, 0)), state, 0));
    world.step(state, [played.at(-1)!], []);
  }
  return writeInstructions(played);
}

describe('run', () => {
  it.skipIf(!existsSync(VECTORS))('prints the public state lines, to the last letter', async () => {
    for (const name of ['corridor', 'many_goals', 'edge/nogoals']) {
      const { code, out, err } = await lockstep('run', 'asteracer', `${VECTORS}${name}.txt`, `${VECTORS}${name}.in`, '--rules', 'v2025', '--states'); // prettier-ignore
      expect([code, err]).toEqual([0, '']);
      const wanted =
        name === 'edge/nogoals' ? '127 0 127 0 \n241 0 114 0 \n343 -5 102 -5 \n' : readFileSync(`${VECTORS}${name}.out`, 'utf8');
      expect(out === wanted).toBe(true);
    }
  });

  it('prints the last state alone, takes stdin, other line ends, blank last lines and no last line end', async () => {
    const map = file('line.txt', LINE.replaceAll('\n', '\r\n'));
    for (const run of ['3\n100 0\n100 0\n0 0\n', '3\r\n100 0\r\n100 0\r\n0 0\r\n\r\n\n', '3\n100 0\n100 0\n0 0'])
      expect(await lockstepWith(run, 'run', 'asteracer', map, '-')).toEqual({ code: 0, out: '461 0 171 0 11\n', err: '' });
    const instructions = file('line.in', '1\n100 0\n');
    expect((await lockstepWith(LINE, 'run', 'asteracer', '-', instructions)).out).toBe('100 0 100 0 10\n');
  });

  it('says when the number of instructions is missing, and goes on', async () => {
    const { code, out, err } = await lockstepWith('100 0\n', 'run', 'asteracer', file('line.txt', LINE), '-', '--json');
    expect([code, JSON.parse(out), err]).toEqual([
      0,
      { kind: 'state', tick: 1, line: '100 0 100 0 10' },
      'lockstep: stdin: the number of instructions is missing; all are taken\n',
    ]);
  });

  it('draws the way', async () => {
    await lockstepWith('100 0\n100 0\n', 'run', 'asteracer', file('line.txt', LINE), '-', '--svg', 'way.svg');
    expect(readFileSync(join(folder, 'way.svg'), 'utf8')).toContain('points="100,0 290,0"');
  });
});

describe('judge', () => {
  it('tells of a run that finishes, under the rules it was made for', async () => {
    const run = file('needle.in', piloted('needle'));
    const { code, out } = await lockstep('judge', 'asteracer', 'needle', run, '--rules', 'v2025', '--json');
    const verdict = JSON.parse(out) as { finished: boolean; ticks: number; goals: number[]; collisions: number };
    expect([code, verdict.finished, verdict.goals.length]).toEqual([0, true, 4]);
    expect(Math.max(...verdict.goals)).toBe(verdict.ticks);
    const text = await lockstep('judge', 'asteracer', 'needle', run, '--rules', 'v2025');
    expect(text.out).toMatch(/^finished: 4 of 4 goals in \d+ ticks\n(nothing touched|collisions in \d+ ticks?)\n {2}goal 1: tick \d+\n/);
  });

  it('tells of a run that does not, with exit code 1', async () => {
    const { code, out } = await lockstepWith('1\n100 0\n', 'judge', 'asteracer', file('line.txt', LINE), '-');
    expect([code, out]).toEqual([1, 'not finished: 1 of 2 goals in 1 tick\nnothing touched\n  goal 1: tick 1\n  goal 2: not reached\n']);
  });

  it('a map without goals is finished at once', async () => {
    const { code, out } = await lockstepWith('', 'judge', 'asteracer', file('none.txt', '0 0 1\n-9 -9 9 9\n0\n0\n'), '-');
    expect([code, out]).toEqual([0, 'finished: 0 of 0 goals in 0 ticks\nnothing touched\n']);
  });

  it.each([
    ['1\n128 0\n', 'stdin line 2 (tick 1): vx: expected a whole number -128..127, got "128"'],
    ['1 1\n90 90\n', 'stdin line 2 (tick 2): expected vx*vx + vy*vy at most 16129, got "90 90"'],
    ['1 1\n0.5 1\n', 'stdin line 2 (tick 2): vx: expected a whole number -128..127, got "0.5"'],
    ['3\n1 1\n', 'stdin line 3: expected instruction 2 of 3, got nothing'],
    ['hello\n', 'stdin line 1: count: expected a whole number 0..4294967295, got "hello"'],
  ])('names the first illegal instruction by line: %j', async (run, message) => {
    const { code, out, err } = await lockstepWith(run, 'judge', 'asteracer', 'dash', '-', '--json');
    expect([code, err]).toEqual([2, `lockstep: ${message}\n`]);
    expect(JSON.parse(out)).toMatchObject({ kind: 'verdict', finished: false, error: message });
  });

  it.each([
    ['0 0 1\n5 5 1 1\n0\n0\n', 'bad.txt: line 2: expected a box with min at most max, got "5 5 1 1"'],
    ['0 0 -1\n0 0 1 1\n0\n0\n', 'bad.txt: line 1: radius: expected a whole number 0..4294967295, got "-1"'],
    ['0 0 1\n0 0 1 1\n2\n1 1 1\n0\n', 'bad.txt: line 5: expected asteroid 2 of 2 as "x y radius", got "0"'],
    ['0 2147483648 1\n0 0 1 1\n0\n0\n', 'bad.txt: line 1: y: expected a whole number -2147483648..2147483647, got "2147483648"'],
    ['0 0 1', 'bad.txt: line 2: expected the bounding box as "min_x min_y max_x max_y", got nothing'],
  ])('names what is wrong with a map by line: %j', async (map, message) => {
    file('bad.txt', map);
    expect(await lockstepWith('0\n', 'judge', 'asteracer', 'bad.txt', '-')).toEqual({ code: 2, out: '', err: `lockstep: ${message}\n` });
  });

  it.each([
    [['dsh', '-'], 'map: expected one of orchard, needle, dash, thicket, odyssey (did you mean dash?), got "dsh"'],
    [['./dash', '-'], './dash: expected a readable file, got "no such file or folder"'],
    [['dash', 'none.in'], 'none.in: expected a readable file, got "no such file or folder"'],
    [['-', '-'], 'instructions: expected a file, for stdin is the map, got "-"'],
    [['dash', '-', '--rules', 'v2024'], 'rules: expected one of document, py2023, cpp2023, v2025 (did you mean v2025?), got "v2024"'],
    [['dash', '-', '--svg', 'no/where.svg'], 'no/where.svg: expected a file in a folder that can be written to'],
  ])('refuses in one line: %j', async (args, message) => {
    const { code, out, err } = await lockstepWith('0\n', 'judge', 'asteracer', ...args);
    expect([code, out]).toEqual([2, '']);
    expect(err.startsWith(`lockstep: ${message}`)).toBe(true);
    expect(err.split('\n')).toHaveLength(2);
  });

  it('a world without maps is refused', async () => {
    const { code, err } = await lockstep('judge', 'codeball', 'dash', '-');
    expect([code, err]).toEqual([2, 'lockstep: world: expected a world with maps: one of asteracer, got "codeball"\n']);
  });

  it('knows all maps of ours under all rules', async () => {
    for (const map of Object.keys(MAPS)) {
      const rules = RULE_NAMES[map.length % RULE_NAMES.length]!;
      expect((await lockstepWith('0\n', 'judge', 'asteracer', map, '-', '--rules', rules)).code).toBe(1);
    }
  });
});

describe.skipIf(!existsSync(VECTORS))('conform', () => {
  it('compares recordings tick by tick', async () => {
    const [map, run, states] = ['txt', 'in', 'out'].map((end) => readFileSync(`${VECTORS}grid_lines.${end}`, 'utf8')) as [string, string, string]; // prettier-ignore
    const after = states.trimEnd().split('\n');
    const rows = run.trimEnd().split('\n').slice(1).map((line, i) => `${line} | ${after[i]}`); // prettier-ignore
    const head = JSON.stringify({ rules: 'v2025', map });
    const good = file('good.rec', [head, ...rows, ''].join('\n'));
    const bad = file('bad.rec', [head, ...rows.with(6, rows[6]!.replace(/\| -?\d+/, '| 7')), ''].join('\n'));
    const { code, out } = await lockstep('conform', 'asteracer', good, bad);
    expect(code).toBe(1);
    expect(out).toContain(`good.rec: run: ticks ${rows.length.toLocaleString('en-US')}, `);
    expect(out).toMatch(/good\.rec.*: bit-exact\n.*bad\.rec.*tick 7: .*, recorded 7 /);
  });
});

describe('new-map', () => {
  it('the same seed gives the same map, on stdout or in a file, and a picture', async () => {
    const args = ['new-map', 'asteracer', '--seed', '7', '--size', '200000', '--density', '0.4', '--goals', '5'];
    const { code, out, err } = await lockstep(...args);
    expect([code, err]).toEqual([0, '']);
    const { box, goals } = readMap(out);
    expect([box.max_x - box.min_x, goals.length]).toEqual([200_000, 5]);
    expect(await lockstep(...args, '-o', 'seven.txt', '--svg', 'seven.svg')).toEqual({ code: 0, out: '', err: '' });
    expect(readFileSync(join(folder, 'seven.txt'), 'utf8')).toBe(out);
    expect(readFileSync(join(folder, 'seven.svg'), 'utf8')).toMatch(/^<svg [^]*<\/svg>\n$/);
  });

  it('tells the seed it took', async () => {
    const { out, err } = await lockstep('new-map', 'asteracer');
    const seed = /^lockstep: seed (\d+) \(repeat with --seed \1\)\n$/.exec(err)![1]!;
    expect((await lockstep('new-map', 'asteracer', '--seed', seed)).out).toBe(out);
  });

  it.each([
    [['--size', '10'], 'size: expected a whole number 40000..4000000, got 10'],
    [['--density', 'much'], 'density: expected a number 0..0.8, got "much"'],
    [['--goals', '-1'], 'goals: expected a whole number 0..200, got -1'],
    [['--seed', '-1'], 'seed: expected a whole number 0..18446744073709551615, got "-1"'],
  ])('refuses in one line: %j', async (args, message) => {
    expect(await lockstep('new-map', 'asteracer', ...args)).toEqual({ code: 2, out: '', err: `lockstep: ${message}\n` });
  });
});

describe('bench', () => {
  it('measures every workload on every map, one JSON object a measurement', async () => {
    const { code, out } = await lockstep('bench', 'asteracer', '--quick', '--json');
    expect(code).toBe(0);
    type Row = { bench: string; subject: string; against: string | null; ratio: number | null; value: number; unit: string };
    const rows = out.trimEnd().split('\n').map((line) => JSON.parse(line) as Row); // prettier-ignore
    for (const map of ['sprint-like', 'marathon-like'])
      for (const workload of ['random', 'held', 'search']) {
        const found = rows.filter(({ bench, subject }) => bench === `asteracer/${map}/${workload}` && subject === 'lockstep');
        expect(found.map(({ against }) => against)).toEqual(['plain', 'naive']);
        for (const { ratio, value } of found) expect(Math.min(ratio!, value)).toBeGreaterThan(0);
      }
  });
});
