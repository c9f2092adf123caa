import { execFileSync, spawn } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BIN, jsonLines, workshop } from './cli-run.ts';

const { folder, lockstep, module } = workshop();
const at = (name: string): string => join(folder, name);
const journal = (run: string): string => readFileSync(at(`${run}/journal.ndjson`), 'utf8');

const cupFile = (name: string, text: string, bots: readonly string[] = ['captain', 'quickstart', 'chaser', 'idle']): string => {
  const lines = bots.map((one, i) => `[[bots]]\nname = "${'abcdefgh'[i]}"\nbot = "${one}"`);
  writeFileSync(at(name), `world = "codeball"\nticks = 120\nseed = 7\n${text}\n${lines.join('\n')}\n`);
  return name;
};

describe('sprt', () => {
  it('is a calculator', async () => {
    const { code, out } = await lockstep('sprt', '--counts', '36027,68692,36433', '--elo0', '0', '--elo1', '2');
    expect([code, out.split('\n', 1)[0]]).toEqual([0, 'LLR: 0.92 (-2.94, 2.94) [0.00, 2.00] normalized']);
    const json = await lockstep(
      'sprt',
      '--counts',
      '223,9863,21279,10037,246',
      '--elo0',
      '0.5',
      '--elo1',
      '2.5',
      '--model',
      'logistic',
      '--json',
    );
    expect(jsonLines(json.out)[0]).toMatchObject({ verdict: 'H0', llr: expect.closeTo(-3.07, 2) as number });
  });

  it.each([
    [['--counts', '1,x,3'], 'counts[1]: expected a whole number from 0, got "x"'],
    [['--counts', '1,2,3', '--elo0', '5', '--elo1', '5'], 'elo1: expected more than elo0 = 5, got 5'],
  ])('refuses %j', async (args, message) => {
    const { code, err } = await lockstep('sprt', ...args);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });
});

describe('test', () => {
  it('plays mirrored pairs, tells the block and leaves a run that verifies', async () => {
    const args = [
      'test',
      'quickstart',
      '--vs',
      'idle',
      '--world',
      'codeball',
      '--games',
      '6',
      '--ticks',
      '600',
      '--seed',
      '5',
      '--out',
      'duel',
    ];
    const { code, out, err } = await lockstep(...args);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    for (const piece of [
      /^Results of quickstart vs idle$/m,
      /^Elo: \S+ \+\/- \S+, nElo: /m,
      /^LOS: [\d.]+ %, DrawRatio: /m,
      /^Games: 6, Wins: \d, Losses: \d, Draws: \d, Points: /m,
      /^Ptnml\(0-2\): \[/m,
      /^Score difference a game: /m,
      /^Faults: 0 of quickstart, 0 of idle$/m,
      /^Speed: [\d.]+ games\/s$/m,
    ])
      // prettier-ignore
      expect(out).toMatch(piece);
    const lines = jsonLines(journal('duel'));
    expect(lines[0]).toMatchObject({ kind: 'run', plan: { kind: 'test', pairs: 3 } });
    const games = lines.slice(1);
    expect(new Set(games.map(({ id }) => id))).toEqual(new Set(['1a', '1b', '2a', '2b', '3a', '3b']));
    const [first, mirror] = [games.find(({ id }) => id === '1a')!, games.find(({ id }) => id === '1b')!];
    expect(first['seed']).toBe(mirror['seed']);
    expect((mirror['bots'] as { name: string }[]).map(({ name }) => name)).toEqual(['idle', 'quickstart']);
    for (const key of [
      'id',
      'world',
      'rules',
      'rulesVersion',
      'seed',
      'bots',
      'seats',
      'ranks',
      'scores',
      'faults',
      'ticks',
      'hash',
      'replay',
    ])
      expect(first).toHaveProperty(key);
    expect((await lockstep('verify', 'duel')).out).toBe('6 games of 6: 0 rerun-verified, 6 sim-verified, 0 unverified, 0 wrong\n');
    const whole = journal('duel');
    writeFileSync(at('duel/journal.ndjson'), whole.split('\n').filter((line) => !line.includes('"id":"1b"')).join('\n')); // prettier-ignore
    expect((await lockstep('verify', 'duel', '--sample', '1')).out).toContain('1 game before the last one is not in the journal');
    writeFileSync(at('duel/journal.ndjson'), whole);
    expect((await lockstep('verify', 'duel', '--sample', '2', '--rerun')).out).toBe('2 games of 6: 2 rerun-verified, 0 sim-verified, 0 unverified, 0 wrong\n'); // prettier-ignore
    expect((await lockstep(...args)).err).toContain('duel: expected a folder without a run (resume goes on with it), got "one with a run"');
  });

  it('gives the same results on one thread and on two', async () => {
    const args = ['test', 'quickstart', '--vs', 'chaser', '--world', 'codeball', '--games', '4', '--ticks', '200', '--seed', '9', '--no-replays', '--json']; // prettier-ignore
    const [one, two] = await Promise.all([lockstep(...args, '-j', '1', '--out', 'one'), lockstep(...args, '-j', '2', '--out', 'two')]);
    const known = (text: string): object => ({ ...jsonLines(text).at(-1), gamesPerSecond: 0, waiting: 0, folder: '' });
    expect(known(two.out)).toEqual(known(one.out));
    expect(await lockstep('verify', 'one')).toMatchObject({ code: 0, out: '4 games of 4: 0 rerun-verified, 0 sim-verified, 4 unverified, 0 wrong\n' }); // prettier-ignore
  });

  it('stops as soon as the test is decided', async () => {
    const args = ['test', 'captain', '--vs', 'idle', '--world', 'codeball', '--games', '1000', '--ticks', '600', '--no-replays', '--json'];
    const { out } = await lockstep(...args, '--seed', '3', '--sprt', 'elo0=0', 'elo1=400', 'model=logistic', 'alpha=0.2', 'beta=0.2', '--out', 'sprt'); // prettier-ignore
    const found = jsonLines(out).at(-1)! as { pairs: number; sprt: { verdict: string } };
    expect(found.sprt.verdict).toBe('H1');
    expect(found.pairs).toBeLessThan(50);
  });

  it('compares bots of a world that is played alone on the seeds of a book', async () => {
    writeFileSync(at('seeds.txt'), '# three\n1\n2\n18446744073709551615\n');
    const { out, code } = await lockstep('test', 'pilot', '--vs', 'drifter', '--world', 'asteracer', '--book', 'seeds.txt', '--ticks', '300', '--out', 'solo', '--json'); // prettier-ignore
    expect(code).toBe(0);
    expect(jsonLines(out).at(-1)).toMatchObject({
      pairs: 3,
      games: 6,
      counts: [expect.any(Number), expect.any(Number), expect.any(Number)],
    });
    expect(jsonLines(journal('solo')).some(({ seed }) => seed === '18446744073709551615')).toBe(true);
  });

  it('finds out whoever changes a line of the journal', async () => {
    await lockstep(
      'test',
      'chaser',
      '--vs',
      'idle',
      '--world',
      'codeball',
      '--games',
      '2',
      '--ticks',
      '100',
      '--seed',
      '1',
      '--out',
      'forged',
    );
    expect((await lockstep('cup', 'run', cupFile('nowhere.toml', 'format = "swiss"'), '--out', '/proc/nowhere/run')).err).toContain(
      'expected a folder',
    );
    writeFileSync(at('forged/journal.ndjson'), journal('forged').replace(/"scores":\[\d+,\d+\]/, '"scores":[9,0]'));
    const { code, out } = await lockstep('verify', 'forged');
    expect(code).toBe(1);
    expect(out).toMatch(/scores: expected \[\d,\d\], as in its replay, got \[9,0\]/);
  });

  it('finds out whoever changes names, built-in ones included', async () => {
    await lockstep('test', 'chaser', '--vs', 'idle', '--world', 'codeball', '--games', '3', '--ticks', '60', '--seed', '1', '--out', 'names'); // prettier-ignore
    const [plan, ...lines] = journal('names').trim().split('\n');
    expect(lines, 'never more games than asked for').toHaveLength(2);
    const other: Record<string, string> = { chaser: 'idle', idle: 'chaser' };
    const swapped = lines.map((line) => line.replaceAll(/"name":"(chaser|idle)"/g, (_, name: string) => `"name":"${other[name]}"`));
    writeFileSync(at('names/journal.ndjson'), `${[plan, ...swapped].join('\n')}\n`);
    const { code, out } = await lockstep('verify', 'names');
    expect(code).toBe(1);
    expect(out).toContain('1a.bots: expected chaser on seat 0, as in its replay, got "idle"');
  });

  it('runs bots again as `replay verify --rerun` does: dice are found even where they change nothing, another version is named', async () => {
    const text = (nitro: string): string =>
      `export const createBot = () => ({ act: (view) => Object.fromEntries(view.robots.filter((r) => r.is_teammate).map((r) => [r.id, { target_velocity_x: 0, target_velocity_y: 0, target_velocity_z: 9, jump_speed: 0, use_nitro: ${nitro} }])) });`;
    const path = module('dicer', text('Math.random() > 0.5'));
    const args = [
      '--vs',
      'idle',
      '--world',
      'codeball',
      '--rules',
      'round1',
      '--games',
      '4',
      '--ticks',
      '60',
      '--seed',
      '2',
      '--out',
      'dice',
    ];
    await lockstep('test', path, ...args);
    const found = await lockstep('verify', 'dice', '--rerun', '--json');
    expect(found.code).toBe(1);
    expect(jsonLines(found.out)[0]).toMatchObject({ honesty: 'sim-verified', wrong: expect.stringMatching(/^seat \d did otherwise at tick \d/) as string }); // prettier-ignore
    module('dicer', text('false'));
    const { code, out } = await lockstep('verify', 'dice', '--rerun');
    expect(code).toBe(0);
    expect(out).toMatch(/^not run again in 4 games: dicer is not the one that played: its sha256 is \w+, not \w+$/m);
    expect(out).toContain('4 games of 4: 0 rerun-verified, 4 sim-verified, 0 unverified, 0 wrong');
    writeFileSync(at('dice/journal.ndjson'), `${journal('dice').split('\n').slice(0, 3).join('\n')}\n`);
    const resumed = await lockstep('test', '--resume', 'dice');
    expect(resumed.code).toBe(2);
    expect(resumed.err).toContain('dicer: expected the bot that played its games so far (sha256 ');
    expect(journal('dice').trim().split('\n')).toHaveLength(3);
  });

  it('stops at once where a bot does not start, and names bad input', async () => {
    const { code, err } = await lockstep(
      'test',
      'sh /nowhere',
      '--vs',
      'idle',
      '--world',
      'codeball',
      '--games',
      '50',
      '--ticks',
      '50',
      '--out',
      'dead',
    );
    expect(code).toBe(2);
    expect(err).toMatch(/bot: expected one that starts, got "/);
    writeFileSync(at('twice.txt'), '7\n8\n7\n');
    for (const [args, message] of [
      [['captain', '--world', 'codeball'], 'vs: expected a bot to test against, got nothing'],
      [['captain', '--vs', 'idle', '--world', 'codeball', '--games', '0'], 'games: expected a whole number 2..10000000, got 0'],
      [['captan', '--vs', 'idle', '--world', 'codeball'], 'did you mean captain?'],
      [
        ['captain', '--vs', 'idle', '--world', 'codeball', '--sprt', 'elo2=1'],
        'sprt: expected elo0=, elo1=, model=, alpha= or beta= with a value, got "elo2=1"',
      ],
      [['captain', '--vs', 'idle', '--world', 'codeball', '--book', 'twice.txt'], 'twice.txt:3: expected another seed than in line 1'],
      [['--resume', 'nowhere'], 'nowhere: expected a folder with a run (journal.ndjson)'],
    ] as const) {
      // prettier-ignore
      const refused = await lockstep('test', ...args);
      expect(refused.err).toContain(message);
      expect(refused.code).toBe(2);
    }
    expect(existsSync(at('runs'))).toBe(false);
  });

  it('does not go on with a run of other rules, nor with one that somebody else plays', async () => {
    await lockstep('test', 'chaser', '--vs', 'idle', '--world', 'codeball', '--games', '2', '--ticks', '60', '--seed', '1', '--out', 'old');
    writeFileSync(at('old/journal.ndjson'), journal('old').replace('"rulesVersion":1,"rules"', '"rulesVersion":99,"rules"'));
    expect((await lockstep('test', '--resume', 'old')).err).toContain(
      'expected a run of rulesVersion 1 of codeball, got "one of rulesVersion 99"',
    );
    writeFileSync(at('old/lock'), String(process.pid));
    expect((await lockstep('test', '--resume', 'old')).err).toContain(
      `expected a run that nobody else plays, got "one that process ${process.pid} plays"`,
    );
  });
});

describe('cup', () => {
  it.each([
    ['round-robin', 12],
    ['gauntlet', 6],
    ['swiss', 8],
    ['knockout', 8],
  ])('%s is played from one file, shown, exported and verified', async (format, least) => {
    const file = cupFile(`${format}.toml`, `format = "${format}"\n${format === 'swiss' ? 'turns = 2' : ''}`);
    const { code, out } = await lockstep('cup', 'run', file, '--out', format, '--json');
    expect(code).toBe(0);
    const cup = jsonLines(out).at(-1)! as { games: number; outcome: { places: { rows: { name: string }[] }[] } };
    expect(cup.games).toBeGreaterThanOrEqual(least);
    expect(cup.outcome.places[0]!.rows.map(({ name }) => name).sort()).toEqual(['a', 'b', 'c', 'd']); // prettier-ignore
    if (format !== 'knockout') return;
    expect((await lockstep('cup', 'show', format)).out).toContain(`${format} of codeball, ${cup.games} games played, over`);
    expect((await lockstep('cup', 'export', format)).out.split('\n').length).toBe(2 * cup.games + 2);
    expect((await lockstep('verify', format, '--sample', '3')).code).toBe(0);
  });

  it('runs the rule book’s tournament and goes on where it was stopped', async () => {
    const stages =
      '[[stages]]\nat = "1d"\nqualified = 4\nwaves = 1\nparts = 1\n[[stages]]\nat = "2d"\nqualified = 2\nwaves = "all"\nparts = 1';
    const file = cupFile('raic.toml', `format = "raic"\nprizes = 1\ncloses_after = "1d"\n[sandbox]\ninterval = "12h"\n${stages}`);
    appendFileSync(at(file), '[[bots.sent]]\nat = "12h"\nbot = "chaser"\n');
    const whole = await lockstep('cup', 'run', file, '--out', 'raic', '--json');
    const cup = jsonLines(whole.out).at(-1)!;
    expect(cup).toMatchObject({ open: 0, stages: [{ name: 'sandbox' }, { name: 'round1' }, { name: 'round2' }] });
    const lines = journal('raic').split('\n');
    writeFileSync(at('raic/journal.ndjson'), `${lines.slice(0, 4).join('\n')}\n${lines[4]!.slice(0, 30)}`);
    expect((await lockstep('cup', 'status', 'raic')).out).toContain('can be played now');
    const resumed = await lockstep('cup', 'resume', 'raic', '--json');
    expect(resumed.err).toContain('its last line was cut off in the writing; that game is played again');
    expect(jsonLines(resumed.out).at(-1)).toEqual(cup);
    expect((await lockstep('verify', 'raic', '--rerun')).out, 'later versions, too').toMatch(/(\d+) games of \1: \1 rerun-verified, 0 sim/);
  });

  it('tells once of a bot that never starts, and plays on', async () => {
    const { out, err, code } = await lockstep('cup', 'run', cupFile('dead.toml', 'format = "round-robin"', ['idle', 'sh /nowhere']), '--out', 'deadcup', '--json'); // prettier-ignore
    expect(code).toBe(0);
    expect(err.match(/b: expected a bot that starts/g)).toHaveLength(1);
    expect(jsonLines(out).at(-1)).toMatchObject({ games: 2 });
  });

  it.each([
    ['a typo', 'format = "swiss"\nturn = 3', 'turn: expected'],
    ['a typo in its first word', 'fromat = "swiss"', 'fromat: expected a known field (did you mean format?)'],
    ['no TOML', 'format = ', ':4:10: expected TOML, got'],
    ['a name twice', 'format = "swiss"\n[[bots]]\nname = "a"\nbot = "idle"', 'bots[1].name: expected another than that of'],
    ['an odd round', 'format = "raic"\n[[stages]]\nqualified = 3\nat = 0', 'stages[0]: expected an even number of players'],
  ])('with %s is refused in one line', async (name, text, message) => {
    const { code, err } = await lockstep('cup', 'run', cupFile(`bad-${name.replaceAll(' ', '-')}.toml`, text), '--out', 'bad');
    expect(code).toBe(2);
    expect(err.trim().split('\n')).toHaveLength(1);
    expect(err).toContain(message);
    expect(existsSync(at('bad'))).toBe(false);
  });
});

describe('rate, report, ladder', () => {
  it('computes ratings from results, and a page', async () => {
    await lockstep('cup', 'run', cupFile('rated.toml', 'format = "round-robin"\nrounds = 2'), '--out', 'rated');
    const { out } = await lockstep('rate', 'rated', '--anchor', 'd=1000', '--json');
    const rows = jsonLines(out) as { name: string; rating: number; error: number }[];
    expect(rows.find(({ name }) => name === 'd')).toMatchObject({ rating: 1000, error: 0 });
    for (const system of ['elo', 'glicko2']) expect((await lockstep('rate', 'rated/journal.ndjson', '--system', system)).out).toMatch(/^ +name +rating/); // prettier-ignore
    expect((await lockstep('rate', 'rated/journal.ndjson', '--anchor', 'x=1')).err).toContain('anchor: expected name=rating with one of');
    expect((await lockstep('report', 'rated')).out).toBe('report: rated/report.html\n');
    expect(readFileSync(at('rated/report.html'), 'utf8')).toContain('<h2>Crosstable</h2>');
    appendFileSync(at('rated/journal.ndjson'), 'nonsense\n');
    expect((await lockstep('rate', 'rated/journal.ndjson')).err).toMatch(/journal\.ndjson:26: expected a line of JSON, got "nonsense"/);
  });

  it('keeps a league that is never over', async () => {
    expect((await lockstep('ladder', 'add', 'captain', '--world', 'codeball', '--ticks', '100')).code).toBe(0);
    expect((await lockstep('ladder', 'run')).err).toContain('ladder: expected at least two bots, got 1');
    for (const name of ['chaser', 'idle']) expect((await lockstep('ladder', 'add', name)).code).toBe(0);
    expect((await lockstep('ladder', 'add', 'idle')).err).toContain('name: expected one that nobody has in this league');
    expect((await lockstep('ladder', 'run', '--games', '6', '--json')).out.split('\n')).toHaveLength(7);
    expect((await lockstep('ladder', 'rm', 'captain')).out).toBe('captain is out; 2 bots\n');
    const rows = jsonLines((await lockstep('ladder', 'show', '--json')).out);
    expect(new Set(rows.map(({ name }) => name))).toEqual(new Set(['chaser', 'idle']));
    await lockstep('ladder', 'run', '--games', '2');
    expect(journal('ladder').trim().split('\n')).toHaveLength(1 + 8);
    await lockstep('ladder', 'add', 'captain');
    const [plan, ...lines] = journal('ladder').trim().split('\n');
    writeFileSync(at('ladder/journal.ndjson'), `${[plan, ...lines.filter((line) => !/"id":"(1[ab]|2a)"/.test(line))].join('\n')}\n`);
    await lockstep('ladder', 'run', '--games', '5');
    const ids = jsonLines(journal('ladder')).slice(1).map(({ id }) => String(id)); // prettier-ignore
    expect(ids.sort(), 'gaps that a kill left are filled, nothing is played twice').toEqual(['0a', '0b', '1a', '1b', '2a', '2b', '3a', '3b', '4a', '4b']); // prettier-ignore
    expect((await lockstep('verify', 'ladder', '--rerun')).out).toBe('10 games of 10: 10 rerun-verified, 0 sim-verified, 0 unverified, 0 wrong\n'); // prettier-ignore
  });
});

describe('tune', () => {
  it('finds the number that wins, goes on where it was stopped, and draws its way', async () => {
    const text = `export const createBot = ({ params }, seat) => ({ act: (view) => Object.fromEntries(view.robots.filter((r) => r.is_teammate).map((r) => [r.id, { target_velocity_x: 0, target_velocity_y: 0, target_velocity_z: 30 * params.drive, jump_speed: 0, use_nitro: false }])) });`;
    const path = module('tuned', text);
    const args = ['--world', 'codeball', '--param', 'drive=0:1:0.2', '--ticks', '300', '--seed', '4', '--rounds', '3', '--pairs', '1', '--out', 'tuned', '--json']; // prettier-ignore
    const { code, out, err } = await lockstep('tune', path, ...args);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const rounds = jsonLines(out);
    expect(rounds.map(({ kind }) => kind)).toEqual(['round', 'round', 'round', 'tune']);
    expect(readFileSync(at('tuned/progress.svg'), 'utf8')).toContain('<polyline');
    writeFileSync(at('tuned/journal.ndjson'), journal('tuned').split('\n').slice(0, 3).map((line) => `${line}\n`).join('')); // prettier-ignore
    expect(jsonLines((await lockstep('tune', '--resume', 'tuned', '--json')).out).at(-1)).toEqual(rounds.at(-1));
    expect((await lockstep('match', 'codeball', `${path}?drive=0.5`, 'idle', '--ticks', '60', '--seed', '1')).code).toBe(0);
    for (const [bad, message] of [
      [[path, '--world', 'codeball'], 'param: expected at least one --param name=least:most'],
      [[path, '--world', 'asteracer', '--param', 'x=0:1'], 'world: expected one with two seats'],
      [[path, '--world', 'codeball', '--param', 'x=1:0'], 'param: expected name=least:most or name=least:most:start, got "x=1:0"'],
    ] as const) expect((await lockstep('tune', ...bad)).err).toContain(message); // prettier-ignore
  });
});

describe('stopping', () => {
  it('Ctrl+C ends after the games that are going on and prints how to go on', async () => {
    const child = spawn(process.execPath, [BIN, 'test', 'chaser', '--vs', 'idle', '--world', 'codeball', '--games', '100000', '--ticks', '100', '--seed', '1', '--no-replays', '--out', 'stopped'], { cwd: folder }); // prettier-ignore
    let err = '';
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
    const exited = new Promise<number | null>((resolve) => child.on('exit', resolve));
    await expect
      .poll(() => existsSync(at('stopped/journal.ndjson')) && journal('stopped').split('\n').length > 5, { timeout: 60_000 })
      .toBe(true);
    child.kill('SIGINT');
    expect(await exited).toBe(130);
    expect(err).toContain('go on with: lockstep test --resume stopped');
    const played = journal('stopped').trim().split('\n').length;
    expect(existsSync(at('stopped/lock'))).toBe(false);
    expect(played).toBeLessThan(100_000);
    expect(() => execFileSync(process.execPath, [BIN, 'rate', 'stopped/journal.ndjson'], { cwd: folder })).not.toThrow();
  });
});
