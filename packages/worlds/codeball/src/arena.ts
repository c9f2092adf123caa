import type { Arena } from './rules.ts';

/** A body as the arena sees it. (Doubles travel in records: as arguments of a call that is not inlined V8 would box them.) */
export interface Round {
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly radius: number;
}

/** A body that can be told its slack. */
export interface Slack extends Round {
  slack: number;
}

/** What `touchArena` looks at and finds: the point mirrored into the quarter x, z >= 0, the nearest surface's distance and normal. */
export class Contact {
  x = 0.5;
  y = 0.5;
  z = 0.5;
  /** The centre of the sphere that is looked at. */
  cx = 0.5;
  cy = 0.5;
  cz = 0.5;
  distance = 0.5;
  nx = 0.5;
  ny = 0.5;
  nz = 0.5;
}

/** The arena's measures as the document's conditions use them, each computed once exactly as the document writes it. */
export class ArenaShape {
  readonly height: number;
  /** width / 2, depth / 2. */
  readonly sideX: number;
  readonly sideZ: number;
  /** (depth / 2) + goal_depth. */
  readonly backZ: number;
  readonly goalX: number;
  readonly goalHeight: number;
  readonly goalSideRadius: number;
  /** (goal_width / 2) + goal_side_radius, goal_height + goal_side_radius, (depth / 2) + goal_side_radius: centres of the goal's outer rounding. */
  readonly outerX: number;
  readonly outerY: number;
  readonly outerZ: number;
  /** (goal_width / 2) - goal_top_radius, goal_height - goal_top_radius: centre of the goal's top corner. */
  readonly topX: number;
  readonly topY: number;
  readonly goalTopRadius: number;
  /** goal_top_radius + goal_side_radius, goal_side_radius + bottom_radius. */
  readonly topReach: number;
  readonly postReach: number;
  readonly bottomRadius: number;
  readonly bottomSideX: number;
  readonly bottomSideZ: number;
  readonly bottomBackZ: number;
  readonly bottomGoalX: number;
  readonly topRadius: number;
  readonly ceilingY: number;
  readonly ceilingSideX: number;
  readonly ceilingSideZ: number;
  readonly cornerRadius: number;
  readonly cornerX: number;
  readonly cornerZ: number;
  readonly cornerBottomReach: number;
  readonly cornerTopReach: number;
  /** The floor zone's borders (see `floorZoneSlack`), a hair's breadth inside. */
  readonly floorX: number;
  readonly floorZ: number;
  readonly floorCornerSquare: number;
  readonly laneX: number;
  readonly laneY: number;
  readonly laneZ: number;
  /** The largest body for which `overFloorOnly` and `floorZoneSlack` hold. */
  readonly floorZoneRadius: number;

  constructor(arena: Arena) {
    this.height = arena.height;
    this.sideX = arena.width / 2;
    this.sideZ = arena.depth / 2;
    this.backZ = arena.depth / 2 + arena.goal_depth;
    this.goalX = arena.goal_width / 2;
    this.goalHeight = arena.goal_height;
    this.goalSideRadius = arena.goal_side_radius;
    this.outerX = arena.goal_width / 2 + arena.goal_side_radius;
    this.outerY = arena.goal_height + arena.goal_side_radius;
    this.outerZ = arena.depth / 2 + arena.goal_side_radius;
    this.topX = arena.goal_width / 2 - arena.goal_top_radius;
    this.topY = arena.goal_height - arena.goal_top_radius;
    this.goalTopRadius = arena.goal_top_radius;
    this.topReach = arena.goal_top_radius + arena.goal_side_radius;
    this.postReach = arena.goal_side_radius + arena.bottom_radius;
    this.bottomRadius = arena.bottom_radius;
    this.bottomSideX = arena.width / 2 - arena.bottom_radius;
    this.bottomSideZ = arena.depth / 2 - arena.bottom_radius;
    this.bottomBackZ = arena.depth / 2 + arena.goal_depth - arena.bottom_radius;
    this.bottomGoalX = arena.goal_width / 2 - arena.bottom_radius;
    this.topRadius = arena.top_radius;
    this.ceilingY = arena.height - arena.top_radius;
    this.ceilingSideX = arena.width / 2 - arena.top_radius;
    this.ceilingSideZ = arena.depth / 2 - arena.top_radius;
    this.cornerRadius = arena.corner_radius;
    this.cornerX = arena.width / 2 - arena.corner_radius;
    this.cornerZ = arena.depth / 2 - arena.corner_radius;
    this.cornerBottomReach = arena.corner_radius - arena.bottom_radius;
    this.cornerTopReach = arena.corner_radius - arena.top_radius;
    this.floorX = this.bottomSideX - 1e-9;
    this.floorZ = this.bottomSideZ - 1e-9;
    this.floorCornerSquare = this.cornerBottomReach * this.cornerBottomReach * (1 - 1e-9);
    this.laneX = this.bottomGoalX - 1e-9;
    this.laneY = this.topY - 1e-9;
    this.laneZ = this.bottomBackZ - 1e-9;
    this.floorZoneRadius = Math.min(arena.bottom_radius, arena.top_radius) * (1 - 1e-9);
  }
}

/**
 * Tells a body how far it is from leaving the floor zone: the points from which every surface but the ground is at least
 * min(bottom_radius, top_radius) away, so that a body not larger than `floorZoneRadius` can touch nothing else. It is the union of two
 * convex regions, and the slack within each is a distance to its border, so it shrinks by no more than the way gone:
 * - the field: a rounded rectangle inside the bottom rounding, up to where the ceiling's rounding begins. Side x and side z (and the goal
 *   behind it) are bottom_radius away by the rectangle's sides; the corner and its bottom rounding by its arcs (corner_radius - rho >=
 *   bottom_radius); the goal's outer rounding lies beyond side z; the ceiling is top_radius away.
 * - the lane from goal to goal: between the bottom roundings of the goal's sides and back, below its top rounding. The goal's posts, the
 *   rounding around their feet and the crossbar are bottom_radius away in x or y; its sides, back and ceiling likewise.
 * All other surfaces have a condition that does not hold there.
 */
export function floorZoneSlack(s: ArenaShape, b: Slack): void {
  const { x: px, y: py, z: pz } = b;
  const x = px < 0 ? -px : px;
  const z = pz < 0 ? -pz : pz;
  // A body below the ground may be lifted to its radius, which is less than the bottom radius.
  const y = py < s.bottomRadius ? s.bottomRadius : py;
  const dx = x - s.cornerX;
  const dz = z - s.cornerZ;
  const aside = dx > 0 && dz > 0 ? s.cornerBottomReach - Math.sqrt(dx * dx + dz * dz) : Math.min(s.bottomSideX - x, s.bottomSideZ - z);
  const inField = Math.min(aside, s.ceilingY - y);
  const inLane = Math.min(s.bottomGoalX - x, s.bottomBackZ - z, s.topY - y);
  b.slack = inField > inLane ? inField : inLane;
}

/**
 * Tells a body a lower bound of its dan_to_arena, for points inside the field (|z| < depth / 2), and one that shrinks by no more than the way gone: the
 * distance to the border of the convex rounded box that one gets by walling up the goals. It is the document's own minimum over ground,
 * ceiling, sides, corners and their roundings, with side z and its roundings everywhere; where two of them meet they agree, so it is continuous,
 * and each is 1-Lipschitz. The goal's own surfaces lie beyond side z, but for the bottom rounding around its posts, and that lies
 * within bottom_radius of side z and of the ground, where the walled-up rounding is nearer still.
 */
export function clearance(s: ArenaShape, b: Slack): void {
  const { x: px, y: py, z: pz } = b;
  const x = px < 0 ? -px : px;
  const y = py;
  const z = pz < 0 ? -pz : pz;
  const cornerDx = x - s.cornerX;
  const cornerDz = z - s.cornerZ;
  // Distance to the vertical walls, and how far inside them a rounding of radius r starts, are all the roundings need.
  const wall =
    cornerDx > 0 && cornerDz > 0
      ? s.cornerRadius - Math.sqrt(cornerDx * cornerDx + cornerDz * cornerDz)
      : Math.min(s.sideX - x, s.sideZ - z);
  b.slack = Math.min(rounded(wall, y, s.bottomRadius), rounded(wall, s.height - y, s.topRadius));
}

/** Distance to two walls at distances a and b whose edge is rounded by r. */
function rounded(a: number, b: number, r: number): number {
  const u = r - a;
  const v = r - b;
  return u > 0 && v > 0 ? r - Math.sqrt(u * u + v * v) : Math.min(a, b);
}

/**
 * [CB-2.3] dan_to_arena, for a body: true if it reaches into the nearest surface, with distance and normal in `contact`. Surfaces stand in
 * the document's order and win by strict <, so ties fall as they do there. Only a distance below the radius matters, so the search
 * starts at the radius instead of at the ground; a paragraph of the document whose condition fails is not entered.
 */
export function touchArena(s: ArenaShape, b: Round, contact: Contact): boolean {
  const { radius } = b;
  const x = b.x < 0 ? -b.x : b.x;
  const { y } = b;
  const z = b.z < 0 ? -b.z : b.z;
  if (radius < s.floorZoneRadius && inFloorZone(s, x, y, z)) {
    if (!(y < radius)) return false;
    contact.distance = y;
    contact.nx = (b.x < 0 ? MINUS : PLUS) * 0;
    contact.ny = 1;
    contact.nz = (b.z < 0 ? MINUS : PLUS) * 0;
    return true;
  }
  // The planes, in locals: most bodies that come here touch none of them.
  let best = radius;
  let nx = 0;
  let ny = 0;
  let nz = 0;
  // Ground
  if (y < best) {
    best = y;
    ny = 1;
  }
  // Ceiling
  if (-(y - s.height) < best) {
    best = -(y - s.height);
    ny = -1;
  }
  // Side x
  if (-(x - s.sideX) < best) {
    best = -(x - s.sideX);
    nx = -1;
    ny = 0;
  }
  // Side z (goal)
  if (-(z - s.backZ) < best) {
    best = -(z - s.backZ);
    nx = 0;
    ny = 0;
    nz = -1;
  }
  // Side z
  if (-(z - s.sideZ) < best && outsideGoalMouth(s, x, y)) {
    best = -(z - s.sideZ);
    nx = 0;
    ny = 0;
    nz = -1;
  }
  // Side x & ceiling (goal)
  if (z >= s.outerZ) {
    if (-(x - s.goalX) < best) {
      best = -(x - s.goalX);
      nx = -1;
      ny = 0;
      nz = 0;
    }
    if (-(y - s.goalHeight) < best) {
      best = -(y - s.goalHeight);
      nx = 0;
      ny = -1;
      nz = 0;
    }
  }
  contact.x = x;
  contact.y = y;
  contact.z = z;
  contact.distance = best;
  contact.nx = nx;
  contact.ny = ny;
  contact.nz = nz;
  // The roundings, each with the minimum of what was found before it.
  if (z > s.bottomBackZ) goalBackCorners(s, contact);
  const inCorner = x > s.cornerX && z > s.cornerZ;
  if (inCorner) sphereInner(at(contact, s.cornerX, y, s.cornerZ), s.cornerRadius);
  // Its surfaces are at least outerZ - z - goal_side_radius away.
  if (z < s.outerZ && s.outerZ - z - s.goalSideRadius < best + HAIR) goalOuterCorner(s, contact);
  if (z > s.outerZ && y > s.topY) goalInsideTopCorners(s, contact);
  if (y < s.bottomRadius) {
    bottomSides(s, contact);
    if (inCorner) cornerRounding(s, contact, s.cornerBottomReach, s.bottomRadius, s.bottomRadius);
  }
  if (y > s.ceilingY) {
    ceilingSides(s, contact);
    if (inCorner) cornerRounding(s, contact, s.cornerTopReach, s.ceilingY, s.topRadius);
  }
  if (!(contact.distance < radius)) return false;
  if (b.x < 0) contact.nx = -contact.nx;
  if (b.z < 0) contact.nz = -contact.nz;
  return true;
}

/** The ground's normal has zeros signed like the position. (Written as a product: V8 boxes the -0 of `x < 0 ? -0 : 0`.) */
export const PLUS = 1.5;
export const MINUS = -1.5;

/** Far more than the rounding of a sum of arena measures, far less than anything that matters. */
const HAIR = 1e-9;

/** In the floor zone (see `floorZoneSlack`), by a hair's breadth at least. */
function inFloorZone(s: ArenaShape, x: number, y: number, z: number): boolean {
  if (z > s.floorZ) return x < s.laneX && z < s.laneZ && y < s.laneY;
  if (x > s.floorX || y > s.ceilingY) return false;
  const dx = x - s.cornerX;
  const dz = z - s.cornerZ;
  return dx <= 0 || dz <= 0 || dx * dx + dz * dz <= s.floorCornerSquare;
}

/** dan_to_sphere_inner, and the minimum. A centre that shares a coordinate with the point makes it a cylinder. */
function sphereInner(c: Contact, radius: number): void {
  const { cx, cy, cz } = c;
  const dx = c.x - cx;
  const dy = c.y - cy;
  const dz = c.z - cz;
  const len = Math.sqrt(dx * dx + dy * dy + dz * dz);
  if (!(radius - len < c.distance)) return;
  c.distance = radius - len;
  c.nx = (cx - c.x) / len;
  c.ny = (cy - c.y) / len;
  c.nz = (cz - c.z) / len;
}

/** dan_to_sphere_outer, and the minimum. */
function sphereOuter(c: Contact, radius: number): void {
  const dx = c.x - c.cx;
  const dy = c.y - c.cy;
  const dz = c.z - c.cz;
  const len = Math.sqrt(dx * dx + dy * dy + dz * dz);
  if (!(len - radius < c.distance)) return;
  c.distance = len - radius;
  c.nx = dx / len;
  c.ny = dy / len;
  c.nz = dz / len;
}

/** Sets the centre. */
function at(c: Contact, x: number, y: number, z: number): Contact {
  c.cx = x;
  c.cy = y;
  c.cz = z;
  return c;
}

function outsideGoalMouth(s: ArenaShape, x: number, y: number): boolean {
  if (x >= s.outerX || y >= s.outerY) return true;
  const vx = x - s.topX;
  const vy = y - s.topY;
  return vx > 0 && vy > 0 && Math.sqrt(vx * vx + vy * vy) >= s.topReach;
}

function goalBackCorners(s: ArenaShape, c: Contact): void {
  const { x, y } = c;
  const atX = x > s.bottomGoalX ? s.bottomGoalX : x; // x >= 0: the document's lower limit is never met
  const atY = y < s.bottomRadius ? s.bottomRadius : y > s.topY ? s.topY : y;
  sphereInner(at(c, atX, atY, s.bottomBackZ), s.bottomRadius);
}

function goalOuterCorner(s: ArenaShape, c: Contact): void {
  const { x, y } = c;
  // Side x
  if (x < s.outerX) sphereOuter(at(c, s.outerX, y, s.outerZ), s.goalSideRadius);
  // Ceiling
  if (y < s.outerY) sphereOuter(at(c, x, s.outerY, s.outerZ), s.goalSideRadius);
  // Top corner
  const vx = x - s.topX;
  const vy = y - s.topY;
  if (vx > 0 && vy > 0) {
    const len = Math.sqrt(vx * vx + vy * vy);
    sphereOuter(at(c, s.topX + (vx / len) * s.topReach, s.topY + (vy / len) * s.topReach, s.outerZ), s.goalSideRadius);
  }
}

function goalInsideTopCorners(s: ArenaShape, c: Contact): void {
  // Side x
  if (c.x > s.topX) sphereInner(at(c, s.topX, s.topY, c.z), s.goalTopRadius);
  // Side z
  if (c.z > s.bottomBackZ) sphereInner(at(c, c.x, s.topY, s.bottomBackZ), s.goalTopRadius);
}

function bottomSides(s: ArenaShape, c: Contact): void {
  const { x, z } = c;
  const r = s.bottomRadius;
  // Side x
  if (x > s.bottomSideX) sphereInner(at(c, s.bottomSideX, r, z), r);
  // Side z
  if (z > s.bottomSideZ && x >= s.outerX) sphereInner(at(c, x, r, s.bottomSideZ), r);
  // Side z (goal)
  if (z > s.bottomBackZ) sphereInner(at(c, x, r, s.bottomBackZ), r);
  // Goal outer corner
  const vx = x - s.outerX;
  const vz = z - s.outerZ;
  if (vx < 0 && vz < 0) {
    const len = Math.sqrt(vx * vx + vz * vz);
    if (len < s.postReach) sphereInner(at(c, s.outerX + (vx / len) * s.postReach, r, s.outerZ + (vz / len) * s.postReach), r);
  }
  // Side x (goal)
  if (z >= s.outerZ && x > s.bottomGoalX) sphereInner(at(c, s.bottomGoalX, r, z), r);
}

function ceilingSides(s: ArenaShape, c: Contact): void {
  // Side x
  if (c.x > s.ceilingSideX) sphereInner(at(c, s.ceilingSideX, s.ceilingY, c.z), s.topRadius);
  // Side z
  if (c.z > s.ceilingSideZ) sphereInner(at(c, c.x, s.ceilingY, s.ceilingSideZ), s.topRadius);
}

/** The corner's bottom or ceiling rounding: a sphere that rides on an arc of radius `reach` around the corner's axis. */
function cornerRounding(s: ArenaShape, c: Contact, reach: number, height: number, radius: number): void {
  const dx = c.x - s.cornerX;
  const dz = c.z - s.cornerZ;
  const len = Math.sqrt(dx * dx + dz * dz);
  if (len > reach) sphereInner(at(c, s.cornerX + (dx / len) * reach, height, s.cornerZ + (dz / len) * reach), radius);
}
