import { parentPort } from 'node:worker_threads';
import { type Order, serve } from './portable/index.ts';

const port = parentPort!;
const take = serve((answer) =>
  port.postMessage(
    answer,
    answer.events.map(([, events]) => events.buffer as ArrayBuffer),
  ),
);
port.on('message', (order: Order) => take(order));
