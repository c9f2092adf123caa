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
export { generate, type Recipe, RECIPE_LIMITS } from './generate.ts';
export { judge, type Verdict } from './judge.ts';
export type { BoundingBox, Circle, RaceMap } from './map.ts';
export { MAPS } from './maps.ts';
export { RULE_NAMES, type RuleName } from './rules.ts';
export { State } from './state.ts';
export { mapSvg } from './svg.ts';
export { type Config, Track } from './track.ts';
export type { Briefing, RaceView, Thrust } from './view.ts';
