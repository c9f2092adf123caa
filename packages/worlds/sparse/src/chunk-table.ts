import type { FieldIO } from '@lockstep/kernel';
import { grown, roomFor } from './memory.ts';

/** Rows in one block; with the link to the next block they fill 32 bytes. */
const BLOCK_ROWS = 7;
const BLOCK = BLOCK_ROWS + 1;
const NONE = -1;

/**
 * [SW-R5] [SW-E36] The chunks that have something in them, and nothing else: an open-addressing index over three int32, each chunk with a linked
 * list of blocks of entity rows ([SW-E32] freed when it empties) and a list of the big entities that touch it ([SW-E26]).
 */
export class ChunkTable {
  /** Chunks that exist. */
  count = 0;
  /** All slots below have been used; a free one has entities -1. */
  slotEnd = 0;
  x = new Int32Array(16);
  y = new Int32Array(16);
  z = new Int32Array(16);
  /** How many entities live in the chunk. Only its first block may be partly filled. */
  entities = new Int32Array(16);
  firstBlock = new Int32Array(16);
  firstBig = new Int32Array(16);
  /** 1 when the chunk has changed since its last commit. */
  dirty = new Uint8Array(16);
  /** A block is a link and seven rows. */
  blocks = new Int32Array(16 * BLOCK);
  blockEnd = 0;
  /** A node of a list of big entities: a link and a row. */
  bigs = new Int32Array(16);
  bigEnd = 0;
  private freeSlot = NONE;
  private freeBlock = NONE;
  private freeBig = NONE;
  /** Buckets of a hash and a slot: most that do not fit are passed by without a look at the chunk. */
  private table = emptyTable(32);
  private buckets = 32;
  private shift = 32 - 5;

  find(x: number, y: number, z: number): number {
    const { table, x: xs, y: ys, z: zs } = this;
    const hash = hashOf(x, y, z);
    const mask = this.buckets - 1;
    for (let at = hash >>> this.shift; ; at = (at + 1) & mask) {
      const slot = table[at * 2 + 1]!;
      if (slot === NONE) return NONE;
      if (table[at * 2] === hash && xs[slot] === x && ys[slot] === y && zs[slot] === z) return slot;
    }
  }

  /** The chunk's slot; an empty chunk is made if there is none, and must then be filled. */
  findOrMake(x: number, y: number, z: number): number {
    if ((this.count + 1) * 3 > this.buckets * 2) this.widen();
    const { table } = this;
    const hash = hashOf(x, y, z);
    const mask = this.buckets - 1;
    let at = hash >>> this.shift;
    for (; table[at * 2 + 1] !== NONE; at = (at + 1) & mask) {
      const slot = table[at * 2 + 1]!;
      if (table[at * 2] === hash && this.x[slot] === x && this.y[slot] === y && this.z[slot] === z) return slot;
    }
    const slot = this.newSlot();
    table[at * 2] = hash;
    table[at * 2 + 1] = slot;
    this.x[slot] = x;
    this.y[slot] = y;
    this.z[slot] = z;
    this.entities[slot] = 0;
    this.firstBlock[slot] = NONE;
    this.firstBig[slot] = NONE;
    this.dirty[slot] = 0;
    this.count++;
    return slot;
  }

  /** Adds a row to the chunk's list; the answer is its place, which `take` asks for. */
  put(slot: number, row: number): number {
    const within = this.entities[slot]! % BLOCK_ROWS;
    if (within === 0) {
      const block = this.newBlock();
      this.blocks[block * BLOCK] = this.firstBlock[slot]!;
      this.firstBlock[slot] = block;
    }
    this.entities[slot]!++;
    const place = this.firstBlock[slot]! * BLOCK + 1 + within;
    this.blocks[place] = row;
    return place;
  }

  /** Takes the row at `place` off the chunk's list: the last row of the first block fills the hole, and is the answer. */
  take(slot: number, place: number): number {
    const { blocks } = this;
    const block = this.firstBlock[slot]!;
    const within = (this.entities[slot]! - 1) % BLOCK_ROWS;
    const last = blocks[block * BLOCK + 1 + within]!;
    blocks[place] = last;
    this.entities[slot]!--;
    if (within === 0) {
      this.firstBlock[slot] = blocks[block * BLOCK]!;
      blocks[block * BLOCK] = this.freeBlock;
      this.freeBlock = block;
    }
    return last;
  }

  putBig(slot: number, row: number): void {
    let node = this.freeBig;
    if (node === NONE) {
      node = this.bigEnd;
      if (node + 2 > this.bigs.length) this.bigs = grown(this.bigs, new Int32Array(roomFor(node + 2, this.bigs.length)));
      this.bigEnd += 2;
    } else this.freeBig = this.bigs[node]!;
    this.bigs[node] = this.firstBig[slot]!;
    this.bigs[node + 1] = row;
    this.firstBig[slot] = node;
  }

  takeBig(slot: number, row: number): void {
    const { bigs } = this;
    let before = NONE;
    let node = this.firstBig[slot]!;
    while (bigs[node + 1] !== row) {
      before = node;
      node = bigs[node]!;
    }
    if (before === NONE) this.firstBig[slot] = bigs[node]!;
    else bigs[before] = bigs[node]!;
    bigs[node] = this.freeBig;
    this.freeBig = node;
  }

  /** The rows of a chunk, then the big ones that touch it, are written into `into`; the answer is how many there are in all. */
  rowsOf(slot: number, into: number[]): number {
    let count = 0;
    let left = this.entities[slot]!;
    for (let block = this.firstBlock[slot]!; left > 0; block = this.blocks[block * BLOCK]!) {
      const within = ((left - 1) % BLOCK_ROWS) + 1;
      for (let i = 1; i <= within; i++) into[count++] = this.blocks[block * BLOCK + i]!;
      left -= within;
    }
    for (let node = this.firstBig[slot]!; node !== NONE; node = this.bigs[node]!) into[count++] = this.bigs[node + 1]!;
    return count;
  }

  isEmpty(slot: number): boolean {
    return this.entities[slot] === 0 && this.firstBig[slot] === NONE;
  }

  exists(slot: number): boolean {
    return this.entities[slot]! >= 0;
  }

  /** [SW-E32] Forgets an empty chunk. */
  free(slot: number): void {
    const { table } = this;
    const mask = this.buckets - 1;
    let hole = hashOf(this.x[slot]!, this.y[slot]!, this.z[slot]!) >>> this.shift;
    while (table[hole * 2 + 1] !== slot) hole = (hole + 1) & mask;
    for (let at = (hole + 1) & mask; table[at * 2 + 1] !== NONE; at = (at + 1) & mask) {
      const home = table[at * 2]! >>> this.shift;
      if (((at - home) & mask) < ((at - hole) & mask)) continue;
      table[hole * 2] = table[at * 2]!;
      table[hole * 2 + 1] = table[at * 2 + 1]!;
      hole = at;
    }
    table[hole * 2 + 1] = NONE;
    this.entities[slot] = -1;
    this.firstBlock[slot] = this.freeSlot;
    this.freeSlot = slot;
    this.count--;
  }

  /** Everything, for snapshots: it follows from where entities are, so hashes pass it by. What is dirty is not the state's business. */
  fields(io: FieldIO): void {
    this.count = io.num(this.count);
    this.slotEnd = io.num(this.slotEnd);
    this.blockEnd = io.num(this.blockEnd);
    this.bigEnd = io.num(this.bigEnd);
    this.freeSlot = io.num(this.freeSlot);
    this.freeBlock = io.num(this.freeBlock);
    this.freeBig = io.num(this.freeBig);
    this.buckets = io.num(this.buckets);
    this.shift = io.num(this.shift);
    if (this.slotEnd > this.x.length) this.growSlots(this.slotEnd);
    for (const column of [this.x, this.y, this.z, this.entities, this.firstBlock, this.firstBig])
      io.derived(column.subarray(0, this.slotEnd));
    if (this.blockEnd * BLOCK > this.blocks.length) this.blocks = new Int32Array(this.blockEnd * BLOCK);
    io.derived(this.blocks.subarray(0, this.blockEnd * BLOCK));
    if (this.bigEnd > this.bigs.length) this.bigs = new Int32Array(this.bigEnd);
    io.derived(this.bigs.subarray(0, this.bigEnd));
    if (this.table.length !== this.buckets * 2) this.table = emptyTable(this.buckets);
    io.derived(this.table);
  }

  private newSlot(): number {
    const free = this.freeSlot;
    if (free !== NONE) {
      this.freeSlot = this.firstBlock[free]!;
      return free;
    }
    if (this.slotEnd === this.x.length) this.growSlots(roomFor(this.slotEnd + 1, this.slotEnd));
    return this.slotEnd++;
  }

  private growSlots(capacity: number): void {
    this.x = grown(this.x, new Int32Array(capacity));
    this.y = grown(this.y, new Int32Array(capacity));
    this.z = grown(this.z, new Int32Array(capacity));
    this.entities = grown(this.entities, new Int32Array(capacity));
    this.firstBlock = grown(this.firstBlock, new Int32Array(capacity));
    this.firstBig = grown(this.firstBig, new Int32Array(capacity));
    this.dirty = grown(this.dirty, new Uint8Array(capacity));
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

  /** Buckets lie in the order of their hashes, so the wider table fills from its beginning to its end. */
  private widen(): void {
    const { table: before, buckets } = this;
    this.buckets = buckets * 2;
    this.shift--;
    this.table = emptyTable(this.buckets);
    const { table } = this;
    const mask = this.buckets - 1;
    for (let from = 0; from < buckets; from++) {
      if (before[from * 2 + 1] === NONE) continue;
      let at = before[from * 2]! >>> this.shift;
      while (table[at * 2 + 1] !== NONE) at = (at + 1) & mask;
      table[at * 2] = before[from * 2]!;
      table[at * 2 + 1] = before[from * 2 + 1]!;
    }
  }
}

function hashOf(x: number, y: number, z: number): number {
  let h = Math.imul(x, 0x8da6_b343) ^ Math.imul(y, 0xd816_3841) ^ Math.imul(z, 0xcb1a_b31f);
  h = Math.imul(h ^ (h >>> 15), 0x2c1b_3c6d);
  return h ^ (h >>> 13);
}

const emptyTable = (buckets: number): Int32Array => new Int32Array(buckets * 2).fill(NONE);
