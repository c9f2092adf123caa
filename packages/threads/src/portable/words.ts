import type { Rules, SharedRegion } from '@lockstep/sparse';

/** The first word to a thread. */
export interface Start {
  readonly rules: Rules;
  /** The thread's number and how many there are: it moves the regions self, self + hands, … */
  readonly self: number;
  readonly hands: number;
  readonly regions: number;
  readonly control: Int32Array;
}

/** One tick. What has not changed since the last one is not said again. */
export interface Tick {
  readonly regions: readonly RegionWord[];
  /** Corners of shapes that are new. */
  readonly shapes: readonly (readonly number[])[];
  /** All pair rules, or null. */
  readonly pairs: readonly (readonly [a: number, b: number, canCollide: boolean])[] | null;
}

export type RegionWord = Omit<SharedRegion, 'columns'> & { readonly columns: SharedRegion['columns'] | null };

export type Order = Start | Tick;

/** A tick is done: the events of the thread's regions, four numbers each. */
export interface Answer {
  readonly events: readonly (readonly [region: number, events: Float64Array])[];
}

/** A thread, of whatever kind. */
export interface Thread {
  post(order: Order): void;
  /** Ends it, also in the middle of its work; afterwards it writes nothing any more. */
  stop(): Promise<void>;
}

/** Starts a thread that runs `serve`. It reports answers, and why it ended if nobody stopped it. */
export type StartThread = (heard: (answer: Answer) => void, ended: (why: string) => void) => Thread;
