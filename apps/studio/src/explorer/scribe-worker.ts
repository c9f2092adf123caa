import { readSeed, type WorldEvent } from '@lockstep/kernel';
import { ReplayWriter } from '@lockstep/replay';
import { Deed, sparse } from '@lockstep/sparse';
import type { Sheet } from './scribe.ts';

const { world } = sparse;

self.addEventListener('message', ({ data }: MessageEvent<Sheet>) => void write(data));

async function write({ config: raw, seed, rows }: Sheet): Promise<void> {
  const config = world.readConfig(raw);
  const seats = Array.from({ length: world.seats(config) }, (_, seat) => seat);
  const bots = seats.map(() => ({ name: 'person', kind: 'person', sha256: null }) as const);
  const writer = new ReplayWriter({ world, config, seed: readSeed(seed), bots });
  const state = world.create(config, readSeed(seed));
  const deedAt = (at: number): Deed =>
    Object.assign(new Deed(), { x: rows[at], y: rows[at + 1], sword: rows[at + 2] === 1, gone: rows[at + 3] === 1 });
  for (let at = 0; at < rows.length && world.result(state) === null; at += 4 * seats.length) {
    const events: WorldEvent[] = [];
    const deeds = seats.map((seat) => deedAt(at + 4 * seat));
    writer.note(deeds);
    world.step(state, deeds, events);
    writer.afterStep(state, events);
  }
  const bytes = new Uint8Array(await writer.finish(world.result(state), []));
  self.postMessage(bytes, { transfer: [bytes.buffer] });
}
