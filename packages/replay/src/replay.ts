import { type AnyWorld, type Json, type Result, type Seed, type Snapshot, type WorldEvent } from '@lockstep/kernel';
import type { SectionName } from './container.ts';

export interface ReplayBot {
  readonly name: string;
  readonly kind: string;
  readonly sha256: string | null;
  /** After so many ticks it took over from whoever had played before; left out: from the beginning. */
  readonly from?: number;
}

export const FAULT_KINDS = ['crash', 'illegal', 'timeout', 'memory', 'protocol', 'disconnect', 'no-start'] as const;

/** A bot's misdeed: from this tick on it was out of the game for good. The number of ticks played when it came to light after the last one. */
export interface ReplayFault {
  readonly seat: number;
  readonly tick: number;
  readonly kind: (typeof FAULT_KINDS)[number];
  readonly reason: string;
}

/** A whole game as its file tells it: what was put in (config, seed, actions), and what came out, to check and to seek by. */
export interface Replay {
  /** How the file is called in messages. */
  readonly path: string;
  readonly world: string;
  readonly rulesVersion: number;
  readonly seed: Seed;
  /** As `writeConfig` gave it; `readConfig` is still to check it. */
  readonly config: Json;
  readonly bots: readonly ReplayBot[];
  /** How many ticks were played. */
  readonly ticks: number;
  /** How many values an action of each seat has. */
  readonly widths: readonly number[];
  /** The actions' values, tick after tick, seat after seat. */
  readonly rows: Float64Array;
  /** How many of them ended: one less when the recorder never saw the end of the last. */
  readonly stepped: number;
  readonly rhythm: Rhythm;
  /** Two bytes of the state hash every `rhythm.marks` ticks. */
  readonly marks: Uint16Array;
  /** The chain every `rhythm.links` ticks and at the end: 16 hexadecimal digits. */
  readonly links: readonly string[];
  /** In order of ticks. */
  readonly keyframes: readonly Keyframe[];
  /** null where only the chain knows them: `Playback.events` plays the game for them. */
  readonly events: readonly TickEvents[] | null;
  /** null when the game was broken off. */
  readonly result: Result | null;
  readonly faults: readonly ReplayFault[];
  /** Bytes of each section in the file. */
  readonly sizes: Readonly<Record<SectionName, number>>;
}

/** How often a file says what came out of the game, in ticks (decision 007). */
export interface Rhythm {
  readonly marks: number;
  readonly links: number;
  /** Are events kept in the file, or only bound into the chain? */
  readonly keepsEvents: boolean;
}

/** All that files of version 1 knew: every tick can be named, and nothing need be played to know what happened. */
export const EVERY_TICK: Rhythm = { marks: 1, links: 60, keepsEvents: true };
/** Whoever ticks more often than this in a second has ticks too short to be worth two bytes each. */
const SHORT_TICKS = 100;

/** Worlds of short ticks leave two marks a second. They are quickly played again, so their files have no keyframes and no events. */
export function rhythmOf({ ticksPerSecond }: AnyWorld): Rhythm {
  if (ticksPerSecond <= SHORT_TICKS) return EVERY_TICK;
  const marks = Math.ceil(ticksPerSecond / 2);
  return { marks, links: 20 * marks, keepsEvents: false };
}

export interface Keyframe {
  readonly tick: number;
  readonly snapshot: Snapshot;
}

export interface TickEvents {
  /** The tick count after the step in which they happened. */
  readonly tick: number;
  readonly events: readonly WorldEvent[];
}

/** Far beyond any game, and small enough to hold: a file of a few bytes can declare anything. */
export const MOST_TICKS = 10_000_000;
export const MOST_VALUES = 2 ** 25;
export const MOST_SEATS = 1024;
/** Of all keyframes together. */
export const MOST_KEYFRAME_BYTES = 2 ** 29;

/** How many ticks a file can hold of games whose actions are so many values a tick and whose keyframes are so many bytes, so far apart (0: there are none). */
export function mostTicks(width: number, stateBytes: number, keyframeEvery: number): number {
  const keyframes = Math.floor((MOST_KEYFRAME_BYTES - 8) / (stateBytes + 4));
  return Math.min(MOST_TICKS, Math.floor(MOST_VALUES / width), keyframeEvery === 0 ? Infinity : keyframes * keyframeEvery);
}

/**
 * How many ticks apart keyframes are, for states of so many bytes: a seek re-plays fewer than these, and a file spends about 20 bytes a
 * tick on them, unpacked. (A CodeBall state with the contest's dice is 9 kB that hardly pack: 420 ticks; without them 1 kB: 60 ticks.)
 */
export function keyframeInterval(stateBytes: number): number {
  return Math.min(Math.max(Math.round(stateBytes / 20 / 60), 1), 10) * 60;
}
