import type { Result } from '@lockstep/kernel';
import type { Budget, Evidence, GameInfo, SeatBot, Spent } from '@lockstep/match';
import { Direct } from './direct.ts';
import { FrameWriter } from './frame.ts';
import { eventLoopWentRound, Haste } from './haste.ts';
import { headOf } from './portable/index.ts';
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
  private readonly direct: Direct;
  private readonly haste = new Haste();
  private readonly frame = new FrameWriter();
  /** Of a frame that is not whole yet. */
  private bytes: Uint8Array = NO_BYTES;

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
    this.direct = new Direct(this.program.stdin, this.program.stdout);
    this.program.stdout.on('data', (chunk: Uint8Array) => {
      eventLoopWentRound();
      this.read(chunk);
    });
    this.program.stdout.on('end', () => void this.left());
    this.program.stdin.on('error', () => void this.left());
    void this.program.exited.then(() => this.left());
  }

  async begin(briefing: unknown): Promise<void> {
    this.say({ ...headOf(this.game, this.seat), briefing });
    await this.talk.waitForStart(() => `not ready within ${this.options.budget.startMs! / 1000} s`);
  }

  act(view: unknown): unknown {
    return this.ask(view)();
  }

  ask(view: unknown): () => unknown {
    if (this.talk.misdeed !== null) throw this.talk.misdeed;
    const tick = this.words.nextTick();
    if (this.words.frames === null) this.say({ type: 'view', tick, view });
    else this.sayFrame(tick, view);
    this.talk.ask();
    return this.take;
  }

  private readonly take = (): unknown => {
    if (this.haste.begin()) this.look();
    return this.talk.take();
  };

  /** For an answer that comes at once. */
  private look(): void {
    do {
      const chunk = this.direct.read();
      if (chunk !== null) this.read(chunk);
      if (!this.talk.isAsked) return this.haste.paid();
    } while (this.haste.goesOn());
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
    else if (told) this.direct.write(this.frame.over());
    await this.program.end(told ? GRACE_MS : 0);
  }

  private say(message: object): void {
    const text = JSON.stringify(message);
    this.talk.input = () => text;
    this.direct.write(Buffer.from(`${text}\n`));
  }

  private sayFrame(tick: number, view: unknown): void {
    this.talk.input = this.frameText;
    this.direct.write(this.frame.view(tick, view));
  }

  private readonly frameText = (): string => this.frame.text;

  private read(chunk: Uint8Array): void {
    if (this.talk.misdeed !== null) return;
    const rest = this.words.frames === null ? this.lines.take(chunk) : chunk;
    if (this.words.frames === null || rest.length === 0) return;
    const bytes = this.bytes.length === 0 ? rest : Buffer.concat([this.bytes, rest]);
    const length = bytes.length < 4 ? 0 : lengthOf(bytes);
    if (length > MOST_BYTES || length % 8 !== 0)
      return this.talk.accuse('protocol', `a frame of ${length} bytes; doubles, at most ${MOST_BYTES} bytes, are expected`);
    const isWhole = bytes.length >= 4 + length;
    this.bytes = isWhole ? NO_BYTES : Uint8Array.from(bytes); // what it was read into is used again
    if (!isWhole) return;
    if (!this.talk.isAsked || bytes.length > 4 + length) return this.talk.accuse('protocol', 'a frame that it was not asked for');
    this.words.hearFrame(bytes.subarray(4));
  }

  /** Its output, its input or its process has ended. */
  private async left(): Promise<void> {
    if (this.talk.misdeed !== null) return;
    const { kind, reason } = await endOf(this.program);
    this.talk.accuse(this.words.isReady ? kind : 'no-start', reason);
  }
}

const NO_BYTES = new Uint8Array(0);
const lengthOf = (frame: Uint8Array): number => new DataView(frame.buffer, frame.byteOffset).getUint32(0, true);
