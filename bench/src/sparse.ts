import { DEFAULT_PARTICLES, Particles, spawnFountain } from '@lockstep/sparse';
import { RegionThreads, sharedMemory, startNodeThread } from '@lockstep/threads';
import { seedRng } from '@lockstep/kernel';
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Bench, Measurement } from './measurement.ts';
import { DT, makeCrowd, regionsOf, storeOf } from './sparse-crowd.ts';
import type { Filled } from './sparse-memory.ts';
import { storeBench } from './sparse-store.ts';
import { naiveOf, rapierOf, type Step } from './sparse-peers.ts';

/** Less than this is only to see that everything runs: sizes are small, and so is the worth of the figures. */
const IN_EARNEST = 1;

/** Movers against Rapier and the naive way, threads, the store against a Map with string keys, particles, durable frames. */
export const benchSparse: Bench = async function* ({ seconds }) {
  const isQuick = seconds < IN_EARNEST;
  for (const count of isQuick ? [200] : [10_000, 100_000]) yield* movers(count, seconds / 4);
  for (const count of isQuick ? [100] : [1000, 4000]) yield naive(count, seconds / 20);
  yield* threads(isQuick ? 200 : 100_000, seconds / 10);
  yield* store(isQuick ? 2000 : 1_000_000);
  if (!isQuick) yield await tenMillion();
  yield particles(isQuick ? 10_000 : 1_000_000, seconds / 20);
  if (!isQuick) yield* storeBench({ seconds: seconds / 5 });
};

const line = (
  bench: string,
  subject: string,
  value: number,
  unit: string,
  against: string | null = null,
  ratio: number | null = null,
): Measurement => ({
  bench,
  subject,
  against,
  ratio,
  value,
  unit,
});

/** Processor time: what others do on this machine counts less than with a clock. */
function processorTime(work: Step): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1]!;

/** Both engines take turns on the same crowd, a few steps each: long enough to have the caches to themselves, as in a game. */
async function* movers(count: number, seconds: number): AsyncGenerator<Measurement> {
  const crowd = makeCrowd(count);
  const { regions, stay } = regionsOf(storeOf(crowd), crowd, 1);
  const ours = (): void => {
    stay();
    regions.simulate();
  };
  const rapier = await rapierOf(crowd);
  const [mine, theirs]: [number[], number[]] = [[], []];
  // engines compile what is hot, and a crowd that has just started has not met yet
  for (let warm = 0; warm < 60; warm++) {
    ours();
    if (warm < 10) rapier.step();
  }
  const end = Date.now() + seconds * 1000;
  while (Date.now() < end || theirs.length < 5) {
    for (let turn = 0; turn < 12; turn++) mine.push(processorTime(ours));
    for (let turn = 0; turn < 3; turn++) theirs.push(processorTime(rapier.step));
  }
  const name = `rapier ${rapier.version}`;
  const bench = `sparse/${count} movers`;
  yield line(bench, 'lockstep', median(mine), 'ms/step', name, median(theirs) / median(mine));
  yield line(bench, 'lockstep, best step', Math.min(...mine), 'ms/step');
  yield line(bench, name, median(theirs), 'ms/step');
}

function naive(count: number, seconds: number): Measurement {
  const crowd = makeCrowd(count);
  const { regions, stay } = regionsOf(storeOf(crowd), crowd, 1);
  const step = naiveOf(crowd);
  const [mine, theirs]: [number[], number[]] = [[], []];
  const end = Date.now() + seconds * 1000;
  while (Date.now() < end || theirs.length < 5) {
    theirs.push(processorTime(step));
    mine.push(
      processorTime(() => {
        for (let i = 0; i < 10; i++) {
          stay();
          regions.simulate();
        }
      }) / 10,
    );
  }
  return line(`sparse/${count} movers`, 'naive O(n²)', median(theirs), 'ms/step', 'lockstep', median(mine) / median(theirs));
}

/** The same crowd in two regions: in this thread, in one other thread, in two. By the clock, so it tells also who else is using the machine. */
async function* threads(count: number, seconds: number): AsyncGenerator<Measurement> {
  const took: number[] = [];
  for (const hands of [0, 1, 2]) {
    const crowd = makeCrowd(count);
    const { regions, stay } = regionsOf(storeOf(crowd), crowd, 2, sharedMemory);
    const crew = hands === 0 ? null : new RegionThreads(regions, hands, startNodeThread);
    const steps: number[] = [];
    const end = Date.now() + (seconds * 1000) / 3;
    for (let step = 0; Date.now() < end || step < 30; step++) {
      stay();
      const start = performance.now();
      if (crew === null) regions.simulate();
      else await crew.simulate();
      if (step >= 15) steps.push(performance.now() - start);
    }
    await crew?.stop();
    took.push(Math.min(...steps));
  }
  const bench = `sparse/${count} movers in 2 regions`;
  yield line(bench, 'no threads, best step', took[0]!, 'ms/step');
  yield line(bench, '1 thread, best step', took[1]!, 'ms/step', 'no threads', took[0]! / took[1]!);
  yield line(bench, '2 threads, best step', took[2]!, 'ms/step', '1 thread', took[1]! / took[2]!);
}

/** A process for each, three times in turns: memory that another one has used is not there to be counted. */
async function* store(count: number): AsyncGenerator<Measurement> {
  const kinds = ['store', 'reserved', 'map'] as const;
  const runs: Record<(typeof kinds)[number], Filled[]> = { store: [], reserved: [], map: [] };
  for (let round = 0; round < 3; round++) for (const kind of kinds) runs[kind].push(await filled(kind, count));
  const least = (kind: (typeof kinds)[number], field: keyof Filled): number => Math.min(...runs[kind].map((run) => run[field]));
  const bench = `sparse/store of ${count}`;
  const map = 'a Map with string keys';
  for (const field of ['nanoseconds', 'bytes'] as const) {
    const unit = field === 'nanoseconds' ? 'ns/insert' : 'bytes/entity';
    yield line(bench, 'lockstep', least('store', field), unit, map, least('map', field) / least('store', field));
    yield line(
      bench,
      'lockstep, room made beforehand',
      least('reserved', field),
      unit,
      map,
      least('map', field) / least('reserved', field),
    );
    yield line(bench, map, least('map', field), unit);
  }
}

async function tenMillion(): Promise<Measurement> {
  const { rss } = await filled('store', 10_000_000);
  return line('sparse/store of 10000000', 'lockstep, the whole process', rss / 1e9, 'GB');
}

function filled(kind: string, count: number): Promise<Filled> {
  const program = fileURLToPath(new URL('./sparse-memory.js', import.meta.url));
  return new Promise((resolve, reject) => {
    const child = fork(program, [kind, String(count)], { execArgv: ['--max-old-space-size=8000'] });
    child.once('message', (answer) => resolve(answer as Filled));
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`the process that fills a ${kind} with ${count} entities ended with code ${code}`)));
  });
}

/** [SW-R39] The whole step: deposit, dispersion, motion, bounce, colours. */
function particles(count: number, seconds: number): Measurement {
  const crowd = new Particles({ ...DEFAULT_PARTICLES, capacity: count, cellsX: 256, cellsZ: 256 });
  spawnFountain(crowd, seedRng(3n), count);
  for (let i = 0; i < count; i++) {
    crowd.px[i]! += ((i % 1000) - 500) / 40;
    crowd.pz[i] = Math.floor(i / 1000) / 40;
    crowd.dColor[i * 4 + 3] = 0; // all live on
  }
  const took: number[] = [];
  const end = Date.now() + seconds * 1000;
  while (Date.now() < end || took.length < 10) took.push(processorTime(() => crowd.step(DT)));
  return line(`sparse/${count} particles`, 'lockstep', count / median(took) / 1000, 'M particles/s');
}
