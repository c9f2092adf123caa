import { restore, snapshot, type WorldEvent } from '@lockstep/kernel';
import { type Config, Controls, MOVING, pinball, type State } from '@lockstep/pinball';
import type { Measurement } from './measurement.ts';
import { Windows } from './windows.ts';

const { world } = pinball;
const TICKS_PER_SECOND = 250;
/** Of play; a bench that only sees whether all runs plays less. */
const PLAY_SECONDS = 120;
const SHORT_PLAY = 10;
const WINDOW = 25;
const FRAME = 1 / 60;

/** A game as it was played: the controls of every tick. */
interface Game {
  readonly seed: bigint;
  readonly ticks: readonly Controls[];
}

/** Pulls the plunger for half a second; presses a flipper for a tenth of one when a ball comes down into its reach. */
class Hands {
  private pulled = 0;
  private readonly pressed = [0, 0];

  play({ physics, config }: State): Controls {
    const { flippers, plunger, radius } = config.machine.layout;
    const controls = new Controls();
    let waiting = false;
    for (let i = 0; i < physics.status.length; i++) {
      if (physics.status[i] !== MOVING || physics.layer[i] !== 0) continue;
      const [x, y, vy] = [physics.x[i]!, physics.y[i]!, physics.vy[i]!];
      if (Math.abs(x - plunger.at[0]) < plunger.width / 2 && y < plunger.at[1] + 3 * radius && vy < 1) waiting = true;
      flippers.forEach(({ pivot, length, button }, k) => {
        const along = Math.abs(x - pivot[0]);
        const towards = x > pivot[0] === flippers[1 - k]!.pivot[0] > pivot[0];
        const near = towards && along > length / 4 && along < length + radius && Math.abs(y - pivot[1]) < length / 2 && vy < 0;
        if (near && this.pressed[k]! <= -TICKS_PER_SECOND / 25) this.pressed[k] = TICKS_PER_SECOND / 10;
        if (this.pressed[k]! > 0) controls[button] = true;
      });
    }
    for (let k = 0; k < this.pressed.length; k++) this.pressed[k]!--;
    this.pulled = waiting ? this.pulled + 1 : 0;
    controls.plunger = waiting && this.pulled % TICKS_PER_SECOND < TICKS_PER_SECOND / 2 ? 1 : 0;
    return controls;
  }
}

/** So many seconds of games on a table, one after the other. */
function record(config: Config, seconds: number): Game[] {
  const games: Game[] = [];
  for (let left = seconds * TICKS_PER_SECOND, seed = 1n; left > 0; seed++) {
    const state = world.create(config, seed);
    const hands = new Hands();
    const ticks: Controls[] = [];
    for (; left > 0 && world.result(state) === null; left--) {
      ticks.push(hands.play(state));
      world.step(state, [ticks.at(-1)!], []);
    }
    games.push({ seed, ticks });
  }
  return games;
}

/** The whole machine headless, at 1 kHz of physics: flippers, rules, score; then what a search and a frame of the studio pay. */
export function* benchMachine(seconds: number): Generator<Measurement> {
  const played = seconds < 0.1 ? SHORT_PLAY : PLAY_SECONDS;
  for (const table of ['classic', 'learner']) {
    const config = world.readConfig({ table });
    const games = record(config, played);
    const bench = `pinball/${table}/play at 1 kHz`;
    const spent = replayAll(config, games, seconds / 3);
    const factor = (played * 1e9) / spent;
    const perSecond = (played * TICKS_PER_SECOND * 1e9) / spent;
    yield { bench, subject: 'lockstep', against: 'real time', ratio: factor, value: perSecond, unit: 'ticks/s' };
    const frame = (spent / played) * FRAME * 1e-6;
    yield { bench: `pinball/${table}/a frame of 16.7 ms`, subject: 'lockstep', against: null, ratio: null, value: frame, unit: 'ms' };
    yield stateCost(`pinball/${table}/snapshot+restore`, config, games[0]!);
  }
}

const events: WorldEvent[] = [];

/** Nanoseconds for all games. */
function replayAll(config: Config, games: readonly Game[], seconds: number): number {
  const windows = new Windows();
  const end = performance.now() + seconds * 1000;
  const actions: Controls[] = [new Controls()];
  for (let round = 0; round < 2 || performance.now() < end; round++) {
    let index = 0;
    for (const { seed, ticks } of games) {
      const state = world.create(config, seed);
      for (let from = 0; from < ticks.length; from += WINDOW) {
        windows.time(index++, () => {
          for (let tick = from; tick < from + WINDOW && tick < ticks.length; tick++) {
            actions[0] = ticks[tick]!;
            events.length = 0;
            world.step(state, actions, events);
          }
        });
      }
    }
  }
  return windows.total();
}

/** Of a state in the midst of play: the least mean of two hundred. */
function stateCost(bench: string, config: Config, { seed, ticks }: Game): Measurement {
  const state = world.create(config, seed);
  for (const controls of ticks.slice(0, 2000)) world.step(state, [controls], []);
  const kept = snapshot(world, state);
  const windows = new Windows();
  const times = 200;
  for (let round = 0; round < 500; round++) {
    windows.time(0, () => {
      for (let k = 0; k < times; k++) {
        snapshot(world, state, kept);
        restore(world, state, kept);
      }
    });
  }
  const value = windows.total() / times / 1000;
  return { bench, subject: 'lockstep', against: null, ratio: null, value, unit: 'us' };
}
