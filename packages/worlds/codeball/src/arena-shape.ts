import type { Arena } from './rules.ts';

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
  /** The largest body for which the floor zone (see `floorZoneSlack` in clearance.ts) keeps its promise. */
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
