/**
 * When does a ball on a parabola reach a line or a circle? Every answer is a time from now, Infinity where it never does. No speed is ever
 * normalised, signs are kept, and of two forms of a root the one without cancellation is taken (PB-G1, PB-G2, PB-G4).
 */

/** [PB-G7] Speeds below this part of the ball's own are rounding: they do not approach. */
export const APPROACH = 1e-12;

/**
 * [PB-4.2] The first time at which a height h, with speed v and constant acceleration a, comes down to 0. Below 0 it is there already, if it
 * does not rise. `touch` is the height that rounding leaves between things in contact; speeds within vTol of 0 and accelerations within aTol are 0.
 */
export function fallTime(h: number, v: number, a: number, touch: number, vTol: number, aTol: number): number {
  if (h <= touch) {
    if (v < -vTol && h <= 0) return 0;
    if (v < -vTol) return earlierRoot(h, v, a);
    if (a >= -aTol) return Infinity;
    return v <= vTol ? 0 : (-2 * v) / a;
  }
  if (v < 0) return earlierRoot(h, v, a);
  return a < 0 ? (v + Math.sqrt(v * v - 2 * a * h)) / -a : Infinity;
}

/** Of h + v t + a t²/2, for h > 0 and v < 0. */
function earlierRoot(h: number, v: number, a: number): number {
  const square = v * v - 2 * a * h;
  return square <= 0 ? Infinity : (2 * h) / (Math.sqrt(square) - v);
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
 * [PB-4.3] The first time at which d + v t + a t²/2 comes from outside to the distance R of the origin. A ball that is there or inside already
 * is there at 0 if it approaches.
 */
export function enterCircle(
  dx: number,
  dy: number,
  vx: number,
  vy: number,
  ax: number,
  ay: number,
  R: number,
  T: number,
  touch: number,
): number {
  const c = dx * dx + dy * dy - R * R;
  const b = dx * vx + dy * vy;
  const vv = vx * vx + vy * vy;
  if (ax === 0 && ay === 0) {
    if (b >= 0) return Infinity;
    if (c <= 0) return b < -APPROACH * R * Math.sqrt(vv) ? 0 : Infinity;
    const square = b * b - vv * c;
    return square <= 0 ? Infinity : c / (Math.sqrt(square) - b);
  }
  const k2 = vv + dx * ax + dy * ay;
  const k3 = vx * ax + vy * ay;
  const k4 = (ax * ax + ay * ay) / 4;
  if (c > 2 * R * touch) return firstRoot(c, 2 * b, k2, k3, k4, T);
  const bTol = APPROACH * R * Math.sqrt(vv);
  if (b < -bTol) return c <= 0 ? 0 : firstRoot(c, 2 * b, k2, k3, k4, T);
  // In contact, c is rounding and one root is now: the next is that of the polynomial divided by t.
  if (b > bTol) return firstRoot(2 * b, k2, k3, k4, 0, T);
  if (k2 < -APPROACH * R * (Math.abs(ax) + Math.abs(ay))) return 0;
  return firstRoot(k2 > 0 ? k2 : 0, k3, k4, 0, 0, T);
}

/** [PB-4.6] The first time at which d + v t + a t²/2 comes from inside to the distance R of the origin; for a start outside, after it entered. */
export function leaveCircle(
  dx: number,
  dy: number,
  vx: number,
  vy: number,
  ax: number,
  ay: number,
  R: number,
  T: number,
  touch: number,
): number {
  const c = R * R - dx * dx - dy * dy;
  const b = dx * vx + dy * vy;
  const vv = vx * vx + vy * vy;
  if (ax === 0 && ay === 0) {
    if (vv === 0) return Infinity;
    if (c <= 0 && b >= 0) return 0;
    const square = b * b + vv * c;
    if (square <= 0) return Infinity;
    return b >= 0 ? c / (b + Math.sqrt(square)) : (Math.sqrt(square) - b) / vv;
  }
  const k2 = vv + dx * ax + dy * ay;
  const k3 = vx * ax + vy * ay;
  const k4 = (ax * ax + ay * ay) / 4;
  if (c > 2 * R * touch) return firstRoot(c, -2 * b, -k2, -k3, -k4, T);
  const bTol = APPROACH * R * Math.sqrt(vv);
  if (b > bTol) return c <= 0 ? 0 : firstRoot(c, -2 * b, -k2, -k3, -k4, T);
  if (b < -bTol) {
    if (c < -2 * R * touch) return leaveAfterEntering(dx, dy, vx, vy, ax, ay, R, T, touch);
    return firstRoot(-2 * b, -k2, -k3, -k4, 0, T);
  }
  if (k2 > APPROACH * R * (Math.abs(ax) + Math.abs(ay))) return 0;
  return firstRoot(k2 < 0 ? -k2 : 0, -k3, -k4, 0, 0, T);
}

function leaveAfterEntering(
  dx: number,
  dy: number,
  vx: number,
  vy: number,
  ax: number,
  ay: number,
  R: number,
  T: number,
  touch: number,
): number {
  const t = enterCircle(dx, dy, vx, vy, ax, ay, R, T, touch);
  if (t >= T) return Infinity;
  const x = dx + t * (vx + (t * ax) / 2);
  const y = dy + t * (vy + (t * ay) / 2);
  const b = -(x * (vx + ax * t) + y * (vy + ay * t));
  // From the point of entry on, one root is now; divided out as above.
  const ux = vx + ax * t;
  const uy = vy + ay * t;
  const k2 = ux * ux + uy * uy + x * ax + y * ay;
  return t + firstRoot(2 * Math.max(b, 0), -k2, -(ux * ax + uy * ay), -(ax * ax + ay * ay) / 4, 0, T - t);
}
