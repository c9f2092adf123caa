import type { ArenaShape } from './arena-shape.ts';

/** A body as the arena sees it. (Doubles travel in records: as arguments of a call that is not inlined V8 would box them.) */
export interface Round {
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly radius: number;
}

/** What `touchArena` found: the distance to the nearest surface and the normal there. */
export class Contact {
  distance = 0.5;
  nx = 0.5;
  ny = 0.5;
  nz = 0.5;
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
