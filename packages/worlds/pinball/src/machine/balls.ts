import { type LedgerEntry, uniform, type WorldEvent } from '@lockstep/kernel';
import { GONE, HELD, MOVING, placeBall, pushOut } from '../physics/index.ts';
import { ticksOf } from './pace.ts';
import type { State } from './state.ts';

/** On the table, held ones included. */
export function ballsInPlay({ physics: { status } }: State): number {
  let count = 0;
  for (let i = 0; i < status.length; i++) if (status[i] !== GONE) count++;
  return count;
}

/** How near to its place on the plunger a ball counts as there: in balls, and farther down as far as the plunger goes. */
const LANE_BALLS = 3;

/** Is ball i in the plunger's lane, near the plunger? */
export function isOnPlunger({ physics, config }: State, i: number): boolean {
  const { plunger, radius } = config.machine.layout;
  if (physics.status[i] !== MOVING || physics.layer[i] !== 0) return false;
  const dx = Math.abs(physics.x[i]! - plunger.at[0]);
  const dy = physics.y[i]! - plunger.at[1];
  return dx < plunger.width / 2 && dy < LANE_BALLS * radius && dy > -plunger.travel - radius;
}

function plungerIsBusy(state: State): boolean {
  for (let i = 0; i < state.physics.status.length; i++) if (isOnPlunger(state, i)) return true;
  return false;
}

/** [PB-M6.1] Puts the next ball on the plunger once it is free. The dice make each launch a little stronger or weaker. */
export function serve(state: State, events: WorldEvent[], ledger: LedgerEntry[] | undefined): void {
  if (state.toServe === 0 || plungerIsBusy(state)) return;
  const { physics, config } = state;
  const { layout, table, plunger } = config.machine;
  const i = physics.status.indexOf(GONE);
  if (i < 0 || physics.place[plunger] !== 0) return;
  const { at, scatter, speed } = layout.plunger;
  placeBall(table, physics, i, at[0], at[1]);
  state.launch = uniform(state.rng, 1 - scatter, 1 + scatter);
  ledger?.push({ kind: 'launch', value: state.launch });
  state.toServe--;
  const byMachine = state.toLaunch > 0;
  if (byMachine) {
    state.toLaunch--;
    physics.vy[i] = speed * state.launch;
  }
  state.save = Math.max(state.save, byMachine ? 0 : ticksOf(layout.ballSave));
  events.push({ kind: 'serve', seat: 0, ball: i, byMachine });
}

/** [PB-M6.2] Ball i is gone; in the time of ball save the machine brings another. */
export function drain(state: State, i: number, events: WorldEvent[]): void {
  const { physics } = state;
  physics.status[i] = GONE;
  physics.x[i] = 0;
  physics.y[i] = 0;
  physics.vx[i] = 0;
  physics.vy[i] = 0;
  physics.spin[i] = 0;
  physics.layer[i] = 0;
  physics.region[i] = -1;
  const saved = state.save > 0 && !state.tilted;
  if (saved) {
    state.toServe++;
    state.toLaunch++;
  }
  events.push({ kind: 'drain', seat: 0, ball: i, saved });
}

/** [PB-M6.2] The time of ball save passes while there is a ball elsewhere than on the plunger. */
export function passSaveTime(state: State): void {
  const { status } = state.physics;
  if (state.save === 0) return;
  for (let i = 0; i < status.length; i++) {
    if (status[i] === GONE || isOnPlunger(state, i)) continue;
    state.save--;
    return;
  }
}

/** [PB-M6] No ball is left and none is to come: the turn is over. What belongs to a turn begins anew. */
export function nextBall(state: State, events: WorldEvent[]): void {
  if (state.toServe > 0 || ballsInPlay(state) > 0) return;
  state.config.machine.module?.onTurnEnd(state, events);
  state.ballsLeft--;
  state.tilted = false;
  state.warnings = 0;
  state.multiplier = 1;
  state.save = 0;
  state.still = 0;
  events.push({ kind: 'ball lost', seat: 0, ballsLeft: state.ballsLeft });
  if (state.ballsLeft > 0) state.toServe = 1;
}

/** [PB-M4.5] A saucer catches a ball that is slow enough, unless it has one. */
export function caught(state: State, saucer: number, i: number): boolean {
  const { physics, config } = state;
  const { at, catchSpeed, seconds } = config.machine.layout.saucers[saucer]!;
  const speed = physics.vx[i]! * physics.vx[i]! + physics.vy[i]! * physics.vy[i]!;
  if (state.saucerBall[saucer] !== -1 || speed > catchSpeed * catchSpeed) return false;
  physics.status[i] = HELD;
  physics.x[i] = at[0];
  physics.y[i] = at[1];
  physics.vx[i] = 0;
  physics.vy[i] = 0;
  physics.spin[i] = 0;
  state.saucerBall[saucer] = i;
  state.saucerTicks[saucer] = Math.max(1, ticksOf(seconds));
  return true;
}

export function kickOut(state: State, saucer: number, events: WorldEvent[]): void {
  const i = state.saucerBall[saucer]!;
  if (i < 0) return;
  const ticks = state.saucerTicks[saucer]! - 1;
  state.saucerTicks[saucer] = ticks;
  if (ticks > 0) return;
  const { physics, config } = state;
  const { name, kick } = config.machine.layout.saucers[saucer]!;
  state.saucerBall[saucer] = -1;
  physics.status[i] = MOVING;
  pushOut(config.machine.table, physics, i);
  physics.vx[i] = kick[0];
  physics.vy[i] = kick[1];
  events.push({ kind: 'kick', seat: 0, name });
}

/** [PB-M4.3] Dropped targets come up once no ball is in their way. */
export function raiseTarget(state: State, target: number): void {
  const { physics, config } = state;
  const { layout, targetCollider } = config.machine;
  const { from, to } = layout.targets[target]!;
  const [x, y] = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2];
  const reach = (Math.abs(from[0] - to[0]) + Math.abs(from[1] - to[1])) / 2 + 2 * layout.radius;
  for (let i = 0; i < physics.status.length; i++) {
    if (physics.status[i] === MOVING && Math.abs(physics.x[i]! - x) < reach && Math.abs(physics.y[i]! - y) < reach) return;
  }
  physics.enabled[targetCollider[target]!] = 1;
  state.raising[target] = 0;
}

const STILL_SPEED = 2;
const STILL_SECONDS = 3;
const SEARCH_SPEED = 80;

/** [PB-M6.4] Ball search: where all balls lie still, flippers down and none on the plunger, the machine kicks them, with its dice. */
export function searchBalls(state: State, busy: boolean, events: WorldEvent[], ledger: LedgerEntry[] | undefined): void {
  const { physics } = state;
  let lying = 0;
  for (let i = 0; i < physics.status.length; i++) {
    if (physics.status[i] !== MOVING) continue;
    const moves = Math.abs(physics.vx[i]!) + Math.abs(physics.vy[i]!) > STILL_SPEED;
    if (moves || isOnPlunger(state, i)) {
      state.still = 0;
      return;
    }
    lying++;
  }
  state.still = lying === 0 || busy ? 0 : state.still + 1;
  if (state.still < ticksOf(STILL_SECONDS)) return;
  state.still = 0;
  for (let i = 0; i < physics.status.length; i++) {
    if (physics.status[i] !== MOVING) continue;
    physics.vx[i] = uniform(state.rng, -SEARCH_SPEED, SEARCH_SPEED);
    physics.vy[i] = uniform(state.rng, 0, SEARCH_SPEED);
    ledger?.push({ kind: 'ball search', x: physics.vx[i]!, y: physics.vy[i]! });
  }
  events.push({ kind: 'ball search', seat: 0 });
}
