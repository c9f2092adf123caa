import type { ChunkRange } from '@lockstep/sparse';

/** A box of chunk numbers, ends included. */
export type Box = Readonly<ChunkRange>;

export interface ChunkNumbers {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

const MIN = -0x8000_0000;
const MAX = 0x7fff_ffff;
export const EVERYWHERE: Box = { minX: MIN, minY: MIN, minZ: MIN, maxX: MAX, maxY: MAX, maxZ: MAX };

export function isInside({ minX, minY, minZ, maxX, maxY, maxZ }: Box, { x, y, z }: ChunkNumbers): boolean {
  return x >= minX && x <= maxX && y >= minY && y <= maxY && z >= minZ && z <= maxZ;
}
