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
  /** The way the bot is reached: 'builtin', 'module', … */
  readonly kind: string;
  /** Of the bot's source or binary; null where there is none. */
  readonly sha256: string | null;
  /** A promise of a bot is one, too. */
  readonly make: (briefing: unknown, seat: number) => Bot | Promise<Bot>;
}

/** A bot's misdeed, as data: the bot is out for good, the match goes on. */
export interface Fault {
  readonly seat: number;
  readonly tick: number;
  /** 'crash': it threw. 'illegal': the world's door refused its action. 'timeout': it let others wait for too long. */
  readonly kind: 'crash' | 'illegal' | 'timeout';
  readonly reason: string;
}

/** Thrown for a bot by whoever runs it, who has a clock or sees what happens outside of its turn; all else that is thrown is a crash. */
export class Misdeed extends Error {
  readonly kind: Fault['kind'];

  constructor(kind: Fault['kind'], reason: string) {
    super(reason);
    this.kind = kind;
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
  private readonly bots: (Bot | Later | null)[] = [];
  /** What is played for a seat that is out. */
  private readonly forfeits: unknown[] = [];

  constructor(setup: MatchSetup) {
    const { world, config, seed, seats } = setup;
    const wanted = world.seats(config);
    if (seats.length !== wanted) throw new Error(`match: ${world.name} has ${wanted} seats here, ${seats.length} were given`);
    this.setup = setup;
    this.state = world.create(config, seed);
    this.result = world.result(this.state);
    seats.forEach((seat, index) => {
      this.bots.push(null);
      this.forfeits.push(world.forfeit(config, index));
      try {
        const made: unknown = seat.make(world.brief(this.state, index), index);
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

  /** A raw action, a Later one, or OUT for every seat. */
  private ask(): unknown[] {
    const { world } = this.setup;
    return this.bots.map((bot, seat) => {
      if (bot === null || isLater(bot)) return OUT;
      const view = world.observe(this.state, seat);
      try {
        const answer = bot.act(view);
        return answer instanceof Promise ? new Later(answer) : answer;
      } catch (error) {
        return this.crash(seat, error);
      }
    });
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
    if (answer === OUT) return this.forfeits[seat];
    try {
      return this.setup.world.readAction(answer, this.state, seat);
    } catch (error) {
      this.fault(seat, 'illegal', error);
      return this.forfeits[seat];
    }
  }

  private crash(seat: number, error: unknown): typeof OUT {
    return this.fault(seat, kindOf(error), error);
  }

  private fault(seat: number, kind: Fault['kind'], error: unknown): typeof OUT {
    this.bots[seat] = null;
    this.faults.push({ seat, tick: this.state.tick, kind, reason: reasonOf(error) });
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

const isLater = (answer: unknown): answer is Later => answer instanceof Later;

/** What a maker made, if it is a bot. */
function botOf(made: unknown): Bot {
  const bot = made as Bot | null | undefined;
  if (typeof bot?.act !== 'function') throw new InputError('createBot', 'an object with a method act(view)', made);
  return bot;
}

function kindOf(error: unknown): Fault['kind'] {
  try {
    return error instanceof Misdeed ? error.kind : 'crash';
  } catch {
    return 'crash';
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
  while (match.result === null) await match.stepAsync();
  return outcomeOf(match, match.result);
}

function outcomeOf({ setup, state, faults }: Match, result: Result): Outcome {
  return { result, faults, ticks: state.tick, hash: hash(setup.world, state) };
}
