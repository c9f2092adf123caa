import { hash, InputError, type Scene } from '@lockstep/kernel';
import { sparse, topView, type TopView } from '@lockstep/sparse';
import { computed, signal } from '@preact/signals';
import type { FieldLine, RunInfo, Shot, TimedEvent } from '../protocol.ts';
import { freshSeed, stage } from '../shell.ts';
import type { ScreenPosition, Sight } from '../stage/stage.ts';
import type { Tape } from '../tape.ts';
import { complaint } from '../tas/complaint.ts';
import { filled, language } from '../words.ts';
import { Fountain } from './fountain.ts';
import { Hands } from './hands.ts';
import type { Keeper } from './keeper.ts';
import { placeOf, type Size } from './paint-top.ts';
import { explorerWords } from './words.ts';

export type ViewName = 'stage' | 'top' | 'particles';

const TICKS_PER_SECOND = sparse.world.ticksPerSecond;
/** Kept without being asked to, so often. */
const KEEP_EVERY = 150;
const MOST_TICKS_A_FRAME = 8;
/** While nobody looks from above, entities are counted so often. */
const LOOK_EVERY = 15;
const NORTH = { forward: [0, 1], right: [1, 0] } as const;

/** One's own dungeon: it is played here, kept in the browser, looked at from above, and left for any chunk of the world. */
export class Explorer implements Tape {
  readonly info = signal<Pick<RunInfo, 'ticksPerSecond' | 'length' | 'keyframeEvery'> | null>({
    ticksPerSecond: TICKS_PER_SECOND,
    length: null,
    keyframeEvery: 120,
  });
  readonly tick = signal(0);
  readonly head = computed(() => this.tick.value);
  readonly verified = computed(() => this.tick.value);
  readonly diverged = signal<number | null>(null);
  readonly playing = signal(true);
  readonly speed = signal(1);
  readonly marks = signal<readonly TimedEvent[]>([]);
  readonly shown = signal<Shot | null>(null);
  readonly fields = signal<{ readonly tick: number; readonly lines: readonly FieldLine[] } | null>(null);
  readonly metrics = new Map<number, Readonly<Record<string, number>>>();

  readonly view = signal<ViewName>('stage');
  readonly top = signal<TopView | null>(null);
  /** Where the hero is, also while nobody looks from above. */
  readonly chunk = signal<readonly number[]>([]);
  readonly saved = signal<{ readonly tick: number; readonly chunks: number } | null>(null);
  readonly notice = signal<{ readonly text: string; readonly wrong: boolean } | null>(null);
  readonly dropping = signal(false);
  readonly hands = new Hands();
  readonly fountain = new Fountain();
  readonly keeper: Keeper;
  size: Size = { width: 1, height: 1 };
  private owed = 0;
  private before: Scene | null = null;
  /** Ticks, commits and jumps come one after another. */
  private work: Promise<void> = Promise.resolve();
  private pending = 0;
  private isClosed = false;

  constructor(keeper: Keeper) {
    this.keeper = keeper;
    this.look();
    this.saved.value = { tick: this.state.tick, chunks: 0 };
    if (!keeper.lasts) this.say(explorerWords.value.notKept, true);
    this.tellDamage();
  }

  private get state() {
    return this.keeper.session.state;
  }

  /** The chunk of the first room. */
  get home(): readonly number[] {
    const { originX, originY, originZ } = this.state.config;
    return [originX, originY, originZ];
  }

  get hasFallen(): boolean {
    return this.state.heroes[0]!.fallen;
  }

  // ---------------------------------------------------------------- time

  toggle(): void {
    this.playing.value = !this.playing.value;
  }
  seek(): void {}
  step(ticks: number): void {
    this.playing.value = false;
    if (ticks > 0) void this.play(ticks);
  }
  faster(): void {}
  seekMark(): void {}
  askFields(): void {
    const hero = this.state.heroes[0]!;
    const lines = Object.entries(hero).map(([name, value]): FieldLine => [`hero.${name}`, String(value)]);
    this.fields.value = { tick: this.tick.value, lines };
  }

  /** Answers when the ticks that are due have been played: whoever steps by hand waits for them. */
  pass(seconds: number): Promise<void> {
    if (this.view.value === 'particles') {
      if (this.playing.value) this.fountain.pass(seconds);
      return Promise.resolve();
    }
    if (!this.playing.value || this.hasFallen) return this.work;
    this.owed += seconds * TICKS_PER_SECOND;
    // what a slow machine or disk cannot play in time is not made up for
    if (this.pending > 0) {
      this.owed = Math.min(this.owed, 1);
      return this.work;
    }
    const ticks = Math.min(Math.floor(this.owed + 1e-6), MOST_TICKS_A_FRAME);
    this.owed = Math.min(Math.max(0, this.owed - ticks), 1);
    return ticks === 0 ? this.work : this.play(ticks);
  }

  private play(ticks: number): Promise<void> {
    return this.enqueue(async () => {
      for (let i = 0; i < ticks && !this.hasFallen && !this.isClosed; i++) {
        const events = await this.keeper.session.tick([this.hands.deed(this.turned())]);
        for (const event of events) this.marks.value = [...this.marks.value, { tick: this.state.tick, event }];
        this.before = this.shown.value?.scene ?? null;
        this.look();
        if (this.state.tick % KEEP_EVERY === 0) await this.commit();
      }
      this.tellDamage();
    });
  }

  private enqueue(act: () => Promise<void>): Promise<void> {
    this.pending++;
    const mine = this.work.then(act).catch((error: unknown) => {
      this.playing.value = false;
      if (!(error instanceof InputError)) throw error;
      this.say(complaint(error, language.value), true);
    });
    this.work = mine.finally(() => this.pending--).catch(() => {});
    return mine;
  }

  /** Which way is forward: in the dungeon where the camera looks, from above the north. */
  private turned(): { readonly forward: readonly [number, number]; readonly right: readonly [number, number] } {
    const shown = stage.peek();
    if (this.view.peek() !== 'stage' || shown === null) return NORTH;
    const { forward, right } = shown.heading();
    return { forward: [forward.x, -forward.z], right: [right.x, -right.z] };
  }

  // ---------------------------------------------------------------- what is seen

  private look(): void {
    const { state } = this;
    const scene = sparse.stage.scene(state);
    this.tick.value = state.tick;
    this.shown.value = { scene, hash: hash(sparse.world, state) };
    this.metrics.set(state.tick, scene.metrics);
    const row = state.store.rowOf(state.heroes[0]!.id);
    this.chunk.value = [state.store.chunkXOf(row), state.store.chunkYOf(row), state.store.chunkZOf(row)];
    if (this.view.peek() === 'top' || this.top.peek() === null || state.tick % LOOK_EVERY === 0) this.top.value = topView(state);
  }

  choose(view: ViewName): void {
    this.view.value = view;
    this.hands.letGo();
    if (view === 'top') this.top.value = topView(this.state);
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

  // ---------------------------------------------------------------- keeping

  saveNow(): Promise<void> {
    return this.enqueue(() => this.commit());
  }

  private async commit(): Promise<void> {
    const chunks = await this.keeper.session.commit();
    this.saved.value = { tick: this.state.tick, chunks };
  }

  jump(x: number, y: number, z: number): Promise<void> {
    return this.enqueue(async () => {
      await this.keeper.session.jump(0, x, y, z);
      await this.keeper.session.gather();
      this.before = null;
      this.look();
      this.top.value = topView(this.state);
    });
  }

  begin(seed: string): Promise<void> {
    return this.enqueue(async () => {
      await this.keeper.replace(seed);
      this.changed();
    });
  }

  export(): Promise<void> {
    return this.enqueue(async () => {
      const bytes = await this.keeper.file();
      this.saved.value = { tick: this.state.tick, chunks: this.saved.value?.chunks ?? 0 };
      const address = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }));
      const anchor = document.createElement('a');
      anchor.href = address;
      anchor.download = `dungeon-${this.keeper.beginning.name}.world`;
      anchor.click();
      setTimeout(() => URL.revokeObjectURL(address), 10_000);
    });
  }

  /** The first of the files takes this dungeon's place. */
  open([file]: readonly File[]): Promise<void> {
    if (file === undefined) return Promise.resolve();
    return this.enqueue(async () => {
      await this.keeper.replace(freshSeed(), { bytes: new Uint8Array(await file.arrayBuffer()), name: file.name });
      this.changed();
      this.say(filled(explorerWords.value.imported, { name: file.name }));
    });
  }

  private changed(): void {
    this.before = null;
    this.marks.value = [];
    this.metrics.clear();
    this.saved.value = { tick: this.state.tick, chunks: 0 };
    this.top.value = null;
    this.look();
    this.playing.value = true;
  }

  private tellDamage(): void {
    const { damaged } = this.keeper.session.save;
    if (damaged.length > 0) this.say(filled(explorerWords.value.damaged, { n: damaged.length }), true);
  }

  say(text: string, wrong = false): void {
    this.notice.value = { text, wrong };
  }

  refuse(what: InputError): void {
    this.say(complaint(what, language.value), true);
  }

  close(): void {
    this.isClosed = true;
    void this.work.then(() => this.keeper.session.commit()).finally(() => this.keeper.close());
  }
}
