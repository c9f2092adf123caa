import { AsyncLocalStorage } from 'node:async_hooks';
import { syncBuiltinESMExports } from 'node:module';
import { isMainThread } from 'node:worker_threads';
import { shown } from '@lockstep/kernel';
import { Misdeed, reasonOf } from '@lockstep/match';
import { EXIT } from './exit.ts';
import { bugText, remark } from './output.ts';

/**
 * Code of bots runs in our process, in the care of a guard. What it does outside of its turn (a timer that throws, a rejection nobody
 * handles, a promise it never keeps) or to all of us (process.exit, output into the answer) is laid at its own door. That is against
 * accidents only: whoever means harm needs a process of its own.
 */
export class Guard {
  /** The first that was seen. */
  misdeed: Misdeed | null = null;
  private readonly seconds: number;
  private giveUp: ((misdeed: Misdeed) => void) | null = null;
  private heir: Guard | null = null;

  constructor(seconds: number) {
    standGuard();
    this.seconds = seconds;
  }

  /** A guard for one game of a bot whose module is in the care of this one: what the module does is that bot's doing. */
  forGame(): Guard {
    const guard = new Guard(this.seconds);
    guard.misdeed = this.misdeed;
    this.heir = guard;
    return guard;
  }

  accuse(misdeed: Misdeed): void {
    this.misdeed ??= misdeed;
    this.giveUp?.(misdeed);
    this.heir?.accuse(misdeed);
  }

  /** Runs code of the bot. A promise that it gives is waited for, but not for ever. */
  run(name: string, code: () => unknown): unknown {
    if (this.misdeed !== null) throw this.misdeed;
    const answer = running.run(this, code);
    if (this.misdeed !== null) throw this.misdeed; // it may have caught what was thrown at it
    return answer instanceof Promise ? this.wait(name, answer) : answer;
  }

  private wait(name: string, promise: Promise<unknown>): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const late = (): void => this.accuse(new Misdeed('timeout', `${name}: a promise that was not kept within ${this.seconds} s`));
      const timer = setTimeout(late, this.seconds * 1000);
      const done = (settle: (value: never) => void) => (value: unknown) => {
        clearTimeout(timer);
        this.giveUp = null;
        settle(value as never);
      };
      this.giveUp = done(reject);
      promise.then(done(resolve), done(reject));
    });
  }
}

/** Whose code is running; timers and promises carry it on. */
const running = new AsyncLocalStorage<Guard>();

/** By the address of the module. */
const modules = new Map<string, Guard>();
let standing = false;

/** Has code of bots run here? Then something of it may still be running. */
export function guarded(): boolean {
  return standing;
}

/** From now on what a module throws is known by its address, too. */
export function guardModule(url: string, seconds: number): Guard {
  const guard = new Guard(seconds);
  modules.set(url, guard);
  return guard;
}

function standGuard(): void {
  if (standing) return;
  standing = true;
  process.exit = forbidden('exit', process.exit.bind(process));
  process.chdir = forbidden('chdir', process.chdir.bind(process)); // relative paths are the user's
  syncBuiltinESMExports();
  const answer = process.stdout.write.bind(process.stdout) as (...args: unknown[]) => boolean;
  const remarks = process.stderr.write.bind(process.stderr) as (...args: unknown[]) => boolean;
  process.stdout.write = (...args: unknown[]) => (running.getStore() === undefined ? answer : remarks)(...args);
  process.on('uncaughtException', (error) => stray(error, 'it threw outside of its turn'));
  process.on('unhandledRejection', (reason) => stray(reason, 'a promise was rejected and nobody cared'));
}

/** A function of the process that is none of a bot's business. */
function forbidden<Args extends unknown[], T>(name: string, ours: (...args: Args) => T): (...args: Args) => T {
  return (...args) => {
    const guard = running.getStore();
    if (guard === undefined) return ours(...args); // without an argument is another thing than with nothing
    const misdeed = new Misdeed('crash', `it called process.${name}(${args.map(shown).join(', ')})`);
    guard.accuse(misdeed);
    throw misdeed;
  };
}

function stray(error: unknown, what: string): void {
  const guard = running.getStore() ?? byStack(error);
  if (guard !== undefined) return guard.accuse(error instanceof Misdeed ? error : new Misdeed('crash', `${what}: ${reasonOf(error)}`));
  if (!isMainThread) throw error; // whoever started the thread is told
  remark(bugText(error));
  process.exit(EXIT.bug);
}

/** Microtasks of older Nodes do not tell who began them. */
function byStack(error: unknown): Guard | undefined {
  try {
    const { stack } = error as { stack: string };
    for (const [url, guard] of modules) if (stack.includes(url)) return guard;
  } catch {
    // thrown was something that cannot even be looked at
  }
  return undefined;
}
