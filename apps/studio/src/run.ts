import {
  type AnyEntry,
  type Bot,
  hash,
  type Held,
  InputError,
  type Json,
  readSeed,
  restore,
  restoreAction,
  type Result,
  type Scene,
  type Seed,
  type Snapshot,
  snapshot,
  type TickState,
  type WorldEvent,
  writeAction,
} from '@lockstep/kernel';
import { createMatch, type Fault, type Match, type Witness } from '@lockstep/match';
import { type Replay, type ReplayBot, ReplayWriter } from '@lockstep/replay';
import type { FieldLine, Hand, RunInfo, Setup, TimedEvent } from './protocol.ts';
import { RecordedGame } from './recorded.ts';

export const KEYFRAME_EVERY = 120;

/** A state that can be set to any tick already played: nearest keyframe, then the recorded actions. */
interface Cursor {
  readonly state: TickState;
  /** Refilled for every tick; there are none before the first. */
  readonly actions: readonly unknown[];
}

/** What plays at the head: a match of bots, or a recording. */
export interface Game {
  readonly state: TickState;
  readonly result: Result | null;
  readonly faults: readonly Fault[];
  /** Of the last tick. */
  readonly events: readonly WorldEvent[];
  /** What the recording says of this tick is not so. */
  readonly differs?: boolean;
  step(): void;
}

interface Of {
  /** Of the world's built-in bots. */
  readonly sha256: string | null;
  readonly recording: Replay | null;
}

/**
 * A growing run of one game: plays at the head, keeps every action, every hash and a keyframe now and then, and goes back to any tick exactly.
 * Seeking and checking use nothing but the recorded actions: bots are asked once a tick, at the head.
 */
export class Run {
  events: TimedEvent[] = [];
  /** Every tick up to here was simulated a second time from the seed and gave the same hash. */
  verified = 0;
  diverged: number | null = null;
  readonly entry: AnyEntry;
  private readonly config: unknown;
  private readonly seed: Seed;
  private readonly names: readonly string[];
  /** Of the world's built-in bots. */
  private readonly sha256: string | null;
  /** Plays at the head; after a cut it is a new one that has yet to come there. */
  private match: Game;
  /** What is watched is a recording: its actions are played, not its bots. */
  private readonly recording: Replay | null;
  /** One hash a tick, from tick 0: the last one is the head's. */
  private readonly hashes: string[] = [];
  private readonly keyframes: Snapshot[] = [];
  /** Recorded actions as raw values; `widths` of them a seat. */
  private log = new Float64Array(4096);
  private readonly widths: readonly number[];
  private readonly stride: number;
  private readonly viewer: Cursor;
  private checker: Cursor | null = null;
  /** What a person holds now, and what they held: each from its tick on. */
  private hand: Hand | null = null;
  private hands: { readonly tick: number; readonly hand: Hand | null }[] = [];
  /** Faults before the last cut, until the match has come there again. */
  private oldFaults: readonly Fault[] = [];

  private constructor(entry: AnyEntry, names: readonly string[], config: unknown, seed: Seed, of: Of) {
    const { world } = entry;
    this.entry = entry;
    this.config = config;
    this.seed = seed;
    this.names = names;
    this.sha256 = of.sha256;
    this.recording = of.recording;
    this.widths = names.map((_, seat) => writeAction(world, world.idle(config, seat)).length);
    this.stride = this.widths.reduce((sum, width) => sum + width, 0);
    this.match = this.newGame();
    this.viewer = this.newCursor();
    this.note();
  }

  /** A game of built-in bots. */
  static ofSetup(entry: AnyEntry, setup: Setup, sha256: string | null = null): Run {
    const { world, bots } = entry;
    if (!Object.hasOwn(world.presets, setup.preset)) {
      throw new InputError('preset', `one of ${Object.keys(world.presets).join(', ')}`, setup.preset);
    }
    const config = world.readConfig(world.presets[setup.preset]);
    const count = world.seats(config);
    if (setup.bots.length !== count) throw new InputError('bots', `${count} names`, setup.bots.join(','));
    setup.bots.forEach((name, seat) => {
      if (!Object.hasOwn(bots, name)) throw new InputError(`bots[${seat}]`, `one of ${Object.keys(bots).join(', ')}`, name);
    });
    return new Run(entry, setup.bots, config, readSeed(setup.seed), { sha256, recording: null });
  }

  /** A game that was recorded somewhere: its actions, whoever played them. */
  static ofReplay(entry: AnyEntry, replay: Replay): Run {
    const names = replay.bots.map(({ name }) => name);
    return new Run(entry, names, entry.world.readConfig(replay.config), replay.seed, { sha256: null, recording: replay });
  }

  private newGame(): Game {
    if (this.recording === null) return this.newMatch();
    return new RecordedGame(this.entry, this.recording, { handNow: () => this.handNow(), note: (actions) => this.record(actions) });
  }

  private newMatch(): Match {
    const { world, bots } = this.entry;
    const seats = this.names.map((name, seat) => ({
      name,
      kind: 'builtin',
      sha256: this.sha256,
      make: (briefing: unknown) => this.steered(seat, bots[name]!(briefing, seat)),
    }));
    return createMatch({
      world,
      config: this.config,
      seed: this.seed,
      seats,
      witnesses: [{ note: (actions) => this.record(actions) }],
    });
  }

  /** A person plays for a seat from the next tick on; null gives it back to its bot. */
  take(hand: Hand | null): void {
    this.hand = hand;
  }

  /**
   * The run ends at `tick` and goes on from there. Bots cannot forget what they saw since: new ones are asked for every tick again, a tick an
   * `advance`, until they know what the old ones knew.
   */
  cut(tick: number): void {
    if (tick >= this.head) return;
    this.oldFaults = this.faults.filter((fault) => fault.tick < tick);
    this.moveTo(this.viewer, tick);
    if (this.checker !== null && this.checker.state.tick > tick) this.moveTo(this.checker, tick);
    this.verified = Math.min(this.verified, tick);
    if (this.diverged !== null && this.diverged > tick) this.diverged = null;
    this.hashes.length = tick + 1;
    this.keyframes.length = Math.floor(tick / KEYFRAME_EVERY) + 1;
    this.events = this.events.filter((event) => event.tick <= tick);
    this.hands = this.hands.filter((change) => change.tick < tick);
    this.match = this.newGame();
  }

  private steered(seat: number, bot: Bot): Bot {
    const { stage } = this.entry;
    return {
      act: (view) => {
        const asBot = bot.act(view);
        const hand = this.handNow();
        return hand?.seat === seat && stage.steer !== undefined ? stage.steer(seat, hand.held, view, asBot) : asBot;
      },
    };
  }

  private handNow(): Hand | null {
    const { tick } = this.match.state;
    if (tick === this.head) return this.hand;
    return this.hands.findLast((change) => change.tick <= tick)?.hand ?? null;
  }

  get head(): number {
    return this.hashes.length - 1;
  }
  /** Ticks that the bots have yet to be asked for again. */
  get behind(): number {
    return this.head - this.match.state.tick;
  }
  /** A person has played: the setup alone does not give this game again, its actions do. */
  get byHand(): boolean {
    return this.hands.length > 0;
  }
  get result(): Result | null {
    return this.match.result;
  }
  get faults(): readonly Fault[] {
    return this.behind > 0 ? this.oldFaults : this.match.faults;
  }
  get writtenConfig(): Json {
    return this.entry.world.writeConfig(this.config);
  }
  get scenery(): Pick<RunInfo, 'bounds' | 'meshes' | 'length' | 'controls' | 'names'> {
    const { stage, world } = this.entry;
    return {
      bounds: stage.bounds(this.config),
      meshes: stage.meshes(this.config),
      length: world.maxTicks?.(this.config) ?? null,
      controls: this.controls(),
      names: stage.names ?? {},
    };
  }

  /** What a person can ask of a seat: what changes the answer. */
  private controls(): RunInfo['controls'] {
    const { world, stage, bots } = this.entry;
    if (stage.steer === undefined) return null;
    const state = world.create(this.config, this.seed);
    const bot = bots[this.names[0]!] ?? Object.values(bots)[0]!;
    const asBot = bot(world.brief(state, 0), 0).act(world.observe(state, 0));
    const asked = (held: Partial<Held>) =>
      JSON.stringify(stage.steer!(0, { move: [0, 0, 0], jump: false, boost: false, ...held }, world.observe(state, 0), asBot));
    const nothing = asked({});
    const aside: Partial<Held> = { move: [1, 0, 0] };
    return {
      jump: asked({ jump: true }) !== nothing,
      boost: asked({ boost: true }) !== nothing || asked({ ...aside, boost: true }) !== asked(aside),
    };
  }

  /** Plays one tick at the head, or brings the bots a tick nearer to it; false when the game is over. */
  advance(): boolean {
    if (this.behind > 0) return this.askAgain();
    if (this.match.result !== null) return false;
    this.match.step();
    this.note();
    for (const event of this.match.events) this.events.push({ tick: this.head, event });
    return true;
  }

  private askAgain(): true {
    this.match.step();
    if (this.behind === 0 && hash(this.entry.world, this.match.state) !== this.hashes[this.head]) {
      throw new Error(`run: asked again, the bots played otherwise before tick ${this.head}`);
    }
    return true;
  }

  hashAt(tick: number): string {
    return this.hashes[tick]!;
  }

  /** `tick` must have been played. */
  sceneAt(tick: number): Scene {
    const { stage } = this.entry;
    this.moveTo(this.viewer, tick);
    return stage.scene(this.viewer.state, tick === 0 ? undefined : this.viewer.actions);
  }

  /** Every field of the state by name: a walk over the living objects, so that it holds for any world. */
  fieldsAt(tick: number): FieldLine[] {
    this.moveTo(this.viewer, tick);
    const lines: FieldLine[] = [];
    listFields(this.viewer.state, '', this.config, lines);
    return lines;
  }

  /** Re-simulates up to `ticks` more ticks from the seed with the recorded actions; true if something is left to check. */
  check(ticks: number): boolean {
    this.checker ??= this.newCursor();
    if (this.verified === 0 && this.diverged === null) this.compare(0);
    for (let i = 0; i < ticks && this.diverged === null && this.verified < this.head; i++) {
      this.replay(this.checker);
      this.compare(this.checker.state.tick);
    }
    return this.diverged === null && this.verified < this.head;
  }

  /** The run so far as a replay file, written by one more simulation from the seed. */
  toReplay(): Promise<Uint8Array> {
    const { world } = this.entry;
    const bots = this.names.map((_, seat) => this.playerOf(seat));
    const writer = new ReplayWriter({ world, config: this.config, seed: this.seed, bots });
    const cursor = this.newCursor();
    while (cursor.state.tick < this.head) this.replay(cursor, writer);
    return writer.finish(this.result, this.faults);
  }

  /** Who played for the seat. Where a person did at any tick it is said; their bot was beside them, for other ticks or other things. */
  private playerOf(seat: number): ReplayBot {
    const { name, kind, sha256 } = this.recording?.bots[seat] ?? { name: this.names[seat]!, kind: 'builtin', sha256: this.sha256 };
    const byHand = this.hands.some(({ hand }) => hand?.seat === seat);
    return byHand ? { name: `person with ${name}`, kind: 'person', sha256 } : { name, kind, sha256 };
  }

  private compare(tick: number): void {
    if (hash(this.entry.world, this.checker!.state) === this.hashes[tick]) this.verified = tick;
    else this.diverged = tick;
  }

  private newCursor(): Cursor {
    const { world } = this.entry;
    return { state: world.create(this.config, this.seed), actions: this.widths.map((_, seat) => world.idle(this.config, seat)) };
  }

  /** What is known of the head's tick. */
  private note(): void {
    const { world } = this.entry;
    this.hashes.push(hash(world, this.match.state));
    if (this.match.differs === true) this.diverged ??= this.head;
    if (this.head % KEYFRAME_EVERY === 0) this.keyframes.push(snapshot(world, this.match.state));
  }

  private record(actions: readonly unknown[]): void {
    if (this.behind > 0) return;
    if (this.hand !== (this.hands.at(-1)?.hand ?? null)) this.hands.push({ tick: this.head, hand: this.hand });
    let at = this.head * this.stride;
    if (at + this.stride > this.log.length) {
      const wider = new Float64Array(Math.max(this.log.length * 2, at + this.stride));
      wider.set(this.log);
      this.log = wider;
    }
    for (const action of actions) {
      const values = writeAction(this.entry.world, action);
      this.log.set(values, at);
      at += values.length;
    }
  }

  private moveTo(cursor: Cursor, tick: number): void {
    if (tick < 0 || tick > this.head) throw new Error(`run: tick ${tick} was asked for, the head is at ${this.head}`);
    if (cursor.state.tick === tick) return;
    const keyframe = Math.max(0, Math.ceil(tick / KEYFRAME_EVERY) - 1); // the one before the tick: its actions are replayed too
    if (cursor.state.tick > tick || cursor.state.tick < keyframe * KEYFRAME_EVERY) {
      restore(this.entry.world, cursor.state, this.keyframes[keyframe]!);
    }
    while (cursor.state.tick < tick) this.replay(cursor);
  }

  /** One tick with the recorded actions. */
  private replay(cursor: Cursor, witness?: Witness): void {
    const { world } = this.entry;
    let at = cursor.state.tick * this.stride;
    this.widths.forEach((width, seat) => {
      restoreAction(world, cursor.actions[seat], this.log.subarray(at, at + width));
      at += width;
    });
    const events: WorldEvent[] = [];
    witness?.note?.(cursor.actions);
    world.step(cursor.state, cursor.actions, events);
    witness?.afterStep?.(cursor.state, events);
  }
}

const LONG = 12;

export function listFields(value: unknown, path: string, config: unknown, lines: FieldLine[]): void {
  if (value === config && path !== '') return;
  if (typeof value !== 'object' || value === null) {
    lines.push([path, typeof value === 'number' || typeof value === 'bigint' ? String(value) : JSON.stringify(value)]);
    return;
  }
  if (ArrayBuffer.isView(value)) {
    const items = Array.from(value as unknown as ArrayLike<number>);
    lines.push([path, items.length > LONG ? `${items.length} × ${value.constructor.name.replace('Array', '')}` : items.join(' ')]);
    return;
  }
  for (const [key, item] of Object.entries(value)) {
    listFields(item, /^\d+$/.test(key) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`, config, lines);
  }
}
