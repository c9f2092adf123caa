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

/** What `touchArena` found: the distance to the nearest surface and the normal there. */
export class Contact {
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
 * Tells a body a lower bound of its dan_to_arena less its radius, for points inside the field (|z| < depth / 2), and one that shrinks by no more than the way gone: the
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
  b.slack = Math.min(rounded(wall, y, s.bottomRadius), rounded(wall, s.height - y, s.topRadius)) - b.radius;
}

/**
 * The same for a body inside a goal (z >= depth / 2 + goal_side_radius): again it shrinks by no more than the way gone. All edges of a goal are rounded by the same radius (bottom_radius = goal_top_radius, the document asserts it), so its border is
 * that far from an inner box, and the bound is the radius less the distance to that box; it is told 0 before the body could leave through the mouth.
 */
export function goalClearance(s: ArenaShape, b: Slack): void {
  const { x: px, y, z: pz } = b;
  const x = px < 0 ? -px : px;
  const z = pz < 0 ? -pz : pz;
  const dx = x > s.bottomGoalX ? x - s.bottomGoalX : 0;
  const dy = y < s.bottomRadius ? s.bottomRadius - y : y > s.topY ? y - s.topY : 0;
  const dz = z > s.bottomBackZ ? z - s.bottomBackZ : 0;
  b.slack = Math.min(s.bottomRadius - Math.sqrt(dx * dx + dy * dy + dz * dz) - b.radius, z - s.outerZ);
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
 * starts at the radius instead of at the ground; normals of spheres are worked out for the winner alone. As long as the document's own
 * function, and all in locals: split by paragraphs it is a tenth slower, for V8 does not inline so much and boxes the numbers it hands over.
 */
export function touchArena(s: ArenaShape, b: Round, contact: Contact): boolean {
  const { x: px, y: py, z: pz, radius } = b;
  const x = px < 0 ? -px : px;
  const y = py;
  const z = pz < 0 ? -pz : pz;
  if (radius < s.floorZoneRadius && inFloorZone(s, x, y, z)) {
    if (!(y < radius)) return false;
    contact.distance = y;
    contact.nx = (px < 0 ? MINUS : PLUS) * 0;
    contact.ny = 1;
    contact.nz = (pz < 0 ? MINUS : PLUS) * 0;
    return true;
  }
  let best = radius;
  // The winner is a plane with normal (nx, ny, nz), or a sphere with centre (cx, cy, cz), inner (1) or outer (-1), at distance `len`.
  let sphere = 0;
  let cx = 0;
  let cy = 0;
  let cz = 0;
  let len = 0;
  let nx = 0;
  let ny = 0;
  let nz = 0;

  // Ground
  if (y < best) {
    best = y;
    ny = 1;
  }
  // Ceiling
  let d = -(y - s.height);
  if (d < best) {
    best = d;
    ny = -1;
  }
  // Side x
  d = -(x - s.sideX);
  if (d < best) {
    best = d;
    nx = -1;
    ny = 0;
  }
  // Side z (goal)
  d = -(z - s.backZ);
  if (d < best) {
    best = d;
    nx = 0;
    ny = 0;
    nz = -1;
  }
  // Side z
  d = -(z - s.sideZ);
  if (d < best && outsideGoalMouth(s, x, y)) {
    best = d;
    nx = 0;
    ny = 0;
    nz = -1;
  }
  // Side x & ceiling (goal)
  if (z >= s.outerZ) {
    d = -(x - s.goalX);
    if (d < best) {
      best = d;
      nx = -1;
      ny = 0;
      nz = 0;
    }
    d = -(y - s.goalHeight);
    if (d < best) {
      best = d;
      nx = 0;
      ny = -1;
      nz = 0;
    }
  }
  // Goal back corners
  if (z > s.bottomBackZ) {
    const ox = x > s.bottomGoalX ? s.bottomGoalX : x;
    const oy = y < s.bottomRadius ? s.bottomRadius : y > s.topY ? s.topY : y;
    const dx = x - ox;
    const dy = y - oy;
    const dz = z - s.bottomBackZ;
    const root = Math.sqrt(dx * dx + dy * dy + dz * dz);
    d = s.bottomRadius - root;
    if (d < best) {
      best = d;
      sphere = 1;
      len = root;
      cx = ox;
      cy = oy;
      cz = s.bottomBackZ;
    }
  }
  const inCorner = x > s.cornerX && z > s.cornerZ;
  const cornerDx = x - s.cornerX;
  const cornerDz = z - s.cornerZ;
  // Corner
  if (inCorner) {
    const root = Math.sqrt(cornerDx * cornerDx + cornerDz * cornerDz);
    d = s.cornerRadius - root;
    if (d < best) {
      best = d;
      sphere = 1;
      len = root;
      cx = s.cornerX;
      cy = y;
      cz = s.cornerZ;
    }
  }
  // Goal outer corner
  if (z < s.outerZ) {
    const dz = z - s.outerZ;
    // None of the three can win from further away than radius + goal_side_radius in z alone.
    if (-dz - s.goalSideRadius < best + HAIR) {
      // Side x
      if (x < s.outerX) {
        const dx = x - s.outerX;
        const root = Math.sqrt(dx * dx + dz * dz);
        d = root - s.goalSideRadius;
        if (d < best) {
          best = d;
          sphere = -1;
          len = root;
          cx = s.outerX;
          cy = y;
          cz = s.outerZ;
        }
      }
      // Ceiling
      if (y < s.outerY) {
        const dy = y - s.outerY;
        const root = Math.sqrt(dy * dy + dz * dz);
        d = root - s.goalSideRadius;
        if (d < best) {
          best = d;
          sphere = -1;
          len = root;
          cx = x;
          cy = s.outerY;
          cz = s.outerZ;
        }
      }
      // Top corner
      const vx = x - s.topX;
      const vy = y - s.topY;
      if (vx > 0 && vy > 0) {
        const v = Math.sqrt(vx * vx + vy * vy);
        const ox = s.topX + (vx / v) * s.topReach;
        const oy = s.topY + (vy / v) * s.topReach;
        const dx = x - ox;
        const dy = y - oy;
        const root = Math.sqrt(dx * dx + dy * dy + dz * dz);
        d = root - s.goalSideRadius;
        if (d < best) {
          best = d;
          sphere = -1;
          len = root;
          cx = ox;
          cy = oy;
          cz = s.outerZ;
        }
      }
    }
  }
  // Goal inside top corners
  if (z > s.outerZ && y > s.topY) {
    const dy = y - s.topY;
    // Side x
    if (x > s.topX) {
      const dx = x - s.topX;
      const root = Math.sqrt(dx * dx + dy * dy);
      d = s.goalTopRadius - root;
      if (d < best) {
        best = d;
        sphere = 1;
        len = root;
        cx = s.topX;
        cy = s.topY;
        cz = z;
      }
    }
    // Side z
    if (z > s.bottomBackZ) {
      const dz = z - s.bottomBackZ;
      const root = Math.sqrt(dy * dy + dz * dz);
      d = s.goalTopRadius - root;
      if (d < best) {
        best = d;
        sphere = 1;
        len = root;
        cx = x;
        cy = s.topY;
        cz = s.bottomBackZ;
      }
    }
  }
  // Bottom corners
  if (y < s.bottomRadius) {
    const dy = y - s.bottomRadius;
    // Side x
    if (x > s.bottomSideX) {
      const dx = x - s.bottomSideX;
      const root = Math.sqrt(dx * dx + dy * dy);
      d = s.bottomRadius - root;
      if (d < best) {
        best = d;
        sphere = 1;
        len = root;
        cx = s.bottomSideX;
        cy = s.bottomRadius;
        cz = z;
      }
    }
    // Side z
    if (z > s.bottomSideZ && x >= s.outerX) {
      const dz = z - s.bottomSideZ;
      const root = Math.sqrt(dy * dy + dz * dz);
      d = s.bottomRadius - root;
      if (d < best) {
        best = d;
        sphere = 1;
        len = root;
        cx = x;
        cy = s.bottomRadius;
        cz = s.bottomSideZ;
      }
    }
    // Side z (goal)
    if (z > s.bottomBackZ) {
      const dz = z - s.bottomBackZ;
      const root = Math.sqrt(dy * dy + dz * dz);
      d = s.bottomRadius - root;
      if (d < best) {
        best = d;
        sphere = 1;
        len = root;
        cx = x;
        cy = s.bottomRadius;
        cz = s.bottomBackZ;
      }
    }
    // Goal outer corner
    const vx = x - s.outerX;
    const vz = z - s.outerZ;
    if (vx < 0 && vz < 0) {
      const v = Math.sqrt(vx * vx + vz * vz);
      if (v < s.postReach) {
        const ox = s.outerX + (vx / v) * s.postReach;
        const oz = s.outerZ + (vz / v) * s.postReach;
        const dx = x - ox;
        const dz = z - oz;
        const root = Math.sqrt(dx * dx + dy * dy + dz * dz);
        d = s.bottomRadius - root;
        if (d < best) {
          best = d;
          sphere = 1;
          len = root;
          cx = ox;
          cy = s.bottomRadius;
          cz = oz;
        }
      }
    }
    // Side x (goal)
    if (z >= s.outerZ && x > s.bottomGoalX) {
      const dx = x - s.bottomGoalX;
      const root = Math.sqrt(dx * dx + dy * dy);
      d = s.bottomRadius - root;
      if (d < best) {
        best = d;
        sphere = 1;
        len = root;
        cx = s.bottomGoalX;
        cy = s.bottomRadius;
        cz = z;
      }
    }
    // Corner
    if (inCorner) {
      const dist = Math.sqrt(cornerDx * cornerDx + cornerDz * cornerDz);
      if (dist > s.cornerBottomReach) {
        const ox = s.cornerX + (cornerDx / dist) * s.cornerBottomReach;
        const oz = s.cornerZ + (cornerDz / dist) * s.cornerBottomReach;
        const dx = x - ox;
        const dz = z - oz;
        const root = Math.sqrt(dx * dx + dy * dy + dz * dz);
        d = s.bottomRadius - root;
        if (d < best) {
          best = d;
          sphere = 1;
          len = root;
          cx = ox;
          cy = s.bottomRadius;
          cz = oz;
        }
      }
    }
  }
  // Ceiling corners
  if (y > s.ceilingY) {
    const dy = y - s.ceilingY;
    // Side x
    if (x > s.ceilingSideX) {
      const dx = x - s.ceilingSideX;
      const root = Math.sqrt(dx * dx + dy * dy);
      d = s.topRadius - root;
      if (d < best) {
        best = d;
        sphere = 1;
        len = root;
        cx = s.ceilingSideX;
        cy = s.ceilingY;
        cz = z;
      }
    }
    // Side z
    if (z > s.ceilingSideZ) {
      const dz = z - s.ceilingSideZ;
      const root = Math.sqrt(dy * dy + dz * dz);
      d = s.topRadius - root;
      if (d < best) {
        best = d;
        sphere = 1;
        len = root;
        cx = x;
        cy = s.ceilingY;
        cz = s.ceilingSideZ;
      }
    }
    // Corner
    if (inCorner) {
      const dist = Math.sqrt(cornerDx * cornerDx + cornerDz * cornerDz);
      if (dist > s.cornerTopReach) {
        const ox = s.cornerX + (cornerDx / dist) * s.cornerTopReach;
        const oz = s.cornerZ + (cornerDz / dist) * s.cornerTopReach;
        const dx = x - ox;
        const dz = z - oz;
        const root = Math.sqrt(dx * dx + dy * dy + dz * dz);
        d = s.topRadius - root;
        if (d < best) {
          best = d;
          sphere = 1;
          len = root;
          cx = ox;
          cy = s.ceilingY;
          cz = oz;
        }
      }
    }
  }

  if (!(best < radius)) return false;
  if (sphere === 1) {
    nx = (cx - x) / len;
    ny = (cy - y) / len;
    nz = (cz - z) / len;
  } else if (sphere === -1) {
    nx = (x - cx) / len;
    ny = (y - cy) / len;
    nz = (z - cz) / len;
  }
  contact.distance = best;
  contact.nx = px < 0 ? -nx : nx;
  contact.ny = ny;
  contact.nz = pz < 0 ? -nz : nz;
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

function outsideGoalMouth(s: ArenaShape, x: number, y: number): boolean {
  if (x >= s.outerX || y >= s.outerY) return true;
  const vx = x - s.topX;
  const vy = y - s.topY;
  return vx > 0 && vy > 0 && Math.sqrt(vx * vx + vy * vy) >= s.topReach;
}
