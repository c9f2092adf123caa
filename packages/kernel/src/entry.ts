import type { BotMaker } from './bot.ts';
import type { SceneMaker } from './scene.ts';
import type { Json, TickState, World } from './world.ts';

/** A world with everything that lives in its folder: one line of the catalog. */
export interface WorldEntry<Config, State extends TickState, Action, View, Briefing> {
  readonly world: World<Config, State, Action, View, Briefing>;
  /** Built-in bots by name; the first two play the studio's opening match. */
  readonly bots: Readonly<Record<string, BotMaker<Briefing, View>>>;
  /** An action as a bot of this seat gives it, with every field that there is: answers in bare numbers fill its fields in their order. */
  example(config: Config, seat: number): Json;
  readonly stage: SceneMaker<Config, State>;
  /** Compares the world with a recording in the world's own vector format. */
  readonly conform?: (lines: Iterable<string>) => ConformReport;
  /** A state as the world's own contest logged it, for worlds that had one; the players' names go into the first line. */
  logged?(state: State, names: readonly string[] | null): Json;
  /** For worlds of maps and written runs, in text files of the world's own form. */
  readonly course?: Course<Config>;
  /** For worlds played on tables that people write as JSON. A config takes one as its `table`. */
  readonly tables?: Tables;
  /** A machine that a person plays at with the stage's own controls: the studio has a page for such. */
  readonly arcade?: true;
  /** It reaches farther than any run: there is a page to explore it and to keep what was found. */
  readonly endless?: true;
}

export type AnyEntry = WorldEntry<unknown, TickState, unknown, unknown, unknown>;

export interface Tables {
  /** A JSON Schema by which tables are read. */
  readonly schema: Json;
  /** The world's own, by name. */
  readonly ours: Readonly<Record<string, Json>>;
  /** Builds a table; one line about it, or an InputError whose path begins with `path`. */
  check(raw: unknown, path: string): string;
}

export interface ConformReport {
  /** What kind of recording it was, for people. */
  readonly form: string;
  /** Named counts: ticks, contacts, goals, … */
  readonly counts: Readonly<Record<string, number>>;
  /** The first difference in one line, null when bit-exact. */
  readonly difference: string | null;
}

/** A map is part of a config; a run is the text of its instructions. */
export interface Course<Config> {
  /** Plays a written run to its end; `tell` hears of the state after every tick. Complaints name `what` and the line. */
  judge(config: Config, run: string, what: string, tell?: (state: CourseState) => void): CourseVerdict;
  /** The map as SVG, with the way of a racer. */
  picture(config: Config, way: readonly CourseState[]): string;
  /** A map file made by seed, always solvable, from { seed, size, density, goals }; what is left out has a default. */
  newMap(recipe: Readonly<Record<string, unknown>>): string;
  /** One line on what a recipe may say, and what it says by itself. */
  readonly recipes: string;
}

export interface CourseState {
  readonly x: number;
  readonly y: number;
  /** The state in the public form. */
  readonly line: string;
}

export interface CourseVerdict {
  readonly finished: boolean;
  readonly ticks: number;
  /** When each goal was reached, counted from 1; null for one that was not. */
  readonly goals: readonly (number | null)[];
  readonly collisions: number;
  /** What is odd about the run's text but does no harm. */
  readonly remark: string | null;
}
