import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { catalog } from '@lockstep/catalog';
import { describe, expect, it } from 'vitest';
import { BIN, jsonLines, workshop } from './cli-run.ts';

const STUDIO = fileURLToPath(new URL('../apps/studio/dist/index.html', import.meta.url));
const VECTORS = fileURLToPath(new URL('../../shared/vectors/codeball/', import.meta.url));

const { folder, lockstep, shell } = workshop();

describe('the rest of it', () => {
  /** The names below "Commands:". */
  const commandsIn = (help: string): string[] =>
    (help.split('\nCommands:\n')[1]?.split('\n\n')[0]?.split('\n') ?? []).flatMap((line) => /^ {2}([\w-]+)/.exec(line)?.[1] ?? []);

  it('--help teaches every command by examples', { timeout: 300_000 }, async () => {
    const taught: string[] = [];
    const teach = async (...command: string[]): Promise<void> => {
      const { code, out, err } = await lockstep(...command, '--help');
      expect({ code, err }).toEqual({ code: 0, err: '' });
      expect(out).toContain(`Examples:\n  $ ${['lockstep', ...command].join(' ')}`);
      taught.push(command.join(' '));
      for (const inner of commandsIn(out)) await teach(...command, inner);
    };
    await teach();
    for (const name of [
      'match',
      'replay verify',
      'replay info',
      'replay ledger',
      'conform',
      'bench',
      'worlds',
      'studio',
      'help',
      'replay help',
    ])
      expect(taught).toContain(name);
    expect((await lockstep('help', 'replay', 'verify')).out).toBe((await lockstep('replay', 'verify', '--help')).out);
    expect(await lockstep()).toMatchObject({ code: 2, out: '' });
    expect((await lockstep('--version')).out).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it('worlds lists the catalog', async () => {
    const lines = jsonLines((await lockstep('worlds', '--json')).out);
    expect(lines.map(({ name }) => name)).toEqual(catalog.map(({ world }) => world.name));
    const { out } = await lockstep('worlds');
    expect(out).toContain('presets: round1, round2, finals');
    expect(out).toMatch(/^codeball \(rulesVersion \d+, 2 seats, 60 ticks\/s\)$/m);
    expect(out).toMatch(/^asteracer \(rulesVersion \d+, 1 seat, 60 ticks\/s\)$/m);
  });

  it.skipIf(!existsSync('/dev/full'))('an answer that cannot be written is one line, and no success', async () => {
    for (const command of ['worlds', '--help', 'match codeball idle idle --seed 1 --ticks 5', 'worlds --json']) {
      const { code, err } = await shell(`lockstep ${command} > /dev/full`);
      expect([code, err]).toEqual([2, 'lockstep: stdout: expected a place to write to, got "a full disk"\n']);
    }
    expect(await shell('lockstep worlds 2> /dev/full | head -1')).toMatchObject({ code: 0, err: '' });
  });

  it('a reader that leaves early is no error', async () => {
    const run = spawn(process.execPath, [BIN, 'match', 'codeball', 'idle', 'idle', '--seeds', '1..400', '--ticks', '2'], { cwd: folder });
    let err = '';
    run.stderr.on('data', (text) => (err += String(text)));
    run.stdout.once('data', () => run.stdout.destroy());
    const code = await new Promise((resolve) => run.once('exit', resolve));
    expect([code, err]).toEqual([0, '']);
  });

  it.skipIf(process.platform === 'win32')('Ctrl+C ends many games with what was played so far', async () => {
    const run = spawn(process.execPath, [BIN, 'match', 'codeball', 'idle', 'idle', '--seeds', '1..100000', '--ticks', '50'], {
      cwd: folder,
    });
    let out = '';
    let err = '';
    run.stderr.on('data', (text) => (err += String(text)));
    run.stdout.on('data', (text) => {
      if (out === '') run.kill('SIGINT');
      out += String(text);
    });
    const code = await new Promise((resolve) => run.once('exit', resolve));
    expect([code, err]).toEqual([130, '']);
    expect(out).toMatch(/\d+ games? in [\d.]+ s on \d+ threads?:/);
  });
});

describe('bench', () => {
  it('prints one measurement a line', async () => {
    const run = spawn(process.execPath, [BIN, 'bench', 'codeball', '--seconds', '0.1', '--json'], { cwd: folder });
    const ended = new Promise((resolve) => run.once('exit', resolve));
    const [first] = jsonLines(
      await new Promise<string>((resolve) => run.stdout.once('data', (text) => resolve(String(text).split('\n')[0]!))),
    );
    run.kill();
    await ended;
    expect(first).toMatchObject({ bench: expect.stringMatching(/^codeball\//), subject: 'lockstep', against: 'naive', unit: 'ticks/s' });
    expect(first!['value']).toBeGreaterThan(0);
  });

  it('pinball: every engine on one table, with what escaped and the energy beside the speed; a picture', { timeout: 120_000 }, async () => {
    const { code, out, err } = await lockstep('bench', 'pinball', '--quick', '--json', '--plot', 'pinball.svg');
    expect([code, err]).toEqual([0, '']);
    const lines = jsonLines(out);
    const ours = lines.filter(({ subject, escapes }) => subject === 'lockstep' && escapes !== undefined);
    expect(ours.length).toBe(15);
    for (const { escapes, energyError } of ours) {
      expect(escapes).toBe(0);
      expect(Math.abs(Number(energyError))).toBeLessThan(1e-11);
    }
    const peers = new Set(lines.map(({ subject }) => subject));
    expect(peers).toEqual(new Set(['lockstep', 'rapier', 'box2d3', 'planck', 'matter']));
    expect(lines.some(({ against }) => against === 'real time')).toBe(true);
    expect(readFileSync(join(folder, 'pinball.svg'), 'utf8')).toMatch(/^<svg [\s\S]*box2d3[\s\S]*<\/svg>\n$/);
  });
});

describe.skipIf(!existsSync(STUDIO))('studio', () => {
  /** Until it tells its address. */
  async function studio(...args: string[]): Promise<{ url: string; end: () => Promise<number | null> }> {
    const run = spawn(process.execPath, [BIN, 'studio', ...args], { cwd: folder });
    const ended = new Promise<number | null>((resolve) => run.once('exit', resolve));
    const url = await new Promise<string>((resolve, reject) => {
      run.stdout.on('data', (text) => resolve(/^studio: (\S+)\n/.exec(String(text))?.[1] ?? ''));
      run.once('exit', (code) => reject(new Error(`the studio ended with ${code}`)));
    });
    const end = () => {
      run.kill('SIGINT');
      return ended;
    };
    return { url, end };
  }

  it('serves the page on this machine only, and ends by Ctrl+C', async () => {
    const { url, end } = await studio('--port', '0');
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
    const page = await fetch(url);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('<title>');
    expect(await end()).toBe(0);
  });

  it('takes a free port when the usual one is in use, but not instead of one that was asked for', async () => {
    const first = await studio();
    const second = await studio();
    expect(second.url).not.toBe(first.url);
    const asked = await lockstep('studio', '--port', new URL(first.url).port);
    expect(asked).toMatchObject({ code: 2, out: '' });
    expect(asked.err).toMatch(
      /^lockstep: studio: expected an address to listen on \(127\.0\.0\.1, port \d+\), got "one that is in use"\n$/,
    );
    expect(await Promise.all([first.end(), second.end()])).toEqual([0, 0]);
  });
});

describe.skipIf(!existsSync(VECTORS))('conform', () => {
  const files = existsSync(VECTORS)
    ? readdirSync(VECTORS).filter((name) => name.endsWith('.jsonl.gz') && !/wire|p1dump|rawlog/.test(name))
    : [];

  it.each(files)('%s is reproduced bit for bit', { timeout: 300_000 }, async (name) => {
    const { code, out } = await lockstep('conform', 'codeball', join(VECTORS, name));
    expect(out).toMatch(/: bit-exact\n$/);
    expect(code).toBe(0);
  });
});
