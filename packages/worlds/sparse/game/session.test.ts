import { type Boxes, hash, type Sphere } from '@lockstep/kernel';
import { describe, expect, it } from 'vitest';
import { MemoryChunkStore } from '../src/chunk-store.ts';
import { Deed } from './action.ts';
import { bots } from '../bots/index.ts';
import { readConfig } from './config.ts';
import { fileToWorld, Session, worldToFile } from './session.ts';
import { stage } from './scene.ts';
import { topView } from './top-view.ts';
import { world } from './world.ts';

const deed = (x = 0, y = 0): Deed => Object.assign(new Deed(), { x, y });
const config = readConfig({ ticks: 100_000 });

/** What can be seen of a session's dungeon, and where everything is; how much of it is in memory aside. */
const seen = ({ state }: Session): unknown => {
  const { stored: _stored, chunksStored: _chunksStored, ...view } = topView(state)!;
  return [world.observe(state, 0), state.tick, state.heroes[0]!.gold, view];
};

/** Plays on as the delver would. */
async function delve(session: Session, ticks: number, committing = 0): Promise<void> {
  const bot = bots.delver(world.brief(session.state, 0), 0);
  for (let i = 0; i < ticks; i++) {
    await session.tick([world.readAction(bot.act(world.observe(session.state, 0)), session.state, 0)]);
    if (committing > 0 && i % committing === committing - 1) await session.commit();
  }
}

describe('a dungeon that is kept', () => {
  it('[SW-D10] goes on as it was left, entity by entity', async () => {
    const chunks = new MemoryChunkStore();
    const first = await Session.open(chunks, config, 3n);
    await delve(first, 120);
    await first.commit();
    const again = await Session.open(chunks, readConfig('far'), 99n);
    expect(again.state.config).toEqual(config);
    await again.gather();
    await first.gather();
    expect(seen(again)).toEqual(seen(first));
    await delve(first, 60);
    await delve(again, 60);
    expect(world.observe(again.state, 0)).toEqual(world.observe(first.state, 0));
  });

  it('[SW-D10] [SW-R7] committing and forgetting on the way changes nothing of the game, only what is in memory', async () => {
    const [whole, kept] = [
      await Session.open(new MemoryChunkStore(), config, 11n),
      await Session.open(new MemoryChunkStore(), config, 11n),
    ];
    await delve(whole, 130);
    await delve(kept, 130, 20);
    expect(world.observe(kept.state, 0)).toEqual(world.observe(whole.state, 0));
    expect(kept.state.heroes[0]!.depth).toBeGreaterThan(0);
    expect(kept.state.store.count).toBeLessThan(whole.state.store.count);
  });

  it('[SW-D10] [SW-R1] a hero jumps to the far end of the world and back, and finds home as it left it', async () => {
    const session = await Session.open(new MemoryChunkStore(), config, 3n);
    await delve(session, 40);
    const before = world.observe(session.state, 0);
    const gold = session.state.heroes[0]!.gold;
    await session.jump(0, 2_000_000_000, -2_000_000_000, 2_000_000_000);
    for (let i = 0; i < 20; i++) await session.tick([deed(1, 0)]);
    expect(topView(session.state)!.chunk).toEqual([2_000_000_000, -2_000_000_000, 2_000_000_000]);
    expect(topView(session.state)!.x).toBeGreaterThan(1);
    // pictures are counted from somewhere near: the hero stands on a floor of whole metres, to the millimetre
    const { shapes } = stage.scene(session.state);
    const floor = shapes.find((shape) => shape.key === 'floor') as Boxes;
    const { x, z } = shapes.find(({ key }) => key === 'hero 0') as Sphere;
    const tiles = Array.from({ length: floor.boxes.length / 6 }, (_, i) => floor.boxes.subarray(6 * i, 6 * i + 6));
    expect(tiles.some(([x0, , z0, x1, , z1]) => x0! < x && x < x1! && z0! < z && z < z1!)).toBe(true);
    expect(tiles.every(([x0, , , x1]) => x1! - x0! >= 1 && Number.isInteger(2 * x0!))).toBe(true);
    await session.commit();
    await session.jump(0, 0, 0, 0);
    await session.tick([deed()]);
    const after = world.observe(session.state, 0);
    expect(after.golds.map(({ id }) => id)).toEqual(before.golds.map(({ id }) => id).filter((id) => session.state.store.ids.get(id) >= 0));
    expect(session.state.heroes[0]!.gold).toBe(gold);
    await expect(session.jump(0, 2_147_483_648, 0, 0)).rejects.toThrow('position.chunkX: expected a whole number');
    await session.tick([world.forfeit(config, 0)]);
    await expect(session.jump(0, 0, 0, 0)).rejects.toThrow('hero: expected one that stands, got "one that has fallen"');
  });

  it('[SW-D10] travels as a file; a flipped byte is refused', async () => {
    const chunks = new MemoryChunkStore();
    const session = await Session.open(chunks, config, 3n);
    await delve(session, 90);
    await session.commit();
    const file = await worldToFile(chunks);
    const elsewhere = new MemoryChunkStore();
    await elsewhere.commit(fileToWorld(file, 'world'));
    const twin = await Session.open(elsewhere, config, 1n);
    expect(seen(twin)).toEqual(seen(session));
    expect([...(await worldToFile(elsewhere))]).toEqual([...file]);
    const torn = file.slice();
    torn[100]! ^= 4;
    expect(() => fileToWorld(torn, 'torn.world')).toThrow(/^torn\.world: expected CRC/);
    expect(() => fileToWorld(new TextEncoder().encode('a letter'), 'letter.txt')).toThrow(/^letter\.txt: expected a saved world/);
    expect(() => fileToWorld(new Uint8Array(3), 'x')).toThrow(/^x: expected a sealed blob/);
  });
});

describe('the debug top view', () => {
  it('[SW-R17] [SW-R16] shows the four bounds by their formulas, chunks, Spaces and counts, the same around any chunk', async () => {
    const views = await Promise.all(
      [
        [0, 0, 0],
        [2_000_000_000, 2_000_000_000, -2_000_000_000],
      ].map(async (origin) => {
        const session = await Session.open(new MemoryChunkStore(), readConfig({ origin }), 5n);
        for (let i = 0; i < 30; i++) await session.tick([deed(0.5, 0.3)]);
        return topView(session.state)!;
      }),
    );
    const [near, far] = views as [(typeof views)[0], (typeof views)[0]];
    expect({ ...far, chunk: near.chunk }).toEqual(near);
    const wide = ({ minX, maxX }: { minX: number; maxX: number }): number => maxX - minX;
    // 2 chunks of 16 m; + 2 m on both sides; + the radius of 1.5 m; + radius and a thirtieth of 15 m/s
    expect([wide(near.camera), wide(near.sim), wide(near.updatable), wide(near.bounds)]).toEqual([32, 36, 39, 43]);
    expect(near.stored).toBeGreaterThan(near.simulated - 1);
    expect(near.simulated).toBeGreaterThan(near.updated);
    expect(near.chunks.length).toBe(25);
    expect(near.spaces.length).toBeGreaterThan(25);
    expect(near.marks.find(({ mark }) => mark === 'hero')).toMatchObject({ x: near.x, y: near.y, moves: true });
    expect(near.marks.some(({ mark }) => mark === 'gold')).toBe(true);
  });

  it('[SW-R17] looking changes nothing', async () => {
    const session = await Session.open(new MemoryChunkStore(), config, 5n);
    await session.tick([deed(1, 0)]);
    topView(session.state);
    const before = hash(world, session.state);
    topView(session.state);
    expect(hash(world, session.state)).toBe(before);
  });
});
