import { UNKNOWN } from './clearance.ts';
import { DISK_SENSOR, LINE_SENSOR, NX, NY, PX, PY, REACH, STRIDE } from './primitives.ts';
import { remember } from './sensors.ts';
import { MOVING, type PhysicsState } from './state.ts';
import type { Table } from './table.ts';

/** With more balls than this the pairs are too many to look at. */
export const FEW = 8;
/** What a ball to which something happens may go beyond its way, in radii, before balls that are left out of the step matter. */
const SPARE = 0.5;

/**
 * Balls to which nothing can happen in this step, whatever happens to others: no part, no mover and no other ball is so near. Most steps at 1 kHz
 * have only such. Marks them in work.quiet; true if there are no others, and no mover comes to its stop.
 */
export function lookForQuiet(table: Table, state: PhysicsState, step: number): boolean {
  const { work, capacity } = table;
  const { status } = state;
  let all = moversAreFree(table, state, step);
  let moving = 0;
  for (let i = 0; i < capacity; i++) {
    work.quiet[i] = 0;
    if (status[i] !== MOVING) continue;
    moving++;
    if (isFree(table, state, i, step)) work.quiet[i] = 1;
  }
  if (table.ballBall && moving > 1) markNear(table, state);
  work.anyQuiet = false;
  for (let i = 0; i < capacity; i++) {
    if (work.quiet[i] === 1) work.anyQuiet = true;
    else if (status[i] === MOVING) all = false;
  }
  return all;
}

/** Quiet balls move on at once, as by `advance`, bit by bit. */
export function advanceQuiet(table: Table, state: PhysicsState, step: number): void {
  const { work, capacity } = table;
  for (let i = 0; i < capacity; i++) {
    if (work.quiet[i] === 0) continue;
    seeSensors(table, state, i, work.quietCell[i]!);
    const ax = work.quietX[i]!;
    const ay = work.quietY[i]!;
    state.x[i] = state.x[i]! + step * (state.vx[i]! + (step * ax) / 2);
    state.y[i] = state.y[i]! + step * (state.vy[i]! + (step * ay) / 2);
    state.vx[i] = state.vx[i]! + step * ax;
    state.vy[i] = state.vy[i]! + step * ay;
  }
}

/** And movers that reach no stop, as by `advanceMover`. */
export function advanceFreeMovers(table: Table, state: PhysicsState, step: number): void {
  const { movers, work } = table;
  for (let k = 0; k < movers.count; k++) {
    const w = work.quietRate[k]!;
    state.rate[k] = w;
    if (w !== 0) state.place[k] = state.place[k]! + w * step;
  }
}

/** Quiet balls are taken out of the step, or put back: a held ball is not there. */
export function holdQuiet(table: Table, state: PhysicsState, status: number): void {
  const { quiet } = table.work;
  for (let i = 0; i < table.capacity; i++) if (quiet[i] === 1) state.status[i] = status;
}

/** Did the balls to which something happened stay so near that those left out of the step could not meet them? */
export function stayedNear(table: Table, state: PhysicsState): boolean {
  const { work, capacity, r } = table;
  for (let i = 0; i < capacity; i++)
    if (state.status[i] === MOVING && work.quiet[i] === 0 && work.path[i]! > work.quietWay[i]! + SPARE * r) return false;
  return true;
}

/** Notes all that a step changes. */
export function save(table: Table, state: PhysicsState): void {
  const { saved, savedBits } = table.work;
  let at = 0;
  for (let i = 0; i < table.capacity; i++) {
    saved[at++] = state.x[i]!;
    saved[at++] = state.y[i]!;
    saved[at++] = state.vx[i]!;
    saved[at++] = state.vy[i]!;
    saved[at++] = state.spin[i]!;
    saved[at++] = state.region[i]!;
  }
  for (let k = 0; k < table.movers.count; k++) {
    saved[at++] = state.place[k]!;
    saved[at++] = state.rate[k]!;
  }
  for (let w = 0; w < savedBits.length; w++) savedBits[w] = state.beyond[w]!;
}

export function putBack(table: Table, state: PhysicsState): void {
  const { saved, savedBits } = table.work;
  let at = 0;
  for (let i = 0; i < table.capacity; i++) {
    state.x[i] = saved[at++]!;
    state.y[i] = saved[at++]!;
    state.vx[i] = saved[at++]!;
    state.vy[i] = saved[at++]!;
    state.spin[i] = saved[at++]!;
    state.region[i] = saved[at++]!;
  }
  for (let k = 0; k < table.movers.count; k++) {
    state.place[k] = saved[at++]!;
    state.rate[k] = saved[at++]!;
  }
  state.beyond.set(savedBits);
}

/** [PB-4.8] As `beginMovers`, into quietRate; does none reach a stop within the step? */
function moversAreFree(table: Table, state: PhysicsState, step: number): boolean {
  const { movers, work } = table;
  let free = true;
  for (let k = 0; k < movers.count; k++) {
    const place = state.place[k]!;
    const w = state.rate[k]! + state.drive[k]! * step;
    const blocked = (w > 0 && place >= movers.max[k]!) || (w < 0 && place <= movers.min[k]!);
    work.quietRate[k] = blocked ? 0 : w;
    if (blocked || w === 0) continue;
    const end = place + w * step * 1.001;
    if (!(end > movers.min[k]! && end < movers.max[k]!)) free = false;
  }
  return free;
}

/** Does ball i meet no part and no mover within the step? Its gravity, its way at most and its cell of the grid go into work. */
function isFree(table: Table, state: PhysicsState, i: number, step: number): boolean {
  const { work, grid, regions } = table;
  const region = state.region[i]!;
  const ax = (region < 0 ? table.gx : regions[region]!.gx) + state.shakeX;
  const ay = (region < 0 ? table.gy : regions[region]!.gy) + state.shakeY;
  const x = state.x[i]!;
  const y = state.y[i]!;
  const vx = state.vx[i]!;
  const vy = state.vy[i]!;
  const bend = Math.abs(ax) + Math.abs(ay);
  const way = step * (Math.abs(vx) + Math.abs(vy) + (step * bend) / 2);
  work.quietX[i] = ax;
  work.quietY[i] = ay;
  work.quietWay[i] = way;
  work.wayAhead[0] = way;
  if (bend * step * step > 8 * grid.margin) return false;
  const { left, bottom, inverse, columns, rows } = grid;
  const column = Math.floor((x - left) * inverse);
  const row = Math.floor((y - bottom) * inverse);
  if (!(column >= 0 && row >= 0 && column < columns && row < rows)) return false;
  if (column !== Math.floor((x + (vx + (ax * step) / 2) * step - left) * inverse)) return false;
  if (row !== Math.floor((y + (vy + (ay * step) / 2) * step - bottom) * inverse)) return false;
  const cell = row * columns + column;
  if (!isClear(table, state, i, cell)) return false;
  work.quietCell[i] = cell;
  return work.fromMovers[0]! > way || isApart(table, state, i, way, step);
}

/** Is ball i farther from every mover than it may go? */
function isApart(table: Table, state: PhysicsState, i: number, way: number, step: number): boolean {
  const { work, movers, r } = table;
  const bit = 1 << state.layer[i]!;
  for (let k = 0; k < movers.count; k++) {
    if ((movers.mask[k]! & bit) === 0) continue;
    const slides = movers.slides[k] === 1;
    const q = slides ? state.place[k]! : 0;
    const dx = state.x[i]! - movers.px[k]! - q * movers.axisX[k]!;
    const dy = state.y[i]! - movers.py[k]! - q * movers.axisY[k]!;
    const reach = movers.reach[k]! + 2 * r + way + (slides ? Math.abs(work.quietRate[k]!) * step : 0);
    if (dx * dx + dy * dy <= reach * reach) return false;
  }
  return true;
}

/** Is a way of the length work.wayAhead shorter than what is clear around ball i, in this cell of the grid? */
export function isClear(table: Table, state: PhysicsState, i: number, cell: number): boolean {
  const { clearance, grid, work } = table;
  const { columns, rows, inverse } = clearance;
  const layer = state.layer[i]!;
  const column = ((state.x[i]! - grid.left) * inverse) | 0;
  const row = ((state.y[i]! - grid.bottom) * inverse) | 0;
  if (column >= columns || row >= rows) return false;
  const known = clearance.of(layer);
  const index = row * columns + column;
  if (known[index] === UNKNOWN) clearance.learn(index, layer, cell);
  work.fromMovers[0] = clearance.fromMovers(layer)[index]!;
  return work.wayAhead[0]! < known[index]!;
}

/** Balls that may come together, wherever they go, are not quiet. */
function markNear(table: Table, state: PhysicsState): void {
  const { capacity, work, r } = table;
  const { status, layer, x, y } = state;
  for (let i = 1; i < capacity; i++) {
    if (status[i] !== MOVING) continue;
    for (let j = 0; j < i; j++) {
      if (status[j] !== MOVING || layer[i] !== layer[j]) continue;
      const dx = x[i]! - x[j]!;
      const dy = y[i]! - y[j]!;
      const near = (2.01 + SPARE) * r + work.quietWay[i]! + work.quietWay[j]!;
      if (dx * dx + dy * dy > near * near) continue;
      work.quiet[i] = 0;
      work.quiet[j] = 0;
    }
  }
}

/** [PB-4.10] A ball that is far enough from the sensors of a cell of the grid sees on which side of them it is, as in a search. */
export function seeSensors(table: Table, state: PhysicsState, i: number, cell: number): void {
  const { parts, grid, touch } = table;
  const { kind, mask, data } = parts;
  const { lists } = grid;
  const bit = 1 << state.layer[i]!;
  for (let at = lists[3 * cell + 2]!; at < lists[3 * cell + 3]!; at++) {
    const p = lists[at]!;
    if (kind[p]! < LINE_SENSOR || (mask[p]! & bit) === 0) continue;
    const o = p * STRIDE;
    const dx = state.x[i]! - data[o + PX]!;
    const dy = state.y[i]! - data[o + PY]!;
    if (kind[p] === DISK_SENSOR) {
      const R = data[o + REACH]!;
      const c = dx * dx + dy * dy - R * R;
      if (Math.abs(c) > 2 * R * touch) remember(table, state, i, p, c < 0);
    } else {
      const height = dx * data[o + NX]! + dy * data[o + NY]!;
      if (Math.abs(height) > touch) remember(table, state, i, p, height > 0);
    }
  }
}
