import { asteracerSolver } from '@lockstep/asteracer/solve';
import type { WorldSolver } from '@lockstep/solve';

/** The worlds that come with a solver. */
export const solvers: readonly WorldSolver[] = [asteracerSolver];
