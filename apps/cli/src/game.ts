import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';
import { type AnyEntry, hash, InputError, type Result, type Seed, type TickState } from '@lockstep/kernel';
import {
  createMatch,
  type Difference,
  type Fault,
  type Match,
  reasonOf,
  type RecordedGame,
  recordedSeat,
  rerun,
  type Spent,
  type Witness,
} from '@lockstep/match';
import { Playback, readReplay, ReplayWriter, verifyReplay } from '@lockstep/replay';
import { type Care, findSeat, type OnDebug, type WatchedSeat } from './bots.ts';
import { readFile, writeAtomically } from './files.ts';
import { dumped, type FilePlan, GameLog, named, resultsText } from './game-files.ts';
import { findWorld } from './names.ts';
import { Parting } from './parting.ts';

/** Everything of a game but its seed, as plain data that can be sent to another thread. */
export interface GamePlan {
  readonly world: string;
  /** For the world's door; of a game that goes on from another, that one's. */
  readonly config: unknown;
  /** null: what the seat did in the game that this one goes on from. */
  readonly bots: readonly (string | null)[];
  /** What bots are called instead of their own names; null: by these. */
  readonly names?: readonly (string | null)[];
  readonly care: Care;
  /** Where to write the replay; `{seed}` stands for the seed. */
  readonly record: string | null;
  /** Where to write what bots say beside their actions: drawings, remarks. Likewise. */
  readonly debug: string | null;
  /** Other files. */
  readonly files?: FilePlan;
  /** The game that this one goes on from, after so many of its ticks. */
  readonly from?: Start | null;
  /** Break the game off at the first event of this kind. */
  readonly until?: string | null;
  /** How far its result is to be checked. */
  readonly verify?: Honesty;
}

export interface Start {
  readonly file: string;
  readonly tick: number;
}

/**
 * How far a result can be trusted. 'sim-verified': the actions were played again and gave the same states. 'rerun-verified': beyond that the
 * bots were run again and gave the same actions.
 */
export const HONESTY = ['unverified', 'sim-verified', 'rerun-verified'] as const;
export type Honesty = (typeof HONESTY)[number];

export interface GameReport {
  readonly seed: Seed;
  readonly scores: readonly number[];
  readonly ranks: readonly number[];
  readonly reason: string;
  readonly ticks: number;
  /** Of these here, not in the game that it goes on from. */
  readonly played: number;
  readonly hash: string;
  readonly honesty: Honesty;
  /** Why it is not as honest as was asked for, one line each. */
  readonly doubts: readonly string[];
  readonly faults: readonly Fault[];
  /** One a seat; null for bots in our own process. */
  readonly times: readonly (Spent | null)[];
  /** Of the bots' files, one a seat. */
  readonly sha256: readonly (string | null)[];
  readonly seconds: number;
  readonly record: string | null;
  readonly bytes: number;
  /** Where a game that goes on from another leaves it: the tick and the seats that played otherwise; null where it does not. */
  readonly left?: { readonly tick: number; readonly seats: readonly number[] } | null;
}

/** What bots say beside their actions beyond this is dropped. */
const MOST_DEBUG_LINES = 100_000;
const LONGEST_DEBUG = 10_000;

/** Our own bug: the world threw in the midst of a game. */
export class WorldStopped extends Error {}

/** Plays games of one plan, one after another, in this thread. */
export class Table {
  readonly entry: AnyEntry;
  readonly config: unknown;
  readonly seats: readonly WatchedSeat[];
  private readonly plan: GamePlan;
  /** The game that is gone on from. */
  private readonly source: Playback | null;
  /** Of the game that is played. */
  private readonly debug: string[] = [];

  private constructor(plan: GamePlan, entry: AnyEntry, config: unknown, source: Playback | null, seats: readonly WatchedSeat[]) {
    this.plan = plan;
    this.entry = entry;
    this.config = config;
    this.source = source;
    this.seats = seats;
  }

  /** Everything that can be wrong with the plan is found here. */
  static async open(plan: GamePlan): Promise<Table> {
    const entry = findWorld(plan.world);
    const { world } = entry;
    const source = plan.from === undefined || plan.from === null ? null : await sourceOf(entry, plan.from);
    const config = source?.config ?? world.readConfig(plan.config);
    const wanted = world.seats(config);
    if (plan.bots.length !== wanted) {
      const choice = `built in are ${Object.keys(entry.bots).join(', ')}; others are named by their path`;
      throw new InputError('bots', `${wanted}, one a seat (${choice})`, plan.bots.length);
    }
    if (typeof plan.until === 'string' && world.standing === undefined)
      throw new InputError(`until-first-${plan.until}`, 'a world whose score can be told in the midst of a game', world.name);
    const seats: WatchedSeat[] = [];
    const table = new Table(plan, entry, config, source, seats);
    for (const [index, bot] of plan.bots.entries()) {
      const seat = bot === null ? recordedSeat(gameOf(source!), index) : await findSeat(entry, bot, plan.care, table.onDebug);
      const name = plan.names?.[index] ?? (bot === null ? source!.replay.bots[index]!.name : seat.name);
      seats.push({ ...seat, name });
    }
    return table;
  }

  private get onDebug(): OnDebug | undefined {
    if (this.plan.debug === null) return undefined;
    return (seat, tick, said) => {
      const line = JSON.stringify({ seat, tick, debug: said });
      if (this.debug.length < MOST_DEBUG_LINES && line.length <= LONGEST_DEBUG) this.debug.push(line);
    };
  }

  /** Games longer than this cannot be recorded. */
  get mostTicks(): number {
    return this.begin(0n, true).writer!.mostTicks;
  }

  async play(seed: Seed, onTick?: (tick: number) => void, place = this.plan.record): Promise<GameReport> {
    const { files, debug, verify = 'unverified' } = this.plan;
    const record = named(place, seed);
    const { state, writer } = this.begin(seed, record !== null || verify !== 'unverified');
    const log = this.logOf(seed, state);
    const parting = this.source === null ? null : new Parting(gameOf(this.source), state.tick);
    const witnesses = [writer, log, parting].filter((one) => one !== null);
    const started = performance.now();
    const { match, error } = await this.run(seed, state, writer, witnesses, onTick).catch((refusal: unknown) => {
      log?.drop();
      throw refusal;
    });
    const seconds = (performance.now() - started) / 1000;
    const result = match.result ?? (this.isOver(match) ? this.brokenOff(match) : null);
    if (error !== null || result === null) {
      log?.drop();
      return this.stopped(seed, match.state.tick, error);
    }
    const faults = [...match.faults, ...(await this.lateFaults(match))];
    const bytes = writer === null ? null : await writer.finish(match.result, faults.map(recorded));
    if (record !== null) writeAtomically(record, bytes!);
    log?.finish();
    this.write(debug, seed, () => this.debug.map((line) => `${line}\n`).join(''));
    this.debug.length = 0;
    this.write(files?.results, seed, () => resultsText(result, faults, seed));
    const { honesty, doubts } = bytes === null ? { honesty: 'unverified' as const, doubts: [] } : await this.judge(bytes);
    const { tick: ticks } = match.state;
    const played = ticks - (this.plan.from?.tick ?? 0);
    return {
      seed,
      ...result,
      ticks,
      played,
      hash: hash(this.entry.world, match.state),
      honesty,
      doubts,
      faults,
      times: match.spent,
      sha256: this.seats.map((seat) => seat.sha256),
      seconds,
      record,
      bytes: record === null ? 0 : bytes!.length,
      ...(parting === null ? {} : { left: parting.left }),
    };
  }

  private logOf(seed: Seed, state: TickState): GameLog | null {
    const file = named(this.plan.files?.log, seed);
    const names = this.seats.map(({ name }) => name);
    return file === null ? null : new GameLog(file, this.entry, this.config, seed, state, names);
  }

  private write(pattern: string | null | undefined, seed: Seed, text: () => string): void {
    const file = named(pattern, seed);
    if (file !== null) writeAtomically(file, Buffer.from(text()));
  }

  /** A game at its beginning, or where it goes on from, and its recorder. */
  private begin(seed: Seed, isRecorded: boolean): { readonly state: TickState; readonly writer: ReplayWriter | null } {
    const { entry, config, source, plan } = this;
    const { world } = entry;
    const start = plan.from?.tick ?? 0;
    const from = start === 0 ? {} : { from: start };
    const bots = this.seats.map(({ name, kind, sha256 }) => ({ name, kind, sha256, ...from }));
    if (source !== null) return isRecorded ? source.fork(start, bots) : { state: source.seek(start), writer: null };
    return { state: world.create(config, seed), writer: isRecorded ? new ReplayWriter({ world, config, seed, bots }) : null };
  }

  private async run(
    seed: Seed,
    state: TickState,
    writer: ReplayWriter | null,
    witnesses: readonly Witness[],
    onTick?: (tick: number) => void,
  ) {
    const { entry, config } = this;
    const seats = this.seats.map((seat, i) => {
      const dump = named(this.plan.files?.dumps[i], seed);
      return dump === null ? seat : dumped(seat, dump);
    });
    const match = createMatch({ world: entry.world, config, seed, seats, witnesses, state });
    try {
      return { match, error: await this.steps(match, writer, onTick) };
    } finally {
      await match.close();
    }
  }

  /** null, or what the world threw. */
  private async steps(match: Match, writer: ReplayWriter | null, onTick?: (tick: number) => void): Promise<unknown> {
    const { state } = match;
    while (match.result === null && !this.isOver(match)) {
      if (state.tick === writer?.mostTicks) throw new InputError('record', `a game of at most ${state.tick} ticks`, 'a longer one');
      try {
        const waiting = match.stepAsync();
        if (waiting !== undefined) await waiting;
      } catch (error) {
        return error;
      }
      if (state.tick % 100 !== 0) continue;
      onTick?.(state.tick);
      if (this.watched) await turn(); // what bots have set going comes to light
    }
    return null;
  }

  private isOver({ events }: Match): boolean {
    const { until } = this.plan;
    return typeof until === 'string' && events.some(({ kind }) => kind === until);
  }

  private brokenOff({ state }: Match): Result {
    return { ...this.entry.world.standing!(state), reason: `first ${this.plan.until}` };
  }

  /** As far as the plan asks for it. */
  private async judge(bytes: Uint8Array): Promise<{ readonly honesty: Honesty; readonly doubts: readonly string[] }> {
    const { verify = 'unverified' } = this.plan;
    if (verify === 'unverified') return { honesty: verify, doubts: [] };
    const { world } = this.entry;
    const replay = await readReplay(bytes, 'the game');
    const { difference } = verifyReplay(world, replay);
    if (difference !== null) return { honesty: 'unverified', doubts: [difference] };
    if (verify === 'sim-verified') return { honesty: verify, doubts: [] };
    const differences = await rerun(gameOf(new Playback(world, replay)), this.seats);
    return { honesty: differences.length === 0 ? verify : 'sim-verified', doubts: differences.map(differenceText) };
  }

  private get watched(): boolean {
    return this.seats.some(({ guard }) => guard !== undefined);
  }

  /** Misdeeds that came to light after the last answer of their bot. */
  private async lateFaults({ state, faults }: Match): Promise<Fault[]> {
    if (this.watched) await pause(1); // timers that are due
    return this.seats.flatMap(({ guard }, seat) => {
      const misdeed = guard?.().misdeed ?? null;
      if (misdeed === null || faults.some((fault) => fault.seat === seat)) return [];
      return [{ seat, tick: state.tick, kind: misdeed.kind, reason: reasonOf(misdeed) }];
    });
  }

  /** Our own bug: it is played once more with a recorder, so that there is a file to look into. */
  private async stopped(seed: Seed, tick: number, error: unknown): Promise<never> {
    const cause = error instanceof Error ? (error.stack ?? String(error)) : String(error);
    const file = tick < this.mostTicks ? await this.evidence(seed) : 'too long for a file';
    throw new WorldStopped(`${this.plan.world} stopped at tick ${tick}, seed ${seed}; the game so far: ${file}\n${cause}`);
  }

  private async evidence(seed: Seed): Promise<string> {
    const { writer, state } = this.begin(seed, true);
    const { match } = await this.run(seed, state, writer, [writer!]);
    const file = join(tmpdir(), `lockstep-stopped-${this.plan.world}-${seed}.replay`);
    writeAtomically(file, await writer!.finish(null, match.faults.map(recorded)));
    return file;
  }
}

/** A replay keeps what happened, not what the bot was given or what it complained of. */
function recorded({ seat, tick, kind, reason }: Fault): Fault {
  return { seat, tick, kind, reason };
}

/** The game that a new one goes on from. A seat that is out cannot come back, so that it has to be before that. */
async function sourceOf({ world }: AnyEntry, { file, tick }: Start): Promise<Playback> {
  const playback = new Playback(world, await readReplay(readFile(file), file));
  const { replay } = playback;
  const out = replay.faults.find((fault) => fault.tick < tick);
  if (tick > replay.stepped) throw new InputError('from', `a tick 0..${replay.stepped} of ${file}`, tick);
  if (out !== undefined) throw new InputError('from', `a tick up to ${out.tick}, where seat ${out.seat} was out`, tick);
  return playback;
}

/** A recorded game as matches take it. */
export function gameOf(playback: Playback): RecordedGame {
  const { world, config, replay } = playback;
  const { seed, ticks, faults, bots } = replay;
  const from = Math.max(0, ...bots.map((bot) => bot.from ?? 0));
  return { world, config, seed, ticks, faults, begin: () => playback.seek(from), actionsAt: (tick) => playback.actionsAt(tick) };
}

export function differenceText({ seat, tick, says }: Difference): string {
  return `seat ${seat} did otherwise at tick ${tick}: ${says}`;
}
