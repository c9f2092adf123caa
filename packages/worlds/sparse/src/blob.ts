import { InputError } from '@lockstep/kernel';
import { ByteReader, ByteWriter } from './bytes.ts';
import { NONSPATIAL } from './entity.ts';
import { checkCanonical, WorldPosition } from './position.ts';
import { BOX } from './shapes.ts';
import type { Store } from './store.ts';

const CHUNK_FORMAT = 0x3143_5753; // "SWC1"
const HEAD_FORMAT = 0x3148_5753; // "SWH1"

/**
 * A chunk as bytes: its numbers, the shapes used in it, its entities by ids, and a CRC. It stands for itself: big entities are written with every
 * chunk that they touch and taken in once. The same content gives the same bytes.
 */
export function chunkToBlob(store: Store, slot: number): Uint8Array {
  const { chunks } = store;
  const rows: number[] = [];
  rows.length = chunks.rowsOf(slot, rows);
  const out = new ByteWriter();
  out.u32(CHUNK_FORMAT);
  out.i32(chunks.xOf(slot));
  out.i32(chunks.yOf(slot));
  out.i32(chunks.zOf(slot));
  writeEntities(store, rows, out);
  return out.sealed();
}

type ChunkNumbers = [x: number, y: number, z: number];

/**
 * Takes the entities of a blob into the store; those that are there already stay as they are. The answer is the chunk's numbers. Where they are
 * known, a sound blob of another chunk is refused, too.
 */
export function blobToChunk(store: Store, blob: Uint8Array, path = 'chunk', known?: ChunkNumbers): ChunkNumbers {
  const from = new ByteReader(blob, path);
  if (from.u32() !== CHUNK_FORMAT) throw new InputError(path, 'a chunk of format SWC1', 'another format');
  const chunk: ChunkNumbers = [from.i32(), from.i32(), from.i32()];
  if (known?.some((number, axis) => number !== chunk[axis])) throw new InputError(path, `chunk ${known.join()}`, `chunk ${chunk.join()}`);
  readEntities(store, from, path);
  return chunk;
}

/** What belongs to no chunk: the next id, entities without a place, pair rules, and the game's own bytes. */
export function headToBlob(store: Store, own: Uint8Array): Uint8Array {
  const out = new ByteWriter();
  out.u32(HEAD_FORMAT);
  out.f64(store.nextId);
  const rows: number[] = [];
  for (let row = 0; row < store.rowEnd; row++) if (store.id[row] !== 0 && (store.flags[row]! & NONSPATIAL) !== 0) rows.push(row);
  writeEntities(store, rows, out);
  const rules = store.pairs.list();
  out.u32(rules.length);
  for (const [small, large, canCollide] of rules) {
    out.u32(small);
    out.u32(large);
    out.u16(canCollide ? 1 : 0);
  }
  out.u32(own.length);
  out.bytes(own);
  return out.sealed();
}

/** The answer is the game's own bytes. */
export function blobToHead(store: Store, blob: Uint8Array, path = 'head'): Uint8Array {
  const from = new ByteReader(blob, path);
  if (from.u32() !== HEAD_FORMAT) throw new InputError(path, 'a head of format SWH1', 'another format');
  const nextId = from.f64();
  const entities = readList(store, from, path);
  const rules = Array.from({ length: from.u32() }, () => [from.u32(), from.u32(), from.u16()] as const);
  const own = from.bytes(from.u32());
  from.close();
  takeIn(store, entities);
  for (const [small, large, canCollide] of rules) store.pairs.set(small, large, canCollide === 1);
  store.nextId = Math.max(store.nextId, nextId);
  return own;
}

function writeEntities(store: Store, rows: readonly number[], out: ByteWriter): void {
  const byId = [...rows].sort((a, b) => store.id[a]! - store.id[b]!);
  const shapes = [...new Set(byId.map((row) => store.shape[row]!))];
  out.u16(shapes.length);
  for (const shape of shapes) {
    const corners = store.shapes.cornersOf(shape);
    out.u16(corners.length / BOX);
    for (const corner of corners) out.f64(corner);
  }
  out.u32(byId.length);
  for (const row of byId) writeEntity(store, row, shapes.indexOf(store.shape[row]!), out);
}

function writeEntity(store: Store, row: number, shape: number, out: ByteWriter): void {
  const { parameters } = store.parameters;
  out.u32(store.id[row]!);
  out.i32(store.flags[row]!);
  out.u16(shape);
  out.i32(store.chunkXOf(row));
  out.i32(store.chunkYOf(row));
  out.i32(store.chunkZOf(row));
  for (const column of [store.x, store.y, store.z, store.vx, store.vy, store.vz]) out.f64(column[row]!);
  const set = parameters.flatMap((parameter, i) => (store.parameters.get(row, i) === parameter.default ? [] : [i]));
  out.u16(set.length);
  for (const i of set) {
    out.u16(i);
    out.f64(store.parameters.get(row, i));
  }
}

/** An entity that has been read and not yet taken in. */
interface Stored {
  readonly id: number;
  readonly flags: number;
  readonly shape: number;
  readonly at: WorldPosition;
  readonly velocity: readonly [number, number, number];
  readonly parameters: readonly (readonly [number, number])[];
}

function readEntities(store: Store, from: ByteReader, path: string): void {
  const entities = readList(store, from, path);
  from.close();
  takeIn(store, entities);
}

/** Everything is read and checked before anything is taken in: a bad blob changes nothing. */
function readList(store: Store, from: ByteReader, path: string): Stored[] {
  const shapes = Array.from({ length: from.u16() }, () => {
    const corners = Array.from({ length: from.u16() * BOX }, () => from.f64());
    if (!corners.every((corner) => Number.isFinite(corner))) throw new InputError(`${path}.shapes`, 'finite corners', corners);
    return corners.length === 0 ? 0 : store.shapes.internCorners(corners);
  });
  return Array.from({ length: from.u32() }, (_, i) => readEntity(store, from, shapes, `${path}.entities.${i}`));
}

function readEntity(store: Store, from: ByteReader, shapes: readonly number[], path: string): Stored {
  const id = from.u32();
  const flags = from.i32();
  const shape = shapes[from.u16()];
  const at = new WorldPosition();
  at.chunkX = from.i32();
  at.chunkY = from.i32();
  at.chunkZ = from.i32();
  at.x = from.f64();
  at.y = from.f64();
  at.z = from.f64();
  const velocity = [from.f64(), from.f64(), from.f64()] as const;
  const parameters = Array.from({ length: from.u16() }, () => [from.u16(), from.f64()] as const);
  if (id === 0 || shape === undefined) throw new InputError(path, 'an id and a shape', `id ${id}`);
  if ((flags & NONSPATIAL) === 0) checkCanonical(store.rules, at, path);
  if (!velocity.every((part) => Number.isFinite(part))) throw new InputError(`${path}.velocity`, 'finite numbers', velocity);
  const unknown = parameters.find(([i]) => store.parameters.parameters[i] === undefined);
  if (unknown !== undefined) throw new InputError(`${path}.parameters`, 'known parameters', unknown[0]);
  return { id, flags, shape, at, velocity, parameters };
}

function takeIn(store: Store, entities: readonly Stored[]): void {
  for (const { id, flags, shape, at, velocity, parameters } of entities) {
    if (store.ids.get(id) >= 0) continue;
    const row = store.add(id, flags, shape, (flags & NONSPATIAL) !== 0 ? null : at);
    store.setVelocity(row, ...velocity);
    for (const [parameter, value] of parameters) store.setParameter(row, parameter, value);
  }
}
