import type { Memory } from '@lockstep/sparse';

/** Columns that all threads see. */
export const sharedMemory: Memory = {
  f64: (length) => new Float64Array(new SharedArrayBuffer(length * 8)),
  i32: (length) => new Int32Array(new SharedArrayBuffer(length * 4)),
  u32: (length) => new Uint32Array(new SharedArrayBuffer(length * 4)),
  u8: (length) => new Uint8Array(new SharedArrayBuffer(length)),
};
