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

const SPEEDS: readonly number[] = [1 / 8, 1 / 4, 1 / 2, 1, 2, 4, 8, 16];

/** The speed that is so many steps faster, or slower; at the ends it stays. */
export function speedBeside(speed: number, steps: number): number {
  return SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, SPEEDS.indexOf(speed) + steps))]!;
}

/** Puts the playhead to the previous (-1) or next (1) mark, if there is one. */
export function seekMarkOf(tape: Pick<Tape, 'marks' | 'tick' | 'seek'>, direction: -1 | 1): void {
  const ticks = tape.marks.value.map(({ tick }) => tick);
  const target = direction < 0 ? ticks.findLast((tick) => tick < tape.tick.value) : ticks.find((tick) => tick > tape.tick.value);
  if (target !== undefined) tape.seek(target);
}
