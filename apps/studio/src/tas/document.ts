import type { RaceMap, RuleName } from '@lockstep/asteracer';
import { lengthOf, type Script, type Span } from './script.ts';

/** A named place on the timeline. */
export interface Marker {
  readonly tick: number;
  readonly name: string;
}

/** One way to fly the race. A branch begins as a copy of its parent and differs from `forked` on. */
export interface Branch {
  readonly id: number;
  readonly name: string;
  readonly parent: number | null;
  readonly forked: number;
  readonly script: Script;
  /** In order of ticks. */
  readonly markers: readonly Marker[];
}

/** All that is edited and undone. Values only: an edit makes a new one and shares what it leaves alone. */
export interface Doc {
  readonly map: RaceMap;
  readonly rules: RuleName;
  readonly branches: readonly Branch[];
  /** The id of the branch that is flown and edited. */
  readonly current: number;
}

export function newDoc(map: RaceMap, rules: RuleName, script: Script, markers: readonly Marker[] = []): Doc {
  return { map, rules, branches: [{ id: 0, name: 'main', parent: null, forked: 0, script, markers }], current: 0 };
}

export function currentBranch({ branches, current }: Doc): Branch {
  return branches.find(({ id }) => id === current)!;
}

/** From a tick on everything comes later or earlier. */
export interface Moved {
  readonly at: number;
  readonly by: number;
}

/** Markers move with what they mark; those beyond the end go. */
export function withScript(doc: Doc, script: Script, { at, by }: Moved = { at: 0, by: 0 }): Doc {
  const { markers } = currentBranch(doc);
  const places = new Map(markers.map(({ tick, name }) => [tick >= at ? Math.max(at, tick + by) : tick, name]));
  const left = [...places].filter(([tick]) => tick <= lengthOf(script));
  return changed(doc, doc.current, { script, markers: left.map(([tick, name]) => ({ tick, name })) });
}

/** How a run moves whose window is flown in fewer ticks. A marker near the window's end stays at its end. */
export function wonIn({ to }: Span, won: number, length: number): Moved {
  return { at: Math.min(to - won, length), by: -won };
}

/** From here on two ways: the new branch is the one that goes on. */
export function branchAt(doc: Doc, tick: number): Doc {
  const parent = currentBranch(doc);
  const id = Math.max(...doc.branches.map((branch) => branch.id)) + 1;
  const forked = Math.min(tick, lengthOf(parent.script));
  const branch: Branch = { ...parent, id, name: `${id}`, parent: parent.id, forked };
  return { ...doc, branches: [...doc.branches, branch], current: id };
}

export function switchTo(doc: Doc, id: number): Doc {
  return doc.branches.some((branch) => branch.id === id) ? { ...doc, current: id } : doc;
}

/** Its children go to its parent. The last branch stays. */
export function removeBranch(doc: Doc, id: number): Doc {
  const gone = doc.branches.find((branch) => branch.id === id);
  if (gone === undefined || doc.branches.length === 1) return doc;
  const branches = doc.branches
    .filter((branch) => branch !== gone)
    .map((branch) => (branch.parent === id ? { ...branch, parent: gone.parent, forked: Math.min(branch.forked, gone.forked) } : branch));
  const heir = branches.find((branch) => branch.id === gone.parent) ?? branches[0]!;
  return { ...doc, branches, current: doc.current === id ? heir.id : doc.current };
}

export function renameBranch(doc: Doc, id: number, name: string): Doc {
  return changed(doc, id, { name });
}

/** Branches as a tree, parents before children, with their depth. */
export function branchTree({ branches }: Doc): { readonly branch: Branch; readonly depth: number }[] {
  const childrenOf = (parent: number | null, depth: number): { branch: Branch; depth: number }[] =>
    branches.flatMap((branch) => (branch.parent === parent ? [{ branch, depth }, ...childrenOf(branch.id, depth + 1)] : []));
  return childrenOf(null, 0);
}

/** A marker here, or none if there was one. */
export function toggleMarker(doc: Doc, tick: number, name: string): Doc {
  const { markers } = currentBranch(doc);
  const others = markers.filter((marker) => marker.tick !== tick);
  if (others.length === markers.length) others.push({ tick, name });
  return changed(doc, doc.current, { markers: others.sort((a, b) => a.tick - b.tick) });
}

export function renameMarker(doc: Doc, tick: number, name: string): Doc {
  const { markers } = currentBranch(doc);
  return changed(doc, doc.current, { markers: markers.map((marker) => (marker.tick === tick ? { tick, name } : marker)) });
}

function changed(doc: Doc, id: number, change: Partial<Branch>): Doc {
  return { ...doc, branches: doc.branches.map((branch) => (branch.id === id ? { ...branch, ...change } : branch)) };
}

const MOST_STEPS = 500;

/** What was, what is, what was undone. */
export class History {
  present: Doc;
  private past: Doc[] = [];
  private future: Doc[] = [];
  /** Edits of one gesture are one step. */
  private gesture: string | null = null;

  constructor(doc: Doc) {
    this.present = doc;
  }

  get canUndo(): boolean {
    return this.past.length > 0;
  }
  get canRedo(): boolean {
    return this.future.length > 0;
  }

  /** Edits that name the same gesture one after the other are undone together. */
  edit(doc: Doc, gesture: string | null = null): void {
    if (doc === this.present) return;
    if (gesture === null || gesture !== this.gesture) this.past.push(this.present);
    if (this.past.length > MOST_STEPS) this.past.shift();
    this.gesture = gesture;
    this.future = [];
    this.present = doc;
  }

  /** The next edit is a step of its own, whatever its gesture. */
  rest(): void {
    this.gesture = null;
  }

  undo(): void {
    this.move(this.past, this.future);
  }
  redo(): void {
    this.move(this.future, this.past);
  }

  private move(from: Doc[], to: Doc[]): void {
    const doc = from.pop();
    if (doc === undefined) return;
    to.push(this.present);
    this.present = doc;
    this.gesture = null;
  }
}
