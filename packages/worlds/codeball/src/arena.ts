import type { Arena } from './rules.ts';

/** A body as the arena sees it. (Doubles travel in records: as arguments of a call that is not inlined V8 would box them.) */
export interface Round {
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly radius: number;
}

/** What `touchArena` found: the distance to the nearest surface and the normal there. */
export class Contact {
  distance = 0;
  nx = 0;
  ny = 0;
  nz = 0;
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
  /** The floor zone's sides and the square of its corner radius, a hair's breadth inside. */
  readonly floorX: number;
  readonly floorZ: number;
  readonly floorCornerSquare: number;
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
    this.floorZoneRadius = Math.min(arena.bottom_radius, arena.top_radius) * (1 - 1e-9);
  }
}

/**
 * Slack of the squared pre-tests below. A sphere is passed by only if its squared distance misses the limit by more than this;
 * rounding of the squares is below 1e-9 for arenas up to 1000 (the door's limit), so a passed-by sphere cannot win.
 */
const PRETEST_SLACK = 1e-6;

/**
 * How far a body is from leaving the floor zone: a rounded rectangle inside the bottom rounding, up to where the ceiling's rounding
 * begins. In it every surface but the ground is at least min(bottom_radius, top_radius) away:
 * side x and side z (and the goal behind it) at least bottom_radius by the rectangle's sides; the corner and the bottom corner by its arcs
 * (corner_radius - rho >= bottom_radius); the goal's outer rounding at least bottom_radius beyond z = depth / 2 - bottom_radius; the
 * ceiling top_radius; all other surfaces have a condition on z or y that does not hold here. So a body not larger than `floorZoneRadius`
 * can touch nothing but the ground. The slack is the distance to the border of a convex region, hence it shrinks by no more than the way gone.
 */
export function floorZoneSlack(s: ArenaShape, b: Round): number {
  const { x: px, y: py, z: pz } = b;
  const x = px < 0 ? -px : px;
  const z = pz < 0 ? -pz : pz;
  const dx = x - s.cornerX;
  const dz = z - s.cornerZ;
  const aside = dx > 0 && dz > 0 ? s.cornerBottomReach - Math.sqrt(dx * dx + dz * dz) : Math.min(s.bottomSideX - x, s.bottomSideZ - z);
  // A body below the ground may be lifted to its radius, which is less than the bottom radius.
  return Math.min(aside, s.ceilingY - (py < s.bottomRadius ? s.bottomRadius : py));
}

/**
 * A lower bound of dan_to_arena for points inside the field (|z| < depth / 2), and one that shrinks by no more than the way gone: the
 * distance to the border of the convex rounded box that one gets by walling up the goals. It is the document's own minimum over ground,
 * ceiling, sides, corners and their roundings, with side z and its roundings everywhere; where two of them meet they agree, so it is continuous,
 * and each is 1-Lipschitz. The goal's own surfaces lie beyond side z, but for the bottom rounding around its posts, and that lies
 * within bottom_radius of side z and of the ground, where the walled-up rounding is nearer still.
 */
export function clearance(s: ArenaShape, b: Round): number {
  const { x: px, y: py, z: pz } = b;
  const x = px < 0 ? -px : px;
  const y = py;
  const z = pz < 0 ? -pz : pz;
  const cornerDx = x - s.cornerX;
  const cornerDz = z - s.cornerZ;
  // Distance to the vertical walls, and how far inside them a rounding of radius r starts, are all the roundings need.
  const wall = cornerDx > 0 && cornerDz > 0 ? s.cornerRadius - Math.sqrt(cornerDx * cornerDx + cornerDz * cornerDz) : Math.min(s.sideX - x, s.sideZ - z);
  return Math.min(rounded(wall, y, s.bottomRadius), rounded(wall, s.height - y, s.topRadius));
}

/** Distance to two walls at distances a and b whose edge is rounded by r. */
function rounded(a: number, b: number, r: number): number {
  const u = r - a;
  const v = r - b;
  return u > 0 && v > 0 ? r - Math.sqrt(u * u + v * v) : Math.min(a, b);
}

/**
 * [CB-2.3] dan_to_arena, for a body: true if it reaches into the nearest surface, with distance and normal
 * in `contact`. Surfaces stand in the document's order and win by strict <, so ties fall as they do there. Only a distance below the
 * radius matters, so the search starts at `radius` instead of at the ground; roots are taken only where the squared distance can win.
 */
export function touchArena(s: ArenaShape, b: Round, contact: Contact): boolean {
  const { x: px, y: py, z: pz, radius } = b;
  const x = px < 0 ? -px : px;
  const y = py;
  const z = pz < 0 ? -pz : pz;
  if (radius < s.floorZoneRadius && overFloorOnly(s, x, y, z)) {
    if (!(y < radius)) return false;
    contact.distance = y;
    contact.nx = px < 0 ? -0 : 0;
    contact.ny = 1;
    contact.nz = pz < 0 ? -0 : 0;
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
  // Ceiling: (y - height) * -1
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
    const square = dx * dx + dy * dy + dz * dz;
    if (innerMayWin(square, s.bottomRadius, best)) {
      const root = Math.sqrt(square);
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
  }
  const inCorner = x > s.cornerX && z > s.cornerZ;
  const cornerDx = x - s.cornerX;
  const cornerDz = z - s.cornerZ;
  // Corner
  if (inCorner) {
    const square = cornerDx * cornerDx + cornerDz * cornerDz;
    if (innerMayWin(square, s.cornerRadius, best)) {
      const root = Math.sqrt(square);
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
  }
  // Goal outer corner
  if (z < s.outerZ) {
    const dz = z - s.outerZ;
    // None of the three can win from further away than radius + goal_side_radius in z alone.
    if (-dz < s.goalSideRadius + best + PRETEST_SLACK) {
      // Side x
      if (x < s.outerX) {
        const dx = x - s.outerX;
        const square = dx * dx + dz * dz;
        if (outerMayWin(square, s.goalSideRadius, best)) {
          const root = Math.sqrt(square);
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
      }
      // Ceiling
      if (y < s.outerY) {
        const dy = y - s.outerY;
        const square = dy * dy + dz * dz;
        if (outerMayWin(square, s.goalSideRadius, best)) {
          const root = Math.sqrt(square);
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
      const square = dx * dx + dy * dy;
      if (innerMayWin(square, s.goalTopRadius, best)) {
        const root = Math.sqrt(square);
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
    }
    // Side z
    if (z > s.bottomBackZ) {
      const dz = z - s.bottomBackZ;
      const square = dy * dy + dz * dz;
      if (innerMayWin(square, s.goalTopRadius, best)) {
        const root = Math.sqrt(square);
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
  }
  // Bottom corners
  if (y < s.bottomRadius) {
    const dy = y - s.bottomRadius;
    // Side x
    if (x > s.bottomSideX) {
      const dx = x - s.bottomSideX;
      const square = dx * dx + dy * dy;
      if (innerMayWin(square, s.bottomRadius, best)) {
        const root = Math.sqrt(square);
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
    }
    // Side z
    if (z > s.bottomSideZ && x >= s.outerX) {
      const dz = z - s.bottomSideZ;
      const square = dy * dy + dz * dz;
      if (innerMayWin(square, s.bottomRadius, best)) {
        const root = Math.sqrt(square);
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
    }
    // Side z (goal)
    if (z > s.bottomBackZ) {
      const dz = z - s.bottomBackZ;
      const square = dy * dy + dz * dz;
      if (innerMayWin(square, s.bottomRadius, best)) {
        const root = Math.sqrt(square);
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
      const square = dx * dx + dy * dy;
      if (innerMayWin(square, s.bottomRadius, best)) {
        const root = Math.sqrt(square);
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
      const square = dx * dx + dy * dy;
      if (innerMayWin(square, s.topRadius, best)) {
        const root = Math.sqrt(square);
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
    }
    // Side z
    if (z > s.ceilingSideZ) {
      const dz = z - s.ceilingSideZ;
      const square = dy * dy + dz * dz;
      if (innerMayWin(square, s.topRadius, best)) {
        const root = Math.sqrt(square);
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

/** In the floor zone (see `floorZoneSlack`), by a hair's breadth at least. */
function overFloorOnly(s: ArenaShape, x: number, y: number, z: number): boolean {
  if (x > s.floorX || z > s.floorZ || y > s.ceilingY) return false;
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

/** Can `radius - sqrt(square)` be below `best`? */
function innerMayWin(square: number, radius: number, best: number): boolean {
  const least = radius - best;
  return least <= 0 || square > least * least - PRETEST_SLACK;
}

/** Can `sqrt(square) - radius` be below `best`? */
function outerMayWin(square: number, radius: number, best: number): boolean {
  const most = radius + best;
  return most > 0 && square < most * most + PRETEST_SLACK;
}
