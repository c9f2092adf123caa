import { Misdeed } from './match.ts';

/** What a bot may use, as data. Times in milliseconds; null: as much as it likes. */
export interface Budget {
  /** To be there and ready for the first tick. */
  readonly startMs: number | null;
  /** For one tick. */
  readonly tickMs: number | null;
  /** For the whole game: so much, and so much more for every tick that it may last. */
  readonly bank: { readonly baseMs: number; readonly perTickMs: number } | null;
  /** An answer later than `ms` is a strike: idle is played instead of it. After so many the bot is out. */
  readonly strikes: { readonly ms: number; readonly most: number } | null;
  readonly memoryBytes: number | null;
  /** Where steps are counted instead of time, which gives the same end on every machine: to start, for one tick, and a bank. */
  readonly steps: Work | null;
  /** The same for WebAssembly, whose instructions are counted one by one. */
  readonly gas: Work | null;
}

interface Work {
  readonly start: number;
  readonly tick: number;
  readonly base: number;
  readonly perTick: number;
}

const MEGABYTE = 1024 * 1024;
/** A step of QuickJS is some five thousand turns of a loop: a third of a millisecond or less. */
const STEPS = { start: 10_000, tick: 10_000, base: 50_000, perTick: 50 };
/** An ordinary machine does half a billion to four billion a second. */
const GAS = { start: 6e9, tick: 6e9, base: 6e9, perTick: 6e6 };

export const BUDGETS = {
  /** For a bot that stands in a debugger, where no work is done. Ten times as much counted work for one answer as else is a loop without end. */
  none: {
    startMs: null,
    tickMs: null,
    bank: null,
    strikes: null,
    memoryBytes: null,
    steps: endless(STEPS),
    gas: endless(GAS),
  },
  /** The rule book's: 20 s a tick, 20 ms × max ticks + 20 s in all, 256 MB. */
  bank: {
    startMs: 20_000,
    tickMs: 20_000,
    bank: { baseMs: 20_000, perTickMs: 20 },
    strikes: null,
    memoryBytes: 256 * MEGABYTE,
    steps: STEPS,
    gas: GAS,
  },
  /** For games at the pace of a clock. */
  strikes: {
    startMs: 20_000,
    tickMs: 20_000,
    bank: null,
    strikes: { ms: 100, most: 10 },
    memoryBytes: 256 * MEGABYTE,
    steps: STEPS,
    gas: GAS,
  },
  /** No clock at all, only work that is counted: whoever is stopped is stopped at the same place on every machine. For scripts and WebAssembly. */
  gas: {
    startMs: null,
    tickMs: null,
    bank: null,
    strikes: null,
    memoryBytes: 256 * MEGABYTE,
    steps: { start: 3000, tick: 300, base: 3000, perTick: 50 },
    gas: { start: 1e9, tick: 1e8, base: 1e9, perTick: 6e6 },
  },
} as const satisfies Record<string, Budget>;

function endless({ start, tick }: Work): Work {
  return { start: 10 * start, tick: 10 * tick, base: Number.MAX_SAFE_INTEGER, perTick: 0 };
}

/** Does it leave to the bot how long it takes? Then there is no need to keep it apart from us. */
export const isUntimed = ({ tickMs, memoryBytes }: Budget): boolean => tickMs === null && memoryBytes === null;

/** There is no clock in it: what cannot be counted could go on for ever. */
export const countsWorkOnly = ({ startMs, memoryBytes }: Budget): boolean => startMs === null && memoryBytes !== null;

export type BudgetName = keyof typeof BUDGETS;

/** The time of one bot in one game. Whoever has a clock tells it; nothing of it enters the game but PASS and a fault. */
export class Account {
  readonly budget: Budget;
  wallMs = 0;
  slowestMs = 0;
  /** null until it was read. */
  cpuMs: number | null = null;
  private readonly maxTicks: number | null;
  private turns = 0;
  private ownMs = 0;
  private strikes = 0;

  /** Where the length of the game is not known, the bank grows with every tick that is played. */
  constructor(budget: Budget, maxTicks: number | null) {
    this.budget = budget;
    this.maxTicks = maxTicks;
  }

  /** Thinking counts wherever it is done, sleeping only while the others wait. */
  get chargedMs(): number {
    return Math.max(this.ownMs, this.cpuMs ?? 0);
  }

  /** For the whole game; Infinity where there is no bank. */
  get allowedMs(): number {
    const { bank } = this.budget;
    return bank === null ? Infinity : bank.baseMs + bank.perTickMs * (this.maxTicks ?? this.turns + 1);
  }

  /** How much of its own time the bot may take for the answer that is due. */
  get turnMs(): number {
    return Math.max(0, Math.min(this.budget.tickMs ?? Infinity, this.allowedMs - this.chargedMs));
  }

  /** An answer came. Is it in time? `ownMs` is what is left of `wallMs` without the waiting for a processor. */
  answered(wallMs: number, ownMs: number): boolean {
    this.turns++;
    this.wallMs += wallMs;
    this.ownMs += ownMs;
    this.slowestMs = Math.max(this.slowestMs, wallMs);
    this.check();
    const { strikes } = this.budget;
    if (strikes === null || ownMs <= strikes.ms) return true;
    if (++this.strikes > strikes.most)
      throw new Misdeed('timeout', `answer number ${this.strikes} that took more than ${strikes.ms} ms; ${strikes.most} are forgiven`);
    return false;
  }

  noteCpu(cpuMs: number): void {
    this.cpuMs = Math.max(this.cpuMs ?? 0, cpuMs);
    this.check();
  }

  /** What is said of a bot that let the others wait for `turnMs`. */
  late(): Misdeed {
    const { tickMs } = this.budget;
    if (tickMs !== null && tickMs <= this.allowedMs - this.chargedMs)
      return new Misdeed('timeout', `no answer within ${seconds(tickMs)} s`);
    return this.overdrawn();
  }

  private check(): void {
    if (this.chargedMs > this.allowedMs) throw this.overdrawn();
  }

  private overdrawn(): Misdeed {
    return new Misdeed('timeout', `it used up its ${seconds(this.allowedMs)} s for the whole game`);
  }
}

const seconds = (ms: number): string => String(Math.round(ms) / 1000);
