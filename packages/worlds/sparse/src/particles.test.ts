import { seedRng } from '@lockstep/kernel';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cellAt, DEFAULT_PARTICLES, documentDispersion, Particles, SPAWN_PER_FRAME, spawnFountain, spriteAt } from './particles.ts';

/** One particle of alpha 1 that does not fade. */
function put(particles: Particles, x: number, z: number, vx = 0, vz = 0, az = 0, y = 0): number {
  const i = particles.slot();
  particles.px[i] = x;
  particles.py[i] = y;
  particles.pz[i] = z;
  particles.vx[i] = vx;
  particles.vy[i] = 0;
  particles.vz[i] = vz;
  particles.ax[i] = 0;
  particles.ay[i] = 0;
  particles.az[i] = az;
  particles.color.fill(1, i * 4, i * 4 + 4);
  particles.dColor.fill(0, i * 4, i * 4 + 4);
  return i;
}

const still = { ...DEFAULT_PARTICLES, dispersion: 0 };

describe('particles that move through space', () => {
  it('[SW-E15] the trajectory is exact for constant acceleration at any dt: a jet of 7 m/s rises 2.5 m', () => {
    for (const rate of [30, 60, 144]) {
      const particles = new Particles(still);
      const i = put(particles, 0, 0, 0.5, 7, -9.8);
      let apex = 0;
      for (let tick = 0; tick < rate; tick++) {
        particles.step(1 / rate);
        apex = Math.max(apex, particles.pz[i]!);
      }
      expect(particles.pz[i]).toBeCloseTo(7 - 4.9, 12);
      expect(particles.px[i]).toBeCloseTo(0.5, 12);
      expect(Math.abs(apex - 2.5)).toBeLessThan(0.002);
    }
  });

  it('[SW-R46] [SW-E14] position, velocity and all four parts of the colour are integrated', () => {
    const particles = new Particles(still);
    const i = put(particles, 1, 1, 2, 3, -4);
    particles.dColor.set([-0.5, -0.25, 0.25, -1], i * 4);
    particles.step(0.5);
    expect([particles.px[i], particles.pz[i], particles.vz[i]]).toEqual([2, 1 + 1.5 - 0.5, 1]);
    expect([...particles.color.subarray(i * 4, i * 4 + 4)]).toEqual([0.75, 0.875, 1.125, 0.5]);
  });

  it('[SW-R47] [SW-E21] [SW-E22] what falls bounces with restitution and friction on both axes; what rises is left alone', () => {
    const particles = new Particles(still);
    const falls = put(particles, 0, 0.5, 1, -2);
    particles.vy[falls] = 10;
    const rises = put(particles, 0, -3, 1, 2);
    particles.step(0.5);
    expect([particles.pz[falls], particles.vz[falls], particles.vx[falls], particles.vy[falls]]).toEqual([0.5, 0.6, 0.7, 7]);
    expect([particles.pz[rises], particles.vz[rises], particles.vx[rises]]).toEqual([-2, 2, 1]);
  });

  it('[SW-R40] [SW-R41] three a frame into a ring: the oldest makes room for the newest', () => {
    const particles = new Particles({ ...DEFAULT_PARTICLES, capacity: 8 });
    const rng = seedRng(1n);
    spawnFountain(particles, rng);
    expect([particles.live, particles.next]).toEqual([SPAWN_PER_FRAME, 3]);
    spawnFountain(particles, rng, 6, 5);
    expect([particles.live, particles.next]).toEqual([8, 1]);
    for (let i = 0; i < 8; i++) {
      expect(Math.abs(particles.px[i]!)).toBeLessThanOrEqual(0.05);
      expect(particles.vz[i]! >= 4.9 && particles.vz[i]! < 7 && Math.abs(particles.vx[i]!) <= 0.01).toBe(true);
      expect([particles.az[i], particles.color[i * 4 + 3], particles.dColor[i * 4 + 3]]).toEqual([-9.8, 1, -0.25]);
      expect(particles.color[i * 4]! >= 0.75 && particles.bitmap[i]! < 5).toBe(true);
    }
  });

  it('[SW-E24] [SW-E18] what was never spawned, and what has faded, neither moves nor weighs', () => {
    const particles = new Particles(DEFAULT_PARTICLES);
    const dead = put(particles, 0, 1, 1, 1);
    particles.color[dead * 4 + 3] = 0;
    particles.step(0.1);
    expect([particles.px[dead], particles.density.some((density) => density !== 0)]).toEqual([0, false]);
    expect(spriteAt(particles, dead)).toBeNull();
  });

  it('[SW-E18] alpha below 0 weighs nothing, and never pulls; above 1 it weighs 1', () => {
    const particles = new Particles(DEFAULT_PARTICLES);
    particles.color[put(particles, 0.1, 0.1) * 4 + 3] = -2;
    particles.step(0.1);
    expect(particles.density.every((density) => density === 0)).toBe(true);
    particles.color[put(particles, 0.1, 0.1) * 4 + 3] = 3;
    particles.step(0.1);
    expect(Math.max(...particles.density)).toBe(1);
  });

  it('[SW-R48] [SW-R49] colours are clamped, and a new particle fades in', () => {
    const particles = new Particles(still);
    const i = put(particles, 1, 2);
    particles.bitmap[i] = 7;
    const alphaOf = (alpha: number): number => {
      particles.color[i * 4 + 3] = alpha;
      return Math.round(spriteAt(particles, i)!.alpha * 1e6) / 1e6;
    };
    expect([2, 1, 0.95, 0.9, 0.5].map(alphaOf)).toEqual([0, 0, 0.45, 0.9, 0.5]);
    particles.color.set([-1, 0.5, 3], i * 4);
    expect(spriteAt(particles, i)).toEqual({ bitmap: 7, x: 1, y: 0, z: 2, red: 0, green: 0.5, blue: 1, alpha: 0.5 });
  });
});

describe('the grid', () => {
  it('[SW-R39] [SW-R42] [SW-R43] density and mean velocity are those of the particles in each cell, made anew every step', () => {
    const particles = new Particles({ ...still, cellsX: 4, cellsZ: 4 });
    put(particles, 0.1, 0.3, 1, 2);
    const half = put(particles, 0.2, 0.3, 4, 8);
    particles.color[half * 4 + 3] = 0.5;
    for (let n = 0; n < 2; n++) particles.step(0);
    expect(cellAt(particles, 2, 0, 1)).toEqual({ density: 1.5, shade: 0.1 * 1.5, vx: (1 + 2) / 1.5, vy: 0, vz: (2 + 4) / 1.5 });
    expect(cellAt(particles, 1, 0, 1).density).toBe(0);
  });

  it('[SW-E16] cells are equally wide on both sides of 0', () => {
    const particles = new Particles({ ...still, cellsX: 4 });
    for (const x of [-0.6, -0.4, -0.2, -0.1, 0.1, 0.2, 0.4]) put(particles, x, 0.1);
    particles.step(0);
    expect([0, 1, 2, 3].map((x) => cellAt(particles, x, 0, 0).density)).toEqual([2, 2, 2, 1]);
  });

  it('[SW-E17] a particle at the border adds to the cell whose neighbours push it; beyond the border there is nothing', () => {
    const particles = new Particles({ ...DEFAULT_PARTICLES, cellsX: 4, cellsZ: 4 });
    const left = put(particles, -99, 0.6);
    put(particles, -0.2, 0.6);
    put(particles, -0.2, 0.6);
    particles.step(0.5);
    expect(particles.vx[left]).toBe(0.5 * (0 - 2));
    expect(particles.density[0]).toBe(0);
  });

  it("[SW-R45] [SW-E19] dispersion: the document's numbers by default, capped, and the same field on a finer grid", () => {
    const push = (settings: Partial<typeof DEFAULT_PARTICLES>, neighbours: number): number => {
      const particles = new Particles({ ...DEFAULT_PARTICLES, capacity: 20_000, ...settings });
      const i = put(particles, 0.01, 1.01);
      for (let n = 0; n < neighbours; n++) put(particles, 0.01 - particles.settings.gridScale, 1.01);
      particles.step(1);
      return particles.vx[i]!;
    };
    expect([push({}, 1), push({}, 7), push({}, 10_000)]).toEqual([1, 7, 100]);
    const finer = { gridScale: 0.125, dispersion: documentDispersion(0.25, 2) };
    expect(push(finer, 1)).toBe(8);
  });

  it('[SW-R45] the push leads from the crowded side to the empty one, along x and z, whatever stands in the middle', () => {
    fc.assert(
      fc.property(fc.nat(9), fc.nat(9), fc.nat(9), fc.nat(9), fc.nat(9), (left, right, down, up, middle) => {
        const particles = new Particles(DEFAULT_PARTICLES);
        const i = put(particles, 0.1, 1.1);
        const add = (count: number, x: number, z: number): void => {
          for (let n = 0; n < count; n++) put(particles, x, z);
        };
        add(left, -0.15, 1.1);
        add(right, 0.35, 1.1);
        add(down, 0.1, 0.85);
        add(up, 0.1, 1.35);
        add(middle, 0.1, 1.1);
        particles.step(1 / 8);
        expect([particles.vx[i]! * 8, particles.vz[i]! * 8]).toEqual([left - right, down - up]);
      }),
    );
  });

  it('[SW-E20] particles may follow the mean velocity of their cell; by default they do not', () => {
    const meanOf = (follow: number): number => {
      const particles = new Particles({ ...still, follow });
      const i = put(particles, 0.1, 1, 2);
      put(particles, 0.1, 1, 6);
      particles.step(0.25);
      return particles.vx[i]!;
    };
    expect([meanOf(0), meanOf(1), meanOf(1e9)]).toEqual([2, 2.5, 4]);
  });

  it('[SW-E23] z is up, and the grid may have three dimensions', () => {
    const particles = new Particles({ ...DEFAULT_PARTICLES, cellsY: 8, dispersion: documentDispersion(0.25, 3) });
    const i = put(particles, 0.1, 1.1, 0, 0, 0, 0.1);
    for (let n = 0; n < 5; n++) put(particles, 0.1, 1.1, 0, 0, 0, -0.15);
    particles.step(1);
    expect([particles.vx[i], particles.vy[i], particles.vz[i]]).toEqual([0, 5, 0]);
    const flat = new Particles(DEFAULT_PARTICLES);
    const j = put(flat, 0.1, 1.1, 0, 0, 0, 0.1);
    for (let n = 0; n < 5; n++) put(flat, 0.1, 1.1, 0, 0, 0, -0.15);
    flat.step(1);
    expect(flat.vy[j]).toBe(0);
  });

  it('[SW-R44] a cell is drawn the lighter the denser it is', () => {
    const particles = new Particles(still);
    for (let n = 0; n < 25; n++) put(particles, 0.1, n < 5 ? 0.1 : 0.3);
    particles.step(0);
    expect([0, 1, 2].map((z) => cellAt(particles, 16, 0, z).shade)).toEqual([0.5, 1, 0]);
  });

  it('[SW-R39] the grid evens particles out: a fountain widens as it falls', () => {
    const spread = (dispersion: number): number => {
      const particles = new Particles({ ...DEFAULT_PARTICLES, dispersion });
      const rng = seedRng(3n);
      for (let tick = 0; tick < 120; tick++) {
        spawnFountain(particles, rng);
        particles.step(1 / 60);
      }
      return Math.max(...particles.px.map((x) => Math.abs(x)));
    };
    expect(spread(DEFAULT_PARTICLES.dispersion)).toBeGreaterThan(4 * spread(0));
  });

  it('[SW-R46] particles stay where they are in the world when the origin moves', () => {
    const particles = new Particles(still);
    put(particles, 1, 2);
    particles.shift(16, 0, -16);
    expect([particles.px[0], particles.pz[0]]).toEqual([17, -14]);
  });

  it('[SW-R41] [SW-R42] a ring or a grid without room is refused', () => {
    expect(() => new Particles({ ...DEFAULT_PARTICLES, capacity: 0 })).toThrow('particles.capacity: expected a whole number 1..');
    expect(() => new Particles({ ...DEFAULT_PARTICLES, cellsZ: 1.5 })).toThrow('particles.cellsZ: expected a whole number 1..1024');
  });
});
