import type { LedgerEntry, WorldEvent } from '@lockstep/kernel';
import { enterLayer, GONE, HELD, HIT_COLLIDER, HIT_SENSOR, pushOut, stepBalls } from '../physics/index.ts';
import type { Controls } from './action.ts';
import { caught, drain, kickOut, nextBall, passSaveTime, raiseTarget, searchBalls, serve } from './balls.ts';
import { checkAction } from './door.ts';
import { driveFlippers, drivePlunger, shake, turnSpinner, watchBob } from './drives.ts';
import { BUMPER, DRAIN, LANE, RAMP_ENTRANCE, RAMP_EXIT, ROLLOVER, SAUCER, SLINGSHOT, SPINNER, TARGET } from './machine.ts';
import { STEP_SECONDS, STEPS_PER_TICK } from './pace.ts';
import { closeSwitch, passMissionTime } from './rules.ts';
import type { State } from './state.ts';

const TICK_SECONDS = STEP_SECONDS * STEPS_PER_TICK;
/** Half turns of a spinner for each centimetre a second of the ball. */
const SPIN = 0.1;

/** [PB-M2] One tick: 1. serve, 2. push the table, 3. four steps of physics, each with what it set off, 4. clocks, 5. who is lost. */
export function step(state: State, actions: readonly Controls[], events: WorldEvent[], ledger?: LedgerEntry[]): void {
  const controls = actions[0]!;
  checkAction(controls);
  serve(state, events, ledger);
  shake(state, controls, TICK_SECONDS);
  watchBob(state, events);
  for (let k = 0; k < STEPS_PER_TICK; k++) stepOnce(state, controls, events);
  passTime(state, controls, events, ledger);
  nextBall(state, events);
  if (controls.gone) state.gone = true;
  state.tick++;
}

function stepOnce(state: State, controls: Controls, events: WorldEvent[]): void {
  const { machine } = state.config;
  const { log } = machine;
  driveFlippers(state, controls);
  drivePlunger(state, controls);
  log.clear();
  stepBalls(machine.table, state.physics, STEP_SECONDS, log);
  for (let h = 0; h < log.count; h++) {
    if (log.kind[h] !== HIT_COLLIDER && log.kind[h] !== HIT_SENSOR) continue;
    meet(state, log.ball[h]!, log.target[h]!, log.speed[h]!, events);
  }
}

/** [PB-M4] Ball i met collider c at a speed: what the machine makes of it. */
function meet(state: State, i: number, c: number, speed: number, events: WorldEvent[]): void {
  const { machine } = state.config;
  const { layout } = machine;
  const id = machine.switchOf[c]!;
  const which = machine.which[c]!;
  if (state.physics.status[i] === GONE || state.physics.status[i] === HELD) return;
  switch (machine.role[c]!) {
    case BUMPER:
      if (speed >= layout.bumpers[which]!.threshold) closeSwitch(state, id, events);
      return;
    case SLINGSHOT:
      if (speed >= layout.slingshots[which]!.threshold) closeSwitch(state, id, events);
      return;
    case TARGET:
      hitTarget(state, c, speed, events);
      return;
    case ROLLOVER:
    case LANE:
      closeSwitch(state, id, events);
      return;
    case SPINNER:
      turn(state, i, which, speed);
      return;
    case SAUCER:
      if (caught(state, which, i)) closeSwitch(state, id, events);
      return;
    case RAMP_ENTRANCE:
      changeLayer(state, i, speed > 0 ? layout.ramps[which]!.layer : 0);
      return;
    case RAMP_EXIT:
      changeLayer(state, i, 0);
      closeSwitch(state, id, events);
      return;
    case DRAIN:
      drain(state, i, events);
      return;
    default:
  }
}

/** [PB-M4.3] A drop target falls, a stand-up target stays. */
function hitTarget(state: State, c: number, speed: number, events: WorldEvent[]): void {
  const { machine } = state.config;
  const target = machine.layout.targets[machine.which[c]!]!;
  if (speed < target.threshold) return;
  if (target.kind === 'drop') {
    if (state.physics.enabled[c] === 0) return; // two balls in the same step
    state.physics.enabled[c] = 0;
  }
  closeSwitch(state, machine.switchOf[c]!, events);
}

/** [PB-M4.4] The ball turns the spinner and is slowed by it. */
function turn(state: State, i: number, which: number, speed: number): void {
  const { physics, config } = state;
  const { drag } = config.machine.layout.spinners[which]!;
  state.spinnerRate[which] = Math.max(state.spinnerRate[which]!, Math.abs(speed) * SPIN);
  physics.vx[i] = physics.vx[i]! * (1 - drag);
  physics.vy[i] = physics.vy[i]! * (1 - drag);
}

function changeLayer(state: State, i: number, layer: number): void {
  const { physics, config } = state;
  if (physics.layer[i] === layer) return;
  enterLayer(config.machine.table, physics, i, layer);
  pushOut(config.machine.table, physics, i);
}

function passTime(state: State, controls: Controls, events: WorldEvent[], ledger: LedgerEntry[] | undefined): void {
  const { machine } = state.config;
  const { spinners, saucers, targets } = machine.layout;
  for (let k = 0; k < spinners.length; k++) {
    for (let turns = turnSpinner(state, k, TICK_SECONDS); turns > 0; turns--)
      closeSwitch(state, machine.switches.indexOf(spinners[k]!.name), events);
  }
  for (let k = 0; k < saucers.length; k++) kickOut(state, k, events);
  for (let k = 0; k < targets.length; k++) if (state.raising[k] === 1) raiseTarget(state, k);
  machine.module?.onTick(state, events);
  passMissionTime(state, events);
  passSaveTime(state);
  searchBalls(state, controls.left || controls.right, events, ledger);
}
