import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { jsonLines, workshop } from './cli-run.ts';

const { folder, lockstep, bot } = workshop();
const textOf = (name: string): string => readFileSync(join(folder, name), 'utf8');

interface Game {
  readonly hash: string;
  readonly ticks: number;
  readonly scores: readonly number[];
  readonly honesty: string;
  readonly doubts: readonly string[];
  readonly faults: readonly unknown[];
  readonly left?: { readonly tick: number; readonly seats: readonly number[] } | null;
}
async function play(...args: string[]): Promise<Game & { readonly code: number }> {
  const { code, out, err } = await lockstep(...args, '--json');
  if (out === '') throw new Error(err);
  return { ...(jsonLines(out)[0] as unknown as Game), code };
}
async function verify(...args: string[]) {
  const { code, out } = await lockstep('replay', 'verify', ...args, '--json');
  return { code, ...jsonLines(out)[0] };
}

let game: Game;
beforeAll(async () => {
  game = await play('match', 'codeball', 'captain', 'quickstart', '--seed', '7', '--ticks', '400', '--record', 'g.replay');
});

describe('repeat', () => {
  it('the same bot plays the same game, another one leaves it: the answer says where', async () => {
    expect(await play('repeat', 'g.replay', '--seat', '0=captain')).toMatchObject({ code: 0, hash: game.hash, left: null });
    const turns = bot('turns', 'if (view.current_tick === 30) orders[1].target_velocity_x = 1;');
    const calm = bot('calm', '');
    await play('match', 'codeball', calm, 'quickstart', '--seed', '7', '--ticks', '60', '--record', 'calm.replay');
    const other = await play('repeat', 'calm.replay', '--seat', `0=${turns}`, '--record', 'turns.replay');
    expect(other).toMatchObject({ code: 0, ticks: 60, left: { tick: 30, seats: [0] }, bots: [turns, 'quickstart'] });
    const { out } = await lockstep('repeat', 'calm.replay', '--seat', `0=${turns}`);
    expect(out).toContain('leaves the recorded game at tick 30, where another action comes from seat 0\n');
    expect(await verify('turns.replay')).toMatchObject({ code: 0, ok: true, honesty: 'sim-verified' });
  });

  it('recorded opponents are out where they were out, and idle when their recording is over', async () => {
    const throws = bot('throws', 'if (view.current_tick === 9) throw new Error("no");');
    await play('match', 'codeball', 'chaser', throws, '--seed', '1', '--ticks', '40', '--record', 't.replay');
    const again = await play('repeat', 't.replay', '--seat', '0=quickstart', '--record', 't2.replay');
    expect(again).toMatchObject({
      code: 3,
      faults: [{ seat: 1, tick: 9, kind: 'crash', reason: 'no (throws.mjs:6:48)' }],
      left: { tick: 0, seats: [0] },
    });
    expect(await verify('t2.replay')).toMatchObject({ code: 0 });
    const short = await play('match', 'codeball', 'chaser', 'captain', '--seed', '3', '--ticks', '2000', '--until-first-goal', '--record', 's.replay'); // prettier-ignore
    expect(await play('repeat', 's.replay', '--seat', '0=idle', '--until-first-goal')).toMatchObject({ code: 0 });
    expect(short.ticks).toBeLessThan(2000);
  });

  it('from the midst of a game: match --from with new bots, repeat REPLAY@TICK with recorded ones', async () => {
    const on = await play('match', 'codeball', 'chaser', 'idle', '--from', 'g.replay@150', '--record', 'on.replay', '--verify', 'rerun');
    expect(on).toMatchObject({ code: 0, ticks: 400, honesty: 'rerun-verified', left: { tick: 150 } });
    expect(await verify('on.replay', '--rerun')).toMatchObject({ code: 0, honesty: 'rerun-verified' });
    expect(await play('repeat', 'g.replay@150', '--seat', '1=chaser')).toMatchObject({ left: { tick: 150, seats: [1] } });
    // programs are told the true tick
    const file = join(folder, 'ticks.cjs');
    writeFileSync(
      file,
      `process.stdout.write('{"type":"ready"}\\n');
       require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
         const { type, tick, view } = JSON.parse(line);
         if (type !== 'view') return;
         if (tick !== view.current_tick) process.exit(1);
         const still = { target_velocity_x: 0, target_velocity_y: 0, target_velocity_z: 0, jump_speed: 0, use_nitro: false };
         process.stdout.write(JSON.stringify({ tick, action: { 1: still, 2: still } }) + '\\n');
       });`,
    );
    expect(await play('repeat', 'g.replay@350', '--seat', `0=process:${file}`)).toMatchObject({ code: 0, faults: [] });
  });

  it.each([
    [['repeat', 'g.replay'], /required option '--seat <n=bot>' not specified/],
    [['repeat', 'g.replay', '--seat', '2=captain'], /^lockstep: seat: expected SEAT=BOT with a seat 0\.\.1, got "2=captain"\n$/],
    [['repeat', 'g.replay', '--seat', '0=captain', '--seat', '0=idle'], /^lockstep: seat: expected each seat once, got "0=idle"\n$/],
    [['repeat', 'g.replay@999', '--seat', '0=captain'], /^lockstep: from: expected a tick 0\.\.400 of g.replay, got 999\n$/],
    [['match', 'asteracer', 'pilot', '--from', 'g.replay@1'], /^lockstep: from: expected a game of asteracer, got "codeball"\n$/],
    [['match', 'codeball', 'idle', 'idle', '--from', 'g.replay@1', '--seed', '1'], /cannot be used with option/],
    [['match', 'asteracer', 'pilot', '--until-first-goal'], /^lockstep: until-first-goal: expected a world whose score/],
    [['match', 'codeball', 'idle', 'idle', '--verify', 'twice'], /^lockstep: verify: expected sim or rerun, got "twice"\n$/],
    [['replay', 'verify', 'g.replay', '--seat', '0=captain'], /^lockstep: seat: expected together with --rerun, got "0=captain"\n$/],
  ])('%j is refused in one line', async (args, line) => {
    const { code, out, err } = await lockstep(...args);
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(line);
  });
});

describe('honesty', () => {
  it('a result says how far it was checked', async () => {
    expect(game.honesty).toBe('unverified');
    const args = ['match', 'codeball', 'captain', 'chaser', '--seed', '5', '--ticks', '100'];
    expect(await play(...args, '--verify', 'sim')).toMatchObject({ code: 0, honesty: 'sim-verified', doubts: [] });
    expect(await play(...args, '--verify', 'rerun')).toMatchObject({ code: 0, honesty: 'rerun-verified', doubts: [] });
    expect(await verify('g.replay')).toMatchObject({ code: 0, honesty: 'sim-verified' });
    expect(await verify('g.replay', '--rerun')).toMatchObject({ code: 0, honesty: 'rerun-verified', differences: [], absent: [] });
  });

  it('a bot that rolls dice is caught with seat and tick, by the match and by the replay', async () => {
    const dice = bot('dice', 'if (view.current_tick >= 12) orders[3].jump_speed = Math.random();');
    const played = await play('match', 'codeball', 'chaser', dice, '--seed', '1', '--ticks', '40', '--record', 'd.replay', '--verify', 'rerun'); // prettier-ignore
    expect(played).toMatchObject({ code: 1, honesty: 'sim-verified', doubts: [expect.stringMatching(/^seat 1 did otherwise at tick 12: value 5 of its action is 0\.\d+, recorded is 0\.\d+$/)] }); // prettier-ignore
    expect(await verify('d.replay')).toMatchObject({ code: 0, ok: true });
    expect(await verify('d.replay', '--rerun')).toMatchObject({ code: 1, ok: false, honesty: 'sim-verified', difference: expect.stringContaining('seat 1 did otherwise at tick 12') as string }); // prettier-ignore
  });

  it('a bot that crashed crashes again at the same place, and that is the same', async () => {
    const throws = bot('crash', 'if (view.current_tick === 9) throw new Error("no");');
    const played = await play('match', 'codeball', throws, 'chaser', '--seed', '1', '--ticks', '40', '--record', 'x.replay', '--verify', 'rerun'); // prettier-ignore
    expect(played).toMatchObject({ code: 3, honesty: 'rerun-verified' });
    expect(await verify('x.replay', '--rerun')).toMatchObject({ code: 0, honesty: 'rerun-verified' });
  });

  it('a strategy of 2018 that is started by a command is run again, too', async () => {
    const file = join(folder, 'old.cjs');
    writeFileSync(
      file,
      `const [, , host, port, token] = process.argv;
       const socket = require('node:net').connect(Number(port), host).on('error', () => {});
       socket.write('json\\n' + token + '\\n');
       require('node:readline').createInterface({ input: socket }).on('line', (line) => {
         const { robots } = JSON.parse(line);
         if (robots === undefined) return;
         const run = { target_velocity_x: 3, target_velocity_y: 0, target_velocity_z: 9, jump_speed: 0, use_nitro: false };
         socket.write(JSON.stringify(Object.fromEntries(robots.filter((r) => r.is_teammate).map(({ id }) => [id, run]))) + '\\n');
       });`,
    );
    await play('match', 'codeball', `tcp2018:node ${file}`, 'idle', '--seed', '1', '--ticks', '20', '--record', 'old.replay');
    expect(await verify('old.replay', '--rerun')).toMatchObject({ code: 0, honesty: 'rerun-verified', absent: [] });
  });

  it('who is not the bot that played, or not at hand, is told and not believed', async () => {
    const one = bot('changing', '');
    await play('match', 'codeball', one, 'idle', '--seed', '1', '--ticks', '20', '--record', 'k.replay');
    bot('changing', '/* another */');
    expect(await verify('k.replay', '--rerun')).toMatchObject({ code: 0, honesty: 'sim-verified', absent: [expect.stringMatching(/^seat 0: .* is not the one that played/)] }); // prettier-ignore
    const moved = bot('moved', '');
    expect(await verify('k.replay', '--rerun', '--seat', `0=${moved}`)).toMatchObject({ code: 0, honesty: 'rerun-verified' });
    const { code, err } = await lockstep('replay', 'verify', 'k.replay', '--rerun', '--seat', `0=${one}`);
    expect([code, err]).toEqual([2, expect.stringMatching(/^lockstep: seat 0: expected the bot that played, got /)]);
  });
});

describe('files of a match', () => {
  it('--log-file and --results-file work for every world and for many games', async () => {
    await lockstep('match', 'asteracer', 'pilot', '--seed', '1', '--ticks', '20', '--log-file', 'a.log', '--results-file', 'a.txt');
    const [head, ...states] = jsonLines(textOf('a.log'));
    expect(head).toMatchObject({ world: 'asteracer', seed: '1', names: ['pilot'] });
    expect(states.map(({ tick }) => tick)).toEqual(Array.from({ length: 21 }, (_, i) => i));
    expect(textOf('a.txt')).toBe('1:0:ok\n1\n');
    await lockstep('match', 'codeball', 'idle', 'idle', '--seeds', '1..2', '--ticks', '5', '--log-file', 'c{seed}.log', '--results-file', 'c{seed}.txt'); // prettier-ignore
    expect(textOf('c2.log').split('\n')).toHaveLength(8);
    expect(textOf('c2.txt')).toBe('1:0:ok\n1:0:ok\n2\n');
  });
});
