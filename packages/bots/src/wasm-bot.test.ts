import { type Budget, BUDGETS, playMatch, type Seat } from '@lockstep/match';
import { describe, expect, it } from 'vitest';
import { steady, toySetup } from './toy.test-support.ts';
import { prepareWasm, startWasm } from './portable/index.ts';
import { wat } from './portable/wasm/wat.test-support.ts';

const budget: Budget = { ...BUDGETS.gas, memoryBytes: 4 * 1024 * 1024, gas: { start: 90_000, tick: 80_000, base: 100_000, perTick: 1000 } };

function play(text: string, limits: Budget = budget) {
  const debug: unknown[] = [];
  const onDebug = (seat: number, tick: number, said: unknown): void => void debug.push([seat, tick, said]);
  const seat: Seat = {
    name: 'wasm',
    kind: 'wasm',
    sha256: null,
    make: async (briefing, index, game) =>
      startWasm(
        await prepareWasm(wat(text), limits.memoryBytes),
        { budget: limits, example: { [`add${index}`]: 0 }, onDebug },
        briefing,
        index,
        game,
      ),
  };
  return Promise.resolve(playMatch(toySetup(seat, steady))).then((outcome) => ({ ...outcome, debug }));
}

/** A bot of the toy: rows at 64, its answer at 32. `act` runs before it adds 1; the view is tick, tick, sum. */
const bot = (
  act = '',
  { more = '', init = '', start = '', memory = '(memory (export "memory") 1)', room = '(i32.const 64)' } = {},
): string => `(module
  (import "lockstep" "log" (func $log (param i32 i32))) (import "lockstep" "debug" (func $debug (param i32 i32)))
  (import "env" "abort" (func $abort (param i32 i32 i32 i32)))
  ${memory} (global $n (mut f64) (f64.const 0)) ${more} ${start}
  (func (export "room") (param i32) (result i32) ${room})
  (func (export "init") (param i32 i32 i32) ${init})
  (func $at (result i32) (i32.trunc_f64_s (f64.load (i32.const 64))))
  (func (export "act") (param i32 i32) (result i32) ${act} (f64.store (i32.const 32) (f64.const 1)) (i32.const 32)))`;
const at5 = (code: string): string => `(if (i32.eq (call $at) (i32.const 5)) (then ${code}))`;

describe('a bot in WebAssembly', () => {
  it('plays: rows of doubles in, an answer by the example out', async () => {
    const sum = bot('(f64.store (i32.const 32) (f64.add (f64.load (i32.const 72)) (global.get $n))) (return (i32.const 32))', {
      init: '(global.set $n (f64.load (local.get 1)))',
    });
    expect(await play(sum)).toMatchObject({ faults: [], result: { scores: [20 * 20 + 190, 20] } });
  });

  it('a loop without end is found even where nothing else is limited', async () => {
    const limits = { ...BUDGETS.none, gas: { ...BUDGETS.none.gas, tick: 1e6 } };
    const { faults, result } = await play(bot(at5('(loop (br 0))')), limits);
    expect(faults).toMatchObject([{ tick: 5, kind: 'timeout', reason: 'more than 1000000 gas for one answer' }]);
    expect(result.scores[1]).toBe(20);
  });

  it('is told its seat and how many doubles there are', async () => {
    const told = bot('(f64.store (i32.const 32) (f64.convert_i32_s (local.get 1))) (return (i32.const 32))', {
      init: '(if (i32.or (local.get 0) (i32.ne (local.get 2) (i32.const 1))) (then unreachable))',
    });
    expect((await play(told)).result.scores[0]).toBe(3 * 20);
  });

  it('what starts it runs under the meter; the briefing comes as text for whoever wants it', async () => {
    const text = bot('(f64.store (i32.const 32) (global.get $n)) (return (i32.const 32))', {
      start: '(start $s) (func $s (global.set $n (f64.const 100)))',
      more: '(func (export "brief") (param i32 i32) (global.set $n (f64.add (global.get $n) (f64.convert_i32_u (i32.load8_u (local.get 0))))))',
    });
    expect((await play(text)).result.scores[0]).toBe((100 + '{'.charCodeAt(0)) * 20);
    expect((await play(bot('', { start: '(start $s) (func $s (loop br 0))' }))).faults).toMatchObject([{ tick: 0, kind: 'timeout' }]);
  });

  it('two games of one module do not touch', async () => {
    const counting = bot(
      '(global.set $n (f64.add (global.get $n) (f64.const 1))) (f64.store (i32.const 32) (global.get $n)) (return (i32.const 32))',
    );
    const program = await prepareWasm(wat(counting), null);
    const seat: Seat = {
      name: 'w',
      kind: 'wasm',
      sha256: null,
      make: (briefing, index, game) => startWasm(program, { budget, example: { [`add${index}`]: 0 } }, briefing, index, game),
    };
    const both = await playMatch(toySetup(seat, seat));
    expect(both.result.scores).toEqual([210, 210]);
  });

  it('what it logs is told with a fault, what it draws is kept by tick', async () => {
    const { faults, debug } = await play(
      bot(`(call $log (i32.const 8) (i32.const 2)) ${at5('(call $debug (i32.const 16) (i32.const 9)) unreachable')}`, {
        memory: '(memory (export "memory") 1) (data (i32.const 8) "hi") (data (i32.const 16) "{\\"a\\":[1]}")',
      }),
    );
    expect(faults).toMatchObject([
      { kind: 'crash', tick: 5, reason: 'unreachable', stderr: Array(6).fill('hi'), input: '{"tick":5,"mine":5}' },
    ]);
    expect(debug).toEqual([[0, 5, { a: [1] }]]);
  });

  it('the words of AssemblyScript that gives up are told', async () => {
    const words = '(data (i32.const 8) "\\04\\00\\00\\00o\\00h\\00") (data (i32.const 20) "\\02\\00\\00\\00f\\00")';
    const gives = bot(at5('(call $abort (i32.const 12) (i32.const 24) (i32.const 3) (i32.const 9))'), {
      memory: `(memory (export "memory") 1) ${words}`,
    });
    expect((await play(gives)).faults).toMatchObject([{ kind: 'crash', tick: 5, reason: 'abort: oh at f:3:9' }]);
  });

  it.each<[name: string, text: string, kind: string, tick: number, reason: RegExp]>([
    ['loops for ever', bot(at5('(loop br 0)')), 'timeout', 5, /^more than 80000 gas for one answer$/],
    ['loops as it begins', bot('', { init: '(loop br 0)' }), 'timeout', 0, /^more than 90000 gas for one answer$/],
    ['thinks too much in all', bot(`(local i32) (loop (br_if 0 (i32.lt_u (local.tee 2 (i32.add (local.get 2) (i32.const 1))) (i32.const 2000))))`), 'timeout', 8, /^more than 120000 gas in the whole game$/], // prettier-ignore
    ['calls itself for ever', bot(at5('(call $f)'), { more: '(func $f (call $f))' }), 'crash', 5, /^calls too deep: more than 40000 slots/],
    ['divides by zero', bot(at5('(drop (i32.div_u (i32.const 1) (i32.const 0)))')), 'crash', 5, /divide by zero|integer/i],
    ['reads beyond its memory', bot(at5('(drop (i32.load (i32.const -8)))')), 'crash', 5, /memory access out of bounds/],
    ['calls what is not there', bot(at5('(call_indirect (i32.const 7))'), { more: '(table 1 funcref)' }), 'crash', 5, /table index is out of bounds|undefined element|RuntimeError/], // prettier-ignore
    ['eats memory', bot(at5('(if (i32.eq (memory.grow (i32.const 100)) (i32.const -1)) (then unreachable))')), 'timeout', 5, /gas/],
    [
      'answers nowhere',
      bot(at5('(return (i32.const 0))')),
      'protocol',
      5,
      /^act gave 0; expected the address of 1 doubles in a memory of 65536 bytes$/,
    ],
    ['answers beside its memory', bot(at5('(return (i32.const -8))')), 'protocol', 5, /^act gave 4294967288; /],
    ['answers at an odd place', bot(at5('(return (i32.const 33))')), 'protocol', 5, /^act gave 33; /],
    [
      'answers NaN',
      bot(at5('(f64.store (i32.const 32) (f64.const nan)) (return (i32.const 32))')),
      'illegal',
      5,
      /^action.add0: expected a finite number/,
    ],
    ['has no room', bot('', { room: '(i32.const 65536)' }), 'protocol', 0, /^room gave 65536; expected the address of 1 doubles/],
    ['has its data beside its memory', bot('', { more: '(data (i32.const 65536) "x")' }), 'no-start', 0, /data segment/],
  ])('that %s is out, and the match goes on', async (_name, text, kind, tick, reason) => {
    const { faults, result } = await play(text);
    expect(faults).toMatchObject([{ seat: 0, tick, kind, reason: expect.stringMatching(reason) as string }]);
    expect(result.scores[1]).toBe(20);
  });

  it('that wants more memory than there is, and fails for it, is told so', async () => {
    const eater = bot(at5('(if (i32.eq (memory.grow (i32.const 100)) (i32.const -1)) (then unreachable))'));
    expect((await play(eater, { ...budget, gas: BUDGETS.gas.gas })).faults).toMatchObject([{ tick: 5, kind: 'memory', reason: 'no more memory; then: unreachable' }]); // prettier-ignore
  });

  it.each<[text: string, line: RegExp]>([
    ['(module)', /^wasm: exports: expected a memory, got "none"$/],
    ['(module (memory (export "memory") 1))', /^wasm: exports: expected a function room\(i32\): i32, got "none"$/],
    [
      bot().replace('(param i32 i32 i32)', '(param i32 i64 i32)'),
      /^wasm: exports: expected a function init\(i32, i32, i32\), got "another init"$/,
    ],
    [bot('', { more: '(func (export "brief"))' }), /^wasm: exports: expected a function brief\(i32, i32\), got "another brief"$/],
  ])('%s is no bot', async (text, line) => {
    await expect(prepareWasm(wat(text), null)).rejects.toThrow(line);
  });

  it('a module that the engine does not take is refused in its words, even if our counters would make it valid', async () => {
    const bytes = wat(bot('(global.set $n (f64.const 2))'));
    const setsGlobal = bytes.findIndex((byte, i) => byte === 0x40 && bytes[i + 1] === 0x24 && bytes[i + 2] === 0x00);
    expect(setsGlobal).toBeGreaterThan(0);
    const cheating = Uint8Array.from(bytes);
    cheating[setsGlobal + 2] = 1; // the gas, if anybody let it
    await expect(prepareWasm(cheating, null)).rejects.toThrow(/^wasm: expected a valid module, got ".*global/i);
  });

  it('has no way out: no clock, no network, no files, and of memory only its own', async () => {
    for (const [module, name] of [
      ['wasi_snapshot_preview1', 'clock_time_get'],
      ['wasi_snapshot_preview1', 'path_open'],
      ['env', 'emscripten_get_now'],
      ['lockstep', 'memory'],
      ['js', 'eval'],
    ])
      // prettier-ignore
      await expect(prepareWasm(wat(`(module (import "${module}" "${name}" (func)))`), null)).rejects.toThrow(`got "${module}.${name}"`);
    for (const thing of ['(memory 1)', '(table 1 funcref)', '(global i32)', '(global (mut i64))'])
      await expect(prepareWasm(wat(`(module (import "lockstep" "log" ${thing}))`), null)).rejects.toThrow('wasm: imports: ');
    // What it says from beyond its memory is nothing, or what is left of it; abort with wild addresses tells nothing of ours.
    const wild = '(call $log (i32.const -1) (i32.const -1)) (call $log (i32.const 65534) (i32.const -1)) (call $abort (i32.const -3) (i32.const 3) (i32.const 0) (i32.const 0))'; // prettier-ignore
    const { faults } = await play(bot(at5(wild)));
    expect(faults).toMatchObject([{ tick: 5, kind: 'crash', reason: 'abort: ? at ?:0:0', stderr: ['', '\0\0'] }]);
  });

  it('that gives a place which moves while memory grows is written to where its memory is then', async () => {
    const growing = bot('(drop (memory.grow (i32.const 1)))', { room: '(drop (memory.grow (i32.const 1))) (i32.const 64)' });
    expect(await play(growing, { ...budget, gas: null, memoryBytes: 64 * 65_536 })).toMatchObject({
      faults: [],
      result: { scores: [20, 20] },
    });
  });
});
