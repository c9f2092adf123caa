import { InputError, shown } from '@lockstep/kernel';
import { type Budget, type Evidence, type FaultKind, type GameInfo, Misdeed, type SeatBot, type Spent } from '@lockstep/match';
import { flatten, unflatten } from '../flat.ts';
import { headOf } from '../head.ts';
import { TYPE } from './code.ts';
import { type CompiledModule, engine, type Exported } from './engine.ts';
import { HIDDEN, instrument } from './instrument.ts';
import { MOST_SLOTS, type Signature } from './meter.ts';

/** Where a budget leaves it open. */
const MOST_MEMORY = 256 * 1024 * 1024;
const LOG_LINES = 20;
const LINE_LENGTH = 300;
const MOST_DEBUG = 256 * 1024;
const EVIDENCE_LENGTH = 2000;
const UNLIMITED = 2n ** 62n;

/** What a bot's module exports. The page about it: docs/wasm.md. */
const NEEDED: Readonly<Record<string, Signature>> = {
  room: { params: [TYPE.i32], results: [TYPE.i32] },
  init: { params: [TYPE.i32, TYPE.i32, TYPE.i32], results: [] },
  act: { params: [TYPE.i32, TYPE.i32], results: [TYPE.i32] },
};
/** For whoever wants the briefing as text. */
const BRIEF: Signature = { params: [TYPE.i32, TYPE.i32], results: [] };

/** A module that was read and given its counters; any number of games may be played with it. */
export interface WasmProgram {
  readonly module: CompiledModule;
  readonly hasStart: boolean;
  readonly wantsText: boolean;
}

/** Throws InputError in one line for what is no bot. */
export async function prepareWasm(bytes: Uint8Array, memoryBytes: number | null): Promise<WasmProgram> {
  const made = instrument(bytes, memoryBytes ?? MOST_MEMORY);
  // The module as it came must be valid by itself: counters are no business of its code.
  if (!engine.validate(bytes)) await refused(bytes);
  if (!made.hasMemory) throw new InputError('wasm: exports', 'a memory', 'none');
  for (const [name, wanted] of Object.entries(NEEDED)) checkExport(name, wanted, made.functions.get(name));
  const brief = made.functions.get('brief');
  if (brief !== undefined) checkExport('brief', BRIEF, brief);
  return { module: await engine.compile(made.bytes), hasStart: made.hasStart, wantsText: brief !== undefined };
}

async function refused(bytes: Uint8Array): Promise<never> {
  const reason = await engine.compile(bytes).then(
    () => 'an invalid one',
    (error: Error) => error.message.replace(/^WebAssembly\.\w+\(\): /, ''),
  );
  throw new InputError('wasm', 'a valid module', reason);
}

function checkExport(name: string, { params, results }: Signature, found: Signature | undefined): void {
  const same = found?.params.join() === params.join() && found.results.join() === results.join();
  if (same) return;
  const wanted = `${name}(${params.map(() => 'i32').join(', ')})${results.length > 0 ? ': i32' : ''}`;
  throw new InputError('wasm: exports', `a function ${wanted}`, found === undefined ? 'none' : `another ${name}`);
}

export interface WasmOptions {
  readonly budget: Budget;
  /** An action of this world: its fields are what an answer fills, in their order. */
  readonly example: unknown;
  readonly onDebug?: (seat: number, tick: number, debug: unknown) => void;
}

/** A bot in WebAssembly that nobody has to trust: it reaches nothing but its own memory, and each of its instructions is counted. */
export async function startWasm(
  program: WasmProgram,
  options: WasmOptions,
  briefing: unknown,
  seat: number,
  game: GameInfo,
): Promise<SeatBot> {
  const bot = new WasmBot(options, seat, game);
  await bot.begin(program, briefing);
  return bot;
}

class WasmBot implements SeatBot {
  private exports: Readonly<Record<string, Exported>> = {};
  private readonly options: WasmOptions;
  private readonly seat: number;
  private readonly game: GameInfo;
  private readonly said: string[] = [];
  private input: () => string = () => '';
  private tick: number;
  private used = 0;
  private wallMs = 0;
  private slowestMs = 0;

  constructor(options: WasmOptions, seat: number, game: GameInfo) {
    this.options = options;
    this.seat = seat;
    this.game = game;
    this.tick = game.tick;
  }

  async begin({ module, hasStart, wantsText }: WasmProgram, briefing: unknown): Promise<void> {
    const log = (at: number, length: number): void => this.say(this.text(at, length, LINE_LENGTH));
    const debug = (at: number, length: number): void => this.draw(this.text(at, length, MOST_DEBUG));
    const abort = (message: number, file: number, line: number, column: number): void => {
      throw new Error(`abort: ${this.wide(message)} at ${this.wide(file)}:${line}:${column}`);
    };
    const imports = { lockstep: { log, debug }, env: { abort } };
    try {
      // Nothing of the module runs here: what it starts with has been taken out, and is called below.
      this.exports = (await engine.instantiate(module, imports)).exports;
    } catch (error) {
      throw new Misdeed('no-start', (error as Error).message);
    }
    this.run('no-start', 'start', () => {
      if (hasStart) this.call(HIDDEN.start);
      if (wantsText) this.brief(JSON.stringify({ ...headOf(this.game, this.seat), briefing }));
      const row = flatten(briefing);
      this.input = () => `briefing of ${row.length} doubles: ${row.slice(0, 100).join(' ')}`;
      this.call('init', this.seat, this.put(row), row.length);
    });
  }

  act(view: unknown): unknown {
    return this.run('crash', 'tick', () => {
      const row = flatten(view, [this.tick]);
      this.input = () => JSON.stringify(view);
      const at = this.call('act', this.put(row), row.length)!;
      this.tick++;
      return this.answerAt(at);
    });
  }

  evidence(): Evidence {
    const input = this.input();
    return { stderr: [...this.said], input: input.length > EVIDENCE_LENGTH ? `${input.slice(0, EVIDENCE_LENGTH)}…` : input };
  }

  spent(): Spent {
    const { wallMs, slowestMs, used } = this;
    const peakBytes = this.exports['memory']?.buffer.byteLength ?? null;
    return { wallMs, cpuMs: null, chargedMs: wallMs, slowestMs, peakBytes, leaving: null, gas: used };
  }

  private call(name: string, ...args: number[]): number | undefined {
    return this.exports[name]!(...args);
  }

  /** A row of doubles in its memory, where it says. */
  private put(row: readonly number[]): number {
    const at = this.roomFor(row.length);
    new Float64Array(this.buffer, at, row.length).set(row);
    return at;
  }

  private brief(text: string): void {
    const bytes = new TextEncoder().encode(text);
    const at = this.roomFor(Math.ceil(bytes.length / 8));
    new Uint8Array(this.buffer, at, bytes.length).set(bytes);
    this.call('brief', at, bytes.length);
  }

  private roomFor(doubles: number): number {
    const at = this.call('room', doubles)! >>> 0;
    this.checkPlace('room', at, doubles);
    return at;
  }

  private checkPlace(name: string, at: number, doubles: number): void {
    const size = this.buffer.byteLength;
    if (at === 0 || at % 8 !== 0 || at + 8 * doubles > size)
      throw new Misdeed('protocol', `${name} gave ${at}; expected the address of ${doubles} doubles in a memory of ${size} bytes`);
  }

  private answerAt(address: number): unknown {
    const at = address >>> 0;
    this.checkPlace('act', at, 1);
    try {
      return unflatten(this.options.example, new Float64Array(this.buffer, at, Math.floor((this.buffer.byteLength - at) / 8)), false);
    } catch (error) {
      throw error instanceof InputError ? new Misdeed('protocol', error.message) : error;
    }
  }

  private get buffer(): ArrayBuffer {
    return this.exports['memory']!.buffer;
  }

  private text(at: number, length: number, most: number): string {
    const from = Math.min(at >>> 0, this.buffer.byteLength);
    const size = Math.min(length >>> 0, most, this.buffer.byteLength - from);
    return new TextDecoder().decode(new Uint8Array(this.buffer, from, size));
  }

  /** A text of AssemblyScript: UTF-16, its length in bytes before it. */
  private wide(at: number): string {
    const from = at >>> 0;
    if (from < 4 || from + 2 > this.buffer.byteLength) return '?';
    const size = Math.min(new DataView(this.buffer).getUint32(from - 4, true), LINE_LENGTH * 2, this.buffer.byteLength - from);
    return new TextDecoder('utf-16le').decode(new Uint8Array(this.buffer, from, size - (size % 2)));
  }

  private say(line: string): void {
    if (this.said.push(line) > LOG_LINES) this.said.shift();
  }

  private draw(text: string): void {
    let debug: unknown = text;
    try {
      debug = JSON.parse(text);
    } catch {
      // plain text
    }
    this.options.onDebug?.(this.seat, this.tick, debug);
  }

  /** Runs it with the gas that it has, and lays at its door what goes wrong. */
  private run<T>(kind: FaultKind, part: 'start' | 'tick', code: () => T): T {
    const started = performance.now();
    const { allowed, whole } = this.allowance(part);
    const gas = this.exports[HIDDEN.gas];
    if (gas !== undefined) gas.value = allowed;
    try {
      return code();
    } catch (error) {
      throw this.misdeed(kind, error, allowed, whole);
    } finally {
      const ms = performance.now() - started;
      this.wallMs += ms;
      this.slowestMs = Math.max(this.slowestMs, ms);
      if (gas !== undefined) this.used += Number(allowed - (gas.value as bigint));
    }
  }

  private allowance(part: 'start' | 'tick'): { readonly allowed: bigint; readonly whole: number | null } {
    const { gas } = this.options.budget;
    if (gas === null) return { allowed: UNLIMITED, whole: null };
    const whole = gas.base + gas.perTick * (this.game.maxTicks ?? this.tick + 1);
    const left = Math.max(0, whole - this.used);
    return left < gas[part] ? { allowed: BigInt(left), whole } : { allowed: BigInt(gas[part]), whole: null };
  }

  private misdeed(kind: FaultKind, error: unknown, allowed: bigint, whole: number | null): Misdeed {
    if (error instanceof Misdeed) return new Misdeed(error.kind, error.message, this.evidence());
    const seen = (name: string): number => Number(this.exports[name]?.value ?? 0);
    if (seen(HIDDEN.gas) < 0) {
      const reason = whole === null ? `more than ${allowed} gas for one answer` : `more than ${whole} gas in the whole game`;
      return new Misdeed('timeout', reason, this.evidence());
    }
    if (seen(HIDDEN.depth) > MOST_SLOTS)
      return new Misdeed('crash', `calls too deep: more than ${MOST_SLOTS} slots of stack`, this.evidence());
    const reason = error instanceof Error ? error.message : shown(error);
    return new Misdeed(seen(HIDDEN.refused) === 0 ? kind : 'memory', seen(HIDDEN.refused) === 0 ? reason : `no more memory; then: ${reason}`, this.evidence()); // prettier-ignore
  }
}
