import { InputError, type Json } from '@lockstep/kernel';
import { type Layout, pinball, type Point, TABLES } from '@lockstep/pinball';
import { computed, signal } from '@preact/signals';
import type { Desk } from './desk.ts';
import {
  distanceTo,
  dragged,
  type Draft,
  type Handle,
  handlesOf,
  type Kind,
  newPart,
  partAt,
  type PartPath,
  pathsOf,
  replaced,
  shifted,
  without,
  withPart,
} from './parts.ts';

const { world } = pinball;
const KEPT = 'lockstep.arcade.table';
const MOST_UNDO = 200;
/** A table on the bench never runs out of balls. */
const BALLS = 10;

/** What a pointer holds: a handle, or the whole part. */
interface Grip {
  readonly path: PartPath;
  readonly handle: Handle | null;
  readonly part: Record<string, unknown>;
  readonly from: Point;
  readonly before: Draft;
}

/** The table that is being made: its data, what is selected, what was before, and what the machine says of it. */
export class Workshop {
  readonly draft = signal<Draft>({});
  readonly selected = signal<PartPath | null>(null);
  /** What a click adds; null: it selects. */
  readonly tool = signal<Kind | 'ball' | null>(null);
  /** The reader's own line, null when the table can be played. */
  readonly wrong = signal<string | null>(null);
  /** The part that it is about. */
  readonly wrongPart = computed((): PartPath | null => {
    const [, list, index] = /^config\.table\.(\w+)(?:\[(\d+)\])?/.exec(this.wrong.value ?? '') ?? [];
    return list === undefined ? null : index === undefined ? list : `${list}[${index}]`;
  });
  readonly canUndo = signal(false);
  readonly canRedo = signal(false);
  private undone: Draft[] = [];
  private done: Draft[] = [];
  private grip: Grip | null = null;
  private readonly desk: Desk;

  constructor(desk: Desk) {
    this.desk = desk;
  }

  /** The table as the last visit left it, or a copy of one of ours. */
  open(table: Json): void {
    const kept = this.kept();
    this.load(kept ?? structuredClone((typeof table === 'string' ? TABLES[table]! : table) as Draft));
  }

  load(draft: Draft): void {
    this.done = [];
    this.undone = [];
    this.selected.value = null;
    this.put(draft, false);
  }

  private kept(): Draft | null {
    try {
      const text = localStorage.getItem(KEPT);
      return text === null ? null : (JSON.parse(text) as Draft);
    } catch {
      return null;
    }
  }

  /** Back to one of ours; what was made is still there to undo. */
  startFrom(name: string): void {
    this.change(structuredClone(TABLES[name]!) as Draft);
    this.selected.value = null;
  }

  get config(): Json {
    return { table: this.draft.peek(), balls: BALLS };
  }

  /** The next state of the table; the balls roll on if it can be played. */
  change(draft: Draft): void {
    this.done.push(this.draft.peek());
    if (this.done.length > MOST_UNDO) this.done.shift();
    this.undone = [];
    this.put(draft, true);
  }

  private put(draft: Draft, keep: boolean): void {
    this.draft.value = draft;
    this.canUndo.value = this.done.length > 0;
    this.canRedo.value = this.undone.length > 0;
    if (keep) this.keep();
    this.validate();
  }

  private keep(): void {
    try {
      localStorage.setItem(KEPT, JSON.stringify(this.draft.peek()));
    } catch {
      // private windows may refuse; the table then lasts as long as the page
    }
  }

  validate(): void {
    try {
      world.readConfig(this.config);
      this.wrong.value = null;
      this.desk.tinker(this.config);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      this.wrong.value = error.message;
    }
  }

  undo(): void {
    const before = this.done.pop();
    if (before === undefined) return;
    this.undone.push(this.draft.peek());
    this.put(before, true);
    this.drop();
  }

  redo(): void {
    const after = this.undone.pop();
    if (after === undefined) return;
    this.done.push(this.draft.peek());
    this.put(after, true);
    this.drop();
  }

  /** What is selected may be gone. */
  private drop(): void {
    const path = this.selected.peek();
    if (path !== null && partAt(this.draft.peek(), path) === null) this.selected.value = null;
  }

  part(path: PartPath | null): Record<string, unknown> | null {
    return path === null ? null : partAt(this.draft.value, path);
  }

  add(kind: Kind, place: Point): void {
    const { list, part } = newPart(this.draft.peek(), kind, place);
    this.change(withPart(this.draft.peek(), list, part));
    this.selected.value = `${list}[${(this.draft.peek()[list] as Json[]).length - 1}]`;
  }

  remove(): void {
    const path = this.selected.peek();
    if (path === null || !path.includes('[')) return;
    this.selected.value = null;
    this.change(without(this.draft.peek(), path));
  }

  set(path: PartPath, part: Record<string, unknown>): void {
    this.change(replaced(this.draft.peek(), path, part));
  }

  /** A pointer goes down on the table; `reach` is how near counts. */
  grab(place: Point, reach: number): void {
    const tool = this.tool.peek();
    if (tool === 'ball') return this.desk.tinker(this.config, place);
    if (tool !== null) {
      this.tool.value = null;
      return this.add(tool, place);
    }
    const draft = this.draft.peek();
    const handle = this.handleAt(place, reach);
    const path = handle === null ? this.partNear(place, reach) : this.selected.peek();
    this.selected.value = path;
    const part = path === null ? null : partAt(draft, path);
    this.grip = path === null || part === null ? null : { path, handle, part, from: place, before: draft };
  }

  private handleAt([x, y]: Point, reach: number): Handle | null {
    const part = this.part(this.selected.peek());
    if (part === null) return null;
    return handlesOf(part).find(({ at }) => Math.hypot(at[0] - x, at[1] - y) < reach) ?? null;
  }

  /** The nearest one; of two alike the one on top. */
  private partNear(place: Point, reach: number): PartPath | null {
    const draft = this.draft.peek();
    let best: PartPath | null = null;
    let least = reach;
    for (const path of pathsOf(draft)) {
      const part = partAt(draft, path);
      const far = part === null ? Infinity : distanceTo(part, place);
      if (far > least) continue;
      least = far;
      best = path;
    }
    return best;
  }

  drag(place: Point): void {
    const { grip } = this;
    if (grip === null) return;
    const { path, handle, part, from } = grip;
    const moved = handle === null ? shifted(part, place[0] - from[0], place[1] - from[1]) : dragged(part, handle, place);
    this.put(replaced(grip.before, path, moved), false);
  }

  /** One drag is one change. */
  letGo(): void {
    const { grip } = this;
    this.grip = null;
    const now = this.draft.peek();
    if (grip === null || now === grip.before) return;
    this.done.push(grip.before);
    this.undone = [];
    this.put(now, true);
  }

  nudge(dx: number, dy: number): void {
    const path = this.selected.peek();
    const part = this.part(path);
    if (path !== null && part !== null) this.set(path, shifted(part, dx, dy));
  }

  /** The table for a file. Throws nothing: what is wrong is written as it is. */
  text(): string {
    return `${JSON.stringify(this.draft.peek(), null, 2)}\n`;
  }

  get layout(): Layout {
    return this.desk.machine.layout;
  }
}
