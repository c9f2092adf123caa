import { Worker } from 'node:worker_threads';
import type { Answer, StartThread } from './portable/index.ts';

/** A thread of Node. */
export const startNodeThread: StartThread = (heard, ended) => {
  // its program is what was built, whatever flags this process runs with
  const worker = new Worker(new URL('./node-program.js', import.meta.url), { execArgv: [] });
  let isStopped = false;
  worker.on('message', (answer: Answer) => heard(answer));
  worker.on('error', (error) => ended(error instanceof Error ? error.message : String(error)));
  worker.on('exit', (code) => {
    if (!isStopped) ended(`exit code ${code}`);
  });
  return {
    post: (order) => worker.postMessage(order),
    stop: async () => {
      isStopped = true;
      await worker.terminate();
    },
  };
};
