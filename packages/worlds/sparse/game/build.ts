import {
  COLLIDES,
  CONFINED,
  DRAG,
  type EntitySpec,
  HAS_WEIGHT,
  MOVABLE,
  SPEED,
  STAIRS,
  TRAVERSABLE,
  UNIT_MAX_ACCEL,
  WALKABLE_AXIS,
  WALKABLE_HEIGHT,
} from '../src/entity.ts';
import { positionAt, type WorldPosition } from '../src/position.ts';
import type { Volume } from '../src/shapes.ts';
import { type Room, stairsSide } from './plan.ts';
import {
  BITE,
  CORRIDOR_HEIGHT,
  CORRIDOR_WIDTH,
  FLOOR,
  GOLD,
  HEALS,
  HIT_POINTS,
  MONSTER_DRAG,
  MONSTER_SIGHT,
  PILLAR,
  PILLAR_AT,
  ROOM_HEIGHT,
  RULES,
  SIGHT,
  STAIRS_LENGTH,
  STAIRS_WIDTH,
  STAIRS_X,
  STAIRS_Y,
  WORST_DEPTH,
} from './rules.ts';

const HALF_CHUNK = 8;
/** Where pillars, gold and monsters stand, by number. */
const CORNERS = [
  [1, 1],
  [-1, 1],
  [-1, -1],
  [1, -1],
] as const;
const SIDES = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
] as const;

/** [SW-D2] Everything a chunk holds when it is first come near: its Space, pillars, stairs, fountain, gold and monsters. `depth`: floors below the origin. */
export function entitiesOf(room: Room, chunk: WorldPosition, z: number, depth: number): EntitySpec[] {
  const at = (x: number, y: number, height: number): WorldPosition =>
    positionAt(RULES, chunk.chunkX, chunk.chunkY, chunk.chunkZ, x, y, height);
  const specs: EntitySpec[] = [{ flags: TRAVERSABLE, position: at(0, 0, 0), volumes: spaceOf(room, z) }];
  if (room.pillars !== 0) specs.push({ flags: COLLIDES, position: at(0, 0, 0), volumes: pillarsOf(room.pillars) });
  if (room.up) specs.push(stairs(at(stairsSide(z) * STAIRS_X, STAIRS_Y, FLOOR + RULES.ChunkDimZ / 2)));
  if (room.fountain) specs.push(still(at(-PILLAR_AT, -PILLAR_AT, FLOOR + 0.25), HEALS, 1));
  for (const place of room.gold) {
    const [x, y] = CORNERS[place]!;
    specs.push(still(at(x * (room.halfX - 1), y * (room.halfY - 1), FLOOR + 0.25), GOLD, 1 + depth));
  }
  for (const place of room.monsters) {
    const [x, y] = SIDES[place]!;
    specs.push(monster(at(x * (room.halfX - 1.5), y * (room.halfY - 1.5), FLOOR + 0.01), depth));
  }
  return specs;
}

/** [SW-R6] Where one may be: the room, a corridor to each door, and the well over the stairs. */
function spaceOf({ halfX, halfY, doors, up }: Room, z: number): Volume[] {
  const volumes: Volume[] = [{ dimX: 2 * halfX, dimY: 2 * halfY, dimZ: ROOM_HEIGHT }];
  const offsetZ = (CORRIDOR_HEIGHT - ROOM_HEIGHT) / 2;
  doors.forEach((isOpen, side) => {
    if (!isOpen) return;
    const [x, y] = SIDES[side]!;
    const half = x === 0 ? halfY : halfX;
    const length = HALF_CHUNK - half;
    volumes.push({
      offsetX: x * (half + length / 2),
      offsetY: y * (half + length / 2),
      offsetZ,
      dimX: x === 0 ? CORRIDOR_WIDTH : length,
      dimY: y === 0 ? CORRIDOR_WIDTH : length,
      dimZ: CORRIDOR_HEIGHT,
    });
  });
  const rise = RULES.ChunkDimZ;
  const well = { offsetX: stairsSide(z) * STAIRS_X, offsetY: STAIRS_Y, offsetZ: rise / 2 };
  if (up) volumes.push({ ...well, dimX: STAIRS_WIDTH, dimY: STAIRS_LENGTH, dimZ: ROOM_HEIGHT + rise });
  return volumes;
}

function pillarsOf(pillars: number): Volume[] {
  return CORNERS.flatMap(([x, y], place) =>
    (pillars & (1 << place)) === 0
      ? []
      : [{ offsetX: x * PILLAR_AT, offsetY: y * PILLAR_AT, dimX: PILLAR, dimY: PILLAR, dimZ: ROOM_HEIGHT }],
  );
}

function stairs(position: WorldPosition): EntitySpec {
  const rise = RULES.ChunkDimZ;
  return {
    flags: STAIRS | COLLIDES,
    position,
    volumes: [{ dimX: STAIRS_WIDTH, dimY: STAIRS_LENGTH, dimZ: rise }],
    parameters: [
      [WALKABLE_HEIGHT, rise],
      [WALKABLE_AXIS, 1],
    ],
  };
}

function still(position: WorldPosition, parameter: number, value: number): EntitySpec {
  return { flags: 0, position, volumes: [{ dimX: 0.5, dimY: 0.5, dimZ: 0.5 }], parameters: [[parameter, value]] };
}

/** [SW-D6] Deeper ones are quicker and last longer, down to a floor below which they get no worse. */
function monster(position: WorldPosition, floor: number): EntitySpec {
  const depth = Math.min(floor, WORST_DEPTH);
  return {
    flags: COLLIDES | MOVABLE | CONFINED | HAS_WEIGHT | UNIT_MAX_ACCEL,
    position,
    volumes: [{ offsetZ: 0.4, dimX: 0.8, dimY: 0.8, dimZ: 0.8 }],
    parameters: [
      [SPEED, Math.min(20 + 2 * depth, 36)],
      [DRAG, MONSTER_DRAG],
      [HIT_POINTS, 2 + Math.floor(depth / 2)],
      [BITE, 1 + Math.floor(depth / 4)],
      [SIGHT, MONSTER_SIGHT],
    ],
  };
}
