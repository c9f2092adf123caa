import type { WorldEvent } from '@lockstep/kernel';
import type { Instruction } from './action.ts';
import { checkAction } from './door.ts';
import { Flight } from './flight.ts';
import type { State } from './state.ts';
import type { Track } from './track.ts';

/** Where the ticks of a track's states are run: between ticks all goals are open in it, and nothing of it is looked at. */
const flights = new WeakMap<Track, Flight>();

function flightOn(track: Track): Flight {
  const found = flights.get(track);
  if (found !== undefined) return found;
  const flight = new Flight(track);
  flights.set(track, flight);
  return flight;
}

/** [AR-2] One tick, which a flight runs. */
export function step(state: State, actions: readonly Instruction[], events: WorldEvent[]): void {
  const flight = flightOn(state.config.track);
  const instruction = actions[0]!;
  checkAction(instruction);
  flight.x = state.x;
  flight.y = state.y;
  flight.vx = state.vx;
  flight.vy = state.vy;
  flight.collisions = 0;
  flight.hold(instruction.vx, instruction.vy, 1);
  state.x = flight.x;
  state.y = flight.y;
  state.vx = flight.vx;
  state.vy = flight.vy;
  if (flight.collisions > 0) events.push({ kind: 'collision', seat: 0 });
  for (let i = 0; i < flight.metCount; i++) {
    const goal = flight.met[i]!;
    flight.setOpen(goal, true);
    markGoal(state, goal, events);
  }
  if (instruction.gone) state.gone = true;
  state.tick++;
}

/** [AR-2.7] */
function markGoal(state: State, goal: number, events: WorldEvent[]): void {
  if (state.reached[goal] === 1) return;
  state.reached[goal] = 1;
  state.reachedCount++;
  events.push({ kind: 'goal', seat: 0, goal });
}
