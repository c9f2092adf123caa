import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';
import { type AnyEntry, hash, InputError, type Seed } from '@lockstep/kernel';
import { createMatch, type Fault, type Match, reasonOf, type Spent } from '@lockstep/match';
import { ReplayWriter } from '@lockstep/replay';
import { type Care, findSeat, type WatchedSeat } from './bots.ts';
import { writeAtomically } from './files.ts';
import { findWorld } from './names.ts';

/** Everything of a game but its seed, as plain data that can be sent to another thread. */
export interface GamePlan {
  readonly world: string;
  /** For the world's door. */
  readonly config: unknown;
  readonly bots: readonly string[];
  readonly care: Care;
  /** Where to write the replay; `{seed}` stands for the seed. */
  readonly record: string | null;
  /** Where to write what bots say beside their actions: drawings, remarks. Likewise. */
  readonly debug: string | null;
}

export interface GameReport {
  readonly seed: Seed;
  readonly scores: readonly number[];
  readonly ranks: readonly number[];
  readonly reason: string;
  readonly ticks: number;
  readonly hash: string;
  readonly faults: readonly Fault[];
  /** One a seat; null for bots in our own process. */
  readonly times: readonly (Spent | null)[];
  /** Of the bots' files, one a seat. */
  readonly sha256: readonly (string | null)[];
  readonly seconds: number;
  readonly record: string | null;
  readonly bytes: number;
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
  /** Of the game that is played. */
  private readonly debug: string[];

  private constructor(plan: GamePlan, entry: AnyEntry, config: unknown, seats: readonly WatchedSeat[], debug: string[]) {
    this.plan = plan;
    this.debug = debug;
    this.entry = entry;
    this.config = config;
    this.seats = seats;
  }

  /** Everything that can be wrong with the plan is found here. */
  static async open(plan: GamePlan): Promise<Table> {
    const entry = findWorld(plan.world);
    const config = entry.world.readConfig(plan.config);
    const wanted = entry.world.seats(config);
    if (plan.bots.length !== wanted) {
      const choice = `built in are ${Object.keys(entry.bots).join(', ')}; others are named by their path`;
      throw new InputError('bots', `${wanted}, one a seat (${choice})`, plan.bots.length);
    }
    const debug: string[] = [];
    const keep = (seat: number, tick: number, said: unknown): void => {
      const line = JSON.stringify({ seat, tick, debug: said });
      if (debug.length < MOST_DEBUG_LINES && line.length <= LONGEST_DEBUG) debug.push(line);
    };
    const seats: WatchedSeat[] = [];
    for (const bot of plan.bots) seats.push(await findSeat(entry, bot, plan.care, plan.debug === null ? undefined : keep));
    return new Table(plan, entry, config, seats, debug);
  }

  /** Games longer than this cannot be recorded. */
  get mostTicks(): number {
    return this.recorder(0n).mostTicks;
  }

  async play(seed: Seed, onTick?: (tick: number) => void, place = this.plan.record): Promise<GameReport> {
    const record = place?.replaceAll('{seed}', String(seed)) ?? null;
    const writer = record === null ? null : this.recorder(seed);
    const started = performance.now();
    const { match, error } = await this.run(seed, writer, onTick);
    const seconds = (performance.now() - started) / 1000;
    if (error !== null || match.result === null) return this.stopped(seed, match.state.tick, error);
    const { result, state } = match;
    const faults = [...match.faults, ...(await this.lateFaults(match))];
    const bytes = writer === null ? null : await writer.finish(result, faults.map(recorded));
    if (bytes !== null) writeAtomically(record!, bytes);
    this.writeDebug(seed);
    const final = hash(this.entry.world, state);
    const sha256 = this.seats.map((seat) => seat.sha256);
    return {
      seed,
      ...result,
      ticks: state.tick,
      hash: final,
      faults,
      times: match.spent,
      sha256,
      seconds,
      record,
      bytes: bytes?.length ?? 0,
    };
  }

  private writeDebug(seed: Seed): void {
    const lines = this.debug.splice(0);
    const file = this.plan.debug?.replaceAll('{seed}', String(seed));
    if (file !== undefined) writeAtomically(file, Buffer.from(lines.map((line) => `${line}\n`).join('')));
  }

  private recorder(seed: Seed): ReplayWriter {
    const bots = this.seats.map(({ name, kind, sha256 }) => ({ name, kind, sha256 }));
    return new ReplayWriter({ world: this.entry.world, config: this.config, seed, bots });
  }

  private async run(seed: Seed, writer: ReplayWriter | null, onTick?: (tick: number) => void) {
    const { entry, config, seats } = this;
    const match = createMatch({ world: entry.world, config, seed, seats, witnesses: writer === null ? [] : [writer] });
    try {
      return { match, error: await this.steps(match, writer, onTick) };
    } finally {
      await match.close();
    }
  }

  /** null, or what the world threw. */
  private async steps(match: Match, writer: ReplayWriter | null, onTick?: (tick: number) => void): Promise<unknown> {
    const { state } = match;
    while (match.result === null) {
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
    const writer = this.recorder(seed);
    const { match } = await this.run(seed, writer);
    const file = join(tmpdir(), `lockstep-stopped-${this.plan.world}-${seed}.replay`);
    writeAtomically(file, await writer.finish(null, match.faults.map(recorded)));
    return file;
  }
}

/** A replay keeps what happened, not what the bot was given or what it complained of. */
function recorded({ seat, tick, kind, reason }: Fault): Fault {
  return { seat, tick, kind, reason };
}
