import { computed, signal } from '@preact/signals';
import type { Held, Result } from '@lockstep/kernel';
import type { Fault } from '@lockstep/match';
import type { Command, FieldLine, RecordedFile, Report, RunInfo, Setup, Shot, TimedEvent, WorldCard } from './protocol.ts';
import type { Sight } from './stage/stage.ts';
import { seekMarkOf, speedBeside } from './tape.ts';

/** Ticks of a long step. */
export const SIXTY = 60;

/** Scenes are fetched this many seconds of watching ahead of the playhead. */
const AHEAD_SECONDS = 0.8;
const LEAST_AHEAD = 12;
/** While a person plays, what they ask must show at once. */
const HAND_AHEAD = 3;
const HAND_AHEAD_SECONDS = 0.05;
/** Where there are more marks than these, only rare kinds of events are marked. */
const MOST_MARKS = 200;
/** So many ticks of the past are kept for trails; longer ones ask for more. */
const PAST = 48;
const MOST_PAST = 120;

const NOTHING: Held = { move: [0, 0, 0], jump: false, boost: false };

export type Trouble = { readonly kind: 'refused' | 'crashed'; readonly message: string };

/**
 * The page's side of a run: the playhead, and a window of scenes around it that the worker keeps filled. It steps no world: the worker does.
 */
export class Player {
  readonly worlds = signal<readonly WorldCard[]>([]);
  readonly setup = signal<Setup | null>(null);
  readonly info = signal<RunInfo | null>(null);
  readonly head = signal(0);
  readonly verified = signal(-1);
  readonly diverged = signal<number | null>(null);
  readonly result = signal<Result | null>(null);
  readonly events = signal<readonly TimedEvent[]>([]);
  readonly faults = signal<readonly Fault[]>([]);
  readonly playing = signal(true);
  readonly speed = signal(1);
  /** The seat that a person plays for. */
  readonly taken = signal<number | null>(null);
  readonly byHand = signal(false);
  /** After a cut: so many ticks until the bots know again what they knew. */
  readonly behind = signal(0);
  readonly trouble = signal<Trouble | null>(null);
  /** Whole tick of the playhead. */
  readonly tick = signal(0);
  /** The latest tick that the playhead came to: the worker is a little ahead. */
  readonly watched = signal(0);
  /** What the stage shows; null until the first scene came. */
  readonly shown = signal<Shot | null>(null);
  /** The file that was asked for last. */
  readonly replay = signal<Uint8Array<ArrayBuffer> | null>(null);
  readonly fields = signal<{ readonly tick: number; readonly lines: readonly FieldLine[] } | null>(null);
  /** Metrics of every tick that was watched, for charts. */
  readonly metrics = new Map<number, Readonly<Record<string, number>>>();

  readonly badge = computed((): 'verified' | 'checking' | 'diverged' => {
    if (this.diverged.value !== null) return 'diverged';
    return this.shown.value !== null && this.verified.value >= this.shown.value.scene.tick ? 'verified' : 'checking';
  });
  /** Events that belong to a seat are worth a jump; where there are none, all are. Nothing is told that was not yet to be seen. */
  readonly marks = computed(() => {
    const seen = this.events.value.filter(({ tick }) => tick <= this.watched.value);
    const own = seen.filter(({ event }) => event.seat !== undefined);
    const told = own.length > 0 ? own : seen;
    // What happens all the time is no landmark.
    const counts = new Map<string, number>();
    for (const { event } of told) counts.set(event.kind, (counts.get(event.kind) ?? 0) + 1);
    const worth = told.length <= MOST_MARKS ? told : told.filter(({ event }) => counts.get(event.kind)! <= MOST_MARKS / 4);
    // What goes on from tick to tick is marked where it begins.
    const last = new Map<string, number>();
    return worth.filter(({ tick, event: { kind, seat } }) => {
      const key = `${kind} ${seat}`;
      const goesOn = last.get(key) === tick - 1;
      last.set(key, tick);
      return !goesOn;
    });
  });
  readonly outcome = computed(() => (this.watched.value >= this.head.value ? this.result.value : null));

  private readonly newWorker: () => Worker;
  private worker: Worker;
  /** Of a recording that is to be opened, until it has been read. */
  private reader: Worker | null = null;
  private run = 0;
  private wish = 0;
  private wishOpen = false;
  private shots = new Map<number, Shot>();
  /** The playhead, with its fraction of a tick. */
  private at = 0;
  private past = PAST;
  private readonly waiting = new Set<() => void>();

  constructor(newWorker: () => Worker) {
    this.newWorker = newWorker;
    this.worker = this.employ();
  }

  /** The recording that is watched. */
  readonly recording = signal<RecordedFile | null>(null);

  /** Every game has a worker of its own: the last one may still be busy, or stuck in a bot. */
  start(setup: Setup, from = 0): void {
    this.reader?.terminate();
    this.reader = null;
    if (this.run > 0) this.dismiss();
    this.begin(this.run + 1, setup, null, from);
    this.send({ type: 'start', run: this.run, setup });
  }

  /** A recorded game. The one that is on goes on until a worker has read the file; `refused` hears why it stays. */
  open(file: RecordedFile, opened: () => void, refused: (message: string) => void, from = 0): void {
    this.reader?.terminate();
    const worker = this.employ();
    const run = this.run + 1;
    const refuse = (message: string): void => {
      worker.terminate();
      this.reader = null;
      refused(message);
      this.tell();
    };
    worker.addEventListener('error', ({ message }) => worker === this.reader && refuse(message || 'the worker stopped'));
    worker.addEventListener('message', ({ data }: MessageEvent<Report>) => {
      if (worker !== this.reader) return;
      if (data.type === 'refused' || data.type === 'crashed') refuse(data.message);
      if (data.type !== 'started') return;
      this.reader = null;
      this.worker.terminate();
      this.worker = worker;
      this.begin(run, data.info.setup, file, from);
      opened();
      this.hear(data);
    });
    this.reader = worker;
    worker.postMessage({ type: 'open', run, file } satisfies Command, { transfer: [] });
  }

  private begin(run: number, setup: Setup, recording: RecordedFile | null, from: number): void {
    this.run = run;
    this.setup.value = setup;
    this.recording.value = recording;
    this.info.value = null;
    this.head.value = 0;
    this.watched.value = 0;
    this.verified.value = -1;
    this.diverged.value = null;
    this.result.value = null;
    this.events.value = [];
    this.faults.value = [];
    this.trouble.value = null;
    this.taken.value = null;
    this.byHand.value = false;
    this.behind.value = 0;
    this.shown.value = null;
    this.fields.value = null;
    this.replay.value = null;
    this.shots.clear();
    this.metrics.clear();
    this.wishOpen = false;
    this.past = PAST;
    this.moveTo(from);
  }

  /** After a crash: a new worker plays the same game to the same tick. */
  restart(): void {
    const setup = this.setup.value;
    const again = (message: string) => (this.trouble.value = { kind: 'crashed', message });
    if (this.recording.value !== null) return this.open(this.recording.value, () => {}, again, this.tick.value);
    if (setup !== null) return this.start(setup, this.tick.value);
    this.dismiss();
    this.trouble.value = null;
  }

  private dismiss(): void {
    this.worker.terminate();
    this.worker = this.employ();
  }

  toggle(): void {
    this.playing.value = !this.playing.value;
    // A paused playhead stands on a whole tick, so that what is shown is a state that was.
    if (!this.playing.value) this.seek(this.shownTick());
    else if (this.result.value !== null && this.at >= this.head.value) this.seek(0);
  }

  /** No tick comes after this one. */
  private last(): number {
    return this.result.value === null ? Infinity : this.head.value;
  }

  private shownTick(): number {
    return this.shown.value?.scene.tick ?? this.tick.value;
  }

  /** To a tick already played, or a little beyond: then it is played. */
  seek(tick: number): void {
    this.moveTo(Math.max(0, Math.min(Math.round(tick), this.last())));
    this.order(true);
  }

  step(ticks: number): void {
    this.playing.value = false;
    this.seek(Math.floor(this.at) + ticks);
  }

  faster(steps: number): void {
    this.setSpeed(speedBeside(this.speed.value, steps));
  }

  setSpeed(speed: number): void {
    this.speed.value = speed;
    this.order(true);
  }

  /** To the previous (-1) or next (1) mark. */
  seekMark(direction: -1 | 1): void {
    seekMarkOf(this, direction);
  }

  askFields(): void {
    if (this.info.value !== null) this.send({ type: 'fields', run: this.run, tick: this.tick.value });
  }

  /** A person takes a seat at the shown tick, where the run is cut and goes on; or gives it back. */
  take(seat: number | null): void {
    const over = this.result.value !== null && this.shownTick() >= this.head.value;
    if (seat !== null && ((this.info.value?.controls ?? null) === null || over)) return;
    if (seat !== null) this.cut(Math.min(this.shownTick(), this.head.value));
    this.taken.value = seat;
    this.hold(NOTHING);
    if (seat === null) return;
    this.speed.value = 1;
    this.playing.value = true;
    this.order(true);
  }

  /** What came after `tick` is forgotten. */
  private cut(tick: number): void {
    const run = this.run++;
    this.send({ type: 'cut', run, next: this.run, tick });
    this.wishOpen = false;
    this.behind.value = tick; // until the worker tells, as it does after every cut
    this.head.value = tick;
    this.watched.value = tick;
    this.verified.value = Math.min(this.verified.value, tick);
    if (this.diverged.value !== null && this.diverged.value > tick) this.diverged.value = null;
    this.result.value = null;
    this.events.value = this.events.value.filter((event) => event.tick <= tick);
    this.faults.value = this.faults.value.filter((fault) => fault.tick < tick);
    for (const map of [this.shots, this.metrics]) for (const at of map.keys()) if (at > tick) map.delete(at);
    this.moveTo(tick);
  }

  hold(held: Held): void {
    const seat = this.taken.value;
    this.send({ type: 'take', run: this.run, hand: seat === null ? null : { seat, held } });
  }

  /** The run so far as a file; `hearOfRun` hands it over. */
  save(): void {
    if (this.info.value !== null) this.send({ type: 'save', run: this.run });
  }

  /** Time passes: the playhead moves as far as scenes are there. */
  pass(seconds: number): void {
    if (!this.playing.value || this.info.value === null) return;
    this.moveTo(Math.min(this.at + this.ticksIn(seconds), this.reach()));
    if (this.result.value !== null && this.at >= this.head.value) {
      this.playing.value = false;
      this.moveTo(this.head.value);
    }
    this.order(false);
  }

  /** The same, but it waits for the scenes instead of for the clock. */
  async passExactly(seconds: number): Promise<void> {
    await this.until(() => this.info.value !== null || this.trouble.value !== null);
    if (this.playing.value) this.moveTo(Math.min(this.at + this.ticksIn(seconds), this.last()));
    this.order(true);
    await this.until(() => this.trouble.value !== null || this.hasSight());
    this.pass(0);
  }

  /** What to draw; null when the scenes have not come yet. */
  sight(): Sight | null {
    const info = this.info.value;
    const from = this.shotAtOrBefore(this.at);
    if (info === null || from === null) return null;
    const to = this.shots.get(this.nextDrawn(from.scene.tick)) ?? this.shots.get(from.scene.tick + 1) ?? from;
    const span = to.scene.tick - from.scene.tick;
    const past: Shot['scene'][] = [];
    for (let tick = Math.max(0, from.scene.tick - this.past); tick < from.scene.tick; tick++) {
      const shot = this.shots.get(tick);
      if (shot !== undefined) past.push(shot.scene);
    }
    if (this.shown.peek() !== from) this.shown.value = from;
    const share = span === 0 ? 0 : Math.min(1, (this.at - from.scene.tick) / span);
    return { from: from.scene, to: to.scene, share, past, ticksPerSecond: info.ticksPerSecond };
  }

  private moveTo(at: number): void {
    this.at = Math.max(0, at);
    this.tick.value = Math.floor(this.at);
    if (this.tick.value > this.watched.value) this.watched.value = this.tick.value;
  }

  private ticksIn(seconds: number): number {
    return seconds * this.info.value!.ticksPerSecond * this.speed.value;
  }

  /** At high speeds not every tick is drawn. */
  private stride(): number {
    return this.playing.value ? Math.max(1, Math.ceil(this.speed.value / 4)) : 1;
  }

  private nextDrawn(tick: number): number {
    const stride = this.stride();
    return (Math.floor(tick / stride) + 1) * stride;
  }

  /** The last tick that scenes reach without a gap. */
  private reach(): number {
    let tick = this.shotAtOrBefore(this.at)?.scene.tick;
    if (tick === undefined) return this.at;
    while (this.shots.has(this.nextDrawn(tick))) tick = this.nextDrawn(tick);
    if (this.result.value !== null && this.nextDrawn(tick) > this.head.value && this.shots.has(this.head.value)) tick = this.head.value;
    return Math.max(tick, this.at);
  }

  private shotAtOrBefore(at: number): Shot | null {
    const whole = Math.floor(at);
    for (let tick = whole; tick > whole - this.stride() && tick >= 0; tick--) {
      const shot = this.shots.get(tick);
      if (shot !== undefined) return shot;
    }
    return null;
  }

  private hasSight(): boolean {
    return this.shots.has(Math.floor(this.at)) && (this.at === Math.floor(this.at) || this.shots.has(Math.floor(this.at) + 1));
  }

  /** Asks for the missing scenes of the window; without `now` only when the last wish is fulfilled and little is left. */
  private order(now: boolean): void {
    const info = this.info.value;
    if (info === null || (this.wishOpen && !now)) return;
    const stride = this.stride();
    const whole = Math.floor(this.at);
    const usual = Math.max(LEAST_AHEAD, Math.ceil(info.ticksPerSecond * this.speed.value * AHEAD_SECONDS));
    // What a person has yet to steer is played no sooner than it is seen; what they have is there to be watched.
    const least = Math.max(HAND_AHEAD, Math.ceil(info.ticksPerSecond * HAND_AHEAD_SECONDS));
    const ahead = this.taken.value === null ? usual : Math.max(least, Math.min(usual, this.head.value - whole));
    if (!now && this.reach() - this.at > ahead / 2) return;
    const end = this.result.value === null ? whole + ahead : Math.min(whole + ahead, this.head.value);
    const missing: number[] = [];
    const want = (tick: number) => {
      if (tick >= 0 && tick <= end && !this.shots.has(tick)) missing.push(tick);
    };
    for (let tick = whole - (whole % stride) - this.past; tick < whole; tick += stride) want(tick);
    want(whole);
    want(whole + 1);
    for (let tick = this.nextDrawn(whole + 1); tick <= end; tick += stride) want(tick);
    if (this.result.value !== null) want(end);
    this.forget(whole - 4 * this.past, whole + 4 * ahead);
    if (missing.length === 0) return;
    this.wishOpen = true;
    this.send({ type: 'show', run: this.run, wish: ++this.wish, ticks: missing });
  }

  private forget(before: number, after: number): void {
    for (const tick of this.shots.keys()) if (tick < before || tick > after) this.shots.delete(tick);
  }

  private employ(): Worker {
    const worker = this.newWorker();
    // What a dismissed one still says is of no concern.
    worker.addEventListener('message', ({ data }: MessageEvent<Report>) => {
      if (worker === this.worker) this.hear(data);
    });
    worker.addEventListener('error', (event) => {
      event.preventDefault();
      if (worker !== this.worker) return;
      this.trouble.value = { kind: 'crashed', message: event.message || 'the worker stopped' };
      this.tell();
    });
    return worker;
  }

  private hear(report: Report): void {
    if (report.type === 'catalog') this.worlds.value = report.worlds;
    else if (report.run === this.run) this.hearOfRun(report);
    this.tell();
  }

  private hearOfRun(report: Exclude<Report, { type: 'catalog' }>): void {
    switch (report.type) {
      case 'started':
        this.setup.value = report.info.setup;
        this.info.value = report.info;
        this.order(true);
        break;
      case 'shots':
        for (const shot of report.shots) {
          this.shots.set(shot.scene.tick, shot);
          this.metrics.set(shot.scene.tick, shot.scene.metrics);
          for (const shape of shot.scene.shapes) {
            if (shape.shape === 'sphere' && (shape.trail ?? 0) > this.past) this.past = Math.min(shape.trail!, MOST_PAST);
          }
        }
        if (report.done && report.wish === this.wish) this.wishOpen = false;
        break;
      case 'progress': {
        const { head, verified, diverged, result, byHand, behind, events, faults } = report.progress;
        this.byHand.value = byHand;
        this.behind.value = behind;
        this.head.value = head;
        this.verified.value = verified;
        this.diverged.value = diverged;
        this.result.value = result;
        if (events.length > 0) this.events.value = [...this.events.value, ...events];
        if (faults.length > 0) this.faults.value = [...this.faults.value, ...faults];
        if (result !== null && this.at > head) this.seek(head);
        break;
      }
      case 'replay':
        this.replay.value = report.bytes;
        break;
      case 'fields':
        this.fields.value = { tick: report.tick, lines: report.lines };
        break;
      case 'refused':
      case 'crashed':
        this.trouble.value = { kind: report.type, message: report.message };
        break;
    }
  }

  async until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise<void>((resolve) => this.waiting.add(resolve));
  }

  private tell(): void {
    for (const wake of this.waiting) wake();
    this.waiting.clear();
  }

  private send(command: Command): void {
    this.worker.postMessage(command, { transfer: [] });
  }
}
