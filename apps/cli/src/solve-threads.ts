import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { solvers } from '@lockstep/catalog/solvers';
import type { Crew, Outcome, Question, WorldSolver } from '@lockstep/solve';

/** The same file is the thread's program. */
if (!isMainThread && isWork(workerData)) serve(workerData.lockstepSolve);

interface Work {
  readonly lockstepSolve: { readonly world: string; readonly question: Question };
}
/** Nodes that were used up since the last time, or the outcome. */
type Word = { readonly nodes: number } | { readonly outcome: Outcome };

const TELL_EVERY = 500_000;

function isWork(data: unknown): data is Work {
  return typeof data === 'object' && data !== null && 'lockstepSolve' in data;
}

function serve({ world, question }: Work['lockstepSolve']): void {
  const run = findSolver(world)!.worker(question);
  const port = parentPort!;
  let untold = 0;
  const tell = (nodes: number): void => {
    untold += nodes;
    if (untold < TELL_EVERY) return;
    port.postMessage({ nodes: untold } satisfies Word);
    untold = 0;
  };
  port.on('message', (job: unknown) => port.postMessage({ outcome: run(job, tell) } satisfies Word));
}

export function findSolver(world: string): WorldSolver | undefined {
  return solvers.find((solver) => solver.world === world);
}

/** Threads that do the jobs of one question, each one job at a time. */
export class Threads implements Crew<unknown, Outcome> {
  /** Used up so far, by jobs under way, too. */
  nodes = 0;
  private readonly workers: readonly Worker[];
  private readonly idle: Worker[];

  constructor(world: string, question: Question, count: number) {
    const data: Work = { lockstepSolve: { world, question } };
    this.workers = Array.from({ length: count }, () => new Worker(new URL(import.meta.url), { workerData: data }));
    this.idle = [...this.workers];
  }

  get hands(): number {
    return this.workers.length;
  }

  run(job: unknown): Promise<Outcome> {
    const worker = this.idle.pop();
    if (worker === undefined) throw new Error('solve: more jobs than threads');
    let told = 0;
    return new Promise((resolve, reject) => {
      const listen = (word: Word): void => {
        if ('nodes' in word) {
          told += word.nodes;
          this.nodes += word.nodes;
          return;
        }
        this.nodes += word.outcome.nodes - told;
        worker.off('message', listen);
        worker.off('error', reject);
        this.idle.push(worker);
        resolve(word.outcome);
      };
      worker.on('message', listen);
      worker.on('error', reject);
      worker.postMessage(job, []);
    });
  }

  async stop(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.terminate()));
  }
}
