import { regionAt } from './flight.ts';
import { moverAt } from './movers.ts';
import {
  ARC_INSIDE,
  ARC_OUTSIDE,
  BORDER,
  COS_HALF,
  DISK_SENSOR,
  FACE,
  LEN,
  LINE_SENSOR,
  NX,
  NY,
  ONE_WAY,
  PX,
  PY,
  RADIUS,
  SEGMENT,
  STRIDE,
} from './primitives.ts';
import { surfaceAt } from './reaction.ts';
import { MOVING, type PhysicsState } from './state.ts';
import type { Table } from './table.ts';

const SWEEPS = 8;

/** [PB-3.1] Puts ball i on the table at rest; see pushOut for what it answers. */
export function placeBall(table: Table, state: PhysicsState, i: number, x: number, y: number, layer = 0): boolean {
  state.x[i] = x;
  state.y[i] = y;
  state.vx[i] = 0;
  state.vy[i] = 0;
  state.spin[i] = 0;
  state.layer[i] = layer;
  state.status[i] = MOVING;
  const legal = pushOut(table, state, i);
  state.region[i] = regionAt(table, state, i);
  return legal;
}

/** [PB-2.4] Ball i goes on on another layer, where it is: a ramp's entrance or exit. */
export function enterLayer(table: Table, state: PhysicsState, i: number, layer: number): void {
  state.layer[i] = layer;
  state.region[i] = regionAt(table, state, i);
}

/**
 * [PB-3.1] Interpenetration after a spawn or a teleport: ball i is pushed out of what it overlaps along the nearest normal, in at most 8 sweeps,
 * and loses speed that goes inwards, never anything else. False if it still overlaps something.
 */
export function pushOut(table: Table, state: PhysicsState, i: number): boolean {
  for (let sweep = 0; sweep < SWEEPS; sweep++) if (!sweepOnce(table, state, i)) return true;
  return false;
}

function sweepOnce(table: Table, state: PhysicsState, i: number): boolean {
  const { parts, movers, work, touch, r } = table;
  const { out } = work;
  const bit = 1 << state.layer[i]!;
  let moved = false;
  for (let p = 0; p < parts.count; p++) {
    const kind = parts.kind[p]!;
    if ((parts.mask[p]! & bit) === 0 || kind === LINE_SENSOR || kind === DISK_SENSOR || kind === BORDER || kind === ONE_WAY) continue;
    if (state.enabled[parts.owner[p]!] === 0) continue;
    surfaceAt(table, state, i, p);
    if (out[2]! < -touch && overlaps(table, state, i, p)) moved = push(state, i, out) || moved;
  }
  for (let k = 0; k < movers.count; k++) {
    if ((movers.mask[k]! & bit) === 0) continue;
    work.moverStart[k] = 0;
    moverAt(table, state, i, k);
    if (out[2]! < -touch) moved = push(state, i, out) || moved;
  }
  if (!table.ballBall) return moved;
  for (let j = 0; j < table.capacity; j++) {
    if (j === i || state.status[j] !== MOVING || state.layer[j] !== state.layer[i]) continue;
    const dx = state.x[i]! - state.x[j]!;
    const dy = state.y[i]! - state.y[j]!;
    const distance = Math.sqrt(dx * dx + dy * dy);
    out[0] = distance > 0 ? dx / distance : 1;
    out[1] = distance > 0 ? dy / distance : 0;
    out[2] = distance - 2 * r;
    if (out[2] < -touch) moved = push(state, i, out) || moved;
  }
  return moved;
}

function push(state: PhysicsState, i: number, out: Float64Array): boolean {
  const nx = out[0]!;
  const ny = out[1]!;
  state.x[i] = state.x[i]! - out[2]! * nx;
  state.y[i] = state.y[i]! - out[2]! * ny;
  const vn = state.vx[i]! * nx + state.vy[i]! * ny;
  if (vn < 0) {
    state.vx[i] = state.vx[i]! - vn * nx;
    state.vy[i] = state.vy[i]! - vn * ny;
  }
  return true;
}

/** The ball is behind the surface of part p; is it there that the surface is? */
function overlaps(table: Table, state: PhysicsState, i: number, p: number): boolean {
  const { parts, r } = table;
  const { data } = parts;
  const o = p * STRIDE;
  const kind = parts.kind[p]!;
  const dx = state.x[i]! - data[o + PX]!;
  const dy = state.y[i]! - data[o + PY]!;
  if (kind === FACE || kind === SEGMENT) {
    const u = dx * data[o + NY]! - dy * data[o + NX]!;
    if (u < 0 || u > data[o + LEN]!) return false;
    const height = dx * data[o + NX]! + dy * data[o + NY]!;
    if (kind === SEGMENT || height >= 0) return true;
    return data[o + RADIUS]! > 0 ? height >= -data[o + RADIUS]! : isNearestFace(table, state, i, p, height);
  }
  if (kind !== ARC_INSIDE && kind !== ARC_OUTSIDE) return true;
  const distance = Math.sqrt(dx * dx + dy * dy);
  const cosHalf = data[o + COS_HALF]!;
  if (cosHalf !== -2 && dx * data[o + NX]! + dy * data[o + NY]! < cosHalf * distance) return false;
  const radius = data[o + RADIUS]!;
  return kind === ARC_INSIDE ? distance < radius : distance >= radius && distance < radius + r;
}

/** The centre is behind face p of a polygon: is it inside of the polygon, and no face of it nearer? */
function isNearestFace(table: Table, state: PhysicsState, i: number, p: number, height: number): boolean {
  const { parts } = table;
  const { data } = parts;
  let inside = false;
  for (let q = 0; q < parts.count; q++) {
    if (parts.kind[q] !== FACE || parts.owner[q] !== parts.owner[p]) continue;
    const o = q * STRIDE;
    const px = data[o + PX]!;
    const py = data[o + PY]!;
    const nx = data[o + NX]!;
    const ny = data[o + NY]!;
    const dx = state.x[i]! - px;
    const dy = state.y[i]! - py;
    const endY = py - data[o + LEN]! * nx;
    const own = dx * nx + dy * ny;
    // A ray towards +x crosses the face if its ends are on both sides of it and the centre is to the left of it.
    if (py > state.y[i]! !== endY > state.y[i]! && nx !== 0 && own / -nx > 0) inside = !inside;
    const u = dx * ny - dy * nx;
    if (q !== p && u >= 0 && u <= data[o + LEN]! && own < 0 && own > height) return false;
  }
  return inside;
}
