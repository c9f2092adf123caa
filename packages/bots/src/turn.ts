import type { Account } from '@lockstep/match';
import type { Sample } from './proc.ts';
import type { Program } from './program.ts';

/** A busy machine is waited for so many times as long as the bot itself might take. */
const PATIENCE = 5;
/** An answer within this is taken as it is; for longer ones it is asked who had the processor. */
const BRIEF_MS = 2;

/** One answer that is waited for: the clock of a bot's turn. A process that stood in line for a processor gets that time back. */
export class Turn {
  private readonly account: Account;
  private readonly program: Program | null;
  private readonly started = performance.now();
  private readonly before: Sample | null;
  private readonly allowedMs: number;
  private timer: NodeJS.Timeout | null = null;
  private stopped = false;

  /** `allowedMs` of its own time. */
  constructor(account: Account, program: Program | null, allowedMs: number) {
    this.account = account;
    this.program = program;
    this.allowedMs = allowedMs;
    this.before = program?.last ?? null;
  }

  /** From now on by an alarm: when its time is over `onLate` is called, once. */
  watch(onLate: () => void): void {
    if (this.allowedMs !== Infinity) this.arm(this.allowedMs, onLate);
  }

  private arm(waitMs: number, onLate: () => void): void {
    const { allowedMs } = this;
    this.timer = setTimeout(
      () => {
        const left = allowedMs - this.ownMs(this.wallMs);
        if (this.stopped) return;
        if (left > 1 && this.wallMs < PATIENCE * allowedMs) this.arm(left, onLate);
        else onLate();
      },
      Math.min(waitMs, LONGEST_TIMER),
    );
  }

  private get wallMs(): number {
    return performance.now() - this.started;
  }

  /** Without the time in which it wanted a processor and got none. */
  private ownMs(wallMs: number): number {
    const now = wallMs > BRIEF_MS && this.before !== null ? (this.program?.look() ?? null) : null;
    if (now === null || this.before === null) return wallMs;
    const starved = starvedMs(this.before, now);
    const thought = Math.max(0, now.cpuMs - this.before.cpuMs);
    return Math.max(wallMs - starved, Math.min(thought, wallMs), 0);
  }

  stop(): void {
    this.stopped = true;
    if (this.timer !== null) clearTimeout(this.timer);
  }

  /** The answer is there. In time? */
  done(): boolean {
    this.stop();
    const { wallMs } = this;
    return this.account.answered(wallMs, this.ownMs(wallMs));
  }
}

const LONGEST_TIMER = 2_000_000_000;

/**
 * All its threads, for whoever answers may have waited for each of them in turn; and we, who have to hear the answer and may have been busy
 * with another bot. Less than what it took of a processor is never charged, so that nobody gains by letting threads stand in line.
 */
function starvedMs(before: Sample, now: Sample): number {
  let waited = now.awayMs - before.awayMs;
  for (const [thread, line] of now.linesMs) waited += line - (before.linesMs.get(thread) ?? 0);
  return waited;
}
