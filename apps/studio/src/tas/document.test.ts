import { asteracer } from '@lockstep/asteracer';
import { describe, expect, it } from 'vitest';
import {
  branchAt,
  branchTree,
  currentBranch,
  type Doc,
  History,
  newDoc,
  removeBranch,
  renameBranch,
  renameMarker,
  switchTo,
  toggleMarker,
  withScript,
  wonIn,
} from './document.ts';
import { fill, insert, overwrite, paintAngle, paintMagnitude, remove, scriptOf, shift, thrustsOf } from './script.ts';
import { angleOf, magnitudeOf } from './thrust.ts';

const { map } = asteracer.world.readConfig('v2025');
const row = (...xs: number[]) => scriptOf(xs.map((vx) => ({ vx, vy: 0 })));
const xs = (script: Int8Array) => thrustsOf(script).map(({ vx }) => vx);
const doc = (...of: number[]): Doc => newDoc(map, 'v2025', row(...of));

describe('edits of a script', () => {
  it('sets, inserts, removes, pastes and shifts', () => {
    const five = row(1, 2, 3, 4, 5);
    expect(xs(fill(five, { from: 1, to: 3 }, { vx: 9, vy: 0 }))).toEqual([1, 9, 9, 4, 5]);
    expect(xs(fill(five, { from: 6, to: 7 }, { vx: 9, vy: 0 }))).toEqual([1, 2, 3, 4, 5, 0, 9]);
    expect(xs(insert(five, 2, row(7, 8)))).toEqual([1, 2, 7, 8, 3, 4, 5]);
    expect(xs(remove(five, { from: 1, to: 4 }))).toEqual([1, 5]);
    expect(xs(overwrite(five, 4, row(7, 8)))).toEqual([1, 2, 3, 4, 7, 8]);
    expect(xs(shift(five, { from: 1, to: 3 }, 1))).toEqual([1, 4, 2, 3, 5]);
    expect(xs(shift(five, { from: 1, to: 3 }, -9))).toEqual([2, 3, 1, 4, 5]);
    expect(xs(shift(five, { from: 1, to: 3 }, 9))).toEqual([1, 4, 5, 2, 3]);
    expect(xs(five)).toEqual([1, 2, 3, 4, 5]);
  });

  it('painting an angle keeps the magnitude, painting a magnitude keeps the angle', () => {
    const script = scriptOf([
      { vx: 100, vy: 0 },
      { vx: 0, vy: 50 },
      { vx: 0, vy: 0 },
    ]);
    const turned = thrustsOf(paintAngle(script, { from: 0, to: 3 }, () => 180));
    expect(turned).toEqual([
      { vx: -100, vy: 0 },
      { vx: -50, vy: 0 },
      { vx: -127, vy: 0 },
    ]);
    const weaker = thrustsOf(paintMagnitude(script, { from: 0, to: 99 }, (tick) => 30 + tick));
    expect(weaker.map(magnitudeOf)).toEqual([30, 31, 32]);
    expect(weaker.map(angleOf)).toEqual([0, 90, 0]);
  });
});

describe('the document', () => {
  it('branches are a tree; each has its own script and markers', () => {
    let now = toggleMarker(doc(1, 2, 3), 2, 'turn');
    now = branchAt(now, 1);
    now = withScript(now, row(1, 9));
    now = toggleMarker(now, 2, '');
    now = renameBranch(branchAt(now, 9), 2, 'late');
    expect(branchTree(now).map(({ branch: { id, name, forked }, depth }) => [id, name, forked, depth])).toEqual([
      [0, 'main', 0, 0],
      [1, '1', 1, 1],
      [2, 'late', 2, 2],
    ]);
    expect(xs(currentBranch(switchTo(now, 0)).script)).toEqual([1, 2, 3]);
    expect(currentBranch(switchTo(now, 0)).markers).toEqual([{ tick: 2, name: 'turn' }]);
    expect(currentBranch(now).markers).toEqual([]);
    const without = removeBranch(now, 1);
    expect(branchTree(without).map(({ branch, depth }) => [branch.id, branch.parent, depth])).toEqual([
      [0, null, 0],
      [2, 0, 1],
    ]);
    expect(removeBranch(without, 2).current).toBe(0);
    expect(removeBranch(doc(1), 0).branches).toHaveLength(1);
  });

  it('markers keep their order and move with what is inserted and removed', () => {
    let now = toggleMarker(toggleMarker(doc(1, 2, 3, 4), 3, 'b'), 1, 'a');
    now = renameMarker(now, 3, 'c');
    expect(currentBranch(now).markers).toEqual([
      { tick: 1, name: 'a' },
      { tick: 3, name: 'c' },
    ]);
    const later = withScript(now, insert(row(1, 2, 3, 4), 2, row(0, 0)), { at: 2, by: 2 });
    expect(currentBranch(later).markers.map(({ tick }) => tick)).toEqual([1, 5]);
    const earlier = withScript(now, remove(row(1, 2, 3, 4), { from: 0, to: 3 }), { at: 0, by: -3 });
    expect(currentBranch(earlier).markers.map(({ tick }) => tick)).toEqual([0]);
    expect(currentBranch(withScript(now, row(1, 2))).markers).toEqual([{ tick: 1, name: 'a' }]);
  });

  it('markers move with a window that is flown in fewer ticks', () => {
    const script = row(...Array.from({ length: 20 }, (_, tick) => tick));
    const marked = [2, 9, 11, 12, 15, 20].reduce((now, tick) => toggleMarker(now, tick, `${tick}`), newDoc(map, 'v2025', script));
    const after = (to: number, won: number, length: number) =>
      currentBranch(withScript(marked, script.slice(0, 2 * length), wonIn({ from: 5, to }, won, length))).markers.map(
        ({ tick, name }) => `${name}→${tick}`,
      );
    expect(after(12, 3, 17)).toEqual(['2→2', '12→9', '15→12', '20→17']);
    expect(after(14, 2, 18)).toEqual(['2→2', '9→9', '11→11', '12→12', '15→13', '20→18']);
    // The race ends at tick 15, inside the window: the new run ends where it is won.
    expect(after(20, 3, 12)).toEqual(['2→2', '9→9', '11→11', '15→12']);
  });

  it('undoes and redoes; the edits of one gesture are one step', () => {
    const history = new History(doc(1));
    const now = () => xs(currentBranch(history.present).script);
    history.edit(withScript(history.present, row(2)));
    for (const value of [3, 4, 5]) history.edit(withScript(history.present, row(value)), 'drag');
    history.rest();
    history.edit(withScript(history.present, row(6)), 'drag');
    expect(now()).toEqual([6]);
    history.undo();
    expect(now()).toEqual([5]);
    history.undo();
    expect(now()).toEqual([2]);
    history.redo();
    expect(now()).toEqual([5]);
    history.edit(withScript(history.present, row(7)));
    expect(history.canRedo).toBe(false);
    for (let i = 0; i < 5; i++) history.undo();
    expect(now()).toEqual([1]);
    expect(history.canUndo).toBe(false);
  });
});
