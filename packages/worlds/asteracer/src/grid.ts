import { type Circles, NEAR_REACH } from './circles.ts';

/** How much room the index may take: cells a circle where there are few circles, and where there are many; members a circle. */
const CELLS_EACH_OF_FEW = 512;
const CELLS_EACH_OF_MANY = 4;
const MANY_CELLS = 0x4_0000;
const MEMBERS_EACH = 8;
const LEAST_MEMBERS = 0x4_0000;

/** A rectangle, its last points included. */
export interface Room {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/**
 * [AR-G8] Square cells over a room, the outermost without end. Each knows in file order which circles a racer in it may be in contact with.
 * The size is a power of two, so that a place in the grid is exact.
 */
export class Grid {
  readonly left: number;
  readonly top: number;
  readonly columns: number;
  readonly rows: number;
  readonly size: number;
  /** 1 / size; and how many bits that is. */
  readonly scale: number;
  readonly shift: number;
  /** 0 for a cell all of whose points are inside the room and in contact with nothing. */
  readonly busy: Uint8Array;
  /** A cell's asteroids are members[first[2 * cell]] … members[first[2 * cell + 1] - 1], from there its goals up to first[2 * cell + 2] - 1. */
  readonly first: Int32Array;
  readonly members: Int32Array;

  constructor(room: Room, asteroids: Circles, goals: Circles) {
    this.left = room.left;
    this.top = room.top;
    this.size = sizeFor(room, asteroids, goals);
    this.scale = 1 / this.size;
    this.shift = 31 - Math.clz32(this.size);
    this.columns = across(room.right - room.left, this.size);
    this.rows = across(room.bottom - room.top, this.size);
    this.first = new Int32Array(2 * this.columns * this.rows + 1);
    this.eachMember(asteroids, (cell) => this.first[2 * cell + 1]!++);
    this.eachMember(goals, (cell) => this.first[2 * cell + 2]!++);
    for (let i = 1; i < this.first.length; i++) this.first[i]! += this.first[i - 1]!;
    this.members = new Int32Array(this.first.at(-1)!);
    const next = this.first.slice();
    this.eachMember(asteroids, (cell, i) => (this.members[next[2 * cell]!++] = i));
    this.eachMember(goals, (cell, i) => (this.members[next[2 * cell + 1]!++] = i));
    this.busy = new Uint8Array(this.columns * this.rows);
    this.markBusy(room);
  }
  /** Hot. */
  cellAt(x: number, y: number): number {
    return this.rowAt(y) * this.columns + this.columnAt(x);
  }
  columnAt(x: number): number {
    return within(((x - this.left) * this.scale) | 0, this.columns);
  }
  rowAt(y: number): number {
    return within(((y - this.top) * this.scale) | 0, this.rows);
  }

  /** Tells of every cell that a circle reaches into, circles in file order. */
  private eachMember(circles: Circles, tell: (cell: number, i: number) => void): void {
    const { left, top, size, columns, rows } = this;
    for (let i = 0; i < circles.count; i++) {
      const x = circles.x[i]!;
      const y = circles.y[i]!;
      const R = circles.reach[i]!;
      const limit = R > NEAR_REACH ? (R + 2) * (R + 2) * 1.000001 : circles.limit[i]!;
      const lastColumn = this.columnAt(x + R);
      const lastRow = this.rowAt(y + R);
      for (let row = this.rowAt(y - R); row <= lastRow; row++) {
        const dy = gap(y, top + row * size, size, row === 0, row === rows - 1);
        for (let column = this.columnAt(x - R); column <= lastColumn; column++) {
          const dx = gap(x, left + column * size, size, column === 0, column === columns - 1);
          if (dx * dx + dy * dy <= limit) tell(row * columns + column, i);
        }
      }
    }
  }

  /** The outermost cells are never calm: they have no end. */
  private markBusy(room: Room): void {
    const { left, top, size, columns, rows, busy, first } = this;
    const lastColumn = Math.min(Math.floor((room.right + 1 - left) / size) - 1, columns - 2);
    const lastRow = Math.min(Math.floor((room.bottom + 1 - top) / size) - 1, rows - 2);
    busy.fill(1);
    for (let row = 1; row <= lastRow; row++) {
      for (let column = 1; column <= lastColumn; column++) {
        const cell = row * columns + column;
        if (first[2 * cell] === first[2 * cell + 2]) busy[cell] = 0;
      }
    }
  }
}

/**
 * No place of a racer is further than 2^34 from the room: positions and centres are at most 2^31, two radii at most 2^33, and a side of the
 * room is at most 2^31 + 2^32 from 0. In cells of this size that is less than 2^31, so `| 0` cuts and does not wrap.
 */
const LEAST_SIZE = 16;

/** The finest cells that keep to their share of memory. */
function sizeFor(room: Room, asteroids: Circles, goals: Circles): number {
  const count = asteroids.count + goals.count;
  const mostCells = Math.min(CELLS_EACH_OF_FEW * count, Math.max(MANY_CELLS, CELLS_EACH_OF_MANY * count));
  const mostMembers = Math.max(LEAST_MEMBERS, MEMBERS_EACH * count);
  for (let size = LEAST_SIZE; ; size *= 2) {
    const columns = across(room.right - room.left, size);
    const rows = across(room.bottom - room.top, size);
    if (columns * rows === 1) return size;
    if (columns * rows > mostCells) continue;
    const members = ({ reach }: Circles): number =>
      reach.reduce((sum, R) => sum + Math.min(across(2 * R, size), columns) * Math.min(across(2 * R, size), rows), 0);
    if (members(asteroids) + members(goals) <= mostMembers) return size;
  }
}

const across = (length: number, size: number): number => Math.max(Math.floor(length / size) + 1, 1);

const within = (at: number, count: number): number => (at < 0 ? 0 : at >= count ? count - 1 : at);

/** How far a centre is from the whole numbers of a cell along one axis; the outermost cells have no end. */
function gap(centre: number, low: number, size: number, isFirst: boolean, isLast: boolean): number {
  if (centre < low) return isFirst ? 0 : low - centre;
  const high = low + size - 1;
  return centre > high && !isLast ? centre - high : 0;
}
