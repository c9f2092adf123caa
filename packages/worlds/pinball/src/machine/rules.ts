import type { WorldEvent } from '@lockstep/kernel';
import type { CompiledEffects, CompiledMission } from './machine.ts';
import { ticksOf } from './pace.ts';
import { ballsInPlay } from './balls.ts';
import { addScore } from './score.ts';
import type { State } from './state.ts';

/** [PB-M5.1] A switch closes: it is told, then its rules apply in their order, each to what the ones before it left. */
export function closeSwitch(state: State, id: number, events: WorldEvent[]): void {
  if (state.tilted) return;
  const { machine } = state.config;
  events.push({ kind: 'switch', seat: 0, name: machine.switches[id]! });
  for (const rule of machine.rules[id]!) if (holds(state, rule)) apply(state, rule, events);
  runMissions(state, id, events);
  machine.module?.onSwitch(state, machine.switches[id]!, events);
}

/** [PB-M5.2] Every condition is a range of a counter. */
function holds({ counters }: State, { when }: CompiledEffects): boolean {
  for (const { counter, min, max } of when) if (counters[counter]! < min || counters[counter]! > max) return false;
  return true;
}

function apply(state: State, { effects, add, set, raise }: CompiledEffects, events: WorldEvent[]): void {
  addScore(state, effects.score);
  for (const [counter, by] of add) state.counters[counter] = state.counters[counter]! + by;
  for (const [counter, to] of set) state.counters[counter] = to;
  for (const target of raise) state.raising[target] = 1;
  if (effects.multiplier > 0) state.multiplier = effects.multiplier;
  if (effects.extraBalls > 0) {
    state.ballsLeft += effects.extraBalls;
    events.push({ kind: 'extra ball', seat: 0 });
  }
  const begins = effects.multiball === 0 || startMultiball(state, effects.multiball, events);
  if (effects.save > 0 && begins) state.save = Math.max(state.save, ticksOf(effects.save));
}

/** [PB-M6.3] So many balls shall be in play: the machine launches what is missing. Was anything? */
function startMultiball(state: State, balls: number, events: WorldEvent[]): boolean {
  const missing = balls - ballsInPlay(state) - state.toServe;
  if (missing <= 0) return false;
  state.toServe += missing;
  state.toLaunch += missing;
  events.push({ kind: 'multiball', seat: 0, balls });
  return true;
}

/** [PB-M5.3] One mission at a time; the first whose switch closes begins, and its steps are counted from the next switch on. */
function runMissions(state: State, id: number, events: WorldEvent[]): void {
  const { missions } = state.config.machine;
  if (state.mission < 0) {
    for (let m = 0; m < missions.length; m++) {
      if (!missions[m]!.starts[id] || !holds(state, missions[m]!)) continue;
      state.mission = m;
      state.missionStep = 0;
      state.missionCount = 0;
      state.missionTicks = ticksOf(missions[m]!.seconds);
      events.push({ kind: 'mission', seat: 0, name: missions[m]!.name });
      return;
    }
    return;
  }
  advanceMission(state, missions[state.mission]!, id, events);
}

function advanceMission(state: State, mission: CompiledMission, id: number, events: WorldEvent[]): void {
  const step = mission.steps[state.missionStep]!;
  if (!step.on[id]) return;
  state.missionCount++;
  if (state.missionCount < step.times) return;
  state.missionCount = 0;
  state.missionStep++;
  if (state.missionStep < mission.steps.length) return;
  endMission(state);
  state.missionsDone++;
  events.push({ kind: 'mission done', seat: 0, name: mission.name });
  apply(state, mission, events);
}

export function endMission(state: State): void {
  state.mission = -1;
  state.missionStep = 0;
  state.missionCount = 0;
  state.missionTicks = 0;
}

export function passMissionTime(state: State, events: WorldEvent[]): void {
  if (state.mission < 0 || --state.missionTicks > 0) return;
  events.push({ kind: 'mission failed', seat: 0, name: state.config.machine.missions[state.mission]!.name });
  endMission(state);
}
