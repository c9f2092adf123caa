import {
  type AnyWorld,
  type Bot,
  hash,
  InputError,
  type Result,
  type Seed,
  shown,
  type TickState,
  type WorldEvent,
} from '@lockstep/kernel';

/** Who sits on a seat: how to make its bot, and what a replay keeps about it. */
export interface Seat {
  readonly name: string;
  /** The way the bot is reached: 'builtin', 'module', 'process', … */
  readonly kind: string;
  /** Of the bot's source or binary; null where there is none. */
  readonly sha256: string | null;
  /** A promise of a bot is one, too. */
  readonly make: (briefing: unknown, seat: number, game: GameInfo) => SeatBot | Promise<SeatBot>;
}

/** What is known of a game beside the briefing: for whoever reaches the bot, not for the bot. */
export interface GameInfo {
  readonly world: string;
  readonly rulesVersion: number;
  readonly ticksPerSecond: number;
  readonly seats: number;
  readonly seed: Seed;
  readonly config: unknown;
  /** null where the world cannot tell. */
  readonly maxTicks: number | null;
  /** How many ticks had been played before: a match may go on from the midst of another game. */
  readonly tick: number;
}

/** A bot, and what whoever reaches it has to tell or to put away: a process, a socket. */
export interface SeatBot extends Bot {
  /**
   * `act` in two steps, for bots that think elsewhere: the question goes off, and what is given back fetches the answer. So all of them think at the
   * same time, and an answer that is there by then needs no promise.
   */
  ask?(view: unknown): () => unknown;
  /** For a fault that the match finds. */
  evidence?(): Evidence;
  spent?(): Spent;
  /** The game is over for this bot: with a result, or with null because the bot is out. Settles when nothing is left of it; called once. */
  end?(result: Result | null): Promise<void>;
}

/** What a bot that is out had before it. */
export interface Evidence {
  /** The last lines of what it said on stderr. */
  readonly stderr?: readonly string[];
  /** The last message that it was given, shortened. */
  readonly input?: string;
}

/** Time is told beside a result and never enters it. */
export interface Spent {
  /** While the others waited for it. */
  readonly wallMs: number;
  /** Of all its processes, thinking outside of its turn included; null where it cannot be read. */
  readonly cpuMs: number | null;
  /** What counts against its budget: waiting for a processor of a busy machine does not. */
  readonly chargedMs: number;
  readonly slowestMs: number;
  /** The most memory that it and its children had at a time; null where it cannot be read. */
  readonly peakBytes: number | null;
  /** Instructions that it did, where they are counted. */
  readonly gas?: number;
  /** How it left after the game, in words; null while it has not, or where there is nothing to leave. */
  readonly leaving: string | null;
}

/**
 * 'crash': it threw or its process died. 'illegal': the world's door refused its action. 'timeout': it let others wait for too long.
 * 'memory': it took too much. 'protocol': what it sent is no answer. 'disconnect': it left. 'no-start': it was never there.
 */
export type FaultKind = 'crash' | 'illegal' | 'timeout' | 'memory' | 'protocol' | 'disconnect' | 'no-start';

/** A bot's misdeed, as data: the bot is out for good, the match goes on. */
export interface Fault extends Evidence {
  readonly seat: number;
  readonly tick: number;
  readonly kind: FaultKind;
  readonly reason: string;
}

/** Thrown for a bot by whoever runs it, who has a clock or sees what happens outside of its turn; all else that is thrown is a crash. */
export class Misdeed extends Error {
  readonly kind: FaultKind;
  readonly evidence: Evidence;

  constructor(kind: FaultKind, reason: string, evidence: Evidence = {}) {
    super(reason);
    this.kind = kind;
    this.evidence = evidence;
  }
}

/** The answer of a bot that is in time for nothing: idle is played in this tick. */
export const PASS = Symbol('pass');

/** An answer that has come through the world's door before: an action of a recorded game. */
export class Played {
  readonly action: unknown;

  constructor(action: unknown) {
    this.action = action;
  }
}

/** Follows a match: a recorder, a progress bar, a chart. */
export interface Witness {
  /** One action a seat, before the step that plays them. */
  note?(actions: readonly unknown[]): void;
  afterStep?(state: TickState, events: readonly WorldEvent[]): void;
}

export interface MatchSetup {
  readonly world: AnyWorld;
  readonly config: unknown;
  readonly seed: Seed;
  /** One a seat of the config. */
  readonly seats: readonly Seat[];
  readonly witnesses?: readonly Witness[];
  /** Where to begin, if not at the beginning: a state of this config and seed, which the match plays on. */
  readonly state?: TickState;
}

export interface Outcome {
  readonly result: Result;
  readonly faults: readonly Fault[];
  readonly ticks: number;
  /** Of the final state. */
  readonly hash: string;
}

/** One match, tick by tick. The world is an argument: nothing here knows which one it is. */
export class Match {
  readonly setup: MatchSetup;
  readonly state: TickState;
  readonly faults: Fault[] = [];
  /** What happened in the last tick. */
  events: WorldEvent[] = [];
  /** null while the game runs. */
  result: Result | null;
  /** null: out of the game. A Later one is still being made. */
  private readonly bots: (SeatBot | Later | null)[] = [];
  /** One a seat; null for a bot whose time nobody takes. Complete when the match is closed. */
  readonly spent: (Spent | null)[] = [];
  private readonly endings: Promise<void>[] = [];
  /** What is played for a seat that is out. */
  private readonly forfeits: unknown[] = [];

  constructor(setup: MatchSetup) {
    const { world, config, seed, seats } = setup;
    const wanted = world.seats(config);
    if (seats.length !== wanted) throw new Error(`match: ${world.name} has ${wanted} seats here, ${seats.length} were given`);
    this.setup = setup;
    this.state = setup.state ?? world.create(config, seed);
    this.result = world.result(this.state);
    seats.forEach((seat, index) => {
      this.bots.push(null);
      this.spent.push(null);
      this.forfeits.push(world.forfeit(config, index));
      try {
        const made: unknown = seat.make(world.brief(this.state, index), index, gameInfo(setup, this.state));
        this.bots[index] = made instanceof Promise ? new Later(made) : botOf(made);
      } catch (error) {
        this.crash(index, error);
      }
    });
  }

  /** Plays one tick of bots that answer at once; nothing happens after the end. */
  step(): void {
    if (this.result !== null) return;
    const answers = this.bots.some(isLater) ? this.bots : this.ask();
    const late = answers.findIndex(isLater);
    if (late >= 0) throw new Error(`match: seat ${late} (${this.setup.seats[late]!.name}) answers with a promise: play it by stepAsync`);
    this.advance(answers);
  }

  /** Plays one tick of any bots. All seats think at the same time. */
  stepAsync(): void | Promise<void> {
    if (this.result !== null) return;
    if (this.bots.some(isLater)) return this.makeAll().then(() => this.stepAsync());
    const answers = this.ask();
    if (!answers.some(isLater)) return this.advance(answers);
    return this.collect(answers).then((all) => this.advance(all));
  }

  private async makeAll(): Promise<void> {
    for (const [seat, bot] of this.bots.entries()) {
      if (!isLater(bot)) continue;
      try {
        this.bots[seat] = botOf(await bot.promise);
      } catch (error) {
        this.crash(seat, error);
      }
    }
  }

  /** Ends what is left of the bots, once the match is over or given up; settles when nothing of them is left. */
  async close(): Promise<void> {
    if (this.bots.some(isLater)) await this.makeAll();
    this.bots.forEach((bot, seat) => this.end(seat, bot as SeatBot | null, this.result));
    this.bots.fill(null);
    await Promise.all(this.endings);
  }

  private end(seat: number, bot: SeatBot | null, result: Result | null): void {
    if (bot === null) return;
    const told = (): void => {
      this.spent[seat] = bot.spent?.() ?? null;
    };
    if (bot.end === undefined) return told();
    this.endings.push(bot.end(result).then(told));
  }

  /** A raw action, a Later one, PASS, or OUT for every seat. */
  private ask(): unknown[] {
    const { world } = this.setup;
    const asked = this.bots.map((bot, seat) => {
      if (bot === null || isLater(bot)) return OUT;
      const view = world.observe(this.state, seat);
      try {
        return bot.ask === undefined ? boxed(bot.act(view)) : new Asked(bot.ask(view));
      } catch (error) {
        return this.crash(seat, error);
      }
    });
    return asked.map((answer, seat) => (answer instanceof Asked ? this.take(answer, seat) : answer));
  }

  private take({ take }: Asked, seat: number): unknown {
    try {
      return boxed(take());
    } catch (error) {
      return this.crash(seat, error);
    }
  }

  private async collect(answers: readonly unknown[]): Promise<unknown[]> {
    const all: unknown[] = [];
    for (const [seat, answer] of answers.entries()) {
      try {
        all.push(isLater(answer) ? await answer.promise : answer);
      } catch (error) {
        all.push(this.crash(seat, error));
      }
    }
    return all;
  }

  private advance(answers: readonly unknown[]): void {
    const { world, witnesses = [] } = this.setup;
    const actions = answers.map((answer, seat) => this.read(answer, seat));
    for (const witness of witnesses) witness.note?.(actions);
    this.events = [];
    world.step(this.state, actions, this.events);
    this.result = world.result(this.state);
    for (const witness of witnesses) witness.afterStep?.(this.state, this.events);
  }

  private read(answer: unknown, seat: number): unknown {
    const { world, config } = this.setup;
    if (answer === OUT) return this.forfeits[seat];
    if (answer === PASS) return world.idle(config, seat);
    if (answer instanceof Played) return answer.action;
    try {
      return world.readAction(answer, this.state, seat);
    } catch (error) {
      this.fault(seat, 'illegal', error);
      return this.forfeits[seat];
    }
  }

  private crash(seat: number, error: unknown): typeof OUT {
    return this.fault(seat, kindOf(error), error);
  }

  private fault(seat: number, kind: FaultKind, error: unknown): typeof OUT {
    const bot = this.bots[seat] as SeatBot | null;
    this.bots[seat] = null;
    const evidence = kind === 'illegal' ? bot?.evidence?.() : evidenceOf(error);
    this.faults.push({ seat, tick: this.state.tick, kind, reason: reasonOf(error), ...evidence });
    this.end(seat, isLater(bot) ? null : bot, null);
    return OUT;
  }
}

const OUT = Symbol('out');

/** A promise in a box: whether an answer is one is asked only once, where a bot that answers with a trap can still be faulted. */
class Later {
  readonly promise: Promise<unknown>;

  constructor(promise: Promise<unknown>) {
    this.promise = promise;
    promise.catch(() => {}); // it is looked at in its turn, which may come after it has failed
  }
}

/** The bot has its question. */
class Asked {
  readonly take: () => unknown;

  constructor(take: () => unknown) {
    this.take = take;
  }
}

const boxed = (answer: unknown): unknown => (answer instanceof Promise ? new Later(answer) : answer);
const isLater = (answer: unknown): answer is Later => answer instanceof Later;

function gameInfo({ world, config, seed, seats }: MatchSetup, { tick }: TickState): GameInfo {
  const { name, rulesVersion, ticksPerSecond } = world;
  return { world: name, rulesVersion, ticksPerSecond, seats: seats.length, seed, config, maxTicks: world.maxTicks?.(config) ?? null, tick };
}

/** What a maker made, if it is a bot. */
function botOf(made: unknown): SeatBot {
  const bot = made as SeatBot | null | undefined;
  if (typeof bot?.act !== 'function') throw new InputError('createBot', 'an object with a method act(view)', made);
  return bot;
}

function kindOf(error: unknown): FaultKind {
  try {
    return error instanceof Misdeed ? error.kind : 'crash';
  } catch {
    return 'crash';
  }
}

function evidenceOf(error: unknown): Evidence {
  try {
    return error instanceof Misdeed ? error.evidence : {};
  } catch {
    return {};
  }
}

/** One line, whatever was thrown: a bot may throw anything, even something that throws when it is looked at. */
export function reasonOf(error: unknown): string {
  try {
    const text = error instanceof Error ? error.message || error.name : shown(error);
    return text.replaceAll(/\s+/g, ' ').slice(0, 300);
  } catch {
    return 'something that cannot be shown';
  }
}

export function createMatch(setup: MatchSetup): Match {
  return new Match(setup);
}

/** Plays to the end. Without a promise from any bot the outcome comes at once and not as a promise. */
export function playMatch(setup: MatchSetup): Outcome | Promise<Outcome> {
  const match = new Match(setup);
  while (match.result === null) {
    const waiting = match.stepAsync();
    if (waiting !== undefined) return waiting.then(() => finish(match));
  }
  return outcomeOf(match, match.result);
}

async function finish(match: Match): Promise<Outcome> {
  try {
    while (match.result === null) await match.stepAsync();
    return outcomeOf(match, match.result);
  } finally {
    await match.close();
  }
}

function outcomeOf({ setup, state, faults }: Match, result: Result): Outcome {
  return { result, faults, ticks: state.tick, hash: hash(setup.world, state) };
}
