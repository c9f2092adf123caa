import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nextInt, seedRng, uniform } from '@lockstep/kernel';
import { bradleyTerry, compare, type GameLine, shareAt } from '@lockstep/league';
import type { Bench, Measurement } from './measurement.ts';

const BIN = fileURLToPath(new URL(import.meta.url.includes('/dist/') ? '../../../apps/cli/bin/lockstep.mjs' : '../../apps/cli/bin/lockstep.mjs', import.meta.url)); // prettier-ignore
const GAMES = 200;
const TICKS = 3000;
const BOTS = 60;
const RATED_GAMES = 25_000;
/** The whole of it takes about so long on two cores; with less time, fewer games are played. */
const WHOLE_SECONDS = 20;

/** The command that people use, over threads: how it scales, what it costs between games; and ratings from many results. */
export const benchLeague: Bench = async function* ({ seconds }) {
  const games = Math.max(4, 2 * Math.round((GAMES / 2) * Math.min(1, seconds / WHOLE_SECONDS)));
  const most = availableParallelism();
  const one = await test(games, 1);
  yield line(`league/${games} games/1 thread`, one.gamesPerSecond, 'games/s');
  yield line(`league/${games} games/1 thread`, one.waiting * 100, '% between games');
  for (let threads = 2; threads <= most; threads *= 2) {
    const many = await test(games, threads);
    const ratio = many.gamesPerSecond / one.gamesPerSecond;
    yield { ...line(`league/${games} games/${threads} threads`, many.gamesPerSecond, 'games/s'), against: '1 thread', ratio };
    yield line(`league/${games} games/${threads} threads`, ratio / threads, 'of a core each');
    yield line(`league/${games} games/${threads} threads`, many.waiting * 100, '% between games');
  }
  yield line(`league/Bradley-Terry of ${BOTS} bots, ${RATED_GAMES} games`, ratingSeconds(), 's');
};

function line(bench: string, value: number, unit: string): Measurement {
  return { bench, subject: 'product', against: null, ratio: null, value, unit };
}

interface Speed {
  readonly gamesPerSecond: number;
  readonly waiting: number;
}

function test(games: number, threads: number): Promise<Speed> {
  const folder = mkdtempSync(join(tmpdir(), 'lockstep-bench-'));
  const args = ['test', 'captain', '--vs', 'quickstart', '--world', 'codeball', '--games', String(games), '--ticks', String(TICKS), '--seed', '1', '-j', String(threads), '--no-replays', '--json', '--out', join(folder, 'run')]; // prettier-ignore
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [BIN, ...args], { maxBuffer: 1e9 }, (error, out) => {
      rmSync(folder, { recursive: true, force: true });
      if (error !== null) reject(error);
      else resolve(JSON.parse(out.trimEnd().split('\n').at(-1)!) as Speed);
    });
  });
}

function ratingSeconds(): number {
  const rng = seedRng(1n);
  const games = Array.from({ length: RATED_GAMES }, (_, i) => {
    const a = nextInt(rng, BOTS);
    const b = (a + 1 + nextInt(rng, BOTS - 1)) % BOTS;
    return result(String(i), a, b, uniform(rng, 0, 1) < shareAt(10 * (a - b)) ? [1, 2] : [2, 1]);
  });
  const started = performance.now();
  const ratings = bradleyTerry(compare(games));
  if (ratings.length !== BOTS) throw new Error(`league: ${ratings.length} ratings of ${BOTS}`);
  return (performance.now() - started) / 1000;
}

function result(id: string, a: number, b: number, ranks: number[]): GameLine {
  const bots = [a, b].map((bot) => ({ name: `bot${bot}`, sha256: null }));
  return { id, world: 'any', rules: null, rulesVersion: 1, seed: 1n, bots, seats: [0, 1], ranks, scores: ranks.map((rank) => 2 - rank), faults: [], ticks: 1, hash: '0', replay: null }; // prettier-ignore
}
