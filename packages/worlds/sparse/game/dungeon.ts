import {
  COLLIDES,
  CONFINED,
  DRAG,
  type EntitySpec,
  HAS_WEIGHT,
  HITS_ONCE,
  MOVABLE,
  SPEED,
  TRAVERSABLE,
  UNIT_MAX_ACCEL,
} from '../src/entity.ts';
import { positionAt, WorldPosition } from '../src/position.ts';
import { Regions } from '../src/regions.ts';
import type { ChunkRange } from '../src/sim-region.ts';
import type { Store } from '../src/store.ts';
import { entitiesOf } from './build.ts';
import { roomAt } from './plan.ts';
import {
  DT,
  FAMILIAR_DRAG,
  FAMILIAR_HEIGHT,
  FAMILIAR_SPEED,
  FLOOR,
  FOLLOWS,
  HERO_DRAG,
  HERO_POINTS,
  HERO_SPEED,
  HIT_POINTS,
  RULES,
} from './rules.ts';
import type { Hero, State } from './state.ts';

/** Heroes begin side by side in the first room, each with a familiar and a sword that is nowhere until it is swung. */
export function settleHeroes(state: State): void {
  const { store, config, heroes } = state;
  const at = (x: number, height: number): WorldPosition =>
    positionAt(RULES, config.originX, config.originY, config.originZ, x, 0, FLOOR + height);
  heroes.forEach((hero, seat) => {
    const x = (seat - (heroes.length - 1) / 2) * 1.5;
    hero.id = store.insert(heroSpec(at(x, 0.01)));
    hero.familiar = store.insert(familiarSpec(at(x, FAMILIAR_HEIGHT), hero.id));
    hero.sword = store.insert(SWORD);
  });
  for (const hero of heroes) forgive(state, hero);
  wake(state);
}

function heroSpec(position: WorldPosition): EntitySpec {
  return {
    flags: COLLIDES | MOVABLE | CONFINED | HAS_WEIGHT | UNIT_MAX_ACCEL,
    position,
    volumes: [{ offsetZ: 0.6, dimX: 0.8, dimY: 0.8, dimZ: 1.2 }],
    parameters: [
      [SPEED, HERO_SPEED],
      [DRAG, HERO_DRAG],
      [HIT_POINTS, HERO_POINTS],
    ],
  };
}

/** [SW-D7] It hovers, is in nobody's way, and may go wherever its hero may. */
function familiarSpec(position: WorldPosition, hero: number): EntitySpec {
  return {
    flags: MOVABLE | CONFINED | UNIT_MAX_ACCEL,
    position,
    volumes: [{ dimX: 0.4, dimY: 0.4, dimZ: 0.4 }],
    parameters: [
      [SPEED, FAMILIAR_SPEED],
      [DRAG, FAMILIAR_DRAG],
      [FOLLOWS, hero],
    ],
  };
}

const SWORD: EntitySpec = {
  flags: COLLIDES | MOVABLE | CONFINED | HITS_ONCE,
  volumes: [{ dimX: 0.4, dimY: 0.4, dimZ: 0.4 }],
};

/** [SW-E25] A sword that was put away may hit everybody again, but never a hero. */
export function forgive({ store, heroes }: State, { sword }: Hero): void {
  store.pairs.clearFor(sword);
  for (const hero of heroes) {
    store.pairs.set(sword, hero.id, false);
    store.pairs.set(sword, hero.sword, false);
  }
}

export const livingHeroes = ({ heroes }: State): Hero[] => heroes.filter(({ fallen }) => !fallen);

/** The chunks that the next tick looks at. */
export function rangesAround(state: State): ChunkRange[] {
  return aim(state)?.list.map(({ loaded }) => loaded) ?? [];
}

/** [SW-R10] A region around every living hero, filled from the store; rooms that nobody has come near before are built. Empty when all have fallen. */
export function wake(state: State): Regions | null {
  const regions = aim(state);
  if (regions === null) return null;
  for (const { loaded } of regions.list) buildMissing(state, loaded, (spec) => regions.insert(spec));
  regions.settle();
  return regions;
}

function aim(state: State): Regions | null {
  const { store } = state;
  const cameras = livingHeroes(state).map(({ id }) => store.positionOf(store.rowOf(id)));
  if (cameras.length === 0) return null;
  const regions = new Regions(cameras.map((camera, seat) => state.regionAt(seat, camera)));
  regions.stayAt(cameras, DT);
  return regions;
}

/** [SW-D2] Builds the chunks of a range that have never been built, in the order of their numbers. */
export function buildMissing(state: State, range: ChunkRange, insert: (spec: EntitySpec) => number): void {
  for (let z = range.minZ; z <= range.maxZ; z++)
    for (let y = range.minY; y <= range.maxY; y++)
      for (let x = range.minX; x <= range.maxX; x++) if (!isBuilt(state.store, x, y, z)) build(state, x, y, z, insert);
}

function build(state: State, x: number, y: number, z: number, insert: (spec: EntitySpec) => number): void {
  const { originX, originY, originZ } = state.config;
  const chunk = new WorldPosition();
  chunk.chunkX = x;
  chunk.chunkY = y;
  chunk.chunkZ = z;
  const floor = z - originZ;
  const room = roomAt(state, (x - originX) | 0, (y - originY) | 0, floor | 0);
  for (const spec of entitiesOf(room, chunk, floor, Math.max(0, -floor))) insert(spec);
}

const rows: number[] = [];

/** A chunk that was built has a Space of its own, and Spaces stay. */
function isBuilt({ chunks, flags }: Store, x: number, y: number, z: number): boolean {
  const slot = chunks.find(x, y, z);
  if (slot < 0) return false;
  const count = chunks.rowsOf(slot, rows);
  for (let i = 0; i < count; i++) {
    const row = rows[i]!;
    if ((flags[row]! & TRAVERSABLE) !== 0 && chunks.slotOf(row) === slot) return true;
  }
  return false;
}
