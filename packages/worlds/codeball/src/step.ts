import type { LedgerEntry, WorldEvent } from '@lockstep/kernel';
import type { Action } from './action.ts';
import { checkAction } from './door.ts';
import { kickOff } from './kickoff.ts';
import type { State } from './state.ts';
import { runMicroticks } from './tick.ts';

/** [CB-2.1] tick: the microticks, then the packs, then what follows a goal. */
export function step(state: State, actions: readonly Action[], events: WorldEvent[], ledger?: LedgerEntry[]): void {
  for (const action of actions) checkAction(action, state.config);
  noteCrashes(state, actions, events);
  const scored = runMicroticks(state, actions, ledger);
  state.tick++;
  respawnPacks(state);
  if (scored >= 0) score(state, scored, events);
  if (state.resetTicks > 0 && --state.resetTicks === 0) {
    kickOff(state, ledger);
    events.push({ kind: 'kickoff' });
  }
}

function noteCrashes(state: State, actions: readonly Action[], events: WorldEvent[]): void {
  if (actions[0]!.crashed && !state.crashedA) {
    state.crashedA = true;
    events.push({ kind: 'crash', seat: 0 });
  }
  if (actions[1]!.crashed && !state.crashedB) {
    state.crashedB = true;
    events.push({ kind: 'crash', seat: 1 });
  }
}

function respawnPacks(state: State): void {
  for (const pack of state.packs) if (pack.respawnTicks > 0) pack.respawnTicks--;
}

function score(state: State, seat: number, events: WorldEvent[]): void {
  if (seat === 0) state.scoreA++;
  else state.scoreB++;
  state.resetTicks = state.config.rules.RESET_TICKS;
  events.push({ kind: 'goal', seat });
}
