import { InputError, nextInt, type Rng, seedRng } from '@lockstep/kernel';
import type { Batch } from '@lockstep/sparse';
import { beforeAll, describe, expect, it } from 'vitest';
import { EVERYWHERE } from '../ranges.ts';
import { LogStore } from './log-store.ts';
import { SimulatedDisk } from './simulated-disk.test-support.ts';

type State = ReadonlyMap<string, string>;

/** A log of some frames: its bytes, where each frame ends, and what the world was after it. */
interface Sample {
  readonly bytes: Uint8Array;
  readonly ends: readonly number[];
  readonly states: readonly State[];
}

const FRAMES = 10;
const FILE = 'world-00000001.log';

function randomBatch(rng: Rng, frame: number): Batch {
  const chunks = new Map<string, { x: number; y: number; z: number; blob: Uint8Array | null }>();
  for (let i = nextInt(rng, 6); i >= 0; i--) {
    const [x, y, z] = [nextInt(rng, 3), 0, -nextInt(rng, 2)];
    const blob = nextInt(rng, 4) === 0 ? null : Uint8Array.from({ length: nextInt(rng, 40) }, () => nextInt(rng, 256));
    chunks.set(`${x},${y},${z}`, { x, y, z, blob });
  }
  return { frame, head: Uint8Array.of(frame, 9), chunks: [...chunks.values()] };
}

/** `isCompacted`: most of it stands in the frames that a compaction wrote. */
async function sample(seed: bigint, isCompacted: boolean): Promise<Sample> {
  const rng = seedRng(seed);
  const disk = new SimulatedDisk(rng);
  const store = await LogStore.open(disk, { compactAt: Infinity });
  const states: State[] = [new Map()];
  const ends = [store.size.file];
  for (let frame = 1; frame <= FRAMES; frame++) {
    const batch = randomBatch(rng, frame);
    await store.commit(batch);
    const state = new Map(states.at(-1));
    for (const { x, y, z, blob } of batch.chunks)
      if (blob === null) state.delete(`${x},${y},${z}`);
      else state.set(`${x},${y},${z}`, [...blob].join(' '));
    states.push(state);
    if (isCompacted && frame === 5) await store.compact();
    ends.push(store.size.file);
  }
  await store.close();
  const [name] = await disk.list();
  const file = await disk.open(name!, false);
  return { bytes: await file.read(0, await file.size()), ends, states };
}

async function openBytes(bytes: Uint8Array): Promise<LogStore> {
  const disk = new SimulatedDisk(seedRng(1n));
  disk.put(FILE, bytes);
  return LogStore.open(disk);
}

/** Asked a hundred thousand times: dearer words only for a failure. */
function must(isSo: boolean, what: () => string): void {
  if (!isSo) expect.fail(what());
}

/** What a reader is given as good is what was written last before the frame where the log ends; the rest is told. */
async function checkHonest(store: LogStore, { states }: Sample, what: string): Promise<number> {
  const last = (await store.readHead())?.frame ?? 0;
  const state = states[last]!;
  const { cut, lost } = store.repairs;
  must(last === FRAMES || cut !== null, () => `${what}: ends at frame ${last} and does not say so`);
  const records = await store.readRange(EVERYWHERE);
  let damaged = 0;
  for (const { x, y, z, blob, damage } of records) {
    if (damage !== undefined) damaged++;
    else must([...blob!].join(' ') === state.get(`${x},${y},${z}`), () => `${what}: chunk ${x},${y},${z} is wrong and called good`);
  }
  const isComplete = records.length === state.size && records.every(({ x, y, z }) => state.has(`${x},${y},${z}`));
  must(isComplete || lost.length > 0, () => `${what}: chunks are missing or too many, and nothing is told`);
  return damaged;
}

describe.each([false, true])('accidents of a log (compacted: %s)', (isCompacted) => {
  let log: Sample;
  beforeAll(async () => {
    log = await sample(5n, isCompacted);
  });

  it('[SW-R10] cut at any byte: every whole frame before the cut is there, and nothing of the others', async () => {
    expect(log.bytes.length).toBeGreaterThan(1500);
    const first = isCompacted ? log.ends[5]! : 16;
    for (let length = first; length < log.bytes.length; length++) {
      const store = await openBytes(log.bytes.subarray(0, length));
      const whole = log.ends.findLastIndex((end, frame) => end <= length && (!isCompacted || frame >= 5));
      const frame = (await store.readHead())?.frame ?? 0;
      must(frame === whole, () => `cut at ${length}: frame ${frame} instead of ${whole}`);
      const records = await store.readRange(EVERYWHERE);
      const state = log.states[whole]!;
      const isSame = records.every(({ x, y, z, blob, damage }) => (damage ?? [...blob!].join(' ')) === state.get(`${x},${y},${z}`));
      must(isSame && records.length === state.size, () => `cut at ${length}: not the world of frame ${whole}`);
    }
  });

  it('[SW-R10] cut within what a compaction wrote: told, and no chunk is called good', async () => {
    if (!isCompacted) return;
    for (let length = 250; length < log.ends[5]! - 120; length++) {
      const store = await openBytes(log.bytes.subarray(0, length));
      const records = await store.readRange(EVERYWHERE);
      const isTold = store.repairs.lost.length === 1 && records.every(({ damage }) => damage !== undefined);
      must(isTold, () => `cut at ${length}: not told`);
    }
  });

  it('cut within the header: no log, in one line', async () => {
    for (let length = 0; length < 16; length++) await expect(openBytes(log.bytes.subarray(0, length))).rejects.toThrow(InputError);
  });

  it('[SW-R10] any byte flipped: one chunk is told to be damaged, or nothing at all is amiss, or a cut end is told', async () => {
    let [damaged, cut] = [0, 0];
    for (let at = 0; at < log.bytes.length; at++) {
      const bytes = log.bytes.slice();
      bytes[at]! ^= 1 << (at % 8);
      const store = await openBytes(bytes);
      const hurt = await checkHonest(store, log, `byte ${at}`);
      must(store.repairs.lost.length === 0 && hurt <= 1, () => `byte ${at}: ${hurt} chunks damaged`);
      damaged += hurt;
      if (store.repairs.cut !== null) cut++;
    }
    expect([damaged > 20, cut > 20]).toEqual([true, true]);
  });

  it(
    '[SW-R10] many bytes flipped, zeroed, cut out or doubled: never a wrong chunk that is called good',
    async () => {
      const only = process.env['LOCKSTEP_FUZZ_SEED'];
      const rounds = process.env['LOCKSTEP_LONG'] === '1' ? 50_000 : 1500;
      for (let seed = 0; seed < rounds; seed++) {
        if (only !== undefined && Number(only) !== seed) continue;
        const rng = seedRng(BigInt(seed));
        const store = await openBytes(spoiled(log.bytes, rng)).catch((error: unknown) => {
          must(error instanceof InputError, () => `LOCKSTEP_FUZZ_SEED=${seed}: ${String(error)}`);
          return null;
        });
        if (store !== null) await checkHonest(store, log, `LOCKSTEP_FUZZ_SEED=${seed}`);
      }
    },
    20 * 60_000,
  );
});

function spoiled(from: Uint8Array, rng: Rng): Uint8Array {
  let bytes: Uint8Array = from.slice();
  for (let i = nextInt(rng, 5); i >= 0; i--) {
    const [at, length] = [nextInt(rng, bytes.length), nextInt(rng, 200)];
    const [before, piece, after] = [bytes.subarray(0, at), bytes.slice(at, at + length), bytes.subarray(at + length)];
    const kind = nextInt(rng, 6);
    if (kind < 3) bytes[at]! ^= 1 << nextInt(rng, 8);
    else if (kind === 3) bytes.fill(0, at, at + length);
    else if (kind === 4) bytes = joined(before, after);
    else bytes = joined(before, piece, piece, after);
  }
  return bytes;
}

const joined = (...parts: Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts));
