import { cos, sin } from '@lockstep/kernel';
import { lieOn, release } from './flight.ts';
import { HIT_MOVER, type HitLog } from './hits.ts';
import { WEDGED } from './reaction.ts';
import { APPROACH } from './roots.ts';
import type { PhysicsState } from './state.ts';
import type { MoverTable, Table } from './table.ts';

/** Gaps below this part of the ball's radius are contact. */
const CLOSE = 1e-11;
const MAX_JUMPS = 60;
/** Slower than this, in radians or lengths a second, a mover does not bounce off its stop: the bounces would never end. */
const STOP_RATE = 1e-3;

/** [PB-4.8] The step begins: the drive acts on the rate; a mover that presses against its stop stays there. */
export function beginMovers(table: Table, state: PhysicsState, step: number): void {
  const { movers, work } = table;
  const { place, rate, drive } = state;
  for (let k = 0; k < movers.count; k++) {
    work.moverStart[k] = 0;
    work.jammed[k] = 0;
    const w = rate[k]! + drive[k]! * step;
    const blocked = (w > 0 && place[k]! >= movers.max[k]!) || (w < 0 && place[k]! <= movers.min[k]!);
    rate[k] = blocked ? 0 : w;
  }
}

/** When mover k reaches the stop it moves to. */
export function stopTime(table: Table, state: PhysicsState, k: number): number {
  const w = state.rate[k]!;
  if (w === 0) return Infinity;
  const way = (w > 0 ? table.movers.max[k]! : table.movers.min[k]!) - state.place[k]!;
  return table.work.moverStart[k]! + Math.max(0, way / w);
}

export function advanceMover(table: Table, state: PhysicsState, k: number, t: number): void {
  const { movers, work } = table;
  const w = state.rate[k]!;
  if (w !== 0) {
    const q = state.place[k]! + w * (t - work.moverStart[k]!);
    state.place[k] = q > movers.max[k]! ? movers.max[k]! : q < movers.min[k]! ? movers.min[k]! : q;
  }
  work.moverStart[k] = t;
}

/** Mover k is at its stop: it bounces off, or stays. */
export function hitStop(table: Table, state: PhysicsState, k: number): void {
  const { movers } = table;
  const w = state.rate[k]!;
  state.place[k] = w > 0 ? movers.max[k]! : movers.min[k]!;
  const back = -movers.bounce[k]! * w;
  // As for balls: what the drive gives in a step does not bounce.
  const rest = Math.abs(state.drive[k]!) * table.work.step[0]!;
  state.rate[k] = Math.abs(w) > rest && Math.abs(back) > STOP_RATE ? back : 0;
}

/** A mover and a ball at one moment. One is enough: nothing is kept in it. */
class Meeting {
  /** The centres of the disks A and B, and how fast they move. */
  ax = 0;
  ay = 0;
  bx = 0;
  by = 0;
  avx = 0;
  avy = 0;
  bvx = 0;
  bvy = 0;
  /** At the nearest point of the hull: the normal towards the ball, the distance of the ball's centre, and whether it is on a flat side. */
  nx = 0;
  ny = 0;
  distance = 0;
  flat = false;
  /** The ball's centre; the time since the start of the mover's piece. */
  x = 0;
  y = 0;
  tau = 0;
  /** The speed along n that a rate of 1 gives the surface at the contact: the moment of n about P, or the part of the axis. */
  lever = 0;
  /** For firstZero. */
  p = 0;
  s = 0;
  m = 0;
  zero = 0;
}

const at = new Meeting();

/** The disks of mover k, `at.tau` after the start of its piece. */
function moveDisks(table: Table, state: PhysicsState, k: number): void {
  const { movers, work } = table;
  const { tau } = at;
  const w = state.rate[k]!;
  const slides = movers.slides[k] === 1;
  const q = state.place[k]! + w * tau;
  if (!slides && work.turnedTo[k] !== q) {
    work.turnedTo[k] = q;
    work.cosine[k] = cos(q);
    work.sine[k] = sin(q);
  }
  const c = slides ? 1 : work.cosine[k]!;
  const s = slides ? 0 : work.sine[k]!;
  const shift = slides ? q : 0;
  const ox = movers.px[k]! + shift * movers.axisX[k]!;
  const oy = movers.py[k]! + shift * movers.axisY[k]!;
  const fx = c * movers.fromX[k]! - s * movers.fromY[k]!;
  const fy = s * movers.fromX[k]! + c * movers.fromY[k]!;
  const tx = c * movers.toX[k]! - s * movers.toY[k]!;
  const ty = s * movers.toX[k]! + c * movers.toY[k]!;
  at.ax = ox + fx;
  at.ay = oy + fy;
  at.bx = ox + tx;
  at.by = oy + ty;
  at.avx = slides ? w * movers.axisX[k]! : -w * fy;
  at.avy = slides ? w * movers.axisY[k]! : w * fx;
  at.bvx = slides ? at.avx : -w * ty;
  at.bvy = slides ? at.avy : w * tx;
}

/** The nearest point of the hull of the two disks to the ball: on a disk, or on the line that touches both on that side. */
function findNearest(movers: MoverTable, k: number): void {
  const ra = movers.fromR[k]!;
  const rb = movers.toR[k]!;
  const { x, y } = at;
  const ex = at.bx - at.ax;
  const ey = at.by - at.ay;
  const length = Math.sqrt(ex * ex + ey * ey);
  const tx = ex / length;
  const ty = ey / length;
  const dx = x - at.ax;
  const dy = y - at.ay;
  const side = dy * tx - dx * ty < 0 ? -1 : 1;
  const sine = (ra - rb) / length;
  const cosine = Math.sqrt(1 - sine * sine);
  const nx = tx * sine - side * ty * cosine;
  const ny = ty * sine + side * tx * cosine;
  const along = side * (dx * ny - dy * nx);
  at.flat = along > 0 && along < length * cosine;
  if (at.flat) {
    at.nx = nx;
    at.ny = ny;
    at.distance = dx * nx + dy * ny - ra;
    return;
  }
  const cx = along <= 0 ? dx : x - at.bx;
  const cy = along <= 0 ? dy : y - at.by;
  const distance = Math.sqrt(cx * cx + cy * cy);
  at.nx = distance > 0 ? cx / distance : nx;
  at.ny = distance > 0 ? cy / distance : ny;
  at.distance = distance - (along <= 0 ? ra : rb);
}

function findLever(movers: MoverTable, k: number): void {
  if (movers.slides[k] === 1) at.lever = movers.axisX[k]! * at.nx + movers.axisY[k]! * at.ny;
  else at.lever = (at.x - movers.px[k]!) * at.ny - (at.y - movers.py[k]!) * at.nx;
}

/** [PB-3.1] The normal of mover k at ball i and the distance between them, into work.out; both as they stand. */
export function moverAt(table: Table, state: PhysicsState, i: number, k: number): void {
  const { out } = table.work;
  at.tau = 0;
  moveDisks(table, state, k);
  at.x = state.x[i]!;
  at.y = state.y[i]!;
  findNearest(table.movers, k);
  out[0] = at.nx;
  out[1] = at.ny;
  out[2] = at.distance - table.r;
}

/** The first tau at which at.p + at.s tau + at.m tau²/2, not negative now, comes down to 0, into at.zero. */
function firstZero(): void {
  const { p, s, m } = at;
  const square = s * s - 2 * m * p;
  if ((m >= 0 && s >= 0) || square < 0) at.zero = Infinity;
  else at.zero = s < 0 ? (2 * p) / (Math.sqrt(square) - s) : (s + Math.sqrt(square)) / -m;
}

/**
 * [PB-4.8] When ball i meets mover k within the step, into work.out[0]: conservative advancement. It rests on one fact about convex bodies: while there is a
 * direction n(t) along which the ball's centre is more than r beyond the farthest point of the mover, they are apart. The farthest point of the
 * hull of two disks A and B is that of one of them. The direction is the normal at the nearest point of now, and:
 * - off a round end it stays as it is. For C = A and C = B let d(t) = (X - C).n - rC - r. Its second derivative is a.n - C".n, and
 *   |C"| = w² |C - P| when turning at constant rate w (0 when sliding), so d stays above the parabola with value and slope of now and
 *   second derivative a.n - w² |C - P|;
 * - off a flat side it turns with the mover. Both disks then stay equally far along it, and d(t) = (X - P).n - const. With |n'| = |w| its
 *   second derivative is at least -|a| - 2 |w| |X'| - w² |X - P|, bounded by the greatest |X'| and |X - P| until the step's end.
 * The mover cannot be hit before the first zero of those parabolas, so jumping there is safe; and as a parabola agrees with the gap in value
 * and slope, the jumps converge as Newton's do, always from before the hit.
 */
export function moverTime(table: Table, state: PhysicsState, i: number, k: number): void {
  const { work, movers, r } = table;
  const { out } = work;
  const end = work.step[0]!;
  out[0] = Infinity;
  if (outOfReach(table, state, i, k)) return;
  const ax = work.ax[i]!;
  const ay = work.ay[i]!;
  const ballStart = work.time[i]!;
  const moverStart = work.moverStart[k]!;
  const w = state.rate[k]!;
  const turns = movers.slides[k] === 1 ? 0 : Math.abs(w);
  const accelerates = Math.abs(ax) + Math.abs(ay);
  let t = Math.max(ballStart, moverStart);
  for (let jump = 0; jump < MAX_JUMPS; jump++) {
    const tau = t - ballStart;
    const vx = state.vx[i]! + tau * ax;
    const vy = state.vy[i]! + tau * ay;
    const x = state.x[i]! + tau * (state.vx[i]! + (tau * ax) / 2);
    const y = state.y[i]! + tau * (state.vy[i]! + (tau * ay) / 2);
    at.tau = t - moverStart;
    if (jump === 0 || w !== 0) moveDisks(table, state, k);
    at.x = x;
    at.y = y;
    findNearest(movers, k);
    const { nx, ny } = at;
    const gap = at.distance - r;
    const speed = Math.abs(vx) + Math.abs(vy);
    findLever(movers, k);
    const slope = vx * nx + vy * ny - w * at.lever;
    const an = ax * nx + ay * ny;
    if (gap <= CLOSE * r) {
      const tolerance = APPROACH * (speed + Math.abs(w) * movers.reach[k]!);
      const pressed = w === 0 && slope <= tolerance && an < -APPROACH * accelerates;
      if (slope < -tolerance || pressed) break;
    }
    let least: number;
    if (at.flat && turns > 0) {
      const left = end - t;
      const fastest = speed + accelerates * left;
      const farthest = Math.abs(x - movers.px[k]!) + Math.abs(y - movers.py[k]!) + fastest * left;
      at.p = Math.max(0, gap);
      at.s = slope;
      at.m = -accelerates - turns * (2 * fastest + turns * farthest);
      firstZero();
      least = at.zero;
    } else {
      at.p = Math.max(0, (x - at.ax) * nx + (y - at.ay) * ny - movers.fromR[k]! - r);
      at.s = (vx - at.avx) * nx + (vy - at.avy) * ny;
      at.m = an - turns * turns * movers.fromArm[k]!;
      firstZero();
      const toA = at.zero;
      at.p = Math.max(0, (x - at.bx) * nx + (y - at.by) * ny - movers.toR[k]! - r);
      at.s = (vx - at.bvx) * nx + (vy - at.bvy) * ny;
      at.m = an - turns * turns * movers.toArm[k]!;
      firstZero();
      const toB = at.zero;
      least = toA < toB ? toA : toB;
    }
    t += least;
    if (!(t < end)) return;
    if (jump > 0 && least <= 1e-16 * t) break;
  }
  out[0] = t;
}

/** Can the ball, from where it is, not come near mover k within the step? */
function outOfReach(table: Table, state: PhysicsState, i: number, k: number): boolean {
  const { movers, work, r } = table;
  const end = work.step[0]!;
  const slides = movers.slides[k] === 1;
  const q = slides ? state.place[k]! : 0;
  const dx = state.x[i]! - movers.px[k]! - q * movers.axisX[k]!;
  const dy = state.y[i]! - movers.py[k]! - q * movers.axisY[k]!;
  const T = end - work.time[i]!;
  const speed = Math.abs(state.vx[i]!) + Math.abs(state.vy[i]!) + (T * (Math.abs(work.ax[i]!) + Math.abs(work.ay[i]!))) / 2;
  let reach = movers.reach[k]! + 2 * r + T * speed;
  if (slides) reach += Math.abs(state.rate[k]!) * (end - work.moverStart[k]!);
  return dx * dx + dy * dy > reach * reach;
}

/**
 * [PB-5.5] Ball i hits mover k, both moved to the time of the hit. The surface moves; the mover is as heavy as its inertia makes it at that
 * point: J = -(1 + c) v_rel / (1 + lever²/I). One that is pressed on its stop, or jammed, does not give way. Whether its rate has changed.
 */
export function reactToMover(table: Table, state: PhysicsState, i: number, k: number, step: number, log: HitLog): boolean {
  const { work, movers, materials, r } = table;
  const w = state.rate[k]!;
  at.tau = 0;
  at.x = state.x[i]!;
  at.y = state.y[i]!;
  moveDisks(table, state, k);
  findNearest(movers, k);
  findLever(movers, k);
  const { nx, ny, lever } = at;
  const gap = at.distance - r;
  const vn = state.vx[i]! * nx + state.vy[i]! * ny - w * lever;
  const speed = Math.abs(state.vx[i]!) + Math.abs(state.vy[i]!) + Math.abs(w) * movers.reach[k]!;
  if (work.tiny[i]! >= WEDGED && w !== 0) {
    // [PB-G7] Squeezed between the mover and something that does not give way: the mover stops for this step.
    state.rate[k] = 0;
    work.jammed[k] = 1;
    lieOn(work, state, i, table.parts.count + k, nx, ny, step);
    return true;
  }
  if (gap > 1e-6 * r || vn > APPROACH * speed) {
    release(work, i);
    return false;
  }
  // In contact up to rounding: put right, so that the next search starts from the surface.
  state.x[i] = at.x - gap * nx;
  state.y[i] = at.y - gap * ny;
  const row = table.moverMaterial + k;
  const impact = vn < 0 ? -vn : 0;
  const c = materials.restitution[row]! / (1 + materials.falloff[row]! * impact);
  const press = -Math.min(work.gx[i]! * nx + work.gy[i]! * ny, work.ax[i]! * nx + work.ay[i]! * ny);
  const pull = Math.max(0, press + turningPull(table, state, i, k, w));
  // For a mover that turns far in one step, the time in which it turns a tenth of a radian counts as the step.
  const span = Math.min(step, 0.1 / Math.abs(w));
  const soft = impact <= (c === 1 ? pull / 64 : pull) * span;
  if (soft && w === 0 && carries(table, state, k, press)) {
    rubOnMover(table, state, i, k, materials.friction[row]! * (impact + Math.max(0, press) * (step - work.time[i]!)));
    lieOn(work, state, i, table.parts.count + k, nx, ny, step);
  } else {
    // [PB-6.4] On a surface that moves a ball at rest hops so that it lands about once a step: a contact would have to follow the turn.
    const back = soft ? (pull * span) / 2 : c * impact;
    const throws = materials.throwSpeed[row]! > 0 && impact >= materials.throwAbove[row]!;
    push(table, state, i, k, impact + (throws ? materials.throwSpeed[row]! : back), materials.friction[row]!);
    release(work, i);
    if (!soft) log.add(HIT_MOVER, i, k, work.time[i]!, impact, at.x - at.distance * nx, at.y - at.distance * ny, nx, ny);
  }
  return state.rate[k] !== w;
}

/** Changes the relative normal speed of ball i and mover k by `change`, each by its inertia. */
function push(table: Table, state: PhysicsState, i: number, k: number, change: number, friction: number): void {
  const { nx, ny, lever } = at;
  const yields = isHeld(table, state, k, lever) ? 0 : table.movers.inverseInertia[k]!;
  const impulse = change / (1 + lever * lever * yields);
  state.vx[i] = state.vx[i]! + impulse * nx;
  state.vy[i] = state.vy[i]! + impulse * ny;
  state.rate[k] = state.rate[k]! - impulse * lever * yields;
  rubOnMover(table, state, i, k, friction * impulse);
}

/** Can a ball that presses on mover k, which stands, lie there? Not if its weight moves the mover: that takes its turn, by hops. */
function carries(table: Table, state: PhysicsState, k: number, press: number): boolean {
  const { movers } = table;
  const { lever } = at;
  const yields = movers.inverseInertia[k]!;
  if (yields === 0 || isHeld(table, state, k, lever)) return true;
  const weight = press * lever * yields;
  if (lever > 0) return state.place[k]! >= movers.max[k]! && state.drive[k]! >= weight;
  return state.place[k]! <= movers.min[k]! && state.drive[k]! <= weight;
}

/** How much faster than by gravity alone the surface of a turning mover comes towards the ball: minus the second derivative of the gap without it. */
function turningPull(table: Table, state: PhysicsState, i: number, k: number, w: number): number {
  const { movers } = table;
  if (w === 0 || movers.slides[k] === 1) return 0;
  const { nx, ny } = at;
  const x = state.x[i]! - movers.px[k]!;
  const y = state.y[i]! - movers.py[k]!;
  const out = x * nx + y * ny;
  if (at.flat) return w * w * out - 2 * w * (state.vy[i]! * nx - state.vx[i]! * ny);
  return -w * w * (out - at.distance); // at most: the round end also curves away
}

/** The ball pushes mover k in the direction -lever: is there a stop, or is it jammed? */
function isHeld(table: Table, state: PhysicsState, k: number, lever: number): boolean {
  const { movers, work } = table;
  if (work.jammed[k] === 1) return true;
  if (state.rate[k] !== 0) return false;
  return lever > 0 ? state.place[k]! <= movers.min[k]! : state.place[k]! >= movers.max[k]!;
}

/** [PB-5.4] The same friction, against a surface that moves and gives way. */
function rubOnMover(table: Table, state: PhysicsState, i: number, k: number, most: number): void {
  if (most === 0) return;
  const { movers, r } = table;
  const { nx, ny } = at;
  const w = state.rate[k]!;
  const lever =
    movers.slides[k] === 1
      ? movers.axisY[k]! * nx - movers.axisX[k]! * ny
      : (state.x[i]! - movers.px[k]!) * nx + (state.y[i]! - movers.py[k]!) * ny - r;
  const slip = state.vx[i]! * -ny + state.vy[i]! * nx - r * state.spin[i]! - w * lever;
  const heldBy = isHeld(table, state, k, -lever) || isHeld(table, state, k, lever) ? 0 : movers.inverseInertia[k]!;
  const wanted = -slip / (3.5 + lever * lever * heldBy);
  const impulse = wanted > most ? most : wanted < -most ? -most : wanted;
  state.vx[i] = state.vx[i]! - impulse * ny;
  state.vy[i] = state.vy[i]! + impulse * nx;
  state.spin[i] = state.spin[i]! - (2.5 * impulse) / r;
  state.rate[k] = w - impulse * lever * heldBy;
}
