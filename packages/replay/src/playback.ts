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
import { mark } from './chain.ts';
import { type Keyframe, keyframeInterval, type Replay, type ReplayBot, type TickEvents } from './replay.ts';
import { ReplayWriter, widthsOf } from './writer.ts';

/** A replay together with the world that plays it. Every state it gives is a fresh one of the caller's own. */
export class Playback {
  readonly world: AnyWorld;
  readonly replay: Replay;
  readonly config: unknown;
  private readonly actions: readonly unknown[];
  /** The tick whose actions these are now. */
  private filled = -1;
  /** The bits of the replay's rows. */
  private readonly words: Uint32Array;
  /** Values of all actions of a tick. */
  readonly width: number;
  private readonly stateSize: number;
  /** Snapshots of the way so far, for files without keyframes: nobody walks it twice. */
  private readonly passed: Keyframe[] = [];
  private readonly passedEvery: number;

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
    this.words = new Uint32Array(replay.rows.buffer, replay.rows.byteOffset, replay.rows.length * 2);
    this.actions = widths.map((_, seat) => world.idle(this.config, seat));
    this.width = widths.reduce((sum, width) => sum + width, 0);
    this.stateSize = snapshot(world, this.start()).length;
    this.passedEvery = 10 * keyframeInterval(this.stateSize * 8);
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
    const isThere = this.filled === tick || (this.filled === tick - 1 && this.isAsBefore(tick));
    this.filled = tick;
    if (isThere) return this.actions;
    let at = tick * this.width;
    for (const [seat, width] of widths.entries()) {
      restoreAction(this.world, this.actions[seat], rows.slice(at, at + width));
      at += width;
    }
    return this.actions;
  }

  /** Are the actions of a tick those of the tick before? Most players hold what they hold for many ticks. */
  isAsBefore(tick: number): boolean {
    const { words, width } = this;
    if (tick === 0) return false;
    for (let i = (tick - 1) * width * 2, end = i + width * 2; i < end; i++) if (words[i] !== words[i + width * 2]) return false;
    return true;
  }

  /** The state after `tick` ticks: the nearest snapshot before it, then steps. A `from` that lies nearer is taken along instead. */
  seek(tick: number, from?: TickState): TickState {
    const { replay, passed } = this;
    if (!Number.isInteger(tick) || tick < 0 || tick > replay.ticks) throw new InputError('tick', `a whole number 0..${replay.ticks}`, tick);
    const own = replay.keyframes.length === 0;
    const frame = lastBefore(own ? passed : replay.keyframes, tick);
    const near = from !== undefined && from.tick <= tick && from.tick >= (frame?.tick ?? 0);
    try {
      const state = near ? from : frame === undefined ? this.start() : own ? this.restored(frame) : this.trusted(frame);
      while (state.tick < tick && this.step(state)) if (own) this.remember(state);
      if (state.tick !== tick) throw new Error(`tick ${state.tick}`);
      return state;
    } catch (error) {
      if (error instanceof InputError || frame === undefined) throw error;
      // Only a file that was made up holds a keyframe from which its world cannot go on.
      throw new InputError(`${replay.path}: keyframe of tick ${frame.tick}`, `a state of ${this.world.name}`, String(error));
    }
  }

  private remember(state: TickState): void {
    const next = (this.passed.at(-1)?.tick ?? 0) + this.passedEvery;
    if (state.tick === next) this.passed.push({ tick: state.tick, snapshot: snapshot(this.world, state) });
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
    const state = this.restored(frame);
    if (state.tick !== frame.tick) throw new InputError(`${this.replay.path}: keyframe`, `tick ${frame.tick}`, state.tick);
    return state;
  }

  private restored({ snapshot: from }: Keyframe): TickState {
    const state = this.start();
    restore(this.world, state, from);
    return state;
  }

  /** Whether the recorder stood where this state stands. Sixteen bits at every mark: a difference is certain, agreement nearly so. */
  agrees(state: TickState): boolean {
    const every = this.replay.rhythm.marks;
    const recorded = state.tick % every === 0 ? this.replay.marks[state.tick / every - 1] : undefined;
    return recorded === undefined || recorded === mark(hash(this.world, state));
  }

  /** The game up to `tick`, then open: a state to play on from, and a recorder that already holds what came before. */
  fork(tick: number, bots: readonly ReplayBot[] = this.replay.bots): { readonly state: TickState; readonly writer: ReplayWriter } {
    const { world, config, replay } = this;
    if (!Number.isInteger(tick) || tick < 0 || tick > replay.stepped)
      throw new InputError('tick', `a whole number 0..${replay.stepped}`, tick);
    const writer = new ReplayWriter({ world, config, seed: replay.seed, bots });
    const state = this.start();
    while (state.tick < tick) {
      const events: WorldEvent[] = [];
      writer.note(this.actionsAt(state.tick));
      this.step(state, events);
      writer.afterStep(state, events);
    }
    return { state, writer };
  }

  /** What happened in every tick that something happened in: as the file tells it, or by playing the whole game. */
  events(): readonly TickEvents[] {
    if (this.replay.events !== null) return this.replay.events;
    const found: TickEvents[] = [];
    const state = this.start();
    for (let events: WorldEvent[] = []; this.step(state, events); events = [])
      if (events.length > 0) found.push({ tick: state.tick, events });
    return found;
  }
}

/** The last of them that is not after a tick. */
function lastBefore(frames: readonly Keyframe[], tick: number): Keyframe | undefined {
  const after = frames.findIndex((one) => one.tick > tick);
  return after < 0 ? frames.at(-1) : frames[after - 1];
}

/** The state after `tick` ticks of a replay. */
export function seek(world: AnyWorld, replay: Replay, tick: number): TickState {
  return new Playback(world, replay).seek(tick);
}
