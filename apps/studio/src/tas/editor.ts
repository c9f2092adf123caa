import { writeInstructions, writeMap } from '@lockstep/asteracer';
import { InputError } from '@lockstep/kernel';
import { computed, effect, signal } from '@preact/signals';
import { theme } from '../shell.ts';
import { counted, filled, language } from '../words.ts';
import { type Camera, screenX, screenY, type Size, wholeMap, zoomed } from './camera.ts';
import { complaint } from './complaint.ts';
import { Desk } from './desk.ts';
import { wonIn } from './document.ts';
import { type FieldPicture, pictureOf } from './field.ts';
import { readFound } from './files.ts';
import type { Gap } from './gaps.ts';
import { Hands } from './hands.ts';
import type { RollCamera } from './roll-paint.ts';
import { lengthOf, thrustsOf } from './script.ts';
import { type SharedRun, writeShare } from './share.ts';
import { Solver } from './solver.ts';
import type { FieldCells } from './solver-protocol.ts';
import { tasWords } from './words.ts';

/** A click hits the way when it is at most so many pixels beside it. */
const NEAR = 16;
const NONE: readonly Gap[] = [];
const NOTICE_TIME = 8000;
/** How long after the last edit the address follows, in milliseconds, and how long it may become. */
const ADDRESS_REST = 800;
const LONGEST_ADDRESS = 50_000;
/** Browsers take addresses of two million letters. */
const LONGEST_LINK = 1_900_000;
/** At least so many letters does a circle of the map take, as maps go. */
const LETTERS_EACH = 4;

export type Tool = 'draw' | 'select';

/** What the editor's parts share beside the desk: where one looks, with which tool, and what was said last. */
export class Editor {
  readonly desk: Desk;
  readonly hands = new Hands();
  readonly size = signal<Size>({ width: 1, height: 1 });
  /** null: the whole map, whatever the window's size. */
  private readonly chosen = signal<Camera | null>(null);
  readonly following = signal(false);
  readonly roll = signal<RollCamera>({ first: 0, perTick: 6 });
  readonly rollWidth = signal(1);
  readonly hovered = signal<number | null>(null);
  readonly tool = signal<Tool>('draw');
  /** Puts the keyboard on the exact numbers. */
  typeNumbers: () => void = () => {};
  readonly gapsShown = signal(false);
  readonly fieldShown = signal(false);
  private readonly fieldCells = signal<FieldCells | null>(null);
  readonly field = computed((): FieldPicture | null => {
    const cells = this.fieldShown.value ? this.fieldCells.value : null;
    return cells === null ? null : pictureOf(cells, theme.value === 'dark');
  });
  /** null until they are known. */
  readonly knownGaps = signal<readonly Gap[] | null>(null);
  readonly solver = new Solver((message) => this.say(message, true));
  /** How many ticks a search may try. */
  readonly effort = signal(2_000_000);
  readonly noTouch = signal(false);
  readonly notice = signal<{ readonly text: string; readonly wrong: boolean } | null>(null);
  readonly dropping = signal(false);

  readonly gaps = computed(() => (this.gapsShown.value ? this.knownGaps.value : null) ?? NONE);
  private readonly stopWatching: (() => void)[] = [];
  private addressSoon: ReturnType<typeof setTimeout> | undefined;
  readonly camera = computed((): Camera => {
    const whole = wholeMap(this.desk.doc.value.map.box, this.size.value);
    const camera = this.chosen.value ?? whole;
    if (!this.following.value) return camera;
    const [x, y] = this.shipAt();
    return { x, y, scale: camera.scale };
  });

  constructor(run: SharedRun) {
    this.desk = new Desk(run);
    this.desk.stick = () => this.hands.thrust();
    this.stopWatching.push(
      effect(() => this.askForField()),
      effect(() => {
        void this.desk.doc.value.map;
        this.knownGaps.value = null;
        if (this.gapsShown.value) this.solver.gaps(this.desk.track, (gaps) => (this.knownGaps.value = gaps));
      }),
      effect(() => {
        void this.desk.doc.value;
        clearTimeout(this.addressSoon);
        this.addressSoon = setTimeout(() => void this.keepInAddress(), ADDRESS_REST);
      }),
    );
  }

  look(camera: Camera | null): void {
    this.chosen.value = camera;
  }
  zoom(factor: number, at = { x: this.size.value.width / 2, y: this.size.value.height / 2 }): void {
    this.look(zoomed(this.camera.value, this.size.value, factor, at, this.desk.doc.value.map.box));
  }
  showWhole(): void {
    this.following.value = false;
    this.look(null);
  }
  toggleFollow(): void {
    const camera = this.camera.value;
    this.following.value = !this.following.value;
    this.look(camera);
  }

  /** The ship on the canvas, in pixels. */
  shipOnScreen(): { readonly x: number; readonly y: number } {
    const [x, y] = this.shipAt();
    return { x: screenX(this.camera.value, this.size.value, x), y: screenY(this.camera.value, this.size.value, y) };
  }

  /** To the tick of the run that is drawn nearest to a place of the canvas; nowhere if none is near. */
  seekNear(x: number, y: number): void {
    const { course } = this.desk.flown.value;
    const [camera, size] = [this.camera.value, this.size.value];
    let [nearest, best] = [-1, NEAR * NEAR];
    for (let tick = 0; tick <= course.length; tick++) {
      const [dx, dy] = [screenX(camera, size, course.x[tick]!) - x, screenY(camera, size, course.y[tick]!) - y];
      if (dx * dx + dy * dy >= best) continue;
      best = dx * dx + dy * dy;
      nearest = tick;
    }
    if (nearest >= 0) this.desk.seek(nearest);
  }

  private shipAt(): [x: number, y: number] {
    const { course } = this.desk.flown.value;
    const at = Math.min(this.desk.playhead.value, course.length);
    const tick = Math.floor(at);
    const next = Math.min(tick + 1, course.length);
    const between = (column: Float64Array) => column[tick]! + (column[next]! - column[tick]!) * (at - tick);
    return [between(course.x), between(course.y)];
  }

  /** Keeps the playhead in the roll's sight. */
  keepInSight(): void {
    const { first, perTick } = this.roll.value;
    const ticks = this.rollWidth.value / perTick;
    const at = this.desk.playhead.value;
    if (at < first || at > first + ticks * 0.96) this.roll.value = { perTick, first: Math.max(0, at - ticks * 0.3) };
  }

  zoomRoll(factor: number, x = this.rollWidth.value / 2): void {
    const { first, perTick } = this.roll.value;
    const whole = this.rollWidth.value / Math.max(this.desk.head.value * 1.1, 60);
    const next = Math.max(Math.min(whole, 6), Math.min(perTick * factor, 44));
    this.roll.value = { perTick: next, first: Math.max(0, first + x / perTick - x / next) };
  }

  // ---------------------------------------------------------------- the solver

  /** Lets the solver look for a quicker way through the selected window. What it finds is one edit, or a branch if the run has changed. */
  async improve(): Promise<void> {
    const { desk, solver } = this;
    const span = desk.selection.value;
    if (span === null || solver.tried.value !== null) return;
    const { script, track } = desk;
    const outcome = await solver.improve(track, script, span, this.effort.value, this.noTouch.value);
    const { script: better, won, stopped } = outcome;
    if (desk.track !== track) return; // another map is on the desk
    const w = tasWords.value;
    this.say(won === 0 ? (stopped ? w.stopped : w.noBetter) : counted(w.better, won));
    if (won === 0) return;
    if (desk.script === script) {
      desk.change(better, null, wonIn(span, won, lengthOf(better)));
      desk.select({ from: span.from, to: Math.max(span.to - won, span.from + 1) });
    } else {
      desk.take({ kind: 'instructions', script: better, counted: true }, w.solver);
    }
  }

  /** Asked again whenever the goals that are left at the playhead change. */
  private askedField = '';
  private askForField(): void {
    const { desk } = this;
    if (!this.fieldShown.value) return;
    const { goalTicks } = desk.flown.value.course;
    const tick = desk.tick.value;
    const goals = Array.from(goalTicks, (at, goal) => ({ at, goal }));
    const order = goals.filter(({ at }) => at > tick).sort((a, b) => a.at - b.at || a.goal - b.goal);
    const rest = goals.filter(({ at }) => at < 0);
    const names = [order, rest].map((list) => list.map(({ goal }) => goal)) as [number[], number[]];
    const asked = JSON.stringify(names);
    if (asked === this.askedField && this.askedTrack === desk.track) return;
    this.askedField = asked;
    this.askedTrack = desk.track;
    this.solver.field(desk.track, ...names, (field) => (this.fieldCells.value = field));
  }
  private askedTrack: unknown = null;

  // ---------------------------------------------------------------- files and links

  async open(files: Iterable<File>): Promise<void> {
    for (const file of files) {
      await this.orSay(async () => {
        const found = await readFound(new Uint8Array(await file.arrayBuffer()), file.name);
        this.desk.take(found, file.name.replace(/\.\w+$/, ''));
        if (found.kind !== 'instructions') this.showWhole();
        const w = tasWords.value;
        this.say(found.kind === 'instructions' && !found.counted ? w.uncounted : filled(w.opened, { name: file.name }));
      });
    }
  }

  saveMap(): void {
    download('map.txt', writeMap(this.desk.doc.value.map));
  }
  saveInstructions(): void {
    download(`run-${this.desk.head.value}.in`, writeInstructions(thrustsOf(this.desk.script)));
  }
  async saveReplay(): Promise<void> {
    download(`run-${this.desk.head.value}.replay`, await this.desk.replay());
  }

  /** The run in at most so many letters; null where it takes more. */
  private async link(most: number): Promise<string | null> {
    const { map, rules } = this.desk.doc.value;
    const { script, markers } = this.desk.branch.value;
    if (map.asteroids.length + map.goals.length > most / LETTERS_EACH) return null;
    const letters = await writeShare({ map, rules, script, markers });
    return letters.length > most ? null : letters;
  }

  /** A page that is loaded again goes on with the same run, or with none: never with one that was here before. */
  private async keepInAddress(): Promise<void> {
    const asked = this.addressSoon;
    const letters = await this.link(LONGEST_ADDRESS);
    if (asked !== this.addressSoon) return;
    history.replaceState(null, '', letters === null ? location.pathname + location.search : `#tas=${letters}`);
    if (letters === null && !this.tooLarge) this.say(tasWords.value.notInAddress);
    this.tooLarge = letters === null;
  }
  private tooLarge = false;

  /** A link was to be opened in this run's place, and cannot be read. */
  refuse(what: InputError): void {
    this.say(complaint(what, language.value), true);
    void this.keepInAddress();
  }

  /** The address carries the run; the clipboard gets it, where the browser lets it. */
  share(): Promise<void> {
    return this.orSay(() => this.putInClipboard());
  }
  private async putInClipboard(): Promise<void> {
    const letters = await this.link(LONGEST_LINK);
    if (letters === null) return this.say(tasWords.value.tooLong, true);
    history.replaceState(null, '', `#tas=${letters}`);
    try {
      await navigator.clipboard.writeText(location.href);
      this.say(tasWords.value.shared);
    } catch {
      this.say(tasWords.value.shareByHand);
    }
  }

  /** What went wrong stays until it is read; the rest goes by itself. */
  say(text: string, wrong = false): void {
    const notice = { text, wrong };
    this.notice.value = notice;
    if (wrong) return;
    setTimeout(() => {
      if (this.notice.value === notice) this.notice.value = null;
    }, NOTICE_TIME);
  }

  /** What the user can mend is said in one line; a bug of ours is not hidden. */
  async orSay(act: () => Promise<void> | void): Promise<void> {
    try {
      await act();
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      this.say(complaint(error, language.value), true);
    }
  }

  close(): void {
    for (const stop of this.stopWatching) stop();
    clearTimeout(this.addressSoon);
    this.addressSoon = undefined;
    this.solver.close();
    this.desk.close();
  }
}

function download(name: string, content: string | Uint8Array<ArrayBuffer>): void {
  const address = URL.createObjectURL(new Blob([content], { type: 'application/octet-stream' }));
  const anchor = document.createElement('a');
  anchor.href = address;
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
