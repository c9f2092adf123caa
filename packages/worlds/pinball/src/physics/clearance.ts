import type { Grid } from './grid.ts';
import type { MoverTable } from './table.ts';
import {
  ARC_INSIDE,
  ARC_OUTSIDE,
  CIRCLE,
  DISK_SENSOR,
  LEN,
  LINE_SENSOR,
  NX,
  NY,
  PLANE,
  type Primitives,
  PX,
  PY,
  RADIUS,
  REACH,
  STRIDE,
} from './primitives.ts';

/** Small cells in a cell of the grid, each way. */
const FINE = 12;
export const UNKNOWN = -1;

/**
 * [PB-4.11] How far a ball may go from a place before it can meet a static part, a sensor or a border: a lower bound, kept for small cells and
 * computed when first asked for. Most steps of a machine are shorter, and need no search at all.
 *
 * Why it is one: `freeWay` of a part is the distance from the centre to a set that contains all places where the part is hit or crossed. A
 * distance changes by no more than the way that the centre goes, so over a small cell it is that of the cell's middle less half of the diagonal. Parts
 * that the grid's cell does not list are farther than twice its margin.
 */
export class Clearance {
  readonly columns: number;
  readonly rows: number;
  readonly inverse: number;
  private readonly grid: Grid;
  private readonly parts: Primitives;
  private readonly r: number;
  private readonly movers: MoverTable;
  private readonly layers: Float64Array[] = [];
  private readonly ofMovers: Float64Array[] = [];

  constructor(grid: Grid, parts: Primitives, movers: MoverTable, r: number) {
    this.grid = grid;
    this.parts = parts;
    this.movers = movers;
    this.r = r;
    this.columns = grid.columns * FINE;
    this.rows = grid.rows * FINE;
    this.inverse = FINE * grid.inverse;
  }

  /** What is known of a layer, row by row. */
  of(layer: number): Float64Array {
    return this.layers[layer] ?? this.begin(layer);
  }

  /** How far a ball may go before it can meet a mover, wherever that is; known where `of` is. */
  fromMovers(layer: number): Float64Array {
    return this.ofMovers[layer]!;
  }

  /** Makes one known, within the grid's cell of this index. */
  learn(index: number, layer: number, cell: number): void {
    const size = this.grid.size / FINE;
    const x = this.grid.left + ((index % this.columns) + 0.5) * size;
    const y = this.grid.bottom + (Math.floor(index / this.columns) + 0.5) * size;
    this.layers[layer]![index] = this.compute(x, y, layer, cell);
    this.ofMovers[layer]![index] = this.wayToMovers(x, y, layer);
  }

  private begin(layer: number): Float64Array {
    for (let k = this.layers.length; k <= layer; k++) {
      this.layers.push(new Float64Array(this.columns * this.rows).fill(UNKNOWN));
      this.ofMovers.push(new Float64Array(this.columns * this.rows));
    }
    return this.layers[layer]!;
  }

  private compute(x: number, y: number, layer: number, cell: number): number {
    const { grid, parts, r } = this;
    const size = grid.size / FINE;
    let least = 2 * grid.margin;
    for (let at = grid.lists[3 * cell]!; at < grid.lists[3 * cell + 3]!; at++) {
      const p = grid.lists[at]!;
      if ((parts.mask[p]! & (1 << layer)) === 0) continue;
      least = Math.min(least, freeWay(parts, p, x, y, r) - 0.72 * size); // half of the diagonal is 0.7072
    }
    return Math.max(0, least - 1e-6 * r);
  }

  /** A rotor stays within its reach of its centre, a slider within that of the way between its stops. */
  private wayToMovers(x: number, y: number, layer: number): number {
    const { movers, r, grid } = this;
    let least = Infinity;
    for (let k = 0; k < movers.count; k++) {
      if ((movers.mask[k]! & (1 << layer)) === 0) continue;
      const axisX = movers.axisX[k]!;
      const axisY = movers.axisY[k]!;
      const along = (x - movers.px[k]!) * axisX + (y - movers.py[k]!) * axisY;
      const q = movers.slides[k] === 1 ? Math.max(movers.min[k]!, Math.min(movers.max[k]!, along)) : 0;
      const dx = x - movers.px[k]! - q * axisX;
      const dy = y - movers.py[k]! - q * axisY;
      least = Math.min(least, Math.sqrt(dx * dx + dy * dy) - movers.reach[k]! - 2 * r);
    }
    return least - (0.72 * grid.size) / FINE - 1e-6 * r;
  }
}

/** How far the centre is from everywhere that part p is hit or crossed. */
function freeWay({ kind, data }: Primitives, p: number, x: number, y: number, r: number): number {
  const o = p * STRIDE;
  const dx = x - data[o + PX]!;
  const dy = y - data[o + PY]!;
  const k = kind[p]!;
  const distance = Math.sqrt(dx * dx + dy * dy);
  const reach = data[o + REACH]!;
  if (k === CIRCLE) return distance - reach;
  if (k === DISK_SENSOR) return Math.abs(distance - reach);
  // Between an arc and where the ball touches it, everything counts as touching.
  if (k === ARC_OUTSIDE) return Math.max(distance - reach, data[o + RADIUS]! - distance);
  if (k === ARC_INSIDE) return Math.max(reach - distance, distance - data[o + RADIUS]!);
  const height = dx * data[o + NX]! + dy * data[o + NY]!;
  if (k === PLANE) return height - r;
  const u = dx * data[o + NY]! - dy * data[o + NX]!;
  const beside = Math.max(0, -u, u - data[o + LEN]!);
  return Math.sqrt(height * height + beside * beside) - (k >= LINE_SENSOR ? 0 : r);
}
