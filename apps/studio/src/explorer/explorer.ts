import { InputError, type Scene } from '@lockstep/kernel';
import { Deed, sparse, topView, type TopView } from '@lockstep/sparse';
import { signal } from '@preact/signals';
import type { FieldLine, RunInfo, Shot, TimedEvent } from '../protocol.ts';
import { listFields } from '../run.ts';
import { stage } from '../shell.ts';
import type { ScreenPosition, Sight } from '../stage/stage.ts';
import { seekMarkOf, speedBeside, type Tape } from '../tape.ts';
import { Fountain } from './fountain.ts';
import { Hands } from './hands.ts';
import type { Keeper } from './keeper.ts';
import { Keeping } from './keeping.ts';
import { placeOf, type Size } from './paint-top.ts';

export type ViewName = 'stage' | 'top' | 'particles';

const TICKS_PER_SECOND = sparse.world.ticksPerSecond;
/** Kept without being asked to, so often. */
const KEEP_EVERY = 150;
const MOST_TICKS_A_FRAME = 8;
/** So many ticks of the past are played a second time with every frame, until all of it was. */
const CHECKED_A_FRAME = 3;
/** While nobody looks from above, entities are counted so often. */
const LOOK_EVERY = 15;
/** Ticks of walking after which a person knows how. */
const LEARNED_AFTER = 60;
const NORTH = { forward: [0, 1], right: [1, 0] } as const;

/**
 * One's own dungeon: it is played here, kept in the browser, looked at from above, left for any chunk of the world, and taken back to any tick. What
 * has come to pass is looked at in a second dungeon; the living one is touched only by what waits for its turn in `enqueue`.
 */
export class Explorer implements Tape {
  readonly info = signal<Pick<RunInfo, 'ticksPerSecond' | 'length' | 'keyframeEvery'> | null>({
    ticksPerSecond: TICKS_PER_SECOND,
    length: null,
    keyframeEvery: 120,
  });
  readonly tick = signal(0);
  readonly first = signal(0);
  readonly head = signal(0);
  readonly verified = signal(0);
  readonly diverged = signal<number | null>(null);
  readonly playing = signal(true);
  readonly speed = signal<number>(1);
  readonly marks = signal<readonly TimedEvent[]>([]);
  readonly shown = signal<Shot | null>(null);
  readonly fields = signal<{ readonly tick: number; readonly lines: readonly FieldLine[] } | null>(null);
  readonly metrics = new Map<number, Readonly<Record<string, number>>>();

  readonly view = signal<ViewName>('stage');
  readonly top = signal<TopView | null>(null);
  /** Where the hero is, also while nobody looks from above. */
  readonly chunk = signal<readonly number[]>([]);
  readonly hands = new Hands();
  readonly fountain = new Fountain();
  /** The hero has been sent about for a while: nobody need say how. */
  readonly hasLearned = signal(false);
  readonly keeper: Keeper;
  readonly keeping: Keeping;
  size: Size = { width: 1, height: 1 };
  private owed = 0;
  private before: Scene | null = null;
  /** Another one whenever the playhead is put somewhere: what was on its way to be played is not. */
  private going = 0;
  /** The present is being made or kept. */
  private isTicking = false;
  /** Ticks, commits and jumps come one after another. */
  private work: Promise<void> = Promise.resolve();
  private pending = 0;
  private isClosed = false;
  private walked = 0;

  constructor(keeper: Keeper) {
    this.keeper = keeper;
    this.keeping = new Keeping(this);
    this.begin();
  }

  private get chronicle() {
    return this.keeper.chronicle;
  }
  get isInThePast(): boolean {
    return this.tick.value < this.head.value;
  }
  get hasFallen(): boolean {
    return this.chronicle.session.state.heroes[0]!.fallen;
  }

  /** The keeper has another dungeon. */
  begin(): void {
    this.going++;
    this.before = null;
    this.metrics.clear();
    this.top.value = null;
    this.look(this.chronicle.head);
    this.playing.value = true;
  }

  // ---------------------------------------------------------------- time

  toggle(): void {
    this.playing.value = !this.playing.value;
  }

  /** To a tick of the past, or to the present. Who looks back does not play on by accident. */
  seek(tick: number): void {
    const to = Math.max(this.chronicle.first, Math.min(Math.round(tick), this.chronicle.head));
    const going = ++this.going;
    this.owed = 0;
    this.before = null;
    if (to < this.head.value) {
      this.playing.value = false;
      this.look(to);
    } else
      void this.enqueue(async () => {
        if (going === this.going) this.look(this.chronicle.head);
      });
  }

  step(ticks: number): void {
    this.playing.value = false;
    const to = this.tick.value + ticks;
    if (to <= this.head.value) this.seek(to);
    else void this.play(ticks);
  }

  faster(steps: number): void {
    this.speed.value = speedBeside(this.speed.value, steps);
  }

  seekMark(direction: -1 | 1): void {
    seekMarkOf(this, direction);
  }

  askFields(): void {
    const state = this.chronicle.at(this.tick.value);
    const lines: FieldLine[] = [['chunk', this.chunk.value.join(' ')]];
    for (const [name, value] of Object.entries({ ...sparse.world.observe(state, 0), hero: state.heroes[0]! }))
      if (name === 'hero' || typeof value !== 'object') listFields(value, name, state.config, lines);
    this.fields.value = { tick: this.tick.value, lines };
  }

  /** Answers when the ticks that are due have been played: whoever steps by hand waits for them. */
  pass(seconds: number): Promise<void> {
    if (this.view.value === 'particles') {
      if (this.playing.value) this.fountain.pass(seconds);
      return Promise.resolve();
    }
    this.check();
    if (!this.playing.value || (!this.isInThePast && this.hasFallen)) return this.work;
    this.owed += seconds * TICKS_PER_SECOND * this.speed.value;
    // what a slow machine or disk cannot play in time is not made up for
    if (this.pending > 0) {
      this.owed = Math.min(this.owed, 1);
      return this.work;
    }
    const ticks = Math.min(Math.floor(this.owed + 1e-6), MOST_TICKS_A_FRAME);
    this.owed = Math.min(Math.max(0, this.owed - ticks), 1);
    return ticks === 0 ? this.work : this.play(ticks);
  }

  /** What has come to pass is seen again; at its end the hero does what the hands say. */
  private play(ticks: number): Promise<void> {
    const { going } = this;
    return this.enqueue(async () => {
      for (let i = 0; i < ticks && going === this.going && !this.isClosed; i++) {
        this.before = this.shown.value?.scene ?? null;
        if (this.isInThePast) this.look(this.tick.value + 1);
        else if (!this.hasFallen) await this.live(going);
      }
      this.keeping.tellDamage();
    });
  }

  private async live(going: number): Promise<void> {
    const { chronicle } = this;
    const deed = this.hands.deed(this.turned());
    if (deed.x !== 0 || deed.y !== 0) this.walked++;
    if (this.walked > LEARNED_AFTER) this.hasLearned.value = true;
    this.isTicking = true;
    try {
      // a file may hold a party: the others stand and wait
      await chronicle.tick(chronicle.session.state.heroes.map((_, seat) => (seat === 0 ? deed : new Deed())));
      if (chronicle.head % KEEP_EVERY === 0) await this.keeping.commit();
    } finally {
      this.isTicking = false;
    }
    if (going === this.going) this.look(chronicle.head);
    else this.publish();
  }

  /** The present is what is seen, and what came after it never was. */
  playOnFromHere(): Promise<void> {
    if (!this.isInThePast) return this.work;
    const tick = this.tick.value;
    this.going++;
    return this.enqueue(async () => {
      this.chronicle.comeBack(tick);
      for (const late of this.metrics.keys()) if (late > tick) this.metrics.delete(late);
      this.before = null;
      this.look(tick);
      this.playing.value = true;
    });
  }

  /** What touches the living dungeon waits for its turn. */
  enqueue(act: () => Promise<void>): Promise<void> {
    this.pending++;
    const mine = this.work.then(act).catch((error: unknown) => {
      this.playing.value = false;
      if (!(error instanceof InputError)) throw error;
      this.keeping.refuse(error);
    });
    this.work = mine.finally(() => this.pending--).catch(() => {});
    return mine;
  }

  private check(): void {
    if (this.verified.value >= this.head.value || this.diverged.value !== null) return;
    this.chronicle.check(CHECKED_A_FRAME);
    this.publish();
  }

  /** Which way is forward: in the dungeon where the camera looks, from above the north. */
  private turned(): { readonly forward: readonly [number, number]; readonly right: readonly [number, number] } {
    const shown = stage.peek();
    if (this.view.peek() !== 'stage' || shown === null) return NORTH;
    const { forward, right } = shown.heading();
    return { forward: [forward.x, -forward.z], right: [right.x, -right.z] };
  }

  // ---------------------------------------------------------------- what is seen

  /** Puts the playhead to a tick. The present only while nothing else is at work in it. */
  look(tick: number): void {
    const { chronicle } = this;
    const state = chronicle.at(tick);
    const scene = sparse.stage.scene(state);
    this.tick.value = tick;
    this.shown.value = { scene, hash: chronicle.hashAt(tick) };
    this.metrics.set(tick, scene.metrics);
    const [hero] = state.heroes;
    if (!hero!.fallen) {
      const { chunkX, chunkY, chunkZ } = state.store.positionOf(state.store.rowOf(hero!.id));
      this.chunk.value = [chunkX, chunkY, chunkZ];
    }
    this.publish();
    // it makes rooms as the next tick would: after everything else
    if (this.view.peek() === 'top' || this.top.peek() === null || tick % LOOK_EVERY === 0)
      this.top.value = topView(state) ?? this.top.peek();
  }

  private publish(): void {
    const { head, first, verified, diverged, events } = this.chronicle;
    // a tick that is still being kept is not what one would go back from
    if (!this.isTicking) this.head.value = head;
    this.verified.value = verified;
    this.diverged.value = diverged;
    const [last, known] = [events.at(-1), this.marks.peek().at(-1)];
    if (last !== known || events.length !== this.marks.peek().length) this.marks.value = [...events];
    if (first === this.first.peek()) return;
    this.first.value = first;
    for (const tick of this.metrics.keys()) if (tick < first) this.metrics.delete(tick);
    if (this.tick.peek() < first) this.seek(first);
  }

  choose(view: ViewName): void {
    this.view.value = view;
    this.hands.letGo();
    if (view === 'top') this.seek(this.tick.value);
  }

  sight(): Sight | null {
    const shown = this.shown.value?.scene;
    if (shown === undefined || this.view.value !== 'stage') return null;
    const from = this.before?.tick === shown.tick - 1 ? this.before : shown;
    return { from, to: shown, share: Math.min(1, this.owed), past: [], ticksPerSecond: TICKS_PER_SECOND };
  }

  /** Of what the top view shows: `hero`, `monster 12`, …; in the dungeon the stage knows. */
  screenPosition(key: string): ScreenPosition | null {
    const view = this.top.value;
    if (this.view.value !== 'top' || view === null) return null;
    const found = view.marks.find(({ mark, id }) => key === mark || key === `${mark} ${id}`);
    if (found === undefined) return null;
    const { x, y } = placeOf(view, this.size, found.x, found.y);
    return { x, y, visible: x >= 0 && y >= 0 && x <= this.size.width && y <= this.size.height };
  }

  close(): void {
    this.isClosed = true;
    void this.work.then(() => this.chronicle.commit()).finally(() => this.keeper.close());
    this.keeping.close();
  }
}
