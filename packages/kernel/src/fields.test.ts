import { describe, expect, it } from 'vitest';
import { InputError } from './errors.ts';
import {
  bytesToSnapshot,
  firstDifference,
  hash,
  restore,
  restoreAction,
  snapshot,
  snapshotToBytes,
  writeAction,
  type FieldIO,
} from './fields.ts';

/** A tiny world with a field of every kind; the odd count of ints leaves half a word over. */
class Toy {
  tick = 7;
  x = 1.5;
  y = -2.25;
  done = false;
  column = Float64Array.of(0.1, 0.2, 0.3);
  cells = Int32Array.of(1, -2, 3, 0x7ff80001, -0x80000);
  dear = Int32Array.of(5, 6);
}

const toy = {
  fields(io: FieldIO, state: Toy): void {
    state.tick = io.num(state.tick);
    state.x = io.num(state.x);
    state.y = io.num(state.y);
    state.done = io.bool(state.done);
    io.nums(state.column);
    io.ints(state.cells);
    io.derived(state.dear);
  },
};

const scribbled = (): Toy => {
  const state = new Toy();
  state.tick = 99;
  state.x = NaN;
  state.y = 1e300;
  state.done = true;
  state.column.fill(9);
  state.cells.fill(9);
  state.dear.fill(9);
  return state;
};

describe('snapshot and restore', () => {
  it('bring back every field, bit by bit, into the living objects', () => {
    const kept = snapshot(toy, new Toy());
    const state = scribbled();
    const { column, cells } = state;
    restore(toy, state, kept);
    expect(firstDifference(new Toy(), state)).toBeNull();
    expect(state.column).toBe(column);
    expect(state.cells).toBe(cells);
  });

  it('reuse the buffer that is given, when it fits', () => {
    const state = new Toy();
    const first = snapshot(toy, state);
    state.x = 4;
    expect(snapshot(toy, state, first)).toBe(first);
    expect(snapshot(toy, state, new Float64Array(3))).toHaveLength(first.length);
    restore(toy, state, first);
    expect(state.x).toBe(4);
  });

  it('ints whose bits look like a NaN survive, also through a reused buffer and through bytes', () => {
    const state = new Toy();
    const into = snapshot(toy, state);
    const patterns = [0x7ff00001, 0x7ff80000, 0x7fffffff, -1, -0x80000, -0x100000 + 1, 0x7ff7ffff | 0, 1];
    for (const high of patterns) {
      for (const low of patterns) {
        const cells = [low, high, high, low, high];
        state.cells.set(cells);
        snapshot(toy, state, into);
        const back = scribbled();
        restore(toy, back, bytesToSnapshot(snapshotToBytes(into)));
        expect([...back.cells]).toEqual(cells);
      }
    }
  });

  it('a snapshot of another shape is refused', () => {
    const kept = snapshot(toy, new Toy());
    expect(() => restore(toy, new Toy(), kept.subarray(0, kept.length - 1))).toThrow(/holds 10 values but the field list took 11/);
  });

  it('large states grow the buffer and small ones after them do not notice', () => {
    const wide = { fields: (io: FieldIO, state: { tick: number; many: Float64Array }) => io.nums(state.many) };
    const state = { tick: 0, many: Float64Array.from({ length: 5000 }, (_, i) => i / 3) };
    const kept = snapshot(wide, state);
    expect(kept).toEqual(state.many);
    expect(snapshot(toy, new Toy())).toHaveLength(11);
  });
});

describe('the byte form', () => {
  it('is little-endian and holds eight bytes a value', () => {
    expect([...snapshotToBytes(Float64Array.of(1, -0))]).toEqual([0, 0, 0, 0, 0, 0, 0xf0, 0x3f, 0, 0, 0, 0, 0, 0, 0, 0x80]);
  });

  it('comes back from any place in a larger buffer, and shares nothing', () => {
    const kept = snapshot(toy, new Toy());
    const file = new Uint8Array(kept.length * 8 + 3);
    file.set(snapshotToBytes(kept), 3);
    const back = bytesToSnapshot(file.subarray(3));
    file.fill(0);
    const state = scribbled();
    restore(toy, state, back);
    expect(firstDifference(new Toy(), state)).toBeNull();
  });

  it('a length that is no multiple of eight is refused by one line', () => {
    expect(() => bytesToSnapshot(new Uint8Array(13))).toThrow(InputError);
    expect(() => bytesToSnapshot(new Uint8Array(13))).toThrow('snapshot: expected a whole number of 8-byte values, got "13 bytes"');
  });
});

describe('the state hash', () => {
  const bitsWorld = { fields: (io: FieldIO, state: { tick: number; all: Float64Array }) => io.nums(state.all) };

  it('is 16 hexadecimal digits and the same for equal states', () => {
    expect(hash(toy, new Toy())).toMatch(/^[0-9a-f]{16}$/);
    expect(hash(toy, new Toy())).toBe(hash(toy, new Toy()));
  });

  it('passes derived fields by', () => {
    const state = new Toy();
    state.dear.fill(1);
    expect(hash(toy, state)).toBe(hash(toy, new Toy()));
  });

  it('differs for every single flipped bit of every number and int, and for the sign of zero', () => {
    const seen = new Set([hash(toy, new Toy())]);
    const state = new Toy();
    let flips = 0;
    const bytes = [new Uint8Array(state.column.buffer), new Uint8Array(state.cells.buffer)];
    for (const array of bytes) {
      for (let bit = 0; bit < array.length * 8; bit++) {
        array[bit >> 3]! ^= 1 << (bit & 7);
        seen.add(hash(toy, state));
        array[bit >> 3]! ^= 1 << (bit & 7);
        flips++;
      }
    }
    const word = Float64Array.of(0);
    const wordBytes = new Uint8Array(word.buffer);
    for (const key of ['x', 'y'] as const) {
      for (let bit = 0; bit < 64; bit++) {
        const whole = new Toy();
        word[0] = whole[key];
        wordBytes[bit >> 3]! ^= 1 << (bit & 7);
        whole[key] = word[0];
        seen.add(hash(toy, whole));
        flips++;
      }
    }
    const done = new Toy();
    done.done = true;
    seen.add(hash(toy, done));
    const zeros = [0, -0].map((x) => hash(toy, Object.assign(new Toy(), { x })));
    expect(zeros[0]).not.toBe(zeros[1]);
    expect(seen.size).toBe(flips + 2);
  });

  it('a flipped bit flips about half of the hash, wherever it sits', () => {
    const all = Float64Array.from({ length: 40 }, (_, i) => i - 20.5);
    const bytes = new Uint8Array(all.buffer);
    const plain = BigInt(`0x${hash(bitsWorld, { tick: 0, all })}`);
    let least = 64;
    let total = 0;
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      bytes[bit >> 3]! ^= 1 << (bit & 7);
      const changed = BigInt(`0x${hash(bitsWorld, { tick: 0, all })}`) ^ plain;
      bytes[bit >> 3]! ^= 1 << (bit & 7);
      const count = changed.toString(2).replaceAll('0', '').length;
      total += count;
      least = Math.min(least, count);
    }
    expect(total / (bytes.length * 8)).toBeGreaterThan(31);
    expect(total / (bytes.length * 8)).toBeLessThan(33);
    expect(least).toBeGreaterThan(8);
  });

  it('NaN is one value whatever its payload', () => {
    const all = new Float64Array(1);
    const bytes = new Uint8Array(all.buffer);
    bytes.set([1, 0, 0, 0, 0, 0, 0xf8, 0x7f]);
    const odd = hash(bitsWorld, { tick: 0, all });
    expect(odd).toBe(hash(bitsWorld, { tick: 0, all: Float64Array.of(NaN) }));
  });

  it('lists of other lengths with the same values in a row differ', () => {
    const two = {
      fields(io: FieldIO, state: { tick: number; a: Float64Array; b: Float64Array }): void {
        io.nums(state.a);
        io.nums(state.b);
      },
    };
    const left = hash(two, { tick: 0, a: Float64Array.of(1, 2), b: Float64Array.of(3) });
    expect(left).not.toBe(hash(two, { tick: 0, a: Float64Array.of(1), b: Float64Array.of(2, 3) }));
  });

  it('no two of 1,000,000 near states share a hash: neighbours in the last bit, small whole numbers, swapped fields', () => {
    const seen = new Set<string>();
    const all = new Float64Array(6);
    const words = new Int32Array(all.buffer);
    let states = 0;
    const note = () => {
      seen.add(hash(bitsWorld, { tick: 0, all }));
      states++;
    };
    // 400,000: two doubles near 1, each a few units in the last place away, and their swaps
    for (let i = 0; i < 632; i++) {
      for (let j = 0; j < 632; j++) {
        all.fill(1);
        words[0]! += i;
        words[4]! += j;
        note();
      }
    }
    // 300,000: small whole numbers in five fields, all orders among them
    for (let n = 0; n < 300_000; n++) {
      for (let k = 0, rest = n; k < 5; k++, rest = Math.floor(rest / 13)) all[k] = rest % 13;
      all[5] = 77;
      note();
    }
    // 300,000: bits 31 and 16 and signs toggled together, where multiply-and-shift schemes are weakest
    for (let n = 0; n < 300_000; n++) {
      all.fill(3);
      for (let k = 0; k < 12; k++) words[k]! ^= ((n >> k) & 1) << 31;
      for (let k = 0; k < 7; k++) words[k]! ^= ((n >> (12 + k)) & 1) << 16;
      words[7]! ^= n >> 19 ? 4 : 0;
      note();
    }
    expect(states).toBeGreaterThan(990_000);
    expect(seen.size).toBe(states);
  });
});

describe('actions by the same kind of list', () => {
  it('round trip', () => {
    const world = {
      actionFields(io: FieldIO, action: { speed: number; jump: boolean }): void {
        action.speed = io.num(action.speed);
        action.jump = io.bool(action.jump);
      },
    };
    const values = writeAction(world, { speed: -0, jump: true });
    const back = { speed: 5, jump: false };
    restoreAction(world, back, values);
    expect(firstDifference({ speed: -0, jump: true }, back, 'action')).toBeNull();
    expect(() => restoreAction(world, back, Float64Array.of(1, 0, 3))).toThrow(/3 values came but the field list took 2/);
  });
});

describe('firstDifference', () => {
  it('names the path and both values', () => {
    const a = { robots: [{ vx: 1.25 }, { vx: 1.25 }] };
    const b = { robots: [{ vx: 1.25 }, { vx: 1.2500000000000002 }] };
    expect(firstDifference(a, b)).toBe('state.robots[1].vx: 1.25 vs 1.2500000000000002');
    expect(firstDifference(a, structuredClone(a))).toBeNull();
  });

  it('sees the sign of zero, missing keys, other lengths, typed arrays, maps and sets', () => {
    expect(firstDifference({ x: 0 }, { x: -0 })).toBe('state.x: 0 vs -0');
    expect(firstDifference({ x: 0 }, {})).toBe('state.x: 0 vs nothing');
    expect(firstDifference({}, { x: 0 })).toBe('state.x: nothing vs 0');
    expect(firstDifference([1], [1, 2])).toBe('state[1]: nothing vs 2');
    expect(firstDifference(Float64Array.of(1, 2), Float64Array.of(1, 3))).toBe('state[1]: 2 vs 3');
    expect(firstDifference(new Map([['a', 1]]), new Map([['a', 2]]))).toBe('state.entries[0][1]: 1 vs 2');
    expect(firstDifference(new Set([1]), new Set([1]))).toBeNull();
    expect(firstDifference({ x: NaN }, { x: NaN })).toBeNull();
    expect(firstDifference({ x: null }, { x: {} })).toBe('state.x: null vs {}');
  });
});
