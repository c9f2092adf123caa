import { mkdirSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChunkRecord } from '@lockstep/sparse';
import { openLog } from '@lockstep/store';
import { PostgresWorld, startServer, whyNoServer } from '@lockstep/store/postgres';

/** Something that keeps chunks so that they survive whatever may happen. */
export interface Keeper {
  readonly name: string;
  readonly commit: (frame: number, chunks: readonly ChunkRecord[]) => Promise<void>;
  /** A few frames tell enough. */
  readonly isSlow?: boolean;
  close(): Promise<void>;
}

const keyOf = ({ x, y, z }: ChunkRecord): string => `${x},${y},${z}`;
const NO_HEAD = new Uint8Array(0);

/** Ours first. Those that are not installed are left out. */
export async function keepers(folder: string): Promise<Keeper[]> {
  const all = [ownLog, lmdb, level, postgres, files].map((make) => make(folder).catch(() => null));
  return (await Promise.all(all)).filter((keeper) => keeper !== null);
}

async function ownLog(folder: string): Promise<Keeper> {
  const log = await openLog(join(folder, 'log'));
  return { name: 'log', commit: (frame, chunks) => log.commit({ frame, head: NO_HEAD, chunks }), close: () => log.close() };
}

/** One transaction; a commit waits for the flush. */
async function lmdb(folder: string): Promise<Keeper> {
  const { open: openLmdb } = await import('lmdb');
  const database = openLmdb<Buffer, string>({ path: join(folder, 'lmdb'), encoding: 'binary', overlappingSync: false });
  return {
    name: 'LMDB',
    async commit(_frame, chunks) {
      await database.transaction(() => {
        for (const chunk of chunks) void database.put(keyOf(chunk), Buffer.from(chunk.blob!));
      });
    },
    close: () => database.close(),
  };
}

/** One batch with `sync`. */
async function level(folder: string): Promise<Keeper> {
  const { ClassicLevel } = await import('classic-level');
  const database = new ClassicLevel<string, Uint8Array>(join(folder, 'level'), { valueEncoding: 'view' });
  await database.open();
  return {
    name: 'LevelDB',
    commit: (_frame, chunks) =>
      database.batch(chunks.map((chunk) => ({ type: 'put' as const, key: keyOf(chunk), value: chunk.blob! })), { sync: true }), // prettier-ignore
    close: () => database.close(),
  };
}

/** Our own adapter, a transaction a frame, the server with fsync. */
async function postgres(): Promise<Keeper> {
  if (whyNoServer !== '') throw new Error(whyNoServer);
  const server = await startServer(['fsync=on']);
  const world = await PostgresWorld.open('bench', server.connection);
  const store = await world.lease({ seconds: 600 });
  return {
    name: 'PostgreSQL',
    commit: (frame, chunks) => store.commit({ frame, head: NO_HEAD, chunks }),
    async close() {
      await world.close();
      await server.stop();
    },
  };
}

/** A file a chunk: written beside, flushed, renamed, then the folder flushed. No frame is atomic. */
async function files(folder: string): Promise<Keeper> {
  const home = join(folder, 'files');
  mkdirSync(home);
  return Promise.resolve({
    name: 'a file a chunk',
    isSlow: true,
    async commit(_frame: number, chunks: readonly ChunkRecord[]) {
      for (const chunk of chunks) {
        const path = join(home, keyOf(chunk));
        const file = await open(`${path}.new`, 'w');
        await file.write(chunk.blob!);
        await file.datasync();
        await file.close();
        await rename(`${path}.new`, path);
      }
      const directory = await open(home, 'r');
      await directory.sync();
      await directory.close();
    },
    close: () => Promise.resolve(),
  });
}
