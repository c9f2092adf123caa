import { cos, type Mesh, sin } from '@lockstep/kernel';
import { ArenaShape } from './arena-shape.ts';
import { type Arena, type Config, KICKOFF_DISTANCE } from './rules.ts';

type Part = 'floor' | 'wall' | 'goal' | 'mouth';
/** A goal's parts exist twice: A is seat 0's own, z < 0. */
type Name = 'floor' | 'wall' | `${'goal' | 'mouth'}${'A' | 'B'}`;

/** The whole inner surface of the arena: closed, every vertex on the zero set of dan_to_arena, normals into the arena. */
export interface ArenaSurface {
  readonly positions: Float64Array;
  readonly normals: Float64Array;
  /** Three vertices a triangle, counter-clockwise seen from inside. */
  readonly triangles: Uint32Array;
  /** One a triangle. */
  readonly parts: readonly Name[];
}

/** A point of the surface with its normal. */
interface Spot {
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly nx: number;
  readonly ny: number;
  readonly nz: number;
}

/** A point of the arena's plan with the direction out of the arena: offset inwards by d it is (x - ox * d, z - oz * d). */
interface PlanPoint {
  readonly x: number;
  readonly z: number;
  readonly ox: number;
  readonly oz: number;
}

const ROUND = 8;
const CORNER = 16;
const BALL_JOINT = 6;

/** (cos, sin) from 0 to a right angle; both ends are exact. */
function quarterTurn(steps: number): readonly (readonly [c: number, s: number])[] {
  return Array.from({ length: steps + 1 }, (_, i) => {
    if (i === 0) return [1, 0];
    if (i === steps) return [0, 1];
    const angle = ((i / steps) * Math.PI) / 2;
    return [cos(angle), sin(angle)];
  });
}

/** From a to b in steps of about `length`; both ends are exact. */
function along(a: number, b: number, length: number): number[] {
  const steps = Math.max(1, Math.ceil(Math.abs(b - a) / length));
  return Array.from({ length: steps + 1 }, (_, i) => (i === steps ? b : a + ((b - a) * i) / steps));
}

/** Points nearer than this are one. */
const GRAIN = 1e-7;
const grain = (x: number): number => Math.floor(x / GRAIN + 0.5);

/** Welds points that fall together and mirrors every patch into the other three quarters. */
class Builder {
  readonly spots: Spot[] = [];
  readonly triangles: number[] = [];
  readonly parts: Name[] = [];
  private readonly byPlace = new Map<string, number>();

  /** A grid of rows; which way its triangles turn follows from the normals. */
  patch(part: Part, rows: readonly (readonly Spot[])[]): void {
    for (let i = 1; i < rows.length; i++) {
      for (let j = 1; j < rows[i]!.length; j++) {
        const a = rows[i - 1]![j - 1]!;
        const b = rows[i - 1]![j]!;
        const c = rows[i]![j]!;
        const d = rows[i]![j - 1]!;
        this.triangle(part, a, b, c);
        this.triangle(part, a, c, d);
      }
    }
  }

  triangle(part: Part, a: Spot, b: Spot, c: Spot): void {
    for (const sx of [1, -1]) {
      for (const sz of [1, -1]) {
        const name = part === 'goal' || part === 'mouth' ? (`${part}${sz < 0 ? 'A' : 'B'}` as const) : part;
        this.add(name, this.weld(a, sx, sz), this.weld(b, sx, sz), this.weld(c, sx, sz));
      }
    }
  }

  private add(part: Name, a: number, b: number, c: number): void {
    if (a === b || b === c || c === a) return;
    this.parts.push(part);
    if (this.facesInside(a, b, c)) this.triangles.push(a, b, c);
    else this.triangles.push(a, c, b);
  }

  private facesInside(ia: number, ib: number, ic: number): boolean {
    const a = this.spots[ia]!;
    const b = this.spots[ib]!;
    const c = this.spots[ic]!;
    const ux = b.x - a.x;
    const uy = b.y - a.y;
    const uz = b.z - a.z;
    const vx = c.x - a.x;
    const vy = c.y - a.y;
    const vz = c.z - a.z;
    const nx = a.nx + b.nx + c.nx;
    const ny = a.ny + b.ny + c.ny;
    const nz = a.nz + b.nz + c.nz;
    return (uy * vz - uz * vy) * nx + (uz * vx - ux * vz) * ny + (ux * vy - uy * vx) * nz > 0;
  }

  private weld(spot: Spot, sx: number, sz: number): number {
    const x = spot.x * sx;
    const z = spot.z * sz;
    const place = `${grain(x)},${grain(spot.y)},${grain(z)}`;
    const known = this.byPlace.get(place);
    if (known !== undefined) return known;
    const index = this.spots.push({ x, y: spot.y, z, nx: spot.nx * sx, ny: spot.ny, nz: spot.nz * sz }) - 1;
    this.byPlace.set(place, index);
    return index;
  }
}

/** The plan of a quarter (x, z >= 0), from the middle of the goal's back wall around the goal post and the corner to the middle of the side. */
class Plan {
  readonly back: readonly PlanPoint[];
  readonly backCorner: readonly PlanPoint[];
  readonly goalSide: readonly PlanPoint[];
  readonly post: readonly PlanPoint[];
  /** What is left of the front wall beside the goal, the corner, the side wall. */
  readonly field: readonly PlanPoint[];

  constructor(s: ArenaShape) {
    const corner = quarterTurn(CORNER);
    this.back = along(0, s.bottomGoalX, 3).map((x) => ({ x, z: s.backZ, ox: 0, oz: 1 }));
    this.backCorner = quarterTurn(BALL_JOINT).map(([oz, ox]) => ({
      x: s.bottomGoalX + ox * s.bottomRadius,
      z: s.bottomBackZ + oz * s.bottomRadius,
      ox,
      oz,
    }));
    this.goalSide = along(s.bottomBackZ, s.outerZ, 2).map((z) => ({ x: s.goalX, z, ox: 1, oz: 0 }));
    this.post = quarterTurn(ROUND).map(([ox, oz]) => ({
      x: s.outerX - ox * s.goalSideRadius,
      z: s.outerZ - oz * s.goalSideRadius,
      ox,
      oz,
    }));
    this.field = [
      ...along(s.outerX, s.cornerX, 3).map((x) => ({ x, z: s.sideZ, ox: 0, oz: 1 })),
      ...corner.map(([oz, ox]) => ({ x: s.cornerX + ox * s.cornerRadius, z: s.cornerZ + oz * s.cornerRadius, ox, oz })),
      ...along(s.cornerZ, 0, 4).map((z) => ({ x: s.sideX, z, ox: 1, oz: 0 })),
    ];
  }
}

/** A point of the plan at height y on the upright wall. */
function upright(p: PlanPoint, y: number): Spot {
  return { x: p.x, y, z: p.z, nx: -p.ox, ny: 0, nz: -p.oz };
}

/** The rounding between wall and floor (up = 1) or wall and ceiling (up = -1): (c, s) goes from the wall (1, 0) to the flat (0, 1). */
function rounded(p: PlanPoint, centreY: number, radius: number, up: number, [c, s]: readonly [number, number]): Spot {
  const inset = radius * (1 - c);
  return { x: p.x - p.ox * inset, y: centreY - up * radius * s, z: p.z - p.oz * inset, nx: -p.ox * c, ny: up * s, nz: -p.oz * c };
}

/** Parametric patches, one a branch of dan_to_arena; neighbours share their border points, so the whole is closed. */
export function arenaSurface(arena: Arena): ArenaSurface {
  const s = new ArenaShape(arena);
  const plan = new Plan(s);
  const build = new Builder();
  const goalPlan = [...plan.back, ...plan.backCorner, ...plan.goalSide];
  lowerWalls(build, s, 'goal', goalPlan);
  lowerWalls(build, s, 'mouth', plan.post);
  lowerWalls(build, s, 'wall', plan.field);
  floor(build, s, [...goalPlan, ...plan.post, ...plan.field]);
  goalRoof(build, s, plan);
  const lintel = mouth(build, s, plan);
  upperWalls(build, s, plan, lintel);
  return finish(build);
}

/** Bottom corners, and the walls up to the height where the goal's top rounding begins. */
function lowerWalls(build: Builder, s: ArenaShape, part: Part, outline: readonly PlanPoint[]): void {
  const turn = quarterTurn(ROUND);
  build.patch(
    part,
    outline.map((p) => turn.map((t) => rounded(p, s.bottomRadius, s.bottomRadius, 1, t))),
  );
  build.patch(
    part,
    outline.map((p) => along(s.bottomRadius, s.topY, 2).map((y) => upright(p, y))),
  );
}

/** A fan: along the outline x only grows and z only falls, so the plan is seen whole from its centre. */
function floor(build: Builder, s: ArenaShape, outline: readonly PlanPoint[]): void {
  const rim = outline.map((p) => rounded(p, s.bottomRadius, s.bottomRadius, 1, [0, 1]));
  fan(build, 'floor', { x: 0, y: 0, z: 0, nx: 0, ny: 1, nz: 0 }, rim);
}

function fan(build: Builder, part: Part, centre: Spot, rim: readonly Spot[]): void {
  for (let i = 1; i < rim.length; i++) build.triangle(part, centre, rim[i - 1]!, rim[i]!);
}

/** Goal inside top corners, goal back corners above, and the goal's flat ceiling. */
function goalRoof(build: Builder, s: ArenaShape, plan: Plan): void {
  const turn = quarterTurn(ROUND);
  build.patch(
    'goal',
    [...plan.back, ...plan.backCorner, ...plan.goalSide].map((p) => turn.map((t) => rounded(p, s.topY, s.goalTopRadius, -1, t))),
  );
  build.patch(
    'goal',
    plan.back.map((b) => plan.goalSide.map((side) => ({ x: b.x, y: s.goalHeight, z: side.z, nx: 0, ny: -1, nz: 0 }))),
  );
}

/** Goal outer corner above the posts: the mouth's profile opens outwards with goal_side_radius. Returns its edge on the front wall. */
function mouth(build: Builder, s: ArenaShape, plan: Plan): Spot[] {
  const profile = [
    ...quarterTurn(ROUND).map(([ox, oy]) => ({ x: s.topX + ox * s.goalTopRadius, y: s.topY + oy * s.goalTopRadius, ox, oy })),
    ...[...plan.back].reverse().map(({ x }) => ({ x, y: s.goalHeight, ox: 0, oy: 1 })),
  ];
  const turn = quarterTurn(ROUND);
  const rows = profile.map((p) =>
    turn.map(([c, t]): Spot => {
      const opened = s.goalSideRadius * (1 - c);
      return { x: p.x + p.ox * opened, y: p.y + p.oy * opened, z: s.outerZ - s.goalSideRadius * t, nx: -p.ox * c, ny: -p.oy * c, nz: -t };
    }),
  );
  build.patch('mouth', rows);
  return rows.map((row) => row.at(-1)!);
}

/** The walls above the goal's sides, the wall above its mouth, ceiling corners and ceiling. */
function upperWalls(build: Builder, s: ArenaShape, plan: Plan, lintel: readonly Spot[]): void {
  const heights = along(s.topY, s.ceilingY, 2);
  build.patch(
    'wall',
    plan.field.map((p) => heights.map((y) => upright(p, y))),
  );
  build.patch(
    'wall',
    lintel.map(({ x, y, z }) =>
      heights.map((top): Spot => {
        const raised = top === s.ceilingY ? top : y + ((top - s.topY) / (s.ceilingY - s.topY)) * (s.ceilingY - y);
        return { x, y: y === s.topY ? top : raised, z, nx: 0, ny: 0, nz: -1 };
      }),
    ),
  );
  const rimPlan = [...[...lintel].reverse().map(({ x }): PlanPoint => ({ x, z: s.sideZ, ox: 0, oz: 1 })), ...plan.field];
  const turn = quarterTurn(CORNER);
  build.patch(
    'wall',
    rimPlan.map((p) => turn.map((t) => rounded(p, s.ceilingY, s.topRadius, -1, t))),
  );
  const rim = rimPlan.map((p) => rounded(p, s.ceilingY, s.topRadius, -1, [0, 1]));
  fan(build, 'wall', { x: 0, y: s.height, z: 0, nx: 0, ny: -1, nz: 0 }, rim);
}

function finish({ spots, triangles, parts }: Builder): ArenaSurface {
  return {
    positions: Float64Array.from(spots.flatMap(({ x, y, z }) => [x, y, z])),
    normals: Float64Array.from(spots.flatMap(({ nx, ny, nz }) => [nx, ny, nz])),
    triangles: Uint32Array.from(triangles),
    parts,
  };
}

/** The surface and the field's lines, as meshes to send once. */
export function arenaMeshes(config: Config): Mesh[] {
  const surface = arenaSurface(config.rules.arena);
  return [
    cut(surface, 'floor', { role: 'floor' }),
    cut(surface, 'wall', { role: 'wall' }),
    cut(surface, 'goalA', { role: 'goal', seat: 0 }),
    cut(surface, 'goalB', { role: 'goal', seat: 1 }),
    cut(surface, 'mouthA', { role: 'goal', seat: 0, glow: 1 }),
    cut(surface, 'mouthB', { role: 'goal', seat: 1, glow: 1 }),
    fieldLines(config),
  ];
}

function cut(surface: ArenaSurface, part: Name, material: Mesh['material']): Mesh {
  const renamed = new Map<number, number>();
  const indices: number[] = [];
  surface.parts.forEach((of, t) => {
    if (of !== part) return;
    for (const vertex of surface.triangles.subarray(3 * t, 3 * t + 3)) {
      if (!renamed.has(vertex)) renamed.set(vertex, renamed.size);
      indices.push(renamed.get(vertex)!);
    }
  });
  const pick = (from: Float64Array) => Float32Array.from([...renamed.keys()].flatMap((v) => Array.from(from.subarray(3 * v, 3 * v + 3))));
  return { key: part, positions: pick(surface.positions), normals: pick(surface.normals), indices: Uint32Array.from(indices), material };
}

const LINE_WIDTH = 0.22;
const CIRCLE = 96;

/** Halfway line, kick-off circle and both goal lines, as flat ribbons on the floor. */
function fieldLines({ rules }: Config): Mesh {
  const s = new ArenaShape(rules.arena);
  const positions: number[] = [];
  const indices: number[] = [];
  const ribbon = (points: readonly (readonly [x: number, z: number])[], sides: readonly (readonly [x: number, z: number])[]) => {
    points.forEach(([x, z], i) => {
      const [sx, sz] = sides[i]!;
      const at = positions.length / 3;
      positions.push(x + sx * LINE_WIDTH, 0, z + sz * LINE_WIDTH, x - sx * LINE_WIDTH, 0, z - sz * LINE_WIDTH);
      if (i > 0) indices.push(at - 2, at - 1, at, at - 1, at + 1, at);
    });
  };
  const across = (halfWidth: number, z: number) => ribbon([[-halfWidth, z], [halfWidth, z]], [[0, 1], [0, 1]]); // prettier-ignore
  across(s.bottomSideX, 0);
  across(s.bottomGoalX, s.sideZ);
  across(s.bottomGoalX, -s.sideZ);
  const turns = Array.from({ length: CIRCLE + 1 }, (_, i) => (2 * Math.PI * (i % CIRCLE)) / CIRCLE);
  const circle = (radius: number) =>
    ribbon(
      turns.map((a): [number, number] => [radius * sin(a), radius * cos(a)]),
      turns.map((a): [number, number] => [sin(a), cos(a)]),
    );
  if (KICKOFF_DISTANCE < Math.min(s.bottomSideX, s.bottomSideZ)) circle(KICKOFF_DISTANCE);
  circle(LINE_WIDTH * 2);
  const normals = Float32Array.from(positions, (_, i) => (i % 3 === 1 ? 1 : 0));
  return { key: 'lines', positions: Float32Array.from(positions), normals, indices: Uint32Array.from(indices), material: { role: 'line' } };
}
