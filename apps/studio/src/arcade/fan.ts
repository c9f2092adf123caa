import { cos, sin, type WorldEvent } from '@lockstep/kernel';
import { type Config, Controls, pinball, placeBall, type State } from '@lockstep/pinball';
import { switchOf } from './game.ts';
import type { Shot } from './protocol.ts';

const { world } = pinball;

/** Where on the flipper the ball begins, how fast it rolls up on it, in ball radii a second, and how long it is waited for. */
const START = 0.5;
const ROLL_UP = 11;
const LONGEST_ROLL = 500;
/** Ticks that a shot is followed after the press. */
export const FOLLOW = 500;
/** Of these ticks a path keeps one. */
const SAMPLE = 2;

/** A machine with one ball on a flipper that is down, rolling up a little; it comes back by itself. */
export function ballOnFlipper(config: Config, flipper: number): State {
  const { layout, table } = config.machine;
  const { pivot, length, baseRadius, tipRadius, rest } = layout.flippers[flipper]!;
  const state = world.create(config, 0n);
  const [ux, uy] = [cos(rest), sin(rest)];
  const up = ux >= 0 ? 1 : -1;
  const away = baseRadius + START * (tipRadius - baseRadius) + layout.radius;
  placeBall(table, state.physics, 0, pivot[0] + START * length * ux - up * uy * away, pivot[1] + START * length * uy + up * ux * away);
  state.physics.vx[0] = -ROLL_UP * layout.radius * ux;
  state.physics.vy[0] = -ROLL_UP * layout.radius * uy;
  state.toServe = 0;
  state.save = 0;
  return state;
}

/** One shot: the button goes down at tick `press` and stays there. */
export function shoot(config: Config, flipper: number, press: number): Shot {
  const { button } = config.machine.layout.flippers[flipper]!;
  const state = ballOnFlipper(config, flipper);
  const { physics } = state;
  const controls = new Controls();
  const path: number[] = [physics.x[0]!, physics.y[0]!];
  let hits: string | null = null;
  let until = -1;
  const shot = (lost: boolean): Shot => ({ press, path: Float32Array.from(path), hits, until: until < 0 ? path.length : until, lost });
  const events: WorldEvent[] = [];
  for (let tick = 0; tick < press + FOLLOW; tick++) {
    controls[button] = tick >= press;
    events.length = 0;
    world.step(state, [controls], events);
    if (tick >= press && hits === null) {
      hits = events.map(switchOf).find((name) => name !== null) ?? null;
      if (hits !== null) until = path.length;
    }
    if (events.some(({ kind }) => kind === 'drain')) return shot(true);
    if (tick % SAMPLE === 0 || tick === press + FOLLOW - 1) path.push(physics.x[0]!, physics.y[0]!);
  }
  return shot(false);
}

/** So many ticks the ball stays on a flipper that nobody presses. */
export function ticksOnFlipper(config: Config, flipper: number): number {
  const { pivot, length, tipRadius, rest } = config.machine.layout.flippers[flipper]!;
  const low = pivot[1] + length * sin(rest) - tipRadius;
  const state = ballOnFlipper(config, flipper);
  const idle = [new Controls()];
  while (state.tick < LONGEST_ROLL && state.physics.status[0] === 1 && state.physics.y[0]! > low) world.step(state, idle, []);
  return state.tick;
}

/** All timings of a flipper: one shot a tick while the ball is on it. */
export function* shotFan(config: Config, flipper: number): Generator<Shot> {
  const count = ticksOnFlipper(config, flipper);
  for (let press = 0; press < count; press++) yield shoot(config, flipper, press);
}
