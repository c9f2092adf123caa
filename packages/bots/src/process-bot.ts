import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { InputError, type Result, shown } from '@lockstep/kernel';
import {
  Account,
  type Budget,
  type Evidence,
  type FaultKind,
  type GameInfo,
  Misdeed,
  PASS,
  type SeatBot,
  type Spent,
} from '@lockstep/match';
import { flatten, unflatten } from './flat.ts';
import { Lines } from './lines.ts';
import { type Exit, Program } from './program.ts';
import { type Launch, onPath, type SandboxKind } from './sandbox.ts';
import { neverStarted, Turn } from './turn.ts';

export const PROTOCOL = 1;
/** Of one answer. */
const MOST_BYTES = 1024 * 1024;
/** So much of the last message goes into a fault. */
const EVIDENCE_LENGTH = 2000;
/** For the bot to leave after the result. */
const GRACE_MS = 1000;
/** A process that closes its output usually ends at the same time; which of the two is to be told is known after this. */
const EXIT_MS = 250;

export interface ProcessOptions {
  readonly budget: Budget;
  readonly sandbox: SandboxKind | null;
  /** What the bot has to say beside its action: debug drawing, any JSON. */
  readonly onDebug?: (seat: number, tick: number, debug: unknown) => void;
}

/** Starts the program and waits until it is ready. The protocol: docs/protocol.md. */
export async function startProcess(
  launch: Launch,
  options: ProcessOptions,
  briefing: unknown,
  seat: number,
  game: GameInfo,
): Promise<SeatBot> {
  const [program] = launch.command;
  if (onPath(program!.includes('/') ? resolve(launch.folder, program!) : program!) === null)
    throw new Misdeed('no-start', `there is no program ${program}`);
  const bot = new ProcessBot(launch, options, seat, game);
  try {
    await bot.begin(briefing);
  } catch (error) {
    await bot.end(null);
    throw error;
  }
  return bot;
}

/** Somebody who waits for something of the bot. */
interface Waiting {
  readonly turn: Turn;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (misdeed: Misdeed) => void;
}

class ProcessBot implements SeatBot {
  private readonly program: Program;
  private readonly account: Account;
  private readonly options: ProcessOptions;
  private readonly seat: number;
  private readonly game: GameInfo;
  private readonly lines: Lines;
  private misdeed: Misdeed | null = null;
  private waiting: Waiting | null = null;
  private ready = false;
  /** The example action of a bot that speaks in frames. */
  private frames: { readonly action: unknown } | null = null;
  private bytes: Uint8Array = new Uint8Array(0);
  private tick = 0;
  private input = '';

  constructor(launch: Launch, options: ProcessOptions, seat: number, game: GameInfo) {
    this.options = options;
    this.seat = seat;
    this.game = game;
    this.account = new Account(options.budget, game.maxTicks);
    this.program = new Program(launch, { memoryBytes: options.budget.memoryBytes }, options.sandbox);
    this.program.onSample = ({ residentBytes, cpuMs }) => this.watch(residentBytes, cpuMs);
    this.lines = new Lines(
      MOST_BYTES,
      (line) => this.hear(line),
      () => this.accuse('protocol', `a line of more than ${MOST_BYTES} bytes`),
    );
    this.program.stdout.on('data', (chunk: Uint8Array) => this.read(chunk));
    this.program.stdout.on('end', () => void this.left());
    this.program.stdin.on('error', () => void this.left());
    void this.program.exited.then(() => this.left());
  }

  begin(briefing: unknown): Promise<unknown> {
    const { world, rulesVersion, ticksPerSecond, seats, maxTicks } = this.game;
    const { startMs } = this.options.budget;
    const head = { type: 'briefing', protocol: PROTOCOL, world, rulesVersion, ticksPerSecond, maxTicks, seats, seat: this.seat };
    this.say({ ...head, briefing });
    return this.wait(startMs ?? Infinity, () => neverStarted(startMs!));
  }

  act(view: unknown): Promise<unknown> {
    if (this.misdeed !== null) throw this.misdeed;
    const tick = this.tick++;
    if (this.frames === null) this.say({ type: 'view', tick, view });
    else this.sayFrame(flatten(view, [tick]));
    return this.wait(this.account.turnMs, () => this.account.late());
  }

  evidence(): Evidence {
    const input = this.input.length > EVIDENCE_LENGTH ? `${this.input.slice(0, EVIDENCE_LENGTH)}…` : this.input;
    return { stderr: this.program.stderr, input };
  }

  spent(): Spent {
    const { wallMs, cpuMs, chargedMs, slowestMs } = this.account;
    return { wallMs, cpuMs, chargedMs, slowestMs };
  }

  async end(result: Result | null): Promise<void> {
    this.program.look();
    const told = result !== null && this.misdeed === null;
    this.misdeed ??= new Misdeed('disconnect', 'the game is over');
    this.lines.stop();
    if (told && this.frames === null) this.say({ type: 'result', seat: this.seat, result });
    else if (told) this.sayFrame([]);
    await this.program.end(told ? GRACE_MS : 0);
  }

  private say(message: object): void {
    this.input = JSON.stringify(message);
    this.program.stdin.write(`${this.input}\n`);
  }

  /** Length in bytes, then that many bytes of doubles, all little-endian. A frame of no length says that the game is over. */
  private sayFrame(row: readonly number[]): void {
    const frame = Buffer.allocUnsafe(4 + 8 * row.length);
    frame.writeUInt32LE(8 * row.length, 0);
    row.forEach((value, i) => frame.writeDoubleLE(value, 4 + 8 * i));
    if (row.length > 0) this.input = `frame of ${row.length} doubles: ${row.slice(0, 100).join(' ')}`;
    this.program.stdin.write(frame);
  }

  private wait(allowedMs: number, late: () => Misdeed): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.misdeed !== null) return reject(this.misdeed);
      const turn = new Turn(this.account, this.program, allowedMs, () => this.accuseOf(late()));
      this.waiting = { turn, resolve, reject };
    });
  }

  private read(chunk: Uint8Array): void {
    if (this.misdeed !== null) return;
    const rest = this.frames === null ? this.lines.take(chunk) : chunk;
    if (this.frames === null || rest.length === 0) return;
    this.bytes = this.bytes.length === 0 ? rest : Buffer.concat([this.bytes, rest]);
    const { bytes } = this;
    if (bytes.length < 4) return;
    const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
    if (length > MOST_BYTES || length % 8 !== 0)
      return this.accuse('protocol', `a frame of ${length} bytes; doubles, at most ${MOST_BYTES} bytes, are expected`);
    if (bytes.length < 4 + length) return;
    if (this.waiting === null || bytes.length > 4 + length) return this.accuse('protocol', 'a frame that it was not asked for');
    this.bytes = new Uint8Array(0);
    try {
      this.answer(unflatten(this.frames.action, doublesOf(bytes.subarray(4, 4 + length))));
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      this.accuse('protocol', error.message);
    }
  }

  private hear(line: string): void {
    if (this.misdeed !== null) return;
    if (this.waiting === null) return this.accuse('protocol', `a line that it was not asked for: ${shown(line)}`);
    let message: unknown;
    try {
      message = JSON.parse(line);
    } catch {
      return this.accuse('protocol', `expected a line of JSON, got ${shown(line)}`);
    }
    if (typeof message !== 'object' || message === null || Array.isArray(message)) return this.expect('an object', message);
    if (this.ready) this.hearAction(message as Record<string, unknown>);
    else this.hearReady(message as Record<string, unknown>);
  }

  private hearReady(message: Record<string, unknown>): void {
    const { type, frames, action } = message;
    if (type !== 'ready') return this.expect('{"type":"ready"} as the first line', message);
    if (frames !== undefined && frames !== 'json' && frames !== 'binary') return this.expect('frames json or binary', frames);
    if (frames === 'binary') {
      if (typeof action !== 'object' || action === null) return this.expect('an example action, whose fields the frames fill', action);
      this.frames = { action };
      this.lines.stop();
    }
    this.ready = true;
    this.settle(null);
  }

  private hearAction(message: Record<string, unknown>): void {
    const { type, tick, action, debug } = message;
    const asked = this.tick - 1;
    if (type !== undefined && type !== 'action') return this.expect('{"type":"action","action":…}', message);
    if (tick !== undefined && tick !== asked) return this.expect(`an action for tick ${asked}`, tick);
    if (!Object.hasOwn(message, 'action')) return this.expect('{"type":"action","action":…}', message);
    if (debug !== undefined) this.options.onDebug?.(this.seat, asked, debug);
    this.answer(action);
  }

  private answer(action: unknown): void {
    try {
      this.settle(this.waiting!.turn.done() ? action : PASS);
    } catch (error) {
      this.accuseOf(error as Misdeed);
    }
  }

  private settle(answer: unknown): void {
    const { turn, resolve } = this.waiting!;
    turn.stop();
    this.waiting = null;
    resolve(answer);
  }

  private watch(residentBytes: number, cpuMs: number): void {
    const { memoryBytes } = this.options.budget;
    if (memoryBytes !== null && residentBytes > memoryBytes)
      return this.accuse('memory', `${megabytes(residentBytes)} MB in use, ${megabytes(memoryBytes)} MB are allowed`);
    try {
      this.account.noteCpu(cpuMs);
    } catch (error) {
      this.accuseOf(error as Misdeed);
    }
  }

  /** Its output, its input or its process has ended. */
  private async left(): Promise<void> {
    if (this.misdeed !== null) return;
    const timeIsUp = new AbortController();
    const wait = pause(EXIT_MS, null, { signal: timeIsUp.signal }).catch(() => null);
    const exit = await Promise.race([this.program.exited, wait]);
    if (exit !== null) await Promise.race([this.program.drained, wait]);
    timeIsUp.abort();
    if (this.misdeed !== null) return;
    const kind = this.ready ? (exit === null || exit.code === 0 ? 'disconnect' : 'crash') : 'no-start';
    this.accuse(kind, exit === null ? 'it closed its input or output' : ended(exit, this.program.stderr.at(-1)));
  }

  private expect(what: string, got: unknown): void {
    this.accuse('protocol', `expected ${what}, got ${shown(got)}`);
  }

  private accuse(kind: FaultKind, reason: string): void {
    this.accuseOf(new Misdeed(kind, reason));
  }

  /** The first misdeed counts; the process is not needed any more. */
  private accuseOf({ kind, message }: Misdeed): void {
    if (this.misdeed !== null) return;
    this.misdeed = new Misdeed(kind, message, this.evidence());
    this.lines.stop();
    this.program.kill();
    this.waiting?.turn.stop();
    this.waiting?.reject(this.misdeed);
    this.waiting = null;
  }
}

function doublesOf(bytes: Uint8Array): Float64Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return Float64Array.from({ length: bytes.length / 8 }, (_, i) => view.getFloat64(8 * i, true));
}

const megabytes = (bytes: number): number => Math.round(bytes / 1024 / 1024);

function ended({ code, signal }: Exit, lastWords = ''): string {
  const how = signal === null ? `its process ended with exit code ${code}` : `its process was ended by ${signal}`;
  return lastWords === '' ? how : `${how}: ${lastWords}`;
}
