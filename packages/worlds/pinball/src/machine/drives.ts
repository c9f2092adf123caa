import type { WorldEvent } from '@lockstep/kernel';
import type { Controls } from './action.ts';
import { ticksOf } from './pace.ts';
import type { State } from './state.ts';

/** The hand on a pulled plunger damps it so much, a second. */
const HAND = 100;

/** [PB-M3.1] Solenoid, end of stroke, return spring: the acceleration of each flipper for the next step. A tilted machine has no power. */
export function driveFlippers(state: State, controls: Controls): void {
  const { physics, config, tilted } = state;
  const { flippers } = config.machine.layout;
  for (let k = 0; k < flippers.length; k++) {
    const flipper = flippers[k]!;
    const sign = flipper.raised > flipper.rest ? 1 : -1;
    const pressed = !tilted && (flipper.button === 'left' ? controls.left : controls.right);
    const left = sign * (flipper.raised - physics.place[k]!);
    const power = left < flipper.endOfStroke ? flipper.strength * flipper.hold : flipper.strength;
    physics.drive[k] = sign * (pressed ? power : -flipper.spring);
  }
}

/** [PB-M3.2] A spring towards where the hand holds it; the hand damps, a plunger that is let go flies. */
export function drivePlunger(state: State, controls: Controls): void {
  const { physics, config, launch } = state;
  const { machine } = config;
  const k = machine.plunger;
  const place = physics.place[k]!;
  const rate = physics.rate[k]!;
  const away = -machine.layout.plunger.travel * controls.plunger - place;
  if (away === 0 && rate === 0) physics.drive[k] = 0;
  else if (away >= 0) physics.drive[k] = launch * launch * machine.stiffness * away;
  else physics.drive[k] = machine.stiffness * away - HAND * rate;
}

/** The table on its legs: a spring and damping, a second squared and a second; the bob hangs looser. */
const TABLE_SPRING = 900;
const TABLE_DAMPING = 30;
const BOB_SPRING = 60;
const BOB_DAMPING = 2.5;
const CALM_SECONDS = 0.75;

/**
 * [PB-M3.3] The push moves the table, which comes back; what lies on it feels that acceleration the other way round, the plumb bob too.
 * Once a tick: `seconds` long.
 */
export function shake(state: State, controls: Controls, seconds: number): void {
  const { nudge } = state.config.machine.layout.tilt;
  const ax = TABLE_SPRING * (nudge * controls.nudgeX - state.tableX) - TABLE_DAMPING * state.tableVx;
  const ay = TABLE_SPRING * (nudge * controls.nudgeY - state.tableY) - TABLE_DAMPING * state.tableVy;
  state.tableVx += ax * seconds;
  state.tableVy += ay * seconds;
  state.tableX += state.tableVx * seconds;
  state.tableY += state.tableVy * seconds;
  settle(state);
  state.physics.shakeX = -ax;
  state.physics.shakeY = -ay;
  state.bobVx += (-ax - BOB_SPRING * state.bobX - BOB_DAMPING * state.bobVx) * seconds;
  state.bobVy += (-ay - BOB_SPRING * state.bobY - BOB_DAMPING * state.bobVy) * seconds;
  state.bobX += state.bobVx * seconds;
  state.bobY += state.bobVy * seconds;
}

const NEARLY = 1e-6;

/** A table that nearly stands, stands: otherwise numbers would shrink for ever. */
function settle(state: State): void {
  const moves = Math.abs(state.tableX) + Math.abs(state.tableY) + Math.abs(state.tableVx) + Math.abs(state.tableVy);
  if (moves < NEARLY) {
    state.tableX = 0;
    state.tableY = 0;
    state.tableVx = 0;
    state.tableVy = 0;
  }
  const swings = Math.abs(state.bobX) + Math.abs(state.bobY) + Math.abs(state.bobVx) + Math.abs(state.bobVy);
  if (swings >= NEARLY) return;
  state.bobX = 0;
  state.bobY = 0;
  state.bobVx = 0;
  state.bobVy = 0;
}

/** [PB-M3.4] A bob that swings too far warns; after the warnings the machine is tilted until the ball is lost. */
export function watchBob(state: State, events: WorldEvent[]): void {
  if (state.calm > 0) {
    state.calm--;
    return;
  }
  const { limit, warnings } = state.config.machine.layout.tilt;
  if (state.tilted || state.bobX * state.bobX + state.bobY * state.bobY <= limit * limit) return;
  state.calm = ticksOf(CALM_SECONDS);
  if (state.warnings < warnings) {
    state.warnings++;
    events.push({ kind: 'tilt warning', seat: 0, warnings: state.warnings });
    return;
  }
  state.tilted = true;
  events.push({ kind: 'tilt', seat: 0 });
}

/** [PB-M4.4] Spinners turn on by themselves and rub off; each half turn closes the switch. How many spinner k made in this tick. */
export function turnSpinner(state: State, k: number, seconds: number): number {
  const { rub } = state.config.machine.layout.spinners[k]!;
  const rate = state.spinnerRate[k]!;
  if (rate === 0) return 0;
  const angle = state.spinnerAngle[k]! + rate * seconds;
  const turns = Math.floor(angle);
  state.spinnerAngle[k] = angle - turns;
  const slower = rate * (1 - rub * seconds);
  state.spinnerRate[k] = slower > 0.5 ? slower : 0;
  return turns;
}
