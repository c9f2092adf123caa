import { type Rng, seedRng, uniform, nextInt } from '@lockstep/kernel';
import * as E from './entity.ts';
import type { WorldPosition } from './position.ts';
import { positionAt } from './position.ts';
import { beginSim, endSim } from './region.ts';
import type { SimRegion } from './sim-region.ts';
import type { Regions } from './regions.ts';
import { DEFAULT_RULES, type Rules } from './rules.ts';
import { settle } from './settle.ts';
import { simulate } from './step.ts';
import { Store } from './store.ts';

export const BODY = E.COLLIDES | E.MOVABLE;

export interface SceneOptions {
  readonly bodies?: number;
  readonly walls?: number;
  readonly confined?: boolean;
  readonly rules?: Rules;
}

/** The chunk around which a scene stands. */
export type Base = readonly [x: number, y: number, z: number];

export const at = (base: Base, x = 0, y = 0, z = 0, rules = DEFAULT_RULES): WorldPosition =>
  positionAt(rules, base[0], base[1], base[2], x, y, z);

/** A floor of rooms side by side, walls in them, and bodies of all kinds, some of them with weight, some elastic, some of several boxes. */
export function randomScene(seed: number, base: Base, options: SceneOptions = {}): Store {
  const { bodies = 40, walls = 12, confined = true, rules = DEFAULT_RULES } = options;
  const rng = seedRng(BigInt.asUintN(64, BigInt(seed)));
  const store = new Store(rules);
  addRooms(store, rng, base);
  for (let i = 0; i < walls; i++) {
    const dims = { dimX: uniform(rng, 0.5, 4), dimY: uniform(rng, 0.5, 4), dimZ: uniform(rng, 0.3, 5) };
    store.insert({
      flags: E.COLLIDES,
      position: at(base, uniform(rng, -22, 22), uniform(rng, -22, 22), uniform(rng, 0, 4)),
      volumes: [dims],
    });
  }
  for (let i = 0; i < 3; i++) addRamp(store, rng, base);
  for (let i = 0; i < bodies; i++) addBody(store, rng, base, confined);
  for (const { id, outcome } of settle(store)) if (outcome === 'stuck') store.remove(id);
  return store;
}

/** Rooms of 16 x 16 m that share their walls, some missing, some with another ceiling: what is left is a union with corners. */
function addRooms(store: Store, rng: Rng, base: Base): void {
  for (let y = -1; y <= 1; y++) {
    for (let x = -1; x <= 1; x++) {
      if ((x !== 0 || y !== 0) && nextInt(rng, 5) === 0) continue;
      const height = 6 + nextInt(rng, 3);
      store.insert({
        flags: E.TRAVERSABLE,
        position: at(base, x * 16, y * 16, height / 2 - 1),
        volumes: [{ dimX: 16 + nextInt(rng, 2), dimY: 16, dimZ: height }],
      });
    }
  }
}

function addRamp(store: Store, rng: Rng, base: Base): void {
  store.insert({
    flags: E.COLLIDES | E.STAIRS,
    position: at(base, uniform(rng, -16, 16), uniform(rng, -16, 16), 0.5),
    volumes: [{ dimX: uniform(rng, 2, 6), dimY: uniform(rng, 2, 6), dimZ: 3 }],
    parameters: [
      [E.WALKABLE_HEIGHT, uniform(rng, -3, 3)],
      [E.WALKABLE_AXIS, nextInt(rng, 2)],
    ],
  });
}

function addBody(store: Store, rng: Rng, base: Base, confined: boolean): void {
  const box = { dimX: uniform(rng, 0.3, 1.5), dimY: uniform(rng, 0.3, 1.5), dimZ: uniform(rng, 0.3, 2) };
  const arm = { offsetX: 0.5, offsetZ: 0.25, dimX: 1, dimY: 0.2, dimZ: 0.2 };
  const flags =
    BODY |
    (confined ? E.CONFINED : 0) |
    (nextInt(rng, 2) === 0 ? E.HAS_WEIGHT : 0) |
    (nextInt(rng, 2) === 0 ? E.UNIT_MAX_ACCEL : 0) |
    (nextInt(rng, 8) === 0 ? E.SENSES : 0);
  store.insert({
    flags,
    position: at(base, uniform(rng, -22, 22), uniform(rng, -22, 22), uniform(rng, 0, 4)),
    velocityX: uniform(rng, -20, 20),
    velocityY: uniform(rng, -20, 20),
    velocityZ: uniform(rng, -10, 10),
    volumes: nextInt(rng, 4) === 0 ? [box, arm] : [box],
    parameters: [
      [E.SPEED, uniform(rng, 0, 50)],
      [E.DRAG, nextInt(rng, 2) * uniform(rng, 0, 8)],
      [E.RESTITUTION, [0, 0.5, 1][nextInt(rng, 3)]!],
      [E.DISTANCE_LIMIT, nextInt(rng, 6) === 0 ? uniform(rng, 1, 20) : Infinity],
    ],
  });
}

/** Wishes that follow from id and tick alone, as those of a mind would. */
export function wish(region: SimRegion, tick: number): void {
  for (let row = 0; row < region.count; row++) {
    const turn = (region.id[row]! * 7 + Math.floor(tick / 5)) % 5;
    region.wishX[row] = turn - 2;
    region.wishY[row] = (turn % 2) - 0.5;
  }
}

/** The reference: load, move, store, every frame ([SW-R10]). */
export function runFrames(store: Store, camera: WorldPosition, ticks: number, dt = 1 / 30): void {
  for (let tick = 0; tick < ticks; tick++) {
    const region = beginSim(store, camera, dt);
    wish(region, tick);
    simulate(region);
    endSim(region);
  }
}

export function runRegions(regions: Regions, cameras: (tick: number) => WorldPosition[], ticks: number, dt = 1 / 30): void {
  for (let tick = 0; tick < ticks; tick++) {
    regions.stayAt(cameras(tick), dt);
    for (const region of regions.list) wish(region, tick);
    regions.simulate();
  }
  regions.sync();
}

/** Every number of every entity, by id, with chunk numbers counted from the base. */
export function picture(store: Store, base: Base): string {
  const lines: string[] = [];
  for (let row = 0; row < store.rowEnd; row++) {
    if (store.id[row] === 0) continue;
    const chunk = [store.chunkXOf(row) - base[0], store.chunkYOf(row) - base[1], store.chunkZOf(row) - base[2]];
    const numbers = [store.x, store.y, store.z, store.vx, store.vy, store.vz].map((column) => column[row]! + 0);
    lines.push([store.id[row], store.flags[row], ...chunk, ...numbers].join(' '));
  }
  return lines.sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10)).join('\n');
}
