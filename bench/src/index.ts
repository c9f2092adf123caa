import { benchAsteracer } from './asteracer.ts';
import { benchBots } from './bots.ts';
import { benchCodeball } from './codeball.ts';
import { benchLeague } from './league.ts';
import { benchPinball } from './pinball.ts';
import type { Bench } from './measurement.ts';
import { benchSparse } from './sparse.ts';

export { plot } from './plot.ts';
export type { Bench, BenchOptions, Measurement } from './measurement.ts';

/** One benchmark a world; one of the ways to reach bots, one of the league. */
export const benches: Readonly<Record<string, Bench>> = {
  asteracer: benchAsteracer,
  bots: benchBots,
  codeball: benchCodeball,
  league: benchLeague,
  pinball: benchPinball,
  sparse: benchSparse,
};
