import type { BotMaker } from './bot.ts';
import type { SceneMaker } from './scene.ts';
import type { TickState, World } from './world.ts';

/** A world with everything that lives in its folder: one line of the catalog. */
export interface WorldEntry<Config, State extends TickState, Action, View, Briefing> {
  readonly world: World<Config, State, Action, View, Briefing>;
  /** Built-in bots by name; the first two play the studio's opening match. */
  readonly bots: Readonly<Record<string, BotMaker<Briefing, View>>>;
  readonly stage: SceneMaker<Config, State>;
  /** Compares the world with a recording in the world's own vector format. */
  readonly conform?: (lines: Iterable<string>) => ConformReport;
}

export type AnyEntry = WorldEntry<unknown, TickState, unknown, unknown, unknown>;

export interface ConformReport {
  /** What kind of recording it was, for people. */
  readonly form: string;
  /** Named counts: ticks, contacts, goals, … */
  readonly counts: Readonly<Record<string, number>>;
  /** The first difference in one line, null when bit-exact. */
  readonly difference: string | null;
}
