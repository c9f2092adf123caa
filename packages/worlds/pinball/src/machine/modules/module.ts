import type { WorldEvent } from '@lockstep/kernel';
import type { State } from '../state.ts';

/**
 * [PB-M5.4] Rules that data cannot say: time between shots, values that grow. A module is pure: it reads the state, and what it remembers are whole
 * numbers in `state.memory`, which snapshots and hashes see. A table names it; its code is part of the rules' version.
 */
export interface RulesModule {
  /** What it remembers, by name, and what that is when a game begins. */
  readonly memory: Readonly<Record<string, number>>;
  /** A switch closed, and the table's own rules have been applied. Not on a tilted machine. */
  readonly onSwitch: (state: State, name: string, events: WorldEvent[]) => void;
  /** Once a tick. */
  readonly onTick: (state: State, events: WorldEvent[]) => void;
  /** The last ball of a turn is lost; multiplier and tilt are still those of the turn. */
  readonly onTurnEnd: (state: State, events: WorldEvent[]) => void;
}
