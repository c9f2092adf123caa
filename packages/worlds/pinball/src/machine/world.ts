import type { Result, World } from '@lockstep/kernel';
import { actionFields, Controls } from './action.ts';
import { presets, readAction, readConfig, writeConfig } from './door.ts';
import { TICKS_PER_SECOND } from './pace.ts';
import { type Config, fields, State } from './state.ts';
import { step } from './step.ts';
import { brief, type Briefing, observe, type PinballView } from './view.ts';

/** Pinball: one player, one machine. The dice make launches a little different and find balls that lie still; nothing else. */
export const world: World<Config, State, Controls, PinballView, Briefing> = {
  name: 'pinball',
  rulesVersion: 4,
  ticksPerSecond: TICKS_PER_SECOND,
  presets,
  readConfig,
  writeConfig,
  seats: () => 1,
  maxTicks: ({ ticks }) => ticks,
  create: (config, seed) => new State(config, seed),
  step,
  result,
  brief,
  observe,
  readAction,
  idle: () => new Controls(),
  forfeit() {
    const controls = new Controls();
    controls.gone = true;
    return controls;
  },
  fields,
  actionFields,
};

/** [PB-M2.2] A game is over when its last ball is lost. */
function result({ tick, score, ballsLeft, gone, config }: State): Result | null {
  const over = { scores: [score], ranks: [1] };
  if (ballsLeft <= 0) return { ...over, reason: 'game over' };
  if (gone) return { ...over, reason: 'the player is out' };
  return tick >= config.ticks ? { ...over, reason: 'time is up' } : null;
}
