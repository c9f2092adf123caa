import { execFileSync, spawn } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { catalog } from '@lockstep/catalog';
import { type TickState, type WorldEvent } from '@lockstep/kernel';
import type { Fault } from '@lockstep/match';
import { ReplayWriter } from '@lockstep/replay';
import { describe, expect, it } from 'vitest';
import { BIN, jsonLines, workshop } from './cli-run.ts';

const STUDIO = fileURLToPath(new URL('../apps/studio/dist/index.html', import.meta.url));
const VECTORS = fileURLToPath(new URL('../../shared/vectors/codeball/', import.meta.url));

const { folder, lockstep, shell, bot } = workshop();
const match = (...args: string[]) => lockstep('match', 'codeball', ...args);

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
    expect(await match('idle', 'idle', '--games', '2', '--seed', '18446744073709551614', '--ticks', '5')).toMatchObject({ code: 0 });
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
    [/config\.rules\.GRAVTY: expected a known field \(did you mean GRAVITY\?\), got 1/, [...two, '--set', 'rules.GRAVTY=1']],
    [/config\.drws: expected only the fields .* \(did you mean draws\?\), got "none"/, [...two, '--set', 'drws=none']],
    [/config\.draws: expected one of official, counter, none, got "maybe"/, [...two, '--draws', 'maybe']],
    [/config\.draws: expected one of .* \(did you mean official\?\), got "offical"/, [...two, '--draws', 'offical']],
    [/set: expected path=value, e\.g\. rules\.GRAVITY=10, got "gravity"/, [...two, '--set', 'gravity']],
    [/bots: expected 2, one a seat \(built in are captain, .*; others are named by their path\), got 0/, ['match', 'codeball']],
    [/bots: expected 2, one a seat \(.*\), got 1/, ['match', 'codeball', 'idle']],
    [/bots: expected 2, one a seat \(.*\), got 3/, [...two, 'idle']],
    [/bots: expected 1, one a seat \(built in are pilot, .*\), got 2/, ['match', 'asteracer', 'pilot', 'pilot']],
    [/\.\/no\.mjs: expected a readable file, got "no such file or folder"/, ['match', 'codeball', './no.mjs', 'idle']],
    [/record: expected a name with \{seed\} in it/, [...two, '--games', '2', '--seed', '1', '--record', 'x']],
    [/no\/where\/x: expected a file in a folder that can be written to/, [...two, '--seed', '1', '--record', 'no/where/x']],
    [/record: expected the name of a file, got ""/, [...two, '--record', '']],
    [/\.: expected the name of a file, got "a folder"/, [...two, '--record', '.']],
    [/games\/: expected the name of a file, got "a folder"/, [...two, '--record', 'games/']],
    [/ticks: expected at most \d+ in a game that is recorded, got 10000000/, [...two, '--ticks', '10000000', '--record', 'x']],
    [/jobs: expected a whole number 1\.\.1024, got "banana"/, [...two, '--seeds', '1..2', '--jobs', 'banana']],
    [/jobs: expected a whole number 1\.\.1024, got ""/, [...two, '-j', '']],
    [/timeout: expected a number 0\.001\.\.86400, got "soon"/, [...two, '--timeout', 'soon']],
    [/games: expected a whole number 1\.\.1000000, got "all"/, [...two, '--games', 'all']],
    [/games: expected at most 1, for seeds end at 18446744073709551615, got 2/, [...two, '--seed', '18446744073709551615', '--games', '2']],
    [/help: expected one of .* \(did you mean match\?\), got "mach"/, ['help', 'mach']],
    [/help: expected one of .* \(did you mean verify\?\), got "verfy"/, ['help', 'replay', 'verfy']],
    [/help: expected one of .* \(did you mean ledger\?\), got "ledgr"/, ['replay', 'help', 'ledgr']],
    [/missing required argument 'world'/, ['match']],
    [/nothing\.replay: expected a readable file, got "no such file or folder"/, ['replay', 'verify', 'nothing.replay']],
    [/\.: expected a readable file, got "a folder"/, ['replay', 'info', '.']],
    [/port: expected a whole number 0\.\.65535, got 70000/, ['studio', '--port', '70000']],
    [/port: expected a whole number 0\.\.65535, got "abc"/, ['studio', '--port', 'abc']],
    [/port: expected a whole number 0\.\.65535, got ""/, ['studio', '--port', '']],
    [/host: expected an address, e\.g\. 127\.0\.0\.1, got ""/, ['studio', '--host', '']],
    [/seconds: expected a number 0\.01\.\.3600, got "long"/, ['bench', 'codeball', '--seconds', 'long']],
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

  it('a game that turns out to be too long to record', { timeout: 300_000 }, async () => {
    const longest = ['max_tick_count=10000000', 'team_size=32', 'MICROTICKS_PER_TICK=1'].flatMap((rule) => ['--set', `rules.${rule}`]);
    await line(/record: expected a game of at most 104206 ticks, got "a longer one"/, ...two, '--seed', '1', ...longest, '--draws', 'none', '--record', 'long'); // prettier-ignore
    expect(existsSync(join(folder, 'long'))).toBe(false);
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
    writeFileSync(join(folder, 'other.replay'), await told({ nudge: (state) => void (state.tick === 100 && (state.ball.x += 1e-9)) }));
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

  interface Story {
    readonly ticks?: number;
    readonly names?: readonly string[];
    /** Done to the state after each tick. */
    readonly nudge?: (state: TickState & { readonly ball: { x: number } }) => void;
    /** Instead of what seat 1 plays at tick 7. */
    readonly order?: object;
    readonly faults?: readonly object[];
    /** Seat 0 plays what only a seat that is out plays. */
    readonly out?: boolean;
    readonly result?: null;
  }

  /** A game of robots that stand still as its recorder tells it: another machine's, another version's, or a liar's. */
  async function told({
    ticks = 200,
    names = ['left', 'right'],
    nudge,
    order,
    faults = [],
    out = false,
    result,
  }: Story): Promise<Uint8Array> {
    const { world } = catalog.find((entry) => entry.world.name === 'codeball')!;
    const config = world.readConfig({ ticks: Math.max(ticks, 1) });
    const bots = ['left', 'right'].map((name) => ({ name, kind: 'test', sha256: null }));
    const writer = new ReplayWriter({ world, config, seed: 1n, bots });
    bots.splice(0, 2, ...names.map((name) => ({ name, kind: 'test', sha256: null })));
    const state = world.create(config, 1n) as TickState & { ball: { x: number } };
    const actions = [out ? world.forfeit(config, 0) : world.idle(config, 0), world.idle(config, 1)];
    const lie = world.idle(config, 1) as { robots: object[] };
    Object.assign(lie.robots[0]!, order);
    while (state.tick < ticks) {
      const events: WorldEvent[] = [];
      writer.note(state.tick === 7 ? [actions[0], lie] : actions);
      world.step(state, actions, events);
      nudge?.(state);
      writer.afterStep(state, events);
    }
    return writer.finish(result === undefined ? world.result(state) : result, faults as Fault[]);
  }

  it.each<[string, Story, number, RegExp]>([
    [
      'NaN',
      { order: { jump_speed: NaN } },
      1,
      /at tick 8: actions of tick 7: seat 1: action\.robots\[0\]\.jump_speed: expected a finite number, got NaN/,
    ],
    [
      'an infinite speed',
      { order: { target_velocity_x: -Infinity } },
      1,
      /tick 7: seat 1: action\.robots\[0\]\.target_velocity_x: .*, got -Infinity/,
    ],
    [
      'a jump beyond the rules',
      { order: { jump_speed: 99 } },
      1,
      /at tick 8: actions of tick 7: action\.robots\[0\]\.jump_speed: expected a number 0\.\.15, got 99/,
    ],
    ['one bot', { names: ['left'] }, 2, /bots: expected 2, one a seat, got 1/],
    ['three bots', { names: ['a', 'b', 'c'] }, 2, /bots: expected 2, one a seat, got 3/],
    [
      'a fault of nobody',
      { faults: [{ seat: 2, tick: 1, kind: 'crash', reason: '' }] },
      2,
      /faults\[0\]\.seat: expected a whole number 0\.\.1, got 2/,
    ],
    [
      'a fault after the end',
      { faults: [{ seat: 0, tick: 21, kind: 'crash', reason: '' }] },
      2,
      /faults\[0\]\.tick: expected a whole number 0\.\.20, got 21/,
    ],
    [
      'a fault of no kind',
      { faults: [{ seat: 0, tick: 1, kind: 'bribe', reason: '' }] },
      2,
      /faults\[0\]\.kind: expected one of crash, illegal, timeout, memory, protocol, disconnect, no-start, got "bribe"/,
    ],
    [
      'a seat that plays on',
      { faults: [{ seat: 0, tick: 5, kind: 'crash', reason: '' }] },
      1,
      /at tick 6: actions of tick 5: seat 0 plays on, though it was out at tick 5/,
    ],
    ['a crash that is hushed up', { out: true }, 1, /at tick 1: actions of tick 0: seat 0 is out, though no fault says so/],
    ['a result that is hushed up', { result: null }, 1, /at tick 20: result: \{.*\} vs null/],
  ])('verify refuses %s in one line', async (name, story, code, expected) => {
    // prettier-ignore
    const file = `${name}.replay`;
    writeFileSync(join(folder, file), await told({ ticks: 20, ...story }));
    const run = await lockstep('replay', 'verify', file);
    const line = code === 1 ? run.out : run.err;
    expect({ code: run.code, rest: code === 1 ? run.err : run.out }).toEqual({ code, rest: '' });
    expect(line).toMatch(/^[^\n]+\n$/);
    expect(line).toMatch(expected);
    expect(line).toContain(`${file}: `);
  });

  it('ledger prints every draw of a tick', async () => {
    await match('chaser', 'chaser', '--seed', '1', '--ticks', '100', '--record', 'ledger.replay');
    const { code, out } = await lockstep('replay', 'ledger', 'ledger.replay', '--tick', '60..61');
    expect(code).toBe(0);
    const entries = jsonLines(out);
    expect(new Set(entries.map(({ tick }) => tick))).toEqual(new Set([60, 61]));
    expect(entries.filter(({ kind }) => kind === 'order')).toHaveLength(200);
    expect(entries[0]).toMatchObject({ tick: 60, kind: 'order', microtick: 0 });
  });

  it('a game of no ticks is a game, but has no draws', async () => {
    writeFileSync(join(folder, 'none.replay'), await told({ ticks: 0 }));
    expect((await lockstep('replay', 'info', 'none.replay')).out).toContain(', 0 ticks\n');
    expect(await lockstep('replay', 'verify', 'none.replay')).toMatchObject({ code: 0 });
    expect(await lockstep('replay', 'ledger', 'none.replay', '--tick', '0')).toEqual({
      code: 2,
      out: '',
      err: 'lockstep: none.replay: expected a game of at least one tick, got "0 ticks"\n',
    });
  });

  it('nothing in a file makes the terminal do anything', async () => {
    const name = 'a\u001b]0;owned\u0007\u009b2J\r\nresult: 9 : 0\u202e';
    writeFileSync(join(folder, 'evil.replay'), await told({ ticks: 5, names: [name, 'right'] }));
    const { code, out } = await lockstep('replay', 'info', 'evil.replay');
    expect(code).toBe(0);
    expect(out).toContain('  seat 0: a\\u001b]0;owned\\u0007\\u009b2J\\u000d\\u000aresult: 9 : 0\\u202e (test)\n');
    // oxlint-disable-next-line no-control-regex -- they are what must not be there
    expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    const json = await lockstep('replay', 'info', 'evil.replay', '--json');
    expect(jsonLines(json.out)[0]).toMatchObject({ bots: [{ name }, { name: 'right' }] });
    // oxlint-disable-next-line no-control-regex -- they are what must not be there
    expect(json.out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
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
  /** The names below "Commands:". */
  const commandsIn = (help: string): string[] =>
    (help.split('\nCommands:\n')[1]?.split('\n\n')[0]?.split('\n') ?? []).flatMap((line) => /^ {2}([\w-]+)/.exec(line)?.[1] ?? []);

  it('--help teaches every command by examples', { timeout: 300_000 }, async () => {
    const taught: string[] = [];
    const teach = async (...command: string[]): Promise<void> => {
      const { code, out, err } = await lockstep(...command, '--help');
      expect({ code, err }).toEqual({ code: 0, err: '' });
      expect(out).toContain(`Examples:\n  $ ${['lockstep', ...command].join(' ')}`);
      taught.push(command.join(' '));
      for (const inner of commandsIn(out)) await teach(...command, inner);
    };
    await teach();
    for (const name of [
      'match',
      'replay verify',
      'replay info',
      'replay ledger',
      'conform',
      'bench',
      'worlds',
      'studio',
      'help',
      'replay help',
    ])
      expect(taught).toContain(name);
    expect((await lockstep('help', 'replay', 'verify')).out).toBe((await lockstep('replay', 'verify', '--help')).out);
    expect(await lockstep()).toMatchObject({ code: 2, out: '' });
    expect((await lockstep('--version')).out).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it('worlds lists the catalog', async () => {
    const lines = jsonLines((await lockstep('worlds', '--json')).out);
    expect(lines.map(({ name }) => name)).toEqual(catalog.map(({ world }) => world.name));
    const { out } = await lockstep('worlds');
    expect(out).toContain('presets: round1, round2, finals');
    expect(out).toMatch(/^codeball \(rulesVersion \d+, 2 seats, 60 ticks\/s\)$/m);
    expect(out).toMatch(/^asteracer \(rulesVersion \d+, 1 seat, 60 ticks\/s\)$/m);
  });

  it.skipIf(!existsSync('/dev/full'))('an answer that cannot be written is one line, and no success', async () => {
    for (const command of ['worlds', '--help', 'match codeball idle idle --seed 1 --ticks 5', 'worlds --json']) {
      const { code, err } = await shell(`lockstep ${command} > /dev/full`);
      expect([code, err]).toEqual([2, 'lockstep: stdout: expected a place to write to, got "a full disk"\n']);
    }
    expect(await shell('lockstep worlds 2> /dev/full | head -1')).toMatchObject({ code: 0, err: '' });
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

describe.skipIf(process.platform === 'win32')('--record', () => {
  const record = (name: string, ...more: string[]) => match('idle', 'idle', '--seed', '1', '--ticks', '5', '--record', name, ...more);
  const isReplay = (name: string): boolean => readFileSync(join(folder, name)).subarray(1, 4).toString() === 'LSR';

  it('writes through links, also through one that leads to nothing yet', async () => {
    mkdirSync(join(folder, 'store'));
    writeFileSync(join(folder, 'store/old'), 'old');
    symlinkSync('store/old', join(folder, 'to-old'));
    symlinkSync('to-new', join(folder, 'to-to-new'));
    symlinkSync('store/new', join(folder, 'to-new'));
    for (const [link, target] of [
      ['to-old', 'store/old'],
      ['to-to-new', 'store/new'],
    ] as const) {
      // prettier-ignore
      expect(await record(link)).toMatchObject({ code: 0 });
      expect([lstatSync(join(folder, link)).isSymbolicLink(), isReplay(target)]).toEqual([true, true]);
    }
    expect(readdirSync(join(folder, 'store')).sort()).toEqual(['new', 'old']);
    symlinkSync('loop', join(folder, 'loop'));
    expect(await record('loop')).toMatchObject({ code: 2, out: '', err: expect.stringMatching(/^lockstep: loop: .*itself"\n$/) });
  });

  it('gives the bytes to a pipe and leaves it where it is', async () => {
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    const reader = shell('cat pipe > piped');
    expect(await record('pipe')).toMatchObject({ code: 0 });
    expect(await reader).toMatchObject({ code: 0 });
    expect([lstatSync(join(folder, 'pipe')).isFIFO(), isReplay('piped')]).toEqual([true, true]);
  });

  it('is refused before a tick is played when a folder has the name, for any of the seeds', async () => {
    mkdirSync(join(folder, 'game-3'));
    const { code, out, err } = await record('game-{seed}', '--games', '5');
    expect([code, out, err]).toEqual([2, '', 'lockstep: game-3: expected the name of a file, got "a folder"\n']);
    expect(existsSync(join(folder, 'game-1'))).toBe(false);
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

  it('pinball: every engine on one table, with what escaped and the energy beside the speed; a picture', { timeout: 120_000 }, async () => {
    const { code, out, err } = await lockstep('bench', 'pinball', '--quick', '--json', '--plot', 'pinball.svg');
    expect([code, err]).toEqual([0, '']);
    const lines = jsonLines(out);
    const ours = lines.filter(({ subject, escapes }) => subject === 'lockstep' && escapes !== undefined);
    expect(ours.length).toBe(15);
    for (const { escapes, energyError } of ours) {
      expect(escapes).toBe(0);
      expect(Math.abs(Number(energyError))).toBeLessThan(1e-11);
    }
    const peers = new Set(lines.map(({ subject }) => subject));
    expect(peers).toEqual(new Set(['lockstep', 'rapier', 'box2d3', 'planck', 'matter']));
    expect(lines.some(({ against }) => against === 'real time')).toBe(true);
    expect(readFileSync(join(folder, 'pinball.svg'), 'utf8')).toMatch(/^<svg [\s\S]*box2d3[\s\S]*<\/svg>\n$/);
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
    expect(asked.err).toMatch(
      /^lockstep: studio: expected an address to listen on \(127\.0\.0\.1, port \d+\), got "one that is in use"\n$/,
    );
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
