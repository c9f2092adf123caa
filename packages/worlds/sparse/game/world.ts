import type { Result, World } from '@lockstep/kernel';
import { actionFields, Deed, readAction } from './action.ts';
import { type Config, presets, readConfig, writeConfig } from './config.ts';
import { settleHeroes } from './dungeon.ts';
import { POINTS_A_FLOOR, POINTS_A_KILL, TICKS_PER_SECOND } from './rules.ts';
import { fields, type Hero, State } from './state.ts';
import { step } from './step.ts';
import { type Briefing, brief, type DungeonView, observe } from './view.ts';

/** A dungeon without end on the sparse store: heroes, swords, monsters, familiars, stairs, fountains. */
export const world: World<Config, State, Deed, DungeonView, Briefing> = {
  name: 'sparse',
  rulesVersion: 4,
  ticksPerSecond: TICKS_PER_SECOND,
  presets,
  readConfig,
  writeConfig,
  seats: ({ heroes }) => heroes,
  maxTicks: ({ ticks }) => ticks,
  create(config, seed) {
    const state = new State(config, seed);
    settleHeroes(state);
    return state;
  },
  step,
  result,
  brief,
  observe,
  readAction,
  idle: () => new Deed(),
  forfeit() {
    const deed = new Deed();
    deed.gone = true;
    return deed;
  },
  fields,
  actionFields,
};

/** [SW-D8] Gold, kills and depth. */
export function scoreOf({ gold, kills, depth }: Hero): number {
  return gold + POINTS_A_KILL * kills + POINTS_A_FLOOR * depth;
}

/** [SW-D8] Until time is up or no hero is left. */
function result({ tick, heroes, config }: State): Result | null {
  const allFell = heroes.every(({ fallen }) => fallen);
  if (!allFell && tick < config.ticks) return null;
  const scores = heroes.map(scoreOf);
  const ranks = scores.map((score) => 1 + scores.filter((other) => other > score).length);
  return { scores, ranks, reason: allFell ? 'no hero is left' : 'time is up' };
}
