import type { FieldIO } from '@lockstep/kernel';
import { grown, heap, type Memory, roomFor } from './memory.ts';

/** Ids of one page: they are given out in order, so most pages are full, and each id then costs little more than its row. */
const PAGE = 16;
const PAGE_BITS = 4;
const NONE = -1;

/** An index as plain data that may be posted to a thread; the tables are shared if its memory is. */
export interface SharedIds {
  readonly count: number;
  readonly pageCount: number;
  readonly pageEnd: number;
  readonly freePage: number;
  readonly shift: number;
  readonly directory: Int32Array;
  readonly rows: Int32Array;
}

/**
 * [SW-R12] [SW-E31] From an id to a row: ids in pages of 16, pages by open addressing with linear probing that grows and needs no tombstones. A page
 * without ids is used again. Id 0 is nobody.
 */
export class IdIndex {
  count = 0;
  private pageCount = 0;
  /** All pages below have been used. */
  private pageEnd = 0;
  /** The first of the free pages; each says in its first place which is the next. */
  private freePage = NONE;
  private shift = 32 - 4;
  /** Buckets of two numbers: that of the ids' page, from 1 on, and where it lies; 0 in an empty bucket. */
  private directory: Int32Array;
  /** By page, for each id its row + 1; 0 for nobody. */
  private rows: Int32Array;
  private readonly memory: Memory;

  constructor(memory: Memory = heap) {
    this.memory = memory;
    this.directory = memory.i32(16 * 2);
    this.rows = memory.i32(PAGE);
  }

  /** The row of an id; -1 if it has none. */
  get(id: number): number {
    const { directory } = this;
    const key = (id >>> PAGE_BITS) + 1;
    const mask = directory.length - 1;
    for (let at = this.home(key); ; at = (at + 2) & mask) {
      const found = directory[at]!;
      if (found === key) return this.rows[directory[at + 1]! + (id & (PAGE - 1))]! - 1;
      if (found === 0) return -1;
    }
  }

  /** Adds an id that is new; whether it was. */
  add(id: number, row: number): boolean {
    const at = this.pageOf(id) + (id & (PAGE - 1));
    if (this.rows[at] !== 0) return false;
    this.rows[at] = row + 1;
    this.count++;
    return true;
  }

  set(id: number, row: number): void {
    const at = this.pageOf(id) + (id & (PAGE - 1));
    if (this.rows[at] === 0) this.count++;
    this.rows[at] = row + 1;
  }

  delete(id: number): void {
    if (this.get(id) < 0) return;
    const { rows } = this;
    const page = this.pageOf(id);
    rows[page + (id & (PAGE - 1))] = 0;
    this.count--;
    for (let i = 0; i < PAGE; i++) if (rows[page + i] !== 0) return;
    this.forget((id >>> PAGE_BITS) + 1);
    rows[page] = this.freePage;
    this.freePage = page;
  }

  /** Makes room for so many ids in all, if they follow each other. */
  reserve(ids: number): void {
    const pages = Math.ceil(ids / PAGE) + 1;
    while (pages * 3 > this.directory.length) this.widen();
    if (pages * PAGE > this.rows.length) this.rows = grown(this.rows, this.memory.i32(pages * PAGE));
  }

  share(): SharedIds {
    const { count, pageCount, pageEnd, freePage, shift, directory, rows } = this;
    return { count, pageCount, pageEnd, freePage, shift, directory, rows };
  }

  /** Becomes another view of an index that was shared. */
  adopt(from: SharedIds): void {
    this.count = from.count;
    this.pageCount = from.pageCount;
    this.pageEnd = from.pageEnd;
    this.freePage = from.freePage;
    this.shift = from.shift;
    this.directory = from.directory;
    this.rows = from.rows;
  }

  /** Everything, for snapshots: it follows from the ids of the rows. */
  fields(io: FieldIO): void {
    const numbers = Int32Array.of(this.count, this.pageCount, this.pageEnd, this.freePage, this.shift);
    io.derived(numbers);
    [this.count, this.pageCount, this.pageEnd, this.freePage, this.shift] = numbers as unknown as [number, number, number, number, number];
    const size = 2 << (32 - this.shift);
    if (this.directory.length !== size) this.directory = this.memory.i32(size);
    io.derived(this.directory);
    if (this.rows.length < this.pageEnd) this.rows = this.memory.i32(this.pageEnd);
    io.derived(this.rows.subarray(0, this.pageEnd));
  }

  /** Fibonacci hashing; the answer is where the bucket begins. */
  private home(key: number): number {
    return (Math.imul(key, 0x9e37_79b1) >>> this.shift) * 2;
  }

  /** Where the id's page begins; it is made if there is none. */
  private pageOf(id: number): number {
    if ((this.pageCount + 1) * 3 > this.directory.length) this.widen();
    const { directory } = this;
    const key = (id >>> PAGE_BITS) + 1;
    const mask = directory.length - 1;
    let at = this.home(key);
    for (; directory[at] !== 0; at = (at + 2) & mask) if (directory[at] === key) return directory[at + 1]!;
    const page = this.newPage();
    directory[at] = key;
    directory[at + 1] = page;
    this.pageCount++;
    return page;
  }

  private newPage(): number {
    let page = this.freePage;
    if (page === NONE) {
      page = this.pageEnd;
      this.pageEnd += PAGE;
      if (this.pageEnd > this.rows.length) this.rows = grown(this.rows, this.memory.i32(roomFor(this.pageEnd, this.rows.length)));
    } else this.freePage = this.rows[page]!;
    for (let i = 0; i < PAGE; i++) this.rows[page + i] = 0;
    return page;
  }

  /** Later keys of the run move up into the hole, so that no search ends too early. */
  private forget(key: number): void {
    const { directory } = this;
    const mask = directory.length - 1;
    let hole = this.home(key);
    while (directory[hole] !== key) hole = (hole + 2) & mask;
    for (let at = (hole + 2) & mask; directory[at] !== 0; at = (at + 2) & mask) {
      const home = this.home(directory[at]!);
      if (((at - home) & mask) < ((at - hole) & mask)) continue;
      directory[hole] = directory[at]!;
      directory[hole + 1] = directory[at + 1]!;
      hole = at;
    }
    directory[hole] = 0;
    this.pageCount--;
  }

  private widen(): void {
    const before = this.directory;
    this.shift--;
    this.directory = this.memory.i32(before.length * 2);
    const { directory } = this;
    const mask = directory.length - 1;
    for (let from = 0; from < before.length; from += 2) {
      if (before[from] === 0) continue;
      let at = this.home(before[from]!);
      while (directory[at] !== 0) at = (at + 2) & mask;
      directory[at] = before[from]!;
      directory[at + 1] = before[from + 1]!;
    }
  }
}
