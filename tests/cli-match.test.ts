import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { jsonLines, workshop } from './cli-run.ts';

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

  const recorded: string[] = [];
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
    recorded.push(`${name}.replay`);
  });

  it('each of those replays verifies', async ({ skip }) => {
    skip(recorded.length === 0, 'none was asked for');
    const { code, out } = await lockstep('replay', 'verify', ...recorded, '--json');
    expect([code, jsonLines(out).map(({ ok }) => ok)]).toEqual([0, recorded.map(() => true)]);
  });

  it('ends early when all bots are out, and says so', async () => {
    const module = bot('none', 'throw new Error("no");');
    const { code, out } = await match(module, module, '--seed', '1', '--ticks', '400');
    expect(code).toBe(3);
    expect(out).toContain('all strategies crashed after 1 tick;');
    expect(out).toContain(`fault: seat 1 (${module}), tick 0, crash: no (none.mjs:`);
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

  it.skipIf(process.env['LOCKSTEP_LONG'] !== '1')('a game that turns out to be too long', { timeout: 300_000 }, async () => {
    const longest = ['max_tick_count=10000000', 'team_size=32', 'MICROTICKS_PER_TICK=1'].flatMap((rule) => ['--set', `rules.${rule}`]);
    expect(await match('idle', 'idle', '--seed', '1', ...longest, '--draws', 'none', '--record', 'long')).toEqual({
      code: 2,
      out: '',
      err: 'lockstep: record: expected a game of at most 104206 ticks, got "a longer one"\n',
    });
    expect(existsSync(join(folder, 'long'))).toBe(false);
  });

  it('is refused before a tick is played when a folder has the name, for any of the seeds', async () => {
    mkdirSync(join(folder, 'game-3'));
    const { code, out, err } = await record('game-{seed}', '--games', '5');
    expect([code, out, err]).toEqual([2, '', 'lockstep: game-3: expected the name of a file, got "a folder"\n']);
    expect(existsSync(join(folder, 'game-1'))).toBe(false);
  });
});
