/**
 * The document's sections 4.1, 4.2, 4.3 and 5 as they stand, one formula a line, with only signs repaired: distances along the motion are signed
 * (PB-G1), a ball at rest hits nothing (PB-G4), and the disk gets its missing δt (PB-G2). The product must agree where the text is defined.
 */
export interface Hit {
  dt: number;
  C: readonly [number, number];
  n: readonly [number, number];
}

export interface Ball {
  X: readonly [number, number];
  s: readonly [number, number];
  r: number;
}

type Vector = readonly [number, number];

const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1];
const minus = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1]];
const plus = (a: Vector, k: number, b: Vector): Vector => [a[0] + k * b[0], a[1] + k * b[1]];
const wedge = (a: Vector, b: Vector): number => a[0] * b[1] - a[1] * b[0];
const norm = (a: Vector): number => Math.sqrt(dot(a, a));

/** 4.1 "When collider is a point" */
export function hitPoint({ X, s, r }: Ball, P: Vector, Dt: number): Hit | null {
  if (norm(s) === 0) return null;
  const n = plus([0, 0], 1 / norm(s), s);
  const t: Vector = [-n[1], n[0]];
  const XP = minus(P, X);
  if (dot(XP, n) <= 0) return null;
  const XCt = dot(XP, t);
  if (!(XCt > -r && XCt < r)) return null;
  const XCn = Math.sqrt(r * r - XCt * XCt);
  const XC = plus(plus([0, 0], XCt, t), XCn, n);
  const d = Math.max(0, dot(minus(XP, XC), n));
  const dt = d / norm(s);
  return dt >= Dt ? null : { dt, C: P, n: plus([0, 0], -1 / norm(XC), XC) };
}

/** 4.2 "When collider is a half-plane" */
export function hitHalfPlane({ X, s, r }: Ball, P: Vector, n: Vector, Dt: number): Hit | null {
  if (dot(n, s) >= 0) return null;
  const CB = plus(X, -r, n);
  const t: Vector = [-n[1], n[0]];
  const C = plus(P, (wedge(CB, s) - wedge(P, s)) / wedge(t, s), t);
  const d = Math.max(0, dot(minus(C, CB), s) / norm(s));
  const dt = d / norm(s);
  return dt >= Dt ? null : { dt, C, n };
}

/** 4.3 "When collider is a disk" */
export function hitDisk({ X, s, r }: Ball, P: Vector, rD: number, Dt: number): Hit | null {
  const XP = minus(P, X);
  if (dot(s, XP) <= 0) return null;
  const unit = plus([0, 0], 1 / norm(s), s);
  const D = plus(X, dot(XP, unit), unit);
  const DP = minus(P, D);
  if (norm(DP) >= r + rD) return null;
  const X2 = plus(D, -Math.sqrt((r + rD) * (r + rD) - dot(DP, DP)), unit);
  const PX2 = minus(X2, P);
  const n = plus([0, 0], 1 / norm(PX2), PX2);
  const dt = Math.max(0, dot(minus(X2, X), unit)) / norm(s);
  return dt >= Dt ? null : { dt, C: plus(P, rD, n), n };
}

/** 5 "Continuous collision reaction" */
export function react(ball: Ball, hit: Hit, c: number, Dt: number): Ball {
  const { n } = hit;
  const Xc = plus(hit.C, ball.r, n);
  const t: Vector = [-n[1], n[0]];
  const s = plus(plus([0, 0], dot(ball.s, t), t), -c * dot(ball.s, n), n);
  return { X: plus(Xc, Dt - hit.dt, s), s, r: ball.r };
}
