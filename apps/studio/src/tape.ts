import type { ReadonlySignal } from '@preact/signals';
import type { FieldLine, RunInfo, Shot, TimedEvent } from './protocol.ts';

/**
 * A run as the timeline, the panels and the keys know it. Live play, a replay and a run that is being edited are the same to them:
 * ticks, a head, events to jump to, and a playhead.
 */
export interface Tape {
  readonly info: ReadonlySignal<Pick<RunInfo, 'ticksPerSecond' | 'length' | 'keyframeEvery'> | null>;
  readonly tick: ReadonlySignal<number>;
  /** The earliest tick that can be gone back to; left out: 0. */
  readonly first?: ReadonlySignal<number>;
  readonly head: ReadonlySignal<number>;
  /** Left out: the head has been seen. */
  readonly watched?: ReadonlySignal<number>;
  readonly verified: ReadonlySignal<number>;
  readonly diverged: ReadonlySignal<number | null>;
  readonly playing: ReadonlySignal<boolean>;
  readonly speed: ReadonlySignal<number>;
  readonly marks: ReadonlySignal<readonly TimedEvent[]>;
  readonly shown: ReadonlySignal<Shot | null>;
  readonly fields: ReadonlySignal<{ readonly tick: number; readonly lines: readonly FieldLine[] } | null>;
  readonly metrics: { get(tick: number): Readonly<Record<string, number>> | undefined };
  toggle(): void;
  seek(tick: number): void;
  step(ticks: number): void;
  faster(steps: number): void;
  seekMark(direction: -1 | 1): void;
  askFields(): void;
  /** Time passes; who steps by hand waits for the answer, if there is one. */
  pass(seconds: number): Promise<void> | void;
}
