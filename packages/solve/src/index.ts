export { type Campaign, carryOut, type Crew, type Outcome } from './campaign.ts';
export { Lineage } from './lineage.ts';
export { cellAt, Marcher, type Raster, timeAt, type TimeField } from './march.ts';
export { annealOrder, type Cooling, neighboursOf, shuffled } from './order.ts';
export { Sieve } from './sieve.ts';
export type { Answer, Quest, Question, WorldSolver } from './solver.ts';
