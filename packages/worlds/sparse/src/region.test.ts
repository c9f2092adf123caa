import { describe, expect, it } from 'vitest';
import { regionBounds } from './bounds.ts';
import * as E from './entity.ts';
import { positionAt } from './position.ts';
import { beginSim, endSim, stayAt } from './region.ts';
import { OWN, SimRegion } from './sim-region.ts';
import { Regions } from './regions.ts';
import { DEFAULT_RULES, type Rules, toGrain } from './rules.ts';
import { BODY } from './scenes.test-support.ts';
import { simulate } from './step.ts';
import { Store } from './store.ts';

const rules = DEFAULT_RULES;
const cube = [{ dimX: 1, dimY: 1, dimZ: 1 }];
const origin = positionAt(rules, 0, 0, 0);

function storeWith(xs: readonly number[], flags = BODY): Store {
  const store = new Store(rules);
  for (const x of xs) store.insert({ flags, position: positionAt(rules, 0, 0, 0, x, 0, 0), volumes: cube });
  return store;
}

const idsOf = (region: SimRegion): number[] => [...region.id.subarray(0, region.count)].sort((a, b) => a - b);

describe('bounds', () => {
  it('[SW-R16] camera, sim, updatable and outer bounds are those of the document', () => {
    const { camera, sim, updatable, bounds } = regionBounds(rules, { x: 5, y: 5, z: 5 }, 0, 0, 0, 0.1);
    expect([camera.maxX, sim.maxX, updatable.maxX, bounds.maxX]).toEqual([40, 55, 60, 60 + 5 + 0.1 * 30]);
    expect([camera.minX, sim.minX, updatable.minX, bounds.minX]).toEqual([-40, -55, -60, -68]);
  });

  it('[SW-E27] the margin follows the same formula along z', () => {
    const { updatable, bounds } = regionBounds(rules, { x: 5, y: 3, z: 1 }, 1, 2, 3, 1 / 60);
    expect(bounds.maxZ - updatable.maxZ).toBeCloseTo(bounds.maxX - updatable.maxX, 12);
    expect([updatable.minX, updatable.minY, updatable.minZ]).toEqual([1 - 60, 2 - 44, 3 - 28]);
  });

  it('[SW-R8] a region is centred on its camera, wherever in a chunk that is', () => {
    const { camera } = new SimRegion(new Store(rules), positionAt(rules, 7, 7, 7, 3, -4, 5), 0.1).bounds;
    expect([camera.minX + camera.maxX, camera.minY + camera.maxY, camera.minZ + camera.maxZ]).toEqual([6, -8, 10]);
  });

  it('[SW-R16] a region larger than its coordinates allow is refused', () => {
    expect(() => new SimRegion(new Store(rules), origin, 0.1, { x: 2000, y: 1, z: 1 })).toThrow('region: expected bounds within 8192 m');
  });
});

describe('one frame', () => {
  it('[SW-R7] [SW-R10] [SW-R13] only what touches Bounds is loaded, only what is inside UpdatableBounds moves', () => {
    const store = storeWith([0, 59, 61, 65, 65.9, 80, 1e6]);
    for (let row = 0; row < store.rowEnd; row++) store.setVelocity(row, 0, 1, 0);
    const region = beginSim(store, origin, 1 / 30);
    expect(region.bounds.bounds.maxX).toBe(66);
    expect(idsOf(region)).toEqual([1, 2, 3, 4, 5]);
    simulate(region);
    endSim(region);
    expect([...store.y.subarray(0, 7)].map((y) => y > 0)).toEqual([true, true, false, false, false, false, false]);
  });

  it('[SW-G3] an entity whose box reaches into Bounds from a chunk beyond them is loaded', () => {
    const store = new Store(rules);
    const volumes = [{ offsetX: -4, dimX: 2, dimY: 1, dimZ: 1 }];
    store.insert({ flags: E.COLLIDES, position: positionAt(rules, 0, 0, 0, 72.5), volumes });
    const region = beginSim(store, positionAt(rules, 0, 0, 0, 5), 1 / 30);
    expect([region.bounds.bounds.maxX, region.count]).toEqual([71, 1]);
    const chunkOfBounds = Math.floor(71 / 16 + 0.5);
    expect(store.chunkXOf(0)).toBeGreaterThan(chunkOfBounds);
  });

  it('[SW-G2] a body that only touches UpdatableBounds stays: its reach could go beyond Bounds', () => {
    const region = beginSim(storeWith([60.2, 59.8]), origin, 1 / 30);
    simulate(region);
    expect([region.role[region.ids.get(1)], region.role[region.ids.get(2)]]).toEqual([0, OWN]);
  });

  it('[SW-R14] [SW-R15] the origin is the centre of the camera chunk; places come back exactly', () => {
    const store = storeWith([3, -20.125, 33.3]);
    const before = [...store.x.subarray(0, 3)];
    const region = beginSim(store, positionAt(rules, 2, -1, 0, 7, 7, 7), 1 / 30);
    expect(region.px[region.ids.get(1)]).toBe(3 - 32);
    region.changed.fill(1);
    endSim(region);
    expect([...store.x.subarray(0, 3)]).toEqual(before);
  });

  it('[SW-E4] what did not move is not written back: its chunk is not dirty', () => {
    const store = storeWith([0, 5, 38]);
    store.setVelocity(store.rowOf(3), 1, 0, 0);
    store.chunks.cleanAll();
    const region = beginSim(store, origin, 1 / 30);
    simulate(region);
    endSim(region);
    const dirty = [0, 2].map((x) => Number(store.chunks.isDirty(store.chunks.find(x, 0, 0))));
    expect(dirty).toEqual([0, 1]);
  });

  it('[SW-E37] a reference resolves only while its entity is in the region', () => {
    const store = storeWith([0, 5000]);
    const region = beginSim(store, origin, 1 / 30);
    expect([region.ids.get(1) >= 0, region.ids.get(2)]).toEqual([true, -1]);
  });

  it('[SW-R13] [SW-E31] a region takes whatever is there: twenty thousand in one place', () => {
    const store = new Store(rules);
    for (let i = 0; i < 20_000; i++) store.insert({ flags: 0, position: origin });
    expect(beginSim(store, origin, 1 / 30).count).toBe(20_000);
  });
});

describe('resident regions', () => {
  it('[SW-R10] only chunks at the edges are taken in and given back', () => {
    const small: Rules = { ...rules, SimChunksInCamera: 1, SimBoundsExpansion: 0 };
    const store = new Store(small);
    for (let x = -10; x <= 10; x++) store.insert({ flags: BODY, position: positionAt(small, x, 0, 0), volumes: cube });
    const region = new SimRegion(store, origin, 1 / 30);
    stayAt(region, origin, 1 / 30);
    expect(idsOf(region)).toEqual([9, 10, 11, 12, 13]);
    region.vx[region.ids.get(9)] = 7;
    region.changed[region.ids.get(9)] = 1;
    stayAt(region, positionAt(small, 1, 0, 0), 1 / 30);
    expect(idsOf(region)).toEqual([10, 11, 12, 13, 14]);
    expect([store.vx[store.rowOf(9)], region.px[region.ids.get(10)]]).toEqual([7, -32]);
  });

  it('[SW-E33] what leaves the chunks of a region is given back, and found where it went', () => {
    const store = storeWith([59]);
    store.setVelocity(0, 30, 0, 0);
    const regions = new Regions([new SimRegion(store, origin, 1 / 30)]);
    regions.stayAt([origin], 1 / 30);
    for (let i = 0; i < 60; i++) regions.simulate();
    regions.sync();
    expect([store.count, store.chunkXOf(0) * 16 + store.x[0]!]).toEqual([1, 60]);
  });

  it('[SW-R11] while regions stay, entities are added, changed, settled and removed through them', () => {
    const store = storeWith([0, 3]);
    const regions = new Regions([new SimRegion(store, origin, 1 / 30)]);
    regions.stayAt([origin], 1 / 30);
    expect(regions.settle()).toEqual([]);
    const id = regions.insert({ flags: BODY, position: positionAt(rules, 0, 0, 0, 3.5), volumes: cube, velocityY: 1 });
    expect(regions.settle().map(({ id: moved, outcome }) => [moved, outcome])).toEqual([[id, 'moved']]);
    regions.change(1, (all, row) => all.setVelocity(row, 0, 9, 0));
    regions.simulate();
    regions.remove(2);
    regions.change(id, (all, row) => all.place(row, null));
    regions.sync();
    const { id: ids, count } = regions.list[0]!;
    expect([count, ids[0], store.count, store.y[store.rowOf(1)]]).toEqual([1, 1, 2, toGrain(0.3)]);
  });
});
