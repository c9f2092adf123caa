import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { catalog } from '@lockstep/catalog';
import { type AnyWorld, type TickState, type WorldEvent } from '@lockstep/kernel';
import { ReplayWriter } from '@lockstep/replay';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const BIN = fileURLToPath(new URL('../apps/cli/bin/lockstep.mjs', import.meta.url));
const STUDIO = fileURLToPath(new URL('../apps/studio/dist/index.html', import.meta.url));
const VECTORS = fileURLToPath(new URL('../../shared/vectors/codeball/', import.meta.url));

interface Run {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'lockstep-cli-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function lockstep(...args: string[]): Promise<Run> {
  return new Promise((resolve) => {
    execFile(process.execPath, [BIN, ...args], { cwd: folder, encoding: 'utf8', maxBuffer: 1e8 }, (error, out, err) => {
      resolve({ code: error === null ? 0 : typeof error.code === 'number' ? error.code : -1, out, err });
    });
  });
}

const jsonLines = (text: string): Record<string, unknown>[] =>
  text.trimEnd().split('\n').map((line) => JSON.parse(line) as Record<string, unknown>); // prettier-ignore

const match = (...args: string[]) => lockstep('match', 'codeball', ...args);

/** Orders for robots 1..2 of seat 0 that stand still, with something done to them. */
function bot(name: string, body: string): string {
  const file = join(folder, `${name}.mjs`);
  writeFileSync(
    file,
    `export function createBot(rules, seat) {
      const still = () => ({ target_velocity_x: 0, target_velocity_y: 0, target_velocity_z: 0, jump_speed: 0, use_nitro: false });
      return { act(view) {
        const orders = {};
        for (const robot of view.robots) if (robot.is_teammate) orders[robot.id] = still();
        ${body}
        return orders;
      } };
    }`,
  );
  return file;
}

describe('match', () => {
  it('plays a game, and the same seed gives the same one', async () => {
    const args = ['quickstart', 'chaser', '--seed', '7', '--rules', 'round2', '--ticks', '300', '--json'];
    const [first, second, other] = await Promise.all([match(...args), match(...args), match(...args, '--seed', '8')]);
    expect(first).toMatchObject({ code: 0, err: '' });
    const [game] = jsonLines(first.out);
    expect(game).toMatchObject({
      kind: 'game',
      world: 'codeball',
      seed: '7',
      bots: ['quickstart', 'chaser'],
      ticks: 300,
      faults: [],
      record: null,
    });
    expect(game!['hash']).toMatch(/^[0-9a-f]{16}$/);
    expect(jsonLines(second.out)[0]!['hash']).toBe(game!['hash']);
    expect(jsonLines(other.out)[0]!['hash']).not.toBe(game!['hash']);
  });

  it.each(['18446744073709551615', '538460243868820754', '0'])('seed %s comes through whole: command line, JSON, file', async (seed) => {
    const file = `${seed}.replay`;
    const { out } = await match('idle', 'idle', '--seed', seed, '--ticks', '70', '--record', file, '--json');
    expect(jsonLines(out)[0]!['seed']).toBe(seed);
    expect(jsonLines((await lockstep('replay', 'info', file, '--json')).out)[0]).toMatchObject({ seed });
    expect(await lockstep('replay', 'verify', file)).toMatchObject({ code: 0 });
    expect((await match('idle', 'idle', '--seed', seed, '--ticks', '70')).out).toContain(`seed ${seed}\n`);
  });

  it('tells a random seed with which the game can be repeated', async () => {
    const { out, err } = await match('idle', 'chaser', '--ticks', '60', '--json');
    const seed = /^lockstep: seed (\d+) \(repeat with --seed \1\)\n$/.exec(err)![1]!;
    const again = await match('idle', 'chaser', '--ticks', '60', '--json', '--seed', seed);
    expect(jsonLines(again.out)[0]!['hash']).toBe(jsonLines(out)[0]!['hash']);
  });

  it('plays many games over threads, told in the order of their seeds', async () => {
    const many = await match('quickstart', 'chaser', '--seeds', '3..8', '--ticks', '150', '-j', '3', '--json', '--record', '{seed}.many');
    expect(many).toMatchObject({ code: 0, err: '' });
    const lines = jsonLines(many.out);
    expect(lines.map(({ kind, seed }) => seed ?? kind)).toEqual(['3', '4', '5', '6', '7', '8', 'summary']);
    expect(lines.at(-1)).toMatchObject({ games: 6, ticks: 900, faults: 0, threads: 3 });
    const alone = await match('quickstart', 'chaser', '--seed', '5', '--ticks', '150', '--json');
    expect(jsonLines(alone.out)[0]!['hash']).toBe(lines[2]!['hash']);
    const verified = await lockstep('--json', 'replay', 'verify', ...[3, 4, 5, 6, 7, 8].map((seed) => `${seed}.many`));
    expect(verified.code).toBe(0);
    expect(jsonLines(verified.out).map(({ ok }) => ok)).toEqual(Array(6).fill(true));
    expect(await match('idle', 'idle', '--games', '2', '--seed', '18446744073709551615', '--ticks', '5')).toMatchObject({ code: 0 });
  });

  it('takes rules: presets, single settings, draws', async () => {
    const info = async (...args: string[]) => {
      await match('idle', 'idle', '--seed', '1', '--ticks', '5', '--record', 'rules.replay', ...args);
      return jsonLines((await lockstep('replay', 'info', 'rules.replay', '--json')).out)[0]!['config'];
    };
    expect(await info('--rules', 'finals')).toMatchObject({ nitro: true, draws: 'official', rules: { team_size: 3, max_tick_count: 5 } });
    expect(await info('--disable-random', '--set', 'rules.GRAVITY=10.5', '--set', 'nitro=true')).toMatchObject({
      nitro: true,
      draws: 'none',
      rules: { GRAVITY: 10.5, team_size: 2 },
    });
    expect(await info('--draws', 'counter')).toMatchObject({ draws: 'counter' });
  });

  it('a module is a bot, known by its sha256', async () => {
    const module = bot('still', '');
    expect(await match(module, 'idle', '--seed', '1', '--ticks', '30', '--record', 'module.replay')).toMatchObject({ code: 0 });
    const { bots } = jsonLines((await lockstep('replay', 'info', 'module.replay', '--json')).out)[0] as { bots: Record<string, string>[] };
    expect(bots[0]).toMatchObject({ name: module, kind: 'module' });
    expect(bots[1]).toMatchObject({ name: 'idle', kind: 'builtin' });
    for (const { sha256 } of bots) expect(sha256).toMatch(/^[0-9a-f]{64}$/);
  });

  it.each([
    ['plays NaN', 'orders[1].jump_speed = NaN;', 'illegal', /action\.1\.jump_speed: expected a finite number, got NaN/],
    [
      'plays a text',
      'orders[2].target_velocity_x = "high";',
      'illegal',
      /action\.2\.target_velocity_x: expected a finite number, got "high"/,
    ],
    ['forgets a robot', 'delete orders[2];', 'illegal', /action\.2: expected an object, got nothing/],
    ['orders a robot of the other side', 'orders[3] = orders[2];', 'illegal', /action\.3: expected only the fields 1, 2/],
    ['makes a field up', 'orders[1].fly = true;', 'illegal', /action\.1\.fly: expected only the fields target_velocity_x/],
    ['plays nothing', 'return;', 'illegal', /action: expected an object, got nothing/],
    ['throws', 'if (view.current_tick === 5) throw new Error("oops");', 'crash', /oops/],
    ['throws late', 'if (view.current_tick === 5) return Promise.reject(new Error("too late"));', 'crash', /too late/],
  ])('a bot that %s is out, the match is played, exit 3', async (name, body, kind, reason) => {
    const module = bot(name.replaceAll(' ', '-'), body);
    const { code, out, err } = await match(module, 'idle', '--seed', '1', '--ticks', '40', '--json', '--record', `${name}.replay`);
    expect([code, err]).toEqual([3, '']);
    const [game] = jsonLines(out) as { ticks: number; faults: { seat: number; kind: string; reason: string }[] }[];
    expect(game!.ticks).toBe(40);
    expect(game!.faults).toHaveLength(1);
    expect(game!.faults[0]).toMatchObject({ seat: 0, kind });
    expect(game!.faults[0]!.reason).toMatch(reason);
    expect(await lockstep('replay', 'verify', `${name}.replay`)).toMatchObject({ code: 0 });
  });

  it('ends early when all bots are out, and says so', async () => {
    const module = bot('none', 'throw new Error("no");');
    const { code, out } = await match(module, module, '--seed', '1', '--ticks', '400');
    expect(code).toBe(3);
    expect(out).toContain('all strategies crashed after 1 tick;');
    expect(out).toContain(`fault: seat 1 (${module}), tick 0, crash: no`);
  });
});

describe('bad input is one line and exit 2', () => {
  const line = async (expected: RegExp, ...args: string[]) => {
    const { code, out, err } = await lockstep(...args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/^lockstep: [^\n]+\n$/);
    expect(err).toMatch(expected);
  };
  const two = ['match', 'codeball', 'idle', 'idle'];

  it.each<[RegExp, string[]]>([
    [/unknown command 'mach' \(did you mean match\?\)/, ['mach']],
    [/unknown command 'verfy' \(did you mean verify\?\)/, ['replay', 'verfy', 'x']],
    [/unknown option '--recrod' \(did you mean --record\?\)/, [...two, '--recrod', 'x']],
    [/world: expected one of .*codeball.* \(did you mean codeball\?\), got "codebal"/, ['match', 'codebal', 'idle', 'idle']],
    [/bot: expected one of .* \(did you mean captain\?\), got "captian"/, ['match', 'codeball', 'captian', 'idle']],
    [/rules: expected one of round1, round2, finals \(did you mean finals\?\), got "final"/, [...two, '--rules', 'final']],
    [/seed: expected a whole number 0\.\.18446744073709551615, got "x"/, [...two, '--seed', 'x']],
    [/seed: expected a whole number 0\.\.18446744073709551615, got 18446744073709551616/, [...two, '--seed', '18446744073709551616']],
    [/seed: .* got "-1"/, [...two, '--seed=-1']],
    [/seed: .* got "1e3"/, [...two, '--seed', '1e3']],
    [/seeds: expected two seeds a\.\.b, got "5"/, [...two, '--seeds', '5']],
    [/seeds: expected 1\.\.1000000 seeds, the smaller first, got "5\.\.4"/, [...two, '--seeds', '5..4']],
    [/games: expected a whole number 1\.\.1000000, got 0/, [...two, '--games', '0']],
    [/config\.ticks: expected a whole number 1\.\.10000000, got "many"/, [...two, '--ticks', 'many']],
    [/config\.rules\.team_size: expected a whole number 1\.\.32, got 1000/, [...two, '--set', 'rules.team_size=1000']],
    [/config\.rules\.GRAVTY: expected only the fields .*, got 1/, [...two, '--set', 'rules.GRAVTY=1']],
    [/config\.draws: expected one of official, counter, none, got "maybe"/, [...two, '--draws', 'maybe']],
    [/set: expected path=value, e\.g\. rules\.GRAVITY=10, got "gravity"/, [...two, '--set', 'gravity']],
    [/bots: expected 2, one a seat, got 1/, ['match', 'codeball', 'idle']],
    [/bots: expected 2, one a seat, got 3/, [...two, 'idle']],
    [/\.\/no\.mjs: expected a readable file, got "no such file or folder"/, ['match', 'codeball', './no.mjs', 'idle']],
    [/record: expected a name with \{seed\} in it/, [...two, '--games', '2', '--seed', '1', '--record', 'x']],
    [/no\/where\/x: expected a file in a folder that can be written to/, [...two, '--seed', '1', '--record', 'no/where/x']],
    [/jobs: expected a whole number/, [...two, '--seeds', '1..2', '-j', 'two']],
    [/missing required argument 'world'/, ['match']],
    [/nothing\.replay: expected a readable file, got "no such file or folder"/, ['replay', 'verify', 'nothing.replay']],
    [/\.: expected a readable file, got "a folder"/, ['replay', 'info', '.']],
    [/port: expected a whole number 0\.\.65535, got 70000/, ['studio', '--port', '70000']],
    [/seconds: expected a number 0\.01\.\.3600, got NaN/, ['bench', 'codeball', '--seconds', 'long']],
    [/nothing\.gz: expected a readable file/, ['conform', 'codeball', 'nothing.gz']],
  ])('%s', async (expected, args) => {
    await line(expected, ...args);
  });

  it('modules that do not load or make no bot', async () => {
    writeFileSync(join(folder, 'syntax.mjs'), 'export function (');
    writeFileSync(join(folder, 'empty.mjs'), 'export const answer = 42;');
    await line(/syntax\.mjs: expected a module that loads, got "SyntaxError/, 'match', 'codeball', './syntax.mjs', 'idle');
    await line(
      /empty\.mjs: expected an export createBot\(briefing, seat\), or a default one, got "exports answer"/,
      'match',
      'codeball',
      './empty.mjs',
      'idle',
    );
  });

  it('replays that are foreign, truncated or damaged', async () => {
    await match('idle', 'chaser', '--seed', '1', '--ticks', '100', '--record', 'whole.replay');
    const whole = readFileSync(join(folder, 'whole.replay'));
    const damaged = Buffer.from(whole);
    damaged[200]! ^= 0xff;
    writeFileSync(join(folder, 'cut.replay'), whole.subarray(0, 500));
    writeFileSync(join(folder, 'damaged.replay'), damaged);
    writeFileSync(join(folder, 'foreign.replay'), 'PNG or so');
    await line(/cut\.replay: expected \d+ bytes \(the file is truncated\), got 500/, 'replay', 'verify', 'cut.replay');
    await line(/damaged\.replay: section head: expected CRC-32 \w+ \(it is damaged\)/, 'replay', 'info', 'damaged.replay');
    await line(/foreign\.replay: expected a lockstep replay/, 'replay', 'ledger', 'foreign.replay', '--tick', '1');
    await line(/tick: expected a whole number 0\.\.99, got 100/, 'replay', 'ledger', 'whole.replay', '--tick', '100');
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('recordings that are none', async () => {
    writeFileSync(join(folder, 'a.jsonl'), '{"max_tick_count":5,"seed":"1","team_size":2}\n{"t":0,"s":[0,0]}\n');
    writeFileSync(join(folder, 'b.jsonl'), 'hello\n');
    writeFileSync(join(folder, 'c.jsonl.gz'), Buffer.of(0x1f, 0x8b, 8, 0, 1));
    await line(/a\.jsonl: line 2: expected a state \{t, s, r, b, o, k\}/, 'conform', 'codeball', 'a.jsonl');
    await line(/b\.jsonl: line 1: expected JSON, got "hello"/, 'conform', 'codeball', 'b.jsonl');
    await line(/c\.jsonl\.gz: expected a whole gzip file/, 'conform', 'codeball', 'c.jsonl.gz');
  });
});

describe('replay', () => {
  it('verify names the tick and the field of a game that went another way: exit 1', async () => {
    writeFileSync(join(folder, 'other.replay'), await recordNudged());
    const { code, out, err } = await lockstep('replay', 'verify', 'other.replay');
    expect([code, err]).toEqual([1, '']);
    expect(out).toMatch(
      /^other\.replay: replay diverged at tick 100: state\.ball\.x: \S+ vs \S+ at the keyframe of tick 200 \(recorded by rulesVersion \d+\)\n$/,
    );
    const json = await lockstep('replay', 'verify', 'other.replay', 'missing.replay', '--json');
    expect(json.code).toBe(2);
    expect(jsonLines(json.out)).toMatchObject([
      { ok: false, tick: 100 },
      { ok: false, file: 'missing.replay' },
    ]);
  });

  /** By a world in which the ball was nudged at one tick: such as another machine or version might have. */
  async function recordNudged(): Promise<Uint8Array> {
    const { world } = catalog.find((entry) => entry.world.name === 'codeball')!;
    const nudged: AnyWorld = {
      ...world,
      step(state, actions, events) {
        world.step(state, actions, events);
        if (state.tick === 100) (state as TickState & { ball: { x: number } }).ball.x += 1e-9;
      },
    };
    const config = world.readConfig({ ticks: 200 });
    const bots = ['left', 'right'].map((name) => ({ name, kind: 'test', sha256: null }));
    const writer = new ReplayWriter({ world: nudged, config, seed: 1n, bots });
    const state = nudged.create(config, 1n);
    const actions = [0, 1].map((seat) => world.idle(config, seat));
    while (world.result(state) === null) {
      const events: WorldEvent[] = [];
      writer.note(actions);
      nudged.step(state, actions, events);
      writer.afterStep(state, events);
    }
    return writer.finish(world.result(state), []);
  }

  it('ledger prints every draw of a tick', async () => {
    await match('chaser', 'chaser', '--seed', '1', '--ticks', '100', '--record', 'ledger.replay');
    const { code, out } = await lockstep('replay', 'ledger', 'ledger.replay', '--tick', '60..61');
    expect(code).toBe(0);
    const entries = jsonLines(out);
    expect(new Set(entries.map(({ tick }) => tick))).toEqual(new Set([60, 61]));
    expect(entries.filter(({ kind }) => kind === 'order')).toHaveLength(200);
    expect(entries[0]).toMatchObject({ tick: 60, kind: 'order', microtick: 0 });
  });

  it('info tells it to people too', async () => {
    await match('idle', 'chaser', '--seed', '7', '--ticks', '100', '--record', 'info.replay');
    const { code, out } = await lockstep('replay', 'info', 'info.replay');
    expect(code).toBe(0);
    expect(out).toContain('info.replay: codeball (rulesVersion 1), seed 7, 100 ticks\n');
    expect(out).toMatch(/seat 1: chaser \(builtin, sha256 [0-9a-f]{64}\)/);
    expect(out).toMatch(/size: [\d,]+ bytes \(head \d+, actions/);
  });
});

describe('the rest of it', () => {
  it('--help teaches every command by examples', async () => {
    const { code, out } = await lockstep('--help');
    expect(code).toBe(0);
    expect(out).toContain('Examples:');
    const commands = [
      ['match'],
      ['replay', 'verify'],
      ['replay', 'info'],
      ['replay', 'ledger'],
      ['conform'],
      ['bench'],
      ['worlds'],
      ['studio'],
    ];
    for (const [help, i] of (await Promise.all(commands.map((command) => lockstep(...command, '--help')))).map(
      (run, i) => [run, i] as const,
    )) {
      expect(help.code).toBe(0);
      expect(help.out).toContain(`$ lockstep ${commands[i]!.join(' ')}`);
    }
    expect(await lockstep()).toMatchObject({ code: 2, out: '' });
    expect((await lockstep('--version')).out).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it('worlds lists the catalog', async () => {
    const lines = jsonLines((await lockstep('worlds', '--json')).out);
    expect(lines.map(({ name }) => name)).toEqual(catalog.map(({ world }) => world.name));
    expect((await lockstep('worlds')).out).toContain('presets: round1, round2, finals');
  });

  it('a reader that leaves early is no error', async () => {
    const run = spawn(process.execPath, [BIN, 'match', 'codeball', 'idle', 'idle', '--seeds', '1..400', '--ticks', '2'], { cwd: folder });
    let err = '';
    run.stderr.on('data', (text) => (err += String(text)));
    run.stdout.once('data', () => run.stdout.destroy());
    const code = await new Promise((resolve) => run.once('exit', resolve));
    expect([code, err]).toEqual([0, '']);
  });

  it.skipIf(process.platform === 'win32')('Ctrl+C ends many games with what was played so far', async () => {
    const run = spawn(process.execPath, [BIN, 'match', 'codeball', 'idle', 'idle', '--seeds', '1..100000', '--ticks', '50'], {
      cwd: folder,
    });
    let out = '';
    let err = '';
    run.stderr.on('data', (text) => (err += String(text)));
    run.stdout.on('data', (text) => {
      if (out === '') run.kill('SIGINT');
      out += String(text);
    });
    const code = await new Promise((resolve) => run.once('exit', resolve));
    expect([code, err]).toEqual([130, '']);
    expect(out).toMatch(/\d+ games? in [\d.]+ s on \d+ threads?:/);
  });
});

describe('bench', () => {
  it('prints one measurement a line', async () => {
    const run = spawn(process.execPath, [BIN, 'bench', 'codeball', '--seconds', '0.1', '--json'], { cwd: folder });
    const ended = new Promise((resolve) => run.once('exit', resolve));
    const [first] = jsonLines(
      await new Promise<string>((resolve) => run.stdout.once('data', (text) => resolve(String(text).split('\n')[0]!))),
    );
    run.kill();
    await ended;
    expect(first).toMatchObject({ bench: expect.stringMatching(/^codeball\//), subject: 'lockstep', against: 'naive', unit: 'ticks/s' });
    expect(first!['value']).toBeGreaterThan(0);
  });
});

describe.skipIf(!existsSync(STUDIO))('studio', () => {
  /** Until it tells its address. */
  async function studio(...args: string[]): Promise<{ url: string; end: () => Promise<number | null> }> {
    const run = spawn(process.execPath, [BIN, 'studio', ...args], { cwd: folder });
    const ended = new Promise<number | null>((resolve) => run.once('exit', resolve));
    const url = await new Promise<string>((resolve, reject) => {
      run.stdout.on('data', (text) => resolve(/^studio: (\S+)\n/.exec(String(text))?.[1] ?? ''));
      run.once('exit', (code) => reject(new Error(`the studio ended with ${code}`)));
    });
    const end = () => {
      run.kill('SIGINT');
      return ended;
    };
    return { url, end };
  }

  it('serves the page on this machine only, and ends by Ctrl+C', async () => {
    const { url, end } = await studio('--port', '0');
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
    const page = await fetch(url);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('<title>');
    expect(await end()).toBe(0);
  });

  it('takes a free port when the usual one is in use, but not instead of one that was asked for', async () => {
    const first = await studio();
    const second = await studio();
    expect(second.url).not.toBe(first.url);
    const asked = await lockstep('studio', '--port', new URL(first.url).port);
    expect(asked).toMatchObject({ code: 2, out: '' });
    expect(asked.err).toMatch(/^lockstep: studio: expected an address to listen on \(127\.0\.0\.1, port \d+\), got "EADDRINUSE"\n$/);
    expect(await Promise.all([first.end(), second.end()])).toEqual([0, 0]);
  });
});

describe.skipIf(!existsSync(VECTORS))('conform', () => {
  const files = existsSync(VECTORS)
    ? readdirSync(VECTORS).filter((name) => name.endsWith('.jsonl.gz') && !/wire|p1dump|rawlog/.test(name))
    : [];

  it.each(files)('%s is reproduced bit for bit', { timeout: 300_000 }, async (name) => {
    const { code, out } = await lockstep('conform', 'codeball', join(VECTORS, name));
    expect(out).toMatch(/: bit-exact\n$/);
    expect(code).toBe(0);
  });
});
