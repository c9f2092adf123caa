import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { constants } from 'node:os';
import { resolve } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { type FaultKind, Misdeed } from '@lockstep/match';
import { birthOf, marked, sample, type Sample, treeOf } from './proc.ts';
import { type Launch, onPath, sandboxed, type SandboxKind } from './sandbox.ts';

interface Limits {
  readonly memoryBytes: number | null;
}

/** A process that closes its output usually ends at the same time; which of the two is to be told is known after this. */
const EXIT_MS = 250;

interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
}

/** Looked at so often: memory and processor. */
const WATCH_MS = 25;
const STDERR_LINES = 20;
const STDERR_WIDTH = 300;
/** The watch needs a moment to see what is taken; beyond this many times the limit the system itself says no. */
const HARD_MEMORY = 4;
/** What engines set aside without using it counts for the system: Node 24 does not start with less than 600 MB. */
const LEAST_HARD_BYTES = 1024 ** 3;

/** A child process with all that it starts: limited, watched, and ended as a whole. The only file that starts bots' processes. */
export class Program {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly exited: Promise<Exit>;
  /** All that it said is here; one that it left behind may keep it from coming. */
  readonly drained: Promise<void>;
  /** null where it cannot be told, or before the first look. */
  last: Sample | null = null;
  /** Every look of the watch. */
  onSample: (sample: Sample) => void = () => {};
  exit: Exit | null = null;
  /** null where it cannot be told. */
  peakBytes: number | null = null;
  /** Did it go when it was told to, and how? */
  leaving: string | null = null;
  private readonly child: ChildProcessByStdio<Writable, Readable, Readable>;
  /** In the environment of all that it starts. */
  private readonly mark = `LOCKSTEP_BOT=${randomBytes(12).toString('hex')}`;
  /** All that has to go, by number and birth. */
  private readonly doomed = new Map<number, string>();
  private readonly watch: NodeJS.Timeout;
  private stderrTail = '';

  constructor(launch: Launch, limits: Limits, sandbox: SandboxKind | null) {
    const [program, ...args] = limited(sandbox === null ? launch.command : sandboxed(launch, sandbox), limits);
    this.child = spawn(program!, args, {
      cwd: launch.folder,
      env: environment(this.mark, sandbox !== null),
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
    });
    living.add(this);
    const { stdin, stdout, stderr } = this.child;
    this.stdin = stdin;
    this.stdout = stdout;
    stdin.on('error', () => {}); // it closed its end: its exit or its silence will tell
    stdout.on('error', () => {});
    stderr.on('data', (chunk: Buffer) => {
      this.stderrTail = (this.stderrTail + chunk.toString('utf8')).slice(-STDERR_LINES * STDERR_WIDTH);
    });
    this.drained = new Promise((done) => stderr.on('close', done));
    this.exited = new Promise((done) => {
      const leave = (exit: Exit): void => {
        this.exit ??= exit;
        done(this.exit);
      };
      this.child.on('error', (error) => {
        this.stderrTail += error.message;
        leave({ code: 127, signal: null });
      });
      this.child.on('exit', (code, signal) => leave(exitOf(code, signal)));
    });
    this.watch = setInterval(() => this.look(), WATCH_MS);
    this.watch.unref();
  }

  get stderr(): string[] {
    const text = this.stderrTail.trim();
    return text === '' ? [] : text.split('\n').slice(-STDERR_LINES).map((line) => line.slice(0, STDERR_WIDTH)); // prettier-ignore
  }

  /** A fresh look; null when it cannot be told. */
  look(): Sample | null {
    if (this.exit !== null || this.child.pid === undefined) return null;
    const seen = sample(this.child.pid);
    if (seen === null) return null;
    this.last = seen;
    this.peakBytes = Math.max(this.peakBytes ?? 0, seen.residentBytes);
    this.onSample(seen);
    return seen;
  }

  /** Lets it leave by itself for so long, then ends all of it. Settles when nothing is left. */
  async end(graceMs: number): Promise<void> {
    if (graceMs > 0) {
      this.stdin.end();
      const waiting = new AbortController();
      await Promise.race([this.exited, pause(graceMs, null, { signal: waiting.signal }).catch(() => {})]);
      waiting.abort();
      this.leaving = this.exit === null ? `it was still there after ${graceMs} ms and was ended` : exitText(this.exit);
    }
    this.kill();
    await this.exited;
    for (let wait = 1; this.kill() > 0 && wait < 2000; wait *= 2) await pause(wait);
    living.delete(this);
    for (const stream of [this.child.stdin, this.child.stdout, this.child.stderr]) stream.destroy();
  }

  /** Ends the whole tree at once; how many were still there? */
  kill(): number {
    clearInterval(this.watch);
    const { pid } = this.child;
    if (pid === undefined) return 0;
    const tree = this.exit === null ? [pid, ...treeOf(pid)] : [];
    for (const one of [...(this.last?.pids ?? []), ...tree, ...marked(this.mark)]) {
      const birth = birthOf(one);
      if (birth !== null && !this.doomed.has(one)) this.doomed.set(one, birth);
    }
    this.last = null;
    if (this.exit === null) signal(-pid);
    const there = [...this.doomed].filter(([one, birth]) => birthOf(one) === birth);
    for (const [one] of there) signal(one);
    return there.length;
  }
}

function signal(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // gone by itself
  }
}

/** Whoever ends us ends the bots, too. */
const living = new Set<Program>();
process.on('exit', () => living.forEach((program) => program.kill()));

/** A shell between us and the bot sets limits that are inherited; it is replaced by the bot. */
function limited(command: readonly string[], { memoryBytes }: Limits): string[] {
  if (process.platform === 'win32') return [...command];
  const limits = ['ulimit -c 0'];
  if (memoryBytes !== null) limits.push(`ulimit -d ${Math.round(Math.max(memoryBytes * HARD_MEMORY, LEAST_HARD_BYTES) / 1024)}`);
  const dying = process.platform === 'linux' && onPath('setpriv') !== null ? ['setpriv', '--pdeathsig', 'KILL', '--'] : [];
  return [...dying, 'sh', '-c', `${limits.join(' && ')}; exec "$@"`, 'sh', ...command];
}

/** Nothing of ours that is a secret, and what keeps the usual languages from buffering or writing. */
function environment(mark: string, contained: boolean): NodeJS.ProcessEnv {
  const [name, value] = mark.split('=') as [string, string];
  const { PATH, HOME, LANG, SystemRoot } = process.env;
  return {
    PATH,
    LANG: LANG ?? 'C.UTF-8',
    HOME: contained ? '/tmp' : HOME,
    TMPDIR: contained ? '/tmp' : process.env['TMPDIR'],
    ...(SystemRoot === undefined ? {} : { SystemRoot }),
    PYTHONUNBUFFERED: '1',
    PYTHONDONTWRITEBYTECODE: '1',
    [name]: value,
  };
}

/** A shell tells of a signal by 128 + its number. */
function exitOf(code: number | null, signal: string | null): Exit {
  if (code === null || code <= 128) return { code, signal };
  const name = Object.entries(constants.signals).find(([, number]) => number === code - 128)?.[0];
  return name === undefined ? { code, signal } : { code: null, signal: name };
}

export function checkProgram({ command, folder }: Launch): void {
  const program = command[0]!;
  if (onPath(program.includes('/') ? resolve(folder, program) : program) === null)
    throw new Misdeed('no-start', `there is no program ${program}`);
}

/** What is to be said of a program that has ended, or that at least does not talk any more. */
export async function endOf(program: Program): Promise<{ readonly kind: FaultKind; readonly reason: string }> {
  const timeIsUp = new AbortController();
  const wait = pause(EXIT_MS, null, { signal: timeIsUp.signal }).catch(() => null);
  const exit = await Promise.race([program.exited, wait]);
  if (exit !== null) await Promise.race([program.drained, wait]);
  timeIsUp.abort();
  if (exit === null) return { kind: 'disconnect', reason: 'it closed its input or output' };
  const how = exitText(exit);
  const lastWords = lastWordsOf(program.stderr);
  return { kind: exit.code === 0 ? 'disconnect' : 'crash', reason: lastWords === '' ? how : `${how}: ${lastWords}` };
}

/** What went wrong, as languages tell it: not where, and not by which version. */
export function lastWordsOf(stderr: readonly string[]): string {
  return [...stderr].reverse().find((line) => !/^(\s|\}|\(Use `node |Node\.js v|$)/.test(line)) ?? '';
}

function exitText({ code, signal }: Exit): string {
  return signal === null ? `its process ended with exit code ${code}` : `its process was ended by ${signal}`;
}
