import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nextInt, seedRng } from '@lockstep/kernel';
import { blobToChunk, DEFAULT_RULES, Save, Store } from '@lockstep/sparse';
import { openLog } from '@lockstep/store';
import { afterAll, describe, expect, it } from 'vitest';

const CHILD = fileURLToPath(new URL('store-child.mjs', import.meta.url));
const KILLS = process.env['LOCKSTEP_LONG'] === '1' ? 1000 : 100;
/** So many processes share the work; each has a world of its own. */
const LANES = 4;
const WORLD = { minX: 0, minY: 0, minZ: 0, maxX: 5, maxY: 5, maxZ: 0 };

const root = mkdtempSync(join(tmpdir(), 'lockstep-kill-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Runs the child and kills it so many milliseconds after it was started, or after its first frame. The answer is what it told to be safe. */
function runAndKill(args: readonly string[], milliseconds: number, fromStart: boolean): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [CHILD, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
    const kill = (): void => void setTimeout(() => child.kill('SIGKILL'), milliseconds);
    let told = '';
    if (fromStart) kill();
    else child.stdout.once('data', kill);
    child.stdout.on('data', (chunk: Buffer) => (told += chunk.toString()));
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (signal === 'SIGKILL') resolve(told.split('\n').slice(0, -1));
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
    const told = await runAndKill(['log', folder, String(kill)], nextInt(rng, fromStart ? 150 : 40), fromStart);
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
      Math.imul(store.id[row]!, 0x9e3779b1) ^ Math.imul(store.chunkX[row]! * 64 + store.chunkY[row]!, 0x85ebca77) ^ (store.x[row]! * 128);
    sum = (sum + Math.imul(part, 0xc2b2ae3d)) >>> 0;
  }
  return `${store.count}:${sum}`;
}

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
