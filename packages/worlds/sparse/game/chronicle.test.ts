import { hash, nextInt, seedRng } from '@lockstep/kernel';
import { describe, expect, it } from 'vitest';
import { bots } from '../bots/index.ts';
import { type ChunkRecord, type ChunkStore, MemoryChunkStore } from '../src/chunk-store.ts';
import { RewindStore } from '../src/rewind-store.ts';
import { ChunkRange } from '../src/sim-region.ts';
import { Deed } from './action.ts';
import { Chronicle } from './chronicle.ts';
import { readConfig } from './config.ts';
import { Session, whole, worldToFile } from './session.ts';
import type { State } from './state.ts';
import { topView } from './top-view.ts';
import { world } from './world.ts';

const config = readConfig({ ticks: 100_000 });
const deed = (x = 0, y = 0): Deed => Object.assign(new Deed(), { x, y });

/** Plays on as the delver would, and tells what was seen at every tick. */
async function delve(chronicle: Chronicle, ticks: number, seen = new Map<number, string>()): Promise<Map<number, string>> {
  const { session } = chronicle;
  const bot = bots.delver(world.brief(session.state, 0), 0);
  for (let i = 0; i < ticks; i++) {
    await chronicle.tick([world.readAction(bot.act(world.observe(session.state, 0)), session.state, 0)]);
    seen.set(chronicle.head, hash(whole, session.state));
    if (chronicle.head % 7 === 0) topView(session.state);
    if (chronicle.head % 25 === 0) await chronicle.commit();
  }
  return seen;
}

/** How far to the east the hero is. */
const chunkOf = ({ store, heroes }: State): number => store.positionOf(store.rowOf(heroes[0]!.id)).chunkX;

/** What is kept for good, as if the page went now. */
const kept = async (chunks: MemoryChunkStore): Promise<unknown> => {
  const { state } = await Session.open(chunks, config, 0n);
  const { stored: _stored, chunksStored: _chunksStored, ...view } = topView(state)!;
  return [state.tick, world.observe(state, 0), view];
};

describe('the past of a dungeon', () => {
  it('[SW-D11] any tick can be looked at, in any order, and all of it comes out the same a second time', async () => {
    const chronicle = await Chronicle.open(new MemoryChunkStore(), config, 3n);
    const seen = await delve(chronicle, 40);
    await chronicle.jump(0, 2_000_000_000, 5, -7);
    await delve(chronicle, 40, seen);
    const rng = seedRng(5n);
    for (let i = 0; i < 20; i++) {
      const tick = 1 + nextInt(rng, 79);
      const state = chronicle.at(tick);
      expect([tick, state.tick, chronicle.hashAt(tick)]).toEqual([tick, tick, seen.get(tick)]);
      if (tick !== 40) expect(chunkOf(state) > 1e9).toBe(tick > 40);
    }
    chronicle.check(1000);
    expect([chronicle.verified, chronicle.diverged]).toEqual([80, null]);
    expect(hash(whole, chronicle.session.state)).toBe(seen.get(80));
    expect(chronicle.script()).toBeNull(); // somebody jumped
  });

  it('[SW-D11] rooms that were read on the way are as they were read', async () => {
    const chunks = new MemoryChunkStore();
    const before = await Session.open(chunks, config, 2n);
    await before.jump(0, 3, 0, 0);
    await before.tick([deed()]);
    await before.commit();
    const chronicle = await Chronicle.open(chunks, config, 0n);
    await chronicle.commit(); // forgets what is out of sight
    const began = chronicle.head;
    for (let i = 0; i < 50; i++) await chronicle.tick([deed(-1, 0)]);
    expect(chunkOf(chronicle.session.state)).toBe(2); // where the rooms of the first chunk come into sight
    await chronicle.commit();
    chronicle.check(1000);
    expect([chronicle.verified, chronicle.diverged]).toEqual([began + 50, null]);
    chronicle.comeBack(began + 45);
    expect(hash(whole, chronicle.session.state)).toBe(chronicle.hashAt(began + 45));
    expect(chronicle.script()).toBeNull(); // the game began before
  });

  it('[SW-D11] a past that does not come out the same is told', async () => {
    const chronicle = await Chronicle.open(new MemoryChunkStore(), config, 3n);
    await delve(chronicle, 20);
    chronicle.script()![11]![0]!.x = -1;
    chronicle.check(1000);
    expect([chronicle.verified, chronicle.diverged]).toEqual([11, 12]);
  });

  it('[SW-D11] going on from the past is as if the rest had never been, in memory and for good', async () => {
    const [once, twice] = [new MemoryChunkStore(), new MemoryChunkStore()];
    const [straight, bent] = [await Chronicle.open(once, config, 3n), await Chronicle.open(twice, config, 3n)];
    const seen = await delve(straight, 47);
    await delve(bent, 54);
    // out of sight, through rooms that are written and forgotten
    await bent.jump(0, 40, 0, -1);
    await delve(bent, 30);
    await bent.jump(0, 0, 0, 0);
    await delve(bent, 30);
    bent.comeBack(47);
    expect([bent.head, hash(whole, bent.session.state)]).toEqual([47, seen.get(47)]);
    await straight.commit();
    await bent.commit();
    expect(await kept(twice)).toEqual(await kept(once));
    await delve(straight, 30, seen);
    expect([...(await delve(bent, 30))].every(([tick, value]) => seen.get(tick) === value)).toBe(true);
    for (const chronicle of [straight, bent]) await chronicle.commit();
    expect(Buffer.from(await worldToFile(twice)).equals(Buffer.from(await worldToFile(once)))).toBe(true);
    bent.check(1000);
    expect([bent.verified, bent.diverged, bent.events]).toEqual([77, null, straight.events]);
    // and once more, to before the place that was gone back to
    for (const chronicle of [straight, bent]) {
      chronicle.comeBack(10);
      await chronicle.commit();
    }
    expect(Buffer.from(await worldToFile(twice)).equals(Buffer.from(await worldToFile(once)))).toBe(true);
  });

  it('[SW-D11] what was done is enough to play the whole game again', async () => {
    const chronicle = await Chronicle.open(new MemoryChunkStore(), config, 3n);
    await delve(chronicle, 40);
    const state = world.create(config, 3n);
    for (const deeds of chronicle.script()!) world.step(state, deeds, []);
    expect(world.observe(state, 0)).toEqual(world.observe(chronicle.session.state, 0));
  });

  it('[SW-D11] the past is as long as memory allows, and never shorter than a moment', async () => {
    const chronicle = await Chronicle.open(new MemoryChunkStore(), config, 3n, 400_000);
    await delve(chronicle, 80);
    expect(chronicle.first).toBeGreaterThan(20);
    expect(chronicle.at(chronicle.first).tick).toBe(chronicle.first);
    expect(chronicle.events.every(({ tick }) => tick > chronicle.first)).toBe(true);
    chronicle.comeBack(chronicle.first);
    expect(await delve(chronicle, 3)).toHaveProperty('size', 3);
  });
});

describe('permanent memory that is taken back', () => {
  const record = (x: number, ...bytes: number[]): ChunkRecord => ({
    x,
    y: 0,
    z: 0,
    blob: bytes.length === 0 ? null : Uint8Array.from(bytes),
  });
  const all = Object.assign(new ChunkRange(), { minX: 0, minY: 0, minZ: 0, maxX: 9, maxY: 0, maxZ: 0 });
  const contents = async (store: ChunkStore): Promise<string> =>
    (await store.readRange(all))
      .map(({ x, blob }) => `${x}:${blob!.join()}`)
      .sort()
      .join(' ');

  it('[SW-D11] is at every frame what it was, and the store below learns of it with the next one', async () => {
    const below = new MemoryChunkStore();
    await below.commit({ frame: 0, head: new Uint8Array(0), chunks: [record(0, 1), record(1, 1)] });
    const store = new RewindStore(below);
    await store.readRange(all);
    const commit = (frame: number, ...chunks: ChunkRecord[]) => store.commit({ frame, head: new Uint8Array(0), chunks });
    await commit(10, record(0, 2), record(2, 2));
    await commit(20, record(0), record(2, 3), record(3, 3));
    store.rewind(15);
    expect([await contents(store), await contents(below)]).toEqual(['0:2 1:1 2:2', '1:1 2:3 3:3']);
    await commit(16, record(2, 4));
    expect([await contents(store), await contents(below)]).toEqual(['0:2 1:1 2:4', '0:2 1:1 2:4']);
    store.rewind(12); // the frame of tick 16 wrote over that of tick 10, not over one that never was
    expect(await contents(store)).toBe('0:2 1:1 2:2');
    store.rewind(0);
    await commit(1);
    expect(await contents(below)).toBe('0:1 1:1');
  });
});

describe('rooms that were left', () => {
  it('[SW-D10] [SW-D2] are not built a second time when somebody looks on the way back to them', async () => {
    const counts = [];
    for (const looks of [false, true]) {
      const session = await Session.open(new MemoryChunkStore(), config, 2n);
      await session.jump(0, 30, 0, 0);
      await session.commit();
      await session.jump(0, 3, 0, 0);
      await session.commit();
      for (let i = 0; i < 60; i++) {
        await session.tick([deed(-1, 0)]);
        if (looks) topView(session.state);
      }
      await session.commit();
      counts.push([chunkOf(session.state), session.state.store.count]);
    }
    expect(counts[0]![0]).toBe(2);
    expect(counts[1]).toEqual(counts[0]);
  });
});
