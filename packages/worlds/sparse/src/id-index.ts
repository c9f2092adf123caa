import type { FieldIO } from '@lockstep/kernel';
import { heap, type Memory } from './memory.ts';

/** An index as plain data that may be posted to a thread; the tables are shared if its memory is. */
export interface SharedIds {
  readonly count: number;
  readonly shift: number;
  readonly keys: Uint32Array;
  readonly rows: Int32Array;
}

/** [SW-R12] [SW-E31] From an id to a row: open addressing with linear probing that grows and needs no tombstones. Id 0 is nobody. */
export class IdIndex {
  count = 0;
  private keys: Uint32Array;
  private rows: Int32Array;
  private shift: number;
  private readonly memory: Memory;

  constructor(memory: Memory = heap) {
    this.memory = memory;
    this.shift = 32 - 4;
    this.keys = memory.u32(16);
    this.rows = memory.i32(16);
  }

  /** The row of an id; -1 if it has none. */
  get(id: number): number {
    const { keys } = this;
    const mask = keys.length - 1;
    for (let at = this.home(id); ; at = (at + 1) & mask) {
      const key = keys[at]!;
      if (key === id) return this.rows[at]!;
      if (key === 0) return -1;
    }
  }

  /** Adds an id that is new; whether it was. */
  add(id: number, row: number): boolean {
    const { count } = this;
    if ((count + 1) * 3 > this.keys.length * 2) this.widen();
    const { keys } = this;
    const mask = keys.length - 1;
    let at = this.home(id);
    for (; keys[at] !== 0; at = (at + 1) & mask) if (keys[at] === id) return false;
    keys[at] = id;
    this.rows[at] = row;
    this.count++;
    return true;
  }

  set(id: number, row: number): void {
    if ((this.count + 1) * 3 > this.keys.length * 2) this.widen();
    const { keys } = this;
    const mask = keys.length - 1;
    let at = this.home(id);
    while (keys[at] !== 0 && keys[at] !== id) at = (at + 1) & mask;
    if (keys[at] === 0) this.count++;
    keys[at] = id;
    this.rows[at] = row;
  }

  /** Later keys of the run move up into the hole, so that no search ends too early. */
  delete(id: number): void {
    const { keys, rows } = this;
    const mask = keys.length - 1;
    let hole = this.home(id);
    while (keys[hole] !== id) {
      if (keys[hole] === 0) return;
      hole = (hole + 1) & mask;
    }
    for (let at = (hole + 1) & mask; keys[at] !== 0; at = (at + 1) & mask) {
      const home = this.home(keys[at]!);
      if (((at - home) & mask) < ((at - hole) & mask)) continue;
      keys[hole] = keys[at]!;
      rows[hole] = rows[at]!;
      hole = at;
    }
    keys[hole] = 0;
    this.count--;
  }

  /** Widens the table for so many ids in all. */
  reserve(ids: number): void {
    while (ids * 3 > this.keys.length * 2) this.widen();
  }

  share(): SharedIds {
    const { count, shift, keys, rows } = this;
    return { count, shift, keys, rows };
  }

  /** Becomes another view of an index that was shared. */
  adopt(from: SharedIds): void {
    this.count = from.count;
    this.shift = from.shift;
    this.keys = from.keys;
    this.rows = from.rows;
  }

  /** Everything, for snapshots: it follows from the ids of the rows. */
  fields(io: FieldIO): void {
    const numbers = Int32Array.of(this.count, this.shift);
    io.derived(numbers);
    [this.count, this.shift] = numbers as unknown as [number, number];
    const size = 1 << (32 - this.shift);
    if (this.keys.length !== size) {
      this.keys = this.memory.u32(size);
      this.rows = this.memory.i32(size);
    }
    io.derived(new Int32Array(this.keys.buffer));
    io.derived(this.rows);
  }

  /** Fibonacci hashing of blocks of eight ids: those of one block lie side by side, blocks that follow each other far apart. */
  private home(id: number): number {
    return ((Math.imul(id >>> 3, 0x9e37_79b1) >>> this.shift) & -8) | (id & 7);
  }

  private widen(): void {
    const { keys, rows } = this;
    this.shift--;
    this.keys = this.memory.u32(keys.length * 2);
    this.rows = this.memory.i32(keys.length * 2);
    this.count = 0;
    for (let at = 0; at < keys.length; at++) if (keys[at] !== 0) this.set(keys[at]!, rows[at]!);
  }
}
