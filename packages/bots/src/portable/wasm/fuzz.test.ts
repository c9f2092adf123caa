import { InputError, nextInt } from '@lockstep/kernel';
import { fuzz } from '@lockstep/testkit';
import { expect, it } from 'vitest';
import { engine } from './engine.ts';
import { instrument } from './instrument.ts';
import { wat } from './wat.test-support.ts';

/** A little of everything. */
const SOUND = wat(`(module
  (type $two (func (param i32) (result i32 f64))) (import "lockstep" "log" (func (param i32 i32)))
  (memory (export "memory") 1 9) (table 4 funcref) (elem (i32.const 0) $f $f) (global $g (mut i64) (i64.const 5)) (data "abc") (start $s)
  (func $s) (func $f (export "f") (type $two) (local f32 f64 i64)
    (block $b (loop $l (br_if $b (i32.eqz (local.get 0))) (local.set 0 (i32.sub (local.get 0) (i32.const 1)))
      (f64.store (i32.const 8) (f64.div (f64.const 1) (local.get 2))) (br_table $l $b $l (local.get 0))))
    (if (result i32 f64) (i32.popcnt (local.get 0)) (then (call_indirect (type $two) (i32.const 1) (local.get 0)))
      (else (memory.fill (i32.const 0) (i32.const 1) (i32.const 9)) (i32.const 1) (f64.const nan) (return)))
    (drop (memory.grow (i32.const 1)))))`);
const known = (bytes: Uint8Array): boolean => {
  try {
    const made = instrument(bytes, 1024 * 1024).bytes;
    if (engine.validate(bytes)) expect(engine.validate(made)).toBe(true);
    return true;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    expect(error.message.split('\n')).toHaveLength(1);
    return false;
  }
};

it('whatever is done to a module, it is refused in one line, or metered, and what was valid stays valid', () => {
  expect(known(SOUND)).toBe(true);
  let metered = 0;
  fuzz('malformed wasm', 20_000, (rng) => {
    const pick = (below: number): number => nextInt(rng, below);
    let bytes = Uint8Array.from(SOUND);
    for (let i = pick(4); i >= 0; i--) {
      const at = 8 + pick(Math.max(1, bytes.length - 8));
      const way = pick(5);
      if (way === 0) bytes = bytes.slice(0, at);
      else if (way === 1) bytes = Uint8Array.of(...bytes.slice(0, at), pick(256), ...bytes.slice(at));
      else if (way === 2) bytes = Uint8Array.of(...bytes.slice(0, at), ...bytes.slice(at + 1));
      else bytes[at] = way === 3 ? pick(256) : bytes[at]! ^ (1 << pick(8));
    }
    if (known(bytes)) metered++;
  });
  expect(metered).toBeGreaterThan(1000);
});
