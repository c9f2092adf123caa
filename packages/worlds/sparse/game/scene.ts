import type { Boxes, Held, Material, Points, Role, Scene, SceneMaker, Shape, Sphere } from '@lockstep/kernel';
import { NONSPATIAL, TRAVERSABLE } from '../src/entity.ts';
import { spriteAt } from '../src/particles.ts';
import type { Deed } from './action.ts';
import type { Config } from './config.ts';
import { type Masonry, raise } from './masonry.ts';
import { roomAt } from './plan.ts';
import { BITE, FLOOR, FOLLOWS, GOLD, HEALS, HERO_POINTS, HIT_POINTS, RULES } from './rules.ts';
import type { Hero, State } from './state.ts';
import type { DungeonView, RawDeed } from './view.ts';
import { scoreOf } from './world.ts';

/** Rooms so many chunks around a hero are drawn, those of its floor; the rest is dark. */
const SEEN = 2;
/** Chunks from one place that scenes are counted from to the next. */
const ANCHOR_STEP = 256;
const EXTENT = 20;
const SPECK = 0.14;
const TEAMS: readonly Role[] = ['teamA', 'teamB', 'pickup', 'ghost'];

/**
 * What to draw of the dungeon: x east, y up, z south, in metres from the middle of the first room, and far from it from that of another: pictures have no
 * room for the digits of places two billion chunks away.
 */
export const stage: SceneMaker<Config, State, Deed, DungeonView, RawDeed> = {
  bounds: () => ({ min: [-EXTENT, FLOOR, -EXTENT], max: [EXTENT, FLOOR + 8, EXTENT] }),
  meshes: () => [],
  scene,
  steer,
  names: { jump: 'sword' },
};

function scene(state: State): Scene {
  const { store, tick, heroes } = state;
  const first = heroes[0]!;
  const from = anchorOf(state);
  return {
    tick,
    shapes: [...masonryOf(state, from), ...heroes.flatMap((hero, seat) => heroShapes(state, from, hero, seat)), ...thingsOf(state, from)],
    scores: heroes.map(scoreOf),
    metrics: {
      'hit points': store.parameters.get(store.rowOf(first.id), HIT_POINTS),
      gold: first.gold,
      slain: first.kills,
      depth: first.depth,
      'entities stored': store.count,
      'chunks stored': store.chunks.count,
    },
  };
}

/** A chunk by its numbers. */
type Anchor = readonly [x: number, y: number, z: number];

/** The chunk that the scene is counted from: the origin, or so many whole steps from it that the first hero is near. */
function anchorOf({ store, heroes, config }: State): Anchor {
  const { id, familiar, fallen } = heroes[0]!;
  const row = store.ids.get(fallen ? familiar : id);
  const { originX, originY, originZ } = config;
  if (row < 0) return [originX, originY, originZ];
  const near = (chunk: number, origin: number): number => origin + Math.floor((chunk - origin) / ANCHOR_STEP + 0.5) * ANCHOR_STEP;
  return [near(store.chunkXOf(row), originX), near(store.chunkYOf(row), originY), near(store.chunkZOf(row), originZ)];
}

/** Where an entity is, in metres from the middle of a chunk. */
function placeFrom({ store }: State, [x, y, z]: Anchor, row: number): { x: number; y: number; z: number } {
  return {
    x: RULES.ChunkDimX * (store.chunkXOf(row) - x) + store.x[row]!,
    y: RULES.ChunkDimY * (store.chunkYOf(row) - y) + store.y[row]!,
    z: RULES.ChunkDimZ * (store.chunkZOf(row) - z) + store.z[row]!,
  };
}

/** Chunks that are seen, each once: around heroes, and where one has fallen around its familiar, which stays. */
function chunksSeen(state: State): [x: number, y: number, z: number][] {
  const { store } = state;
  const chunks = new Map<string, [number, number, number]>();
  for (const { id, familiar, fallen } of state.heroes) {
    const row = store.ids.get(fallen ? familiar : id);
    if (row < 0) continue;
    const z = store.chunkZOf(row);
    for (let y = store.chunkYOf(row) - SEEN; y <= store.chunkYOf(row) + SEEN; y++)
      for (let x = store.chunkXOf(row) - SEEN; x <= store.chunkXOf(row) + SEEN; x++) chunks.set(`${x},${y},${z}`, [x, y, z]);
  }
  return [...chunks.values()];
}

function masonryOf(state: State, from: Anchor): Shape[] {
  const { originX, originY, originZ } = state.config;
  const masonry: Masonry = { floor: [], wall: [], stairs: [] };
  for (const [chunkX, chunkY, chunkZ] of chunksSeen(state)) {
    const [x, y, z] = [chunkX - originX, chunkY - originY, chunkZ - originZ];
    const room = roomAt(state, x | 0, y | 0, z | 0);
    const { ChunkDimX, ChunkDimY, ChunkDimZ } = RULES;
    raise(room, (chunkX - from[0]) * ChunkDimX, (chunkY - from[1]) * ChunkDimY, (chunkZ - from[2]) * ChunkDimZ, z, masonry);
  }
  return [boxes('floor', masonry.floor, 'floor'), boxes('walls', masonry.wall, 'wall'), boxes('stairs', masonry.stairs, 'line')];
}

function boxes(key: string, numbers: readonly number[], role: Role): Boxes {
  return { shape: 'boxes', key, boxes: Float32Array.from(numbers), material: { role } };
}

function heroShapes(state: State, from: Anchor, hero: Hero, seat: number): Shape[] {
  const { store } = state;
  const role = TEAMS[seat % TEAMS.length]!;
  const row = store.rowOf(hero.id);
  const shapes: Shape[] = [];
  if (!hero.fallen) {
    const gauge = store.parameters.get(row, HIT_POINTS) / HERO_POINTS;
    shapes.push({ ...ball(state, from, row, `hero ${seat}`, 0.4, 0.6, { role, seat, glow: 0.6 }), gauge });
  }
  const sword = store.rowOf(hero.sword);
  if ((store.flags[sword]! & NONSPATIAL) === 0) shapes.push(ball(state, from, sword, `sword ${seat}`, 0.16, 0, { role: 'ball', glow: 1 }));
  return shapes;
}

/** Everything else that is near, by what it has. */
function thingsOf(state: State, from: Anchor): Shape[] {
  const { store } = state;
  const rows: number[] = [];
  const shapes: Shape[] = [];
  for (const [x, y, z] of chunksSeen(state)) {
    const slot = store.chunks.find(x, y, z);
    const count = slot < 0 ? 0 : store.chunks.rowsOf(slot, rows);
    for (let i = 0; i < count; i++) {
      const row = rows[i]!;
      if ((store.flags[row]! & TRAVERSABLE) !== 0 || store.shape[row] === 0) continue;
      shapes.push(...thingShapes(state, from, row, store.id[row]!));
    }
  }
  return shapes;
}

function thingShapes(state: State, from: Anchor, row: number, id: number): Shape[] {
  const { parameters } = state.store;
  if (parameters.get(row, BITE) !== 0) return [ball(state, from, row, `monster ${id}`, 0.4, 0.4, { role: 'hazard' })];
  if (parameters.get(row, GOLD) !== 0) return [ball(state, from, row, `gold ${id}`, 0.18, 0, { role: 'treasure', glow: 0.8 })];
  if (parameters.get(row, FOLLOWS) !== 0) return [ball(state, from, row, `familiar ${id}`, 0.16, 0, { role: 'ghost', glow: 1 })];
  return parameters.get(row, HEALS) === 0 ? [] : [fountain(state, from, row, id)];
}

function ball(state: State, from: Anchor, row: number, key: string, radius: number, lift: number, material: Material): Sphere {
  const { store } = state;
  const { x, y, z } = placeFrom(state, from, row);
  const velocity = [store.vx[row]!, store.vz[row]!, -store.vy[row]!] as const;
  const ground = RULES.ChunkDimZ * (store.chunkZOf(row) - from[2]) + FLOOR;
  return { shape: 'sphere', key, x, y: z + lift, z: -y, radius, velocity, ground, material };
}

/** [SW-R49] The particles, as every fountain shows them. */
function fountain(state: State, from: Anchor, row: number, id: number): Points {
  const { x, y, z } = placeFrom(state, from, row);
  const points: number[] = [];
  const colours: number[] = [];
  for (let i = 0; i < state.particles.live; i++) {
    const sprite = spriteAt(state.particles, i);
    if (sprite === null) continue;
    points.push(x + sprite.x, z - 0.25 + sprite.z, -(y + sprite.y));
    colours.push(sprite.red, sprite.green, sprite.blue, sprite.alpha);
  }
  return {
    shape: 'points',
    key: `fountain ${id}`,
    points: Float32Array.from(points),
    colours: Float32Array.from(colours),
    size: SPECK,
    material: { role: 'teamB', glow: 1 },
  };
}

/** A person goes where they point, in the scene's directions; what is jump elsewhere swings the sword. */
function steer(_seat: number, { move, jump }: Held): RawDeed {
  const within = (part: number): number => Math.max(-1, Math.min(1, part));
  return { x: within(move[0]) + 0, y: within(-move[2]) + 0, sword: jump };
}
