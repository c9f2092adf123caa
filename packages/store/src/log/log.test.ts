import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { seedRng } from '@lockstep/kernel';
import { afterAll, describe, expect, it } from 'vitest';
import { box, claims, type Place } from '../conformance.test-support.ts';
import { openLog } from '../node/open-log.ts';
import { EVERYWHERE } from '../ranges.ts';
import { LogStore } from './log-store.ts';
import { SimulatedDisk } from './simulated-disk.test-support.ts';

const root = mkdtempSync(join(tmpdir(), 'lockstep-log-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let folders = 0;
const newFolder = (): string => join(root, `world ${folders++}`);

const logOf = (folder: string): string =>
  join(
    folder,
    readdirSync(folder).find((name) => name.endsWith('.log'))!,
  );

/** Flips a bit of the only place in the log where these bytes stand. */
function flip(folder: string, bytes: Uint8Array, offset: number): void {
  const log = readFileSync(logOf(folder));
  const at = log.indexOf(bytes);
  expect(log.indexOf(bytes, at + 1)).toBe(-1);
  log[at + offset]! ^= 16;
  writeFileSync(logOf(folder), log);
}

function logPlace(folder: string, compactEvery: boolean): Place {
  return {
    open: () => openLog(folder, compactEvery ? { compactAt: 0, compactAbove: 0 } : {}),
    async damage(x, y, z) {
      const store = await openLog(folder, { isReadOnly: true });
      const [record] = await store.readRange(box(x, y, z, x, y, z));
      await store.close();
      flip(folder, record!.blob!, 9);
    },
  };
}

describe('the log', () => {
  for (const { name, check } of claims) it(name, () => check(logPlace(newFolder(), false)));
});

describe('the log that is compacted after every frame', () => {
  for (const { name, check } of claims) it(name, () => check(logPlace(newFolder(), true)));
});

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);
const frameOf = (frame: number, ...xs: number[]) => ({
  frame,
  head: bytes(frame),
  chunks: xs.map((x) => ({ x, y: 0, z: 0, blob: new Uint8Array(40).fill(frame) })),
});

async function contents(store: LogStore): Promise<string[]> {
  const records = await store.readRange(EVERYWHERE);
  return records.map(({ x, blob, damage }) => `${x}:${damage === undefined ? blob![0] : 'damaged'}`).sort();
}

async function written(folder: string, ...frames: ReturnType<typeof frameOf>[]): Promise<void> {
  const store = await openLog(folder);
  for (const frame of frames) await store.commit(frame);
  await store.close();
}

describe('what a log does about accidents', () => {
  it('[SW-R10] a torn end is cut off and told; what was acknowledged before stays', async () => {
    const folder = newFolder();
    await written(folder, frameOf(1, 0, 1), frameOf(2, 1, 2));
    appendFileSync(logOf(folder), Buffer.from('SWF1 and then the light went out'));
    const size = statSync(logOf(folder)).size;
    const store = await openLog(folder);
    expect(store.repairs.cut).toEqual({ at: size - 32, bytes: 32 });
    expect(await contents(store)).toEqual(['0:1', '1:2', '2:2']);
    await store.commit(frameOf(3, 0));
    await store.close();
    const again = await openLog(folder);
    expect([again.repairs.cut, await contents(again)]).toEqual([null, ['0:3', '1:2', '2:2']]);
    await again.close();
  });

  it('[SW-R10] damage survives compaction as damage, and goes when the chunk is written anew', async () => {
    const folder = newFolder();
    await written(folder, frameOf(1, 0, 1), frameOf(2, 1, 2));
    flip(folder, new Uint8Array(80).fill(2), 45); // chunk 2 follows chunk 1
    const store = await openLog(folder);
    expect(await contents(store)).toEqual(['0:1', '1:2', '2:damaged']);
    await store.compact();
    expect(await contents(store)).toEqual(['0:1', '1:2', '2:damaged']);
    await store.commit(frameOf(3, 2));
    expect(await contents(store)).toEqual(['0:1', '1:2', '2:3']);
    await store.close();
  });

  it('[SW-R10] a frame of which neither list can be read is told, and what may be older than it is no longer trusted', async () => {
    const folder = newFolder();
    await written(folder, frameOf(1, 0, 1), frameOf(2, 1, 2), frameOf(3, 2));
    const log = readFileSync(logOf(folder));
    const body = log.indexOf(new Uint8Array(80).fill(2));
    for (const at of [body - 20, body + 80 + 20]) log[at]! ^= 1;
    writeFileSync(logOf(folder), log);
    const store = await openLog(folder);
    expect(store.repairs.lost).toMatchObject([{ frames: 1 }]);
    expect(await contents(store)).toEqual(['0:damaged', '1:damaged', '2:3']);
    expect(await store.readHead()).toEqual({ frame: 3, head: bytes(3) });
    await store.compact();
    expect(await contents(store)).toEqual(['0:damaged', '1:damaged', '2:3']);
    await store.close();
  });

  it('[SW-R10] one damaged list, front or back, or the header, is made good by the rest', async () => {
    const folder = newFolder();
    await written(folder, frameOf(1, 0, 1), frameOf(2, 1, 2), frameOf(3, 2));
    const whole = readFileSync(logOf(folder));
    const body = whole.indexOf(new Uint8Array(80).fill(2));
    for (const at of [3, body - 20, body + 80 + 20]) {
      const log = Buffer.from(whole);
      log[at]! ^= 1;
      writeFileSync(logOf(folder), log);
      const store = await openLog(folder);
      expect([store.repairs.isHeaderDamaged, store.repairs.lost, await contents(store)]).toEqual([at === 3, [], ['0:1', '1:2', '2:3']]);
      await store.close();
    }
  });

  it('commits go on while the log is compacted, and nothing of it is lost', async () => {
    const folder = newFolder();
    const store = await openLog(folder, { compactAt: Infinity });
    for (let frame = 1; frame <= 30; frame++) await store.commit(frameOf(frame, frame % 7));
    const before = store.size.file;
    const compacting = store.compact();
    const commits = Array.from({ length: 20 }, (_, i) => store.commit(frameOf(31 + i, 100 + i)));
    await compacting;
    await Promise.all(commits);
    const expected = await contents(store);
    expect([expected.length, store.size.generation, store.size.file < before + 20 * 400]).toEqual([27, 2, true]);
    await store.close();
    expect(readdirSync(folder)).toEqual(['world-00000002.log']);
    const again = await openLog(folder);
    expect([await contents(again), (await again.readHead())!.frame, again.repairs.cut]).toEqual([expected, 50, null]);
    await again.close();
  });

  it('compacts by itself when most of the file is dead', async () => {
    const folder = newFolder();
    const store = await openLog(folder, { compactAbove: 20_000 });
    for (let frame = 1; frame <= 500; frame++) await store.commit(frameOf(frame, 0, 1));
    await store.close();
    expect(store.size.generation).toBeGreaterThan(2);
    expect(statSync(logOf(folder)).size).toBeLessThan(25_000);
  });

  it('leftovers of a compaction that was interrupted go, before and after its renaming', async () => {
    const folder = newFolder();
    await written(folder, frameOf(1, 0, 1));
    writeFileSync(join(folder, 'world-00000002.log.new'), 'half');
    const store = await openLog(folder);
    await store.compact();
    await store.close();
    writeFileSync(join(folder, 'world-00000001.log'), 'old');
    const again = await openLog(folder);
    expect([await contents(again), readdirSync(folder).filter((name) => name.startsWith('world'))]).toEqual([
      ['0:1', '1:1'],
      ['world-00000002.log'],
    ]);
    await again.close();
  });

  it('opening and closing adds nothing', async () => {
    const folder = newFolder();
    await written(folder, frameOf(1, 0, 1));
    const { size } = statSync(logOf(folder));
    for (let i = 0; i < 3; i++) await written(folder);
    expect(statSync(logOf(folder)).size).toBe(size);
  });
});

describe('what a log does about its disk', () => {
  it('frames that wait share a write and a flush', async () => {
    const disk = new SimulatedDisk(seedRng(1n));
    const store = await LogStore.open(disk);
    const before = disk.flushes;
    await Promise.all(Array.from({ length: 40 }, (_, i) => store.commit(frameOf(i + 1, i))));
    expect(disk.flushes - before).toBeLessThanOrEqual(2);
    expect((await contents(store)).length).toBe(40);
  });

  it('[SW-R10] no room: the frame is refused and taken back, the store goes on when there is room again', async () => {
    const disk = new SimulatedDisk(seedRng(1n));
    const store = await LogStore.open(disk);
    await store.commit(frameOf(1, 0));
    const { file } = store.size;
    disk.room = file + 50;
    await expect(store.commit(frameOf(2, 0, 1))).rejects.toThrow('disk/world-00000001.log: expected room on the disk, got "ENOSPC"');
    await expect(store.compact()).rejects.toThrow('expected room on the disk');
    expect([store.size.file, await disk.list(), await contents(store)]).toEqual([file, ['world-00000001.log'], ['0:1']]);
    expect(await (await disk.open('world-00000001.log', false)).size()).toBe(file);
    disk.room = Infinity;
    await store.commit(frameOf(3, 1));
    await store.close();
    const again = await LogStore.open(disk);
    expect([await contents(again), again.repairs.cut]).toEqual([['0:1', '1:3'], null]);
  });

  it('[SW-R10] after a flush that failed nobody knows what is on the disk: nothing more is promised', async () => {
    const disk = new SimulatedDisk(seedRng(1n));
    const store = await LogStore.open(disk);
    await store.commit(frameOf(1, 0));
    disk.isFlushBroken = true;
    await expect(store.commit(frameOf(2, 0))).rejects.toThrow('expected a disk that works, got "i/o error"');
    disk.isFlushBroken = false;
    await expect(store.commit(frameOf(3, 0))).rejects.toThrow('expected a disk that works');
    await expect(store.compact()).rejects.toThrow('expected a disk that works');
    expect(await contents(store)).toEqual(['0:1']);
    await store.close();
  });

  it('[SW-R10] a sector that cannot be read costs the chunks in it, and no more', async () => {
    const disk = new SimulatedDisk(seedRng(1n));
    const store = await LogStore.open(disk);
    for (let frame = 1; frame <= 200; frame++) await store.commit(frameOf(frame, frame));
    await store.close();
    disk.badAt = 9000;
    const again = await LogStore.open(disk);
    const found = await contents(again);
    const damaged = found.filter((line) => line.endsWith('damaged')).length;
    // the frames of the sector are lost with their lists, so that what was written before them is not trusted
    expect([again.repairs.lost.length, found.includes('200:200'), damaged > 0 && damaged < 80]).toEqual([1, true, true]);
  });
});

describe('who is refused, in one line', () => {
  it('a folder of other things, another file, another version, a folder that is not there', async () => {
    const folder = newFolder();
    mkdirSync(folder);
    writeFileSync(join(folder, 'letter.txt'), 'Dear');
    await expect(openLog(folder)).rejects.toThrow(`${folder}: expected a folder with a world's log, or an empty one, got "letter.txt"`);
    const file = join(folder, 'world-00000001.log');
    writeFileSync(file, 'Dear Sir or Madam, this is no log at all.');
    await expect(openLog(folder)).rejects.toThrow(`${file}: expected a world's log, got "another file"`);
    const newer = newFolder();
    await written(newer, frameOf(1, 0));
    const log = readFileSync(logOf(newer));
    log.writeUInt32LE(2, 8);
    log.writeUInt32LE(crc(log.subarray(0, 12)), 12);
    writeFileSync(logOf(newer), log);
    await expect(openLog(newer)).rejects.toThrow(`${logOf(newer)}: expected a world's log of version 1, got "version 2"`);
    await expect(openLog(join(root, 'nowhere'), { mustExist: true })).rejects.toThrow('got "no such folder"');
    await expect(openLog(file)).rejects.toThrow('got "EEXIST"');
    expect(readdirSync(newer)).toEqual(['world-00000001.log']);
  });

  it('a second writer, until the first has closed', async () => {
    const folder = newFolder();
    const store = await openLog(folder);
    await expect(openLog(folder)).rejects.toThrow(
      `${folder}: expected a store that nobody writes, got "process ${process.pid} that has it open"`,
    );
    await store.close();
    await (await openLog(folder)).close();
  });

  it('of ten that come at once, all but one', async () => {
    const folder = newFolder();
    await written(folder);
    writeFileSync(join(folder, 'lock-7'), JSON.stringify({ pid: 1, began: 'never', boot: 'another', space: '', host: hostname() }));
    const opened = await Promise.allSettled(Array.from({ length: 10 }, () => openLog(folder)));
    const winners = opened.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    expect(winners).toHaveLength(1);
    await winners[0]!.close();
    expect(readdirSync(folder)).toEqual(['world-00000001.log']);
  });

  it('a lock of another machine, which one must remove oneself; one that is no lock', async () => {
    const folder = newFolder();
    await written(folder);
    writeFileSync(join(folder, 'lock-3'), JSON.stringify({ pid: 7, began: '1', boot: 'another', space: '', host: 'far-away' }));
    await expect(openLog(folder)).rejects.toThrow(
      `${folder}: expected a store that nobody writes (if the process is gone, remove lock-3), got "process 7 on far-away"`,
    );
    writeFileSync(join(folder, 'lock-3'), 'half a');
    await expect(openLog(folder)).rejects.toThrow(`${join(folder, 'lock-3')}: expected a lock, got "half a"`);
    rmSync(join(folder, 'lock-3'));
    await (await openLog(folder)).close();
  });

  it('commits after the end, chunk numbers that are none, commits to a store for reading', async () => {
    const folder = newFolder();
    const store = await openLog(folder);
    await expect(store.commit(frameOf(1, 2 ** 31))).rejects.toThrow('chunk.x: expected a whole number -2147483648..2147483647');
    await store.commit(frameOf(1, 0));
    await store.close();
    await expect(store.commit(frameOf(2, 0))).rejects.toThrow('expected an open store, got "a closed one"');
    const reader = await openLog(folder, { isReadOnly: true });
    await expect(reader.commit(frameOf(2, 0))).rejects.toThrow('expected a store that may be written');
    await reader.close();
    expect(existsSync(join(folder, 'lock-1'))).toBe(false);
  });
});

/** CRC-32, bit by bit. */
function crc(data: Uint8Array): number {
  let sum = 0xffff_ffff;
  for (const byte of data) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb8_8320 : sum >>> 1;
  }
  return ~sum >>> 0;
}
