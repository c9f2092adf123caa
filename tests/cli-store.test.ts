import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openLog } from '@lockstep/store';
import { describe, expect, it } from 'vitest';
import { jsonLines, workshop } from './cli-run.ts';

const { folder, lockstep } = workshop();
const blobOf = (value: number): Uint8Array => new Uint8Array(60).fill(value);

/** A world of three chunks, one of them written often. */
async function world(name: string): Promise<string> {
  const path = join(folder, name);
  const log = await openLog(path);
  for (let frame = 1; frame <= 20; frame++) {
    const chunks = [0, frame < 3 ? frame : 0].map((x) => ({ x, y: -7, z: 2_000_000_000, blob: blobOf(frame * 2 + x) }));
    await log.commit({ frame, head: Uint8Array.of(frame), chunks: frame < 3 ? chunks : chunks.slice(1) });
  }
  await log.close();
  return path;
}

function flip(path: string, bytes: Uint8Array): void {
  const file = join(path, readdirSync(path)[0]!);
  const log = readFileSync(file);
  log[log.indexOf(bytes) + 5]! ^= 2;
  writeFileSync(file, log);
}

describe('lockstep store', () => {
  it('info tells what is in a world, and changes nothing', async () => {
    const path = await world('one');
    const before = readFileSync(join(path, 'world-00000001.log'));
    const { code, out } = await lockstep('store', 'info', 'one');
    expect([code, out.split('\n')[0]]).toEqual([0, 'world-00000001.log: frame 20, 3 chunks']);
    const [facts] = jsonLines((await lockstep('store', 'info', 'one', '--json')).out);
    expect(facts).toMatchObject({ kind: 'store', generation: 1, frame: 20, chunks: 3, alive: 180, bytes: before.length });
    expect(readFileSync(join(path, 'world-00000001.log'))).toEqual(before);
    expect(readdirSync(path)).toEqual(['world-00000001.log']);
  });

  it('[SW-R10] check finds the damaged chunk and no other; compact keeps it as it is', async () => {
    const path = await world('two');
    expect(await lockstep('store', 'check', 'two')).toEqual({ code: 0, out: '3 chunks, all sound\n', err: '' });
    flip(path, blobOf(6)); // of chunk 2
    const found = await lockstep('store', 'check', 'two');
    expect([found.code, found.out.replace(/CRC.*/, 'CRC …')]).toEqual([1, 'chunk 2,-7,2000000000: damaged, CRC …\n3 chunks, 1 damaged\n']);
    const { code, out } = await lockstep('store', 'compact', 'two', '--json');
    const [sizes] = jsonLines(out);
    expect([code, Number(sizes!['after']) < Number(sizes!['before'])]).toEqual([0, true]);
    const [again] = jsonLines((await lockstep('store', 'check', 'two', '--json')).out);
    expect(again).toMatchObject({ sound: false, chunks: 3, damaged: [{ x: 2, y: -7, z: 2_000_000_000 }] });
  });

  it('a torn end is told by info and check, and cut by the next writer', async () => {
    const path = await world('three');
    writeFileSync(join(path, 'world-00000001.log'), Buffer.alloc(17, 1), { flag: 'a' });
    const told = /the last 17 bytes, from \d+ on, are no whole frame/;
    const { code, out } = await lockstep('store', 'check', 'three');
    expect([code, told.test(out)]).toEqual([0, true]);
    expect((await lockstep('store', 'compact', 'three')).out).toMatch(told);
    expect((await lockstep('store', 'info', 'three')).out).not.toMatch(told);
  });

  it('refuses in one line: no folder, an empty one, other files, a world that is open', async () => {
    const path = await world('four');
    expect(await lockstep('store', 'info', 'nowhere')).toEqual({
      code: 2,
      out: '',
      err: 'lockstep: nowhere: expected a folder with a world\'s log, got "no such folder"\n',
    });
    expect(readdirSync(folder)).not.toContain('nowhere');
    expect((await lockstep('store', 'check', '.')).err).toMatch(
      /^lockstep: \.: expected a folder with a world's log, or an empty one, got "/,
    );
    const log = await openLog(path);
    const busy = await lockstep('store', 'compact', 'four');
    expect([busy.code, busy.err]).toEqual([
      2,
      `lockstep: four: expected a store that nobody writes, got "process ${process.pid} that has it open"\n`,
    ]);
    await log.close();
  });

  it.skipIf(process.platform !== 'linux')('a folder that nobody may write, not even the first user: one line', async () => {
    const { code, err } = await lockstep('store', 'info', '/proc/self');
    expect([code, err]).toEqual([2, 'lockstep: /proc/self: expected a folder that may be written, got "ENOENT"\n']);
  });
});
