import { codeball } from '@lockstep/codeball';
import { parentPort, workerData } from 'node:worker_threads';
import { recordStream } from './codeball.ts';

/** Re-plays one recorded game over and over for a while; answers with ticks a second. */
const { preset, seconds } = workerData as { preset: string; seconds: number };
const { world } = codeball;
const { config, actions } = recordStream(preset, ['captain', 'quickstart'], 'counter', 600);
let ticks = 0;
const start = process.hrtime.bigint();
const elapsed = () => Number(process.hrtime.bigint() - start) / 1e9;
while (elapsed() < seconds) {
  const state = world.create(config, 538460243868820754n);
  for (const now of actions) world.step(state, now, []);
  ticks += actions.length;
}
parentPort!.postMessage(ticks / elapsed());
