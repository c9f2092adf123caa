import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blobToChunk, chunkToBlob } from './blob.ts';
import { crc32 } from './bytes.ts';
import { MemoryChunkStore } from './chunk-store.ts';
import * as E from './entity.ts';
import { positionAt } from './position.ts';
import { ChunkRange } from './sim-region.ts';
import { DEFAULT_RULES } from './rules.ts';
import { Save } from './save.ts';
import { at, type Base, randomScene, runFrames } from './scenes.test-support.ts';
import { Store } from './store.ts';
import { worldHash } from './world-hash.ts';

const rules = DEFAULT_RULES;
const home: Base = [0, 0, 0];

function range(min: number, max: number): ChunkRange {
  const all = { minX: min, minY: min, minZ: min, maxX: max, maxY: max, maxZ: max };
  return Object.assign(new ChunkRange(), all);
}

/** Everything in permanent memory, in a store of its own. */
async function reopened(chunkStore: MemoryChunkStore): Promise<Store> {
  const store = new Store(rules);
  const save = new Save(store, chunkStore);
  await save.open();
  await save.require(range(-12, 12));
  return store;
}

describe('chunks as bytes', () => {
  it('[SW-R5] a chunk comes back as it was, and gives the same bytes again', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const store = randomScene(seed, home);
        const copy = new Store(rules);
        for (let slot = 0; slot < store.chunks.slotEnd; slot++) if (store.chunks.exists(slot)) blobToChunk(copy, chunkToBlob(store, slot));
        copy.nextId = store.nextId;
        expect(worldHash(copy)).toBe(worldHash(store));
        for (let slot = 0; slot < store.chunks.slotEnd; slot++) {
          if (!store.chunks.exists(slot)) continue;
          const there = copy.chunks.find(store.chunks.xOf(slot), store.chunks.yOf(slot), store.chunks.zOf(slot));
          expect(chunkToBlob(copy, there)).toEqual(chunkToBlob(store, slot));
        }
      }),
      { numRuns: 10 },
    );
  });

  it('[SW-R10] one flipped bit anywhere, and any missing end, is noticed, and nothing is taken in', () => {
    const store = randomScene(1, home);
    const blob = chunkToBlob(store, store.chunks.find(0, 0, 0));
    fc.assert(
      fc.property(fc.nat(blob.length * 8 - 1), fc.nat(blob.length - 1), (bit, length) => {
        const copy = new Store(rules);
        const flipped = blob.slice();
        flipped[bit >> 3]! ^= 1 << (bit & 7);
        expect(() => blobToChunk(copy, flipped)).toThrow('chunk: expected');
        expect(() => blobToChunk(copy, blob.slice(0, length))).toThrow('chunk: expected');
        expect(copy.count).toBe(0);
      }),
    );
  });

  it('[SW-R10] the CRC is that of zlib', () => {
    expect(crc32(new TextEncoder().encode('123456789'))).toBe(0xcbf4_3926);
  });
});

describe('permanent memory', () => {
  it('[SW-R7] [SW-R10] a world is committed, closed and opened again, with what has no place, rules and the game’s own bytes', async () => {
    const store = randomScene(7, home);
    const chunkStore = new MemoryChunkStore();
    const save = new Save(store, chunkStore);
    const sword = store.insert({ flags: E.MOVABLE, volumes: [{ dimX: 1, dimY: 0.5, dimZ: 0.1 }] });
    store.pairs.set(sword, 3, false);
    await save.commit(1);
    runFrames(store, at(home), 10);
    const written = await save.commit(2, Uint8Array.of(1, 2, 3));
    expect(written).toBeGreaterThan(0);
    expect(await save.commit(3)).toBe(0);
    expect(worldHash(await reopened(chunkStore))).toBe(worldHash(store));
    const other = new Save(new Store(rules), chunkStore);
    expect(await other.open()).toEqual({ frame: 3, own: new Uint8Array(0) });
    expect(other.store.nextId).toBe(store.nextId);
  });

  it('[SW-R7] only chunks that somebody asked for are in memory; a Space is there with any chunk that it touches', async () => {
    const store = new Store(rules);
    const chunkStore = new MemoryChunkStore();
    const room = store.insert({ flags: E.TRAVERSABLE, position: positionAt(rules, 0, 0, 0), volumes: [{ dimX: 100, dimY: 10, dimZ: 10 }] });
    for (let x = -3; x <= 3; x++) store.insert({ flags: 0, position: positionAt(rules, x, 0, 0) });
    const save = new Save(store, chunkStore);
    await save.commit(1);
    const hash = worldHash(store);
    save.keep([]);
    expect([store.count, store.chunks.count, chunkStore.count]).toEqual([0, 0, 7]);
    const other = new Save(new Store(rules), chunkStore);
    await other.require(range(2, 2));
    await other.require(Object.assign(range(0, 0), { minX: 2, maxX: 3 }));
    expect([other.store.count, other.store.ids.get(room) >= 0, other.store.ids.get(2)]).toEqual([3, true, -1]);
    expect(await other.commit(2)).toBe(0);
    other.keep([Object.assign(range(0, 0), { minX: 3, maxX: 3 })]);
    expect([other.store.count, other.store.ids.get(room) >= 0]).toEqual([2, true]);
    other.keep([]);
    expect([other.store.count, other.store.chunks.count]).toEqual([0, 0]);
    expect(worldHash(await reopened(chunkStore))).toBe(hash);
  });

  it('[SW-R10] an entity that wanders into a chunk that is not in memory is neither lost nor doubled, nor are those that live there', async () => {
    const store = new Store(rules);
    const chunkStore = new MemoryChunkStore();
    for (const x of [0, 5]) store.insert({ flags: 0, position: positionAt(rules, x, 0, 0) });
    await new Save(store, chunkStore).commit(1);
    const part = new Save(new Store(rules), chunkStore);
    await part.open();
    await part.require(range(0, 0));
    expect(part.store.count).toBe(1);
    part.store.moveTo(part.store.rowOf(1), 5, 0, 0, 1, 0, 0);
    expect(await part.commit(2)).toBe(2);
    const all = await reopened(chunkStore);
    expect([all.count, all.chunks.count, all.chunkXOf(all.rowOf(1)), all.chunkXOf(all.rowOf(2)), chunkStore.count]).toEqual([
      2, 1, 5, 5, 1,
    ]);
  });

  it('[SW-R10] a damaged chunk is reported and left out, the rest loads', async () => {
    const store = randomScene(9, home);
    const chunkStore = new MemoryChunkStore();
    await new Save(store, chunkStore).commit(1);
    const [first] = await chunkStore.readRange(range(0, 0));
    first!.blob![20]! ^= 4;
    const save = new Save(new Store(rules), chunkStore);
    await save.require(range(-12, 12));
    expect(save.damaged.map(({ x, y, z, why }) => [x, y, z, why.replace(/[0-9a-f]{5,}/g, '…')])).toEqual([
      [0, 0, 0, 'chunk 0,0,0: expected CRC …, got "…"'],
    ]);
    expect(save.store.count).toBeGreaterThan(store.count / 2);
  });

  it('[SW-R10] a commit that fails loses nothing: the next one carries it, and meanwhile nothing is forgotten', async () => {
    const store = new Store(rules);
    const chunkStore = new MemoryChunkStore();
    for (const x of [0, 5]) store.insert({ flags: 0, position: positionAt(rules, x, 0, 0) });
    const save = new Save(store, chunkStore);
    await save.commit(1);
    store.moveTo(store.rowOf(1), 7, 0, 0, 0, 0, 0);
    const commit = chunkStore.commit.bind(chunkStore);
    chunkStore.commit = () => Promise.reject(new Error('disk full'));
    const failing = save.commit(2);
    save.keep([]);
    await expect(failing).rejects.toThrow('disk full');
    expect(store.ids.get(1)).toBeGreaterThanOrEqual(0);
    chunkStore.commit = commit;
    store.moveTo(store.rowOf(1), 8, 0, 0, 0, 0, 0);
    expect(await save.commit(3)).toBe(3);
    expect((await reopened(chunkStore)).count).toBe(2);
  });

  it('[SW-D11] a store that holds another moment is written as a whole, with the chunks that are empty in it', async () => {
    const store = new Store(rules);
    const chunkStore = new MemoryChunkStore();
    for (const x of [0, 5]) store.insert({ flags: 0, position: positionAt(rules, x, 0, 0) });
    const save = new Save(store, chunkStore);
    await save.commit(1);
    const { read } = save;
    store.remove(1);
    chunkStore.commit = (batch) => MemoryChunkStore.prototype.commit.call(chunkStore, { ...batch, chunks: [] }); // of another past
    await save.commit(2);
    Reflect.deleteProperty(chunkStore, 'commit');
    save.startOver(read);
    expect(await save.commit(3)).toBe(2);
    expect(worldHash(await reopened(chunkStore))).toBe(worldHash(store));
    expect(await save.commit(4)).toBe(0);
  });

  it('[SW-R10] what changes while a commit is on its way belongs to the next one', async () => {
    const store = new Store(rules);
    const chunkStore = new MemoryChunkStore();
    store.insert({ flags: 0, position: positionAt(rules, 0, 0, 0) });
    const save = new Save(store, chunkStore);
    await save.commit(1);
    store.moveTo(store.rowOf(1), 0, 0, 0, 2, 0, 0);
    const second = save.commit(2);
    store.moveTo(store.rowOf(1), 0, 0, 0, 3, 0, 0);
    expect([await second, await save.commit(3)]).toEqual([1, 1]);
    expect(worldHash(await reopened(chunkStore))).toBe(worldHash(store));
  });

  it('[SW-R10] a sound blob of another chunk, or one that permanent memory calls damaged, is damage', async () => {
    const store = new Store(rules);
    const chunkStore = new MemoryChunkStore();
    for (const x of [0, 5]) store.insert({ flags: 0, position: positionAt(rules, x, 0, 0) });
    await new Save(store, chunkStore).commit(1);
    const records = await chunkStore.readRange(range(0, 5));
    chunkStore.readRange = () =>
      Promise.resolve([
        { ...records[0]!, blob: records[1]!.blob },
        { ...records[1]!, damage: 'a torn page' },
      ]);
    const save = new Save(new Store(rules), chunkStore);
    await save.require(range(0, 5));
    expect([save.store.count, ...save.damaged.map(({ why }) => why)]).toEqual([
      0,
      'chunk 0,0,0: expected chunk 0,0,0, got "chunk 5,0,0"',
      'chunk 5,0,0: expected the bytes that were written, got "a torn page"',
    ]);
  });

  it('[SW-R7] a range of the whole world is refused, not listed', async () => {
    const save = new Save(new Store(rules), new MemoryChunkStore());
    await expect(save.require(range(-2_147_483_648, 2_147_483_647))).rejects.toThrow('range: expected at most 1048576 chunks at a time');
    await save.require(range(5, 4));
  });
});
