import { intAt, type Rng, uniform } from '@lockstep/kernel';

/** Constants of the document's fountain. z is up, as everywhere here ([SW-E23]); the document's particles have y up. */
export const SPAWN_PER_FRAME = 3;
const SPREAD_P = 0.05;
const SPREAD_dP = 0.01;
const JET = 7;
const JET_LEAST = 0.7;
const GRAVITY = -9.8;
const COLOR_LEAST = 0.75;
const FADE = -0.25;
const FADE_IN = 0.9;

const MAX_PARTICLES = 0x1000_0000;
const MAX_CELLS = 1024;

export interface ParticleSettings {
  /** Size of the ring: the oldest particle makes room for the newest. */
  readonly capacity: number;
  /** [SW-R42] Metres a cell. */
  readonly gridScale: number;
  /** [SW-E23] Cells along x, y and z; one along y makes the document's flat grid. */
  readonly cellsX: number;
  readonly cellsY: number;
  readonly cellsZ: number;
  /** [SW-E19] Acceleration by a slope of density, in m^(n+2)/s² for an n-dimensional grid: a = -dispersion * ∇density. */
  readonly dispersion: number;
  readonly maxDispersion: number;
  /** [SW-E20] How fast a particle takes on the mean velocity of its cell, 1/s. */
  readonly follow: number;
  /** [SW-R47] */
  readonly restitution: number;
  readonly friction: number;
}

/** [SW-E19] The coefficient for which a difference of one particle between the neighbours is 1 m/s², as in the document (Dc = 1). */
export function documentDispersion(gridScale: number, dimensions: 2 | 3): number {
  return 2 * gridScale * gridScale * gridScale * (dimensions === 3 ? gridScale : 1);
}

export const DEFAULT_PARTICLES: ParticleSettings = {
  capacity: 256,
  gridScale: 0.25,
  cellsX: 32,
  cellsY: 1,
  cellsZ: 32,
  dispersion: documentDispersion(0.25, 2),
  maxDispersion: 100,
  follow: 0,
  restitution: 0.3,
  friction: 0.7,
};

/**
 * [SW-R39] Lagrangian: particles that move through space, in columns. Eulerian: density and mean velocity on a grid. The grid is made anew from
 * the particles every step and evens them out. Coordinates are the emitter's, the floor is at z = 0.
 */
export class Particles {
  readonly settings: ParticleSettings;
  /** [SW-E24] Slots that have ever been spawned into. */
  live = 0;
  next = 0;
  readonly bitmap: Int32Array;
  readonly px: Float64Array;
  readonly py: Float64Array;
  readonly pz: Float64Array;
  readonly vx: Float64Array;
  readonly vy: Float64Array;
  readonly vz: Float64Array;
  readonly ax: Float64Array;
  readonly ay: Float64Array;
  readonly az: Float64Array;
  /** [SW-E14] Four numbers a particle: red, green, blue, alpha; and what they gain a second. */
  readonly color: Float32Array;
  readonly dColor: Float32Array;
  /** [SW-R40] `particle_cel`: cells with a border of one ([SW-E17]), which stays empty. */
  readonly density: Float64Array;
  readonly momentumX: Float64Array;
  readonly momentumY: Float64Array;
  readonly momentumZ: Float64Array;
  /** From a cell to the next along y and z. */
  readonly strideY: number;
  readonly strideZ: number;
  private readonly cellOf: Int32Array;

  constructor(settings: ParticleSettings = DEFAULT_PARTICLES) {
    const { capacity, cellsX, cellsY, cellsZ } = settings;
    intAt(capacity, 'particles.capacity', 1, MAX_PARTICLES);
    for (const name of ['cellsX', 'cellsY', 'cellsZ'] as const) intAt(settings[name], `particles.${name}`, 1, MAX_CELLS);
    this.settings = settings;
    this.bitmap = new Int32Array(capacity);
    this.px = new Float64Array(capacity);
    this.py = new Float64Array(capacity);
    this.pz = new Float64Array(capacity);
    this.vx = new Float64Array(capacity);
    this.vy = new Float64Array(capacity);
    this.vz = new Float64Array(capacity);
    this.ax = new Float64Array(capacity);
    this.ay = new Float64Array(capacity);
    this.az = new Float64Array(capacity);
    this.color = new Float32Array(capacity * 4);
    this.dColor = new Float32Array(capacity * 4);
    this.cellOf = new Int32Array(capacity);
    this.strideY = cellsX + 2;
    this.strideZ = this.strideY * (cellsY + 2);
    const cells = this.strideZ * (cellsZ + 2);
    this.density = new Float64Array(cells);
    this.momentumX = new Float64Array(cells);
    this.momentumY = new Float64Array(cells);
    this.momentumZ = new Float64Array(cells);
  }

  /** [SW-R41] A slot of the ring for a new particle: the next one, which may still hold the oldest. */
  slot(): number {
    const slot = this.next++;
    if (this.next === this.settings.capacity) this.next = 0;
    if (slot >= this.live) this.live = slot + 1;
    return slot;
  }

  step(dt: number): void {
    this.deposit();
    this.move(dt);
  }

  /** [SW-R42] [SW-R43] Zeroes the grid; every particle adds its alpha, and its velocity by as much, to the cell that it is in. Hot. */
  private deposit(): void {
    const { density, momentumX, momentumY, momentumZ, px, py, pz, vx, vy, vz, color, cellOf, live, strideY, strideZ } = this;
    const { gridScale, cellsX, cellsY, cellsZ } = this.settings;
    const perMeter = 1 / gridScale;
    const originX = -0.5 * gridScale * cellsX;
    const originY = -0.5 * gridScale * cellsY;
    density.fill(0);
    momentumX.fill(0);
    momentumY.fill(0);
    momentumZ.fill(0);
    for (let i = 0; i < live; i++) {
      const alpha = color[i * 4 + 3]!;
      if (alpha <= 0) continue; // [SW-E18] the dead weigh nothing
      // [SW-E16] floor: truncation would make the cell at 0 twice as wide
      const x = within(Math.floor(perMeter * (px[i]! - originX)), cellsX);
      const y = within(Math.floor(perMeter * (py[i]! - originY)), cellsY);
      const z = within(Math.floor(perMeter * pz[i]!), cellsZ);
      const cell = x + 1 + (y + 1) * strideY + (z + 1) * strideZ;
      const weight = alpha < 1 ? alpha : 1;
      cellOf[i] = cell;
      density[cell]! += weight;
      momentumX[cell]! += weight * vx[i]!;
      momentumY[cell]! += weight * vy[i]!;
      momentumZ[cell]! += weight * vz[i]!;
    }
  }

  /** [SW-R45] [SW-R46] [SW-R47] Dispersion, integration, bounce. Hot. */
  private move(dt: number): void {
    const { density, px, py, pz, vx, vy, vz, ax, ay, az, color, dColor, cellOf, live, strideY, strideZ } = this;
    const { gridScale, cellsY, dispersion, maxDispersion, follow, restitution, friction } = this.settings;
    const isFlat = cellsY === 1;
    const slope = dispersion / (2 * gridScale * gridScale * gridScale * (isFlat ? 1 : gridScale));
    const half = 0.5 * dt * dt;
    for (let i = 0; i < live; i++) {
      const at = i * 4;
      if (color[at + 3]! <= 0) continue;
      const cell = cellOf[i]!;
      const pushX = capped(slope * (density[cell - 1]! - density[cell + 1]!), maxDispersion);
      const pushY = isFlat ? 0 : capped(slope * (density[cell - strideY]! - density[cell + strideY]!), maxDispersion);
      const pushZ = capped(slope * (density[cell - strideZ]! - density[cell + strideZ]!), maxDispersion);
      let u = vx[i]!;
      let v = vy[i]!;
      let w = vz[i]!;
      if (follow !== 0) {
        const pull = Math.min(1, follow * dt);
        u += pull * (this.momentumX[cell]! / density[cell]! - u);
        v += pull * (this.momentumY[cell]! / density[cell]! - v);
        w += pull * (this.momentumZ[cell]! / density[cell]! - w);
      }
      const ddx = ax[i]! + pushX;
      const ddy = ay[i]! + pushY;
      const ddz = az[i]! + pushZ;
      // [SW-E15] half dt squared, not cubed: exact for constant acceleration at any dt
      px[i]! += half * ddx + dt * u;
      py[i]! += half * ddy + dt * v;
      const z = pz[i]! + (half * ddz + dt * w);
      u += dt * ddx;
      v += dt * ddy;
      w += dt * ddz;
      // [SW-E21] [SW-E22] only what falls bounces, and friction is on both axes of the floor
      const bounces = z < 0 && w < 0;
      pz[i] = bounces ? -z : z;
      vx[i] = bounces ? friction * u : u;
      vy[i] = bounces ? friction * v : v;
      vz[i] = bounces ? -restitution * w : w;
      color[at]! += dt * dColor[at]!;
      color[at + 1]! += dt * dColor[at + 1]!;
      color[at + 2]! += dt * dColor[at + 2]!;
      color[at + 3]! += dt * dColor[at + 3]!;
    }
  }

  /** When the region's origin moves, particles stay where they are in the world. */
  shift(dx: number, dy: number, dz: number): void {
    for (let i = 0; i < this.live; i++) {
      this.px[i]! += dx;
      this.py[i]! += dy;
      this.pz[i]! += dz;
    }
  }
}

function within(cell: number, cells: number): number {
  return cell < 0 ? 0 : cell >= cells ? cells - 1 : cell;
}

function capped(value: number, most: number): number {
  return value > most ? most : value < -most ? -most : value;
}

const clamp01 = (value: number): number => (value > 0 ? (value < 1 ? value : 1) : 0);

/** [SW-R41] The document's fountain: `count` particles at the origin, upwards. `bitmaps` is how many pictures there are to choose from. */
export function spawnFountain(particles: Particles, rng: Rng, count = SPAWN_PER_FRAME, bitmaps = 1): void {
  for (let n = 0; n < count; n++) {
    const i = particles.slot();
    particles.px[i] = uniform(rng, -SPREAD_P, SPREAD_P);
    particles.py[i] = 0;
    particles.pz[i] = 0;
    particles.vx[i] = uniform(rng, -SPREAD_dP, SPREAD_dP);
    particles.vy[i] = 0;
    particles.vz[i] = JET * uniform(rng, JET_LEAST, 1);
    particles.ax[i] = 0;
    particles.ay[i] = 0;
    particles.az[i] = GRAVITY;
    for (let c = 0; c < 3; c++) particles.color[i * 4 + c] = uniform(rng, COLOR_LEAST, 1);
    particles.color[i * 4 + 3] = 1;
    particles.dColor.fill(0, i * 4, i * 4 + 3);
    particles.dColor[i * 4 + 3] = FADE;
    particles.bitmap[i] = Math.floor(uniform(rng, 0, bitmaps));
  }
}

/** [SW-R49] One particle to draw. */
export interface Sprite {
  readonly bitmap: number;
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly red: number;
  readonly green: number;
  readonly blue: number;
  readonly alpha: number;
}

/** [SW-R48] [SW-R49] Colours are clamped; a new particle fades in: alpha 1 → 0.9 is drawn as 0 → 0.9. The dead are not drawn. */
export function spriteAt(particles: Particles, i: number): Sprite | null {
  const { color } = particles;
  const alpha = clamp01(color[i * 4 + 3]!);
  if (alpha === 0) return null;
  return {
    bitmap: particles.bitmap[i]!,
    x: particles.px[i]!,
    y: particles.py[i]!,
    z: particles.pz[i]!,
    red: clamp01(color[i * 4]!),
    green: clamp01(color[i * 4 + 1]!),
    blue: clamp01(color[i * 4 + 2]!),
    alpha: alpha > FADE_IN ? FADE_IN * clamp01((alpha - 1) / (FADE_IN - 1)) : alpha,
  };
}

/** [SW-R44] [SW-E20] One cell of the grid: its density, the shade to draw it in, and the mean velocity there. */
export function cellAt(
  particles: Particles,
  x: number,
  y: number,
  z: number,
): { density: number; shade: number; vx: number; vy: number; vz: number } {
  const cell = x + 1 + (y + 1) * particles.strideY + (z + 1) * particles.strideZ;
  const density = particles.density[cell]!;
  const mean = (momentum: Float64Array): number => (density === 0 ? 0 : momentum[cell]! / density);
  const shade = clamp01(0.1 * density);
  return { density, shade, vx: mean(particles.momentumX), vy: mean(particles.momentumY), vz: mean(particles.momentumZ) };
}
