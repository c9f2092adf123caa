import type { Result, World } from '@lockstep/kernel';
import { Action, actionFields } from './action.ts';
import { presets, readAction, readConfig, writeConfig } from './door.ts';
import { kickOff } from './kickoff.ts';
import type { Config, Rules } from './rules.ts';
import { fields, State } from './state.ts';
import { step } from './step.ts';
import { brief, type GameView, observe } from './view.ts';

/** CodeBall 2018: robot football. Seat 0 is player 1 (attacks z > 0), seat 1 player 2. */
export const world: World<Config, State, Action, GameView, Rules> = {
  name: 'codeball',
  rulesVersion: 1,
  ticksPerSecond: 60,
  presets,
  readConfig,
  writeConfig,
  seats: () => 2,
  maxTicks: ({ rules }) => rules.max_tick_count,
  create(config, seed) {
    const state = new State(config, seed);
    kickOff(state);
    return state;
  },
  step,
  result,
  standing: (state) => standing(state, 'broken off'),
  brief,
  observe,
  readAction,
  idle: (config) => new Action(config.rules.team_size),
  forfeit(config) {
    const action = new Action(config.rules.team_size);
    action.crashed = true;
    return action;
  },
  fields,
  actionFields,
};

/** [CB-1.2] The game lasts max_tick_count ticks; it ends early when all strategies have crashed. */
function result(state: State): Result | null {
  const crashed = state.crashedA && state.crashedB;
  if (state.tick < state.config.rules.max_tick_count && !crashed) return null;
  return standing(state, crashed ? 'all strategies crashed' : 'time is up');
}

function standing({ scoreA, scoreB }: State, reason: string): Result {
  return { scores: [scoreA, scoreB], ranks: [scoreA >= scoreB ? 1 : 2, scoreB >= scoreA ? 1 : 2], reason };
}
