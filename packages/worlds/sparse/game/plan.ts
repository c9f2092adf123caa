/**
 * [SW-D1] The plan of a dungeon without end: what the room of a chunk is like follows from the seed and from the chunk's numbers, counted from the
 * dungeon's origin. Nobody has to have been there.
 */
export interface Room {
  /** Half its sides, in metres. */
  readonly halfX: number;
  readonly halfY: number;
  /** Ways out: east, north, west, south. */
  readonly doors: readonly [boolean, boolean, boolean, boolean];
  /** [SW-D3] Stairs to the floor above, and from the floor below. */
  readonly up: boolean;
  readonly down: boolean;
  /** Which of the four places for pillars have one. */
  readonly pillars: number;
  readonly fountain: boolean;
  /** Places in the room by number, 0..3. */
  readonly gold: readonly number[];
  readonly monsters: readonly number[];
}

export interface PlanSeed {
  readonly seedLow: number;
  readonly seedHigh: number;
}

const DOORS = 1;
const STAIRS = 2;
const SIZE = 3;
const THINGS = 4;

/** 32 random bits for a chunk; `what` tells apart what they are for. */
export function diceAt({ seedLow, seedHigh }: PlanSeed, what: number, x: number, y: number, z: number): number {
  let h = seedLow ^ Math.imul(what, 0x9e37_79b1);
  for (const word of [seedHigh, x, y, z]) {
    h = Math.imul(h ^ word, 0x85eb_ca6b);
    h ^= h >>> 13;
    h = Math.imul(h, 0xc2b2_ae35);
    h ^= h >>> 16;
  }
  return h >>> 0;
}

/** Every room has a way to the east or to the north, so that all of a floor hangs together; half of them have both. */
const opensEast = (seed: PlanSeed, x: number, y: number, z: number): boolean => diceAt(seed, DOORS, x, y, z) % 4 !== 0;
const opensNorth = (seed: PlanSeed, x: number, y: number, z: number): boolean => diceAt(seed, DOORS, x, y, z) % 4 < 2;

function hasStairsUp(seed: PlanSeed, x: number, y: number, z: number): boolean {
  return diceAt(seed, STAIRS, x, y, z) % 5 === 0;
}

/** On which side the stairs to the floor above are: never on that of the stairs from below. */
export const stairsSide = (z: number): 1 | -1 => ((z & 1) === 0 ? 1 : -1);

/** The room of a chunk; numbers count from the origin and may wrap around. */
export function roomAt(seed: PlanSeed, x: number, y: number, z: number): Room {
  const up = hasStairsUp(seed, x, y, z);
  const down = hasStairsUp(seed, x, y, (z - 1) | 0);
  const size = diceAt(seed, SIZE, x, y, z);
  const things = diceAt(seed, THINGS, x, y, z);
  const hasStairs = up || down;
  const halfX = hasStairs ? 7 : 4 + (size % 3);
  const halfY = hasStairs ? 7 : 4 + ((size >>> 8) % 3);
  const isStart = x === 0 && y === 0 && z === 0;
  const fountain = isStart || (!hasStairs && (size >>> 16) % 16 === 0);
  const isWide = !hasStairs && halfX > 4 && halfY > 4;
  return {
    halfX,
    halfY,
    doors: [opensEast(seed, x, y, z), opensNorth(seed, x, y, z), opensEast(seed, (x - 1) | 0, y, z), opensNorth(seed, x, (y - 1) | 0, z)],
    up,
    down,
    pillars: isWide && !fountain ? (size >>> 24) & 15 : 0,
    fountain,
    gold: placesOf(things & 15, isStart ? 0 : (things >>> 8) % 3),
    monsters: placesOf((things >>> 4) & 15, isStart ? 0 : (things >>> 16) % 3),
  };
}

/** So many of the four places, beginning somewhere. */
function placesOf(from: number, count: number): number[] {
  return Array.from({ length: count }, (_, i) => (from + i) & 3);
}
