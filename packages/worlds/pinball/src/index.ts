export { pinball } from './entry.ts';
export { Controls } from './machine/action.ts';
export type * from './machine/layout.ts';
export { Machine } from './machine/machine.ts';
export { readLayout } from './machine/read.ts';
export { type Config, State } from './machine/state.ts';
export { TABLES } from './machine/tables.ts';
export type { Briefing, PinballView, Play } from './machine/view.ts';
export * from './physics/index.ts';
