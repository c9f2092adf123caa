import type { WorldEvent } from '@lockstep/kernel';
import type { Instruction } from './action.ts';
import { type StateLine, stateLineOf } from './formats.ts';
import { State } from './state.ts';
import { step } from './step.ts';
import type { Config } from './track.ts';

/** [AR-4.4] What the public judge says of a run, and where things happened. Ticks count from 1: after that many instructions. */
export interface Verdict {
  readonly finished: boolean;
  /** The judge's score: how many instructions there are. */
  readonly ticks: number;
  /** When each goal was reached, in file order; null for one that was not. */
  readonly goals: readonly (number | null)[];
  /** In how many ticks anything collided. */
  readonly collisions: number;
}

/** Runs all instructions, whether or not the goals are all reached before; `tell` hears of the state after each tick. */
export function judge(config: Config, instructions: readonly Instruction[], tell?: (line: StateLine) => void): Verdict {
  const state = new State(config);
  const goals: (number | null)[] = config.map.goals.map(() => null);
  let collisions = 0;
  const events: WorldEvent[] = [];
  for (const instruction of instructions) {
    step(state, [instruction], events);
    for (const { kind, goal } of events.splice(0)) {
      if (kind === 'collision') collisions++;
      else goals[goal as number] = state.tick;
    }
    tell?.(stateLineOf(state));
  }
  return { finished: state.reachedCount === goals.length, ticks: state.tick, goals, collisions };
}
