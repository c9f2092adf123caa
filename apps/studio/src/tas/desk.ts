import { asteracer, type Config, Instruction, type RaceMap, writeInstructions, writeMap } from '@lockstep/asteracer';
import { hash, InputError } from '@lockstep/kernel';
import { batch, computed, effect, signal } from '@preact/signals';
import type { FieldLine, Shot, TimedEvent } from '../protocol.ts';
import { seekMarkOf, speedBeside, type Tape } from '../tape.ts';
import { Aim } from './aim.ts';
import { Checker } from './checker.ts';
import {
  branchAt,
  type Branch,
  currentBranch,
  type Doc,
  History,
  type Moved,
  newDoc,
  removeBranch,
  renameBranch,
  renameMarker,
  switchTo,
  toggleMarker,
  withScript,
} from './document.ts';
import { configFor, type Found } from './files.ts';
import {
  fill,
  firstDifference,
  insert,
  lengthOf,
  MOST_TICKS,
  overwrite,
  paintAngle,
  paintMagnitude,
  remove,
  type Script,
  scriptOf,
  shift,
  slice,
  type Span,
  thrustAt,
  thrustsOf,
} from './script.ts';
import type { SharedRun } from './share.ts';
import { TickCache } from './tick-cache.ts';
import type { Thrust } from './thrust.ts';
import { tasWords } from './words.ts';

const { world, stage } = asteracer;
const TICKS_PER_SECOND = world.ticksPerSecond;
/** How long the hand must rest before a run is simulated a second time, in milliseconds. */
const REST = 150;

/** Another branch, flown beside the one that is edited. */
export interface Ghost {
  readonly branch: Branch;
  readonly course: TickCache;
}

/** The run on the desk: its document, every tick of it, and the playhead. Edits are made here and nowhere else. */
export class Desk implements Tape {
  readonly doc;
  /** With its fraction of a tick, for a smooth picture. */
  readonly playhead = signal(0);
  readonly tick = computed(() => Math.floor(this.playhead.value));
  readonly head = signal(0);
  readonly verified = signal(-1);
  readonly diverged = signal<number | null>(null);
  readonly playing = signal(false);
  readonly speed = signal(1);
  /** A person steers: every tick that passes is written down. */
  readonly flying = signal(false);
  readonly selection = signal<Span | null>(null);
  readonly canUndo = signal(false);
  readonly canRedo = signal(false);
  /** Branches that are shown as ghosts, by id. */
  readonly haunting = signal<ReadonlySet<number>>(new Set());
  /** The run, flown. A new object after every change. */
  readonly flown;
  readonly branch = computed(() => currentBranch(this.doc.value));
  readonly ghosts = computed((): readonly Ghost[] =>
    this.doc.value.branches
      .filter(({ id }) => this.haunting.value.has(id) && id !== this.doc.value.current)
      .map((branch) => ({ branch, course: this.courseOf(branch) })),
  );
  /** What a person holds now. */
  stick: () => Thrust = () => ({ vx: 0, vy: 0 });

  /** The timeline shows the whole run; while it grows, a little more. */
  readonly info = computed(() => {
    const growing = this.flying.value || this.head.value === 0;
    return { ticksPerSecond: TICKS_PER_SECOND, length: growing ? null : this.head.value, keyframeEvery: MOST_TICKS };
  });
  readonly marks = computed((): readonly TimedEvent[] => {
    const w = tasWords.value;
    const goals = Array.from(this.flown.value.course.goalTicks, (tick, goal) => ({
      tick,
      event: { kind: 'goal', seat: 0, name: `${w.goal} ${goal + 1}` },
    }));
    const markers = this.branch.value.markers.map(({ tick, name }) => ({
      tick,
      event: { kind: 'marker', name: name === '' ? w.marker : name },
    }));
    return [...goals.filter(({ tick }) => tick >= 0), ...markers].sort((a, b) => a.tick - b.tick);
  });
  readonly shown = computed((): Shot => {
    const { course } = this.flown.value;
    const tick = Math.min(this.tick.value, course.length);
    const state = course.stateAt(tick);
    const played = tick === 0 ? undefined : [Object.assign(new Instruction(), thrustAt(this.branch.value.script, tick - 1))];
    return { scene: stage.scene(state, played), hash: hash(world, state) };
  });
  readonly fields = computed(() => {
    const state = this.flown.value.course.stateAt(Math.min(this.tick.value, this.head.value));
    const lines: FieldLine[] = Object.entries(state)
      .filter(([name]) => name !== 'config')
      .map(([name, value]) => [name, ArrayBuffer.isView(value) ? [...(value as Int32Array)].join(' ') : String(value)]);
    return { tick: state.tick, lines };
  });
  readonly metrics = { get: (tick: number) => this.metricsAt(tick) };

  private config: Config;
  private history: History;
  private readonly courses = new Map<number, TickCache>();
  private readonly checker: Checker;
  private checkSoon: ReturnType<typeof setTimeout> | undefined;
  private clipboard: Script = new Int8Array(0);
  private flights = 0;
  private aim: Aim | null = null;
  /** The ghosts of each map that was on the desk: an undo brings them back. */
  private readonly hauntings = new WeakMap<RaceMap, ReadonlySet<number>>();

  constructor({ map, rules, script, markers }: SharedRun) {
    const doc = newDoc(map, rules, script, markers);
    this.history = new History(doc);
    this.config = configFor(map, rules);
    this.doc = signal<Doc>(doc);
    const course = new TickCache(this.config, script);
    this.courses.set(doc.current, course);
    this.flown = signal({ course, from: 0 });
    this.head.value = course.length;
    this.checker = new Checker((verified, diverged) => {
      this.verified.value = verified;
      this.diverged.value = diverged;
    });
    effect(() => {
      this.checkLater(this.flown.value.course);
    });
  }

  /** The run as a replay file. */
  replay(): Promise<Uint8Array<ArrayBuffer>> {
    return this.checker.replay(this.config, this.script);
  }

  close(): void {
    clearTimeout(this.checkSoon);
    this.checker.close();
  }

  get script(): Script {
    return this.branch.value.script;
  }
  get track(): Config {
    return this.config;
  }
  /** What an edit is about: the selection, or the instruction that is played next. */
  get target(): Span {
    return this.selection.value ?? { from: this.tick.value, to: this.tick.value + 1 };
  }

  // ---------------------------------------------------------------- the playhead

  toggle(): void {
    this.playing.value = !this.playing.value;
    if (!this.playing.value) this.land();
    else if (!this.flying.value && this.playhead.value >= this.head.value) this.moveTo(0);
  }

  seek(tick: number): void {
    this.land();
    this.moveTo(Math.round(tick));
  }

  step(ticks: number): void {
    this.playing.value = false;
    this.seek(this.tick.value + ticks);
  }

  faster(steps: number): void {
    this.speed.value = speedBeside(this.speed.value, steps);
  }

  seekMark(direction: -1 | 1): void {
    seekMarkOf(this, direction);
  }

  askFields(): void {
    // They are always there.
  }

  pass(seconds: number): void {
    if (!this.playing.value) return;
    const to = this.playhead.value + seconds * TICKS_PER_SECOND * this.speed.value;
    if (this.flying.value) this.record(Math.floor(to));
    this.moveTo(to);
    if (!this.flying.value && this.playhead.value >= this.head.value) this.playing.value = false;
  }

  /** Starts to write down what a person steers from here on, or stops. */
  fly(): void {
    if (this.flying.value) {
      this.playing.value = false;
      this.land();
      return;
    }
    this.moveTo(this.tick.value);
    this.flights++;
    this.flying.value = true;
    this.playing.value = true;
  }

  private land(): void {
    this.playhead.value = Math.floor(this.playhead.value);
    if (!this.flying.value) return;
    this.flying.value = false;
    this.history.rest();
  }

  private record(to: number): void {
    const from = this.tick.value;
    const end = Math.min(to, MOST_TICKS);
    if (end <= from) return;
    const held = this.stick();
    this.change(fill(this.script, { from, to: end }, held), `flight ${this.flights}`);
  }

  private moveTo(at: number): void {
    this.playhead.value = Math.max(0, Math.min(at, this.head.value));
  }

  // ---------------------------------------------------------------- edits

  /** Another script for the branch; edits that name the same gesture are undone together. */
  change(script: Script, gesture: string | null = null, moved?: Moved): void {
    if (lengthOf(script) > MOST_TICKS) throw new InputError('run', `at most ${MOST_TICKS} ticks`, lengthOf(script));
    if (firstDifference(script, this.script) === null) return;
    this.edit(withScript(this.doc.value, script, moved), gesture);
  }
  /** The hand was lifted: what comes next is a step of its own. */
  rest(): void {
    this.history.rest();
  }

  set(thrust: Thrust): void {
    this.change(fill(this.script, this.target, thrust));
  }
  /** Beyond the end the run grows to meet the pen. */
  paintAngle(span: Span, angleAt: (tick: number) => number, gesture: string): void {
    this.change(paintAngle(this.grown(span.to), span, angleAt), gesture);
  }
  paintMagnitude(span: Span, magnitudeAt: (tick: number) => number, gesture: string): void {
    this.change(paintMagnitude(this.grown(span.to), span, magnitudeAt), gesture);
  }
  private grown(to: number): Script {
    const { script } = this;
    const end = Math.min(to, MOST_TICKS);
    return end <= lengthOf(script) ? script : fill(script, { from: end - 1, to: end }, { vx: 0, vy: 0 });
  }
  /** Turns every instruction of the target by so many degrees. */
  turn(degrees: number): void {
    this.change(this.aimed().press({ degrees, length: 0 }));
  }
  /** Makes every instruction of the target longer or shorter. */
  push(by: number): void {
    this.change(this.aimed().press({ degrees: 0, length: by }));
  }
  /** The aim that is being taken, or a new one where anything else was done in between. */
  private aimed(): Aim {
    const { script, target, aim } = this;
    if (aim !== null && aim.script === script && aim.span.from === target.from && aim.span.to === target.to) return aim;
    return (this.aim = new Aim(script, target));
  }
  /** One more tick before this one, with the same instruction. */
  insertHere(): void {
    const at = this.tick.value;
    const copy = at < this.head.value ? thrustAt(this.script, at) : { vx: 0, vy: 0 };
    this.change(insert(this.script, at, scriptOf([copy])), null, { at, by: 1 });
  }
  removeTarget(): void {
    const { from, to } = this.clipped(this.target);
    if (to <= from) return;
    this.selection.value = null;
    this.change(remove(this.script, { from, to }), null, { at: from, by: from - to });
    this.seek(from);
  }
  /** The run ends here. */
  trim(): void {
    this.change(slice(this.script, { from: 0, to: this.tick.value }));
  }
  shiftSelection(by: number): void {
    const span = this.selection.value;
    if (span === null) return;
    const { from, to } = this.clipped(span);
    const target = Math.min(Math.max(from + by, 0), this.head.value - (to - from));
    this.change(shift(this.script, { from, to }, by));
    this.selection.value = { from: target, to: target + to - from };
  }
  /** The copied instructions in the public text form, for other programs too. */
  copy(): string {
    this.clipboard = slice(this.script, this.clipped(this.target));
    return writeInstructions(thrustsOf(this.clipboard), false);
  }
  /** Over what is there, or pushed in before it. */
  paste(what: Script | null, pushIn: boolean): void {
    const script = what ?? this.clipboard;
    const at = this.selection.value?.from ?? this.tick.value;
    if (script.length === 0) return;
    if (pushIn) this.change(insert(this.script, at, script), null, { at, by: lengthOf(script) });
    else this.change(overwrite(this.script, at, script));
    this.selection.value = { from: at, to: at + lengthOf(script) };
  }

  select(span: Span | null): void {
    const clipped = span === null ? null : this.clipped(span);
    this.selection.value = clipped === null || clipped.to <= clipped.from ? null : clipped;
  }

  // ---------------------------------------------------------------- branches, markers, documents

  /** From the playhead on two ways; the way so far stays as a ghost. */
  fork(): void {
    const from = this.doc.value.current;
    this.edit(branchAt(this.doc.value, this.tick.value));
    this.haunt(from, true);
  }
  switchTo(id: number): void {
    const from = this.doc.value.current;
    if (id === from) return;
    this.edit(switchTo(this.doc.value, id));
    this.haunt(from, true);
  }
  removeBranch(id: number): void {
    this.haunt(id, false);
    this.edit(removeBranch(this.doc.value, id));
  }
  renameBranch(id: number, name: string): void {
    this.edit(renameBranch(this.doc.value, id, name), `name ${id}`);
  }
  haunt(id: number, shown: boolean): void {
    const next = new Set(this.haunting.value);
    if (shown) next.add(id);
    else next.delete(id);
    this.haunting.value = next;
  }
  renameMarker(tick: number, name: string): void {
    this.edit(renameMarker(this.doc.value, tick, name), `marker ${tick}`);
  }
  /** A marker at the playhead, or none if there was one. */
  mark(): void {
    this.edit(toggleMarker(this.doc.value, this.tick.value, ''));
  }

  undo(): void {
    this.history.undo();
    this.follow();
  }
  redo(): void {
    this.history.redo();
    this.follow();
  }

  /** A run from elsewhere: on the same track a branch beside this one, else a document of its own. */
  take(found: Found, name: string): void {
    this.land();
    const { map, rules } = this.doc.value;
    if (found.kind === 'map') {
      this.edit(newDoc(found.map, rules, new Int8Array(0)));
    } else if (found.kind === 'run' && (found.rules !== rules || writeMap(found.map) !== writeMap(map))) {
      this.edit(newDoc(found.map, found.rules, found.script));
    } else if (this.head.value === 0) {
      this.change(found.script);
    } else {
      const from = this.doc.value.current;
      const forked = branchAt(this.doc.value, 0);
      this.edit(withScript(renameBranch(forked, forked.current, name), found.script));
      this.haunt(from, true);
    }
    this.select(null);
    this.moveTo(0);
  }
  setRules(rules: Doc['rules']): void {
    this.edit({ ...this.doc.value, rules });
  }

  private edit(doc: Doc, gesture: string | null = null): void {
    this.history.edit(doc, gesture);
    this.follow();
  }

  private follow(): void {
    batch(() => this.followNow());
  }

  /** Everything that hangs on the document. */
  private followNow(): void {
    const before = this.doc.peek();
    const doc = this.history.present;
    this.canUndo.value = this.history.canUndo;
    this.canRedo.value = this.history.canRedo;
    if (doc === before) return;
    if (doc.map !== before.map || doc.rules !== before.rules) {
      this.config = configFor(doc.map, doc.rules);
      this.courses.clear();
    }
    if (doc.map !== before.map) {
      this.hauntings.set(before.map, this.haunting.value);
      this.haunting.value = this.hauntings.get(doc.map) ?? new Set();
    }
    this.doc.value = doc;
    const branch = currentBranch(doc);
    const known = this.courses.has(branch.id);
    const course = this.courses.get(branch.id) ?? new TickCache(this.config, branch.script);
    const from = known ? course.fly(branch.script) : 0;
    this.courses.set(branch.id, course);
    this.head.value = course.length;
    const other = doc.current !== before.current || doc.map !== before.map || doc.rules !== before.rules;
    if (from !== null || other) {
      // What is being checked is no longer the run.
      this.checker.forget();
      this.diverged.value = null;
      this.verified.value = Math.min(this.verified.value, other ? -1 : (from ?? 0));
      this.flown.value = { course, from: other ? 0 : (from ?? 0) };
    }
    if (this.selection.value !== null) this.select(this.selection.value);
    this.moveTo(this.playhead.value);
  }

  private courseOf(branch: Branch): TickCache {
    let course = this.courses.get(branch.id);
    if (course === undefined) this.courses.set(branch.id, (course = new TickCache(this.config, branch.script)));
    else course.fly(branch.script);
    return course;
  }

  private checkLater(course: TickCache): void {
    clearTimeout(this.checkSoon);
    this.checkSoon = setTimeout(() => this.checker.check(this.config, this.script, course), REST);
  }

  private metricsAt(tick: number): Record<string, number> | undefined {
    const { course } = this.flown.value;
    if (tick > course.length) return undefined;
    const [vx, vy] = [course.vx[tick]!, course.vy[tick]!];
    return { speed: Math.sqrt(vx * vx + vy * vy), 'goals left': course.goalTicks.length - course.reached[tick]! };
  }

  private clipped({ from, to }: Span): Span {
    return { from: Math.max(0, Math.min(from, this.head.value)), to: Math.max(0, Math.min(to, this.head.value)) };
  }
}
