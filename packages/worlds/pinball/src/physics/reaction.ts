import { lieOn, release } from './flight.ts';
import { HIT_COLLIDER, type HitLog } from './hits.ts';
import { ARC_INSIDE, COS_HALF, NX, NY, PX, PY, REACH, SEGMENT, STRIDE } from './primitives.ts';
import { APPROACH } from './roots.ts';
import type { PhysicsState } from './state.ts';
import type { Table } from './table.ts';

/** [PB-G7] So many hits without a way between them are no longer bounces: the ball lies on what it hits. */
export const WEDGED = 16;
/** Elastic surfaces keep even the smallest bounces, but not more of them than this in a step. */
const ELASTIC_HOPS = 64;
/** A bounce along the inside of an arc that would be followed by more than about this many in the step is a slide. */
const ARC_HOPS = 32;
/** A hit at less than this part of the speed along the surface grazes it. */
const GRAZE = 0.02;
/** The greatest angle of a piece of a slide along an arc. */
const SLIDE_ANGLE = 1 / 16;

/** [PB-5.4] 1/m + r²/I of a ball of mass 1, where I = 2/5 m r². */
const TURN = 3.5;

/** [PB-4] The normal of part p at ball i, and the distance from the ball to it along the normal, into work.out. */
export function surfaceAt(table: Table, state: PhysicsState, i: number, p: number): void {
  const { parts, r } = table;
  const { out } = table.work;
  const { data } = parts;
  const o = p * STRIDE;
  const kind = parts.kind[p]!;
  const dx = state.x[i]! - data[o + PX]!;
  const dy = state.y[i]! - data[o + PY]!;
  if (kind < 4 || kind > ARC_INSIDE) {
    const nx = data[o + NX]!;
    const ny = data[o + NY]!;
    const height = dx * nx + dy * ny;
    const side = kind === SEGMENT && height < 0 ? -1 : 1;
    out[0] = side * nx;
    out[1] = side * ny;
    out[2] = side * height - r;
    return;
  }
  const distance = Math.sqrt(dx * dx + dy * dy);
  const sign = kind === ARC_INSIDE ? -1 : 1;
  out[0] = distance > 0 ? (sign * dx) / distance : 1;
  out[1] = distance > 0 ? (sign * dy) / distance : 0;
  out[2] = sign * (distance - data[o + REACH]!);
}

/**
 * [PB-5] "Mirror the speed on the surface, keeping the tangential component, but reflecting the normal one." Ball i has been moved to the time
 * of the hit; its normal distance from part p is put right first, and with it the energy.
 */
export function reactToPart(
  table: Table,
  state: PhysicsState,
  i: number,
  p: number,
  squareBefore: number,
  step: number,
  log: HitLog,
): void {
  const { work, materials, parts } = table;
  const { out } = work;
  surfaceAt(table, state, i, p);
  const nx = out[0]!;
  const ny = out[1]!;
  const gap = out[2]!;
  // [PB-G11] X_c = C + r n, along the normal only.
  state.x[i] = state.x[i]! - gap * nx;
  state.y[i] = state.y[i]! - gap * ny;
  if (squareBefore >= 0) keepEnergy(state, i, squareBefore - 2 * gap * (work.ax[i]! * nx + work.ay[i]! * ny));

  const vx = state.vx[i]!;
  const vy = state.vy[i]!;
  const vn = vx * nx + vy * ny;
  const tolerance = APPROACH * (Math.abs(vx) + Math.abs(vy));
  const arc = parts.kind[p] === ARC_INSIDE;
  const vt = vx * -ny + vy * nx;
  const curve = arc ? (vt * vt) / parts.data[p * STRIDE + REACH]! : 0;
  // A ball that already lies on something is pressed by what is left of gravity there.
  const press = -Math.min(work.gx[i]! * nx + work.gy[i]! * ny, work.ax[i]! * nx + work.ay[i]! * ny);
  if (vn > tolerance || (vn >= -tolerance && press + curve <= 0)) {
    release(work, i);
    return;
  }
  const owner = parts.owner[p]!;
  const impact = vn < 0 ? -vn : 0;
  const throwSpeed = materials.throwSpeed[owner]!;
  if (throwSpeed > 0 && impact >= materials.throwAbove[owner]! && impact > 0) {
    // [PB-5.6] Tangential speed kept, normal speed set.
    state.vx[i] = vx + (throwSpeed - vn) * nx;
    state.vy[i] = vy + (throwSpeed - vn) * ny;
    release(work, i);
    tell(table, state, i, owner, impact, nx, ny, log);
    return;
  }
  const c = materials.restitution[owner]! / (1 + materials.falloff[owner]! * impact);
  const friction = materials.friction[owner]!;
  const soft = impact <= restSpeed(c, press, curve, vt, step);
  if (!soft) tell(table, state, i, owner, impact, nx, ny, log);
  if (soft || c === 0 || work.tiny[i]! >= WEDGED) {
    const left = step - work.time[i]!;
    if (friction > 0) rub(table, state, i, nx, ny, friction * (impact + Math.max(0, press + curve) * left));
    if (c === 1 && friction === 0 && Math.abs(vt) > 10 * impact) keepSpeed(state, i, nx, ny, vt, vn);
    if (arc && press + curve > 0) slideAlong(table, state, i, p, step);
    else lieOn(work, state, i, p, nx, ny, step);
    return;
  }
  bounce(state, i, nx, ny, vn, c, friction === 0);
  if (friction > 0) rub(table, state, i, nx, ny, friction * (1 + c) * impact);
  release(work, i);
}

/**
 * [PB-6.1] Impacts up to this speed come to rest: what gravity gives in a step; and on the inside of an arc what would be followed by many more
 * such hits, as long as it is a graze. An elastic surface keeps its bounces but for the smallest.
 */
function restSpeed(c: number, press: number, curve: number, vt: number, step: number): number {
  if (press + curve <= 0) return 0;
  const graze = Math.min((curve * step) / ARC_HOPS, GRAZE * Math.abs(vt));
  return graze + (Math.max(0, press) * step) / (c === 1 ? ELASTIC_HOPS : 1);
}

function tell(table: Table, state: PhysicsState, i: number, owner: number, speed: number, nx: number, ny: number, log: HitLog): void {
  const { r, work } = table;
  log.add(HIT_COLLIDER, i, owner, work.time[i]!, speed, state.x[i]! - r * nx, state.y[i]! - r * ny, nx, ny);
}

/** [PB-G5] Scales the speed so that its square is the one that energy asks for; only ever corrects rounding. */
export function keepEnergy(state: PhysicsState, i: number, square: number): void {
  const vx = state.vx[i]!;
  const vy = state.vy[i]!;
  const have = vx * vx + vy * vy;
  if (!(Math.abs(square - have) < 1e-6 * have)) return;
  // As an addition: a factor so near to 1 would itself be rounded, always to the same side.
  const part = (square - have) / (2 * have);
  state.vx[i] = vx + vx * part;
  state.vy[i] = vy + vy * part;
}

/** [PB-5.3] v - (1 + c)(v.n) n. A speed that rounding left inwards is taken out (PB-G7); an elastic hit keeps |v| to the last bit (PB-G17). */
function bounce(state: PhysicsState, i: number, nx: number, ny: number, vn: number, c: number, smooth: boolean): void {
  const vx = state.vx[i]!;
  const vy = state.vy[i]!;
  let ux = vx - (1 + c) * vn * nx;
  let uy = vy - (1 + c) * vn * ny;
  const left = ux * nx + uy * ny;
  if (left < 0) {
    ux -= left * nx;
    uy -= left * ny;
  }
  state.vx[i] = ux;
  state.vy[i] = uy;
  if (c === 1 && smooth) keepEnergy(state, i, vx * vx + vy * vy);
}

/** The speed turned into the tangent, not shortened. */
function keepSpeed(state: PhysicsState, i: number, nx: number, ny: number, vt: number, vn: number): void {
  const whole = vt < 0 ? -Math.sqrt(vt * vt + vn * vn) : Math.sqrt(vt * vt + vn * vn);
  state.vx[i] = whole * -ny;
  state.vy[i] = whole * nx;
}

/** [PB-5.4] Friction turns slip at the contact into spin: at most the impulse `most`, at most until the ball rolls. */
export function rub(table: Table, state: PhysicsState, i: number, nx: number, ny: number, most: number): void {
  const { r } = table;
  const slip = state.vx[i]! * -ny + state.vy[i]! * nx - r * state.spin[i]!;
  const wanted = -slip / TURN;
  const impulse = wanted > most ? most : wanted < -most ? -most : wanted;
  state.vx[i] = state.vx[i]! - impulse * ny;
  state.vy[i] = state.vy[i]! + impulse * nx;
  state.spin[i] = state.spin[i]! - (2.5 * impulse) / r;
}

/**
 * [PB-6.3] A ball that hugs the inside of an arc slides along it: in a straight chord to a point of the arc, at the end of which the speed is
 * turned into the tangent and has the size that energy says. A chord of the circle of centres is inside of it: the ball never enters the arc.
 */
function slideAlong(table: Table, state: PhysicsState, i: number, p: number, step: number): void {
  const { work, parts } = table;
  const { data } = parts;
  const o = p * STRIDE;
  const R = data[o + REACH]!;
  const cx = data[o + PX]!;
  const cy = data[o + PY]!;
  const ux = (state.x[i]! - cx) / R;
  const uy = (state.y[i]! - cy) / R;
  const gx = work.gx[i]!;
  const gy = work.gy[i]!;
  const vt = state.vx[i]! * -uy + state.vy[i]! * ux;
  const at = gx * -uy + gy * ux;
  let time = step - work.time[i]!;
  let angle = (time * (vt + (time * at) / 2)) / R;
  if (Math.abs(angle) > SLIDE_ANGLE) {
    time = Math.min(time, (SLIDE_ANGLE * R) / (Math.abs(vt) + (Math.abs(at) * time) / 2));
    angle = (time * (vt + (time * at) / 2)) / R;
  }
  const { out } = work;
  turn(ux, uy, angle, out);
  if (!inArc(data, o, out[0]!, out[1]!)) {
    // The arc ends on the way: halve until the last angle that is still on it.
    let low = 0;
    let high = 1;
    for (let k = 0; k < 30; k++) {
      const middle = (low + high) / 2;
      turn(ux, uy, angle * middle, out);
      if (inArc(data, o, out[0]!, out[1]!)) low = middle;
      else high = middle;
    }
    time *= high;
    angle *= high;
    turn(ux, uy, angle, out);
  }
  const endX = cx + R * out[0]!;
  const endY = cy + R * out[1]!;
  const moveX = endX - state.x[i]!;
  const moveY = endY - state.y[i]!;
  const square = vt * vt + 2 * (gx * moveX + gy * moveY);
  const endPull = gx * -out[1]! + gy * out[0]!;
  const endSpeed = square > 0 ? Math.sqrt(square) : 0;
  const speed = vt + (time * (at + endPull)) / 2 < 0 ? -endSpeed : endSpeed;
  release(work, i);
  if (time <= 0 || (moveX === 0 && moveY === 0)) {
    lieOn(work, state, i, p, -ux, -uy, step);
    return;
  }
  work.slide[i] = p;
  work.slideEnd[i] = work.time[i]! + time;
  work.slideSquare[i] = vt * vt;
  work.slideVx[i] = speed * -out[1]!;
  work.slideVy[i] = speed * out[0]!;
  state.vx[i] = moveX / time;
  state.vy[i] = moveY / time;
  work.ax[i] = 0;
  work.ay[i] = 0;
}

/** (x, y) turned by a small angle: half of its tangent by two terms, then a rotation that is one to the last bit. */
function turn(x: number, y: number, angle: number, out: Float64Array): void {
  const k = (angle / 2) * (1 + (angle * angle) / 12);
  const scale = 1 / (1 + k * k);
  const c = (1 - k * k) * scale;
  const s = 2 * k * scale;
  out[0] = c * x - s * y;
  out[1] = s * x + c * y;
}

function inArc(data: Float64Array, o: number, x: number, y: number): boolean {
  const cosHalf = data[o + COS_HALF]!;
  return cosHalf === -2 || x * data[o + NX]! + y * data[o + NY]! >= cosHalf * Math.sqrt(x * x + y * y);
}
