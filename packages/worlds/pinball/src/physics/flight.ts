import type { PhysicsState } from './state.ts';
import type { Table } from './table.ts';
import type { Work } from './work.ts';

/** [PB-2.2] Moves ball i along its present piece of flight to time t: X + s t + g t²/2, s + g t. A new piece starts there. */
export function advance(work: Work, state: PhysicsState, i: number, t: number): void {
  const tau = t - work.time[i]!;
  work.time[i] = t;
  if (work.slide[i]! >= 0) {
    endSlide(work, state, i, tau, t);
    return;
  }
  if (tau === 0) return;
  const ax = work.ax[i]!;
  const ay = work.ay[i]!;
  const way = tau * (Math.abs(state.vx[i]!) + Math.abs(state.vy[i]!) + (tau * (Math.abs(ax) + Math.abs(ay))) / 2);
  work.path[i] = work.path[i]! + way;
  state.x[i] = state.x[i]! + tau * (state.vx[i]! + (tau * ax) / 2);
  state.y[i] = state.y[i]! + tau * (state.vy[i]! + (tau * ay) / 2);
  state.vx[i] = state.vx[i]! + tau * ax;
  state.vy[i] = state.vy[i]! + tau * ay;
}

/** [PB-6.3] On the chord of a slide vx, vy only say where the ball is; its speed is what its energy says, along the arc's tangent at the end. */
function endSlide(work: Work, state: PhysicsState, i: number, tau: number, t: number): void {
  const wx = state.vx[i]!;
  const wy = state.vy[i]!;
  const moveX = tau * wx;
  const moveY = tau * wy;
  work.path[i] = work.path[i]! + Math.abs(moveX) + Math.abs(moveY);
  state.x[i] = state.x[i]! + moveX;
  state.y[i] = state.y[i]! + moveY;
  if (t >= work.slideEnd[i]!) {
    state.vx[i] = work.slideVx[i]!;
    state.vy[i] = work.slideVy[i]!;
  } else {
    const square = work.slideSquare[i]! + 2 * (work.gx[i]! * moveX + work.gy[i]! * moveY);
    const chord = Math.sqrt(wx * wx + wy * wy);
    const scale = square > 0 && chord > 0 ? Math.sqrt(square) / chord : 0;
    state.vx[i] = wx * scale;
    state.vy[i] = wy * scale;
  }
  work.slide[i] = -1;
  work.ax[i] = work.gx[i]!;
  work.ay[i] = work.gy[i]!;
}

/** The ball lies on nothing and falls freely. */
export function release(work: Work, i: number): void {
  work.under1[i] = -1;
  work.under2[i] = -1;
  work.slide[i] = -1;
  work.ax[i] = work.gx[i]!;
  work.ay[i] = work.gy[i]!;
}

/** Ball i at the start of a step. */
export function startBall(table: Table, state: PhysicsState, i: number): void {
  const { work } = table;
  feelGravity(table, state, i);
  release(work, i);
  work.time[i] = 0;
  work.path[i] = 0;
  work.hits[i] = 0;
  work.tiny[i] = 0;
  work.pushed[i] = 0;
  work.version[i] = 0;
}

/**
 * [PB-2] g at ball i: that of its region, else the table's; and the shaking of the table. In the document's integrator the step has taken it all
 * at its start, and nothing acts within the step.
 */
export function feelGravity(table: Table, state: PhysicsState, i: number): void {
  const { work, regions } = table;
  if (table.euler) {
    work.gx[i] = 0;
    work.gy[i] = 0;
    return;
  }
  const k = state.region[i]!;
  work.gx[i] = (k < 0 ? table.gx : regions[k]!.gx) + state.shakeX;
  work.gy[i] = (k < 0 ? table.gy : regions[k]!.gy) + state.shakeY;
}

/** [PB-2.1] s_{i+1} = s_i + Δt a_{i+1}, where a_{i+1} = g(X_i). */
export function kick(table: Table, state: PhysicsState, i: number, step: number): void {
  const { regions } = table;
  const k = state.region[i]!;
  state.vx[i] = state.vx[i]! + step * ((k < 0 ? table.gx : regions[k]!.gx) + state.shakeX);
  state.vy[i] = state.vy[i]! + step * ((k < 0 ? table.gy : regions[k]!.gy) + state.shakeY);
}

/** [PB-2.3] The region that holds ball i now, or -1. */
export function regionAt(table: Table, state: PhysicsState, i: number): number {
  const { regions, touch } = table;
  const bit = 1 << state.layer[i]!;
  for (let k = 0; k < regions.length; k++) {
    const region = regions[k]!;
    if ((region.mask & bit) !== 0 && region.holds(state.x[i]!, state.y[i]!, state.vx[i]!, state.vy[i]!, touch)) return k;
  }
  return -1;
}

/**
 * [PB-6.2] Ball i lies on a surface with normal n: until something else happens, neither its speed nor its acceleration goes into it. With a
 * second surface both hold: in the plane the ball slides along one of them, or it rests (PB-G7). In a corner into which gravity presses it, it
 * rests as soon as it is slower than what gravity gives it in a step: it would come back ever sooner, without end.
 */
export function lieOn(work: Work, state: PhysicsState, i: number, surface: number, nx: number, ny: number, step: number): void {
  const { out } = work;
  const first = work.under1[i]!;
  const two = first >= 0 && first !== surface;
  work.under2[i] = two ? first : -1;
  work.under2X[i] = work.under1X[i]!;
  work.under2Y[i] = work.under1Y[i]!;
  work.under1[i] = surface;
  work.under1X[i] = nx;
  work.under1Y[i] = ny;
  if (two && !restsInCorner(work, state, i, step) && leaves(work, state, i)) work.under2[i] = -1;
  project(work, i, state.vx[i]!, state.vy[i]!);
  state.vx[i] = out[0]!;
  state.vy[i] = out[1]!;
  project(work, i, work.gx[i]!, work.gy[i]!);
  work.ax[i] = out[0]!;
  work.ay[i] = out[1]!;
}

function restsInCorner(work: Work, state: PhysicsState, i: number, step: number): boolean {
  const { out } = work;
  const gx = work.gx[i]!;
  const gy = work.gy[i]!;
  project(work, i, gx, gy);
  const most = step * (Math.abs(gx) + Math.abs(gy));
  if (out[0] !== 0 || out[1] !== 0 || Math.abs(state.vx[i]!) + Math.abs(state.vy[i]!) > most) return false;
  state.vx[i] = 0;
  state.vy[i] = 0;
  return true;
}

/** Does the ball, once it moves along the first surface, move away from the second? */
function leaves(work: Work, state: PhysicsState, i: number): boolean {
  const nx = work.under1X[i]!;
  const ny = work.under1Y[i]!;
  const part = state.vy[i]! * nx - state.vx[i]! * ny;
  return part * (nx * work.under2Y[i]! - ny * work.under2X[i]!) > 1e-12 * Math.abs(part);
}

/** The nearest vector to (x, y) that goes into none of the surfaces under ball i, into out. */
function project(work: Work, i: number, x: number, y: number): void {
  const { out } = work;
  const n1x = work.under1X[i]!;
  const n1y = work.under1Y[i]!;
  const d1 = x * n1x + y * n1y;
  out[0] = x;
  out[1] = y;
  if (work.under2[i]! < 0) {
    if (d1 < 0) slideBy(out, n1x, n1y, x, y, 0, 0);
    return;
  }
  const n2x = work.under2X[i]!;
  const n2y = work.under2Y[i]!;
  const d2 = x * n2x + y * n2y;
  if (d1 >= 0 && d2 >= 0) return;
  if (d1 < 0 && slideBy(out, n1x, n1y, x, y, n2x, n2y)) return;
  if (d2 < 0 && slideBy(out, n2x, n2y, x, y, n1x, n1y)) return;
  out[0] = 0;
  out[1] = 0;
}

/** The part of (x, y) along the surface with normal n, into out; whether it does not go into the other surface, with normal m. */
function slideBy(out: Float64Array, nx: number, ny: number, x: number, y: number, mx: number, my: number): boolean {
  const part = y * nx - x * ny;
  out[0] = part * -ny;
  out[1] = part * nx;
  return part * (nx * my - ny * mx) >= -1e-12 * Math.abs(part);
}
