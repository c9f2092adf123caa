import { InputError, numberAt, objectAt } from '@lockstep/kernel';

/**
 * Positions are whole numbers of grains, 2^-36 m. Within a region every sum and difference of positions and sizes is then exact in a double,
 * so that nothing depends on where the region's origin lies: not on the camera, not on the split into regions, not on the distance from chunk 0.
 */
export const GRAIN = 1 / 0x10_0000_0000;

/** A region's coordinates stay within ± 2^15 m: then even a difference of two, counted in grains, is below 2^53. */
export const REGION_REACH = 0x8000;

/** At 3 * 2^15 doubles are one grain apart, so that adding it rounds to whole grains (ties to even); |metres| must stay below 2^15. */
const ROUNDER = 3 * 0x8000;

/** The nearest whole number of grains, for |metres| < 2^15. Hot. */
export function grain(metres: number): number {
  return metres + ROUNDER - ROUNDER;
}

/** The nearest whole number of grains for numbers of any size; for data from outside. */
export function toGrain(metres: number): number {
  return Math.floor(metres * 0x10_0000_0000 + 0.5) * GRAIN;
}

/** [SW-R1] Chunk numbers are int32. */
export const MIN_CHUNK = -0x8000_0000;
export const MAX_CHUNK = 0x7fff_ffff;

/** [SW-R19] "Clamp the dt for the frame so that we don't have too high or too low frame rates". */
export const MAX_DT = 0.1;
export const MIN_DT = 0.001;

/** [SW-R30] */
export const MAX_ITERATIONS = 4;

/** What a world is made with. Lengths in metres, speeds in m/s. */
export interface Rules {
  /** [SW-R2] [SW-E1] The sides of a chunk, powers of two. */
  readonly ChunkDimX: number;
  readonly ChunkDimY: number;
  readonly ChunkDimZ: number;
  /** [SW-R16] */
  readonly SimChunksInCamera: number;
  readonly SimBoundsExpansion: number;
  readonly MaxEntityRadius: number;
  readonly MaxEntityVelocity: number;
  /** Acceleration along z of whatever has weight and no support. */
  readonly Gravity: number;
  readonly StepHeight: number;
  /** [SW-E9] The distance at which a body stops before a face: the document's tEpsilon, in metres. */
  readonly Skin: number;
}

export const DEFAULT_RULES: Rules = {
  ChunkDimX: 16,
  ChunkDimY: 16,
  ChunkDimZ: 16,
  SimChunksInCamera: 5,
  SimBoundsExpansion: 15,
  MaxEntityRadius: 5,
  MaxEntityVelocity: 30,
  Gravity: -9.8,
  StepHeight: 0.1,
  Skin: 0.001,
};

/** The door for rules: what is not named keeps its default. */
export function readRules(raw: unknown, path = 'rules'): Rules {
  const given = objectAt(raw, path, Object.keys(DEFAULT_RULES));
  const at = (key: keyof Rules, min: number, max: number): number =>
    given[key] === undefined ? DEFAULT_RULES[key] : numberAt(given[key], `${path}.${key}`, min, max);
  return {
    ChunkDimX: powerOfTwoAt(at('ChunkDimX', 1, 1024), `${path}.ChunkDimX`),
    ChunkDimY: powerOfTwoAt(at('ChunkDimY', 1, 1024), `${path}.ChunkDimY`),
    ChunkDimZ: powerOfTwoAt(at('ChunkDimZ', 1, 1024), `${path}.ChunkDimZ`),
    SimChunksInCamera: at('SimChunksInCamera', 0, 4096),
    SimBoundsExpansion: at('SimBoundsExpansion', 0, 4096),
    MaxEntityRadius: at('MaxEntityRadius', 0.001, 256),
    MaxEntityVelocity: at('MaxEntityVelocity', 0.001, 3000),
    Gravity: at('Gravity', -1000, 1000),
    StepHeight: at('StepHeight', 0, 10),
    Skin: at('Skin', 0.000_001, 0.1),
  };
}

/** Scaling by a power of two is exact. */
function powerOfTwoAt(side: number, path: string): number {
  let power = 1;
  while (power < side) power *= 2;
  if (power !== side) throw new InputError(path, 'a power of two 1..1024', side);
  return side;
}
