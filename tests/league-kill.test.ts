import { spawn } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { nextInt, seedRng } from '@lockstep/kernel';
import { describe, expect, it } from 'vitest';
import { BIN, jsonLines, workshop } from './cli-run.ts';

const { folder, lockstep } = workshop();
const KILLS = 50;

describe('a run that is killed again and again', () => {
  it(`kill -9 at ${KILLS} random moments: nothing lost, nothing played twice, the same cup in the end`, { timeout: 600_000 }, async () => {
    const bots = ['quickstart', 'chaser', 'idle', 'captain', 'quickstart'].map((bot, i) => `[[bots]]\nname = "p${i}"\nbot = "${bot}"`);
    writeFileSync(
      join(folder, 'cup.toml'),
      `world = "codeball"\nformat = "swiss"\nturns = 4\nrounds = 20\nticks = 60\nseed = 11\n${bots.join('\n')}\n`,
    );
    const journal = join(folder, 'killed', 'journal.ndjson');
    const rng = seedRng(BigInt(process.env['LOCKSTEP_FUZZ_SEED'] ?? 1));
    const lines = (): string[] => (existsSync(journal) ? readFileSync(journal, 'utf8').split('\n').slice(0, -1) : []);
    let kept: string[] = [];
    for (let kill = 0; kill < KILLS; kill++) {
      const args = existsSync(journal) ? ['cup', 'resume', 'killed'] : ['cup', 'run', 'cup.toml', '--out', 'killed'];
      const child = spawn(process.execPath, [BIN, ...args, '-j', String(1 + (kill % 2))], { cwd: folder, stdio: 'ignore' });
      const exited = new Promise((resolve) => child.on('exit', resolve));
      const before = existsSync(journal) ? statSync(journal).size : 0;
      const grown = (): boolean => child.exitCode !== null || (existsSync(journal) && statSync(journal).size > before);
      while (!grown()) await pause(5);
      await pause(nextInt(rng, 12)); // a game takes about as long: 50 times this is far from the end of the cup
      child.kill('SIGKILL');
      await exited;
      expect(child.exitCode, 'it was killed, not refused').toBeNull();
      const now = lines();
      expect(now.slice(0, kept.length), 'what was noted stays noted').toEqual(kept);
      kept = now;
    }
    const { code } = await lockstep('cup', 'resume', 'killed');
    expect(code).toBe(0);
    await lockstep('cup', 'run', 'cup.toml', '--out', 'whole');
    const results = (run: string): Record<string, unknown> => {
      const games = jsonLines(readFileSync(join(folder, run, 'journal.ndjson'), 'utf8')).slice(1);
      const byId = Object.fromEntries(games.map((game) => [game['id'], game]));
      expect(Object.keys(byId), 'no game twice').toHaveLength(games.length);
      return byId;
    };
    expect(results('killed')).toEqual(results('whole'));
    expect((await lockstep('verify', 'killed', '--sample', '40')).out).toContain('40 sim-verified, 0 unverified, 0 wrong');
  });
});
