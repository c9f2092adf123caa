export { Instruction } from './action.ts';
export { asteracer } from './entry.ts';
export { Flight } from './flight.ts';
export {
  type InstructionFile,
  readInstructions,
  readMap,
  readStates,
  type StateLine,
  stateLineOf,
  writeInstructions,
  writeMap,
  writeStates,
} from './formats.ts';
export { judge, type Verdict } from './judge.ts';
export type { BoundingBox, Circle, RaceMap } from './map.ts';
export { RULE_NAMES, type RuleName } from './rules.ts';
export { State } from './state.ts';
export { type Config, Track } from './track.ts';
export type { Briefing, RaceView, Thrust } from './view.ts';
