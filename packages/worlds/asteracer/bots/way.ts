import type { BoundingBox, Circle } from '../src/map.ts';
import type { Briefing } from '../src/view.ts';

const MOST_CELLS_ACROSS = 2500;
/** A way through rock costs so much more: it is still a way, for whoever stands in it. */
const ROCK = 25;
/** Straight and slanting steps, as whole numbers in the ratio of a square's side and diagonal. */
const STRAIGHT = 10;
const SLANTING = 14;

/** Longer than any way. */
const FAR = 0x3fff_ffff;
/** How much further than the racer ways are looked for: it may swing out. */
const BEYOND = 1000;

/** The map as cells, free or rock, and the length of the way from each of them to a goal. */
export class WayFinder {
  private readonly columns: number;
  private readonly rows: number;
  private readonly size: number;
  private readonly left: number;
  private readonly top: number;
  private readonly cost: Int32Array;

  constructor({ box, racer, asteroids }: Briefing) {
    const width = box.max_x - box.min_x;
    const height = box.max_y - box.min_y;
    this.left = box.min_x;
    this.top = box.min_y;
    this.size = Math.max(racer.radius, Math.max(width, height) / MOST_CELLS_ACROSS, 1);
    this.columns = Math.floor(width / this.size) + 1;
    this.rows = Math.floor(height / this.size) + 1;
    this.cost = new Int32Array(this.columns * this.rows).fill(1);
    this.markWalls(box, racer.radius);
    for (const asteroid of asteroids) this.markRock(asteroid, asteroid.radius + racer.radius * 1.1);
  }

  /** Where the racer would reach over a side of the box. */
  private markWalls(box: BoundingBox, reach: number): void {
    for (let row = 0; row < this.rows; row++) {
      for (let column = 0; column < this.columns; column++) {
        const x = this.left + (column + 0.5) * this.size;
        const y = this.top + (row + 0.5) * this.size;
        if (x - reach < box.min_x || x + reach > box.max_x || y - reach < box.min_y || y + reach > box.max_y)
          this.cost[row * this.columns + column] = ROCK;
      }
    }
  }

  private markRock({ x, y }: Circle, reach: number): void {
    const lastColumn = this.column(x + reach);
    const lastRow = this.row(y + reach);
    for (let row = this.row(y - reach); row <= lastRow; row++) {
      for (let column = this.column(x - reach); column <= lastColumn; column++) {
        const dx = this.left + (column + 0.5) * this.size - x;
        const dy = this.top + (row + 0.5) * this.size - y;
        if (dx * dx + dy * dy < reach * reach) this.cost[row * this.columns + column] = ROCK;
      }
    }
  }

  /** The way's length from every cell about as far as `from`, in tenths of a cell: cells in the order of their distance, one bucket each. */
  waysTo(goal: Circle, from: { readonly x: number; readonly y: number }): Int32Array {
    const { columns, rows, cost } = this;
    const ways = new Int32Array(columns * rows).fill(FAR);
    const buckets: number[][] = [[this.row(goal.y) * columns + this.column(goal.x)]];
    const start = this.row(from.y) * columns + this.column(from.x);
    ways[buckets[0]![0]!] = 0;
    for (let way = 0; way < buckets.length && way - BEYOND < ways[start]!; way++) {
      for (const cell of buckets[way] ?? []) {
        if (ways[cell] !== way) continue;
        const column = cell % columns;
        const row = (cell - column) / columns;
        for (let dy = -1; dy <= 1; dy++) {
          for (let dx = -1; dx <= 1; dx++) {
            if (column + dx < 0 || column + dx >= columns || row + dy < 0 || row + dy >= rows) continue;
            const next = cell + dy * columns + dx;
            const length = way + (dx !== 0 && dy !== 0 ? SLANTING : STRAIGHT) * cost[next]!;
            if (length >= ways[next]!) continue;
            ways[next] = length;
            (buckets[length] ??= []).push(next);
          }
        }
      }
    }
    return ways;
  }

  /** The way's length from a point, between the centres of the four cells around it. */
  lengthAt(ways: Int32Array, x: number, y: number): number {
    const u = (x - this.left) / this.size - 0.5;
    const v = (y - this.top) / this.size - 0.5;
    const column = Math.min(Math.max(Math.floor(u), 0), Math.max(this.columns - 2, 0));
    const row = Math.min(Math.max(Math.floor(v), 0), Math.max(this.rows - 2, 0));
    const right = Math.min(column + 1, this.columns - 1);
    const below = Math.min(row + 1, this.rows - 1);
    const at = (c: number, r: number): number => ways[r * this.columns + c]!;
    const upper = at(column, row) + (at(right, row) - at(column, row)) * (u - column);
    const lower = at(column, below) + (at(right, below) - at(column, below)) * (u - column);
    return upper + (lower - upper) * (v - row);
  }

  /** The same by way of the best of the nine cells around: sees lanes of one cell, where the mean above sees their walls. */
  narrowLengthAt(ways: Int32Array, x: number, y: number): number {
    const u = (x - this.left) / this.size - 0.5;
    const v = (y - this.top) / this.size - 0.5;
    let least = Infinity;
    for (let row = this.row(y) - 1; row <= this.row(y) + 1; row++) {
      for (let column = this.column(x) - 1; column <= this.column(x) + 1; column++) {
        if (column < 0 || column >= this.columns || row < 0 || row >= this.rows) continue;
        const length = ways[row * this.columns + column]! + STRAIGHT * Math.sqrt((u - column) * (u - column) + (v - row) * (v - row));
        if (length < least) least = length;
      }
    }
    return least;
  }

  private column(x: number): number {
    return Math.min(Math.max(Math.floor((x - this.left) / this.size), 0), this.columns - 1);
  }
  private row(y: number): number {
    return Math.min(Math.max(Math.floor((y - this.top) / this.size), 0), this.rows - 1);
  }
}
