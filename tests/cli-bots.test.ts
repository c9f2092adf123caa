import { describe, expect, it } from 'vitest';
import { jsonLines, workshop } from './cli-run.ts';

const { lockstep, module, bot } = workshop();
const match = (...args: string[]) => lockstep('match', 'codeball', '--seed', '1', '--ticks', '300', '--timeout', '0.5', ...args);
/** Where nothing waits for a limit, a busy machine has all the time it needs. */
const PATIENT = ['--timeout', '60'];

interface Game {
  readonly ticks: number;
  readonly faults: readonly { readonly seat: number; readonly tick: number; readonly kind: string; readonly reason: string }[];
}

const making = (what: string): string => `export const createBot = () => ${what};`;
/** Does something at tick 5, then takes its time, so that timers are due. */
const at5 = (what: string): string =>
  `if (view.current_tick === 5) { ${what} }
   if (view.current_tick === 6) for (const end = performance.now() + 5; performance.now() < end; );`;

describe('whatever a bot module does in our process, the match is played without it, told and recorded: exit 3', () => {
  const notKept = (name: string): string => `${name}: a promise that was not kept within 0.5 s`;
  const recorded: string[] = [];
  const noBot = (got: string): string => `createBot: expected an object with a method act(view), got ${got}`;

  it.each<[name: string, file: string, kind: string, reason: string]>([
    ['makes null', module('null', making('null')), 'crash', noBot('null')],
    ['makes nothing', module('nothing', making('undefined')), 'crash', noBot('nothing')],
    ['makes a thing without act', module('thing', making('({ play() {} })')), 'crash', noBot('{}')],
    ['makes null in the end', module('later-null', making('Promise.resolve(null)')), 'crash', noBot('null')],
    ['never makes a bot', module('never-made', making('new Promise(() => {})')), 'timeout', notKept('createBot')],
    ['never answers', bot('never', at5('return new Promise(() => {});')), 'timeout', notKept('act')],
    ['never loads', module('never-loads', 'await new Promise(() => {});'), 'timeout', notKept('import')],
    ['ends the process', bot('exit', at5('process.exit(0);')), 'crash', 'it called process.exit(0)'],
    ['ends it and goes on', bot('exit-caught', at5('try { process.exit(); } catch {}')), 'crash', 'it called process.exit()'],
    ['ends it from a timer', bot('exit-timer', at5('setTimeout(() => process.exit(0), 0);')), 'crash', 'it called process.exit(0)'],
    [
      'ends it by another name',
      bot('exit-named', `import('node:process').then(({ exit }) => exit(7));`),
      'crash',
      'it called process.exit(7)',
    ],
    ['ends it as it loads', module('exit-loading', 'process.exit(0);'), 'crash', 'it called process.exit(0)'],
    ['goes elsewhere', bot('chdir', at5(`process.chdir('/');`)), 'crash', 'it called process.chdir("/")'],
    [
      'throws from a timer',
      bot('timer', at5('setTimeout(() => { throw new Error("bo\\nom"); }, 0);')),
      'crash',
      'it threw outside of its turn: bo om',
    ],
    [
      'throws from a microtask',
      bot('microtask', at5('queueMicrotask(() => { throw new Error("boom"); });')),
      'crash',
      'it threw outside of its turn: boom',
    ],
    [
      'throws while it is waited for',
      bot('waited', at5('return new Promise(() => setTimeout(() => { throw new Error("boom"); }, 1));')),
      'crash',
      'it threw outside of its turn: boom',
    ],
    [
      'drops a rejection',
      bot('rejection', at5('Promise.reject(new Error("stray"));')),
      'crash',
      'a promise was rejected and nobody cared: stray',
    ],
    ['thinks for ever', bot('loop', at5('for (;;);')), 'timeout', 'no answer within 0.5 s'],
    [
      'thinks for ever after a wait',
      bot('later-loop', at5('return (async () => { await null; for (;;); })();')),
      'timeout',
      'no answer within 0.5 s',
    ],
    ['thinks for ever as it loads', module('loading-loop', 'for (;;);'), 'no-start', 'it did not load within 0.5 s'],
    ['thinks for ever as it is made', module('making-loop', making('{ for (;;); }')), 'no-start', 'it was not ready within 0.5 s'],
    [
      'eats memory',
      bot('memory', at5('const all = []; for (;;) all.push(new Array(1e5).fill(1.5));')),
      'memory|timeout', // a busy machine may be too slow to give it so much
      'it needs more than 256 MB|no answer within 0.5 s',
    ],
    [
      'drops one that is no error',
      bot('odd-rejection', at5('Promise.reject({ a: 1 });')),
      'crash',
      'a promise was rejected and nobody cared: {"a":1}',
    ],
  ])('%s', async (name, file, kind, reason) => {
    // prettier-ignore
    const record = `${name}.replay`;
    recorded.push(record);
    const { code, out, err } = await match(file, 'idle', '--json', '--record', record, ...(reason.includes('within') ? [] : PATIENT));
    expect([code, err]).toEqual([3, '']);
    const [game, ...rest] = jsonLines(out) as unknown as Game[];
    expect(rest).toEqual([]);
    expect(game!.ticks).toBe(300);
    expect(game!.faults).toHaveLength(1);
    expect(game!.faults[0]!.seat).toBe(0);
    expect(kind.split('|')).toContain(game!.faults[0]!.kind);
    expect([reason, ...reason.split('|')]).toContain(game!.faults[0]!.reason);
  });

  it('each of those replays verifies', async ({ skip }) => {
    skip(recorded.length === 0, 'none was asked for');
    const { code, out } = await lockstep('replay', 'verify', ...recorded, '--json');
    expect([code, jsonLines(out).map(({ ok }) => ok)]).toEqual([0, recorded.map(() => true)]);
  });

  it('a misdeed after the last tick is told, too', async () => {
    const file = bot('last', 'if (view.current_tick === 299) Promise.reject(new Error("bye"));');
    const { code, out } = await match('idle', file, '--record', 'last.replay', ...PATIENT);
    expect(code).toBe(3);
    expect(out).toContain(`fault: seat 1 (${file}), tick 300, crash: a promise was rejected and nobody cared: bye\n`);
    expect(await lockstep('replay', 'verify', 'last.replay')).toMatchObject({ code: 0 });
  });

  it('of two modules it is the culprit that is out', async () => {
    const good = bot('good', '');
    const bad = bot('bad', at5('setTimeout(() => { throw new Error("boom"); }, 0);'));
    for (const [bots, seat] of [
      [[good, bad], 1],
      [[bad, good], 0],
    ] as const) {
      // prettier-ignore
      const { code, out } = await match(...bots, '--json', ...PATIENT);
      expect(code).toBe(3);
      expect((jsonLines(out)[0] as unknown as Game).faults.map((fault) => fault.seat)).toEqual([seat]);
    }
  });

  it.each([
    ['exit', 'it called process.exit(0)'],
    ['timer', 'it threw outside of its turn: bo om'],
    ['never', 'act: a promise that was not kept within 0.5 s'],
  ])('in many games over threads: %s', async (name, reason) => {
    const { code, out, err } = await match(
      `./${name}.mjs`,
      'idle',
      '--games',
      '3',
      '-j',
      '2',
      '--json',
      '--record',
      `${name}-{seed}.replay`,
    );
    expect([code, err]).toEqual([3, '']);
    const games = jsonLines(out) as unknown as Game[];
    expect(games.slice(0, 3).map(({ faults }) => faults.map((fault) => fault.reason))).toEqual([[reason], [reason], [reason]]);
    expect(games[3]).toMatchObject({ kind: 'summary', games: 3, faults: 3 });
    expect(await lockstep('replay', 'verify', ...[1, 2, 3].map((seed) => `${name}-${seed}.replay`))).toMatchObject({ code: 0 });
  });
});

describe('what a bot module may do', () => {
  const patient = (...args: string[]) => match(...args, ...PATIENT);

  it('play the same game in a thread of its own and, with --budget none, in ours', async () => {
    const file = bot('both', 'for (const one of Object.values(orders)) one.target_velocity_z = view.ball.z - 3;');
    const apart = await patient(file, file, '--json');
    expect(apart.code).toBe(0);
    const none = ['--seed', '1', '--ticks', '300', '--budget', 'none', '--json'];
    const inOurs = await lockstep('match', 'codeball', file, file, ...none);
    expect(jsonLines(inOurs.out)[0]!['hash']).toBe(jsonLines(apart.out)[0]!['hash']);
    expect(jsonLines(inOurs.out)[0]!['times']).toEqual([null, null]);
    expect(jsonLines(apart.out)[0]!['times']).toMatchObject([{ wallMs: expect.any(Number) as number }, {}]);
  });

  it('be async, and leave something running', async () => {
    const file = module(
      'async',
      `setInterval(() => {}, 1000);
       export async function createBot(rules, seat) { const { createBot } = await import('./good.mjs'); const bot = createBot(rules, seat); return { act: async (view) => bot.act(view) }; }`,
    );
    bot('good', '');
    const [now, later] = [await patient('./good.mjs', 'chaser', '--json'), await patient(file, 'chaser', '--json')];
    expect([now.code, later.code, later.err]).toEqual([0, 0, '']);
    expect(jsonLines(later.out)[0]!['hash']).toBe(jsonLines(now.out)[0]!['hash']);
    expect(await patient(file, 'idle', '--games', '2')).toMatchObject({ code: 0 });
    expect(await patient(file)).toMatchObject({ code: 2 });
  });

  it('set an exit code and leave something to do at the exit, which change nothing', async () => {
    const file = bot('code', 'process.exitCode = 42; process.on("exit", () => { process.exitCode = 9; });');
    expect(await patient(file, 'idle')).toMatchObject({ code: 0 });
    expect(await patient(file, 'idle', '--games', '2', '-j', '2')).toMatchObject({ code: 0 });
  });

  it('print, which goes to stderr', async () => {
    const file = bot('chatty', 'if (view.current_tick < 2) { console.log("tick", view.current_tick); process.stdout.write("raw\\n"); }');
    const one = await patient(file, 'idle', '--json');
    expect(one).toMatchObject({ code: 0, err: 'tick 0\nraw\ntick 1\nraw\n' });
    expect(jsonLines(one.out)).toHaveLength(1);
    const two = await patient(file, 'idle', '--json', '--games', '2', '-j', '1');
    expect(two).toMatchObject({ code: 0, err: 'tick 0\nraw\ntick 1\nraw\n'.repeat(2) });
    expect(jsonLines(two.out)).toHaveLength(3);
  });
});
