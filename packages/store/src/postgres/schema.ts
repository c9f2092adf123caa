import { InputError } from '@lockstep/kernel';
import type { ClientBase } from 'pg';

const VERSION = 1;

/** Bounds of a lease or of a question, as columns. */
export const BOUNDS = ['min_x', 'min_y', 'min_z', 'max_x', 'max_y', 'max_z'] as const;

/**
 * One schema for any number of worlds. `handed` holds entities on their way from one lease to another: they left a chunk in the transaction that put
 * them here, and leave here in the transaction that puts them into a chunk.
 */
const TABLES = `
create schema if not exists lockstep;
create table if not exists lockstep.format (version int not null);
create table if not exists lockstep.world (
  name text primary key, next_token bigint not null default 1, next_id bigint not null default 1);
create table if not exists lockstep.head (
  world text not null references lockstep.world, lease text not null, frame float8 not null, head bytea not null, primary key (world, lease));
create table if not exists lockstep.chunk (
  world text not null references lockstep.world, x int not null, y int not null, z int not null, blob bytea not null, primary key (world, x, y, z));
create table if not exists lockstep.lease (
  world text not null references lockstep.world, token bigint not null, name text not null, owner text not null, until timestamptz not null,
  commits bigint not null default 0, ${BOUNDS.map((bound) => `${bound} int not null`).join(', ')}, primary key (world, token));
create table if not exists lockstep.handed (
  id bigint generated always as identity primary key, world text not null references lockstep.world,
  x int not null, y int not null, z int not null, blob bytea not null);
create index if not exists handed_place on lockstep.handed (world, x, y, z);`;

/** Makes the tables where there are none, once, though several processes come at once. */
export async function prepare(client: ClientBase, world: string): Promise<void> {
  await client.query('begin');
  await client.query(`select pg_advisory_xact_lock(hashtext('lockstep.store'))`);
  await client.query(TABLES);
  const { rows } = await client.query<{ version: number }>('select version from lockstep.format');
  if (rows.length === 0) await client.query('insert into lockstep.format values ($1)', [VERSION]);
  else if (rows[0]!.version !== VERSION) throw new InputError('database', `tables of version ${VERSION}`, `version ${rows[0]!.version}`);
  await client.query('insert into lockstep.world (name) values ($1) on conflict do nothing', [world]);
  await client.query('commit');
}
