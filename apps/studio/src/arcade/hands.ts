import type { Control } from '@lockstep/kernel';
import { Controls, pinball } from '@lockstep/pinball';

/** The machine's own controls, and where its world says that hands look for them. */
export const CONTROLS: readonly Control[] = pinball.stage.controls!;

/** A plunger's button pulls it all the way in so many ticks, in so many steps: each is a change that a replay keeps. */
const PULL_TICKS = 200;
const PULL_STEPS = 16;
/** A nudge is a push of so many ticks. */
const NUDGE_TICKS = 16;
const NUDGE = 0.75;

interface Edge {
  readonly at: number;
  readonly name: string;
  readonly source: string;
  readonly down: boolean;
}

/**
 * What a person holds down: keys, fingers, a gamepad. Each press and release waits for the tick that belongs to its moment, and lasts a
 * tick at least, however short it was.
 */
export class Hands {
  private edges: Edge[] = [];
  private readonly held = new Map<string, Set<string>>();
  private readonly controls = new Controls();
  private pullTicks = 0;
  private nudgeTicks = 0;
  private nudgeX = 0;
  private nudgeY = 0;
  /** How far a finger or a stick pulls the plunger, 0..1. */
  private pulled = 0;

  press(name: string, source: string, down: boolean, at = performance.now()): void {
    this.edges.push({ at, name, source, down });
  }

  pull(share: number): void {
    this.pulled = Math.round(Math.max(0, Math.min(1, share)) * PULL_STEPS) / PULL_STEPS;
  }

  letGo(): void {
    this.edges = [];
    this.held.clear();
    this.pulled = 0;
    this.pullTicks = 0;
    this.nudgeTicks = 0;
  }

  isHeld(name: string): boolean {
    return (this.held.get(name)?.size ?? 0) > 0;
  }

  /** What is held at the tick whose moment is `time`; valid until the next call. */
  next(time: number): Readonly<Controls> {
    this.settle(time);
    const { controls } = this;
    controls.left = this.isHeld('left');
    controls.right = this.isHeld('right');
    this.pullTicks = this.isHeld('plunger') ? Math.min(this.pullTicks + 1, PULL_TICKS) : 0;
    controls.plunger = Math.max(this.pulled, Math.floor((this.pullTicks / PULL_TICKS) * PULL_STEPS) / PULL_STEPS);
    const pushed = this.nudgeTicks > 0;
    if (pushed) this.nudgeTicks--;
    controls.nudgeX = pushed ? this.nudgeX : 0;
    controls.nudgeY = pushed ? this.nudgeY : 0;
    return controls;
  }

  /** Presses and releases up to a moment; of each button one a tick. */
  private settle(time: number): void {
    if (this.edges.length === 0) return;
    const done = new Set<string>();
    this.edges = this.edges.filter((edge) => {
      if (edge.at > time || done.has(edge.name)) return true;
      done.add(edge.name);
      this.apply(edge);
      return false;
    });
  }

  private apply({ name, source, down }: Edge): void {
    let sources = this.held.get(name);
    if (sources === undefined) this.held.set(name, (sources = new Set()));
    if (down) sources.add(source);
    else sources.delete(source);
    if (!down || !name.startsWith('nudge')) return;
    this.nudgeTicks = NUDGE_TICKS;
    this.nudgeX = name === 'nudge left' ? -NUDGE : name === 'nudge right' ? NUDGE : 0;
    this.nudgeY = name === 'nudge up' ? NUDGE : 0;
  }
}
