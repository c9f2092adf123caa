import type { WorldEvent } from '@lockstep/kernel';
import { describe, expect, it } from 'vitest';
import { CONFINED, MOVABLE, NONSPATIAL, STAIRS, TRAVERSABLE } from '../src/entity.ts';
import { positionAt } from '../src/position.ts';
import { Deed } from './action.ts';
import { entitiesOf } from './build.ts';
import { buildMissing } from './dungeon.ts';
import { away } from './minds.ts';
import { roomAt } from './plan.ts';
import { BITE, FLOOR, GOLD, HEALS, HERO_POINTS, HIT_POINTS, RULES, STAIRS_X, SWORD_PAUSE, SWORD_REACH } from './rules.ts';
import type { State } from './state.ts';
import { stage } from './scene.ts';
import { world } from './world.ts';

const deed = (x = 0, y = 0, sword = false): Deed => Object.assign(new Deed(), { x, y, sword });
const start = (seed = 3n, config: object = {}): State => world.create(world.readConfig(config), seed);
const heroRow = (state: State): number => state.store.rowOf(state.heroes[0]!.id);
const rowsWith = ({ store }: State, parameter: number): number[] =>
  Array.from({ length: store.rowEnd }, (_, row) => row).filter((row) => store.id[row] !== 0 && store.parameters.get(row, parameter) !== 0);

/** Puts an entity somewhere in the first room, in metres from its middle. */
function put(state: State, row: number, x: number, y: number, z = FLOOR + 0.01): void {
  state.store.place(row, positionAt(RULES, 0, 0, 0, x, y, z));
}

/** Plays the same deed for some ticks; the answer is what happened. */
function play(state: State, ticks: number, does: Deed): WorldEvent[] {
  const events: WorldEvent[] = [];
  for (let i = 0; i < ticks; i++) world.step(state, [does], events);
  return events;
}

/** A dungeon whose first room holds a monster at a place, and no other monster anywhere near. */
function withMonster(x: number, y: number): { state: State; monster: number } {
  const state = start();
  const [monster, ...others] = rowsWith(state, BITE).map((row) => state.store.id[row]!);
  for (const id of others) state.store.remove(id);
  put(state, state.store.rowOf(monster!), x, y);
  return { state, monster: monster! };
}

describe('the plan', () => {
  it('[SW-D1] doors are there from both sides, every room has one, and stairs go up from where they come down', () => {
    const seed = { seedLow: 12, seedHigh: -5 };
    for (let z = -3; z < 3; z++) {
      for (let y = -6; y < 6; y++) {
        for (let x = -6; x < 6; x++) {
          const room = roomAt(seed, x, y, z);
          expect(room.doors[0]).toBe(roomAt(seed, x + 1, y, z).doors[2]);
          expect(room.doors[1]).toBe(roomAt(seed, x, y + 1, z).doors[3]);
          expect(room.doors).toContain(true);
          expect(room.up).toBe(roomAt(seed, x, y, z + 1).down);
        }
      }
    }
  });

  it('[SW-D1] another seed is another dungeon', () => {
    const rooms = [1n, 2n].map((seed) => JSON.stringify(world.observe(start(seed), 0).rooms));
    expect(rooms[0]).not.toBe(rooms[1]);
  });
});

describe('building', () => {
  it('[SW-D2] [SW-R5] only chunks near a hero exist; they grow as it walks, and what was built stays', () => {
    const state = start(3n, { ticks: 2000 });
    const { store } = state;
    const first = [...store.id.subarray(0, store.rowEnd)];
    const before = store.chunks.count;
    expect(before).toBeLessThan(400);
    const gold = rowsWith(state, GOLD).map((row) => store.id[row]!);
    play(state, 60, deed(1, 0));
    play(state, 60, deed(0, 1));
    play(state, 60, deed(-1, 0));
    expect(store.chunks.count).toBeGreaterThan(before);
    const taken = state.heroes[0]!.gold;
    expect(gold.filter((id) => store.ids.get(id) < 0).length).toBe(taken > 0 ? gold.filter((id) => store.ids.get(id) < 0).length : 0);
    for (const id of first.filter((one) => one !== 0 && !gold.includes(one))) expect(store.ids.get(id)).toBeGreaterThanOrEqual(0);
  });

  it('[SW-D2] a chunk is built once, also when it is asked for again', () => {
    const state = start();
    const before = state.store.count;
    const range = { minX: -1, minY: -1, minZ: 0, maxX: 1, maxY: 1, maxZ: 0 };
    buildMissing(state, range, () => {
      throw new Error('built again');
    });
    expect(state.store.count).toBe(before);
  });

  it('[SW-R6] nobody ever leaves the Spaces, and every confined body is in one from the start', () => {
    const state = start(9n);
    play(state, 90, deed(0.7, 0.7));
    const { store } = state;
    const spaces = Array.from({ length: store.rowEnd }, (_, row) => row).filter((row) => (store.flags[row]! & TRAVERSABLE) !== 0);
    const inside = (row: number): boolean =>
      spaces.some((space) =>
        chunked(store.shapes.cornersOf(store.shape[space]!), 6).some((box) => {
          const at = away(store, space, row);
          return [0, 1, 2].every((k) => at[k]! >= box[k]! - 1e-9 && at[k]! <= box[k + 3]! + 1e-9);
        }),
      );
    const bodies = Array.from({ length: store.rowEnd }, (_, row) => row).filter(
      (row) => store.id[row] !== 0 && (store.flags[row]! & (MOVABLE | CONFINED | NONSPATIAL)) === (MOVABLE | CONFINED),
    );
    expect(bodies.length).toBeGreaterThan(10);
    expect(bodies.filter((row) => !inside(row))).toEqual([]);
  });
});

const chunked = (list: readonly number[], size: number): number[][] =>
  Array.from({ length: list.length / size }, (_, i) => list.slice(i * size, (i + 1) * size));

describe('heroes', () => {
  it('[SW-D4] goes where it is told, no faster in a slant, and stops at walls', () => {
    const [straight, slanting] = [deed(1, 0), deed(1, 1)].map((does) => {
      const state = start();
      play(state, 20, does);
      const row = heroRow(state);
      return Math.sqrt(state.store.vx[row]! * state.store.vx[row]! + state.store.vy[row]! * state.store.vy[row]!);
    });
    expect(straight).toBeGreaterThan(5);
    expect(slanting).toBeLessThan(straight! * 1.01);
    const state = start();
    play(state, 90, deed(0.6, 0.8));
    expect(state.store.vx[heroRow(state)]! * state.store.vy[heroRow(state)]!).toBe(0);
  });

  it('[SW-D3] takes stairs to the floor below and back up', () => {
    const seed = [...Array(50).keys()].map(BigInt).find((one) => start(one).store && roomAt(start(one), 0, 0, 0).down)!;
    const state = start(seed);
    expect(Array.from({ length: state.store.rowEnd }, (_, row) => state.store.flags[row]! & STAIRS).some((flag) => flag !== 0)).toBe(true);
    for (const row of rowsWith(state, BITE)) state.store.remove(state.store.id[row]!);
    put(state, heroRow(state), -STAIRS_X, 6.25);
    const events = play(state, 40, deed(0, -1));
    expect(events).toContainEqual({ kind: 'depth', seat: 0, floor: 1 });
    expect(world.observe(state, 0).z).toBeCloseTo(FLOOR - RULES.ChunkDimZ, 1);
    put(state, heroRow(state), 0, 0);
    state.store.place(heroRow(state), positionAt(RULES, 0, 0, -1, -STAIRS_X, 0.75, FLOOR + 0.01));
    play(state, 40, deed(0, 1));
    expect(world.observe(state, 0).z).toBeCloseTo(FLOOR, 1);
  });

  it('[SW-D7] a familiar follows and hovers; a fountain heals whoever is near', () => {
    const state = start();
    for (const row of rowsWith(state, BITE)) state.store.remove(state.store.id[row]!);
    state.store.setParameter(heroRow(state), HIT_POINTS, 4);
    play(state, 60, deed(1, 0));
    play(state, 60, deed(0, 0));
    const [x, y, z] = away(state.store, heroRow(state), state.store.rowOf(state.heroes[0]!.familiar));
    expect(Math.sqrt(x * x + y * y)).toBeLessThan(2.5);
    expect(z).toBeGreaterThan(0.5);
    expect(state.store.parameters.get(heroRow(state), HIT_POINTS)).toBe(4);
    const fountain = rowsWith(state, HEALS).find((row) => state.store.chunkXOf(row) === 0 && state.store.chunkYOf(row) === 0)!;
    put(state, heroRow(state), state.store.x[fountain]! + 1, state.store.y[fountain]!);
    play(state, 100, deed());
    expect(state.store.parameters.get(heroRow(state), HIT_POINTS)).toBe(HERO_POINTS);
  });

  it('[SW-D7] the fountain plays: three particles a tick, the same in every game of a seed', () => {
    const states = [start(5n), start(5n)];
    for (const state of states) play(state, 30, deed());
    expect(states[0]!.particles.live).toBe(90);
    expect([...states[0]!.particles.px]).toEqual([...states[1]!.particles.px]);
  });
});

describe('swords and teeth', () => {
  it('[SW-D5] a sword flies no farther than its reach and is then nowhere', () => {
    const state = start();
    for (const row of rowsWith(state, BITE)) state.store.remove(state.store.id[row]!);
    const sword = state.store.rowOf(state.heroes[0]!.sword);
    let farthest = 0;
    world.step(state, [deed(0, 0.2, true)], []);
    for (let i = 0; i < 20; i++) {
      if ((state.store.flags[sword]! & NONSPATIAL) === 0) {
        const [x, y] = away(state.store, heroRow(state), sword);
        farthest = Math.max(farthest, Math.sqrt(x * x + y * y));
      }
      world.step(state, [deed()], []);
    }
    expect(farthest).toBeGreaterThan(SWORD_REACH - 0.5);
    expect(farthest).toBeLessThanOrEqual(SWORD_REACH + 0.1);
    expect(state.store.flags[sword]! & NONSPATIAL).not.toBe(0);
  });

  it('[SW-D5] [SW-E25] one swing hits a monster once, two slay it', () => {
    const { state, monster } = withMonster(2, 0);
    const points = (): number => state.store.parameters.get(state.store.rowOf(monster), HIT_POINTS);
    const before = points();
    world.step(state, [deed(0.2, 0, true)], []);
    for (let i = 1; i < SWORD_PAUSE; i++) world.step(state, [deed(0.01, 0, true)], []);
    expect(points()).toBe(before - 1);
    const events: WorldEvent[] = [];
    for (let i = 0; i < 40 && state.heroes[0]!.kills === 0; i++) {
      const row = state.store.ids.get(monster);
      const [x, y] = away(state.store, heroRow(state), row);
      const length = Math.sqrt(x * x + y * y);
      world.step(state, [deed((0.2 * x) / length, (0.2 * y) / length, true)], events);
    }
    expect(events).toContainEqual({ kind: 'slain', seat: 0, monster });
    expect(state.store.ids.get(monster)).toBe(-1);
    expect(state.heroes[0]!.kills).toBe(1);
  });

  it('[SW-D5] a sword that meets a wall hurts nobody, its hero least of all', () => {
    const state = start();
    for (const row of rowsWith(state, BITE)) state.store.remove(state.store.id[row]!);
    const events: WorldEvent[] = [];
    for (let i = 0; i < 120; i++) world.step(state, [deed(0.6, 0.8, i % 15 === 0)], events);
    expect(state.store.parameters.get(heroRow(state), HIT_POINTS)).toBe(HERO_POINTS);
    expect(events.filter(({ kind }) => kind === 'slain')).toEqual([]);
  });

  it('[SW-D6] a monster that sees a hero comes and bites, now and then; ten bites fell it, and the game is over', () => {
    const { state } = withMonster(5, 0);
    const events = play(state, 150, deed());
    const bites = events.filter(({ kind }) => kind === 'bitten');
    expect(bites.length).toBeGreaterThan(2);
    expect(bites.length).toBeLessThanOrEqual(5);
    while (world.result(state) === null) world.step(state, [deed()], events);
    expect(events.at(-1)).toEqual({ kind: 'fallen', seat: 0 });
    expect(world.result(state)).toMatchObject({ reason: 'no hero is left', ranks: [1] });
    // the room is still to be seen, with the familiar and the monster in it
    const { shapes } = stage.scene(state);
    const rooms = shapes.filter((shape) => shape.shape === 'boxes' && shape.boxes.length > 0);
    expect(rooms.map(({ key }) => key)).toContain('floor');
    expect(shapes.filter(({ key }) => /^(familiar|monster)/.test(key)).length).toBeGreaterThan(1);
  });
});

describe('monsters of the depth', () => {
  it('[SW-D6] are worse with every floor, down to the sixteenth; two billion floors down they are no worse', () => {
    const monsterAt = (depth: number): readonly (readonly [number, number])[] => {
      const room = { ...roomAt(start(), 5, 5, 0), monsters: [0] };
      return entitiesOf(room, positionAt(RULES, 5, 5, -depth), -depth, depth).find(({ parameters }) =>
        parameters?.some(([parameter]) => parameter === BITE),
      )!.parameters!;
    };
    const harm = (depth: number): number => monsterAt(depth).find(([parameter]) => parameter === BITE)![1];
    expect([0, 4, 8, 16].map(harm)).toEqual([1, 2, 3, 5]);
    expect(monsterAt(2_147_483_648)).toEqual(monsterAt(16));
    expect(harm(2_147_483_648)).toBeLessThan(HERO_POINTS);
  });
});

describe('those who are left', () => {
  it('[SW-E37] [SW-E38] [SW-D1] the familiar of a fallen hero stays where it is, around any chunk', () => {
    const seen = [
      [0, 0, 0],
      [2_000_000_000, 2_000_000_000, 2_000_000_000],
    ].map((origin) => {
      const state = start(7n, { heroes: 2, origin });
      for (let i = 0; i < 40; i++) world.step(state, [deed(), i === 5 ? world.forfeit(state.config, 1) : deed()], []);
      return stage.scene(state).shapes.filter(({ key }) => key.startsWith('familiar'));
    });
    expect(seen[0]).toHaveLength(2);
    expect(seen[0]![1]).toMatchObject({ x: 0.75 });
    expect(seen[1]).toEqual(seen[0]);
  });
});

describe('the end', () => {
  it('[SW-D8] gold, kills and floors make the score; time ends it; a seat that is out has fallen', () => {
    const state = start(3n, { heroes: 2, ticks: 3 });
    Object.assign(state.heroes[0]!, { gold: 7, kills: 2, depth: 3 });
    Object.assign(state.heroes[1]!, { gold: 90 });
    world.step(state, [deed(), world.forfeit(state.config, 1)], []);
    expect(state.heroes[1]!.fallen).toBe(true);
    expect(world.result(state)).toBeNull();
    world.step(state, [deed(), deed()], []);
    world.step(state, [deed(), deed()], []);
    expect(world.result(state)).toEqual({ scores: [77, 90], ranks: [2, 1], reason: 'time is up' });
  });

  it('[SW-D4] a deed from a made-up replay is refused by the step itself', () => {
    expect(() => world.step(start(), [deed(3, 0)], [])).toThrow('action.x: expected a number -1..1, got 3');
  });
});
