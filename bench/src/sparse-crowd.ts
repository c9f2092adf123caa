import { nextInt, seedRng, uniform } from '@lockstep/kernel';
import * as S from '@lockstep/sparse';

export const DT = 1 / 60;
/** Metres between the centres of two boxes at the start: one part in 27 of the room is full, and everybody hits somebody about once a second. */
const SPACING = 3;

/** Boxes of 1 m that fly about in a closed room and bounce off each other and the walls; no weight. The same for every engine. */
export interface Crowd {
  /** Half the room's side. */
  readonly half: number;
  /** Six numbers a box: place and velocity. */
  readonly boxes: readonly (readonly [x: number, y: number, z: number, vx: number, vy: number, vz: number])[];
}

export function makeCrowd(count: number): Crowd {
  const rng = seedRng(BigInt(count));
  let side = 1;
  while (side * side * side < count) side++;
  const half = (side * SPACING) / 2;
  const at = (index: number): number => (index + 0.5) * SPACING - half;
  const boxes = Array.from({ length: count }, (_, i) => {
    const [x, y, z] = [at(i % side), at(Math.floor(i / side) % side), at(Math.floor(i / side / side))];
    return [x, y, z, uniform(rng, -6, 6), uniform(rng, -6, 6), uniform(rng, -6, 6)] as const;
  });
  return { half, boxes };
}

/** Centre and half sides of the six walls, 2 m thick. */
export function wallsOf({ half }: Crowd): { readonly centre: number[]; readonly halves: number[] }[] {
  return [0, 1, 2].flatMap((axis) =>
    [-1, 1].map((side) => ({
      centre: [0, 0, 0].map((_, i) => (i === axis ? side * (half + 1) : 0)),
      halves: [0, 0, 0].map((_, i) => (i === axis ? 1 : half + 2)),
    })),
  );
}

/** The crowd in a store of the sparse world. */
export function storeOf(crowd: Crowd): S.Store {
  const rules = S.DEFAULT_RULES;
  const store = new S.Store(rules);
  store.reserve(crowd.boxes.length + 6);
  for (const { centre, halves } of wallsOf(crowd)) {
    const [dimX, dimY, dimZ] = halves.map((side) => 2 * side) as [number, number, number];
    const [x, y, z] = centre as [number, number, number];
    store.insert({ flags: S.COLLIDES, position: S.positionAt(rules, 0, 0, 0, x, y, z), volumes: [{ dimX, dimY, dimZ }] });
  }
  for (const [x, y, z, velocityX, velocityY, velocityZ] of crowd.boxes)
    store.insert({
      flags: S.COLLIDES | S.MOVABLE,
      position: S.positionAt(rules, 0, 0, 0, x, y, z),
      velocityX,
      velocityY,
      velocityZ,
      volumes: [{ dimX: 1, dimY: 1, dimZ: 1 }],
      parameters: [[S.RESTITUTION, 1]],
    });
  S.settle(store);
  return store;
}

/** So many regions, side by side along x, that together hold the room. */
export function regionsOf(
  store: S.Store,
  { half }: Crowd,
  count: number,
  memory: S.Memory = S.heap,
): { regions: S.Regions; stay: () => void } {
  const across = Math.ceil((2 * half) / 16) + 1;
  const share = Math.ceil(across / count);
  const cameras = Array.from({ length: count }, (_, i) => S.positionAt(store.rules, 0, 0, 0, (i - (count - 1) / 2) * share * 16, 0, 0));
  const chunks = { x: share, y: across, z: across };
  const regions = new S.Regions(cameras.map((camera) => new S.SimRegion(store, camera, DT, chunks, memory)));
  return { regions, stay: () => regions.stayAt(cameras, DT) };
}

/** Places in chunks for a store of so many entities: random ones in a cube with about eight a chunk. */
export function* places(count: number): Generator<S.WorldPosition> {
  const rng = seedRng(11n);
  let side = 1;
  while (side * side * side * 8 < count) side++;
  const place = new S.WorldPosition();
  for (let i = 0; i < count; i++) {
    place.chunkX = nextInt(rng, side) - (side >> 1);
    place.chunkY = nextInt(rng, side) - (side >> 1);
    place.chunkZ = nextInt(rng, side) - (side >> 1);
    place.x = nextInt(rng, 16_384) / 1024 - 8;
    place.y = nextInt(rng, 16_384) / 1024 - 8;
    place.z = nextInt(rng, 16_384) / 1024 - 8;
    yield place;
  }
}
