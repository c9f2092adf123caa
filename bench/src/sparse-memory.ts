import * as S from '@lockstep/sparse';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { places } from './sparse-crowd.ts';

/** What a process that holds so many entities, and nothing else, has to say. */
export interface Filled {
  /** Nanoseconds of processor time an entity; the making of places is not counted. */
  readonly nanoseconds: number;
  /** Bytes an entity, of what is alive. */
  readonly bytes: number;
  /** Bytes of the whole process at its end. */
  readonly rss: number;
}

const PART = 65_536;

function fill(what: string, count: number): Filled {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const alive = (): number => {
    collect();
    collect();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  const chunks = new Int32Array(PART * 3);
  const offsets = new Float64Array(PART * 3);
  const before = alive();
  const filler = what === 'map' ? mapFiller() : storeFiller(what === 'reserved' ? count : 0);
  let microseconds = 0;
  const source = places(count);
  for (let from = 0; from < count; from += PART) {
    const part = Math.min(PART, count - from);
    for (let i = 0; i < part; i++) {
      const { chunkX, chunkY, chunkZ, x, y, z } = source.next().value as S.WorldPosition;
      chunks.set([chunkX, chunkY, chunkZ], i * 3);
      offsets.set([x, y, z], i * 3);
    }
    const start = process.cpuUsage();
    filler.add(from + 1, part, chunks, offsets);
    const { user, system } = process.cpuUsage(start);
    microseconds += user + system;
  }
  const bytes = (alive() - before) / count;
  if (filler.size() !== count) throw new Error(`${what}: ${filler.size()} of ${count} entities`);
  return { nanoseconds: (microseconds * 1000) / count, bytes, rss: process.memoryUsage().rss };
}

interface Filler {
  /** Adds entities with ids from the first one on; three numbers each say in which chunk and where in it. */
  add(firstId: number, count: number, chunks: Int32Array, offsets: Float64Array): void;
  /** How many are found, in every chunk. */
  size(): number;
}

function countByChunks({ chunks }: S.Store): number {
  const rows: number[] = [];
  let count = 0;
  for (let slot = 0; slot < chunks.slotEnd; slot++) if (chunks.exists(slot)) count += chunks.rowsOf(slot, rows);
  return count;
}

function storeFiller(reserve: number): Filler {
  const store = new S.Store(S.DEFAULT_RULES);
  store.reserve(reserve);
  const shape = store.shapes.intern([{ dimX: 1, dimY: 1, dimZ: 1 }]);
  const place = new S.WorldPosition();
  return {
    size: () => countByChunks(store),
    add(firstId, count, chunks, offsets) {
      for (let i = 0; i < count; i++) {
        const at = i * 3;
        place.chunkX = chunks[at]!;
        place.chunkY = chunks[at + 1]!;
        place.chunkZ = chunks[at + 2]!;
        place.x = offsets[at]!;
        place.y = offsets[at + 1]!;
        place.z = offsets[at + 2]!;
        const row = store.add(firstId + i, S.MOVABLE, shape, place);
        store.vx[row] = place.x * 0.3;
        store.vy[row] = place.y * 0.3;
        store.vz[row] = place.z * 0.3;
      }
      void store.chunks.count; // new rows that wait for their chunks are part of the work
    },
  };
}

/** An object an entity, found by its id and by a string for its chunk: what one would write first. */
function mapFiller(): Filler {
  const chunks = new Map<string, object[]>();
  const byId = new Map<number, object>();
  return {
    size: () => [...chunks.values()].reduce((count, list) => count + list.length, 0),
    add(firstId, count, chunkNumbers, offsets) {
      for (let i = 0; i < count; i++) {
        const at = i * 3;
        const chunkX = chunkNumbers[at]!;
        const chunkY = chunkNumbers[at + 1]!;
        const chunkZ = chunkNumbers[at + 2]!;
        const x = offsets[at]!;
        const y = offsets[at + 1]!;
        const z = offsets[at + 2]!;
        const id = firstId + i;
        const entity = { id, flags: 2, shape: 1, chunkX, chunkY, chunkZ, x, y, z, vx: x * 0.3, vy: y * 0.3, vz: z * 0.3 };
        const key = `${chunkX},${chunkY},${chunkZ}`;
        const list = chunks.get(key);
        if (list === undefined) chunks.set(key, [entity]);
        else list.push(entity);
        byId.set(id, entity);
      }
    },
  };
}

/** The program of such a process: fills a store, or a Map with string keys, as the arguments say. */
if (process.send !== undefined) process.send(fill(process.argv[2]!, Number(process.argv[3])));
