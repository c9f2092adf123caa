import type { Box, Held, Json, Mesh, Result, Scene, WorldEvent } from '@lockstep/kernel';
import type { Fault } from '@lockstep/match';

/** What a link names: the same setup gives the same game, bit for bit. */
export interface Setup {
  readonly world: string;
  readonly preset: string;
  /** A u64 in decimal: a double would round it. */
  readonly seed: string;
  readonly bots: readonly string[];
}

/** A replay as it came: from a file, or from the place that a link names. */
export interface RecordedFile {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** What its bots drew and said, as `lockstep match --debug-file` writes it. */
  readonly drawings?: { readonly name: string; readonly text: string };
}

export interface WorldCard {
  readonly name: string;
  readonly presets: readonly string[];
  readonly bots: readonly string[];
  readonly ticksPerSecond: number;
  /** Seats by preset. */
  readonly seats: Readonly<Record<string, number>>;
  /** It has maps and written runs: there is an editor for them. */
  readonly course: boolean;
  /** It has machines that a person plays at, with controls of their own. */
  readonly arcade: boolean;
  /** It reaches farther than any run: there is a page to explore it. */
  readonly endless: boolean;
}

export interface TimedEvent {
  readonly tick: number;
  readonly event: WorldEvent;
}

/** What a bot said beside its action. */
export interface Said {
  readonly seat: number;
  readonly texts: readonly string[];
  /** How many shapes of it are on the stage. */
  readonly shapes: number;
}

/** A scene with what the page says about its tick. */
export interface Shot {
  readonly scene: Scene;
  readonly hash: string;
  readonly said?: readonly Said[];
}

/** One line of the state, as the State panel shows it. */
export type FieldLine = readonly [path: string, value: string];

/** Whom a person plays for, and what they hold down. */
export interface Hand {
  readonly seat: number;
  readonly held: Held;
}

export type Command =
  | { readonly type: 'start'; readonly run: number; readonly setup: Setup }
  /** A recorded game; what is in the file is told with `started`. */
  | { readonly type: 'open'; readonly run: number; readonly file: RecordedFile }
  /** Scenes of these ticks, in this order; a newer wish replaces an older one. Ticks beyond the head are played. */
  | { readonly type: 'show'; readonly run: number; readonly wish: number; readonly ticks: readonly number[] }
  | { readonly type: 'fields'; readonly run: number; readonly tick: number }
  /** A person takes a seat, or gives it back. */
  | { readonly type: 'take'; readonly run: number; readonly hand: Hand | null }
  /** The run ends at this tick and goes on from there, under a new number: what is still said of the old one is out of date. */
  | { readonly type: 'cut'; readonly run: number; readonly next: number; readonly tick: number }
  | { readonly type: 'save'; readonly run: number };

export interface RunInfo {
  readonly setup: Setup;
  readonly config: Json;
  readonly ticksPerSecond: number;
  /** What a person who takes a seat can do besides moving; null where nobody can take one. */
  readonly controls: { readonly jump: boolean; readonly boost: boolean } | null;
  /** What the world calls them, where it has words of its own. */
  readonly names: { readonly move?: string; readonly jump?: string; readonly boost?: string };
  /** Ticks of a whole game, where the config says so. */
  readonly length: number | null;
  readonly keyframeEvery: number;
  readonly bounds: Box;
  readonly meshes: readonly Mesh[];
}

export interface Progress {
  readonly head: number;
  /** Re-simulated up to here with the same hash at every tick. */
  readonly verified: number;
  /** The first tick that came out otherwise. */
  readonly diverged: number | null;
  readonly result: Result | null;
  /** A person has played in it. */
  readonly byHand: boolean;
  /** After a cut: ticks that the bots have yet to be asked for again before the game goes on. */
  readonly behind: number;
  /** Events and faults since the last report. */
  readonly events: readonly TimedEvent[];
  readonly faults: readonly Fault[];
}

export type Report =
  | { readonly type: 'catalog'; readonly worlds: readonly WorldCard[] }
  | { readonly type: 'started'; readonly run: number; readonly info: RunInfo }
  | { readonly type: 'shots'; readonly run: number; readonly wish: number; readonly shots: readonly Shot[]; readonly done: boolean }
  | { readonly type: 'progress'; readonly run: number; readonly progress: Progress }
  | { readonly type: 'fields'; readonly run: number; readonly tick: number; readonly lines: readonly FieldLine[] }
  | { readonly type: 'replay'; readonly run: number; readonly bytes: Uint8Array<ArrayBuffer> }
  /** The user's to fix: a wrong link or seed. */
  | { readonly type: 'refused'; readonly run: number; readonly message: string }
  /** Ours to fix. */
  | { readonly type: 'crashed'; readonly run: number; readonly message: string };
