import { PARAMETERS, type Parameter } from '../src/entity.ts';
import { readRules } from '../src/rules.ts';

/** [SW-D1] One room a chunk, one layer of chunks a floor; a region sees a few rooms around its hero. */
export const RULES = readRules({
  ChunkDimX: 16,
  ChunkDimY: 16,
  ChunkDimZ: 4,
  SimChunksInCamera: 2,
  SimBoundsExpansion: 2,
  MaxEntityRadius: 1.5,
  MaxEntityVelocity: 15,
});
/** The camera sees two rooms each way, and one floor. */
export const CAMERA = { x: 2, y: 2, z: 1 };

export const TICKS_PER_SECOND = 30;
export const DT = 1 / TICKS_PER_SECOND;
export const MOST_HEROES = 4;

/** Heights within a chunk, from its centre. */
export const FLOOR = -1.5;
export const ROOM_HEIGHT = 3;
export const CORRIDOR_HEIGHT = 2.5;
export const CORRIDOR_WIDTH = 2;
/** [SW-D3] A ramp of stairs: its box in the lower chunk, to the east on even floors and to the west on odd ones. */
export const STAIRS_X = 3;
export const STAIRS_Y = 3.5;
export const STAIRS_WIDTH = 2;
export const STAIRS_LENGTH = 4;
export const PILLAR = 1.4;
export const PILLAR_AT = 2.5;

export const HERO_POINTS = 10;
export const HERO_SPEED = 50;
export const HERO_DRAG = 8;
/** [SW-D5] The sword: how far it flies, how fast, and how long until the next one. */
export const SWORD_REACH = 2.5;
export const SWORD_SPEED = 12;
export const SWORD_TICKS = 10;
export const SWORD_PAUSE = 12;
export const SWORD_HARM = 1;
export const PUSH = 6;

export const MONSTER_DRAG = 8;
export const MONSTER_SIGHT = 8;
export const BITE_REACH = 1.4;
export const BITE_PAUSE = 30;
export const WANDER_TICKS = 45;
/** Two billion floors down they are as here. */
export const WORST_DEPTH = 16;

export const FAMILIAR_SPEED = 30;
export const FAMILIAR_DRAG = 5;
export const FAMILIAR_NEAR = 1.5;
export const FAMILIAR_HEIGHT = 1;

export const GOLD_REACH = 1;
export const FOUNTAIN_REACH = 3;
export const FOUNTAIN_PAUSE = 15;

/** [SW-D8] */
export const POINTS_A_KILL = 5;
export const POINTS_A_FLOOR = 20;

/** [SW-R18] What an entity of the dungeon may be, besides a body: a number each, 0 for almost everything. */
const OWN = ['hitPoints', 'gold', 'bite', 'sight', 'follows', 'readyAt', 'heals'] as const;
export const OWN_PARAMETERS: readonly Parameter[] = OWN.map((name) => ({ name, default: 0 }));
const first = PARAMETERS.length;
export const HIT_POINTS = first;
export const GOLD = first + 1;
export const BITE = first + 2;
export const SIGHT = first + 3;
/** The id of whom it follows. */
export const FOLLOWS = first + 4;
/** The tick from which on it may act again. */
export const READY_AT = first + 5;
export const HEALS = first + 6;
