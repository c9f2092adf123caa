import { type FieldIO, hash, restore, snapshot } from '@lockstep/kernel';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ChunkTable } from './chunk-table.ts';
import * as E from './entity.ts';
import { IdIndex } from './id-index.ts';
import { PairRules } from './pair-rules.ts';
import { positionAt } from './position.ts';
import { RowPlaces } from './row-places.ts';
import { DEFAULT_RULES } from './rules.ts';
import { at, picture, randomScene, runFrames } from './scenes.test-support.ts';
import { Store } from './store.ts';
import { worldHash } from './world-hash.ts';

const rules = DEFAULT_RULES;
const cube = [{ dimX: 1, dimY: 1, dimZ: 1 }];
const here = (chunkX: number, chunkY = 0, chunkZ = 0, x = 0) => positionAt(rules, chunkX, chunkY, chunkZ, x);

/** Ids of the entities that a chunk's lists hold. */
function idsIn(store: Store, x: number, y = 0, z = 0): number[] {
  const slot = store.chunks.find(x, y, z);
  const rows: number[] = [];
  if (slot < 0) return [];
  rows.length = store.chunks.rowsOf(slot, rows);
  return rows.map((row) => store.id[row]!).sort((a, b) => a - b);
}

describe('sparse world storage', () => {
  it('[SW-R3] [SW-R5] [SW-R11] only chunks with entities exist, at any distance from each other', () => {
    const store = new Store(rules);
    const ids = [-2_147_483_648, 0, 2_147_483_647].map((x) => store.insert({ flags: 0, position: here(x, x), volumes: cube }));
    expect(store.chunks.count).toBe(3);
    expect(idsIn(store, 2_147_483_647, 2_147_483_647)).toEqual([ids[2]]);
    expect(idsIn(store, 1)).toEqual([]);
  });

  it('[SW-E32] a chunk is freed when its last entity leaves, and its memory is used again', () => {
    const store = new Store(rules);
    const rows = Array.from({ length: 12 }, () => store.rowOf(store.insert({ flags: 0, position: here(0), volumes: cube })));
    for (let x = 1; x < 1000; x++) for (const row of rows) store.moveTo(row, x, 0, 0, 0, 0, 0);
    expect([store.chunks.count, store.chunks.slotEnd, store.chunks.blockEnd]).toEqual([1, 2, 1]);
    for (const row of rows) store.remove(store.id[row]!);
    expect([store.count, store.chunks.count]).toEqual([0, 0]);
  });

  it('[SW-R5] [SW-E36] blocks: a thousand entities of one chunk come and go in any order', () => {
    const store = new Store(rules);
    const ids = Array.from({ length: 1000 }, () => store.insert({ flags: 0, position: here(7) }));
    for (const id of ids.filter((_, i) => i % 3 !== 0)) store.remove(id);
    const left = ids.filter((_, i) => i % 3 === 0);
    expect(idsIn(store, 7)).toEqual(left);
    for (const id of left) store.remove(id);
    expect(store.chunks.count).toBe(0);
  });

  it('[SW-R12] an entity is reached by its id; one that is gone, by nobody', () => {
    const store = new Store(rules);
    const id = store.insert({ flags: E.MOVABLE, position: here(3, 4, 5), volumes: cube });
    expect(store.positionOf(store.rowOf(id))).toEqual(here(3, 4, 5));
    for (const wrong of [1.5, 0, -1, NaN, 2 ** 32 + 1]) expect(() => store.rowOf(wrong)).toThrow('id: expected a living entity');
    store.remove(id);
    expect(() => store.rowOf(id)).toThrow(`id: expected a living entity, got ${id}`);
    expect(store.insert({ flags: 0 })).not.toBe(id);
    expect(() => store.add(2, 0, 0, null)).toThrow('entity.id: expected an id that is free, got 2');
    store.nextId = 0x1_0000_0000;
    expect(() => store.insert({ flags: 0 })).toThrow('entity.id: expected an id 1..4294967295, got 4294967296');
  });

  it('[SW-E26] a Space stands in the list of every chunk that it touches', () => {
    const store = new Store(rules);
    const room = store.insert({ flags: E.TRAVERSABLE, position: here(0), volumes: [{ dimX: 47.6, dimY: 25.2, dimZ: 2.7 }] });
    expect(store.chunks.count).toBe(9);
    for (const [x, y] of [
      [-1, -1],
      [0, 1],
      [1, 0],
    ] as const)
      expect(idsIn(store, x, y)).toEqual([room]);
    store.place(store.rowOf(room), here(100));
    expect([idsIn(store, 1), idsIn(store, 101)]).toEqual([[], [room]]);
    store.remove(room);
    expect(store.chunks.count).toBe(0);
  });

  it('[SW-E26] limits are enforced at the door: no large bodies move, no body is too fast', () => {
    const store = new Store(rules);
    const large = { flags: E.MOVABLE, position: here(0), volumes: [{ dimX: 10.5, dimY: 1, dimZ: 1 }] };
    expect(() => store.insert(large)).toThrow('entity.volumes: expected a body within MaxEntityRadius 5, because it moves, got 5.25');
    const row = store.rowOf(store.insert({ flags: E.MOVABLE, position: here(0), volumes: cube, velocityX: 300, velocityY: 400 }));
    expect([store.vx[row], store.vy[row]]).toEqual([18, 24]);
    const endless = { flags: 0, position: here(0), volumes: [{ dimX: 4096, dimY: 4096, dimZ: 4096 }] };
    expect(() => store.insert(endless)).toThrow('touches at most 65536 chunks');
    expect(() => store.insert({ flags: 0, volumes: [{ dimX: 0, dimY: 1, dimZ: 1 }] })).toThrow(
      'entity.volumes.0.dimX: expected a size above 0',
    );
  });

  it('[SW-R3] [SW-E26] an entity that is refused leaves nothing behind', () => {
    const store = new Store(rules);
    const refused: [E.EntitySpec, string][] = [
      [{ flags: 0, position: here(0), volumes: [{ dimX: 4096, dimY: 4096, dimZ: 4096 }] }, 'touches at most 65536 chunks'],
      [{ flags: E.MOVABLE, position: here(0), velocityY: NaN }, 'entity.velocityY: expected a finite number, got NaN'],
      [{ flags: E.MOVABLE, position: here(0), parameters: [[99, 1]] }, 'entity.parameters.99: expected a known parameter'],
      [
        { flags: 0, position: Object.assign(here(0), { chunkX: 2 ** 31 }) },
        'entity.position: expected a canonical position, got "chunkX 2147483648',
      ],
      [{ flags: 0, position: Object.assign(here(0), { x: 8 }) }, 'entity.position: expected a canonical position, got "chunkX 0, x 8'],
    ];
    for (const [spec, message] of refused) expect(() => store.insert(spec)).toThrow(message);
    expect([store.count, store.chunks.count, store.rowEnd, store.nextId]).toEqual([0, 0, 0, 1]);
    const wall = store.rowOf(store.insert({ flags: 0, position: here(3), volumes: [{ dimX: 600, dimY: 600, dimZ: 600 }] }));
    expect(() => store.place(wall, Object.assign(here(0), { z: NaN }))).toThrow('position: expected a canonical position');
    expect(store.positionOf(wall).chunkX).toBe(3);
    const arrow = store.rowOf(store.insert({ flags: E.MOVABLE, position: here(0), velocityX: -1e300, velocityZ: 1e308 }));
    expect(store.vz[arrow]).toBeCloseTo(30, 6);
  });

  it('[SW-E38] an entity may have no place: it is in no chunk, and no number says so', () => {
    const store = new Store(rules);
    const row = store.rowOf(store.insert({ flags: E.MOVABLE, volumes: cube }));
    expect([store.chunks.count, store.flags[row]! & E.NONSPATIAL]).toEqual([0, E.NONSPATIAL]);
    store.place(row, here(2));
    expect([idsIn(store, 2).length, store.flags[row]! & E.NONSPATIAL]).toEqual([1, 0]);
    store.place(row, null);
    expect(store.chunks.count).toBe(0);
  });

  it('[SW-R18] one kind of entity: parameters that nobody sets cost nothing, and are forgotten with their entity', () => {
    const store = new Store(rules, [{ name: 'hitPoints', default: 3 }]);
    const hitPoints = E.PARAMETERS.length;
    const rows = [0, 1].map(() => store.rowOf(store.insert({ flags: 0, position: here(0) })));
    store.setParameter(rows[0]!, hitPoints, 1);
    expect(rows.map((row) => store.parameters.get(row, hitPoints))).toEqual([1, 3]);
    store.remove(store.id[rows[0]!]!);
    const again = store.rowOf(store.insert({ flags: 0 }));
    expect([again, store.parameters.get(again, hitPoints)]).toEqual([rows[0], 3]);
    expect(() => store.setParameter(again, 99, 1)).toThrow('entity.parameters.99: expected a known parameter');
  });

  it('[SW-R12] [SW-E32] entity count is conserved over any sequence of operations', () => {
    const operation = fc.record({
      kind: fc.constantFrom('insert', 'big', 'move', 'place', 'unplace', 'remove'),
      who: fc.nat(),
      to: fc.integer({ min: -3, max: 3 }),
    });
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 120 }), (operations) => {
        const store = new Store(rules);
        const model = new Map<number, number | null>();
        for (const { kind, who, to } of operations) {
          const id = [...model.keys()][who % Math.max(1, model.size)];
          if (kind === 'insert') model.set(store.insert({ flags: 0, position: here(to), volumes: cube }), to);
          else if (kind === 'big') model.set(store.insert({ flags: 0, position: here(to), volumes: [{ dimX: 40, dimY: 1, dimZ: 1 }] }), to);
          else if (id === undefined) continue;
          else if (kind === 'remove') {
            store.remove(id);
            model.delete(id);
          } else if (kind === 'unplace') {
            store.place(store.rowOf(id), null);
            model.set(id, null);
          } else if (kind === 'place' || model.get(id) === null) {
            store.place(store.rowOf(id), here(to));
            model.set(id, to);
          } else {
            store.moveTo(store.rowOf(id), to, 0, 0, 0, 0, 0);
            model.set(id, to);
          }
        }
        expect(store.count).toBe(model.size);
        const isBig = (id: number): boolean => store.isBig(store.rowOf(id));
        for (let x = -5; x <= 5; x++) {
          const expected = [...model].filter(([id, at]) => at !== null && Math.abs(at - x) <= (isBig(id) ? 1 : 0)).map(([id]) => id);
          expect(idsIn(store, x)).toEqual(expected.sort((a, b) => a - b));
        }
      }),
    );
  });
});

describe('snapshots', () => {
  it('[SW-R11] a snapshot brings back every field, over whatever has happened since, and the game goes on alike', () => {
    const world = { fields: (io: FieldIO, state: { tick: number; store: Store }) => state.store.fields(io) };
    fc.assert(
      fc.property(fc.integer(), fc.integer(), (first, second) => {
        const state = { tick: 0, store: randomScene(first, [0, 0, 0]) };
        const other = { tick: 0, store: randomScene(second, [5, 5, 5], { bodies: 70, walls: 30 }) };
        state.store.pairs.set(1, 2, false);
        for (const { store } of [state, other]) runFrames(store, at([0, 0, 0]), 3);
        const kept = snapshot(world, state);
        const before = [hash(world, state), worldHash(state.store)];
        const goOn = (store: Store): string => {
          store.remove(store.insert({ flags: 0, position: here(3), volumes: cube }));
          store.insert({ flags: 0, position: here(4), volumes: [{ dimX: 60, dimY: 1, dimZ: 1 }] });
          runFrames(store, at([0, 0, 0]), 3);
          return picture(store, [0, 0, 0]);
        };
        const after = goOn(state.store);
        for (const one of [state, other]) {
          restore(world, one, kept);
          expect([hash(world, one), worldHash(one.store)]).toEqual(before);
          expect(snapshot(world, one)).toEqual(kept);
          expect(goOn(one.store)).toBe(after);
        }
      }),
      { numRuns: 6 },
    );
  });
});

describe('rows', () => {
  const world = { fields: (io: FieldIO, state: { tick: number; store: Store }) => state.store.fields(io) };
  const bits = (store: Store): [string, Float64Array] => [hash(world, { tick: 0, store }), snapshot(world, { tick: 0, store })];

  it('[SW-R5] new rows are in their chunks for whoever looks, and it is all the same when somebody looks', () => {
    const step = fc.record({
      x: fc.integer({ min: -3, max: 3 }),
      what: fc.constantFrom('add', 'big', 'remove', 'move'),
      looks: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { minLength: 100, maxLength: 300 }), fc.integer({ min: 0, max: 99 }), (steps, from) => {
        const [seen, unseen] = [new Store(rules), new Store(rules)];
        for (const [i, { x, what, looks }] of steps.entries()) {
          for (const store of [seen, unseen]) {
            store.isStreaming = i >= from && i < from + 50;
            const shape = what === 'big' ? store.shapes.intern([{ dimX: 40, dimY: 1, dimZ: 1 }]) : 0;
            const first = what === 'remove' || what === 'move' ? store.id.find((id) => id !== 0) : undefined;
            if (first === undefined) store.add(store.nextId, 0, shape, here(x));
            else if (what === 'remove') store.remove(first);
            else if (!store.isBig(store.rowOf(first))) store.moveTo(store.rowOf(first), x, 0, 0, 0, 0, 0);
          }
          if (looks) idsIn(seen, x);
        }
        expect(bits(unseen)).toEqual(bits(seen));
      }),
      { numRuns: 30 },
    );
  });

  it('[SW-R5] whoever holds the table sees those that came later', () => {
    const store = new Store(rules);
    const { chunks } = store;
    const row = store.add(1, 0, 0, here(7));
    expect([chunks.count, chunks.slotEnd, chunks.xOf(chunks.slotOf(row)), chunks.isDirty(0), chunks.exists(0)]).toEqual([
      1,
      1,
      7,
      true,
      true,
    ]);
    store.isStreaming = true;
    store.add(2, 0, 0, here(8));
    store.isStreaming = false;
    expect(chunks.isDirty(chunks.find(8, 0, 0))).toBe(false);
    store.add(3, 0, 0, here(8));
    expect([chunks.isDirty(1), chunks.rowsOf(1, [])]).toEqual([true, 2]);
  });

  it('[SW-R11] a free row says nothing of who was there', () => {
    const [a, b] = [new Store(rules), new Store(rules)];
    for (const store of [a, b]) store.insert({ flags: 0, volumes: cube });
    a.insert({ flags: E.MOVABLE, position: here(9, 8, 7, 3), velocityX: 4, volumes: cube, parameters: [[E.DRAG, 2]] });
    b.insert({ flags: 0 });
    expect(() => a.add(1, 0, 0, here(1))).toThrow('an id that is free');
    expect(() => b.add(1, 0, 0, null)).toThrow('an id that is free');
    for (const store of [a, b]) {
      store.parameters.set(1, E.DRAG, 1);
      store.remove(2);
      store.takeUnsettled();
    }
    expect(hash(world, { tick: 0, store: a })).toBe(hash(world, { tick: 0, store: b }));
  });
});

describe('tables', () => {
  it('[SW-E31] the id index grows, and equals a Map after any sequence', () => {
    // some side by side, some far apart
    const idOf = (number: number): number => (number % 2 === 0 ? number : (number * 0x0101_0101) >>> 0);
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), fc.integer({ min: 1, max: 200 })), { maxLength: 400 }), (operations) => {
        const index = new IdIndex();
        const map = new Map<number, number>();
        operations.forEach(([isSet, number], i) => {
          const id = idOf(number);
          if (isSet) index.set(id, i);
          else index.delete(id);
          if (isSet) map.set(id, i);
          else map.delete(id);
        });
        expect(index.count).toBe(map.size);
        for (let n = 1; n <= 200; n++) expect(index.get(idOf(n))).toBe(map.get(idOf(n)) ?? -1);
      }),
    );
  });

  it('[SW-E31] room made beforehand changes nothing, is used, and does not end the growth', () => {
    const [plain, roomy] = [new Store(rules), new Store(rules)];
    roomy.reserve(1000);
    const { id } = roomy;
    for (const store of [plain, roomy])
      for (let i = 0; i < 1000; i++) store.insert({ flags: E.MOVABLE, position: here(i % 17, i % 5, -i) });
    expect(roomy.id).toBe(id);
    for (const store of [plain, roomy]) for (let i = 0; i < 500; i++) store.insert({ flags: 0 });
    expect(worldHash(roomy)).toBe(worldHash(plain));
  });

  it('[SW-E31] the chunk index grows without limit and loses nothing', () => {
    const places = new RowPlaces();
    places.grow(20_000);
    const table = new ChunkTable(places);
    const numbers = Array.from({ length: 20_000 }, (_, i) => [Math.imul(i, 0x9e37_79b1), i % 7, -i] as const);
    for (const [i, [x, y, z]] of numbers.entries()) table.put(table.findOrMake(x, y, z), i);
    const rows: number[] = [];
    for (const [i, [x, y, z]] of numbers.entries()) {
      table.rowsOf(table.find(x, y, z), rows);
      expect(rows[0]).toBe(i);
    }
    expect([table.count, table.find(1, 2, 3)]).toEqual([20_000, -1]);
  });

  it('[SW-E25] a rule about two entities holds whichever is named first; clearing those of one leaves the others', () => {
    const pairs = new PairRules();
    for (let i = 2; i < 100; i++) pairs.set(i, 1, i % 2 === 0);
    pairs.set(50, 60, true);
    expect([pairs.get(1, 4), pairs.get(5, 1), pairs.get(60, 50), pairs.get(2, 3)]).toEqual([1, 0, 1, -1]);
    pairs.clearFor(1);
    expect(pairs.list()).toEqual([[50, 60, true]]);
  });

  it('[SW-R5] the world hash depends on what is there, not on how it came there', () => {
    const [a, b] = [new Store(rules), new Store(rules)];
    const gone = b.insert({ flags: 1, position: here(9) });
    a.insert({ flags: 1, position: here(9) });
    a.remove(1);
    for (const store of [a, b]) store.nextId = 10;
    b.remove(gone);
    a.add(11, 0, 0, here(1));
    a.add(12, 0, 0, here(2));
    b.add(12, 0, 0, here(2));
    b.add(11, 0, 0, here(1));
    expect(worldHash(a)).toBe(worldHash(b));
    b.moveTo(b.rowOf(11), 1, 0, 0, 2 ** -36, 0, 0);
    expect(worldHash(a)).not.toBe(worldHash(b));
  });
});
