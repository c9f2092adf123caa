import type { Controls } from '@lockstep/pinball';

/** tick, left, right, plunger, nudgeX, nudgeY */
const WIDTH = 6;

/** What was done at a machine: what the controls were changed to, each change from its tick on. */
export class Script {
  /** Six numbers a change, in the order of ticks. */
  readonly rows: number[] = [];

  static of(rows: ArrayLike<number>): Script {
    const script = new Script();
    script.append(rows);
    return script;
  }

  get length(): number {
    return this.rows.length / WIDTH;
  }

  append(rows: ArrayLike<number>): void {
    for (let i = 0; i < rows.length; i++) this.rows.push(rows[i]!);
  }

  tickOf(change: number): number {
    return this.rows[change * WIDTH]!;
  }

  /** From `tick` on; noted only where it differs from what holds already. */
  note(tick: number, controls: Readonly<Controls>): void {
    const { rows } = this;
    const { left, right, plunger, nudgeX, nudgeY } = controls;
    const at = rows.length - WIDTH;
    const first = at < 0;
    const same =
      Number(left) === (first ? 0 : rows[at + 1]) &&
      Number(right) === (first ? 0 : rows[at + 2]) &&
      plunger === (first ? 0 : rows[at + 3]) &&
      nudgeX === (first ? 0 : rows[at + 4]) &&
      nudgeY === (first ? 0 : rows[at + 5]);
    if (!same) rows.push(tick, Number(left), Number(right), plunger, nudgeX, nudgeY);
  }

  /** What is held at a tick, written into `controls`. */
  read(tick: number, controls: Controls): Controls {
    const { rows } = this;
    let low = 0;
    let high = rows.length / WIDTH;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (rows[middle * WIDTH]! <= tick) low = middle + 1;
      else high = middle;
    }
    const at = (low - 1) * WIDTH;
    controls.left = at >= 0 && rows[at + 1] === 1;
    controls.right = at >= 0 && rows[at + 2] === 1;
    controls.plunger = at < 0 ? 0 : rows[at + 3]!;
    controls.nudgeX = at < 0 ? 0 : rows[at + 4]!;
    controls.nudgeY = at < 0 ? 0 : rows[at + 5]!;
    return controls;
  }

  /** Changes before a tick only. */
  until(tick: number): Script {
    let count = 0;
    while (count < this.length && this.tickOf(count) < tick) count++;
    return Script.of(this.rows.slice(0, count * WIDTH));
  }

  /** Changes from the given one on, for the post. */
  from(change: number): Float64Array<ArrayBuffer> {
    return Float64Array.from(this.rows.slice(change * WIDTH));
  }
}
