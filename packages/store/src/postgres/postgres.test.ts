import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { blobToChunk, DEFAULT_RULES, MOVABLE, positionAt, Store, TRAVERSABLE } from '@lockstep/sparse';
import { box, claims, type Place } from '../conformance.test-support.ts';
import { EVERYWHERE } from '../ranges.ts';
import { type Server, startServer, whyNoServer } from './local-server.ts';
import { SharedSave } from './shared-save.ts';
import { type LeasedStore, PostgresWorld } from './world.ts';

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);
const frameOf = (frame: number, ...xs: number[]) => ({
  frame,
  head: bytes(frame),
  chunks: xs.map((x) => ({ x, y: 0, z: 0, blob: bytes(frame) })),
});

if (whyNoServer !== '') console.warn(`tests with PostgreSQL are skipped: ${whyNoServer}`);

/** A line to the server, as a socket of the same name in another folder. While it is deaf, the next answer to a commit never arrives. */
async function deafLine(to: string): Promise<{ folder: string; isDeaf: boolean; deaths: number; close(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'lockstep-line-'));
  const line = { folder, isDeaf: false, deaths: 0, close: () => Promise.resolve() };
  const proxy = createServer((client) => {
    const server = connect(join(to, '.s.PGSQL.5432'));
    let isDying = false;
    client.on('data', (bytes) => {
      isDying ||= line.isDeaf && bytes.includes('commit\0');
      server.write(bytes);
    });
    server.on('data', (bytes) => {
      if (!isDying) return void client.write(bytes);
      line.isDeaf = false;
      line.deaths++;
      client.destroy();
    });
    for (const end of [client, server]) end.on('error', () => {}).on('close', () => [client, server].forEach((one) => one.destroy()));
  });
  await new Promise<void>((ready) => proxy.listen(join(folder, '.s.PGSQL.5432'), ready));
  line.close = async () => {
    await new Promise((closed) => proxy.close(closed));
    rmSync(folder, { recursive: true, force: true });
  };
  return line;
}

describe.skipIf(whyNoServer !== '')('PostgreSQL', () => {
  let server: Server;
  let worlds = 0;
  const open: PostgresWorld[] = [];
  const newName = (): string => `world ${worlds++}`;

  beforeAll(async () => {
    server = await startServer();
  }, 120_000);
  afterAll(async () => {
    for (const world of open) await world.close();
    await server?.stop();
  }, 120_000);

  async function worldOf(name: string): Promise<PostgresWorld> {
    const world = await PostgresWorld.open(name, server.connection);
    open.push(world);
    return world;
  }

  const ask: Server['ask'] = (text, ...values) => server.ask(text, ...values);

  function databasePlace(world: PostgresWorld): Place {
    return {
      open: () => world.lease({ seconds: 600 }),
      async damage(x, y, z) {
        const where = 'where world = $1 and x = $2 and y = $3 and z = $4';
        await ask(`update lockstep.chunk set blob = set_byte(blob, 9, get_byte(blob, 9) # 16) ${where}`, world.name, x, y, z);
      },
    };
  }

  for (const { name, check } of claims) it(name, async () => check(databasePlace(await worldOf(newName()))));

  describe('leases', () => {
    const west = { name: 'west', range: { ...EVERYWHERE, maxX: -1 }, seconds: 600 };
    const east = { name: 'east', range: { ...EVERYWHERE, minX: 0 }, seconds: 600 };

    it('[SW-E33] parts that overlap are refused while they are held; others are not', async () => {
      const name = newName();
      const [one, two] = [await worldOf(name), await worldOf(name)];
      const held = await one.lease(west);
      const other = await two.lease(east);
      await expect(two.lease({ name: 'middle', range: box(-5, 0, 0, 5, 0, 0) })).rejects.toThrow(
        /^world .*: expected a free part middle, got "(west|east) of process \d+/,
      );
      await held.commit(frameOf(1, -1, -2));
      await other.commit(frameOf(2, 0, 7));
      await expect(held.commit(frameOf(3, 0))).rejects.toThrow(
        'chunk 0,0,0: expected a chunk of the leased part west, got "one outside of it"',
      );
      expect((await held.readRange(EVERYWHERE)).map(({ x }) => x).sort((a, b) => a - b)).toEqual([-2, -1, 0, 7]);
      await held.close();
      const again = await two.lease(west);
      expect(await again.readHead()).toEqual({ frame: 1, head: bytes(1) });
      expect(again.lease.token).toBeGreaterThan(held.lease.token);
    });

    it('[SW-E33] a lease that has run out is taken over, and who lost it cannot write', async () => {
      const name = newName();
      const [one, two] = [await worldOf(name), await worldOf(name)];
      const sleeper = await one.lease({ ...west, seconds: 0.2 });
      await sleeper.commit(frameOf(1, -1));
      let heir: LeasedStore | null = null;
      await expect.poll(async () => (heir = await two.lease(west).catch(() => null)), { timeout: 30_000 }).not.toBeNull();
      await heir!.commit(frameOf(2, -1));
      await expect(sleeper.commit(frameOf(3, -1))).rejects.toThrow(
        `expected a lease of west (token 1), got "one that has run out or was taken over"`,
      );
      await expect(sleeper.renew()).rejects.toThrow('run out or was taken over');
      expect(await heir!.readRange(EVERYWHERE)).toMatchObject([{ x: -1, blob: bytes(2) }]);
    });

    it('a lease that has run out does not write even if nobody took it; one that is renewed lives on', async () => {
      const world = await worldOf(newName());
      const store = await world.lease({ ...west, seconds: 0.2 });
      const other = await world.lease({ ...east, seconds: 1000 });
      await ask('select pg_sleep(0.3)');
      await expect(store.commit(frameOf(1, -1))).rejects.toThrow('run out or was taken over');
      await other.renew();
      await other.commit(frameOf(1, 1));
    });

    it('[SW-E33] who asks for a lease while its holder writes waits for that frame, and neither stands in the way of the other', async () => {
      const name = newName();
      const world = await worldOf(name);
      const { lease } = await world.lease({ ...west, seconds: 0.01 });
      await ask('select pg_sleep(0.05)');
      const asking = await world.withClient(async (client) => {
        await client.query('begin');
        await client.query(`update lockstep.lease set until = now() + interval '1 hour' where world = $1 and token = $2`, [
          name,
          lease.token,
        ]);
        const waiting = world.lease(west).then(() => 'leased', (error: Error) => error.message); // prettier-ignore
        const locked = `select from pg_stat_activity where wait_event_type = 'Lock' and query like 'delete from lockstep.lease%'`;
        await expect.poll(async () => (await ask(locked)).length, { timeout: 30_000 }).toBe(1);
        await client.query('insert into lockstep.chunk values ($1, -1, 0, 0, $2)', [name, Buffer.of(1)]);
        await client.query('commit');
        return waiting;
      });
      expect(asking).toMatch(/expected a free part west, got "west of process/);
    });

    it('[SW-E33] a process that falls asleep in the middle of a frame is cut off, and its heir goes on', async () => {
      const name = newName();
      const world = await worldOf(name);
      const sleeper = await world.lease({ ...west, seconds: 0.3 });
      const asleep = world.withClient(async (client) => {
        await client.query('begin');
        await client.query('set local idle_in_transaction_session_timeout = 300');
        await client.query(`update lockstep.lease set commits = 1 where world = $1 and token = $2`, [name, sleeper.lease.token]);
        await new Promise((resolve) => client.once('end', resolve)); // the server hangs up
      });
      let heir: LeasedStore | null = null;
      await expect.poll(async () => (heir = await world.lease(west).catch(() => null)), { timeout: 30_000 }).not.toBeNull();
      await asleep;
      await heir!.commit(frameOf(1, -1));
    });

    it('[SW-R10] a frame that fails in the middle leaves nothing', async () => {
      const world = await worldOf(newName());
      const store = await world.lease({ seconds: 600 });
      await store.commit(frameOf(1, 0, 1));
      await expect(store.commitWith(frameOf(2, 0, 1, 2), { given: [], taken: ['12345'] })).rejects.toThrow(
        'expected 1 entities handed over, got 0',
      );
      expect((await store.readRange(EVERYWHERE)).map(({ blob }) => blob![0])).toEqual([1, 1]);
      await store.commit(frameOf(3, 0));
      expect(await store.readHead()).toEqual({ frame: 3, head: bytes(3) });
    });

    it('a connection that breaks is told in one line, and the next frame gets a new one', async () => {
      const world = await worldOf(newName());
      const store = await world.lease({ seconds: 600 });
      await store.commit(frameOf(1, 0));
      await ask(`select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and backend_type = 'client backend'`);
      await expect
        .poll(
          () =>
            store.commit(frameOf(2, 0)).then(
              () => 'kept',
              (error: Error) => error.message,
            ),
          { timeout: 30_000 },
        )
        .toBe('kept');
      expect((await store.readHead())!.frame).toBe(2);
    });

    it('[SW-E33] a line that goes dead after the last word of a frame: the frame counts once, with who was handed over in it', async () => {
      const name = newName();
      const line = await deafLine(String(server.connection.host));
      const world = await PostgresWorld.open(name, { ...server.connection, host: line.folder });
      const save = await partOf(world, west);
      await save.reserveIds(2);
      for (const x of [-1, 2]) save.insert({ flags: MOVABLE, position: positionAt(DEFAULT_RULES, x, 0, 0) });
      line.isDeaf = true;
      await save.commit(1);
      expect([line.deaths, await everybody(name), save.store.count]).toEqual([1, [1, 2], 1]);
      await save.commit(2);
      expect(await everybody(name)).toEqual([1, 2]);
      await world.close();
      await line.close();
    });

    it('no server, another version: one line', async () => {
      await expect(PostgresWorld.open('x', { host: '/nowhere' })).rejects.toThrow(/^world x: expected a database that answers, got /);
      await ask('update lockstep.format set version = 2');
      await expect(PostgresWorld.open('x', server.connection)).rejects.toThrow('database: expected tables of version 1, got "version 2"');
      await ask('update lockstep.format set version = 1');
    });

    /** Everybody in the database, in chunks and on the way, by ids. */
    async function everybody(world: string): Promise<number[]> {
      const rows = await ask(
        'select blob from lockstep.chunk where world = $1 union all select blob from lockstep.handed where world = $1',
        world,
      );
      return rows.flatMap(({ blob }) => {
        const one = new Store(DEFAULT_RULES);
        blobToChunk(one, new Uint8Array(blob as Buffer));
        return [...one.id].filter((id) => id !== 0);
      }).sort((a, b) => a - b); // prettier-ignore
    }

    async function partOf(world: PostgresWorld, options: typeof west): Promise<SharedSave> {
      const save = new SharedSave(new Store(DEFAULT_RULES), await world.lease(options));
      await save.open();
      await save.require(box(-3, 0, 0, 3, 0, 0));
      return save;
    }

    it('[SW-E33] [SW-R10] an entity that walks from one process to another and back stands once at every moment', async () => {
      const name = newName();
      const [one, two] = [await worldOf(name), await worldOf(name)];
      const [left, right] = [await partOf(one, west), await partOf(two, east)];
      await left.reserveIds(10);
      await right.reserveIds(10);
      const walker = left.insert({ flags: MOVABLE, position: positionAt(DEFAULT_RULES, -1, 0, 0) });
      const native = right.insert({ flags: MOVABLE, position: positionAt(DEFAULT_RULES, 0, 0, 0) });
      expect(native).not.toBe(walker);
      await left.commit(1);
      await right.commit(1);
      for (let round = 0; round < 4; round++) {
        const [from, to, x] = round % 2 === 0 ? [left, right, 0] : [right, left, -1];
        from.store.moveTo(from.store.rowOf(walker), x, 0, 0, round, 0, 0);
        expect(await everybody(name)).toEqual([walker, native]);
        await from.commit(2 + round);
        expect([from.store.ids.get(walker), await everybody(name)]).toEqual([-1, [walker, native]]);
        expect([await to.take(), await to.take(), await everybody(name)]).toEqual([1, 0, [walker, native]]);
        await to.commit(2 + round);
        expect(await everybody(name)).toEqual([walker, native]);
        expect(to.store.x[to.store.rowOf(walker)]).toBe(round);
      }
      expect(await ask('select from lockstep.handed where world = $1', name)).toEqual([]);
    });

    it('[SW-E26] [SW-E33] a Space that reaches into both parts is known to both, once by its id', async () => {
      const name = newName();
      const world = await worldOf(name);
      const [left, right] = [await partOf(world, west), await partOf(world, east)];
      await left.reserveIds(1);
      const volumes = [{ dimX: 60, dimY: 4, dimZ: 4 }];
      const room = left.insert({ flags: TRAVERSABLE, position: positionAt(DEFAULT_RULES, 0, 0, 0), volumes });
      await left.commit(1);
      expect([left.store.ids.get(room) >= 0, await right.take()]).toEqual([true, 1]);
      await right.commit(1);
      expect(await left.take()).toBe(0); // it knows the room, and learns that the other does
      await left.commit(2);
      expect([new Set(await everybody(name)), await ask('select from lockstep.handed where world = $1', name)]).toEqual([
        new Set([room]),
        [],
      ]);
      const fresh = new Store(DEFAULT_RULES);
      for (const { blob } of await ask('select blob from lockstep.chunk where world = $1', name))
        blobToChunk(fresh, new Uint8Array(blob as Buffer));
      expect(fresh.count).toBe(1);
    });

    it('[SW-E33] whoever took an entity and died before the frame has not taken it', async () => {
      const name = newName();
      const world = await worldOf(name);
      const left = await partOf(world, west);
      await left.reserveIds(1);
      const id = left.insert({ flags: MOVABLE, position: positionAt(DEFAULT_RULES, 2, 0, 0) });
      await left.commit(1);
      const mortal = await partOf(world, east);
      expect(await mortal.take()).toBe(1);
      await ask(`update lockstep.lease set until = now() where name = 'east'`);
      await expect(mortal.commit(2)).rejects.toThrow('run out or was taken over');
      const heir = await partOf(world, east);
      expect([await heir.take(), heir.store.ids.get(id) >= 0]).toEqual([1, true]);
      await heir.commit(2);
      expect(await everybody(name)).toEqual([id]);
    });
  });
});
