import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { catalog } from '@lockstep/catalog';
import { describe, expect, it } from 'vitest';
import { jsonLines, workshop } from './cli-run.ts';

const { folder, lockstep, shell } = workshop();
const has = (program: string, version = '--version'): boolean => spawnSync(program, [version]).status === 0;
const LANGUAGES = [
  { lang: 'js', kit: 'javascript', there: true },
  { lang: 'ts', kit: 'typescript', there: true },
  { lang: 'python', kit: 'python', there: has('python3') },
  { lang: 'cpp', kit: 'cpp', there: has('g++') },
  { lang: 'rust', kit: 'rust', there: has('rustc') },
  { lang: 'go', kit: 'go', there: has('go', 'version') },
  { lang: 'java', kit: 'java', there: has('javac') },
  { lang: 'wasm', kit: 'wasm', there: true },
];
const there = LANGUAGES.filter((language) => language.there);
/** One language beside JavaScript a world, another for each; all of them with LOCKSTEP_LONG=1, which takes a minute of a processor. */
const BESIDE: Readonly<Record<string, string>> = { asteracer: 'rust', pinball: 'python', sparse: 'cpp' };
const playing = (world: string): typeof there =>
  process.env['LOCKSTEP_LONG'] === '1' ? there : there.filter(({ lang }) => lang === 'js' || lang === (BESIDE[world] ?? 'ts'));
const kits = join(import.meta.dirname, '../kits');

interface Finding {
  readonly what: string;
  readonly ok: boolean;
  readonly says: string;
}
/** What a check has found to be wrong. How quick a bot is depends on how busy the machine is. */
const wrong = (findings: readonly Finding[]): Finding[] => findings.filter(({ what, ok }) => !ok && what !== 'is quick');

interface Game {
  readonly hash: string;
  readonly scores: number[];
  readonly faults: readonly unknown[];
}

describe(`kits: ${LANGUAGES.map(({ lang, there }) => `${lang}${there ? '' : ' (its tools are not here)'}`).join(', ')}`, () => {
  it.each(
    // the first world is played in all of them by the commands of docs/bots.md
    catalog.slice(1).map(({ world, bots }) => ({
      world: world.name,
      // against the last of the built-in bots, who does the least
      others: Array<string>(world.seats(world.readConfig(Object.keys(world.presets)[0])) - 1).fill(Object.keys(bots).at(-1)!),
      ticks: world.name === 'sparse' ? 400 : 1000, // its ticks take longer
    })),
  )('a new bot for $world plays at once, and the same game in every language', async ({ world, others, ticks }) => {
    const languages = playing(world);
    const games = await Promise.all(
      languages.map(async ({ lang }) => {
        const name = `${world}-${lang}`;
        expect(await lockstep('new', 'bot', name, '--world', world, '--lang', lang)).toMatchObject({ code: 0, err: '' });
        const { code, out } = await lockstep('match', world, `./${name}`, ...others, '--seed', '5', '--ticks', String(ticks), '--json');
        expect([name, code]).toEqual([name, 0]);
        return jsonLines(out)[0] as unknown as Game;
      }),
    );
    expect(games.map(({ faults }) => faults)).toEqual(languages.map(() => []));
    expect(games[0]!.scores[0]).toBeGreaterThan(0);
    expect(new Set(games.map(({ hash }) => hash)).size).toBe(1);
  });

  it('a new bot whose tools are not here says so', async () => {
    const { code, out, err } = await shell('PATH=/nowhere; lockstep new bot toolless --lang python');
    expect([code, err]).toEqual([
      0,
      'lockstep: python3 is not on the path, and this bot needs it (`lockstep doctor` tells what is here)\n',
    ]);
    expect(out).toContain('toolless/bot.py is yours');
  });

  it('check tells that a kit keeps the rules, on every seat', async () => {
    expect(await lockstep('new', 'bot', 'мой-бот', '--lang', 'js')).toMatchObject({ code: 0, err: '' });
    const { code, out } = await lockstep('check', './мой-бот', '--ticks', '60', '--json');
    const [{ findings }] = jsonLines(out) as unknown as [{ findings: Finding[] }];
    expect(wrong(findings)).toEqual([]);
    expect(code).toBe(findings.every(({ ok }) => ok) ? 0 : 1);
    expect(findings.map(({ what }) => what).slice(0, 4)).toEqual(['starts', 'plays by the rules', 'does the same twice', 'is quick']);
    expect(findings[1]!.says).toBe('240 legal actions');
    const [, mean, allowed] = /^([\d.]+) ms an answer on average \((\d+) are allowed/.exec(findings[3]!.says)!;
    expect(findings[3]!.ok).toBe(Number(mean) <= Number(allowed));
  });

  it.each<[name: string, change: [from: string, to: string], what: string, says: RegExp]>([
    ['dice', ['target_velocity_y: 0', 'target_velocity_y: Math.random()'], 'does the same twice', /^seat 0, tick 0: /],
    ['crash', ['act(game) {', 'act(game) { if (game.current_tick === 9) null.x;'], 'plays by the rules', /^seat 0, tick 9, crash: /],
    ['none', ['play(createBot);', ''], 'starts', /^seat 0, tick 0, no-start: its process ended with exit code 0/],
    ['stays', ['play(createBot);', 'play(createBot); setInterval(() => {}, 1000);'], 'leaves at the end', /still there after 1000 ms/],
  ])('check finds a bot with %s', async (name, [from, to], what, says) => {
    await lockstep('new', 'bot', name, '--lang', 'js');
    const file = join(folder, name, 'bot.mjs');
    writeFileSync(file, readFileSync(file, 'utf8').replace(from, to));
    const { code, out } = await lockstep('check', `./${name}`, '--ticks', '20', '--json');
    const [{ findings }] = jsonLines(out) as unknown as [{ findings: Finding[] }];
    expect(wrong(findings)).toEqual([{ what, ok: false, says: expect.stringMatching(says) as string }]);
    expect(code).toBe(1);
  });

  it('every kit has a strategy for every world of the catalog', () => {
    const missing = LANGUAGES.flatMap(({ kit }) => {
      const names = readdirSync(join(kits, kit)).map((file) => file.split('.')[0]!);
      return catalog.filter(({ world }) => !names.includes(world.name)).map(({ world }) => `${kit}: ${world.name}`);
    });
    expect(missing).toEqual([]);
  });

  it.each([
    [
      ['new', 'bot', 'x', '--world', 'codebal'],
      /^lockstep: world: expected one of codeball, .*did you mean codeball\?\), got "codebal"\n$/,
    ],
    [
      ['new', 'bot', 'x', '--lang', 'cobol'],
      /^lockstep: lang: expected one of ts, js, python, cpp, rust, go, java, wasm.*, got "cobol"\n$/,
    ],
    [['new', 'bot', 'a b'], /^lockstep: name: expected letters, digits, dots, dashes, got "a b"\n$/],
    [['new', 'bot', 'мой-бот'], /^lockstep: name: expected the name of a folder that does not exist yet, got "мой-бот"\n$/],
    [['check', './nowhere.mjs'], /^lockstep: world: expected one to play, for this bot does not name any, got ".\/nowhere.mjs"\n$/],
  ])('%j is refused in one line', async (args, line) => {
    const { code, out, err } = await lockstep(...args);
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(line);
  });
});
