import { writeInstructions, writeMap } from '@lockstep/asteracer';
import { InputError } from '@lockstep/kernel';
import { computed, signal } from '@preact/signals';
import { type Camera, screenX, screenY, type Size, wholeMap, zoomed } from './camera.ts';
import { Desk } from './desk.ts';
import type { FieldPicture } from './field.ts';
import { readFound } from './files.ts';
import { closedGaps } from './gaps.ts';
import { Hands } from './hands.ts';
import type { RollCamera } from './roll-paint.ts';
import { thrustsOf } from './script.ts';
import { type SharedRun, writeShare } from './share.ts';
import { filled, tasWords } from './words.ts';

/** A click hits the way when it is at most so many pixels beside it. */
const NEAR = 16;

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
  readonly field = signal<FieldPicture | null>(null);
  readonly notice = signal<{ readonly text: string; readonly wrong: boolean } | null>(null);
  readonly dropping = signal(false);

  readonly gaps = computed(() => (this.gapsShown.value ? closedGaps(this.desk.doc.value.map) : []));
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

  /** The address carries the run; the clipboard gets it, where the browser lets it. */
  async share(): Promise<void> {
    const { map, rules } = this.desk.doc.value;
    const { script, markers } = this.desk.branch.value;
    history.replaceState(null, '', `#tas=${await writeShare({ map, rules, script, markers })}`);
    try {
      await navigator.clipboard.writeText(location.href);
      this.say(tasWords.value.shared);
    } catch {
      this.say(tasWords.value.shareByHand);
    }
  }

  say(text: string, wrong = false): void {
    this.notice.value = { text, wrong };
  }

  /** What the user can mend is said in one line; a bug of ours is not hidden. */
  async orSay(act: () => Promise<void> | void): Promise<void> {
    try {
      await act();
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      this.say(error.message, true);
    }
  }

  close(): void {
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
