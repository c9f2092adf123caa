import { benchAsteracer } from './asteracer.ts';
import { benchCodeball } from './codeball.ts';
import type { Bench } from './measurement.ts';
import { storeBench } from './sparse-store.ts';

export type { Bench, BenchOptions, Measurement } from './measurement.ts';

/** One benchmark a world, and one of permanent memory. */
export const benches: Readonly<Record<string, Bench>> = { asteracer: benchAsteracer, codeball: benchCodeball, 'sparse-store': storeBench };
