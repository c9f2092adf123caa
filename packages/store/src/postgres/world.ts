import { hostname } from 'node:os';
import { InputError, intAt } from '@lockstep/kernel';
import type { Batch, ChunkRecord, ChunkStore } from '@lockstep/sparse';
import pg from 'pg';
import { type Box, type ChunkNumbers, EVERYWHERE, isInside } from '../ranges.ts';
import { BOUNDS, prepare } from './schema.ts';
import { type Changes, writeChanges } from './write.ts';

/** Which part of a world, and for how long without a word. */
export interface LeaseOptions {
  /** What the part is called: whoever leases it next by this name goes on with its head. */
  readonly name?: string;
  readonly range?: Box;
  /** A lease that is not renewed so long may be taken over. Every commit renews. */
  readonly seconds?: number;
}

export interface Lease {
  readonly name: string;
  readonly range: Box;
  /** Rises with every lease of a world: the fence against whoever held an earlier one. */
  readonly token: number;
  readonly seconds: number;
}

const valuesOf = ({ minX, minY, minZ, maxX, maxY, maxZ }: Box): number[] => [minX, minY, minZ, maxX, maxY, maxZ];

/** A world in PostgreSQL. Several processes may have it open, each with leases of parts that do not overlap. */
export class PostgresWorld {
  readonly name: string;
  private readonly pool: pg.Pool;

  private constructor(name: string, pool: pg.Pool) {
    this.name = name;
    this.pool = pool;
  }

  static async open(name: string, connection: pg.PoolConfig): Promise<PostgresWorld> {
    const pool = new pg.Pool({ max: 4, ...connection });
    pool.on('error', () => {}); // an idle connection that broke: the next question gets a new one, or is told
    const world = new PostgresWorld(name, pool);
    try {
      await world.withClient((client) => prepare(client, name));
    } catch (error) {
      await pool.end();
      throw error;
    }
    return world;
  }

  /** Takes a part of the world, also from one whose lease has run out; refused while somebody else holds any of it. */
  async lease(options: LeaseOptions = {}): Promise<LeasedStore> {
    const { name = 'world', range = EVERYWHERE, seconds = 10 } = options;
    const token = await this.withClient(async (client) => {
      await client.query('begin');
      // one after another, but beside the frames of others, which only refer to the world
      await client.query('select from lockstep.world where name = $1 for no key update', [this.name]);
      await client.query('delete from lockstep.lease where world = $1 and until <= clock_timestamp()', [this.name]);
      const { rows: holders } = await client.query<{ name: string; owner: string; left: number }>(
        `select name, owner, extract(epoch from until - clock_timestamp())::float8 as left from lockstep.lease
         where world = $1 and (name = $8 or (min_x <= $5 and max_x >= $2 and min_y <= $6 and max_y >= $3 and min_z <= $7 and max_z >= $4)) limit 1`,
        [this.name, ...valuesOf(range), name],
      );
      const [held] = holders;
      if (held !== undefined)
        throw new InputError(`world ${this.name}`, `a free part ${name}`, `${held.name} of ${held.owner}, ${held.left.toFixed(1)} s`);
      const { rows } = await client.query<{ token: number }>(
        'update lockstep.world set next_token = next_token + 1 where name = $1 returning (next_token - 1)::float8 as token',
        [this.name],
      );
      await client.query(
        `insert into lockstep.lease (world, token, name, owner, until, ${BOUNDS.join(', ')})
         values ($1, $2, $3, $4, clock_timestamp() + make_interval(secs => $5), $6, $7, $8, $9, $10, $11)`,
        [this.name, rows[0]!.token, name, `process ${process.pid} on ${hostname()}`, seconds, ...valuesOf(range)],
      );
      await client.query('commit');
      return rows[0]!.token;
    });
    return new LeasedStore(this, { name, range, token, seconds });
  }

  /** Ids that no other process gets; the answer is the first. */
  async reserveIds(count: number): Promise<number> {
    const { rows } = await this.ask<{ first: number }>(
      'update lockstep.world set next_id = next_id + $2 where name = $1 returning (next_id - $2)::float8 as first',
      [this.name, count],
    );
    return rows[0]!.first;
  }

  close(): Promise<void> {
    return this.pool.end();
  }

  /** One question, one answer. */
  async ask<T extends pg.QueryResultRow>(text: string, values: readonly unknown[]): Promise<pg.QueryResult<T>> {
    try {
      return await this.pool.query<T>(text, [...values]);
    } catch (error) {
      throw failure(this.name, error);
    }
  }

  /** Work on one connection. What fails is rolled back, and the connection is not used again. */
  async withClient<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    let client: pg.PoolClient | null = null;
    const ignore = (): void => {}; // the question at work is told
    try {
      client = await this.pool.connect();
      client.on('error', ignore);
      const answer = await work(client);
      client.off('error', ignore);
      client.release();
      return answer;
    } catch (error) {
      client?.release(true);
      throw failure(this.name, error);
    }
  }
}

/** [SW-E33] Permanent memory of one part of a world. A process that lost its lease cannot write: the database compares the token in every frame. */
export class LeasedStore implements ChunkStore {
  readonly lease: Lease;
  readonly world: PostgresWorld;
  private commits = 0;
  /** Frames are written one after another. */
  private last: Promise<unknown> = Promise.resolve();

  constructor(world: PostgresWorld, lease: Lease) {
    this.world = world;
    this.lease = lease;
  }

  async readRange(range: Box): Promise<ChunkRecord[]> {
    const { rows } = await this.world.ask<{ x: number; y: number; z: number; blob: Buffer }>(
      `select x, y, z, blob from lockstep.chunk
       where world = $1 and x between $2 and $5 and y between $3 and $6 and z between $4 and $7`,
      [this.world.name, ...valuesOf(range)],
    );
    return rows.map(({ x, y, z, blob }) => ({ x, y, z, blob: new Uint8Array(blob) }));
  }

  async readHead(): Promise<{ readonly frame: number; readonly head: Uint8Array } | null> {
    const { rows } = await this.world.ask<{ frame: number; head: Buffer }>(
      'select frame, head from lockstep.head where world = $1 and lease = $2',
      [this.world.name, this.lease.name],
    );
    return rows.length === 0 ? null : { frame: rows[0]!.frame, head: new Uint8Array(rows[0]!.head) };
  }

  commit(batch: Batch): Promise<void> {
    return this.commitWith(batch, { given: [], taken: [] });
  }

  /** A frame with entities that are handed over and taken: all of it or nothing. */
  commitWith(batch: Batch, changes: Changes): Promise<void> {
    const turn = this.last.then(() => this.write(batch, changes));
    this.last = turn.catch(() => {});
    return turn;
  }

  /** Entities that others handed over into this part. */
  async handed(): Promise<(ChunkNumbers & { readonly id: string; readonly blob: Uint8Array })[]> {
    const { rows } = await this.world.ask<{ id: string; x: number; y: number; z: number; blob: Buffer }>(
      `select id, x, y, z, blob from lockstep.handed
       where world = $1 and x between $2 and $5 and y between $3 and $6 and z between $4 and $7 order by id`,
      [this.world.name, ...valuesOf(this.lease.range)],
    );
    return rows.map(({ id, x, y, z, blob }) => ({ id, x, y, z, blob: new Uint8Array(blob) }));
  }

  /** Says that this process is alive; refused when the lease has run out. */
  async renew(): Promise<void> {
    const { rowCount } = await this.world.ask(
      `update lockstep.lease set until = clock_timestamp() + make_interval(secs => $3)
       where world = $1 and token = $2 and until > clock_timestamp()`,
      [this.world.name, this.lease.token, this.lease.seconds],
    );
    if (rowCount === 0) throw this.lost();
  }

  /** Gives the part back when everything is written. */
  async close(): Promise<void> {
    await this.last;
    await this.world.ask('delete from lockstep.lease where world = $1 and token = $2', [this.world.name, this.lease.token]);
  }

  private async write(batch: Batch, changes: Changes): Promise<void> {
    const { lease, world } = this;
    for (const chunk of batch.chunks) checkChunk(chunk, lease);
    const number = this.commits + 1;
    let isSent = false;
    try {
      await world.withClient(async (client) => {
        await client.query('begin');
        await client.query('set local synchronous_commit = on');
        // a process that falls asleep here must not keep its heir waiting
        await client.query(`set local idle_in_transaction_session_timeout = ${Math.ceil(lease.seconds * 1000)}`);
        const { rowCount } = await client.query(
          `update lockstep.lease set until = clock_timestamp() + make_interval(secs => $3), commits = $4
           where world = $1 and token = $2 and until > clock_timestamp()`,
          [world.name, lease.token, lease.seconds, number],
        );
        if (rowCount === 0) throw this.lost();
        await writeChanges(client, { world: world.name, lease: lease.name }, batch, changes);
        isSent = true;
        await client.query('commit');
      });
    } catch (error) {
      // the line went dead after the last word: the database knows whether it was heard
      if (!isSent || !(await this.wasWritten(number))) throw error;
    }
    this.commits = number;
  }

  private async wasWritten(number: number): Promise<boolean> {
    const { rows } = await this.world.ask<{ commits: number }>(
      'select commits::float8 as commits from lockstep.lease where world = $1 and token = $2',
      [this.world.name, this.lease.token],
    );
    if (rows.length === 0) throw this.lost();
    return rows[0]!.commits >= number;
  }

  private lost(): InputError {
    const { name, token } = this.lease;
    return new InputError(`world ${this.world.name}`, `a lease of ${name} (token ${token})`, 'one that has run out or was taken over');
  }
}

function checkChunk({ x, y, z }: ChunkNumbers, { name, range }: Lease): void {
  for (const number of [x, y, z]) intAt(number, 'chunk', -0x8000_0000, 0x7fff_ffff);
  if (!isInside(range, { x, y, z }))
    throw new InputError(`chunk ${x},${y},${z}`, `a chunk of the leased part ${name}`, 'one outside of it');
}

/** Errors of the database and of the way to it, in one line. */
function failure(world: string, error: unknown): Error {
  if (error instanceof InputError) return error;
  const { code, message } = error as { code?: string; message: string };
  if (code === '53100') return new InputError(`world ${world}`, 'room on the disk of the database', message);
  return new InputError(`world ${world}`, 'a database that answers', message === '' ? code : message);
}
