import type { Result, World } from '@lockstep/kernel';
import { actionFields, Instruction } from './action.ts';
import { presets, readAction, readConfig, writeConfig } from './door.ts';
import { fields, State } from './state.ts';
import { step } from './step.ts';
import type { Config } from './track.ts';
import { brief, type Briefing, observe, type RaceView } from './view.ts';

/** Asteracer: one racer, asteroids, goals in any order, whole numbers only. There are no dice: the seed changes nothing. */
export const world: World<Config, State, Instruction, RaceView, Briefing> = {
  name: 'asteracer',
  rulesVersion: 1,
  ticksPerSecond: 60,
  presets,
  readConfig,
  writeConfig,
  seats: () => 1,
  maxTicks: ({ ticks }) => ticks,
  create: (config) => new State(config),
  step,
  result,
  brief,
  observe,
  readAction,
  idle: () => new Instruction(),
  forfeit() {
    const instruction = new Instruction();
    instruction.gone = true;
    return instruction;
  },
  fields,
  actionFields,
};

/** [AR-1.3] A race is over when every goal is reached: at once where there is none. The score is the number of goals. */
function result({ tick, reachedCount, reached, gone, config }: State): Result | null {
  const over = { scores: [reachedCount], ranks: [1] };
  if (reachedCount === reached.length) return { ...over, reason: `all goals reached in ${tick} ticks` };
  if (gone) return { ...over, reason: 'the pilot is out' };
  return tick >= config.ticks ? { ...over, reason: 'time is up' } : null;
}
