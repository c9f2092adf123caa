import type { WorldEvent } from '@lockstep/kernel';
import { GONE } from '../../physics/index.ts';
import { ticksOf } from '../pace.ts';
import { addScore } from '../score.ts';
import type { State } from '../state.ts';
import type { RulesModule } from './module.ts';

/** Places in the memory. */
const COMBO = 0;
const COMBO_TICKS = 1;
const JACKPOT = 2;
const BONUS = 3;

const COMBO_SECONDS = 6;
const COMBO_SCORE = 2000;
const MOST_COMBO = 5;
const FIRST_JACKPOT = 5000;
const JACKPOT_STEP = 250;
const MOST_JACKPOT = 50_000;
const BONUS_STEP = 20;
const MOST_BONUS = 20_000;

/**
 * [PB-M5.4] The classic's: ramps soon after one another are a combo; while more than one ball is in play bumpers feed a jackpot and the ramp takes it;
 * every switch of a turn adds to a bonus that is paid when the turn ends, unless the machine is tilted.
 */
export const lighthouse: RulesModule = {
  memory: { combo: 0, 'combo ticks': 0, jackpot: FIRST_JACKPOT, bonus: 0 },

  onSwitch(state, name, events) {
    const { memory } = state;
    memory[BONUS] = Math.min(MOST_BONUS, memory[BONUS]! + BONUS_STEP);
    if (name.endsWith('bumper') && isMultiball(state)) memory[JACKPOT] = Math.min(MOST_JACKPOT, memory[JACKPOT]! + JACKPOT_STEP);
    if (name === 'ramp') takeRamp(state, events);
  },

  onTick({ memory }) {
    if (memory[COMBO_TICKS]! > 0) memory[COMBO_TICKS] = memory[COMBO_TICKS]! - 1;
  },

  onTurnEnd(state, events) {
    const { memory } = state;
    if (!state.tilted && memory[BONUS]! > 0) {
      addScore(state, memory[BONUS]!);
      events.push({ kind: 'bonus', seat: 0, points: memory[BONUS]! * state.multiplier });
    }
    memory.set([0, 0, FIRST_JACKPOT, 0]);
  },
};

function isMultiball({ physics: { status } }: State): boolean {
  let balls = 0;
  for (let i = 0; i < status.length; i++) if (status[i] !== GONE) balls++;
  return balls > 1;
}

function takeRamp(state: State, events: WorldEvent[]): void {
  const { memory } = state;
  const combo = memory[COMBO_TICKS]! > 0 ? Math.min(MOST_COMBO, memory[COMBO]! + 1) : 1;
  memory[COMBO] = combo;
  memory[COMBO_TICKS] = ticksOf(COMBO_SECONDS);
  if (combo > 1) {
    addScore(state, COMBO_SCORE * combo);
    events.push({ kind: 'combo', seat: 0, length: combo });
  }
  if (!isMultiball(state)) return;
  addScore(state, memory[JACKPOT]!);
  events.push({ kind: 'jackpot', seat: 0, points: memory[JACKPOT]! * state.multiplier });
  memory[JACKPOT] = FIRST_JACKPOT;
}
