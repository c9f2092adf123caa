import { ARC_INSIDE, ARC_OUTSIDE, CIRCLE, COS_HALF, LEN, NX, NY, ONE_WAY, PLANE, PX, PY, RADIUS, REACH, SEGMENT } from './primitives.ts';
import { APPROACH, enterCircle, fallTime, leaveCircle } from './roots.ts';

/**
 * [PB-4] When a ball that flies along X + s t + a t²/2 hits one primitive, whose numbers start at data[o]. Infinity if it does not within T.
 * Why nothing slips through where primitives meet: the centre cannot get past the end of a segment or an arc within r of the line without
 * coming within r of the end itself, which is a point collider. So a test may look at the range where the line is reached, and nowhere else. Hot.
 */
export function hitTime(
  kind: number,
  data: Float64Array,
  o: number,
  x: number,
  y: number,
  vx: number,
  vy: number,
  ax: number,
  ay: number,
  r: number,
  T: number,
  touch: number,
): number {
  const dx = x - data[o + PX]!;
  const dy = y - data[o + PY]!;
  if (kind === CIRCLE) return enterCircle(dx, dy, vx, vy, ax, ay, data[o + REACH]!, T, touch);
  if (kind === ARC_INSIDE) return arcInsideTime(data, o, dx, dy, vx, vy, ax, ay, T, touch);
  if (kind === ARC_OUTSIDE) return arcOutsideTime(data, o, dx, dy, vx, vy, ax, ay, T, touch);

  let nx = data[o + NX]!;
  let ny = data[o + NY]!;
  let height = dx * nx + dy * ny;
  let v = vx * nx + vy * ny;
  let a = ax * nx + ay * ny;
  if (kind === SEGMENT && (height < 0 || (height === 0 && v > 0))) {
    nx = -nx;
    ny = -ny;
    height = -height;
    v = -v;
    a = -a;
  }
  const h = height - r;
  if (kind === PLANE) {
    if (v >= 0 && a >= 0) return Infinity;
    return fallTime(h, v, a, touch, APPROACH * (Math.abs(vx) + Math.abs(vy)), APPROACH * (Math.abs(ax) + Math.abs(ay)));
  }
  return faceTime(kind, data, o, dx, dy, vx, vy, ax, ay, h, v, a, r, T, touch);
}

/** [PB-4.4] One side of a segment; of a two-sided one, first the side where the centre is. */
function faceTime(
  kind: number,
  data: Float64Array,
  o: number,
  dx: number,
  dy: number,
  vx: number,
  vy: number,
  ax: number,
  ay: number,
  h: number,
  v: number,
  a: number,
  r: number,
  T: number,
  touch: number,
): number {
  const nx = data[o + NX]!;
  const ny = data[o + NY]!;
  const len = data[o + LEN]!;
  const u = dx * ny - dy * nx;
  const vu = vx * ny - vy * nx;
  const au = ax * ny - ay * nx;
  const inside = u >= 0 && u <= len;
  // In front of the line and above it, or within r of it: only then "overlapping and approaching" is a hit at once (PB-G10).
  const front = h > touch || (inside && h >= (kind === ONE_WAY ? -touch : -r));
  if (front) {
    const t = fallTime(h, v, a, touch, APPROACH * (Math.abs(vx) + Math.abs(vy)), APPROACH * (Math.abs(ax) + Math.abs(ay)));
    if (t < T) {
      const at = u + t * (vu + (t * au) / 2);
      if (at >= 0 && at <= len) return t;
    }
  }
  if (a === 0) return Infinity;
  // With an acceleration the ball may pass the line beside the segment and come back: to this side (the later root) or, below, to the other one.
  if (!front && a < 0 && v > 0) {
    const t = laterFall(h, v, a);
    if (t < T && within(u, vu, au, t, len)) return t;
  }
  if (kind === SEGMENT && a > 0) {
    const t = laterFall(-h - 2 * r, -v, -a);
    if (t < T && within(u, vu, au, t, len)) return t;
  }
  return Infinity;
}

/** The time at which a height that must first rise above 0 comes back to it; a < 0. */
function laterFall(h: number, v: number, a: number): number {
  const square = v * v - 2 * a * h;
  if (square <= 0 || v <= 0) return Infinity;
  return (v + Math.sqrt(square)) / -a;
}

export function within(u: number, vu: number, au: number, t: number, len: number): boolean {
  const at = u + t * (vu + (t * au) / 2);
  return at >= 0 && at <= len;
}

/** The time from `t` on until the circle is entered, for a start that is on the circle or outside at `t`. */
export function enterFrom(
  t: number,
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
  return enterCircle(dx + t * (vx + (t * ax) / 2), dy + t * (vy + (t * ay) / 2), vx + t * ax, vy + t * ay, ax, ay, R, T - t, touch);
}

function leaveFrom(
  t: number,
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
  return leaveCircle(dx + t * (vx + (t * ax) / 2), dy + t * (vy + (t * ay) / 2), vx + t * ax, vy + t * ay, ax, ay, R, T - t, touch);
}

/** Is the direction of d + v t + a t²/2 one of the arc's? */
function inArc(data: Float64Array, o: number, t: number, dx: number, dy: number, vx: number, vy: number, ax: number, ay: number): boolean {
  const cosHalf = data[o + COS_HALF]!;
  if (cosHalf === -2) return true;
  const x = dx + t * (vx + (t * ax) / 2);
  const y = dy + t * (vy + (t * ay) / 2);
  return x * data[o + NX]! + y * data[o + NY]! >= cosHalf * Math.sqrt(x * x + y * y);
}

/** [PB-4.6] A parabola meets a circle at most four times: it can enter by a gap and leave, twice. */
const PASSES = 3;

function arcInsideTime(
  data: Float64Array,
  o: number,
  dx: number,
  dy: number,
  vx: number,
  vy: number,
  ax: number,
  ay: number,
  T: number,
  touch: number,
): number {
  const R = data[o + REACH]!;
  const radius = data[o + RADIUS]!;
  const square = dx * dx + dy * dy;
  let t = 0;
  // A centre outside of the circle is not this side's; one between R and the radius is, where the arc is.
  if (square > R * R && (square >= radius * radius || !inArc(data, o, 0, dx, dy, vx, vy, ax, ay))) {
    t = enterCircle(dx, dy, vx, vy, ax, ay, R, T, touch);
    if (!(t < T)) return Infinity;
  }
  for (let pass = 0; pass < PASSES; pass++) {
    t += leaveFrom(t, dx, dy, vx, vy, ax, ay, R, T, touch);
    if (!(t < T)) return Infinity;
    if (inArc(data, o, t, dx, dy, vx, vy, ax, ay)) return t;
    if (ax === 0 && ay === 0) return Infinity;
    t += enterFrom(t, dx, dy, vx, vy, ax, ay, R, T, touch);
    if (!(t < T)) return Infinity;
  }
  return Infinity;
}

function arcOutsideTime(
  data: Float64Array,
  o: number,
  dx: number,
  dy: number,
  vx: number,
  vy: number,
  ax: number,
  ay: number,
  T: number,
  touch: number,
): number {
  const R = data[o + REACH]!;
  const radius = data[o + RADIUS]!;
  const square = dx * dx + dy * dy;
  let t = 0;
  // Below R, but not on the outside of the arc: it must leave before it can enter.
  if (square < R * R - 2 * R * touch && (square <= radius * radius || !inArc(data, o, 0, dx, dy, vx, vy, ax, ay))) {
    if (ax === 0 && ay === 0) return Infinity;
    t = leaveCircle(dx, dy, vx, vy, ax, ay, R, T, touch);
    if (!(t < T)) return Infinity;
  }
  for (let pass = 0; pass < PASSES; pass++) {
    t += enterFrom(t, dx, dy, vx, vy, ax, ay, R, T, touch);
    if (!(t < T)) return Infinity;
    if (inArc(data, o, t, dx, dy, vx, vy, ax, ay)) return t;
    if (ax === 0 && ay === 0) return Infinity;
    t += leaveFrom(t, dx, dy, vx, vy, ax, ay, R, T, touch);
    if (!(t < T)) return Infinity;
  }
  return Infinity;
}
