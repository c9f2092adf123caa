import { Account, type Budget, type Evidence, type FaultKind, type GameInfo, Misdeed, PASS, type Spent } from '@lockstep/match';
import type { Sample } from './proc.ts';
import type { Program } from './program.ts';
import { Turn } from './turn.ts';

/** So much of the last message goes into a fault. */
const EVIDENCE_LENGTH = 2000;
/** Each costs the system something, however small it is. */
const MOST_PROCESSES = 64;

/** Somebody who waits for something of the bot. */
interface Waiting {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (misdeed: Misdeed) => void;
}

/** Question and answer with a bot outside, whatever carries the words: its clock, its memory, and its first misdeed, which ends the talk. */
export class Talk {
  readonly account: Account;
  misdeed: Misdeed | null = null;
  /** The last message that the bot was given. */
  input: () => string = () => '';
  private readonly program: Program | null;
  private readonly budget: Budget;
  private readonly onMisdeed: () => void;
  /** The clock of what is asked for; null: nothing is. */
  private turn: Turn | null = null;
  private waiting: Waiting | null = null;
  /** What came before anybody waited for it. */
  private early: unknown = NOTHING;

  constructor(program: Program | null, budget: Budget, { maxTicks }: GameInfo, onMisdeed: () => void) {
    this.program = program;
    this.budget = budget;
    this.account = new Account(budget, maxTicks);
    this.onMisdeed = onMisdeed;
    if (program !== null) program.onSample = (seen) => this.watch(seen);
  }

  get isAsked(): boolean {
    return this.turn !== null;
  }

  /** For the bot to be there. */
  waitForStart(late: () => string): unknown {
    if (this.misdeed === null) this.turn = new Turn(this.account, this.program, this.budget.startMs ?? Infinity);
    return this.take(() => new Misdeed('no-start', late()));
  }

  /** The question has gone off: its clock runs. */
  ask(): void {
    if (this.misdeed === null) this.turn = new Turn(this.account, this.program, this.account.turnMs);
  }

  /** The answer if it is there, else a promise of it. */
  take(late = (): Misdeed => this.account.late()): unknown {
    const { early, turn } = this;
    this.early = NOTHING;
    if (early !== NOTHING) return early;
    if (turn === null) throw this.misdeed!;
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject };
      turn.watch(() => this.accuseOf(late()));
    });
  }

  started(): void {
    this.settle(null);
    this.program?.look(); // from here on it is known what it had to wait for
  }

  answer(action: unknown): void {
    try {
      const inTime = this.turn!.done();
      if (this.misdeed === null) this.settle(inTime ? action : PASS); // the clock has looked at it, and may have seen more than the time
    } catch (error) {
      this.accuseOf(error as Misdeed);
    }
  }

  private settle(answer: unknown): void {
    const { waiting } = this;
    this.stop();
    if (waiting === null) this.early = answer;
    else waiting.resolve(answer);
  }

  accuse(kind: FaultKind, reason: string): void {
    this.accuseOf(new Misdeed(kind, reason));
  }

  /** The first misdeed counts; the process is not needed any more. */
  private accuseOf({ kind, message }: Misdeed): void {
    if (this.misdeed !== null) return;
    this.misdeed = new Misdeed(kind, message, this.evidence());
    this.onMisdeed();
    this.program?.kill();
    const { waiting } = this;
    this.stop();
    waiting?.reject(this.misdeed);
  }

  private stop(): void {
    this.turn?.stop();
    this.turn = null;
    this.waiting = null;
  }

  /** Whatever comes from now on is nobody's fault. Was there none until now? */
  close(): boolean {
    this.program?.look();
    const clean = this.misdeed === null;
    this.misdeed ??= new Misdeed('disconnect', 'the game is over');
    return clean;
  }

  evidence(): Evidence {
    const input = this.input();
    return { stderr: this.program?.stderr ?? [], input: input.length > EVIDENCE_LENGTH ? `${input.slice(0, EVIDENCE_LENGTH)}…` : input };
  }

  spent(): Spent {
    const { wallMs, cpuMs, chargedMs, slowestMs } = this.account;
    const { peakBytes = null, leaving = null } = this.program ?? {};
    return { wallMs, cpuMs, chargedMs, slowestMs, peakBytes, leaving };
  }

  private watch({ pids, residentBytes, cpuMs }: Sample): void {
    const { memoryBytes } = this.budget;
    if (memoryBytes !== null && pids.length > MOST_PROCESSES)
      return this.accuse('memory', `${pids.length} processes, ${MOST_PROCESSES} are allowed`);
    if (memoryBytes !== null && residentBytes > memoryBytes)
      return this.accuse('memory', `${megabytes(residentBytes)} MB in use, ${megabytes(memoryBytes)} MB are allowed`);
    try {
      this.account.noteCpu(cpuMs);
    } catch (error) {
      this.accuseOf(error as Misdeed);
    }
  }
}

const NOTHING = Symbol('nothing');
const megabytes = (bytes: number): number => Math.round(bytes / 1024 / 1024);
