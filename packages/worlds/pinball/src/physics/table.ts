import { InputError } from '@lockstep/kernel';
import { Clearance } from './clearance.ts';
import { layerMask, Materials, type Mover, type Region, type TableDescription } from './colliders.ts';
import { Grid } from './grid.ts';
import { compile, counterclockwise, type Primitives, unit } from './primitives.ts';
import { BallCells } from './pairs.ts';
import { Sights } from './sights.ts';
import { plainRestitution } from './straight.ts';
import { Work } from './work.ts';

/** How coarse the indexes are: the same results at another speed. */
interface IndexSizes {
  readonly cell?: number;
  readonly ballCell?: number;
  /** No index and no short cuts at all: every ball looks at every part in every search. What tests compare with. */
  readonly naive?: boolean;
}

/** What never changes during a game: colliders, materials and the index of them. Shared by all states, never copied. */
export class Table {
  /** The ball's radius. */
  readonly r: number;
  readonly gx: number;
  readonly gy: number;
  /** [PB-2.1] Whole gravity at the start of the step, straight lines within it. */
  readonly euler: boolean;
  readonly capacity: number;
  readonly naive: boolean;
  readonly colliders: number;
  readonly parts: Primitives;
  readonly grid: Grid;
  readonly clearance: Clearance;
  readonly sights: Sights;
  readonly movers: MoverTable;
  readonly regions: readonly RegionEdges[];
  /** [PB-4.9] Do balls hit each other? */
  readonly ballBall: boolean;
  readonly materials: Materials;
  readonly plain: Float64Array;
  /** Rows of `materials`: colliders come first. */
  readonly moverMaterial: number;
  readonly ballMaterial: number;
  /** Distances below this are contact: about a thousand times what rounding leaves on a table of a hundred radii. */
  readonly touch: number;
  readonly cells: BallCells;
  /** Words of 32 bits in which a ball remembers on which side of the sensors it is. */
  readonly beyondWords: number;
  /** Memory for a step; nothing in it outlives the step. */
  readonly work: Work;

  constructor(description: TableDescription, index: IndexSizes = {}) {
    const { radius, balls = 1, gravity = [0, 0], colliders, movers = [], regions = [] } = description;
    if (!(radius > 0 && radius < Infinity)) throw new InputError('radius', 'a number above 0', radius);
    if (!Number.isInteger(balls) || balls < 1) throw new InputError('balls', 'a whole number from 1', balls);
    this.r = radius;
    [this.gx, this.gy] = gravity;
    this.euler = description.integrator === 'document';
    this.capacity = balls;
    this.naive = index.naive ?? false;
    this.colliders = colliders.length;
    this.parts = compile(colliders, regions, radius);
    // What a ball has seen of sensors is part of the state, and it looks by cells: their size there is part of the rules.
    this.grid = new Grid(this.parts, radius, index.cell ?? (this.parts.slots === 0 ? 3 : 4) * radius);
    this.sights = new Sights(this.grid, this.parts, radius);
    this.movers = new MoverTable(movers);
    this.clearance = new Clearance(this.grid, this.parts, this.movers, radius);
    this.regions = regions.map((region, k) => new RegionEdges(region, `regions.${k}`));
    this.ballBall = description.ballMaterial !== undefined;
    this.moverMaterial = colliders.length;
    this.ballMaterial = colliders.length + movers.length;
    this.materials = new Materials([
      ...colliders.map(({ material }, i) => ({ material, path: `colliders.${i}.material` })),
      ...movers.map(({ material }, i) => ({ material, path: `movers.${i}.material` })),
      { material: description.ballMaterial, path: 'ballMaterial' },
    ]);
    this.plain = plainRestitution(this.parts, this.materials);
    this.beyondWords = (this.parts.slots + 31) >> 5;
    this.touch = 1e-11 * radius;
    this.cells = new BallCells(this.grid, this.parts, balls, radius, index.ballCell ?? 3.5 * radius);
    this.work = new Work(balls, movers.length, this.parts.count, this.beyondWords);
  }
}

/** Movers by column. */
export class MoverTable {
  readonly count: number;
  readonly slides: Int32Array;
  readonly mask: Int32Array;
  readonly px: Float64Array;
  readonly py: Float64Array;
  readonly axisX: Float64Array;
  readonly axisY: Float64Array;
  /** The two disks, seen from P at q = 0. */
  readonly fromX: Float64Array;
  readonly fromY: Float64Array;
  readonly toX: Float64Array;
  readonly toY: Float64Array;
  readonly fromR: Float64Array;
  readonly toR: Float64Array;
  /** Distance of the disks' centres from P: how fast turning moves them. */
  readonly fromArm: Float64Array;
  readonly toArm: Float64Array;
  /** No part is farther from P, at q = 0 for a slider. */
  readonly reach: Float64Array;
  readonly min: Float64Array;
  readonly max: Float64Array;
  readonly start: Float64Array;
  readonly inverseInertia: Float64Array;
  readonly bounce: Float64Array;

  constructor(movers: readonly Mover[]) {
    const column = (read: (mover: Mover) => number): Float64Array => Float64Array.from(movers, read);
    movers.forEach((mover, k) => checkMover(mover, `movers.${k}`));
    this.count = movers.length;
    this.slides = Int32Array.from(movers, ({ kind }) => (kind === 'slider' ? 1 : 0));
    this.mask = Int32Array.from(movers, ({ layers }, k) => layerMask(layers, `movers.${k}.layers`));
    this.px = column((m) => m.at[0]);
    this.py = column((m) => m.at[1]);
    this.axisX = column((m) => (m.axis === undefined ? 0 : unit(m.axis, 'axis')[0]));
    this.axisY = column((m) => (m.axis === undefined ? 0 : unit(m.axis, 'axis')[1]));
    this.fromX = column((m) => m.from[0]);
    this.fromY = column((m) => m.from[1]);
    this.toX = column((m) => m.to[0]);
    this.toY = column((m) => m.to[1]);
    this.fromR = column((m) => m.fromRadius);
    this.toR = column((m) => m.toRadius);
    this.fromArm = column((m) => length(m.from));
    this.toArm = column((m) => length(m.to));
    this.reach = column((m) => Math.max(length(m.from) + m.fromRadius, length(m.to) + m.toRadius));
    this.min = column((m) => m.min);
    this.max = column((m) => m.max);
    this.start = column((m) => m.start ?? m.min);
    this.inverseInertia = column((m) => 1 / (m.inertia ?? Infinity));
    this.bounce = column((m) => m.bounce ?? 0);
  }
}

const length = ([x, y]: readonly [number, number]): number => Math.sqrt(x * x + y * y);

function checkMover(mover: Mover, path: string): void {
  const { from, to, fromRadius, toRadius, min, max, start = min, inertia = 1, bounce = 0 } = mover;
  if (!(min <= max)) throw new InputError(`${path}.max`, `a number from ${min}`, max);
  if (!(start >= min && start <= max)) throw new InputError(`${path}.start`, `a number ${min}..${max}`, start);
  if (!(inertia > 0)) throw new InputError(`${path}.inertia`, 'a number above 0', inertia);
  if (!(bounce >= 0 && bounce <= 1)) throw new InputError(`${path}.bounce`, 'a number 0..1', bounce);
  if (!(fromRadius >= 0 && toRadius >= 0)) throw new InputError(`${path}.fromRadius`, 'radii from 0', [fromRadius, toRadius]);
  const apart = length([to[0] - from[0], to[1] - from[1]]);
  if (!(apart > Math.abs(fromRadius - toRadius))) throw new InputError(`${path}.to`, 'a disk that is not inside the other', to);
  if (mover.kind === 'slider' && mover.axis === undefined) throw new InputError(`${path}.axis`, 'a direction', undefined);
}

/** [PB-2.3] A region as its edges: a point is inside if it is to the left of all. */
export class RegionEdges {
  readonly gx: number;
  readonly gy: number;
  readonly mask: number;
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly nx: Float64Array;
  readonly ny: Float64Array;

  constructor(region: Region, path: string) {
    [this.gx, this.gy] = region.gravity;
    this.mask = layerMask(region.layers, `${path}.layers`);
    const points = counterclockwise(region.points, `${path}.points`);
    const count = points.length;
    this.x = Float64Array.from(points, ([x]) => x);
    this.y = Float64Array.from(points, ([, y]) => y);
    this.nx = new Float64Array(count);
    this.ny = new Float64Array(count);
    for (let i = 0; i < count; i++) {
      const j = (i + 1) % count;
      const [nx, ny] = unit([this.y[i]! - this.y[j]!, this.x[j]! - this.x[i]!], `${path}.points.${i}`);
      this.nx[i] = nx;
      this.ny[i] = ny;
    }
    for (let i = 0; i < count; i++) {
      for (let j = 0; j < count; j++) {
        const height = (this.x[j]! - this.x[i]!) * this.nx[i]! + (this.y[j]! - this.y[i]!) * this.ny[i]!;
        if (height < -1e-9 * (1 + Math.abs(this.x[j]!) + Math.abs(this.y[j]!)))
          throw new InputError(`${path}.points`, 'a convex polygon', region.points);
      }
    }
  }

  /** Is a ball there inside? On an edge it is where it moves to: by its speed, else by its acceleration. */
  holds(x: number, y: number, vx: number, vy: number, touch: number): boolean {
    for (let i = 0; i < this.x.length; i++) {
      const nx = this.nx[i]!;
      const ny = this.ny[i]!;
      const height = (x - this.x[i]!) * nx + (y - this.y[i]!) * ny;
      if (height > touch) continue;
      if (height < -touch || vx * nx + vy * ny < 0) return false;
    }
    return true;
  }
}
