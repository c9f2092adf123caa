import type { PinballView } from '../src/machine/view.ts';

const PULL_TICKS = 125;
const REST_TICKS = 25;

/** Pulls the plunger while a ball lies on it, lets go, and looks again. */
export class Launcher {
  private since = 0;

  pull({ balls, tick }: PinballView): number {
    const waiting = balls.some(({ onPlunger, vy }) => onPlunger && vy < 1);
    if (!waiting && tick - this.since >= PULL_TICKS) this.since = tick + REST_TICKS;
    const held = tick - this.since;
    return waiting && held >= 0 && held < PULL_TICKS ? 1 : 0;
  }
}
