import { type ConformReport, InputError, type WorldEvent } from '@lockstep/kernel';
import { readConfig } from './door.ts';
import { readInstructions, readStates, stateLineOf, writeStates } from './formats.ts';
import { State } from './state.ts';
import { step } from './step.ts';

/**
 * [AR-4.5] Re-plays a recording: a config in the world's own form as one line of JSON, then lines `vx vy | x y vx vy goals`, an
 * instruction and the state it led to. Compares every number.
 */
export function conform(lines: Iterable<string>): ConformReport {
  const counts = { ticks: 0, collisions: 0, goals: 0 };
  let state: State | null = null;
  let number = 0;
  for (const line of lines) {
    number++;
    if (line.trim() === '') continue;
    if (state === null) {
      state = new State(readConfig(configOf(line)));
      continue;
    }
    const [before, after, ...rest] = line.split('|');
    if (after === undefined || rest.length > 0) throw new InputError(`line ${number}`, '"vx vy | x y vx vy goals"', line);
    const [instruction] = readInstructions(before!, `line ${number}, instruction`).instructions;
    if (instruction === undefined) throw new InputError(`line ${number}`, 'an instruction before the bar', line);
    const events: WorldEvent[] = [];
    step(state, [instruction], events);
    counts.ticks++;
    for (const { kind } of events) counts[kind === 'goal' ? 'goals' : 'collisions']++;
    const recorded = writeStates(readStates(after, `line ${number}, state`)).trimEnd();
    const played = writeStates([stateLineOf(state)]).trimEnd();
    if (recorded !== played) return { form: 'run', counts, difference: `tick ${state.tick}: ${played}, recorded ${recorded}` };
  }
  if (state === null) throw new InputError('line 1', 'a recording', 'an empty file');
  return { form: 'run', counts, difference: null };
}

function configOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new InputError('line 1', 'a config as JSON', line);
  }
}
