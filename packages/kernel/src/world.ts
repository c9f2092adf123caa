import type { FieldIO } from './fields.ts';
import type { Seed } from './seed.ts';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** Every state counts its ticks; the rest is the world's own. */
export interface TickState {
  tick: number;
}

/** Rules and nothing else. A world knows no clock, no file, no screen and no other world. */
export interface World<Config, State extends TickState, Action, View, Briefing> {
  readonly name: string;
  /** Raised whenever a golden hash changes on purpose; replays of another version are refused. */
  readonly rulesVersion: number;
  readonly ticksPerSecond: number;
  /** Named configs, each one valid input of `readConfig`; the first is the default. */
  readonly presets: Readonly<Record<string, Json>>;

  /** The door for configs: throws InputError that names path, expected, got. */
  readConfig(raw: unknown): Config;
  /** Plain data that `readConfig` takes back. */
  writeConfig(config: Config): Json;
  seats(config: Config): number;
  /** No game of this config is longer; left out where that is not known beforehand. */
  maxTicks?(config: Config): number;

  create(config: Config, seed: Seed): State;
  /**
   * Advances `state` by one tick in place. Reads nothing but its arguments, writes nothing but `state`, `events` and `ledger`.
   * `actions` holds one action a seat. The ledger, on request, receives every random draw of the tick; asking for it changes nothing else.
   */
  step(state: State, actions: readonly Action[], events: WorldEvent[], ledger?: LedgerEntry[]): void;
  /** null while the game runs. */
  result(state: State): Result | null;
  /** How it stands in the midst of the game, for whoever breaks it off; left out where nobody can tell. */
  standing?(state: State): Result;

  /** What a seat is told once, before the first tick. Fresh plain JSON. */
  brief(state: State, seat: number): Briefing;
  /** What a seat may know now. Fresh plain JSON: a bot may keep it or scribble on it. */
  observe(state: State, seat: number): View;
  /** The door for actions, in the seat's own coordinates; throws InputError whose path starts with `action`. */
  readAction(raw: unknown, state: State, seat: number): Action;
  /** What a silent seat plays for one tick. */
  idle(config: Config, seat: number): Action;
  /** What is played for a seat whose bot is out of the game for good; the world may take note of it. */
  forfeit(config: Config, seat: number): Action;

  /** Every field of the state, once, in a fixed order: snapshot, restore and hash are all made of this list. */
  fields(io: FieldIO, state: State): void;
  /** The same for one action: a fixed number of values for a given config, so that replays can keep them by column. */
  actionFields(io: FieldIO, action: Action): void;
}

/** Something worth telling happened: a goal, a lap, a drain. Data in a fixed order, plain JSON. */
export interface WorldEvent {
  readonly kind: string;
  readonly seat?: number;
  readonly [detail: string]: Json | undefined;
}

/** One random draw: what was drawn, when within the tick, for whom. Plain JSON. */
export interface LedgerEntry {
  readonly kind: string;
  readonly [detail: string]: Json | undefined;
}

export interface Result {
  /** One a seat. */
  readonly scores: readonly number[];
  /** One a seat, from 1; equal ranks share a place. */
  readonly ranks: readonly number[];
  readonly reason: string;
}

export type AnyWorld = World<unknown, TickState, unknown, unknown, unknown>;
