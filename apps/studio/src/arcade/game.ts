import { hash, readSeed, restore, type Result, type Snapshot, snapshot, type WorldEvent } from '@lockstep/kernel';
import { type Config, Controls, GONE, pinball, placeBall, type Point, type State } from '@lockstep/pinball';
import type { TimedEvent } from '../protocol.ts';
import type { Gain } from './gains.ts';
import { Script } from './script.ts';

const { world } = pinball;

const KEYFRAME_EVERY = 125;
/** So many ticks of the balls' past are kept for their trails. */
export const TRAIL = 72;

/**
 * One game at a machine: what was done, every tick of what came of it. It grows at its head and goes back to any tick exactly: nearest
 * keyframe, then what was done.
 */
export class Game {
  readonly config: Config;
  readonly seed: string;
  readonly script: Script;
  /** As of the tick looked at. */
  readonly state: State;
  head = 0;
  readonly events: TimedEvent[] = [];
  readonly gains: Gain[] = [];
  /** By switch: the ticks at which it closed, in order. */
  readonly closings = new Map<string, number[]>();
  private readonly keyframes: Snapshot[] = [];
  private readonly controls = new Controls();
  private readonly actions = [this.controls];
  /** What the last tick told. */
  readonly told: WorldEvent[] = [];
  /** x and y of every ball, a ring of ticks; NaN where there is none. */
  private readonly past: Float64Array;
  private pastFrom = 0;

  constructor(config: Config, seed: string, script = new Script()) {
    this.config = config;
    this.seed = seed;
    this.script = script;
    this.state = world.create(config, readSeed(seed));
    this.past = new Float64Array(TRAIL * 2 * this.balls).fill(NaN);
    this.keyframes.push(snapshot(world, this.state));
    this.notePast();
  }

  /** A game of which this is what was done. */
  static played(config: Config, seed: string, script: Script, ticks: number): Game {
    const game = new Game(config, seed, script);
    while (game.head < ticks && game.result === null) game.advance();
    return game;
  }

  get balls(): number {
    return this.config.machine.layout.capacity;
  }
  get tick(): number {
    return this.state.tick;
  }
  get atHead(): boolean {
    return this.state.tick === this.head;
  }
  /** Of the tick looked at. */
  get result(): Result | null {
    return world.result(this.state);
  }
  get hash(): string {
    return hash(world, this.state);
  }

  /** Plays the next tick at the head: with what a hand holds now, or else with what the script says of it. */
  advance(hand?: Readonly<Controls>): void {
    if (!this.atHead) throw new Error(`game: at tick ${this.tick}, the head is at ${this.head}`);
    if (hand !== undefined) this.script.note(this.head, hand);
    const before = this.state.score;
    this.step();
    this.head = this.state.tick;
    for (const event of this.told) this.note(event);
    const points = this.state.score - before;
    const cause = points > 0 ? this.told.map(switchOf).find((name) => name !== null) : null;
    if (cause !== undefined && cause !== null) this.gains.push({ tick: this.head, name: cause, points });
    if (this.head % KEYFRAME_EVERY === 0) this.keyframes.push(snapshot(world, this.state));
  }

  private note(event: WorldEvent): void {
    this.events.push({ tick: this.head, event });
    const name = switchOf(event);
    if (name === null) return;
    const ticks = this.closings.get(name);
    if (ticks === undefined) this.closings.set(name, [this.head]);
    else ticks.push(this.head);
  }

  private step(): void {
    this.told.length = 0;
    this.script.read(this.state.tick, this.controls);
    world.step(this.state, this.actions, this.told);
    this.notePast();
  }

  /** To a tick already played. */
  moveTo(tick: number): void {
    if (tick < 0 || tick > this.head) throw new Error(`game: tick ${tick} was asked for, the head is at ${this.head}`);
    if (tick === this.tick) return;
    const near = tick > this.tick && tick - this.tick <= 2 * KEYFRAME_EVERY;
    if (!near) {
      const keyframe = Math.floor(Math.max(0, tick - TRAIL) / KEYFRAME_EVERY);
      restore(world, this.state, this.keyframes[keyframe]!);
      this.pastFrom = this.tick;
      this.notePast();
    }
    while (this.tick < tick) this.step();
  }

  /** The same game up to the tick looked at, with nothing after it. */
  fork(): Game {
    const { tick } = this;
    const copy = new Game(this.config, this.seed, this.script.until(tick));
    restore(world, copy.state, snapshot(world, this.state));
    copy.head = tick;
    copy.keyframes.splice(0, 1, ...this.keyframes.slice(0, Math.floor(tick / KEYFRAME_EVERY) + 1));
    copy.events.push(...this.events.filter((event) => event.tick <= tick));
    copy.gains.push(...this.gains.filter((gain) => gain.tick <= tick));
    for (const [name, ticks] of this.closings)
      copy.closings.set(
        name,
        ticks.filter((closed) => closed <= tick),
      );
    copy.past.set(this.past);
    copy.pastFrom = this.pastFrom;
    return copy;
  }

  /** Begins with the balls of another game, as far as there is room for them here; and with one more, if asked for. */
  carry(from: Game, more: Point | null = null): void {
    const { physics } = this.state;
    const { table } = this.config.machine;
    const old = from.state.physics;
    let next = 0;
    for (let i = 0; i < from.balls && next < this.balls; i++) {
      if (old.status[i] === GONE || !placeBall(table, physics, next, old.x[i]!, old.y[i]!)) continue;
      physics.vx[next] = old.vx[i]!;
      physics.vy[next] = old.vy[i]!;
      next++;
    }
    if (more !== null) placeBall(table, physics, Math.min(next, this.balls - 1), more[0], more[1]);
    if (next > 0 || more !== null) this.state.toServe = 0;
    this.keyframes[0] = snapshot(world, this.state);
    this.notePast();
  }

  private notePast(): void {
    const { physics } = this.state;
    const row = (this.tick % TRAIL) * 2 * this.balls;
    for (let i = 0; i < this.balls; i++) {
      const there = physics.status[i] !== GONE;
      this.past[row + 2 * i] = there ? physics.x[i]! : NaN;
      this.past[row + 2 * i + 1] = there ? physics.y[i]! : NaN;
    }
  }

  /** Where a ball was `ago` ticks ago, into `into`; false where that is not known. */
  before(ball: number, ago: number, into: { x: number; y: number }): boolean {
    const tick = this.tick - ago;
    if (ago >= TRAIL || tick < this.pastFrom || tick < 0) return false;
    const at = (tick % TRAIL) * 2 * this.balls + 2 * ball;
    into.x = this.past[at]!;
    into.y = this.past[at + 1]!;
    return into.x === into.x;
  }

  /** The last event of the given ticks, as seen from the tick looked at, of a kind that is asked for. */
  lately(ticks: number, wanted: (event: WorldEvent) => boolean): WorldEvent | null {
    for (let i = this.events.length - 1; i >= 0; i--) {
      const { tick, event } = this.events[i]!;
      if (tick > this.tick) continue;
      if (this.tick - tick > ticks) return null;
      if (wanted(event)) return event;
    }
    return null;
  }

  /** Ticks since a switch closed last, as seen from the tick looked at; Infinity where it has not. */
  sinceClosing(name: string): number {
    const ticks = this.closings.get(name);
    if (ticks === undefined) return Infinity;
    for (let i = ticks.length - 1; i >= 0; i--) if (ticks[i]! <= this.tick) return this.tick - ticks[i]!;
    return Infinity;
  }
}

/** The switch whose closing an event tells of. */
export function switchOf({ kind, name }: WorldEvent): string | null {
  return kind === 'switch' && typeof name === 'string' ? name : null;
}
