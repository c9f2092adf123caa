import { CORRIDOR_WIDTH, FLOOR, PILLAR, PILLAR_AT, RULES, STAIRS_LENGTH, STAIRS_WIDTH, STAIRS_X, STAIRS_Y } from './rules.ts';
import { type Room, stairsSide } from './plan.ts';

/** Six numbers each, in the scene's directions: x east, y up, z south. */
export interface Masonry {
  readonly floor: number[];
  readonly wall: number[];
  readonly stairs: number[];
}

const HALF_CHUNK = 8;
/** Walls are cut off at this height, so that one sees over them. */
const WALL_HEIGHT = 1.1;
const PILLAR_HEIGHT = 1.8;
const WALL = 0.4;
const SLAB = 0.3;
const STEPS = 10;
const HALF_WAY = CORRIDOR_WIDTH / 2;

/** Adds a box of the dungeon, given by its sides along x, y and z. */
function put(into: number[], x: readonly [number, number], y: readonly [number, number], z: readonly [number, number]): void {
  if (x[1] > x[0] && y[1] > y[0]) into.push(x[0], z[0], -y[1], x[1], z[1], -y[0]);
}

/** What is to be seen of a room whose middle is at (x, y, z) metres, on floor number `storey`. */
export function raise(room: Room, x: number, y: number, z: number, storey: number, into: Masonry): void {
  const ground = z + FLOOR;
  layFloor(room, x, y, ground, storey, into.floor);
  raiseWalls(room, x, y, ground, into.wall);
  for (const [sx, sy, place] of [
    [1, 1, 0],
    [-1, 1, 1],
    [-1, -1, 2],
    [1, -1, 3],
  ] as const) {
    if ((room.pillars & (1 << place)) === 0) continue;
    const [px, py, half] = [x + sx * PILLAR_AT, y + sy * PILLAR_AT, PILLAR / 2];
    put(into.wall, [px - half, px + half], [py - half, py + half], [ground, ground + PILLAR_HEIGHT]);
  }
  if (room.up) climb(x + stairsSide(storey) * STAIRS_X, y + STAIRS_Y, ground, into.stairs);
  if (room.down) climb(x + stairsSide(storey - 1) * STAIRS_X, y + STAIRS_Y, ground - RULES.ChunkDimZ, into.stairs);
}

/** The room's floor, with a hole over the stairs to the floor below, and that of its corridors. */
function layFloor({ halfX, halfY, doors, down }: Room, x: number, y: number, ground: number, storey: number, floor: number[]): void {
  const z = [ground - SLAB, ground] as const;
  const [west, east, south, north] = [x - halfX, x + halfX, y - halfY, y + halfY];
  if (down) {
    const left = x + stairsSide(storey - 1) * STAIRS_X - STAIRS_WIDTH / 2;
    const low = y + STAIRS_Y - STAIRS_LENGTH / 2;
    put(floor, [west, left], [south, north], z);
    put(floor, [left + STAIRS_WIDTH, east], [south, north], z);
    put(floor, [left, left + STAIRS_WIDTH], [south, low], z);
    put(floor, [left, left + STAIRS_WIDTH], [low + STAIRS_LENGTH, north], z);
  } else put(floor, [west, east], [south, north], z);
  if (doors[0]) put(floor, [east, x + HALF_CHUNK], [y - HALF_WAY, y + HALF_WAY], z);
  if (doors[1]) put(floor, [x - HALF_WAY, x + HALF_WAY], [north, y + HALF_CHUNK], z);
  if (doors[2]) put(floor, [x - HALF_CHUNK, west], [y - HALF_WAY, y + HALF_WAY], z);
  if (doors[3]) put(floor, [x - HALF_WAY, x + HALF_WAY], [y - HALF_CHUNK, south], z);
}

/** Walls around the room, with a gap before each corridor, and on both sides of the corridors. */
function raiseWalls({ halfX, halfY, doors }: Room, x: number, y: number, ground: number, wall: number[]): void {
  const z = [ground - SLAB, ground + WALL_HEIGHT] as const;
  for (const side of [1, -1] as const) {
    const isOpenX = doors[side === 1 ? 0 : 2];
    const isOpenY = doors[side === 1 ? 1 : 3];
    const atX = ordered(x + side * halfX, x + side * (halfX + WALL));
    const atY = ordered(y + side * halfY, y + side * (halfY + WALL));
    for (const half of [1, -1] as const) {
      const gapX = isOpenX ? HALF_WAY : 0;
      const gapY = isOpenY ? HALF_WAY : 0;
      put(wall, atX, ordered(y + half * gapX, y + half * (halfY + WALL)), z);
      put(wall, ordered(x + half * gapY, x + half * (halfX + WALL)), atY, z);
      const lane = [HALF_WAY, HALF_WAY + WALL] as const;
      if (isOpenX) put(wall, ordered(x + side * (halfX + WALL), x + side * HALF_CHUNK), ordered(y + half * lane[0], y + half * lane[1]), z);
      if (isOpenY) put(wall, ordered(x + half * lane[0], x + half * lane[1]), ordered(y + side * (halfY + WALL), y + side * HALF_CHUNK), z);
    }
  }
}

const ordered = (a: number, b: number): [number, number] => (a < b ? [a, b] : [b, a]);

/** Stairs that rise to the north by one floor. */
function climb(x: number, y: number, ground: number, stairs: number[]): void {
  const tread = STAIRS_LENGTH / STEPS;
  const rise = RULES.ChunkDimZ / STEPS;
  for (let i = 0; i < STEPS; i++) {
    const south = y - STAIRS_LENGTH / 2 + i * tread;
    put(stairs, [x - STAIRS_WIDTH / 2, x + STAIRS_WIDTH / 2], [south, south + tread], [ground, ground + (i + 1) * rise]);
  }
}
