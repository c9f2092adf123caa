/** Where columns are allocated: the heap here; a package with threads gives one that allocates shared buffers. */
export interface Memory {
  f64(length: number): Float64Array;
  i32(length: number): Int32Array;
  u32(length: number): Uint32Array;
  u8(length: number): Uint8Array;
}

export const heap: Memory = {
  f64: (length) => new Float64Array(length),
  i32: (length) => new Int32Array(length),
  u32: (length) => new Uint32Array(length),
  u8: (length) => new Uint8Array(length),
};

type Column = Float64Array | Int32Array | Uint32Array | Uint8Array;

/** Copies a column into a longer one. */
export function grown<T extends Column>(from: T, into: T): T {
  into.set(from);
  return into;
}

const MANY = 0x10_0000;

/** The next capacity of columns that must hold `needed`: so many times as much, of many a quarter more. */
export function roomFor(needed: number, capacity: number, times = 2): number {
  return Math.max(needed, 16, capacity < MANY ? capacity * times : Math.ceil(capacity * 1.25));
}
