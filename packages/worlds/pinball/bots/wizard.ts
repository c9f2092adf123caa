import { type Bot, cos, restore, type Snapshot, snapshot, type WorldEvent } from '@lockstep/kernel';
import { Controls } from '../src/machine/action.ts';
import { readConfig } from '../src/machine/door.ts';
import { State } from '../src/machine/state.ts';
import { step } from '../src/machine/step.ts';
import type { Briefing, PinballView, Play } from '../src/machine/view.ts';
import { world } from '../src/machine/world.ts';
import { enterLayer, GONE, HELD, MOVING } from '../src/physics/index.ts';
import { Launcher } from './launch.ts';

/** In ticks: how long before trouble it makes its plan, how far ahead it looks for trouble, how far it follows a plan, for how long it presses. */
const WATCH = 60;
const FAR_WATCH = 320;
const FOLLOW = 360;
const FOLLOW_MANY = 180;
const PRESS = 30;
/** It looks again so soon where waiting was the best plan, and where something is about to happen that it cannot see. */
const SOON = 16;
const OFTEN = 40;
const DELAYS = [0, 3, 6, 9, 12, 16, 20, 25, 30, 36, 42, 50];
/** A lost ball is worse than any score. */
const LOSS = 1_000_000;

interface Plan {
  readonly left: boolean;
  readonly right: boolean;
  readonly delay: number;
  /** A push sideways, in the press's place. */
  readonly nudge?: number;
}

const WAIT: Plan = { left: false, right: false, delay: 0 };
const PLANS: readonly Plan[] = DELAYS.flatMap((delay) => [
  { left: true, right: false, delay },
  { left: false, right: true, delay },
]);
const BOTH: readonly Plan[] = [0, 8, 16].map((delay) => ({ left: true, right: true, delay }));
/** Only where a ball would be lost otherwise: pushes bring the bob to swing. */
const PUSHES: readonly Plan[] = [-0.3, 0.3, -0.6, 0.6, -0.9, 0.9].flatMap((nudge) =>
  [0, 8, 16, 24, 36, 50, 70, 100].flatMap((delay) => [
    { left: false, right: false, delay, nudge },
    { left: true, right: false, delay, nudge },
    { left: false, right: true, delay, nudge },
  ]),
);

/**
 * Looks ahead: it sets up a machine of its own as it sees the real one, and where a ball comes down to the flippers it plays every plan of
 * pressing to its end there, from one snapshot, and takes the best. As the physics are exact, so is what it foresees.
 */
export function wizard(briefing: Briefing, _seat: number): Bot<PinballView, Play> {
  const dream = new State(readConfig(briefing.config), 0n);
  const launcher = new Launcher();
  const habit = new Habit();
  let plan = WAIT;
  let since = 0;
  let lookAt = 0;
  return {
    act(view) {
      const plunger = launcher.pull(view);
      if (view.tick >= lookAt) {
        const ahead = look(dream, view);
        plan = ahead > WATCH ? WAIT : choosePlan(dream, view, habit);
        since = view.tick;
        lookAt = view.tick + (ahead > WATCH ? Math.min(ahead - WATCH, OFTEN) : plan === WAIT ? SOON : plan.delay + PRESS);
      }
      const pressed = isPressed(plan, view.tick - since);
      return { left: pressed && plan.left, right: pressed && plan.right, plunger, nudgeX: pressed ? (plan.nudge ?? 0) : 0 };
    },
  };
}

/** Exact physics have exact loops: whoever has got the very same several times of late does something else for once. */
class Habit {
  private readonly last: number[] = [];

  isOld(value: number): boolean {
    return this.last.filter((one) => Math.abs(one - value) < 1).length >= 3;
  }

  note(value: number): void {
    this.last.push(value);
    if (this.last.length > 24) this.last.shift();
  }
}

const isPressed = ({ delay }: Plan, age: number): boolean => age >= delay && age < delay + PRESS;

/** How many ticks are left until there is trouble, as far as can be seen. */
function look(dream: State, view: PinballView): number {
  const hidden = view.balls.some(({ held, onPlunger }) => held || onPlunger);
  if (view.balls.every(({ held, onPlunger }) => held || onPlunger)) return WATCH + SOON;
  imagine(dream, view);
  const ahead = ticksToTrouble(dream);
  return hidden ? Math.min(ahead, WATCH + SOON) : ahead;
}

function choosePlan(dream: State, view: PinballView, habit: Habit): Plan {
  imagine(dream, view);
  const start = snapshot(world, dream);
  const many = view.balls.length > 1;
  let best = WAIT;
  let most = -Infinity;
  for (const plan of many ? [WAIT, ...PLANS, ...BOTH] : [WAIT, ...PLANS]) {
    const value = worth(dream, start, plan, many);
    if (value <= most || (most > -LOSS / 2 && habit.isOld(value))) continue;
    most = value;
    best = plan;
  }
  habit.note(most);
  if (most > -LOSS / 2 || view.tilted || many) return best;
  // The gentlest that keeps the ball will do.
  for (const plan of PUSHES) {
    const value = worth(dream, start, plan, many);
    if (value <= most) continue;
    most = value;
    best = plan;
    if (most > -LOSS / 2) break;
  }
  return best;
}

/** Writes what is seen into the dream. What is not seen hardly matters within a second. */
function imagine(dream: State, view: PinballView): void {
  const { physics, config } = dream;
  physics.status.fill(GONE);
  for (const { id, x, y, vx, vy, spin, layer, held } of view.balls) {
    physics.x[id] = x;
    physics.y[id] = y;
    physics.vx[id] = vx;
    physics.vy[id] = vy;
    physics.spin[id] = spin;
    physics.status[id] = held ? HELD : MOVING;
    enterLayer(config.machine.table, physics, id, layer);
  }
  view.movers.forEach(({ place, rate }, k) => {
    physics.place[k] = place;
    physics.rate[k] = rate;
  });
  view.targets.forEach((up, k) => (physics.enabled[config.machine.targetCollider[k]!] = up ? 1 : 0));
  config.machine.counters.forEach((name, k) => (dream.counters[k] = view.counters[name]!));
  Object.values(view.memory).forEach((value, k) => (dream.memory[k] = value));
  dream.multiplier = view.multiplier;
  dream.warnings = view.warnings;
  dream.tableX = view.shaken.x;
  dream.tableY = view.shaken.y;
  dream.tableVx = view.shaken.vx;
  dream.tableVy = view.shaken.vy;
  dream.bobX = view.bob.x;
  dream.bobY = view.bob.y;
  dream.bobVx = view.bob.vx;
  dream.bobVy = view.bob.vy;
  dream.calm = 0;
  dream.mission = -1;
  dream.saucerBall.fill(-1);
  dream.raising.fill(0);
  dream.spinnerRate.fill(0);
  dream.toServe = 0;
  dream.toLaunch = 0;
  dream.save = 0;
  dream.score = 0;
  dream.tilted = view.tilted;
  dream.ballsLeft = 2;
}

const idle = new Controls();
const played = new Controls();
const events: WorldEvent[] = [];

const NOWHERE = 0;
const AT_A_FLIPPER = 1;
const ELSEWHERE = 2;

/** Where ball i is as to the flippers: high above them, down where one of them can reach it, or down where none can. */
function placeOf({ physics, config }: State, i: number): number {
  const { flippers, radius } = config.machine.layout;
  if (physics.status[i] !== MOVING || physics.layer[i] !== 0) return NOWHERE;
  const [x, y] = [physics.x[i]!, physics.y[i]!];
  let high = true;
  for (const { pivot, length, rest } of flippers) {
    if (y >= pivot[1] + 3 * radius) continue;
    high = false;
    const tip = pivot[0] + length * cos(rest);
    if (x > Math.min(pivot[0], tip) - radius && x < Math.max(pivot[0], tip) + radius) return AT_A_FLIPPER;
  }
  return high ? NOWHERE : ELSEWHERE;
}

/** If nothing is done: when does a ball get to the flippers? A ball that will be lost elsewhere is trouble now. */
function ticksToTrouble(dream: State): number {
  for (let k = 0; k < FAR_WATCH; k++) {
    if (tickOf(dream, idle) > 0) return 0;
    for (let i = 0; i < dream.physics.status.length; i++) {
      const place = placeOf(dream, i);
      if (place !== NOWHERE) return place === ELSEWHERE ? 0 : k;
    }
  }
  return FAR_WATCH;
}

function tickOf(dream: State, controls: Controls): number {
  events.length = 0;
  step(dream, [controls], events);
  let lost = 0;
  for (const { kind } of events) if (kind === 'drain') lost++;
  return lost;
}

/** What a plan brings: score, less for balls that are lost, the later the better, and a little for balls that are high up. */
function worth(dream: State, start: Snapshot, plan: Plan, many: boolean): number {
  restore(world, dream, start);
  let value = 0;
  const follow = many ? FOLLOW_MANY : FOLLOW;
  for (let age = 0; age < follow; age++) {
    const pressed = isPressed(plan, age);
    played.left = pressed && plan.left;
    played.right = pressed && plan.right;
    played.nudgeX = pressed ? (plan.nudge ?? 0) : 0;
    const lost = tickOf(dream, played);
    if (lost > 0) value -= lost * LOSS * (2 - age / follow);
    if (dream.toServe > 0 || dream.tilted) return dream.tilted ? value - LOSS : value;
    // Whoever comes back to a flipper then can be played anew.
    if (age > plan.delay + 2 * PRESS && isBack(dream)) break;
  }
  const { physics, config } = dream;
  for (let i = 0; i < physics.status.length; i++)
    if (physics.status[i] === MOVING) value += (500 * physics.y[i]!) / config.machine.layout.height;
  return value + dream.score - (dream.warnings * LOSS) / 20;
}

/** Only one ball is in play, and it is coming down on a flipper. */
function isBack(dream: State): boolean {
  let back = false;
  for (let i = 0; i < dream.physics.status.length; i++) {
    if (dream.physics.status[i] === GONE) continue;
    if (back || placeOf(dream, i) !== AT_A_FLIPPER || dream.physics.vy[i]! >= 0) return false;
    back = true;
  }
  return back;
}
