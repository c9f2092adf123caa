import { MAX_DT, MIN_DT, type Rules } from './rules.ts';

/** A box with both ends; which of them belong to it is for the user to say. */
export class Box {
  minX = 0;
  minY = 0;
  minZ = 0;
  maxX = 0;
  maxY = 0;
  maxZ = 0;
}

/** [SW-R16] The four boxes of a region, in its own coordinates. */
export interface RegionBounds {
  /** `CameraBoundsInMeters = SimChunksInCamera * World->ChunkDimInMeters` (yellow) */
  readonly camera: Box;
  /** `SimBounds = CameraBoundsInMeters + SimBoundsExpansion` (cyan) */
  readonly sim: Box;
  /** `UpdatableBounds = CameraBoundsInMeters + SimBoundsExpansion + MaxEntityRadius` (magenta) */
  readonly updatable: Box;
  /** `Bounds = UpdatableBounds + UpdateSafetyMargin`, which is `MaxEntityRadius + dt * MaxEntityVelocity` (orange) */
  readonly bounds: Box;
}

/** How many chunks the camera sees along each axis. */
export interface CameraChunks {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

/** [SW-R16] [SW-E27] The same formula on all three axes, around a camera at (x, y, z). */
export function regionBounds(rules: Rules, chunks: CameraChunks, x: number, y: number, z: number, dt: number): RegionBounds {
  const camera = new Box();
  const halfX = (chunks.x * rules.ChunkDimX) / 2;
  const halfY = (chunks.y * rules.ChunkDimY) / 2;
  const halfZ = (chunks.z * rules.ChunkDimZ) / 2;
  Object.assign(camera, { minX: x - halfX, minY: y - halfY, minZ: z - halfZ, maxX: x + halfX, maxY: y + halfY, maxZ: z + halfZ });
  const sim = expanded(camera, rules.SimBoundsExpansion);
  const updatable = expanded(sim, rules.MaxEntityRadius);
  const bounds = expanded(updatable, rules.MaxEntityRadius + dt * rules.MaxEntityVelocity);
  return { camera, sim, updatable, bounds };
}

export function expanded(box: Box, by: number): Box {
  const wider = new Box();
  wider.minX = box.minX - by;
  wider.minY = box.minY - by;
  wider.minZ = box.minZ - by;
  wider.maxX = box.maxX + by;
  wider.maxY = box.maxY + by;
  wider.maxZ = box.maxZ + by;
  return wider;
}

/** Half-open: boxes side by side share no point. */
export function contains(box: Box, x: number, y: number, z: number): boolean {
  return x >= box.minX && x < box.maxX && y >= box.minY && y < box.maxY && z >= box.minZ && z < box.maxZ;
}

/** [SW-R19] Inside MIN_DT … MAX_DT; the caller warns when the answer is not what it gave. */
export function clampDt(dt: number): number {
  return dt > MAX_DT ? MAX_DT : dt >= MIN_DT ? dt : MIN_DT;
}

/** [SW-E35] Turns frames of any length into steps of one: the world neither slows down below 10 frames a second nor races above 1000. */
export class FixedStep {
  readonly dt: number;
  /** Time that has passed and is not simulated yet. */
  rest = 0;
  private readonly maxSteps: number;

  constructor(dt: number, maxSteps = 8) {
    this.dt = clampDt(dt);
    this.maxSteps = maxSteps;
  }

  /** How many steps a frame of so many seconds is worth. What exceeds the most steps a frame may take is forgotten. */
  stepsFor(seconds: number): number {
    this.rest += seconds > 0 ? seconds : 0; // no number is no time
    const steps = Math.floor(this.rest / this.dt);
    this.rest = steps > this.maxSteps ? 0 : this.rest - steps * this.dt;
    return Math.min(steps, this.maxSteps);
  }
}
