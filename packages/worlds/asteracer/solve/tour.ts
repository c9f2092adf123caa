import { cellAt, Marcher, type Raster, timeAt, type TimeField } from '@lockstep/solve';
import type { Circle, RaceMap } from '../src/map.ts';
import { CRUISE, type Ground, type Terrain } from './terrain.ts';

/** How far around the shortest way a field is known, in ticks. */
const AROUND = 60;

/** The map's fields for one kind of ground. */
export class Fields {
  readonly map: RaceMap;
  readonly raster: Raster;
  private readonly marcher: Marcher;
  private readonly costs: Float32Array;

  constructor(map: RaceMap, terrain: Terrain, ground: Ground) {
    this.map = map;
    this.raster = terrain.raster;
    this.costs = terrain.costs(ground);
    this.marcher = new Marcher(this.raster, this.costs, this.raster.size / CRUISE);
  }

  /** The time to a point from everywhere. */
  to(x: number, y: number): TimeField {
    return this.marcher.march(new Map([[cellAt(this.raster, x, y), 0]]));
  }

  /**
   * The time to go to goals in their order from everywhere near the way, one field a leg: a goal is reached anywhere in its disc, and goes
   * on from there with the next leg's time. The way begins at the goal `before`, or at the start where there is none.
   */
  tour(order: readonly number[], before?: number): TimeField[] {
    const { goals, racer } = this.map;
    const fields: TimeField[] = [];
    for (let leg = order.length - 1; leg >= 0; leg--) {
      const from = leg === 0 ? before : order[leg - 1]!;
      const wanted = from === undefined ? [cellAt(this.raster, racer.x, racer.y)] : this.landing(goals[from]!);
      fields[leg] = this.marcher.march(this.seeds(goals[order[leg]!]!, fields[leg + 1]), wanted, AROUND);
    }
    return fields;
  }

  /** The first leg's field over the whole map. */
  whole([first, ...others]: readonly [number, ...number[]]): TimeField {
    return this.marcher.march(this.seeds(this.map.goals[first]!, this.tour(others, first)[0]));
  }

  private seeds(goal: Circle, next: TimeField | undefined): Map<number, number> {
    return new Map(this.disc(goal).map((cell) => [cell, next === undefined ? 0 : this.timeFrom(next, cell)]));
  }

  private timeFrom(field: TimeField, cell: number): number {
    const { left, top, size, columns } = this.raster;
    const column = cell % columns;
    const row = (cell - column) / columns;
    return timeAt(field, left + (column + 0.5) * size, top + (row + 0.5) * size);
  }

  /** The cells from which a goal is reached, at least one. */
  private disc({ x, y, radius }: Circle): number[] {
    const { left, top, size, columns, rows } = this.raster;
    const reach = radius + this.map.racer.radius;
    const cells: number[] = [];
    const last = Math.min(Math.floor((y + reach - top) / size), rows - 1);
    const east = Math.min(Math.floor((x + reach - left) / size), columns - 1);
    for (let row = Math.max(Math.floor((y - reach - top) / size), 0); row <= last; row++) {
      const dy = top + (row + 0.5) * size - y;
      for (let column = Math.max(Math.floor((x - reach - left) / size), 0); column <= east; column++) {
        const dx = left + (column + 0.5) * size - x;
        if (dx * dx + dy * dy <= reach * reach) cells.push(row * columns + column);
      }
    }
    return cells.length > 0 ? cells : [cellAt(this.raster, x, y)];
  }

  /** Those of a goal's cells that a racer can be in without touching rock, or else all. */
  private landing(goal: Circle): number[] {
    const disc = this.disc(goal);
    const open = disc.filter((cell) => this.costs[cell]! * CRUISE <= this.raster.size * 1.01);
    return open.length > 0 ? open : disc;
  }
}
