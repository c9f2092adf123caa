import { InputError, intAt, numberAt } from '@lockstep/kernel';
import { GRAIN, MAX_CHUNK, MIN_CHUNK, type Rules, toGrain } from './rules.ts';

/**
 * [SW-R4] [SW-E2] A place in the world: a chunk, in whole numbers, and the offset from the chunk's centre. Canonical when the chunk numbers are int32 and each offset is a
 * whole number of grains in [-side/2, side/2): every place has exactly one canonical form.
 */
export class WorldPosition {
  chunkX = 0;
  chunkY = 0;
  chunkZ = 0;
  x = 0;
  y = 0;
  z = 0;
}

/** A difference of two places, or a place in a region. */
export class Vector {
  x = 0;
  y = 0;
  z = 0;
}

/** A canonical position from numbers of any size. */
export function positionAt(rules: Rules, chunkX: number, chunkY: number, chunkZ: number, x = 0, y = 0, z = 0): WorldPosition {
  const position = new WorldPosition();
  position.chunkX = intAt(chunkX, 'position.chunkX', MIN_CHUNK, MAX_CHUNK);
  position.chunkY = intAt(chunkY, 'position.chunkY', MIN_CHUNK, MAX_CHUNK);
  position.chunkZ = intAt(chunkZ, 'position.chunkZ', MIN_CHUNK, MAX_CHUNK);
  return mapIntoChunkSpace(rules, position, numberAt(x, 'position.x'), numberAt(y, 'position.y'), numberAt(z, 'position.z'), position);
}

/** `MapIntoChunkSpace`: the place so many metres from `base`, canonical; beyond the last chunk it is the world's edge. */
export function mapIntoChunkSpace(
  rules: Rules,
  base: WorldPosition,
  dx: number,
  dy: number,
  dz: number,
  into: WorldPosition,
): WorldPosition {
  const { ChunkDimX, ChunkDimY, ChunkDimZ } = rules;
  const x = base.x + toGrain(dx);
  const y = base.y + toGrain(dy);
  const z = base.z + toGrain(dz);
  const awayX = wholeChunks(x, ChunkDimX);
  const awayY = wholeChunks(y, ChunkDimY);
  const awayZ = wholeChunks(z, ChunkDimZ);
  into.x = offsetWithin(base.chunkX + awayX, x - awayX * ChunkDimX, ChunkDimX);
  into.y = offsetWithin(base.chunkY + awayY, y - awayY * ChunkDimY, ChunkDimY);
  into.z = offsetWithin(base.chunkZ + awayZ, z - awayZ * ChunkDimZ, ChunkDimZ);
  into.chunkX = withinWorld(base.chunkX + awayX);
  into.chunkY = withinWorld(base.chunkY + awayY);
  into.chunkZ = withinWorld(base.chunkZ + awayZ);
  return into;
}

/** How many chunks an offset leads away. Rounding may be off by one where the offset has no room for grains: the second look repairs it. */
export function wholeChunks(offset: number, side: number): number {
  const count = Math.floor(offset / side + 0.5);
  const rest = offset - count * side;
  return rest >= side / 2 ? count + 1 : rest < -side / 2 ? count - 1 : count;
}

const withinWorld = (chunk: number): number => (chunk > MAX_CHUNK ? MAX_CHUNK : chunk < MIN_CHUNK ? MIN_CHUNK : chunk);

/** "Wrapping is not allowed": beyond the last chunk lies the edge of the last chunk. */
function offsetWithin(chunk: number, offset: number, side: number): number {
  return chunk > MAX_CHUNK ? side / 2 - GRAIN : chunk < MIN_CHUNK ? -side / 2 : offset;
}

/** [SW-E3] a - b in metres: chunk numbers are subtracted as integers, so that one rounding remains, and none for places of one region. */
export function subtract(rules: Rules, a: WorldPosition, b: WorldPosition, into: Vector): Vector {
  into.x = rules.ChunkDimX * (a.chunkX - b.chunkX) + (a.x - b.x);
  into.y = rules.ChunkDimY * (a.chunkY - b.chunkY) + (a.y - b.y);
  into.z = rules.ChunkDimZ * (a.chunkZ - b.chunkZ) + (a.z - b.z);
  return into;
}

/** For data from outside: is it a canonical position? */
export function checkCanonical(rules: Rules, p: WorldPosition, path: string): void {
  const fits = (chunk: number, offset: number, side: number): boolean =>
    (chunk | 0) === chunk && offset >= -side / 2 && offset < side / 2 && toGrain(offset) === offset;
  if (!fits(p.chunkX, p.x, rules.ChunkDimX)) throw new InputError(path, 'a canonical position', `chunkX ${p.chunkX}, x ${p.x}`);
  if (!fits(p.chunkY, p.y, rules.ChunkDimY)) throw new InputError(path, 'a canonical position', `chunkY ${p.chunkY}, y ${p.y}`);
  if (!fits(p.chunkZ, p.z, rules.ChunkDimZ)) throw new InputError(path, 'a canonical position', `chunkZ ${p.chunkZ}, z ${p.z}`);
}
