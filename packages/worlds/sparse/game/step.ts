import type { WorldEvent } from '@lockstep/kernel';
import { DISTANCE_LIMIT, NONSPATIAL } from '../src/entity.ts';
import { eventsOf, type RegionEvent } from '../src/events.ts';
import { spawnFountain } from '../src/particles.ts';
import { mapIntoChunkSpace, WorldPosition } from '../src/position.ts';
import type { Regions } from '../src/regions.ts';
import { checkDeed, type Deed } from './action.ts';
import { forgive, livingHeroes, wake } from './dungeon.ts';
import { away, think } from './minds.ts';
import {
  BITE,
  BITE_PAUSE,
  BITE_REACH,
  DT,
  FOUNTAIN_PAUSE,
  FOUNTAIN_REACH,
  GOLD,
  GOLD_REACH,
  HEALS,
  HERO_POINTS,
  HIT_POINTS,
  PUSH,
  READY_AT,
  RULES,
  SWORD_HARM,
  SWORD_PAUSE,
  SWORD_REACH,
  SWORD_SPEED,
  SWORD_TICKS,
} from './rules.ts';
import type { Hero, State } from './state.ts';

/** A tick: deeds, minds, one tick of the regions around the heroes, then what came of it. */
export function step(state: State, deeds: readonly Deed[], events: WorldEvent[]): void {
  deeds.forEach(checkDeed);
  state.heroes.forEach((hero, seat) => act(state, hero, deeds[seat]!));
  const regions = wake(state);
  if (regions !== null) {
    think(state, regions, deeds);
    regions.simulate();
    const happened = eventsOf(regions.list);
    regions.sync();
    const near = idsOf(regions);
    strike(state, happened, events);
    bite(state, near, events);
    take(state, near, events);
    descend(state, events);
  }
  sheathe(state);
  spawnFountain(state.particles, state.rng);
  state.particles.step(DT);
  state.tick++;
}

/** [SW-D4] [SW-D5] A hero looks where it goes; a swung sword flies that way. */
function act(state: State, hero: Hero, { x, y, sword, gone }: Deed): void {
  const { store, tick } = state;
  if (gone && !hero.fallen) fall(state, hero);
  if (hero.fallen) return;
  const length = Math.sqrt(x * x + y * y);
  if (length > 0.1) {
    hero.faceX = x / length;
    hero.faceY = y / length;
  }
  if (!sword || tick < hero.swungAt + SWORD_PAUSE) return;
  hero.swungAt = tick;
  const row = store.rowOf(hero.sword);
  const at = store.positionOf(store.rowOf(hero.id));
  store.place(row, mapIntoChunkSpace(RULES, at, 0, 0, 0.6, new WorldPosition()));
  store.setVelocity(row, hero.faceX * SWORD_SPEED, hero.faceY * SWORD_SPEED, 0);
  store.setParameter(row, DISTANCE_LIMIT, SWORD_REACH);
}

/** Who was near enough to be simulated, by ids. */
function idsOf(regions: Regions): number[] {
  const all = regions.list.flatMap(({ id, count }) => [...id.subarray(0, count)]);
  return [...new Set(all)].sort((a, b) => a - b);
}

/** [SW-D5] Whoever a sword hits loses hit points and is pushed; without any left it is gone. */
function strike(state: State, happened: readonly RegionEvent[], events: WorldEvent[]): void {
  const { store, heroes } = state;
  for (const { kind, mover, other } of happened) {
    const seat = heroes.findIndex(({ sword }) => sword === mover);
    // id 0: the Spaces end there
    const row = other === 0 ? -1 : store.ids.get(other);
    if (kind !== 'hit' || seat < 0 || row < 0) continue;
    const points = store.parameters.get(row, HIT_POINTS);
    if (points === 0) continue;
    const hero = heroes[seat]!;
    if (points <= SWORD_HARM) {
      store.remove(other);
      hero.kills++;
      events.push({ kind: 'slain', seat, monster: other });
      continue;
    }
    store.setParameter(row, HIT_POINTS, points - SWORD_HARM);
    store.setVelocity(row, hero.faceX * PUSH, hero.faceY * PUSH, 0);
  }
}

/** [SW-D6] Who bites and is ready bites the heroes within reach. */
function bite(state: State, near: readonly number[], events: WorldEvent[]): void {
  const { store, tick } = state;
  for (const id of near) {
    const row = store.ids.get(id);
    if (row < 0 || store.parameters.get(row, BITE) === 0 || store.parameters.get(row, READY_AT) > tick) continue;
    for (const hero of livingHeroes(state)) {
      const victim = store.rowOf(hero.id);
      if (!isWithin(state, row, victim, BITE_REACH)) continue;
      const points = store.parameters.get(victim, HIT_POINTS) - store.parameters.get(row, BITE);
      store.setParameter(row, READY_AT, tick + BITE_PAUSE);
      store.setParameter(victim, HIT_POINTS, Math.max(0, points));
      const seat = state.heroes.indexOf(hero);
      events.push({ kind: 'bitten', seat, left: Math.max(0, points) });
      if (points > 0) continue;
      fall(state, hero);
      events.push({ kind: 'fallen', seat });
    }
  }
}

/** Gold goes to the first hero within reach; [SW-D7] fountains heal those around them. */
function take(state: State, near: readonly number[], events: WorldEvent[]): void {
  const { store, tick } = state;
  for (const id of near) {
    const row = store.ids.get(id);
    if (row < 0) continue;
    const gold = store.parameters.get(row, GOLD);
    const heals = store.parameters.get(row, HEALS);
    if (gold === 0 && heals === 0) continue;
    for (const hero of livingHeroes(state)) {
      const to = store.rowOf(hero.id);
      if (!isWithin(state, row, to, gold === 0 ? FOUNTAIN_REACH : GOLD_REACH)) continue;
      if (gold !== 0) {
        hero.gold += gold;
        events.push({ kind: 'gold', seat: state.heroes.indexOf(hero), value: gold });
        store.remove(id);
        break;
      }
      const points = store.parameters.get(to, HIT_POINTS);
      if (tick % FOUNTAIN_PAUSE === 0 && points < HERO_POINTS) store.setParameter(to, HIT_POINTS, points + heals);
    }
  }
}

function isWithin({ store }: State, from: number, to: number, reach: number): boolean {
  const [x, y, z] = away(store, from, to);
  return x * x + y * y <= reach * reach && Math.abs(z) < 1.2;
}

function descend(state: State, events: WorldEvent[]): void {
  state.heroes.forEach((hero, seat) => {
    if (hero.fallen) return;
    const depth = state.config.originZ - state.store.chunkZOf(state.store.rowOf(hero.id));
    if (depth <= hero.depth) return;
    hero.depth = depth;
    events.push({ kind: 'depth', seat, floor: depth });
  });
}

function fall({ store }: State, hero: Hero): void {
  hero.fallen = true;
  store.place(store.rowOf(hero.id), null);
}

/** A sword that has flown its way is nowhere again. */
function sheathe(state: State): void {
  const { store, tick } = state;
  for (const hero of state.heroes) {
    const row = store.rowOf(hero.sword);
    if ((store.flags[row]! & NONSPATIAL) !== 0 || tick + 1 < hero.swungAt + SWORD_TICKS) continue;
    store.place(row, null);
    forgive(state, hero);
  }
}
