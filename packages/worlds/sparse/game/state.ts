import { type FieldIO, type Rng, rngFields, type Seed, seedRng } from '@lockstep/kernel';
import { DEFAULT_PARTICLES, Particles } from '../src/particles.ts';
import type { WorldPosition } from '../src/position.ts';
import { ChunkRange, SimRegion } from '../src/sim-region.ts';
import { Store } from '../src/store.ts';
import type { Config } from './config.ts';
import { CAMERA, DT, OWN_PARAMETERS, RULES, SWORD_PAUSE } from './rules.ts';

/** A seat's hero: who it is in the store, and what it has done. */
export class Hero {
  id = 0;
  familiar = 0;
  sword = 0;
  gold = 0;
  kills = 0;
  /** The deepest floor so far, below the first one. */
  depth = 0;
  /** Where it looks, one long. */
  faceX = 0;
  faceY = -1;
  /** The tick of its last stroke. */
  swungAt = -SWORD_PAUSE;
  fallen = false;
}

/** The dungeon as it is now: its entities are in a sparse store, everything else is a few numbers. */
export class State {
  tick = 0;
  seedLow: number;
  seedHigh: number;
  readonly heroes: readonly Hero[];
  /** The dice of the fountains. */
  readonly rng: Rng;
  /** Shared by all states of a game, never changed, not part of the field list. */
  readonly config: Config;
  // Columns of any capacity, and what follows from them, are nobody else's business: all of it is in the field list, and on the accessors below.
  readonly #store = new Store(RULES, OWN_PARAMETERS);
  readonly #particles = new Particles(DEFAULT_PARTICLES);
  readonly #regions: SimRegion[] = [];

  constructor(config: Config, seed: Seed) {
    this.config = config;
    this.seedLow = Number(BigInt.asIntN(32, seed));
    this.seedHigh = Number(BigInt.asIntN(32, seed >> 32n));
    this.heroes = Array.from({ length: config.heroes }, () => new Hero());
    this.rng = seedRng(seed);
  }

  get store(): Store {
    return this.#store;
  }
  /** An empty region around a camera. Regions last for one tick, in columns that are used again. */
  regionAt(seat: number, camera: WorldPosition): SimRegion {
    const region = (this.#regions[seat] ??= new SimRegion(this.#store, camera, DT, CAMERA));
    region.clear(camera.chunkX, camera.chunkY, camera.chunkZ);
    region.loaded = new ChunkRange();
    return region;
  }
  /** [SW-D7] Of one fountain, in its own coordinates: all fountains play the same. */
  get particles(): Particles {
    return this.#particles;
  }
}

/** Every field of the state, once, in a fixed order. */
export function fields(io: FieldIO, state: State): void {
  ownFields(io, state);
  state.store.fields(io);
}

/** What is not in the store. */
export function ownFields(io: FieldIO, state: State): void {
  state.tick = io.num(state.tick);
  state.seedLow = io.num(state.seedLow);
  state.seedHigh = io.num(state.seedHigh);
  for (const hero of state.heroes) heroFields(io, hero);
  rngFields(io, state.rng);
  particleFields(io, state.particles);
}

function heroFields(io: FieldIO, hero: Hero): void {
  hero.id = io.num(hero.id);
  hero.familiar = io.num(hero.familiar);
  hero.sword = io.num(hero.sword);
  hero.gold = io.num(hero.gold);
  hero.kills = io.num(hero.kills);
  hero.depth = io.num(hero.depth);
  hero.faceX = io.num(hero.faceX);
  hero.faceY = io.num(hero.faceY);
  hero.swungAt = io.num(hero.swungAt);
  hero.fallen = io.bool(hero.fallen);
}

/** The grid is made anew from the particles with every step. */
function particleFields(io: FieldIO, particles: Particles): void {
  particles.live = io.num(particles.live);
  particles.next = io.num(particles.next);
  const { px, py, pz, vx, vy, vz, ax, ay, az, color, dColor, bitmap } = particles;
  for (const column of [px, py, pz, vx, vy, vz, ax, ay, az]) io.nums(column);
  for (const column of [color, dColor]) io.ints(new Int32Array(column.buffer));
  io.ints(bitmap);
}
