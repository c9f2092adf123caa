/**
 * When does a ball on a parabola reach a line or a circle? Every answer is a time from now, Infinity where it never does. No speed is ever
 * normalised, signs are kept, and of two forms of a root the one without cancellation is taken (PB-G1, PB-G2, PB-G4).
 *
 * The motion is handed over in an array, and so is the answer: numbers given to a function that V8 does not inline are put on the heap.
 */
export type Motion = Float64Array;
/** d + v t + a t²/2, seen from the centre of a circle or from a point of a line; how long it lasts; the circle's radius; the answer. */
export const DX = 0;
export const DY = 1;
export const VX = 2;
export const VY = 3;
export const AX = 4;
export const AY = 5;
export const SPAN = 6;
export const RADIUS_SUM = 7;
export const TIME = 8;
/** No point of the motion is farther than this from its start; the height that rounding leaves between things in contact. */
export const WAY = 9;
export const TOUCH = 10;
/** For `hitTime`: the ball itself, from which DX and DY are made. */
export const BALL_X = 11;
export const BALL_Y = 12;
export const BALL_R = 13;
export const MOTION_SIZE = 14;

/** [PB-G7] Speeds below this part of the ball's own are rounding: they do not approach. */
export const APPROACH = 1e-12;

/**
 * [PB-4.2] The first time at which a height h, with speed v and constant acceleration a, comes down to 0. Below 0 it is there already, if it
 * does not rise. `touch` is the height that rounding leaves between things in contact; speeds within vTol of 0 and accelerations within aTol are 0.
 */
export function fallTime(h: number, v: number, a: number, touch: number, vTol: number, aTol: number): number {
  if (h <= touch) {
    if (!(v < -vTol)) {
      if (a >= -aTol) return Infinity;
      return v <= vTol ? 0 : (-2 * v) / a;
    }
    if (h <= 0) return 0;
  }
  const square = v * v - 2 * a * h;
  if (v < 0) return square <= 0 ? Infinity : (2 * h) / (Math.sqrt(square) - v);
  return a < 0 ? (v + Math.sqrt(square)) / -a : Infinity;
}

/**
 * The first t in [0, T) where k0 + k1 t + k2 t² + k3 t³ + k4 t⁴, which is not negative at 0, comes down to 0.
 *
 * From a time where the value is p and the slope s, and with m the least second derivative on what is left of [0, T], the polynomial stays
 * above p + s τ + m τ²/2 (Taylor). It cannot be 0 before that parabola is, so each jump to the parabola's first root is safe; value and slope
 * agree at its start, so the jumps converge as Newton's do.
 */
export function firstRoot(k0: number, k1: number, k2: number, k3: number, k4: number, T: number): number {
  let t = 0;
  for (let i = 0; i < 60; i++) {
    const p = k0 + t * (k1 + t * (k2 + t * (k3 + t * k4)));
    const s = k1 + t * (2 * k2 + t * (3 * k3 + t * 4 * k4));
    if (p <= 0 && s < 0) return t;
    const m = leastCurvature(k2, k3, k4, t, T);
    if (m >= 0 && s >= 0) return Infinity;
    const square = s * s - 2 * m * p;
    if (square < 0) return Infinity;
    const jump = s < 0 ? (2 * p) / (Math.sqrt(square) - s) : (s + Math.sqrt(square)) / -m;
    t += jump;
    if (t >= T) return Infinity;
    if (jump <= 1e-16 * t) return t;
  }
  return t;
}

/** The least value of 2 k2 + 6 k3 t + 12 k4 t² between t and T. */
function leastCurvature(k2: number, k3: number, k4: number, t: number, T: number): number {
  const atStart = 2 * k2 + t * (6 * k3 + 12 * k4 * t);
  const atEnd = 2 * k2 + T * (6 * k3 + 12 * k4 * T);
  const least = atStart < atEnd ? atStart : atEnd;
  if (k4 <= 0) return least;
  const turn = -k3 / (4 * k4);
  return turn > t && turn < T ? 2 * k2 - (0.75 * k3 * k3) / k4 : least;
}

/**
 * [PB-4.3] The first time at which the motion comes from outside to the distance R of the origin. A ball that is there or inside already is
 * there at 0 if it approaches. Hot.
 */
export function enterCircle(m: Motion): void {
  const dx = m[DX]!;
  const dy = m[DY]!;
  const vx = m[VX]!;
  const vy = m[VY]!;
  const R = m[RADIUS_SUM]!;
  const c = dx * dx + dy * dy - R * R;
  m[TIME] = Infinity;
  if (m[AX] === 0 && m[AY] === 0) {
    const b = dx * vx + dy * vy;
    if (b >= 0) return;
    const vv = vx * vx + vy * vy;
    if (c <= 0) {
      if (b < -APPROACH * R * Math.sqrt(vv)) m[TIME] = 0;
      return;
    }
    const square = b * b - vv * c;
    if (square > 0) m[TIME] = c / (Math.sqrt(square) - b);
    return;
  }
  const way = m[WAY]!;
  if (c <= way * (2 * R + way)) enterBent(m, c); // else |d| > R + way
}

function enterBent(m: Motion, c: number): void {
  const dx = m[DX]!;
  const dy = m[DY]!;
  const vx = m[VX]!;
  const vy = m[VY]!;
  const ax = m[AX]!;
  const ay = m[AY]!;
  const R = m[RADIUS_SUM]!;
  const T = m[SPAN]!;
  const touch = m[TOUCH]!;
  const b = dx * vx + dy * vy;
  const vv = vx * vx + vy * vy;
  const k2 = vv + dx * ax + dy * ay;
  const k3 = vx * ax + vy * ay;
  const k4 = (ax * ax + ay * ay) / 4;
  const bTol = APPROACH * R * Math.sqrt(vv);
  if (c > 2 * R * touch) m[TIME] = firstRoot(c, 2 * b, k2, k3, k4, T);
  else if (b < -bTol) m[TIME] = c <= 0 ? 0 : firstRoot(c, 2 * b, k2, k3, k4, T);
  // In contact, c is rounding and one root is now: the next is that of the polynomial divided by t.
  else if (b > bTol) m[TIME] = firstRoot(2 * b, k2, k3, k4, 0, T);
  else if (k2 < -APPROACH * R * (Math.abs(ax) + Math.abs(ay))) m[TIME] = 0;
  else m[TIME] = firstRoot(k2 > 0 ? k2 : 0, k3, k4, 0, 0, T);
}

/** [PB-4.6] The first time at which the motion comes from inside to the distance R of the origin; for a start outside, after it entered. */
export function leaveCircle(m: Motion): void {
  const dx = m[DX]!;
  const dy = m[DY]!;
  const vx = m[VX]!;
  const vy = m[VY]!;
  const R = m[RADIUS_SUM]!;
  const c = R * R - dx * dx - dy * dy;
  if (m[AX] !== 0 || m[AY] !== 0) {
    leaveBent(m, c);
    return;
  }
  const b = dx * vx + dy * vy;
  const vv = vx * vx + vy * vy;
  const square = b * b + vv * c;
  if (vv === 0) m[TIME] = Infinity;
  else if (c <= 0 && b >= 0) m[TIME] = 0;
  else if (square <= 0) m[TIME] = Infinity;
  else m[TIME] = b >= 0 ? c / (b + Math.sqrt(square)) : (Math.sqrt(square) - b) / vv;
}

function leaveBent(m: Motion, c: number): void {
  const dx = m[DX]!;
  const dy = m[DY]!;
  const vx = m[VX]!;
  const vy = m[VY]!;
  const ax = m[AX]!;
  const ay = m[AY]!;
  const R = m[RADIUS_SUM]!;
  const T = m[SPAN]!;
  const edge = 2 * R * m[TOUCH]!;
  const b = dx * vx + dy * vy;
  const vv = vx * vx + vy * vy;
  const k2 = vv + dx * ax + dy * ay;
  const k3 = vx * ax + vy * ay;
  const k4 = (ax * ax + ay * ay) / 4;
  const bTol = APPROACH * R * Math.sqrt(vv);
  if (c > edge) m[TIME] = firstRoot(c, -2 * b, -k2, -k3, -k4, T);
  else if (b > bTol) m[TIME] = c <= 0 ? 0 : firstRoot(c, -2 * b, -k2, -k3, -k4, T);
  else if (b < -bTol && c < -edge) leaveAfterEntering(m);
  else if (b < -bTol) m[TIME] = firstRoot(-2 * b, -k2, -k3, -k4, 0, T);
  else if (k2 > APPROACH * R * (Math.abs(ax) + Math.abs(ay))) m[TIME] = 0;
  else m[TIME] = firstRoot(k2 < 0 ? -k2 : 0, -k3, -k4, 0, 0, T);
}

function leaveAfterEntering(m: Motion): void {
  enterCircle(m);
  const t = m[TIME]!;
  if (!(t < m[SPAN]!)) return;
  const ax = m[AX]!;
  const ay = m[AY]!;
  const x = m[DX]! + t * (m[VX]! + (t * ax) / 2);
  const y = m[DY]! + t * (m[VY]! + (t * ay) / 2);
  const vx = m[VX]! + ax * t;
  const vy = m[VY]! + ay * t;
  const b = -(x * vx + y * vy);
  const k2 = vx * vx + vy * vy + x * ax + y * ay;
  // At the point of entry one root is now; divided out as above.
  m[TIME] = t + firstRoot(2 * Math.max(b, 0), -k2, -(vx * ax + vy * ay), -(ax * ax + ay * ay) / 4, 0, m[SPAN]! - t);
}

/** The motion from its time t on, into `to`. */
export function shift(m: Motion, t: number, to: Motion): void {
  const ax = m[AX]!;
  const ay = m[AY]!;
  to[DX] = m[DX]! + t * (m[VX]! + (t * ax) / 2);
  to[DY] = m[DY]! + t * (m[VY]! + (t * ay) / 2);
  to[VX] = m[VX]! + t * ax;
  to[VY] = m[VY]! + t * ay;
  to[AX] = ax;
  to[AY] = ay;
  to[SPAN] = m[SPAN]! - t;
  to[RADIUS_SUM] = m[RADIUS_SUM]!;
  to[WAY] = 2 * m[WAY]!; // from another point of it
  to[TOUCH] = m[TOUCH]!;
}
