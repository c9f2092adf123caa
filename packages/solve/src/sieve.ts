/** Finer than any score needs to be told apart. */
const BUCKETS = 0x4000;

/**
 * Keeps the best of very many candidates: the `width` lowest scores, one a key. A candidate is a row over the columns. Room is bounded:
 * when it is full, what cannot be among the best is dropped, and from then on turned away at the door.
 */
export class Sieve {
  /** Rows 0 … count - 1. */
  readonly columns: readonly Int32Array[];
  readonly scores: Float32Array;
  count = 0;
  private readonly width: number;
  private readonly keyOf: (row: number) => number;
  private readonly room: number;
  private readonly order: Int32Array;
  private readonly kept: Int32Array;
  private readonly buckets = new Int32Array(BUCKETS + 1);
  /** An open hash table of keys; a slot is in use when its stamp is the current one. */
  private readonly keys: Int32Array;
  private readonly stamps: Int32Array;
  private stamp = 0;
  /** Nothing worse comes in. */
  private door = Infinity;
  private readonly range: number;

  /** `keyOf` a row: equal for candidates that are as good as the same. Scores more than `range` above the best are all the same to it. */
  constructor(width: number, columns: number, range: number, keyOf: (row: number) => number) {
    this.width = width;
    this.keyOf = keyOf;
    this.range = range;
    this.room = 8 * width + 256;
    this.columns = Array.from({ length: columns }, () => new Int32Array(this.room));
    this.scores = new Float32Array(this.room);
    this.order = new Int32Array(this.room);
    this.kept = new Int32Array(width);
    let slots = 1024;
    while (slots < 4 * width) slots *= 2;
    this.keys = new Int32Array(slots);
    this.stamps = new Int32Array(slots);
  }

  clear(): void {
    this.count = 0;
    this.door = Infinity;
  }

  /** The row where a candidate of this score is to be written, -1 if it is not wanted. Hot. */
  place(score: number): number {
    if (!(score < this.door)) return -1;
    if (this.count === this.room) {
      this.select();
      if (this.count === this.width) this.door = this.worst();
      if (!(score < this.door)) return -1;
    }
    this.scores[this.count] = score;
    return this.count++;
  }

  /** Leaves the best, the lowest score first (but for differences below a bucket's width). */
  select(): void {
    this.sort();
    const { order, kept, keys, stamps, width } = this;
    const mask = keys.length - 1;
    const stamp = ++this.stamp;
    let count = 0;
    for (let i = 0; i < this.count && count < width; i++) {
      const row = order[i]!;
      const key = this.keyOf(row);
      let slot = (key ^ (key >>> 15)) & mask;
      while (stamps[slot] === stamp && keys[slot] !== key) slot = (slot + 1) & mask;
      if (stamps[slot] === stamp) continue;
      stamps[slot] = stamp;
      keys[slot] = key;
      kept[count++] = row;
    }
    for (const column of this.columns) gather(column, kept, count, order);
    gather(this.scores, kept, count, new Float32Array(order.buffer));
    this.count = count;
  }

  private worst(): number {
    let worst = -Infinity;
    for (let i = 0; i < this.count; i++) if (this.scores[i]! > worst) worst = this.scores[i]!;
    return worst;
  }

  /** The rows by score, one bucket after the other. */
  private sort(): void {
    const { scores, buckets, order, count } = this;
    let best = Infinity;
    for (let i = 0; i < count; i++) if (scores[i]! < best) best = scores[i]!;
    const scale = (BUCKETS - 1) / this.range;
    const bucketOf = (i: number): number => Math.min((scores[i]! - best) * scale, BUCKETS - 1) | 0;
    buckets.fill(0);
    for (let i = 0; i < count; i++) buckets[bucketOf(i) + 1]!++;
    for (let b = 0; b < BUCKETS; b++) buckets[b + 1]! += buckets[b]!;
    for (let i = 0; i < count; i++) order[buckets[bucketOf(i)]!++] = i;
  }
}

/** values[i] = values[from[i]] for all i at once. */
function gather(values: Int32Array | Float32Array, from: Int32Array, count: number, spare: Int32Array | Float32Array): void {
  for (let i = 0; i < count; i++) spare[i] = values[from[i]!]!;
  values.set(spare.subarray(0, count));
}
