import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { InputError, type Seed } from '@lockstep/kernel';
import { type GamePlan, type GameReport, Table, WorldStopped } from './game.ts';

/** One game: who plays what, and where its replay goes. */
export interface Job {
  readonly plan: GamePlan;
  readonly seed: Seed;
}

type Answer =
  | { readonly report: GameReport; readonly waitedMs: number }
  | { readonly wrong: string; readonly kind: 'input' | 'stopped' | 'other' };

/** The same file is the thread's program. */
if (!isMainThread && (workerData as { lockstepPool?: true } | null)?.lockstepPool === true) serve();

function serve(): void {
  const tables = new Map<string, Promise<Table>>();
  const port = parentPort!;
  let answered = NaN;
  const play = async (job: Job, waitedMs: number): Promise<void> => {
    port.postMessage(await answer(tables, job, waitedMs));
    answered = performance.now();
  };
  port.on('message', (job: Job) => {
    const waitedMs = Number.isNaN(answered) ? 0 : performance.now() - answered;
    void play(job, waitedMs);
  });
}

/** Bots are found, built and loaded once a thread. */
async function answer(tables: Map<string, Promise<Table>>, { plan, seed }: Job, waitedMs: number): Promise<Answer> {
  try {
    const key = JSON.stringify({ ...plan, record: null });
    const table = tables.get(key) ?? Table.open({ ...plan, record: null });
    tables.set(key, table);
    return { report: await (await table).play(seed, undefined, plan.record), waitedMs };
  } catch (error) {
    const kind = error instanceof InputError ? 'input' : error instanceof WorldStopped ? 'stopped' : 'other';
    return { wrong: error instanceof Error ? (kind === 'other' ? (error.stack ?? error.message) : error.message) : String(error), kind };
  }
}

/** Threads that play games, each any game of any plan. */
export class GamePool {
  readonly size: number;
  /** Of all threads: playing, and between a game and the next. */
  playedMs = 0;
  waitedMs = 0;
  private readonly idle: Worker[] = [];
  private readonly all = new Set<Worker>();
  private readonly waiting: ((worker: Worker) => void)[] = [];

  constructor(size: number) {
    this.size = size;
  }

  async play(job: Job): Promise<GameReport> {
    const worker = await this.take();
    try {
      const message = await ask(worker, job);
      if ('wrong' in message) throw errorOf(message);
      this.playedMs += message.report.seconds * 1000;
      this.waitedMs += message.waitedMs;
      return message.report;
    } finally {
      this.give(worker);
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.all].map((worker) => worker.terminate()));
  }

  private take(): Promise<Worker> | Worker {
    const free = this.idle.pop();
    if (free !== undefined) return free;
    if (this.all.size >= this.size) return new Promise((resolve) => this.waiting.push(resolve));
    const worker = new Worker(new URL(import.meta.url), { workerData: { lockstepPool: true } });
    this.all.add(worker);
    return worker;
  }

  private give(worker: Worker): void {
    const next = this.waiting.shift();
    if (next === undefined) this.idle.push(worker);
    else next(worker);
  }
}

function ask(worker: Worker, job: Job): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const onMessage = (message: Answer): void => settle(() => resolve(message));
    const onError = (error: Error): void => settle(() => reject(error));
    const onExit = (): void => onError(new InputError('bots', 'bots that leave their thread alone', 'one that ended it'));
    const settle = (done: () => void): void => {
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
      done();
    };
    worker.on('message', onMessage).on('error', onError).on('exit', onExit);
    worker.postMessage(job, []);
  });
}

function errorOf({ wrong, kind }: Extract<Answer, { wrong: string }>): Error {
  if (kind === 'stopped') return new WorldStopped(wrong);
  const error = kind === 'input' ? new InputError('', '', '') : new Error(wrong);
  error.message = wrong;
  return error;
}
