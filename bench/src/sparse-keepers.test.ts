import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { whyNoServer } from '@lockstep/store/postgres';
import { afterAll, expect, it } from 'vitest';
import { keepers } from './sparse-keepers.ts';

const folder = mkdtempSync(join(tmpdir(), 'lockstep-keepers-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('everybody that the benchmark compares is there and takes frames', async () => {
  const all = await keepers(folder);
  const others = whyNoServer === '' ? ['LMDB', 'LevelDB', 'PostgreSQL', 'a file a chunk'] : ['LMDB', 'LevelDB', 'a file a chunk'];
  expect(all.map(({ name }) => name)).toEqual(['log', ...others]);
  const chunks = [1, 2, 3].map((x) => ({ x, y: 0, z: 0, blob: Uint8Array.of(x) }));
  for (const { commit } of all) for (const frame of [1, 2]) await commit(frame, chunks);
  for (const keeper of all) await keeper.close();
});
