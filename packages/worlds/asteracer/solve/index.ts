export { asteracerSolver } from './entry.ts';
export { improveWindow, type Improved, type WindowOptions } from './improve.ts';
export { type ClosedGap, closedGaps, goalOrder, valueField } from './picture.ts';
