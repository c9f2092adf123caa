import { TRAVERSABLE, NONSPATIAL } from '../src/entity.ts';
import { roomAt, stairsSide } from './plan.ts';
import { BITE, GOLD, HEALS, HERO_POINTS, HIT_POINTS, MOST_HEROES, RULES, SWORD_PAUSE, SWORD_REACH, TICKS_PER_SECOND } from './rules.ts';
import type { State } from './state.ts';

/** What a seat is told once. */
export interface Briefing {
  ticks: number;
  ticksPerSecond: number;
  heroes: number;
  /** The sides of a chunk in metres: a room each. */
  chunk: { x: number; y: number; z: number };
  swordReach: number;
  hitPoints: number;
}

/** A room by the numbers of its chunk, counted from the first one; its middle is at (16 x, 16 y, 4 z) metres. */
export interface RoomView {
  x: number;
  y: number;
  z: number;
  halfX: number;
  halfY: number;
  east: boolean;
  north: boolean;
  west: boolean;
  south: boolean;
  /** On which side the stairs to the floor above and to the floor below are: 1 east, -1 west, 0 there are none. */
  up: number;
  down: number;
}

export interface ThingView {
  id: number;
  x: number;
  y: number;
  z: number;
  /** Hit points of a monster, the worth of gold, what a fountain heals. */
  points: number;
}

/** What a hero sees: rooms up to two chunks away, things up to one, on its floor. Metres from the middle of the first room. */
export interface DungeonView {
  tick: number;
  x: number;
  y: number;
  z: number;
  vx: number;
  vy: number;
  vz: number;
  hitPoints: number;
  gold: number;
  kills: number;
  depth: number;
  fallen: boolean;
  swordReady: boolean;
  heroes: { seat: number; x: number; y: number; z: number; hitPoints: number }[];
  rooms: RoomView[];
  monsters: ThingView[];
  golds: ThingView[];
  fountains: ThingView[];
}

/** What a bot plays. */
export interface RawDeed {
  x: number;
  y: number;
  sword?: boolean;
}

const ROOMS_AWAY = 2;
const THINGS_AWAY = 1;

export function brief({ config }: State): Briefing {
  const { ChunkDimX, ChunkDimY, ChunkDimZ } = RULES;
  return {
    ticks: config.ticks,
    ticksPerSecond: TICKS_PER_SECOND,
    heroes: Math.min(config.heroes, MOST_HEROES),
    chunk: { x: ChunkDimX, y: ChunkDimY, z: ChunkDimZ },
    swordReach: SWORD_REACH,
    hitPoints: HERO_POINTS,
  };
}

/** Metres from the middle of the first room; chunk numbers are subtracted as integers. Who is nowhere is said to be there. */
export function placeOf({ store, config }: State, row: number): { x: number; y: number; z: number } {
  if ((store.flags[row]! & NONSPATIAL) !== 0) return { x: 0, y: 0, z: 0 };
  return {
    x: RULES.ChunkDimX * (store.chunkXOf(row) - config.originX) + store.x[row]!,
    y: RULES.ChunkDimY * (store.chunkYOf(row) - config.originY) + store.y[row]!,
    z: RULES.ChunkDimZ * (store.chunkZOf(row) - config.originZ) + store.z[row]!,
  };
}

export function observe(state: State, seat: number): DungeonView {
  const { store, tick } = state;
  const hero = state.heroes[seat]!;
  const row = store.rowOf(hero.id);
  const things = thingsAround(state, row);
  return {
    tick,
    ...placeOf(state, row),
    vx: store.vx[row]!,
    vy: store.vy[row]!,
    vz: store.vz[row]!,
    hitPoints: store.parameters.get(row, HIT_POINTS),
    gold: hero.gold,
    kills: hero.kills,
    depth: hero.depth,
    fallen: hero.fallen,
    swordReady: tick >= hero.swungAt + SWORD_PAUSE,
    heroes: state.heroes.flatMap((other, i) =>
      i === seat || other.fallen
        ? []
        : [{ seat: i, ...placeOf(state, store.rowOf(other.id)), hitPoints: store.parameters.get(store.rowOf(other.id), HIT_POINTS) }],
    ),
    rooms: roomsAround(state, row),
    monsters: things(BITE, HIT_POINTS),
    golds: things(GOLD, GOLD),
    fountains: things(HEALS, HEALS),
  };
}

function roomsAround(state: State, row: number): RoomView[] {
  const { store, config } = state;
  const [x0, y0, z] = [store.chunkXOf(row) - config.originX, store.chunkYOf(row) - config.originY, store.chunkZOf(row) - config.originZ];
  const rooms: RoomView[] = [];
  for (let y = y0 - ROOMS_AWAY; y <= y0 + ROOMS_AWAY; y++) {
    for (let x = x0 - ROOMS_AWAY; x <= x0 + ROOMS_AWAY; x++) {
      const { halfX, halfY, doors, up, down } = roomAt(state, x | 0, y | 0, z | 0);
      const [east, north, west, south] = doors;
      const [above, below] = [up ? stairsSide(z) : 0, down ? stairsSide(z - 1) : 0];
      rooms.push({ x, y, z, halfX, halfY, east, north, west, south, up: above, down: below });
    }
  }
  return rooms;
}

/** Things in the chunks around, by what they have. */
function thingsAround(state: State, hero: number): (has: number, points: number) => ThingView[] {
  const { store } = state;
  const found: number[] = [];
  const rows: number[] = [];
  const z = store.chunkZOf(hero);
  if ((store.flags[hero]! & NONSPATIAL) === 0) {
    for (let y = store.chunkYOf(hero) - THINGS_AWAY; y <= store.chunkYOf(hero) + THINGS_AWAY; y++) {
      for (let x = store.chunkXOf(hero) - THINGS_AWAY; x <= store.chunkXOf(hero) + THINGS_AWAY; x++) {
        const slot = store.chunks.find(x, y, z);
        const count = slot < 0 ? 0 : store.chunks.rowsOf(slot, rows);
        for (let i = 0; i < count; i++) if ((store.flags[rows[i]!]! & TRAVERSABLE) === 0) found.push(rows[i]!);
      }
    }
  }
  found.sort((a, b) => store.id[a]! - store.id[b]!);
  return (has, points) =>
    found
      .filter((row) => store.parameters.get(row, has) !== 0)
      .map((row) => ({ id: store.id[row]!, ...placeOf(state, row), points: store.parameters.get(row, points) }));
}
