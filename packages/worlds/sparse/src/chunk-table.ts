import type { FieldIO } from '@lockstep/kernel';
import { BigLists } from './big-lists.ts';
import { grown, roomFor } from './memory.ts';
import { Newcomers } from './newcomers.ts';
import { RowPlaces } from './row-places.ts';

/** Rows in one block; with the link to the next block they fill 32 bytes. */
const BLOCK_ROWS = 7;
const BLOCK = BLOCK_ROWS + 1;
const NONE = -1;
/** The slot of no chunk; its numbers read as zeros. */
export const NOWHERE = NONE;

/** A chunk's record, 64 bytes: its numbers, what is in it and its first rows, side by side in memory. Most chunks need no block. */
const RECORD = 16;
const X = 0;
const Y = 1;
const Z = 2;
/**
 * Twice the number of entities that live in the chunk, and 1 more when the chunk has changed since its last commit; -1 in a free record. Blocks
 * hold what the record does not; only the first one may be partly filled.
 */
const FILLED = 3;
/** In a free record, the next free one. */
const FIRST_BLOCK = 4;
const FIRST_BIG = 5;
const FIRST_ROWS = 6;
const RECORD_ROWS = RECORD - FIRST_ROWS;

/**
 * The first record; the one before it is that of no chunk, all zeros. Large arrays of Node begin 16 bytes after a line of the processor's cache:
 * with 12 numbers to spare each record fills one line, and not parts of two.
 */
const FIRST_RECORD = RECORD + 12;
const recordOf = (slot: number): number => slot * RECORD + FIRST_RECORD;

/**
 * [SW-R5] [SW-E36] The chunks that have something in them, and nothing else: an open-addressing index over three int32, each chunk with a linked
 * list of blocks of entity rows ([SW-E32] freed when it empties) and a list of the big entities that touch it ([SW-E26]).
 */
export class ChunkTable {
  private readonly places: RowPlaces;
  /** Whoever reads lets them in first. */
  private readonly newcomers = new Newcomers();
  private chunkCount = 0;
  private usedSlots = 0;
  private records = new Int32Array(FIRST_RECORD + 16 * RECORD);
  /** A block is a link and its rows. */
  private blocks = new Int32Array(16 * BLOCK);
  blockEnd = 0;
  private readonly bigs = new BigLists();
  private freeSlot = NONE;
  private freeBlock = NONE;
  /**
   * 2^bits buckets; the first bits of a hash say in which one to look first. A bucket holds slot + 1 in as many low bits, and above them the rest of
   * the hash: most chunks that are not looked for are passed by without a look at their record. 0 is an empty bucket.
   */
  private table = new Int32Array(32);
  private bits = 5;

  constructor(places = new RowPlaces()) {
    this.places = places;
  }

  /** Chunks that exist. */
  get count(): number {
    this.letIn();
    return this.chunkCount;
  }
  /** All slots below have been used. */
  get slotEnd(): number {
    this.letIn();
    return this.usedSlots;
  }

  /** The chunk's slot; NOWHERE if there is no such chunk. */
  find(x: number, y: number, z: number): number {
    this.letIn();
    return this.search(x, y, z);
  }

  private search(x: number, y: number, z: number): number {
    const { table, records, bits } = this;
    const hash = hashOf(x, y, z);
    const mask = table.length - 1;
    for (let at = hash >>> (32 - bits); ; at = (at + 1) & mask) {
      const bucket = table[at]!;
      if (bucket === 0) return NOWHERE;
      if ((bucket ^ (hash << bits)) >>> bits !== 0) continue;
      const slot = (bucket & mask) - 1;
      const record = recordOf(slot);
      if (records[record + X] === x && records[record + Y] === y && records[record + Z] === z) return slot;
    }
  }

  /** The chunk's slot; an empty chunk is made if there is none, and must then be filled. */
  findOrMake(x: number, y: number, z: number): number {
    this.letIn();
    return this.searchOrMake(x, y, z);
  }

  private searchOrMake(x: number, y: number, z: number): number {
    const found = this.search(x, y, z);
    return found === NOWHERE ? this.make(x, y, z) : found;
  }

  private make(x: number, y: number, z: number): number {
    if ((this.chunkCount + 1) * 3 > this.table.length * 2) this.widen();
    const slot = this.newSlot();
    const { records } = this;
    const record = recordOf(slot);
    records[record + X] = x;
    records[record + Y] = y;
    records[record + Z] = z;
    records[record + FILLED] = 0;
    records[record + FIRST_BLOCK] = NONE;
    records[record + FIRST_BIG] = NONE;
    this.enter(slot);
    this.chunkCount++;
    return slot;
  }

  xOf(slot: number): number {
    return this.records[recordOf(slot) + X]!;
  }
  yOf(slot: number): number {
    return this.records[recordOf(slot) + Y]!;
  }
  zOf(slot: number): number {
    return this.records[recordOf(slot) + Z]!;
  }

  isAt(slot: number, x: number, y: number, z: number): boolean {
    const { records } = this;
    const record = recordOf(slot);
    return records[record + X] === x && records[record + Y] === y && records[record + Z] === z;
  }

  isDirty(slot: number): boolean {
    this.letIn();
    return (this.records[recordOf(slot) + FILLED]! & 1) === 1;
  }
  makeDirty(slot: number): void {
    this.records[recordOf(slot) + FILLED]! |= 1;
  }
  /** As after a commit. */
  cleanAll(): void {
    for (let slot = 0; slot < this.slotEnd; slot++) if (this.exists(slot)) this.records[recordOf(slot) + FILLED]! &= ~1;
  }

  /** The slot of the chunk in which a row is; NOWHERE if it is in none. */
  slotOf(row: number): number {
    this.letIn();
    return this.places.slot[row]!;
  }

  /** Puts a row that is in no list into that of a chunk, before anybody looks. */
  putSoon(row: number, x: number, y: number, z: number, isChange: boolean): void {
    if (this.newcomers.isFull) this.letAllIn();
    this.newcomers.add(row, x, y, z, isChange);
  }

  private letIn(): void {
    if (this.newcomers.count > 0) this.letAllIn();
  }

  /** First all look for their chunks: no search follows from another one's answer, so a processor waits for the memory of several at a time. */
  private letAllIn(): void {
    const { newcomers } = this;
    const { count, rows, x, y, z, slots } = newcomers;
    newcomers.count = 0;
    for (let i = 0; i < count; i++) slots[i] = this.search(x[i]!, y[i]!, z[i]!);
    for (let i = 0; i < count; i++) {
      const slot = slots[i] === NOWHERE ? this.searchOrMake(x[i]!, y[i]!, z[i]!) : slots[i]!;
      this.put(slot, rows[i]!);
      if (newcomers.isChange[i] === 1) this.makeDirty(slot);
    }
  }

  /** Adds a row to the chunk's list. Its place is in a block, or below zero in a record. */
  put(slot: number, row: number): void {
    const { records, places } = this;
    const record = recordOf(slot);
    const count = records[record + FILLED]! >> 1;
    records[record + FILLED]! += 2;
    places.slot[row] = slot;
    if (count < RECORD_ROWS) {
      records[record + FIRST_ROWS + count] = row;
      places.place[row] = ~(record + FIRST_ROWS + count);
      return;
    }
    const within = (count - RECORD_ROWS) % BLOCK_ROWS;
    if (within === 0) {
      const block = this.newBlock();
      this.blocks[block * BLOCK] = records[record + FIRST_BLOCK]!;
      records[record + FIRST_BLOCK] = block;
    }
    const place = records[record + FIRST_BLOCK]! * BLOCK + 1 + within;
    this.blocks[place] = row;
    places.place[row] = place;
  }

  /** Takes a row off its chunk's list: the row that was put last fills the hole. The answer is the chunk's slot. */
  take(row: number): number {
    const slot = this.slotOf(row);
    const place = this.places.place[row]!;
    const last = this.takeLast(recordOf(slot));
    if (place < 0) this.records[~place] = last;
    else this.blocks[place] = last;
    this.places.place[last] = place;
    this.places.slot[row] = NOWHERE;
    return slot;
  }

  private takeLast(record: number): number {
    const { blocks, records } = this;
    const count = (records[record + FILLED]! >> 1) - 1;
    records[record + FILLED]! -= 2;
    if (count < RECORD_ROWS) return records[record + FIRST_ROWS + count]!;
    const block = records[record + FIRST_BLOCK]!;
    const within = (count - RECORD_ROWS) % BLOCK_ROWS;
    if (within === 0) {
      records[record + FIRST_BLOCK] = blocks[block * BLOCK]!;
      blocks[block * BLOCK] = this.freeBlock;
      this.freeBlock = block;
    }
    return blocks[block * BLOCK + 1 + within]!;
  }

  putBig(slot: number, row: number): void {
    const at = recordOf(slot) + FIRST_BIG;
    this.records[at] = this.bigs.put(this.records[at]!, row);
  }

  takeBig(slot: number, row: number): void {
    const at = recordOf(slot) + FIRST_BIG;
    this.records[at] = this.bigs.take(this.records[at]!, row);
  }

  /** The rows of a chunk, then the big ones that touch it, are written into `into`; the answer is how many there are in all. */
  rowsOf(slot: number, into: number[]): number {
    this.letIn();
    const { records } = this;
    const record = recordOf(slot);
    const filled = records[record + FILLED]! >> 1;
    const first = Math.min(filled, RECORD_ROWS);
    let count = 0;
    for (; count < first; count++) into[count] = records[record + FIRST_ROWS + count]!;
    let left = filled - count;
    for (let block = records[record + FIRST_BLOCK]!; left > 0; block = this.blocks[block * BLOCK]!) {
      const within = ((left - 1) % BLOCK_ROWS) + 1;
      for (let i = 1; i <= within; i++) into[count++] = this.blocks[block * BLOCK + i]!;
      left -= within;
    }
    return this.bigs.rowsOf(records[record + FIRST_BIG]!, into, count);
  }

  isEmpty(slot: number): boolean {
    this.letIn();
    return this.records[recordOf(slot) + FILLED]! >> 1 === 0 && this.records[recordOf(slot) + FIRST_BIG] === NONE;
  }

  exists(slot: number): boolean {
    this.letIn();
    return this.records[recordOf(slot) + FILLED]! >= 0;
  }

  /** [SW-E32] Forgets an empty chunk. */
  free(slot: number): void {
    const { table } = this;
    const mask = table.length - 1;
    let hole = this.homeOf(slot);
    while ((table[hole]! & mask) !== slot + 1) hole = (hole + 1) & mask;
    for (let at = (hole + 1) & mask; table[at] !== 0; at = (at + 1) & mask) {
      const home = this.homeOf((table[at]! & mask) - 1);
      if (((at - home) & mask) < ((at - hole) & mask)) continue;
      table[hole] = table[at]!;
      hole = at;
    }
    table[hole] = 0;
    this.records[recordOf(slot) + FILLED] = -1;
    this.records[recordOf(slot) + FIRST_BLOCK] = this.freeSlot;
    this.freeSlot = slot;
    this.chunkCount--;
  }

  /** Everything, for snapshots: it follows from where entities are, so hashes pass it by. What is dirty is not the state's business. */
  fields(io: FieldIO): void {
    const { count, slotEnd, blockEnd, freeSlot, freeBlock, bits } = this;
    const numbers = Int32Array.of(count, slotEnd, blockEnd, freeSlot, freeBlock, bits);
    io.derived(numbers);
    [this.chunkCount, this.usedSlots, this.blockEnd] = numbers as unknown as [number, number, number];
    [this.freeSlot, this.freeBlock, this.bits] = numbers.subarray(3) as unknown as [number, number, number];
    const recordEnd = recordOf(this.usedSlots);
    if (recordEnd > this.records.length) this.records = new Int32Array(recordEnd);
    io.derived(this.records.subarray(0, recordEnd));
    if (this.blockEnd * BLOCK > this.blocks.length) this.blocks = new Int32Array(this.blockEnd * BLOCK);
    io.derived(this.blocks.subarray(0, this.blockEnd * BLOCK));
    this.bigs.fields(io);
    if (this.table.length !== 1 << this.bits) this.table = new Int32Array(1 << this.bits);
    io.derived(this.table);
  }

  private newSlot(): number {
    const free = this.freeSlot;
    if (free !== NONE) {
      this.freeSlot = this.records[recordOf(free) + FIRST_BLOCK]!;
      return free;
    }
    const room = (this.records.length - FIRST_RECORD) / RECORD;
    if (this.usedSlots === room) this.records = grown(this.records, new Int32Array(recordOf(roomFor(room + 1, room))));
    return this.usedSlots++;
  }

  private newBlock(): number {
    const free = this.freeBlock;
    if (free !== NONE) {
      this.freeBlock = this.blocks[free * BLOCK]!;
      return free;
    }
    const needed = (this.blockEnd + 1) * BLOCK;
    if (needed > this.blocks.length) this.blocks = grown(this.blocks, new Int32Array(roomFor(needed, this.blocks.length)));
    return this.blockEnd++;
  }

  private homeOf(slot: number): number {
    return this.hashOfSlot(slot) >>> (32 - this.bits);
  }

  private hashOfSlot(slot: number): number {
    return hashOf(this.xOf(slot), this.yOf(slot), this.zOf(slot));
  }

  /** Notes a chunk in the first empty bucket. */
  private enter(slot: number): void {
    const { table, bits } = this;
    const mask = table.length - 1;
    const hash = this.hashOfSlot(slot);
    let at = hash >>> (32 - bits);
    while (table[at] !== 0) at = (at + 1) & mask;
    table[at] = (hash << bits) | (slot + 1);
  }

  private widen(): void {
    this.bits++;
    this.table = new Int32Array(1 << this.bits);
    for (let slot = 0; slot < this.usedSlots; slot++) if (this.records[recordOf(slot) + FILLED]! >= 0) this.enter(slot);
  }
}

/** Each number is stirred before the next one enters: neighbours, mirror images and far-off worlds all spread over the table. */
function hashOf(x: number, y: number, z: number): number {
  let h = Math.imul(x, 0x9e37_79b1);
  h = Math.imul(h ^ (h >>> 15) ^ y, 0x85eb_ca6b);
  h = Math.imul(h ^ (h >>> 13) ^ z, 0xc2b2_ae35);
  return Math.imul(h ^ (h >>> 16), 0x27d4_eb2f);
}
