import { MOVABLE, NONSPATIAL } from '../src/entity.ts';
import type { Regions } from '../src/regions.ts';
import { RULES } from './rules.ts';
import type { Store } from '../src/store.ts';
import type { Deed } from './action.ts';
import { livingHeroes } from './dungeon.ts';
import { diceAt } from './plan.ts';
import { FAMILIAR_HEIGHT, FAMILIAR_NEAR, FAMILIAR_SPEED, FOLLOWS, SIGHT, WANDER_TICKS } from './rules.ts';
import type { State } from './state.ts';

const WANDER = 7;
/** Eight ways to go and two to stay. */
const WAYS = [
  [1, 0],
  [0.7, 0.7],
  [0, 1],
  [-0.7, 0.7],
  [-1, 0],
  [-0.7, -0.7],
  [0, -1],
  [0.7, -0.7],
  [0, 0],
  [0, 0],
] as const;

/** From one entity of the store to another, in metres. */
export function away(store: Store, from: number, to: number): [x: number, y: number, z: number] {
  return [
    RULES.ChunkDimX * (store.chunkXOf(to) - store.chunkXOf(from)) + (store.x[to]! - store.x[from]!),
    RULES.ChunkDimY * (store.chunkYOf(to) - store.chunkYOf(from)) + (store.y[to]! - store.y[from]!),
    RULES.ChunkDimZ * (store.chunkZOf(to) - store.chunkZOf(from)) + (store.z[to]! - store.z[from]!),
  ];
}

/** What everybody wants in this tick, by parameters: heroes their deeds, those with sight a hero, those who follow their leader. */
export function think(state: State, regions: Regions, deeds: readonly Deed[]): void {
  const { store } = state;
  const prey = livingHeroes(state).map(({ id }) => store.rowOf(id));
  for (const region of regions.list) {
    for (let row = 0; row < region.count; row++) {
      if ((region.flags[row]! & MOVABLE) === 0) continue;
      const from = region.storeRow[row]!;
      const leader = store.parameters.get(from, FOLLOWS);
      const sight = store.parameters.get(from, SIGHT);
      const wish = leader !== 0 ? following(store, from, leader) : sight !== 0 ? hunting(state, from, sight, prey) : null;
      if (wish === null) continue;
      region.wishX[row] = wish[0]!;
      region.wishY[row] = wish[1]!;
      region.wishZ[row] = wish[2] ?? 0;
    }
    state.heroes.forEach(({ id }, seat) => {
      const row = region.ids.get(id);
      if (row < 0) return;
      region.wishX[row] = deeds[seat]!.x;
      region.wishY[row] = deeds[seat]!.y;
    });
  }
}

/** [SW-D6] Towards the nearest hero in sight, on the same floor; else here and there. */
function hunting(state: State, from: number, sight: number, prey: readonly number[]): readonly number[] {
  const { store } = state;
  let nearest = sight * sight;
  let wish: readonly number[] | null = null;
  for (const hero of prey) {
    const [x, y, z] = away(store, from, hero);
    const square = x * x + y * y;
    if (square >= nearest || Math.abs(z) > 1.5) continue;
    const length = Math.sqrt(square);
    nearest = square;
    wish = length === 0 ? WAYS[8] : [x / length, y / length];
  }
  if (wish !== null) return wish;
  const spell = Math.floor(state.tick / WANDER_TICKS);
  const [x, y] = WAYS[diceAt(state, WANDER, store.id[from]!, spell, 0) % WAYS.length]!;
  return [x / 2, y / 2];
}

/** [SW-E37] [SW-E38] A leader who is nowhere is not followed: it hovers where it is. Along z nothing slows it down but itself. */
function following(store: Store, from: number, leader: number): readonly number[] {
  const to = store.ids.get(leader);
  const isNowhere = to < 0 || (store.flags[to]! & NONSPATIAL) !== 0;
  const [x, y, z] = isNowhere ? [0, 0, -FAMILIAR_HEIGHT] : away(store, from, to);
  const length = Math.sqrt(x * x + y * y);
  const pull = length <= FAMILIAR_NEAR ? 0 : Math.min(1, (length - FAMILIAR_NEAR) / 2) / length;
  const lift = (8 * (z + FAMILIAR_HEIGHT) - 5 * store.vz[from]!) / FAMILIAR_SPEED;
  return [x * pull, y * pull, Math.max(-0.7, Math.min(0.7, lift))];
}
