import type { ArenaShape } from './arena-shape.ts';
import type { Round } from './arena.ts';

/** A body that can be told its slack. */
export interface Slack extends Round {
  slack: number;
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
