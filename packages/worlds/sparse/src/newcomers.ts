/** So many wait at most: enough for a processor to fetch as much at a time as it can, few enough to stay close at hand. */
const ROOM = 64;

/**
 * Rows that are not yet in the lists of their chunks. Whoever looks for one chunk among many waits for memory, twice; those who look together wait at
 * the same time.
 */
export class Newcomers {
  count = 0;
  readonly rows = new Int32Array(ROOM);
  /** Chunk numbers. */
  readonly x = new Int32Array(ROOM);
  readonly y = new Int32Array(ROOM);
  readonly z = new Int32Array(ROOM);
  /** 1 when the row changes its chunk, 0 when it comes with it from permanent memory. */
  readonly isChange = new Uint8Array(ROOM);
  /** The slots of their chunks, once they have looked. */
  readonly slots = new Int32Array(ROOM);

  get isFull(): boolean {
    return this.count === ROOM;
  }

  add(row: number, x: number, y: number, z: number, isChange: boolean): void {
    const at = this.count++;
    this.rows[at] = row;
    this.x[at] = x;
    this.y[at] = y;
    this.z[at] = z;
    this.isChange[at] = isChange ? 1 : 0;
  }
}
