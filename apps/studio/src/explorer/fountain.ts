import { type Rng, seedRng } from '@lockstep/kernel';
import {
  cellAt,
  DEFAULT_PARTICLES,
  documentDispersion,
  Particles,
  type ParticleSettings,
  spawnFountain,
  SPAWN_PER_FRAME,
} from '@lockstep/sparse';
import { signal } from '@preact/signals';

type Live = { -readonly [Name in keyof ParticleSettings]: ParticleSettings[Name] };

/** What a person may set, by its range. Dispersion is in units of the document's. */
export const KNOBS = {
  spawn: { min: 0, max: 40, step: 1, value: SPAWN_PER_FRAME },
  rate: { min: 10, max: 144, step: 1, value: 60 },
  dispersion: { min: 0, max: 10, step: 0.1, value: 1 },
  maxDispersion: { min: 0, max: 500, step: 5, value: DEFAULT_PARTICLES.maxDispersion },
  follow: { min: 0, max: 20, step: 0.5, value: DEFAULT_PARTICLES.follow },
  restitution: { min: 0, max: 1, step: 0.05, value: DEFAULT_PARTICLES.restitution },
  friction: { min: 0, max: 1, step: 0.05, value: DEFAULT_PARTICLES.friction },
  ring: { min: 16, max: 8192, step: 16, value: 1024 },
  gridScale: { min: 0.1, max: 1, step: 0.05, value: DEFAULT_PARTICLES.gridScale },
} as const;
export type Knob = keyof typeof KNOBS;

/** [SW-R39] The document's fountain with its numbers under a person's hands. What changes the size of a column starts it anew. */
export class Fountain {
  readonly knobs = signal<Readonly<Record<Knob, number>>>(
    Object.fromEntries(Object.entries(KNOBS).map(([name, { value }]) => [name, value])) as Record<Knob, number>,
  );
  readonly showsGrid = signal(true);
  readonly frame = signal(0);
  particles = new Particles(DEFAULT_PARTICLES);
  private live: Live = { ...DEFAULT_PARTICLES };
  private rng: Rng = seedRng(1n);
  private owed = 0;

  constructor() {
    this.restart();
  }

  set(knob: Knob, value: number): void {
    this.knobs.value = { ...this.knobs.value, [knob]: value };
    if (knob === 'ring' || knob === 'gridScale') this.restart();
    else this.tune();
  }

  restart(): void {
    const { ring, gridScale } = this.knobs.value;
    const cells = Math.round(8 / gridScale);
    this.live = { ...DEFAULT_PARTICLES, capacity: ring, gridScale, cellsX: cells, cellsZ: cells };
    this.tune();
    this.particles = new Particles(this.live);
    this.rng = seedRng(1n);
    this.frame.value = 0;
  }

  private tune(): void {
    const { dispersion, maxDispersion, follow, restitution, friction, gridScale } = this.knobs.value;
    Object.assign(this.live, { dispersion: dispersion * documentDispersion(gridScale, 2), maxDispersion, follow, restitution, friction });
  }

  /** Frames of the chosen length, as many as fit. */
  pass(seconds: number): void {
    const { rate, spawn } = this.knobs.value;
    this.owed += seconds * rate;
    let left = Math.min(Math.floor(this.owed + 1e-9), 30);
    this.owed = Math.max(0, this.owed - Math.floor(this.owed + 1e-9));
    for (; left > 0; left--) {
      spawnFountain(this.particles, this.rng, spawn);
      this.particles.step(1 / rate);
      this.frame.value++;
    }
  }

  /** Particles that live, and the density of the densest cell. */
  facts(): { alive: number; densest: number } {
    let alive = 0;
    for (let i = 0; i < this.particles.live; i++) if (this.particles.color[i * 4 + 3]! > 0) alive++;
    let densest = 0;
    for (let z = 0; z < this.live.cellsZ; z++)
      for (let x = 0; x < this.live.cellsX; x++) densest = Math.max(densest, cellAt(this.particles, x, 0, z).density);
    return { alive, densest };
  }
}
