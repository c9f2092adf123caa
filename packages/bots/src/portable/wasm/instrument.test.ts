import { describe, expect, it } from 'vitest';
import { engine } from './engine.ts';
import { HIDDEN, instrument } from './instrument.ts';
import { PRICE } from './meter.ts';
import { wat } from './wat.test-support.ts';

const MEMORY = 16 * 1024 * 1024;
const LOTS = 10n ** 12n;
const { call, entry, division, indirect, page } = PRICE;

/** Calls an export of the metered module: what it gives, what it costs. `gas` is what it has. */
async function run(
  text: string,
  name = 'f',
  args: number[] = [],
  gas = LOTS,
): Promise<{ value: unknown; cost: number; trap: string | null }> {
  const { bytes } = instrument(wat(text), MEMORY);
  const { exports } = await engine.instantiate(await engine.compile(bytes), {});
  exports[HIDDEN.gas]!.value = gas;
  let value: unknown;
  let trap: string | null = null;
  try {
    value = exports[name]!(...args);
  } catch (error) {
    trap = (error as Error).message;
  }
  return { value, cost: Number(gas - (exports[HIDDEN.gas]!.value as bigint)), trap };
}

/** The same without a meter. */
async function plain(text: string, name = 'f', args: number[] = []): Promise<unknown> {
  const { exports } = await engine.instantiate(await engine.compile(wat(text)), {});
  return exports[name]!(...args);
}

const f = (body: string, more = '', type = '(result i32)'): string => `(module ${more} (func (export "f") ${type} ${body}))`;

describe('gas is exact: every instruction that is done, and no other', () => {
  it.each<[name: string, text: string, cost: number, args?: number[]]>([
    ['straight', f('i32.const 1 i32.const 2 i32.add'), 3],
    ['nothing', '(module (func (export "f")))', 0],
    ['locals', f('(local i64 i64) i32.const 1'), 1 + 2],
    ['division', f('i32.const 6 i32.const 2 i32.div_u'), 2 + division],
    ['block and br', f('(block i32.const 5 drop br 0 i32.const 6 drop i32.const 7 drop) i32.const 1'), 3 + 1],
    ['br_if taken', f('(block local.get 0 br_if 0 i32.const 6 drop) i32.const 1', '', '(param i32) (result i32)'), 2 + 1, [1]],
    ['br_if not taken', f('(block local.get 0 br_if 0 i32.const 6 drop) i32.const 1', '', '(param i32) (result i32)'), 2 + 2 + 1, [0]],
    [
      'if',
      f('local.get 0 if (result i32) i32.const 1 else i32.const 2 i32.const 3 i32.add end', '', '(param i32) (result i32)'),
      2 + 1,
      [1],
    ],
    [
      'else',
      f('local.get 0 if (result i32) i32.const 1 else i32.const 2 i32.const 3 i32.add end', '', '(param i32) (result i32)'),
      2 + 3,
      [0],
    ],
    ['if without else', f('local.get 0 if nop i32.const 1 drop end i32.const 1', '', '(param i32) (result i32)'), 2 + 1, [0]],
    [
      'loop of 10',
      f('(loop local.get 0 i32.const 1 i32.sub local.tee 0 br_if 0) local.get 0', '', '(param i32) (result i32)'),
      10 * 5 + 1,
      [10],
    ],
    ['return in the middle', f('(loop (block i32.const 7 return)) i32.const 1'), 2],
    ['return in dead code', f('i32.const 1 return i32.const 2 return'), 2],
    ['br to the function', f('(block i32.const 7 br 1) i32.const 1'), 2],
    ['br out of a call', f('(block i32.const 7 br 1) call $g', '(func $g (result i32) i32.const 1)'), 2],
    [
      'br_table, first',
      f('(block (block (block local.get 0 br_table 0 1 2) i32.const 1 return) i32.const 2 i32.const 0 drop return) i32.const 3', '', '(param i32) (result i32)'), // prettier-ignore
      2 + 2,
      [0],
    ],
    [
      'br_table, second',
      f('(block (block (block local.get 0 br_table 0 1 2) i32.const 1 return) i32.const 2 i32.const 0 drop return) i32.const 3', '', '(param i32) (result i32)'), // prettier-ignore
      2 + 4,
      [1],
    ],
    [
      'br_table, default',
      f('(block (block (block local.get 0 br_table 0 1 2) i32.const 1 return) i32.const 2 i32.const 0 drop return) i32.const 3', '', '(param i32) (result i32)'), // prettier-ignore
      2 + 1,
      [9],
    ],
    ['call', f('call $g i32.const 1 i32.add', '(func $g (result i32) i32.const 1)'), call + 2 + entry + 1],
    [
      'recursion',
      '(module (func $g (export "f") (param i32) (result i32) local.get 0 if (result i32) local.get 0 i32.const 1 i32.sub call $g else i32.const 9 end))', // prettier-ignore
      5 * (2 + 3 + call + entry) + 2 + 1,
      [5],
    ],
    [
      'call_indirect',
      `(module (type $t (func (result i32))) (table 2 funcref) (elem (i32.const 0) $a $b)
         (func $a (result i32) i32.const 1) (func $b (result i32) i32.const 1 i32.const 1 i32.add)
         (func (export "f") (param i32) (result i32) local.get 0 call_indirect (type $t)))`,
      1 + indirect + entry + 3,
      [1],
    ],
    [
      'many values',
      f('call $g i32.add', '(func $g (result i32 i32) i32.const 1 i32.const 2 call $h) (func $h (param i32 i32) (result i32 i32) local.get 1 local.get 0)'), // prettier-ignore
      call + 1 + entry + 2 + call + entry + 2,
    ],
    ['block with parameters', f('i32.const 3 (block (param i32) (result i32) i32.const 4 i32.add)'), 3],
    [
      'loop with parameters',
      f('i32.const 0 (loop (param i32) (result i32) i32.const 1 i32.add local.tee 0 local.get 0 i32.const 5 i32.lt_u br_if 0)', '', '(param i32) (result i32)'), // prettier-ignore
      1 + 5 * 7,
      [0],
    ],
    ['select', f('i32.const 1 i32.const 2 i32.const 0 select'), 4],
    ['memory.fill', f('i32.const 0 i32.const 1 i32.const 800 memory.fill i32.const 1', '(memory 1)'), 4 + 1 + 100],
    ['memory.copy', f('i32.const 0 i32.const 8 i32.const 80 memory.copy i32.const 1', '(memory 1)'), 4 + 1 + 10],
    [
      'memory.init',
      f('i32.const 0 i32.const 0 i32.const 8 memory.init 0 data.drop 0 i32.const 1', '(memory 1) (data "12345678")'),
      4 + 2 + 1,
    ],
    ['memory.grow', f('i32.const 3 memory.grow', '(memory 1)'), 2 + 3 * page],
    ['memory.size', f('memory.size', '(memory 1)'), 1],
    ['table.grow', f('ref.null func i32.const 7 table.grow', '(table 1 funcref)'), 3 + 7],
    ['table.fill', f('i32.const 0 ref.null func i32.const 5 table.fill 0 i32.const 1', '(table 9 funcref)'), 4 + 1 + 5],
    ['table.copy', f('i32.const 0 i32.const 1 i32.const 4 table.copy i32.const 1', '(table 9 funcref)'), 4 + 1 + 4],
    ['table.init', f('i32.const 0 i32.const 0 i32.const 1 table.init 0 elem.drop 0 i32.const 1', '(table 9 funcref) (func $g) (elem func $g)'), 4 + 1 + 1 + 1], // prettier-ignore
    ['trunc_sat, extend', f('f64.const 1e30 i32.trunc_sat_f64_s i32.extend8_s'), 3],
  ])('%s', async (_name, text, cost, args = []) => {
    const metered = await run(text, 'f', args);
    expect(metered).toEqual({ value: await plain(text, 'f', args), cost: cost + entry, trap: null });
    expect((await run(text, 'f', args, BigInt(metered.cost))).trap).toBeNull();
    if (metered.cost > 0) expect(await run(text, 'f', args, BigInt(metered.cost - 1))).toMatchObject({ value: undefined, trap: expect.stringMatching(/unreachable/) as string }); // prettier-ignore
  });

  it('a loop without end, and one of nothing, are stopped at the same place', async () => {
    for (const body of ['(loop br 0) i32.const 1', '(loop (loop br 1)) i32.const 1'])
      expect(await run(f(body), 'f', [], 1_000_000n)).toEqual({ value: undefined, cost: 1_000_001, trap: expect.any(String) as string });
  });

  it('length that is charged is unsigned: 4 GB cannot be filled for nothing', async () => {
    const { cost, trap } = await run(f('i32.const 0 i32.const 1 i32.const -1 memory.fill i32.const 1', '(memory 1)'), 'f', [], 1000n);
    expect([trap, cost > 5e8]).toEqual([expect.stringMatching(/unreachable/), true]);
  });
});

describe('the same everywhere', () => {
  it('calls without end are stopped by count, long before any stack ends', async () => {
    for (const locals of [0, 1, 100, 5000]) {
      const text = `(module (func $g (export "f") (param i32) (result i32) ${'(local f64)'.repeat(locals)} local.get 0 i32.const 1 i32.add call $g))`;
      const { cost, trap } = await run(text, 'f', [0]);
      expect(trap).toMatch(/unreachable/);
      expect(cost).toBe((await run(text, 'f', [0])).cost);
    }
  });

  it('depth goes down again, whichever way a call ends', async () => {
    const ways = ['return', 'br 0', 'br 1', 'nop', 'i32.const 1 br_if 1', 'i32.const 0 br_table 1 0 1'];
    for (const way of ways) {
      const text = `(module (func $h) (func $g call $h (block ${way})) (func (export "f") (result i32) (local i32)
        (loop call $g local.get 0 i32.const 1 i32.add local.tee 0 i32.const 10000 i32.lt_u br_if 0) local.get 0))`;
      expect(await run(text)).toMatchObject({ value: 10_000, trap: null });
    }
  });

  it.each([
    ['stored', '(f64.store (i32.const 0) (f64.div (f64.const 0) (f64.const 0))) (i64.load (i32.const 0))', 0x7ff8_0000_0000_0000n],
    ['reinterpreted', '(i64.reinterpret_f64 (f64.neg (f64.div (f64.const 0) (f64.const 0))))', 0x7ff8_0000_0000_0000n],
    ['of a payload', '(i64.reinterpret_f64 (f64.const nan:0x123))', 0x7ff8_0000_0000_0000n],
    ['signs another', '(i64.reinterpret_f64 (f64.copysign (f64.const 1) (f64.neg (f64.const nan))))', 0x3ff0_0000_0000_0000n],
    ['f32, stored', '(f32.store (i32.const 0) (f32.sqrt (f32.const -1))) (i64.load32_u (i32.const 0))', 0x7fc0_0000n],
    ['f32, reinterpreted', '(i64.extend_i32_u (i32.reinterpret_f32 (f32.neg (f32.const nan:0x7))))', 0x7fc0_0000n],
    ['f32, signs another', '(i64.extend_i32_u (i32.reinterpret_f32 (f32.copysign (f32.const 1) (f32.const -nan))))', 0x3f80_0000n],
    ['no NaN at all', '(i64.reinterpret_f64 (f64.const -1.5))', -0x4008_0000_0000_0000n],
    ['minus zero', '(i64.reinterpret_f64 (f64.const -0))', -0x8000_0000_0000_0000n],
  ])('a NaN that is %s has the same bits on every machine', async (_name, body, bits) => {
    expect((await run(f(body, '(memory 1)', '(result i64)'))).value).toBe(bits);
  });

  it('memory ends where it has to, and that is noted', async () => {
    const { bytes } = instrument(wat(f('i32.const 1000 memory.grow', '(memory 1)')), MEMORY);
    const { exports } = await engine.instantiate(await engine.compile(bytes), {});
    exports[HIDDEN.gas]!.value = LOTS;
    expect(exports['f']!()).toBe(-1);
    expect(exports[HIDDEN.refused]!.value).toBe(1);
    const enough = f('i32.const 255 memory.grow drop memory.size', '(memory 1 65536)');
    expect((await run(enough)).value).toBe(256);
    expect((await run(f('i32.const 100001 table.size 0 i32.sub ref.null func drop drop ref.null func i32.const 200000 table.grow', '(table 1 funcref)'))).value).toBe(-1); // prettier-ignore
  });
});

describe('what is refused, in one line', () => {
  it.each<[text: string, line: RegExp]>([
    ['(module (func (result v128) v128.const i32x4 0 0 0 0))', /^wasm: byte \d+: expected i32, i64, .*, got "SIMD \(v128\)"$/],
    ['(module (func v128.const i32x4 0 0 0 0 drop))', /^wasm: byte \d+: expected WebAssembly 2.0 without SIMD, got "SIMD"$/],
    ['(module (memory 1) (func i32.const 0 i32.const 0 i32.const 0 memory.atomic.notify i32.const 0 drop drop drop))', /got "threads"$/],
    ['(module (memory 1 2 shared))', /^wasm: memory: expected a plain one, got "shared \(threads\)"$/],
    ['(module (memory i64 1))', /^wasm: memory: expected a plain one, got "addresses of 64 bits"$/],
    ['(module (func return_call 0))', /got "tail calls"$/],
    ['(module (tag $t) (func throw $t))', /got "exceptions/],
    ['(module (memory 300))', /^wasm: memory: expected at most 256 pages of 64 KB to begin with, got "300 pages"$/],
    ['(module (table 1000000 funcref))', /^wasm: table: expected at most 100000 elements, got 1000000$/],
    [
      '(module (import "env" "memory" (memory 1)))',
      /^wasm: imports: expected nothing but the functions lockstep.log, .*, got "env.memory"$/,
    ],
    [
      '(module (import "wasi_snapshot_preview1" "fd_write" (func (param i32 i32 i32 i32) (result i32))))',
      /got "wasi_snapshot_preview1.fd_write"$/,
    ],
    ['(module (import "lockstep" "log" (func (param i64 i32))))', /^wasm: imports: lockstep.log: expected a function of 2 i32 that gives nothing, got "another type"$/], // prettier-ignore
    ['(module (func (export "lockstep:gas")))', /^wasm: exports: expected names that do not begin with lockstep:, got "lockstep:gas"$/],
  ])('%s', (text, line) => {
    expect(() => instrument(wat(text), MEMORY)).toThrow(line);
  });

  it('bytes of something else', () => {
    expect(() => instrument(new TextEncoder().encode('#!/bin/sh\necho'), MEMORY)).toThrow(
      /^wasm: expected a WebAssembly module of version 1, got "14 other bytes"$/,
    );
    expect(() => instrument(Uint8Array.of(0, 0x61, 0x73, 0x6d, 0x0d, 0, 1, 0), MEMORY)).toThrow(/version 1/); // a component
    expect(() => instrument(new Uint8Array(17 * 1024 * 1024), MEMORY)).toThrow(/at most 16777216 bytes/);
  });
});
