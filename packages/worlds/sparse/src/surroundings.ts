import { MOVABLE, NONSPATIAL, STAIRS, TRAVERSABLE } from './entity.ts';
import { BodyGrid } from './cells.ts';
import { BoxGrid } from './grid.ts';
import { roomFor } from './memory.ts';
import type { SimRegion } from './sim-region.ts';
import { BOX, type Shapes } from './shapes.ts';

const SOLID_CELL = 4;
const SPACE_CELL = 16;
/** Rows are numbered anew by place after so many ticks, so that neighbours in space are neighbours in memory. */
const TICKS_IN_ORDER = 64;
const SORT_CELL = 4;
/** A region holds fewer rows than this, so that a cell and a row fit into one double. */
const MAX_ROWS = 0x20_0000;

/** What follows from a region's rows: where things stand, and in which order bodies move. Made anew when rows come or go. */
export class Surroundings {
  /** The region's, when this was made. */
  version = 0;
  /** Whatever never moves, Spaces aside; box i belongs to row solidRow[i]. */
  readonly solids = new BoxGrid();
  solidRow = new Int32Array(0);
  /** [SW-R6] Every volume of every Space; box i belongs to row spaceRow[i]. */
  readonly spaces = new BoxGrid();
  spaceRow = new Int32Array(0);
  hasStairs = false;
  /** Rows of movable entities. */
  bodies = new Int32Array(0);
  bodyCount = 0;
  readonly bodyGrid = new BodyGrid();
  ticksInOrder = 0;
}

export function refreshSurroundings(region: SimRegion): void {
  const around = region.surroundings;
  if (around.version === region.version) return;
  around.version = region.version;
  const { shapes } = region.store;
  const solids: number[] = [];
  const spaces: number[] = [];
  const spaceRow: number[] = [];
  around.bodyCount = 0;
  if (around.bodies.length < region.count) around.bodies = new Int32Array(roomFor(region.count, around.bodies.length));
  around.hasStairs = false;
  for (let row = 0; row < region.count; row++) {
    const flags = region.flags[row]!;
    if ((flags & NONSPATIAL) !== 0) continue;
    if ((flags & STAIRS) !== 0) around.hasStairs = true;
    if ((flags & MOVABLE) !== 0) around.bodies[around.bodyCount++] = row;
    else if ((flags & TRAVERSABLE) === 0) solids.push(row);
    else {
      const shape = region.shape[row]!;
      for (let v = shapes.first[shape]!; v < shapes.first[shape + 1]!; v++) {
        spaceRow.push(row);
        spaces.push(v);
      }
    }
  }
  around.bodyGrid.survey(region, around.bodies, around.bodyCount);
  around.solidRow = Int32Array.from(solids);
  around.solids.build(boxesOf(region, solids, null, shapes), solids.length, SOLID_CELL);
  around.spaceRow = Int32Array.from(spaceRow);
  around.spaces.build(boxesOf(region, spaceRow, spaces, shapes), spaceRow.length, SPACE_CELL);
}

/** The boxes of rows in the region's coordinates: of one volume each, or of all volumes together. */
function boxesOf(region: SimRegion, rows: readonly number[], volumes: readonly number[] | null, shapes: Shapes): Float64Array {
  const boxes = new Float64Array(rows.length * BOX);
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!;
    const from = volumes === null ? region.shape[row]! * BOX : volumes[i]! * BOX;
    const corners = volumes === null ? shapes.total : shapes.volumes;
    for (let corner = 0; corner < 2; corner++) {
      boxes[i * BOX + corner * 3] = region.px[row]! + corners[from + corner * 3]!;
      boxes[i * BOX + corner * 3 + 1] = region.py[row]! + corners[from + corner * 3 + 1]!;
      boxes[i * BOX + corner * 3 + 2] = region.pz[row]! + corners[from + corner * 3 + 2]!;
    }
  }
  return boxes;
}

/** Now and then numbers the rows anew by place. Results do not depend on the numbers of rows, time does. */
export function tidyRows(region: SimRegion): void {
  if (region.surroundings.ticksInOrder++ % TICKS_IN_ORDER !== 0) return;
  const { count, px, py, pz } = region;
  const keys = new Float64Array(count);
  for (let row = 0; row < count; row++) {
    const x = Math.floor(px[row]! / SORT_CELL) & 1023;
    const y = Math.floor(py[row]! / SORT_CELL) & 1023;
    const z = Math.floor(pz[row]! / SORT_CELL) & 1023;
    keys[row] = ((z * 1024 + y) * 1024 + x) * MAX_ROWS + row;
  }
  keys.sort();
  region.renumber(Int32Array.from(keys, (key) => key % MAX_ROWS));
}
