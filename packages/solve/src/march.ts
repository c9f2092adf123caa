/** Square cells over a rectangle. Values stand for the cells' centres. */
export interface Raster {
  readonly left: number;
  readonly top: number;
  /** The side of a cell. */
  readonly size: number;
  /** At least two each, so that there is something between two centres. */
  readonly columns: number;
  readonly rows: number;
}

/** A part of a raster with the time that it takes from each of its cells. */
export interface TimeField extends Raster {
  readonly times: Float32Array;
}

const FAR = 1e9;
/** How many buckets a step into a cell of cost 1 is wide. More are nearer to the exact order and slower. */
const BUCKETS_A_STEP = 3;

/**
 * Fast marching (Sethian): the time to the seeds from every cell, through cells of different cost, as if the front moved freely in all
 * directions. Fronts wait in buckets of a third of a step instead of a heap; within a bucket the order is that of arrival.
 */
export class Marcher {
  readonly raster: Raster;
  /** How many ticks a step through a cell takes. */
  private readonly cost: Float32Array;
  private readonly times: Float32Array;
  private readonly settled: Uint8Array;
  private readonly bucketWidth: number;
  private waitingCells = new Int32Array(0x1_0000);
  private waitingNext = new Int32Array(0x1_0000);
  private waiting = 0;
  private heads = new Int32Array(0x1000);

  constructor(raster: Raster, cost: Float32Array, least: number) {
    this.raster = raster;
    this.cost = cost;
    this.times = new Float32Array(cost.length);
    this.settled = new Uint8Array(cost.length);
    this.bucketWidth = least / BUCKETS_A_STEP;
  }

  /**
   * Marches from cells of known time. With `wanted` cells it goes only so much further than the last of them; the field then is the part
   * of the raster that was reached, and cells of it that were not have the time of the last front.
   */
  march(seeds: ReadonlyMap<number, number>, wanted?: readonly number[], further = 0): TimeField {
    const { times, settled } = this;
    times.fill(FAR);
    settled.fill(0);
    this.heads.fill(-1);
    this.waiting = 0;
    let least = FAR;
    for (const time of seeds.values()) least = Math.min(least, time);
    for (const [cell, time] of seeds) {
      times[cell] = time;
      this.wait(cell, time - least);
    }
    const left = new Set(wanted);
    let end = FAR;
    let last = least;
    for (let bucket = 0; bucket < this.heads.length && last <= end; bucket++) {
      while (this.heads[bucket]! >= 0) {
        const entry = this.heads[bucket]!;
        this.heads[bucket] = this.waitingNext[entry]!;
        const cell = this.waitingCells[entry]!;
        if (settled[cell] === 1) continue;
        settled[cell] = 1;
        if (times[cell]! > last) last = times[cell]!;
        if (left.delete(cell) && left.size === 0) end = last + further;
        this.spread(cell, least);
      }
    }
    return this.reached(last);
  }

  /** The front goes on from a cell to its neighbours. Hot. */
  private spread(cell: number, least: number): void {
    const { columns, rows } = this.raster;
    const column = cell % columns;
    const row = (cell - column) / columns;
    if (column > 0) this.arrive(cell - 1, column - 1, row, least);
    if (column < columns - 1) this.arrive(cell + 1, column + 1, row, least);
    if (row > 0) this.arrive(cell - columns, column, row - 1, least);
    if (row < rows - 1) this.arrive(cell + columns, column, row + 1, least);
  }

  /** Godunov's upwind step: |grad time| = cost. */
  private arrive(cell: number, column: number, row: number, least: number): void {
    const { times } = this;
    if (this.settled[cell] === 1) return;
    const { columns, rows } = this.raster;
    const a = Math.min(column > 0 ? times[cell - 1]! : FAR, column < columns - 1 ? times[cell + 1]! : FAR);
    const b = Math.min(row > 0 ? times[cell - columns]! : FAR, row < rows - 1 ? times[cell + columns]! : FAR);
    const step = this.cost[cell]!;
    const slope = a - b;
    const time = slope >= step ? b + step : -slope >= step ? a + step : (a + b + Math.sqrt(2 * step * step - slope * slope)) / 2;
    if (time >= times[cell]!) return;
    times[cell] = time;
    this.wait(cell, time - least);
  }

  private wait(cell: number, delay: number): void {
    const bucket = Math.floor(delay / this.bucketWidth);
    if (bucket >= this.heads.length) {
      const heads = new Int32Array(2 * bucket).fill(-1);
      heads.set(this.heads);
      this.heads = heads;
    }
    if (this.waiting === this.waitingCells.length) {
      this.waitingCells = doubled(this.waitingCells);
      this.waitingNext = doubled(this.waitingNext);
    }
    const entry = this.waiting++;
    this.waitingCells[entry] = cell;
    this.waitingNext[entry] = this.heads[bucket]!;
    this.heads[bucket] = entry;
  }

  private reached(last: number): TimeField {
    const { raster, settled, times } = this;
    const { columns, rows, left, top, size } = raster;
    let [first, end, west, east] = [rows, 0, columns, 0];
    for (let row = 0; row < rows; row++) {
      let any = false;
      for (let column = 0; column < columns; column++) {
        if (settled[row * columns + column] === 0) continue;
        any = true;
        if (column < west) west = column;
        if (column > east) east = column;
      }
      if (!any) continue;
      first = Math.min(first, row);
      end = row;
    }
    [west, east] = atLeastTwo(west, east, columns);
    [first, end] = atLeastTwo(first, end, rows);
    const width = east - west + 1;
    const height = end - first + 1;
    const part = new Float32Array(width * height);
    for (let row = 0; row < height; row++) {
      for (let column = 0; column < width; column++) {
        const cell = (first + row) * columns + west + column;
        part[row * width + column] = settled[cell] === 1 ? times[cell]! : last;
      }
    }
    return { left: left + west * size, top: top + first * size, size, columns: width, rows: height, times: part };
  }
}

function atLeastTwo(first: number, last: number, count: number): [number, number] {
  if (last > first) return [first, last];
  return last < count - 1 ? [first, first + 1] : [last - 1, last];
}

function doubled(array: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const twice = new Int32Array(2 * array.length);
  twice.set(array);
  return twice;
}

/** The cell that a point lies in; points beyond the raster belong to its outermost cells. */
export function cellAt({ left, top, size, columns, rows }: Raster, x: number, y: number): number {
  const column = Math.min(Math.max(Math.floor((x - left) / size), 0), columns - 1);
  const row = Math.min(Math.max(Math.floor((y - top) / size), 0), rows - 1);
  return row * columns + column;
}

/** The time from a point, between the centres of the four cells around it; beyond the field that of the nearest point of it. Hot. */
export function timeAt({ left, top, size, columns, rows, times }: TimeField, x: number, y: number): number {
  let u = (x - left) / size - 0.5;
  let v = (y - top) / size - 0.5;
  if (u < 0) u = 0;
  else if (u > columns - 1) u = columns - 1;
  if (v < 0) v = 0;
  else if (v > rows - 1) v = rows - 1;
  let column = u | 0;
  let row = v | 0;
  if (column === columns - 1) column--;
  if (row === rows - 1) row--;
  const a = u - column;
  const b = v - row;
  const at = row * columns + column;
  const upper = times[at]! + (times[at + 1]! - times[at]!) * a;
  const lower = times[at + columns]! + (times[at + columns + 1]! - times[at + columns]!) * a;
  return upper + (lower - upper) * b;
}
