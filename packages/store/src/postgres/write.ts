import type { Batch, ChunkRecord } from '@lockstep/sparse';
import { InputError } from '@lockstep/kernel';
import type { ClientBase } from 'pg';

/** What a frame moves between leases. */
export interface Changes {
  /** Chunks of other leases with those of their entities that come from here. */
  readonly given: readonly ChunkRecord[];
  /** Rows of `handed` whose entities are in this frame's chunks. */
  readonly taken: readonly string[];
}

/** The statements of a frame, inside a transaction that has made sure of the lease. */
export async function writeChanges(
  client: ClientBase,
  where: { world: string; lease: string },
  batch: Batch,
  changes: Changes,
): Promise<void> {
  const { world, lease } = where;
  const full = batch.chunks.filter(({ blob }) => blob !== null);
  const empty = batch.chunks.filter(({ blob }) => blob === null);
  if (full.length > 0)
    await client.query(
      `insert into lockstep.chunk (world, x, y, z, blob)
       select $1, x, y, z, substring($7::bytea from at + 1 for length) from ${BLOBS}
       on conflict (world, x, y, z) do update set blob = excluded.blob`,
      [world, ...columnsOf(full)],
    );
  if (empty.length > 0)
    await client.query(
      `delete from lockstep.chunk as c using unnest($2::int[], $3::int[], $4::int[]) as gone(x, y, z)
       where c.world = $1 and c.x = gone.x and c.y = gone.y and c.z = gone.z`,
      [world, ...['x', 'y', 'z'].map((axis) => empty.map((chunk) => chunk[axis as 'x']))],
    );
  await client.query(
    `insert into lockstep.head (world, lease, frame, head) values ($1, $2, $3, $4)
     on conflict (world, lease) do update set frame = excluded.frame, head = excluded.head`,
    [world, lease, batch.frame, Buffer.from(batch.head)],
  );
  if (changes.given.length > 0)
    await client.query(
      `insert into lockstep.handed (world, x, y, z, blob) select $1, x, y, z, substring($7::bytea from at + 1 for length) from ${BLOBS}`,
      [world, ...columnsOf(changes.given)],
    );
  if (changes.taken.length > 0) {
    const { rowCount } = await client.query('delete from lockstep.handed where world = $1 and id = any($2::bigint[])', [
      world,
      changes.taken,
    ]);
    if (rowCount !== changes.taken.length) throw new InputError(`world ${world}`, `${changes.taken.length} entities handed over`, rowCount);
  }
}

/** Blobs go as one piece of bytes and are cut there. */
const BLOBS = 'unnest($2::int[], $3::int[], $4::int[], $5::int[], $6::int[]) as given(x, y, z, at, length)';

function columnsOf(chunks: readonly ChunkRecord[]): unknown[] {
  let end = 0;
  const ats = chunks.map(({ blob }) => (end += blob!.length) - blob!.length);
  return [
    chunks.map(({ x }) => x),
    chunks.map(({ y }) => y),
    chunks.map(({ z }) => z),
    ats,
    chunks.map(({ blob }) => blob!.length),
    Buffer.concat(chunks.map(({ blob }) => blob!)),
  ];
}
