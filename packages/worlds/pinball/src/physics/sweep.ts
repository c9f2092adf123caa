import { ARC_INSIDE, ARC_OUTSIDE, CIRCLE, COS_HALF, LEN, NX, NY, ONE_WAY, PLANE, PX, PY, RADIUS, REACH, SEGMENT } from './primitives.ts';
import {
  APPROACH,
  AX,
  AY,
  BALL_R,
  BALL_X,
  BALL_Y,
  DX,
  DY,
  enterCircle,
  fallTime,
  leaveCircle,
  type Motion,
  MOTION_SIZE,
  RADIUS_SUM,
  shift,
  SPAN,
  TIME,
  TOUCH,
  VX,
  VY,
  WAY,
} from './roots.ts';

/** The same motion later on. */
const later: Motion = new Float64Array(MOTION_SIZE);

/**
 * [PB-4] When the ball that flies along m hits one primitive, whose numbers start at data[o]: into m[TIME], Infinity if it does not
 * within m[SPAN]. Why nothing slips through where primitives meet: the centre cannot get past the end of a segment or an arc within r of the line
 * without coming within r of the end itself, which is a point collider. So a test may look at the range where the line is reached, and nowhere
 * else. Hot.
 */
export function hitTime(kind: number, data: Float64Array, o: number, m: Motion): void {
  const dx = m[BALL_X]! - data[o + PX]!;
  const dy = m[BALL_Y]! - data[o + PY]!;
  m[DX] = dx;
  m[DY] = dy;
  if (kind >= CIRCLE) {
    m[RADIUS_SUM] = data[o + REACH]!;
    if (kind === CIRCLE) enterCircle(m);
    else arcTime(kind, data, o, m);
    return;
  }
  const nx = data[o + NX]!;
  const ny = data[o + NY]!;
  const height = dx * nx + dy * ny;
  if ((kind === SEGMENT ? Math.abs(height) : height) - m[BALL_R]! > m[WAY]!) m[TIME] = Infinity;
  else if (kind === PLANE) planeTime(data, o, m);
  else faceTime(kind, data, o, m);
}

function planeTime(data: Float64Array, o: number, m: Motion): void {
  const nx = data[o + NX]!;
  const ny = data[o + NY]!;
  const h = m[DX]! * nx + m[DY]! * ny - m[BALL_R]!;
  const v = m[VX]! * nx + m[VY]! * ny;
  const a = m[AX]! * nx + m[AY]! * ny;
  const vTol = APPROACH * (Math.abs(m[VX]!) + Math.abs(m[VY]!));
  const aTol = APPROACH * (Math.abs(m[AX]!) + Math.abs(m[AY]!));
  m[TIME] = fallTime(h, v, a, m[TOUCH]!, vTol, aTol);
}

/** [PB-4.4] One side of a segment; of a two-sided one, first the side where the centre is. */
function faceTime(kind: number, data: Float64Array, o: number, m: Motion): void {
  const r = m[BALL_R]!;
  const nx = data[o + NX]!;
  const ny = data[o + NY]!;
  const touch = m[TOUCH]!;
  let height = m[DX]! * nx + m[DY]! * ny;
  let v = m[VX]! * nx + m[VY]! * ny;
  let a = m[AX]! * nx + m[AY]! * ny;
  if (kind === SEGMENT && (height < 0 || (height === 0 && v > 0))) {
    height = -height;
    v = -v;
    a = -a;
  }
  const h = height - r;
  const u = m[DX]! * ny - m[DY]! * nx;
  // In front of the line and above it, or within r of it: only then "overlapping and approaching" is a hit at once (PB-G10).
  const front = h > touch || (u >= 0 && u <= data[o + LEN]! && h >= (kind === ONE_WAY ? -touch : -r));
  if (front) {
    const vTol = APPROACH * (Math.abs(m[VX]!) + Math.abs(m[VY]!));
    const aTol = APPROACH * (Math.abs(m[AX]!) + Math.abs(m[AY]!));
    m[TIME] = fallTime(h, v, a, touch, vTol, aTol);
    if (meetsFace(data, o, m)) return;
  }
  // With an acceleration the ball may pass the line beside the segment and come back: to this side, or to the other one.
  m[TIME] = Infinity;
  if (!front && a < 0 && v > 0) m[TIME] = laterFall(h, v, a);
  else if (kind === SEGMENT && a > 0) m[TIME] = laterFall(-h - 2 * r, -v, -a);
  if (!meetsFace(data, o, m)) m[TIME] = Infinity;
}

/** Is m[TIME] in the motion, and the ball's foot then on the segment? */
function meetsFace(data: Float64Array, o: number, m: Motion): boolean {
  const t = m[TIME]!;
  if (!(t < m[SPAN]!)) return false;
  const nx = data[o + NX]!;
  const ny = data[o + NY]!;
  const u = m[DX]! * ny - m[DY]! * nx;
  const vu = m[VX]! * ny - m[VY]! * nx;
  const au = m[AX]! * ny - m[AY]! * nx;
  return within(u, vu, au, t, data[o + LEN]!);
}

/** The time at which a height that must first rise above 0 comes back to it; a < 0. */
function laterFall(h: number, v: number, a: number): number {
  const square = v * v - 2 * a * h;
  if (square <= 0 || v <= 0) return Infinity;
  return (v + Math.sqrt(square)) / -a;
}

/** Is the foot u + vu t + au t²/2 on a segment of this length? */
export function within(u: number, vu: number, au: number, t: number, len: number): boolean {
  const at = u + t * (vu + (t * au) / 2);
  return at >= 0 && at <= len;
}

/** The time from t on until the circle is entered, for a motion that is on the circle or outside at t. */
export function enterFrom(m: Motion, t: number): number {
  shift(m, t, later);
  enterCircle(later);
  return later[TIME]!;
}

function leaveFrom(m: Motion, t: number): number {
  shift(m, t, later);
  leaveCircle(later);
  return later[TIME]!;
}

/** Is the motion's direction at t, seen from the centre, one of the arc's? */
function inArc(data: Float64Array, o: number, m: Motion, t: number): boolean {
  const cosHalf = data[o + COS_HALF]!;
  if (cosHalf === -2) return true;
  const x = m[DX]! + t * (m[VX]! + (t * m[AX]!) / 2);
  const y = m[DY]! + t * (m[VY]! + (t * m[AY]!) / 2);
  return x * data[o + NX]! + y * data[o + NY]! >= cosHalf * Math.sqrt(x * x + y * y);
}

/** A parabola meets a circle at most four times: it can enter by a gap and leave, twice. */
const PASSES = 3;

/** [PB-4.6] First to the side of the circle that can be hit, then through it where the arc is, or on through the gap. */
function arcTime(kind: number, data: Float64Array, o: number, m: Motion): void {
  const R = m[RADIUS_SUM]!;
  const T = m[SPAN]!;
  const inside = kind === ARC_INSIDE;
  const distance = Math.sqrt(m[DX]! * m[DX]! + m[DY]! * m[DY]!);
  m[TIME] = Infinity;
  if (inside ? R - distance > m[WAY]! : distance - R > m[WAY]!) return;
  const straight = m[AX] === 0 && m[AY] === 0;
  let t = 0;
  if (isOnOtherSide(kind, data, o, m, distance)) {
    if (!inside && straight) return;
    t = inside ? enterFrom(m, 0) : leaveFrom(m, 0);
  }
  for (let pass = 0; pass < PASSES && t < T; pass++) {
    t += inside ? leaveFrom(m, t) : enterFrom(m, t);
    if (!(t < T)) return;
    if (inArc(data, o, m, t)) {
      m[TIME] = t;
      return;
    }
    if (straight) return;
    t += inside ? enterFrom(m, t) : leaveFrom(m, t);
  }
}

/** Past R as well as past the arc itself, or where there is no arc: it must come back before it can hit. */
function isOnOtherSide(kind: number, data: Float64Array, o: number, m: Motion, distance: number): boolean {
  const R = m[RADIUS_SUM]!;
  const radius = data[o + RADIUS]!;
  if (kind === ARC_OUTSIDE) return distance < R - m[TOUCH]! && (distance <= radius || !inArc(data, o, m, 0));
  return distance > R && (distance >= radius || !inArc(data, o, m, 0));
}
