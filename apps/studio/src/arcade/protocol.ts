import type { Json } from '@lockstep/kernel';

/** A game as it goes by post: what it began with and what was done. */
export interface Sheet {
  readonly config: Json;
  readonly seed: string;
  readonly rows: Float64Array<ArrayBuffer>;
  readonly ticks: number;
}

/** A replay that was read, and what a second simulation says of it. */
export interface Reading extends Sheet {
  /** One of our tables' names, or that of a table of its own. */
  readonly table: string;
  readonly score: number;
  readonly player: string;
  readonly over: boolean;
  /** Milliseconds that playing it again took. */
  readonly took: number;
}

/** From a flipper: the ball rolls down on it, and it is pressed at one tick after another. */
export interface Shot {
  /** Ticks from the start until the button goes down. */
  readonly press: number;
  /** x, y of every second tick, and of the last. */
  readonly path: Float32Array<ArrayBuffer>;
  /** The first switch that it closed after the press, and how many numbers of the path come before that. */
  readonly hits: string | null;
  readonly until: number;
  readonly lost: boolean;
}

export type Command =
  /** More of the game that is being played: changes after the first `keep`, and what the page says the head is. */
  | {
      readonly type: 'check';
      readonly run: number;
      readonly config: Json;
      readonly seed: string;
      readonly keep: number;
      readonly more: Float64Array<ArrayBuffer>;
      readonly head: number;
      readonly hash: string;
    }
  | { readonly type: 'write'; readonly id: number; readonly sheet: Sheet; readonly player: string }
  | { readonly type: 'read'; readonly id: number; readonly bytes: Uint8Array<ArrayBuffer>; readonly name: string }
  /** A bot plays on from the end of a game, up to a tick. */
  | { readonly type: 'bot'; readonly run: number; readonly sheet: Sheet }
  | { readonly type: 'until'; readonly run: number; readonly tick: number }
  | { readonly type: 'fan'; readonly id: number; readonly config: Json; readonly flipper: number };

export type Report =
  | { readonly type: 'checked'; readonly run: number; readonly head: number; readonly ok: boolean }
  | { readonly type: 'written'; readonly id: number; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly type: 'read'; readonly id: number; readonly reading: Reading | null; readonly wrong: string }
  | { readonly type: 'played'; readonly run: number; readonly rows: Float64Array<ArrayBuffer>; readonly head: number }
  | { readonly type: 'fan'; readonly id: number; readonly shots: readonly Shot[] };
