import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nextInt, type Rng, seedRng } from '@lockstep/kernel';
import { type ChunkRecord, DEFAULT_RULES, MOVABLE, positionAt, Save, Store } from '@lockstep/sparse';
import { EVERYWHERE, openLog } from '@lockstep/store';
import type { Bench, Measurement } from './measurement.ts';
import { keepers } from './sparse-keepers.ts';

const DIRTY = 200;
/** The chunks of a frame are some of so many, a thousand bytes each: about ten entities. */
const WORLD = 2000;
const BLOB = 1000;
const ENTITIES = 1_000_000;
const PER_CHUNK = 16;

/** Durable frames, and how fast a world is back after a crash. */
export const storeBench: Bench = async function* ({ seconds }) {
  const folder = mkdtempSync(join(tmpdir(), 'lockstep-bench-'));
  try {
    yield* commits(folder, seconds / 2);
    yield* recovery(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

function frameOf(rng: Rng): ChunkRecord[] {
  const first = nextInt(rng, WORLD);
  return Array.from({ length: DIRTY }, (_, i) => {
    const blob = Uint8Array.from({ length: BLOB }, () => nextInt(rng, 256));
    return { x: (first + i * 7) % WORLD, y: 0, z: 0, blob };
  });
}

/** Every keeper writes the same frames in turn, each time another one first, so that all meet the same moods of the disk. */
async function* commits(folder: string, seconds: number): AsyncGenerator<Measurement> {
  const all = await keepers(folder);
  const times = new Map(all.map(({ name }): [string, number[]] => [name, []]));
  const rng = seedRng(3n);
  const end = Date.now() + seconds * 1000;
  for (let frame = 1; frame <= 12 || Date.now() < end; frame++) {
    const chunks = frameOf(rng);
    const turns = all.filter(({ isSlow }) => !isSlow || frame <= 5);
    for (const i of turns.keys()) {
      const { name, commit } = turns[(i + frame) % turns.length]!;
      const start = performance.now();
      await commit(frame, chunks);
      if (frame > 2) times.get(name)!.push(performance.now() - start); // the first ones make files
    }
  }
  for (const keeper of all) await keeper.close();
  for (const part of [0.5, 0.99]) {
    const bench = `sparse/store/durable commit of ${DIRTY} chunks p${part * 100}`;
    const log = quantile(times.get('log')!, part);
    for (const [subject, list] of times) {
      const value = quantile(list, part);
      if (subject === 'log') yield { bench, subject, against: null, ratio: null, value, unit: 'ms' };
      else yield { bench, subject, against: 'log', ratio: log / value, value, unit: 'ms' };
    }
  }
}

function quantile(times: readonly number[], part: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]!;
}

/** A million entities in one log: until its index stands, until a region of chunks is in memory, until everything is. */
async function* recovery(folder: string): AsyncGenerator<Measurement> {
  const path = join(folder, 'million');
  await writeMillion(path);
  const bench = `sparse/store/recovery of ${ENTITIES.toLocaleString('en-US')} entities`;
  const told = (subject: string, start: number): Measurement => ({
    bench,
    subject,
    against: null,
    ratio: null,
    value: performance.now() - start,
    unit: 'ms',
  });
  const start = performance.now();
  const log = await openLog(path);
  yield told('log opened', start);
  const save = new Save(new Store(DEFAULT_RULES), log);
  await save.open();
  await save.require({ minX: 0, minY: 0, minZ: 0, maxX: 9, maxY: 9, maxZ: 0 });
  yield told('first 100 chunks simulated', start);
  let bytes = 0;
  for (const { blob } of await log.readRange(EVERYWHERE)) bytes += blob!.length;
  yield told('every byte read and checked', start);
  yield { bench, subject: 'log', against: null, ratio: null, value: bytes / 1e6, unit: 'MB of chunks' };
  await log.close();
}

async function writeMillion(path: string): Promise<void> {
  const store = new Store(DEFAULT_RULES);
  const side = Math.ceil(Math.sqrt(ENTITIES / PER_CHUNK));
  for (let i = 0; i < ENTITIES; i++) {
    const chunk = Math.floor(i / PER_CHUNK);
    store.insert({
      flags: MOVABLE,
      position: positionAt(DEFAULT_RULES, chunk % side, Math.floor(chunk / side), 0, (i % PER_CHUNK) - 8, 0, 0),
    });
  }
  const log = await openLog(path);
  const save = new Save(store, log);
  await save.commit(1);
  await log.close();
}
