import type { Raster } from '@lockstep/solve';
import type { Circle, RaceMap } from '../src/map.ts';

/** What a way through rock costs, in ways through the open. A racer that is pushed out of two rocks at once can slip between them. */
export interface Ground {
  /** How deep in rock a way may go and count as clipped, in units. */
  readonly clip: number;
  readonly clipCost: number;
  readonly rockCost: number;
}

/** [AR-2.1] Under full thrust along an axis speed comes to rest at 1261; a field's times are lengths at this speed. */
export const CRUISE = 1261;

/** Each cell is looked at in 2 × 2 points. */
const FINER = 2;
const OPEN = -1e9;

/** How far beyond the start and the goals ways are looked for: a share of their extent, and so many units at least. */
const MARGIN_SHARE = 0.25;
const MARGIN = 100_000;

/** The part of the box that ways may lead through. */
export function regionOf({ racer, box, goals }: RaceMap): { left: number; right: number; top: number; bottom: number } {
  const places = [racer, ...goals];
  const least = (at: (place: Circle) => number): number => places.reduce((low, place) => Math.min(low, at(place)), Infinity);
  const [west, east] = [least(({ x }) => x), -least(({ x }) => -x)];
  const [north, south] = [least(({ y }) => y), -least(({ y }) => -y)];
  const margin = Math.max(MARGIN_SHARE * Math.max(east - west, south - north), MARGIN);
  return {
    left: Math.min(Math.max(west - margin, box.min_x), box.max_x),
    right: Math.max(Math.min(east + margin, box.max_x), box.min_x),
    top: Math.min(Math.max(north - margin, box.min_y), box.max_y),
    bottom: Math.max(Math.min(south + margin, box.max_y), box.min_y),
  };
}

/** How deep in rock, or beyond the box, the racer's centre would be, sampled over the map. */
export class Terrain {
  readonly raster: Raster;
  private readonly depths: Float32Array;

  constructor(map: RaceMap, size: number) {
    const { racer, box, asteroids } = map;
    const { left, right, top, bottom } = regionOf(map);
    const columns = Math.max(Math.ceil((right - left) / size), 2);
    const rows = Math.max(Math.ceil((bottom - top) / size), 2);
    this.raster = { left, top, size, columns, rows };
    this.depths = new Float32Array(columns * rows * FINER * FINER).fill(OPEN);
    for (const { x, y, radius } of asteroids) this.sink(x, y, radius + racer.radius);
    this.sinkBorders(box.min_x + racer.radius, box.max_x - racer.radius, box.min_y + racer.radius, box.max_y - racer.radius);
  }

  private sink(x: number, y: number, reach: number): void {
    const { left, top, size, columns, rows } = this.raster;
    const step = size / FINER;
    const first = Math.max(Math.floor((y - reach - top) / step), 0);
    const last = Math.min(Math.floor((y + reach - top) / step), rows * FINER - 1);
    const west = Math.max(Math.floor((x - reach - left) / step), 0);
    const east = Math.min(Math.floor((x + reach - left) / step), columns * FINER - 1);
    for (let row = first; row <= last; row++) {
      const dy = top + (row + 0.5) * step - y;
      for (let column = west; column <= east; column++) {
        const dx = left + (column + 0.5) * step - x;
        const depth = reach - Math.sqrt(dx * dx + dy * dy);
        const at = row * columns * FINER + column;
        if (depth > this.depths[at]!) this.depths[at] = depth;
      }
    }
  }

  private sinkBorders(west: number, east: number, north: number, south: number): void {
    const { left, top, size, columns, rows } = this.raster;
    const step = size / FINER;
    for (let row = 0; row < rows * FINER; row++) {
      const y = top + (row + 0.5) * step;
      const beyond = Math.max(north - y, y - south);
      for (let column = 0; column < columns * FINER; column++) {
        const x = left + (column + 0.5) * step;
        const depth = Math.max(beyond, west - x, x - east);
        const at = row * columns * FINER + column;
        if (depth > this.depths[at]!) this.depths[at] = depth;
      }
    }
  }

  /** Ticks to cross each cell. */
  costs({ clip, clipCost, rockCost }: Ground): Float32Array {
    const { size, columns, rows } = this.raster;
    const costs = new Float32Array(columns * rows);
    const share = size / CRUISE / (FINER * FINER);
    for (let row = 0; row < rows * FINER; row++) {
      const into = Math.floor(row / FINER) * columns;
      for (let column = 0; column < columns * FINER; column++) {
        const depth = this.depths[row * columns * FINER + column]!;
        costs[into + Math.floor(column / FINER)]! += share * (depth <= 0 ? 1 : depth <= clip ? clipCost : rockCost);
      }
    }
    return costs;
  }
}
