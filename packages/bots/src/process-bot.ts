import type { Result } from '@lockstep/kernel';
import type { Budget, Evidence, GameInfo, SeatBot, Spent } from '@lockstep/match';
import { flatten, headOf } from './portable/index.ts';
import { Lines } from './lines.ts';
import { checkProgram, endOf, Program } from './program.ts';
import type { Launch, SandboxKind } from './sandbox.ts';
import { Talk } from './talk.ts';
import { Words } from './words.ts';

/** Of one answer. */
export const MOST_BYTES = 1024 * 1024;
/** For the bot to leave after the result. */
export const GRACE_MS = 1000;

export interface BotOptions {
  readonly budget: Budget;
  readonly sandbox: SandboxKind | null;
  /** What the bot has to say beside its action: debug drawing, any JSON. */
  readonly onDebug?: (seat: number, tick: number, debug: unknown) => void;
}

/** Starts the program and waits until it is ready. The protocol: docs/protocol.md. */
export async function startProcess(launch: Launch, options: BotOptions, briefing: unknown, seat: number, game: GameInfo): Promise<SeatBot> {
  checkProgram(launch);
  const bot = new ProcessBot(launch, options, seat, game);
  try {
    await bot.begin(briefing);
  } catch (error) {
    await bot.end(null);
    throw error;
  }
  return bot;
}

class ProcessBot implements SeatBot {
  private readonly program: Program;
  private readonly talk: Talk;
  private readonly options: BotOptions;
  private readonly seat: number;
  private readonly game: GameInfo;
  private readonly lines: Lines;
  private readonly words: Words;
  private bytes: Uint8Array = new Uint8Array(0);

  constructor(launch: Launch, options: BotOptions, seat: number, game: GameInfo) {
    this.options = options;
    this.seat = seat;
    this.game = game;
    this.program = new Program(launch, options.budget, options.sandbox);
    this.talk = new Talk(this.program, options.budget, game, () => this.lines.stop());
    this.words = new Words(this.talk, seat, game.tick, options.onDebug, () => this.lines.stop());
    this.lines = new Lines(
      MOST_BYTES,
      (line) => this.words.hear(line),
      () => this.talk.accuse('protocol', `a line of more than ${MOST_BYTES} bytes`),
    );
    this.program.stdout.on('data', (chunk: Uint8Array) => this.read(chunk));
    this.program.stdout.on('end', () => void this.left());
    this.program.stdin.on('error', () => void this.left());
    void this.program.exited.then(() => this.left());
  }

  begin(briefing: unknown): Promise<unknown> {
    this.say({ ...headOf(this.game, this.seat), briefing });
    return this.talk.waitForStart(() => `not ready within ${this.options.budget.startMs! / 1000} s`);
  }

  act(view: unknown): Promise<unknown> {
    if (this.talk.misdeed !== null) throw this.talk.misdeed;
    const tick = this.words.nextTick();
    if (this.words.frames === null) this.say({ type: 'view', tick, view });
    else this.sayFrame(flatten(view, [tick]));
    return this.talk.waitForAction();
  }

  evidence(): Evidence {
    return this.talk.evidence();
  }

  spent(): Spent {
    return this.talk.spent();
  }

  async end(result: Result | null): Promise<void> {
    const told = this.talk.close() && result !== null;
    this.lines.stop();
    if (told && this.words.frames === null) this.say({ type: 'result', seat: this.seat, result });
    else if (told) this.sayFrame([]);
    await this.program.end(told ? GRACE_MS : 0);
  }

  private say(message: object): void {
    const text = JSON.stringify(message);
    this.talk.input = () => text;
    this.program.stdin.write(`${text}\n`);
  }

  /** Length in bytes, then that many bytes of doubles, all little-endian. A frame of no length says that the game is over. */
  private sayFrame(row: readonly number[]): void {
    const frame = new ArrayBuffer(8 + 8 * row.length); // doubles stand at multiples of eight
    new DataView(frame).setUint32(4, 8 * row.length, true);
    new Float64Array(frame, 8).set(row); // wherever Node runs these are little-endian
    if (row.length > 0) this.talk.input = () => `frame of ${row.length} doubles: ${row.slice(0, 100).join(' ')}`;
    this.program.stdin.write(Buffer.from(frame, 4));
  }

  private read(chunk: Uint8Array): void {
    if (this.talk.misdeed !== null) return;
    const rest = this.words.frames === null ? this.lines.take(chunk) : chunk;
    if (this.words.frames === null || rest.length === 0) return;
    this.bytes = this.bytes.length === 0 ? rest : Buffer.concat([this.bytes, rest]);
    const { bytes, talk } = this;
    if (bytes.length < 4) return;
    const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
    if (length > MOST_BYTES || length % 8 !== 0)
      return talk.accuse('protocol', `a frame of ${length} bytes; doubles, at most ${MOST_BYTES} bytes, are expected`);
    if (bytes.length < 4 + length) return;
    if (!talk.isAsked || bytes.length > 4 + length) return talk.accuse('protocol', 'a frame that it was not asked for');
    this.bytes = new Uint8Array(0);
    this.words.hearFrame(bytes.subarray(4, 4 + length));
  }

  /** Its output, its input or its process has ended. */
  private async left(): Promise<void> {
    if (this.talk.misdeed !== null) return;
    const { kind, reason } = await endOf(this.program);
    this.talk.accuse(this.words.isReady ? kind : 'no-start', reason);
  }
}
