import { type Budget, BUDGETS, playMatch, type Seat } from '@lockstep/match';
import { describe, expect, it } from 'vitest';
import { scriptEngine, startScript } from './index.ts';
import { steady, toySetup } from './toy.test-support.ts';

const engine = scriptEngine();
const budget = { ...BUDGETS.bank, memoryBytes: 32 * 1024 * 1024, steps: { start: 200, tick: 100, base: 1000, perTick: 5 } };

function play(source: string, limits: Budget = budget) {
  const seat: Seat = { name: 'script', kind: 'script', sha256: null, make: (...args) => startScript(engine, source, limits, ...args) };
  return playMatch(toySetup(seat, steady)) as Promise<Awaited<ReturnType<typeof playMatch>>>;
}
const bot = (body: string, before = ''): string => `${before}
  export function createBot(briefing, seat) { return { act(view) { ${body}; return { add0: 1 }; } }; }`;

describe('a script in an engine of its own', () => {
  it('plays like a module, with memory of its own', async () => {
    const source =
      'export default ({ ticks }, seat) => { let n = 0; return { act: (view) => ({ ["add" + seat]: view.tick === n++ ? ticks : -1 }) }; };';
    expect(await play(source)).toMatchObject({ faults: [], result: { scores: [400, 20] } });
  });

  it('two games of one script do not touch', async () => {
    const source = bot('globalThis.n = (globalThis.n ?? 0) + 1; return { add0: globalThis.n };');
    expect((await play(source)).result.scores[0]).toBe(210);
    expect((await play(source)).result.scores[0]).toBe(210);
  });

  it.each<[name: string, source: string, kind: string, tick: number, reason: RegExp]>([
    ['throws', bot('console.log("at", view.tick); if (view.tick === 5) throw new TypeError("oh no")'), 'crash', 5, /^TypeError: oh no$/],
    ['throws as it loads', bot('', 'throw new Error("boom");'), 'no-start', 0, /^Error: boom$/],
    ['is no JavaScript', 'export function {', 'no-start', 0, /^SyntaxError: /],
    ['exports nothing', 'const createBot = 1;', 'no-start', 0, /it does not export createBot/],
    ['makes no bot', 'export const createBot = () => 5;', 'no-start', 0, /gave no object with a method act/],
    ['waits at its top', bot('', 'await 1;'), 'no-start', 0, /it waits at the top/],
    ['loops for ever', bot('if (view.tick === 5) for (;;);'), 'timeout', 5, /^more than 100 steps for one answer$/],
    [
      'catches what stops it',
      bot('if (view.tick === 5) for (;;) try { for (;;); } catch {} finally { for (;;); }'),
      'timeout',
      5,
      /^more than 100 steps/,
    ],
    ['loops as it loads', bot('', 'for (;;);'), 'timeout', 0, /^more than 200 steps/],
    [
      'never stops making promises',
      bot('', 'const f = () => Promise.resolve().then(f); f();') + 'for (;;);',
      'timeout',
      0,
      /^more than 200 steps/,
    ],
    ['thinks too much in all', bot('for (let i = 0; i < 4e5; i++);'), 'timeout', 13, /^more than 1100 steps in the whole game$/],
    [
      'eats memory',
      bot('if (view.tick === 5) { const all = []; for (;;) all.push(new Uint8Array(1e6).fill(1)); }'),
      'memory',
      5,
      /out of memory/,
    ],
    ['recurses for ever', bot('const f = () => f() + 1; if (view.tick === 5) f();'), 'crash', 5, /call stack/],
    ['answers with nonsense', bot('if (view.tick === 5) return "high";'), 'illegal', 5, /^action: expected an object, got "high"$/],
    ['answers with nothing', bot('if (view.tick === 5) return undefined;'), 'illegal', 5, /^action: expected an object, got nothing$/],
    ['answers NaN', bot('if (view.tick === 5) return { add0: NaN };'), 'illegal', 5, /^action.add0: expected a finite number, got null$/],
    ['answers with a ring', bot('if (view.tick === 5) { const a = {}; a.a = a; return a; }'), 'crash', 5, /circular/],
    ['answers with a trap', bot('if (view.tick === 5) return { toJSON() { for (;;); } };'), 'timeout', 5, /^more than 100 steps/],
    ['takes our words away', bot('if (view.tick === 5) { delete globalThis.lockstep; }'), 'crash', 6, /./],
  ])('that %s is out, and the match goes on', async (_name, source, kind, tick, reason) => {
    const { faults, result } = await play(source);
    expect(faults).toMatchObject([{ seat: 0, tick, kind, reason: expect.stringMatching(reason) as string }]);
    expect(result.scores[1]).toBe(20);
  });

  it('a loop without end is found even where nothing else is limited', async () => {
    const limits = { ...BUDGETS.none, steps: { ...BUDGETS.none.steps, tick: 100 } };
    const { faults } = await play(bot('if (view.tick === 5) for (;;);'), limits);
    expect(faults).toMatchObject([{ tick: 5, kind: 'timeout', reason: 'more than 100 steps for one answer' }]);
  });

  it('what it printed and was given is told', async () => {
    const { faults } = await play(bot('console.log("tick", { at: view.tick }); if (view.tick === 1) throw new Error("x")'));
    expect(faults).toMatchObject([{ stderr: ['tick {"at":0}', 'tick {"at":1}'], input: '{"tick":1,"mine":1}' }]);
  });

  it('has no clock, no chance, no network, no files, and no way to us', async () => {
    const names = [
      'fetch',
      'process',
      'require',
      'XMLHttpRequest',
      'WebSocket',
      'WebAssembly',
      'setTimeout',
      'std',
      'os',
      'say',
      'Worker',
      'Deno',
    ];
    const tries = `[
      () => ${JSON.stringify(names)}.some((name) => name in globalThis),
      () => Date.now() !== 0 || new Date().getTimezoneOffset() !== 0,
      () => performance.now() !== 0,
      () => console.log.constructor('return typeof process')() !== 'undefined',
      () => (0, eval)('typeof process') !== 'undefined',
    ].filter((attempt) => { try { return attempt(); } catch { return false; } }).length`;
    expect((await play(bot(`return { add0: ${tries} }`))).result.scores[0]).toBe(0);
    for (const what of ['node:fs', 'std', './other.js'])
      expect((await play(bot('', `import * as it from '${what}';`))).faults).toMatchObject([{ tick: 0, kind: 'no-start' }]);
    const dice = bot('return { add0: Math.random() }');
    expect((await play(dice)).hash).toBe((await play(dice)).hash);
  });

  it('is stopped at the same step every time', async () => {
    const source = bot('for (let i = 0; ; i++) if (i % 1000 === 0) globalThis.seen = i;', 'globalThis.seen = 0;').replace('act(view) {', 'act(view) { if (view.tick < 3) return { add0: 1 };'); // prettier-ignore
    const noisy = source.replace('globalThis.seen = i;', '{ globalThis.seen = i; console.log(i); }');
    const last = async (): Promise<unknown> => (await play(noisy)).faults[0]!.stderr!.at(-1);
    expect(await last()).toBe(await last());
  });
});
