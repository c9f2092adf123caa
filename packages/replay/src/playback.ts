import {
  type AnyWorld,
  hash,
  InputError,
  type LedgerEntry,
  restore,
  restoreAction,
  snapshot,
  type TickState,
  type WorldEvent,
} from '@lockstep/kernel';
import { LINK_EVERY, mark } from './chain.ts';
import type { Keyframe, Replay, ReplayBot } from './replay.ts';
import { ReplayWriter, widthsOf } from './writer.ts';

/** A replay together with the world that plays it. Every state it gives is a fresh one of the caller's own. */
export class Playback {
  readonly world: AnyWorld;
  readonly replay: Replay;
  readonly config: unknown;
  private readonly actions: readonly unknown[];
  /** Values of all actions of a tick. */
  readonly width: number;
  private readonly stateSize: number;

  /** Refuses a replay of another world or of other rules in one line. */
  constructor(world: AnyWorld, replay: Replay) {
    const { path } = replay;
    if (replay.world !== world.name) throw new InputError(`${path}: world`, world.name, replay.world);
    if (replay.rulesVersion !== world.rulesVersion) {
      throw new InputError(`${path}: rulesVersion of ${world.name}`, String(world.rulesVersion), replay.rulesVersion);
    }
    this.world = world;
    this.replay = replay;
    try {
      this.config = world.readConfig(replay.config);
    } catch (error) {
      if (error instanceof InputError) error.message = `${path}: ${error.message}`;
      throw error;
    }
    const widths = widthsOf(world, this.config);
    if (String(widths) !== String(replay.widths))
      throw new InputError(`${path}: values of an action, by seat`, String(widths), String(replay.widths));
    if (replay.bots.length !== widths.length) throw new InputError(`${path}: bots`, `${widths.length}, one a seat`, replay.bots.length);
    this.actions = widths.map((_, seat) => world.idle(this.config, seat));
    this.width = widths.reduce((sum, width) => sum + width, 0);
    this.stateSize = snapshot(world, this.start()).length;
  }

  /** The state before the first tick. */
  start(): TickState {
    return this.world.create(this.config, this.replay.seed);
  }

  /** Plays the recorded actions of the state's tick; false when there are none, i.e. at the end. */
  step(state: TickState, events: WorldEvent[] = [], ledger?: LedgerEntry[]): boolean {
    const { tick } = state;
    if (!(tick < this.replay.ticks)) return false;
    try {
      this.world.step(state, this.actionsAt(tick), events, ledger);
    } catch (error) {
      // Only a file that was made up holds actions that the world's door lets in from nobody.
      if (error instanceof InputError) error.message = `${this.replay.path}: actions of tick ${tick}: ${error.message}`;
      throw error;
    }
    return true;
  }

  /** One action a seat, valid until the next call. */
  actionsAt(tick: number): readonly unknown[] {
    const { rows, widths } = this.replay;
    let at = tick * this.width;
    for (const [seat, width] of widths.entries()) {
      restoreAction(this.world, this.actions[seat], rows.slice(at, at + width));
      at += width;
    }
    return this.actions;
  }

  /** The state after `tick` ticks: the nearest keyframe before it, then steps. A `from` that lies nearer is taken along instead. */
  seek(tick: number, from?: TickState): TickState {
    const { replay } = this;
    if (!Number.isInteger(tick) || tick < 0 || tick > replay.ticks) throw new InputError('tick', `a whole number 0..${replay.ticks}`, tick);
    const after = replay.keyframes.findIndex((one) => one.tick > tick);
    const frame = replay.keyframes.at(after < 0 ? -1 : after === 0 ? replay.keyframes.length : after - 1);
    const near = from !== undefined && from.tick <= tick && from.tick >= (frame?.tick ?? 0);
    try {
      const state = near ? from : frame === undefined ? this.start() : this.trusted(frame);
      while (state.tick < tick && this.step(state));
      if (state.tick !== tick) throw new Error(`tick ${state.tick}`);
      return state;
    } catch (error) {
      if (error instanceof InputError || frame === undefined) throw error;
      // Only a file that was made up holds a keyframe from which its world cannot go on.
      throw new InputError(`${replay.path}: keyframe of tick ${frame.tick}`, `a state of ${this.world.name}`, String(error));
    }
  }

  /** A keyframe to go on from: only one that the recorded hashes vouch for. */
  private trusted(frame: Keyframe): TickState {
    const state = this.stateOf(frame);
    if (!this.agrees(state))
      throw new InputError(
        `${this.replay.path}: keyframe of tick ${frame.tick}`,
        'the state whose hash was recorded',
        hash(this.world, state),
      );
    return state;
  }

  /** What a keyframe holds, whether it is right or not. */
  stateOf(frame: Keyframe): TickState {
    if (frame.snapshot.length !== this.stateSize) {
      throw new InputError(`${this.replay.path}: keyframe of tick ${frame.tick}`, `${this.stateSize} values`, frame.snapshot.length);
    }
    const state = this.start();
    restore(this.world, state, frame.snapshot);
    if (state.tick !== frame.tick) throw new InputError(`${this.replay.path}: keyframe`, `tick ${frame.tick}`, state.tick);
    return state;
  }

  /** Whether the recorder stood where this state stands. Sixteen bits: a difference is certain, agreement nearly so. */
  agrees(state: TickState): boolean {
    const recorded = this.replay.marks[state.tick - 1];
    return recorded === undefined || recorded === mark(hash(this.world, state));
  }

  /** The game up to `tick`, then open: a state to play on from, and a recorder that already holds what came before. */
  fork(tick: number, bots: readonly ReplayBot[] = this.replay.bots): { readonly state: TickState; readonly writer: ReplayWriter } {
    const { world, config, replay } = this;
    if (tick > replay.marks.length) throw new InputError('tick', `a whole number 0..${replay.marks.length}`, tick);
    const state = this.seek(tick);
    const writer = new ReplayWriter(
      { world, config, seed: replay.seed, bots },
      {
        rows: replay.rows.slice(0, tick * this.width),
        marks: replay.marks.slice(0, tick),
        links: replay.links.slice(0, Math.floor(tick / LINK_EVERY)),
        keyframes: replay.keyframes.filter((frame) => frame.tick <= tick),
        events: replay.events.filter((one) => one.tick <= tick),
        state,
      },
    );
    return { state, writer };
  }
}

/** The state after `tick` ticks of a replay. */
export function seek(world: AnyWorld, replay: Replay, tick: number): TickState {
  return new Playback(world, replay).seek(tick);
}
