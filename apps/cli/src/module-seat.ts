import { createHash } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import { MessageChannel, type Worker } from 'node:worker_threads';
import { type Bot, type BotMaker, InputError } from '@lockstep/kernel';
import { Account, type Budget, type Evidence, type GameInfo, isUntimed, Misdeed, PASS, type SeatBot, type Spent } from '@lockstep/match';
import type { WatchedSeat } from './bots.ts';
import { readFile } from './files.ts';
import { type Guard, guardModule } from './guard.ts';
import { Mailbox, newShared } from './mailbox.ts';
import { makerOf, NoModule, type Reply, type Request, startThread, timesOf, unpacked } from './module-thread.ts';

/**
 * A bot that is a module. With a budget it lives in a thread of its own, which can be ended whatever it does; without one it runs in ours,
 * for debuggers and for speed, and a loop without end in it stops everything.
 */
export async function moduleSeat(path: string, name: string, budget: Budget, timeout: number): Promise<WatchedSeat> {
  const sha256 = createHash('sha256').update(readFile(path)).digest('hex');
  const url = pathToFileURL(path).href;
  const kind = 'module';
  if (isUntimed(budget)) return { name, kind, sha256, ...(await insideOurs(url, name, timeout)) };
  const home = new ThreadHome(url, name, { ...budget, tickMs: budget.tickMs ?? timeout * 1000 }, timeout);
  await home.open();
  return { name, kind, sha256, guard: () => home, make: (briefing, seat, game) => home.make(briefing, seat, game) };
}

async function insideOurs(url: string, name: string, timeout: number): Promise<Pick<WatchedSeat, 'guard' | 'make'>> {
  const ofModule = guardModule(url, timeout);
  const make = await makerOf(url, ofModule).catch((error: unknown): BotMaker => {
    if (error instanceof NoModule) throw new InputError(name, error.expected, error.got);
    return () => {
      throw error; // its misdeed was to load: the seat is out and the game is played
    };
  });
  let guard = ofModule;
  return {
    guard: () => guard,
    make(briefing, seat) {
      guard = ofModule.forGame();
      return watched(guard, make, briefing, seat);
    },
  };
}

/** The bot, each of whose calls is guarded; what is no bot is left for the match to refuse. */
function watched(guard: Guard, make: BotMaker, briefing: unknown, seat: number): Bot | Promise<Bot> {
  const wrapped = (made: unknown): Bot => {
    const bot = made as Bot | null | undefined;
    return typeof bot?.act === 'function' ? { act: (view) => guard.run('act', () => bot.act(view)) } : (bot as Bot);
  };
  const made = guard.run('createBot', () => make(briefing, seat));
  return made instanceof Promise ? made.then(wrapped) : wrapped(made);
}

/** An answer that comes within this is waited for where we stand. */
const AT_ONCE_MS = 0.2;
/** An answer within this is taken as it is; for longer ones it is asked who had the processor. */
const BRIEF_MS = 2;
const OUR_THREAD = 'thread-self';
/** A busy machine is waited for so many times as long as the bot itself might take. */
const PATIENCE = 5;
/** To let go of the game. */
const END_SECONDS = 1;
/** So much of the last view goes into a fault. */
const EVIDENCE_LENGTH = 2000;
/** The thread itself notices a promise that is not kept in time; it has so long to say so. */
const GRACE_MS = 1000;

/** The thread of one seat, over all its games. */
class ThreadHome {
  /** Of the game that was begun last, or of the module as it was loaded. */
  misdeed: Misdeed | null = null;
  private readonly url: string;
  private readonly name: string;
  private readonly budget: Budget;
  private readonly timeout: number;
  private thread: Thread | null = null;

  constructor(url: string, name: string, budget: Budget, timeout: number) {
    this.url = url;
    this.name = name;
    this.budget = budget;
    this.timeout = timeout;
  }

  async open(): Promise<Thread> {
    const thread = new Thread(this.url, this.timeout, this.budget.memoryBytes);
    this.thread = thread;
    try {
      thread.name = (await thread.start({ ask: 'load' }, this.timeout, 'it did not load')) as string | null;
    } catch (error) {
      if (error instanceof NoModule) throw new InputError(this.name, error.expected, error.got);
      thread.misdeed = error as Misdeed;
    }
    return thread;
  }

  async make(briefing: unknown, seat: number, game: GameInfo): Promise<SeatBot> {
    this.misdeed = null;
    const { thread: known } = this;
    const thread = known !== null && (!known.isGone || known.misdeed !== null) ? known : await this.open(); // one that does not load never will
    if (thread.misdeed !== null) throw thread.misdeed;
    await thread.start({ ask: 'make', briefing, seat }, this.timeout, 'it was not ready');
    return new ThreadBot(thread, new Account(this.budget, game.maxTicks), (misdeed) => void (this.misdeed ??= misdeed));
  }
}

/** A thread with a module in it. Whatever goes wrong with it is the module's doing, and the end of it. */
class Thread {
  name: string | null = null;
  isGone = false;
  /** As the module was loaded. */
  misdeed: Misdeed | null = null;
  private readonly box: Mailbox;
  private readonly worker: Worker;
  private fail: (misdeed: Misdeed) => void = () => {};

  constructor(url: string, seconds: number, memoryBytes: number | null) {
    const { port1, port2 } = new MessageChannel();
    const shared = newShared(port1);
    this.box = new Mailbox(shared);
    this.worker = startThread(url, seconds, { ...shared, port: port2 }, port2, memoryBytes);
    this.worker.on('error', (error: NodeJS.ErrnoException) => {
      const memory = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      this.gone(
        memory ? new Misdeed('memory', `it needs more than ${(memoryBytes ?? 0) / 1024 / 1024} MB`) : new Misdeed('crash', error.message),
      );
    });
    this.worker.on('exit', () => this.gone(new Misdeed('crash', 'it ended its thread')));
    this.worker.unref();
    port1.unref();
  }

  private gone(misdeed: Misdeed): void {
    this.isGone = true;
    this.fail(misdeed);
  }

  end(): void {
    this.isGone = true;
    void this.worker.terminate();
  }

  /** Asks, and waits where we stand for an answer that comes at once; null if it did not. */
  askAtOnce(request: Request): { readonly value: unknown } | null {
    if (this.isGone) throw new Misdeed('crash', 'it ended its thread');
    this.box.ask(JSON.stringify(request));
    return this.box.waitFor(AT_ONCE_MS) ? { value: valueOf(unpacked(this.box.answer())) } : null;
  }

  /** For what takes its time: so many seconds, and some more in which the thread itself may notice. */
  start(request: Request, seconds: number, what: string): Promise<unknown> {
    const end = performance.now() + seconds * 1000 + GRACE_MS;
    this.box.ask(JSON.stringify(request));
    return this.later(
      () => end - performance.now(),
      () => new Misdeed('no-start', `${what} within ${seconds} s`),
    );
  }

  /** The answer that did not come at once. `left` says how long it is still waited for. */
  later(left: () => number, onLate: () => Misdeed): Promise<unknown> {
    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout;
      const settle = (done: () => void): void => {
        clearTimeout(timer);
        this.fail = () => {};
        done();
      };
      const check = (): void => {
        const ms = left();
        if (ms > 1) timer = setTimeout(check, Math.min(ms, 2e9));
        else {
          this.end();
          settle(() => reject(onLate()));
        }
      };
      this.fail = (misdeed) => settle(() => reject(misdeed));
      if (this.isGone) return this.fail(new Misdeed('crash', 'it ended its thread'));
      check();
      const take = (): void => {
        if (!this.isGone) settle(() => resolve(this.box.answer()));
      };
      void this.box.answered().then(take);
    }).then((bytes) => valueOf(unpacked(bytes as Uint8Array)));
  }
}

function valueOf(reply: Reply): unknown {
  if ('value' in reply) return reply.value;
  if ('input' in reply) throw new NoModule(reply.input.expected, reply.input.got);
  throw new Misdeed(reply.misdeed.kind, reply.misdeed.reason);
}

class ThreadBot implements SeatBot {
  private readonly thread: Thread;
  private readonly account: Account;
  private readonly onLateMisdeed: (misdeed: Misdeed) => void;
  private readonly before: ReturnType<typeof timesOf>;
  private view: unknown = null;

  constructor(thread: Thread, account: Account, onLateMisdeed: (misdeed: Misdeed) => void) {
    this.thread = thread;
    this.account = account;
    this.onLateMisdeed = onLateMisdeed;
    this.before = timesOf(thread.name);
  }

  act(view: unknown): unknown {
    const started = performance.now();
    this.view = view;
    try {
      const quick = this.thread.askAtOnce({ ask: 'act', view });
      if (quick === null) return this.actLater(started);
      const ms = performance.now() - started;
      return this.account.answered(ms, ms) ? quick.value : PASS;
    } catch (error) {
      throw this.proven(error);
    }
  }

  private actLater(started: number): Promise<unknown> {
    const { account, thread } = this;
    const before = timesOf(thread.name);
    const ours = timesOf(OUR_THREAD);
    const allowed = account.turnMs;
    const wallMs = (): number => performance.now() - started;
    /** Without the time in which it wanted a processor and got none, or in which we could not hear it. */
    const ownMs = (): number => {
      const wall = wallMs();
      if (wall <= BRIEF_MS || before === null || ours === null) return wall;
      const [now, us] = [timesOf(thread.name), timesOf(OUR_THREAD)];
      if (now === null || us === null) return wall;
      const starved = now.lineMs - before.lineMs + us.lineMs - ours.lineMs + us.cpuMs - ours.cpuMs;
      return Math.max(0, wall - starved, Math.min(wall, now.cpuMs - before.cpuMs));
    };
    const left = (): number => GRACE_MS + Math.min(allowed - ownMs(), PATIENCE * allowed - wallMs());
    return thread
      .later(left, () => account.late())
      .then((value) => (account.answered(wallMs(), ownMs()) ? value : PASS))
      .catch((error: unknown) => {
        throw this.proven(error);
      });
  }

  private proven(error: unknown): unknown {
    return error instanceof Misdeed ? new Misdeed(error.kind, error.message, this.evidence()) : error;
  }

  evidence(): Evidence {
    const input = JSON.stringify(this.view);
    return { input: input.length > EVIDENCE_LENGTH ? `${input.slice(0, EVIDENCE_LENGTH)}…` : input };
  }

  spent(): Spent {
    const now = timesOf(this.thread.name);
    if (now !== null && this.before !== null) this.account.cpuMs = now.cpuMs - this.before.cpuMs;
    const { wallMs, cpuMs, chargedMs, slowestMs } = this.account;
    return { wallMs, cpuMs, chargedMs, slowestMs, peakBytes: null, leaving: null };
  }

  /** Misdeeds that come to light after its last answer. */
  async end(): Promise<void> {
    if (this.thread.isGone) return;
    try {
      await this.thread.start({ ask: 'end' }, END_SECONDS, 'it kept its thread busy after the game');
    } catch (error) {
      this.onLateMisdeed(error as Misdeed);
    }
  }
}
