import { InputError, shown } from '@lockstep/kernel';
import type { BotOptions } from './process-bot.ts';
import { unflatten } from './portable/index.ts';
import type { Talk } from './talk.ts';

/** What a bot says in our protocol (docs/protocol.md), message by message, whatever carries it. */
export class Words {
  isReady = false;
  /** The example action of a bot that speaks in frames. */
  frames: { readonly action: unknown } | null = null;
  private readonly talk: Talk;
  private readonly seat: number;
  private readonly onDebug: BotOptions['onDebug'];
  private readonly onFrames: () => void;
  private tick: number;

  /** `tick` is that of the first view. */
  constructor(talk: Talk, seat: number, tick: number, onDebug: BotOptions['onDebug'], onFrames: () => void) {
    this.talk = talk;
    this.tick = tick;
    this.seat = seat;
    this.onDebug = onDebug;
    this.onFrames = onFrames;
  }

  /** The tick of the view that is going to be shown. */
  nextTick(): number {
    return this.tick++;
  }

  hear(line: string): void {
    const { talk } = this;
    if (talk.misdeed !== null) return;
    if (!talk.isAsked) return talk.accuse('protocol', `a line that it was not asked for: ${shown(line)}`);
    let message: unknown;
    try {
      message = JSON.parse(line);
    } catch {
      return talk.accuse('protocol', `expected a line of JSON, got ${shown(line)}`);
    }
    if (typeof message !== 'object' || message === null || Array.isArray(message)) return this.expect('an object', message);
    if (this.isReady) this.hearAction(message as Record<string, unknown>);
    else this.hearReady(message as Record<string, unknown>);
  }

  /** The doubles of an answer. */
  hearFrame(bytes: Uint8Array): void {
    const { talk } = this;
    if (!talk.isAsked) return talk.accuse('protocol', 'a frame that it was not asked for');
    try {
      talk.answer(unflatten(this.frames!.action, doublesOf(bytes)));
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      talk.accuse('protocol', error.message);
    }
  }

  private hearReady(message: Record<string, unknown>): void {
    const { type, frames, action } = message;
    if (type !== 'ready') return this.expect('{"type":"ready"} as the first line', message);
    if (frames !== undefined && frames !== 'json' && frames !== 'binary') return this.expect('frames json or binary', frames);
    if (frames === 'binary') {
      if (typeof action !== 'object' || action === null) return this.expect('an example action, whose fields the frames fill', action);
      this.frames = { action };
      this.onFrames();
    }
    this.isReady = true;
    this.talk.started();
  }

  private hearAction(message: Record<string, unknown>): void {
    const { type, tick, action, debug } = message;
    const asked = this.tick - 1;
    if (type !== undefined && type !== 'action') return this.expect('{"type":"action","action":…}', message);
    if (tick !== undefined && tick !== asked) return this.expect(`an action for tick ${asked}`, tick);
    if (!Object.hasOwn(message, 'action')) return this.expect('{"type":"action","action":…}', message);
    if (debug !== undefined) this.onDebug?.(this.seat, asked, debug);
    this.talk.answer(action);
  }

  private expect(what: string, got: unknown): void {
    this.talk.accuse('protocol', `expected ${what}, got ${shown(got)}`);
  }
}

function doublesOf(bytes: Uint8Array): Float64Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const row = new Float64Array(bytes.length / 8);
  for (let i = 0; i < row.length; i++) row[i] = view.getFloat64(8 * i, true);
  return row;
}
