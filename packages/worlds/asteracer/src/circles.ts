import { farContact } from './far.ts';
import type { BoundingBox, Circle } from './map.ts';
import type { Shell } from './rules.ts';

/**
 * Up to this sum of radii doubles are exact. Where both |dx| and |dy| are at most R + 1, d² ≤ 2(R + 1)² < 2^53, and so is |push_by * vn|
 * ≤ R(R + 1). Where one is greater, it is at least R + 2, whose square is a double and above every limit; rounding keeps the order.
 */
export const NEAR_REACH = 0x400_0000 - 2;

/** How much room the index may take: cells a circle where there are few circles, and where there are many; members a circle. */
const CELLS_EACH_OF_FEW = 128;
const CELLS_EACH_OF_MANY = 4;
const MANY_CELLS = 0x4_0000;
const MEMBERS_EACH = 16;
const LEAST_MEMBERS = 0x4_0000;

/** Circles in file order, grown by the racer's radius, with a grid that says which of them a point in a cell may be in contact with. */
export class Circles {
  readonly count: number;
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** R: the circle's radius and the racer's. */
  readonly reach: Float64Array;
  /** Contact ⇔ d² ≤ limit. Infinity where R is beyond NEAR_REACH: the exact path decides. */
  readonly limit: Float64Array;
  readonly shell: Shell;
  private readonly grid: Grid;
  /** The members of cell c are members[first[c]] … members[first[c + 1] - 1], in file order. */
  private readonly first: Int32Array;
  private readonly members: Int32Array;

  constructor(circles: readonly Circle[], racerRadius: number, shell: Shell, box: BoundingBox) {
    this.count = circles.length;
    this.shell = shell;
    this.x = Float64Array.from(circles, ({ x }) => x);
    this.y = Float64Array.from(circles, ({ y }) => y);
    this.reach = Float64Array.from(circles, ({ radius }) => radius + racerRadius);
    this.limit = this.reach.map((R) => (R > NEAR_REACH ? Infinity : R * R + (shell === 'root' ? 2 * R : shell === 'inside' ? -1 : 0)));
    this.grid = this.gridFor(box);
    this.first = new Int32Array(this.grid.columns * this.grid.rows + 1);
    this.eachMember((cell) => this.first[cell + 1]!++);
    for (let cell = 0; cell < this.first.length - 1; cell++) this.first[cell + 1]! += this.first[cell]!;
    this.members = new Int32Array(this.first.at(-1)!);
    const next = this.first.slice();
    this.eachMember((cell, i) => (this.members[next[cell]!++] = i));
  }

  /** [AR-2.3] The first circle in file order in contact with a racer at (x, y); -1 if none is. Hot. */
  contactAt(x: number, y: number): number {
    const { first, members } = this;
    const cell = this.grid.cellAt(x, y);
    const end = first[cell + 1]!;
    for (let at = first[cell]!; at < end; at++) {
      const i = members[at]!;
      if (this.touches(i, x, y)) return i;
    }
    return -1;
  }

  /** Every circle that a racer at (x, y) may be in contact with, and more, as a range for `member`. */
  cellAt(x: number, y: number): number {
    return this.grid.cellAt(x, y);
  }
  firstOf(cell: number): number {
    return this.first[cell]!;
  }
  member(at: number): number {
    return this.members[at]!;
  }

  touches(i: number, x: number, y: number): boolean {
    const dx = x - this.x[i]!;
    const dy = y - this.y[i]!;
    if (dx * dx + dy * dy > this.limit[i]!) return false;
    return this.reach[i]! <= NEAR_REACH || farContact(dx, dy, this.reach[i]!, this.shell);
  }

  /** The finest grid that keeps to its share of room. */
  private gridFor(box: BoundingBox): Grid {
    const most = Math.min(CELLS_EACH_OF_FEW * this.count, Math.max(MANY_CELLS, CELLS_EACH_OF_MANY * this.count));
    for (let size = 1; ; size *= 2) {
      const grid = new Grid(box, size);
      if (grid.columns * grid.rows <= 1) return grid;
      if (grid.columns * grid.rows <= most && this.membersIn(grid) <= Math.max(LEAST_MEMBERS, MEMBERS_EACH * this.count)) return grid;
    }
  }

  private membersIn(grid: Grid): number {
    let sum = 0;
    for (let i = 0; i < this.count; i++) {
      const [x, y, R] = [this.x[i]!, this.y[i]!, this.reach[i]!];
      sum += (grid.columnAt(x + R) - grid.columnAt(x - R) + 1) * (grid.rowAt(y + R) - grid.rowAt(y - R) + 1);
    }
    return sum;
  }

  /** Tells of every cell that a circle reaches into, circles in file order. */
  private eachMember(tell: (cell: number, i: number) => void): void {
    const { grid } = this;
    for (let i = 0; i < this.count; i++) {
      const x = this.x[i]!;
      const y = this.y[i]!;
      const R = this.reach[i]!;
      const limit = R > NEAR_REACH ? (R + 2) * (R + 2) * 1.000001 : this.limit[i]!;
      const lastColumn = grid.columnAt(x + R);
      const lastRow = grid.rowAt(y + R);
      for (let row = grid.rowAt(y - R); row <= lastRow; row++) {
        const dy = gap(y, grid.top + row * grid.size, grid.size, row === 0, row === grid.rows - 1);
        for (let column = grid.columnAt(x - R); column <= lastColumn; column++) {
          const dx = gap(x, grid.left + column * grid.size, grid.size, column === 0, column === grid.columns - 1);
          if (dx * dx + dy * dy <= limit) tell(row * grid.columns + column, i);
        }
      }
    }
  }
}

/** How far a centre is from the whole numbers of a cell along one axis; the outermost cells have no end. */
function gap(centre: number, low: number, size: number, isFirst: boolean, isLast: boolean): number {
  if (centre < low) return isFirst ? 0 : low - centre;
  const high = low + size - 1;
  return centre > high && !isLast ? centre - high : 0;
}

/** Square cells over the box. The size is a power of two, so that the place in the grid is exact; points beyond belong to the outermost cells. */
class Grid {
  readonly left: number;
  readonly top: number;
  readonly columns: number;
  readonly rows: number;
  readonly size: number;
  private readonly scale: number;

  constructor(box: BoundingBox, size: number) {
    this.left = box.min_x;
    this.top = box.min_y;
    this.size = size;
    this.scale = 1 / size;
    this.columns = Math.floor((box.max_x - box.min_x) / size) + 1;
    this.rows = Math.floor((box.max_y - box.min_y) / size) + 1;
  }
  columnAt(x: number): number {
    const at = (x - this.left) * this.scale;
    return at < 0 ? 0 : at >= this.columns ? this.columns - 1 : Math.floor(at);
  }
  rowAt(y: number): number {
    const at = (y - this.top) * this.scale;
    return at < 0 ? 0 : at >= this.rows ? this.rows - 1 : Math.floor(at);
  }
  cellAt(x: number, y: number): number {
    return this.rowAt(y) * this.columns + this.columnAt(x);
  }
}
