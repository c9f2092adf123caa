import { readSeed, type WorldEvent } from '@lockstep/kernel';
import { ReplayWriter } from '@lockstep/replay';
import { Deed, sparse } from '@lockstep/sparse';
import type { Sheet } from './scribe.ts';

const { world } = sparse;

self.addEventListener('message', ({ data }: MessageEvent<Sheet>) => void write(data));

async function write({ config: raw, seed, rows }: Sheet): Promise<void> {
  const config = world.readConfig(raw);
  const writer = new ReplayWriter({ world, config, seed: readSeed(seed), bots: [{ name: 'person', kind: 'person', sha256: null }] });
  const state = world.create(config, readSeed(seed));
  for (let at = 0; at < rows.length && world.result(state) === null; at += 4) {
    const events: WorldEvent[] = [];
    const deed = Object.assign(new Deed(), { x: rows[at], y: rows[at + 1], sword: rows[at + 2] === 1, gone: rows[at + 3] === 1 });
    writer.note([deed]);
    world.step(state, [deed], events);
    writer.afterStep(state, events);
  }
  const bytes = new Uint8Array(await writer.finish(world.result(state), []));
  self.postMessage(bytes, { transfer: [bytes.buffer] });
}
