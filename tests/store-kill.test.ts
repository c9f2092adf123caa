import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nextInt, seedRng } from '@lockstep/kernel';
import { blobToChunk, DEFAULT_RULES, Save, Store } from '@lockstep/sparse';
import { openLog } from '@lockstep/store';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Server, startServer, whyNoServer } from '@lockstep/store/postgres';

const CHILD = fileURLToPath(new URL('store-child.mjs', import.meta.url));
const PART_CHILD = fileURLToPath(new URL('store-part-child.mjs', import.meta.url));
const IS_LONG = process.env['LOCKSTEP_LONG'] === '1';
const KILLS = IS_LONG ? 1000 : 100;
const PART_KILLS = IS_LONG ? 100 : 8;
/** So many processes share the work; each has a world of its own. */
const LANES = 4;
const WORLD = { minX: 0, minY: 0, minZ: 0, maxX: 5, maxY: 5, maxZ: 0 };

const root = mkdtempSync(join(tmpdir(), 'lockstep-kill-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Runs a child and kills it so many milliseconds after it was started, or after its first frame. The answer is what it told to be safe. */
function runAndKill(script: string, args: readonly string[], milliseconds: number, fromStart: boolean): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
    const kill = (): void => void setTimeout(() => child.kill('SIGKILL'), milliseconds);
    let told = '';
    if (fromStart) kill();
    else child.stdout.once('data', kill);
    child.stdout.on('data', (chunk: Buffer) => (told += chunk.toString()));
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (signal === 'SIGKILL' || code === 3) resolve(told.split('\n').slice(0, -1));
      else reject(new Error(`the child ended by itself with ${code}`));
    });
  });
}

interface Tally {
  kills: number;
  frames: number;
  torn: number;
  compacting: number;
}

async function lane(number: number, tally: Tally): Promise<void> {
  const folder = join(root, `lane ${number}`);
  const rng = seedRng(BigInt(1000 + number));
  let acknowledged = '0 ';
  for (let kill = number; kill < KILLS; kill += LANES) {
    const fromStart = kill >= LANES && nextInt(rng, 4) === 0;
    const told = await runAndKill(CHILD, ['log', folder, String(kill)], nextInt(rng, fromStart ? 150 : 40), fromStart);
    if (readdirSync(folder).some((name) => name.endsWith('.new'))) tally.compacting++;
    acknowledged = told.at(-1) ?? acknowledged;
    await check(`kill ${kill}`, folder, acknowledged, tally);
    tally.kills++;
    tally.frames += told.length;
  }
}

async function check(what: string, folder: string, acknowledged: string, tally: Tally): Promise<void> {
  const log = await openLog(folder);
  const save = new Save(new Store(DEFAULT_RULES), log);
  const opened = (await save.open())!;
  await save.require(WORLD);
  const [frame, sums] = acknowledged.split(' ');
  const stored = new TextDecoder().decode(opened.own);
  // zero acknowledged frames lost, zero torn chunks
  expect([what, opened.frame >= Number(frame), save.damaged, log.repairs.lost]).toEqual([what, true, [], []]);
  if (opened.frame === Number(frame)) expect([what, stored]).toEqual([what, sums]);
  // the world is that of the frame, and no entity is lost or stands in two chunks
  expect([what, sumOf(save.store)]).toEqual([what, stored]);
  const ids: number[] = [];
  for (const { blob } of await log.readRange(WORLD)) {
    const one = new Store(DEFAULT_RULES);
    blobToChunk(one, blob!);
    ids.push(...one.id.filter((id) => id !== 0));
  }
  expect([what, ids.length, new Set(ids).size]).toEqual([what, 200, 200]);
  if (log.repairs.cut !== null) tally.torn++;
  await log.close();
}

function sumOf(store: Store): string {
  let sum = 0;
  for (let row = 0; row < store.rowEnd; row++) {
    if (store.id[row] === 0) continue;
    const part =
      Math.imul(store.id[row]!, 0x9e3779b1) ^ Math.imul(store.chunkXOf(row) * 64 + store.chunkYOf(row), 0x85ebca77) ^ (store.x[row]! * 128);
    sum = (sum + Math.imul(part, 0xc2b2ae3d)) >>> 0;
  }
  return `${store.count}:${sum}`;
}

/** Runs the child where files may not grow beyond so many blocks of 512 bytes. */
function runOnFullDisk(folder: string, blocks: number): Promise<{ told: string[]; complaint: string }> {
  return new Promise((resolve, reject) => {
    const line = `ulimit -f ${blocks}; exec "$0" "$@"`;
    const child = spawn('sh', ['-c', line, process.execPath, CHILD, 'log', folder, '1'], { stdio: ['ignore', 'pipe', 'pipe'] });
    let [told, complaint] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => (told += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()));
    child.on('error', reject);
    child.on('close', () => resolve({ told: told.split('\n').slice(0, -1), complaint }));
  });
}

describe.skipIf(process.platform === 'win32')('a full disk', () => {
  it('[SW-R10] is told in one line, and every frame before it is there', async () => {
    const folder = join(root, 'full');
    for (const blocks of [60, 61, 80]) {
      const { told, complaint } = await runOnFullDisk(folder, blocks);
      expect(complaint).toMatch(/InputError: .*world-0*1\.log: expected room on the disk, got "EFBIG"/);
      const tally: Tally = { kills: 0, frames: 0, torn: 0, compacting: 0 };
      await check(`${blocks} blocks`, folder, told.at(-1) ?? '0 ', tally);
      expect(tally.torn).toBe(0); // what did not fit was taken back at once
    }
  });
});

describe('kill -9', () => {
  it(
    `[SW-R10] ${KILLS} times at random moments: no acknowledged frame lost, no torn chunk, no entity twice`,
    async () => {
      const tally: Tally = { kills: 0, frames: 0, torn: 0, compacting: 0 };
      await Promise.all(Array.from({ length: LANES }, (_, i) => lane(i, tally)));
      console.log(
        `${tally.kills} kills, ${tally.frames} frames acknowledged, ${tally.torn} torn ends, ${tally.compacting} while the log was compacted`,
      );
      expect(tally.kills).toBe(KILLS);
      expect(tally.frames).toBeGreaterThan(KILLS);
    },
    20 * 60_000,
  );
});

describe.skipIf(whyNoServer !== '')('kill -9 of two processes on one world in PostgreSQL', () => {
  let server: Server;
  beforeAll(async () => {
    server = await startServer();
  }, 120_000);
  afterAll(() => server?.stop(), 120_000);

  it(
    `[SW-E33] ${PART_KILLS} times each, with leases taken over: no acknowledged frame lost, nobody lost or doubled on the way between them`,
    async () => {
      const world = 'halves';
      const host = server.connection.host!;
      const acknowledged = new Map<string, number>();
      const half = async (part: string, seed: bigint): Promise<void> => {
        const rng = seedRng(seed);
        for (let kill = 0; kill < PART_KILLS; kill++) {
          const told = await runAndKill(PART_CHILD, [host, world, part, String(seed * 1000n + BigInt(kill))], nextInt(rng, 150), false);
          acknowledged.set(part, Math.max(acknowledged.get(part) ?? 0, Number(told.at(-1) ?? 0)));
        }
      };
      await Promise.all([half('west', 1n), half('east', 2n)]);
      for (const { lease, frame } of await server.ask('select lease, frame from lockstep.head'))
        expect([lease, Number(frame), 'lost', Math.max(0, acknowledged.get(String(lease))! - Number(frame))]).toEqual([
          lease,
          Number(frame),
          'lost',
          0,
        ]);
      const rows = await server.ask('select blob from lockstep.chunk union all select blob from lockstep.handed');
      const [crossed] = await server.ask('select last_value::float8 as count from lockstep.handed_id_seq');
      const ids = rows.flatMap(({ blob }) => {
        const one = new Store(DEFAULT_RULES);
        blobToChunk(one, new Uint8Array(blob as Buffer));
        return [...one.id].filter((id) => id !== 0);
      });
      const frames = [...acknowledged.values()].reduce((sum, frame) => sum + frame, 0);
      console.log(`${PART_KILLS * 2} kills, ${frames} frames acknowledged, ${Number(crossed!['count'])} chunks of entities handed over`);
      expect(crossed!['count']).toBeGreaterThan(PART_KILLS);
      expect([ids.length, new Set(ids).size]).toEqual([100, 100]);
    },
    20 * 60_000,
  );
});
