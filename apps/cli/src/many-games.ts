import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { InputError, type Seed } from '@lockstep/kernel';
import { type GamePlan, type GameReport, Table, WorldStopped } from './game.ts';

/** The same file is the thread's program. */
if (!isMainThread && isWork(workerData)) await serve(workerData.lockstepGames);

interface Work {
  readonly lockstepGames: GamePlan;
}
type Answer = { readonly report: GameReport } | { readonly wrong: string; readonly kind: 'input' | 'stopped' | 'other' };

function isWork(data: unknown): data is Work {
  return typeof data === 'object' && data !== null && 'lockstepGames' in data;
}

async function serve(plan: GamePlan): Promise<void> {
  const table = await Table.open(plan);
  const port = parentPort!;
  port.on('message', (seed: Seed) => {
    void answer(table, seed).then((message) => port.postMessage(message));
  });
}

async function answer(table: Table, seed: Seed): Promise<Answer> {
  try {
    return { report: await table.play(seed) };
  } catch (error) {
    const kind = error instanceof InputError ? 'input' : error instanceof WorldStopped ? 'stopped' : 'other';
    return { wrong: error instanceof Error ? (kind === 'other' ? (error.stack ?? error.message) : error.message) : String(error), kind };
  }
}

/** Plays many games over threads. Reports come in the order of the seeds, whoever is ready first. */
export async function playMany(
  plan: GamePlan,
  seeds: readonly Seed[],
  threads: number,
  onReport: (report: GameReport) => void,
  signal: AbortSignal,
): Promise<void> {
  const workers = Array.from(
    { length: Math.min(threads, seeds.length) },
    () => new Worker(new URL(import.meta.url), { workerData: { lockstepGames: plan } }),
  );
  const ready = new Map<number, GameReport>();
  let next = 0;
  let told = 0;
  const take = (index: number, report: GameReport): void => {
    ready.set(index, report);
    for (let due = ready.get(told); due !== undefined; due = ready.get(told)) {
      ready.delete(told++);
      onReport(due);
    }
  };
  const work = (worker: Worker): Promise<void> =>
    new Promise((resolve, reject) => {
      let playing = -1;
      const go = (): void => {
        if (next >= seeds.length || signal.aborted) return resolve();
        playing = next++;
        worker.postMessage(seeds[playing], []);
      };
      worker.on('message', (message: Answer) => {
        if ('wrong' in message) return reject(errorOf(message));
        take(playing, message.report);
        go();
      });
      worker.on('error', reject);
      worker.on('exit', () => reject(new InputError('bots', 'bots that leave their thread alone', 'one that ended it')));
      go();
    });
  const stopped = new Promise((resolve) => signal.addEventListener('abort', resolve));
  try {
    await Promise.race([Promise.all(workers.map(work)), stopped]);
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}

function errorOf({ wrong, kind }: Extract<Answer, { wrong: string }>): Error {
  if (kind === 'stopped') return new WorldStopped(wrong);
  const error = kind === 'input' ? new InputError('', '', '') : new Error(wrong);
  error.message = wrong;
  return error;
}
