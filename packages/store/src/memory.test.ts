import { MemoryChunkStore } from '@lockstep/sparse';
import { describe, it } from 'vitest';
import { box, claims, type Place } from './conformance.test-support.ts';

function memoryPlace(): Place {
  const store = Object.assign(new MemoryChunkStore(), { close: () => Promise.resolve() });
  return {
    open: () => Promise.resolve(store),
    async damage(x, y, z) {
      const [record] = await store.readRange(box(x, y, z, x, y, z));
      record!.blob![9]! ^= 16;
    },
  };
}

describe('memory', () => {
  for (const { name, check } of claims) it(name, () => check(memoryPlace()));
});
