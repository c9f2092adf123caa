import { type Evidence, type FaultKind, type GameInfo, type Budget, Misdeed, type SeatBot, type Spent } from '@lockstep/match';
import { EvalFlags, type JSValueHandle, QuickJS, type QuickJSOptions } from 'quickjs-wasi';

/** QuickJS as WebAssembly: its bytes or the compiled module. */
export type ScriptEngine = QuickJSOptions['wasm'];

/** Where a budget leaves it open: QuickJS's memory is ours. */
const MOST_MEMORY = 256 * 1024 * 1024;
const CONSOLE_LINES = 20;
const LINE_LENGTH = 300;
const EVIDENCE_LENGTH = 2000;

/**
 * A bot in JavaScript that nobody has to trust: a module with createBot, as those that run in our process, but in an engine of its own. It
 * has no clock, no dice but a fixed sequence, no network and no files; its steps are counted, so that it ends at the same place everywhere.
 */
export async function startScript(
  engine: ScriptEngine,
  source: string,
  budget: Budget,
  briefing: unknown,
  seat: number,
  game: GameInfo,
): Promise<SeatBot> {
  const meter = new Meter(budget, game.maxTicks);
  const rejected = { reason: '' };
  const vm = await QuickJS.create({
    wasm: engine,
    wasi: watchMemory(meter),
    memoryLimit: budget.memoryBytes ?? MOST_MEMORY,
    timezoneOffset: 0,
    interruptHandler: () => meter.step(),
    moduleLoader: { load: (name: string) => moduleText(name, source) },
    onUnhandledRejection: (_promise: JSValueHandle, reason: JSValueHandle) => {
      rejected.reason = reason.toString();
    },
  });
  const bot = new ScriptBot(vm, meter, rejected);
  try {
    bot.begin(briefing, seat);
  } catch (error) {
    await bot.end();
    throw error;
  }
  return bot;
}

function watchMemory(meter: Meter): typeof timeless {
  return (memory) => {
    meter.memory = memory;
    return timeless(memory);
  };
}

/** The one module that there is; our own code asks for it first. */
function moduleText(name: string, source: string): string {
  if (name === 'bot') return source;
  throw new Error(`there is no module ${name} here`);
}

/** Counts what the engine does, and looks at the clock in case that one step takes for ever. */
class Meter {
  wallMs = 0;
  slowestMs = 0;
  overrun: string | null = null;
  /** The engine's: it grows and never shrinks. */
  memory: { readonly buffer: { readonly byteLength: number } } | null = null;
  private readonly budget: Budget;
  private readonly maxTicks: number | null;
  private ticks = 0;
  private limit = Infinity;
  private bank = Infinity;
  private used = 0;
  private left = Infinity;
  private deadline = Infinity;
  private started = 0;

  constructor(budget: Budget, maxTicks: number | null) {
    this.budget = budget;
    this.maxTicks = maxTicks;
  }

  begin(part: 'start' | 'tick'): void {
    const { steps, startMs, tickMs } = this.budget;
    this.limit = steps?.[part] ?? Infinity;
    this.bank = steps === null ? Infinity : steps.base + steps.perTick * (this.maxTicks ?? ++this.ticks);
    this.left = this.limit;
    this.started = performance.now();
    this.deadline = this.started + ((part === 'start' ? startMs : tickMs) ?? Infinity);
  }

  /** Called by the engine: must it stop? */
  step(): boolean {
    this.used++;
    if (--this.left < 0) this.overrun ??= `more than ${this.limit} steps for one answer`;
    else if (this.used > this.bank) this.overrun ??= `more than ${this.bank} steps in the whole game`;
    else if (performance.now() > this.deadline) this.overrun ??= 'more time than a step should take';
    return this.overrun !== null;
  }

  end(): void {
    const ms = performance.now() - this.started;
    this.wallMs += ms;
    this.slowestMs = Math.max(this.slowestMs, ms);
  }
}

class ScriptBot implements SeatBot {
  private readonly vm: QuickJS;
  private readonly meter: Meter;
  /** Why the last promise in there was rejected. */
  private readonly rejected: { readonly reason: string };
  private readonly said: string[] = [];
  private input = '';

  constructor(vm: QuickJS, meter: Meter, rejected: { readonly reason: string }) {
    this.vm = vm;
    this.meter = meter;
    this.rejected = rejected;
  }

  begin(briefing: unknown, seat: number): void {
    const { vm, meter } = this;
    const say = vm.newFunction('say', (line) => {
      if (this.said.push((line?.toString() ?? '').slice(0, LINE_LENGTH)) > CONSOLE_LINES) this.said.shift();
      return vm.undefined;
    });
    vm.setProp(vm.global, 'say', say);
    vm.evalCode(CONSOLE, 'console').dispose();
    this.input = JSON.stringify({ briefing, seat });
    meter.begin('start');
    this.run('no-start', () => {
      const loaded = vm.evalCode(LOAD, 'lockstep', EvalFlags.TYPE_MODULE).consume((promise) => promise.promiseState);
      if (loaded === REJECTED) throw new Error(this.rejected.reason);
      if (loaded === PENDING) throw new Error('it waits at the top of its module, where nothing will come');
      this.call('make', this.input);
    });
  }

  act(view: unknown): unknown {
    this.input = JSON.stringify(view);
    this.meter.begin('tick');
    const text = this.run('crash', () => this.call('act', this.input));
    return text === 'undefined' ? undefined : (JSON.parse(text) as unknown);
  }

  evidence(): Evidence {
    const input = this.input.length > EVIDENCE_LENGTH ? `${this.input.slice(0, EVIDENCE_LENGTH)}…` : this.input;
    return { stderr: [...this.said], input };
  }

  spent(): Spent {
    const { wallMs, slowestMs, memory } = this.meter;
    return { wallMs, cpuMs: null, chargedMs: wallMs, slowestMs, peakBytes: memory?.buffer.byteLength ?? null, leaving: null };
  }

  end(): Promise<void> {
    this.vm.dispose();
    return Promise.resolve();
  }

  /** A function of ours in there, which takes and gives a text. */
  private call(name: string, text: string): string {
    const { vm } = this;
    const inside = vm.global.getProp('lockstep').consume((object) => object.getProp(name));
    const argument = vm.newString(text);
    try {
      return vm.callFunction(inside, vm.undefined, argument).consume((answer) => answer.toString());
    } finally {
      argument.dispose();
      inside.dispose();
    }
  }

  private run<T>(kind: FaultKind, code: () => T): T {
    try {
      return code();
    } catch (error) {
      throw this.misdeed(kind, error);
    } finally {
      this.meter.end();
    }
  }

  private misdeed(kind: FaultKind, error: unknown): Misdeed {
    if (this.meter.overrun !== null) return new Misdeed('timeout', this.meter.overrun, this.evidence());
    const { name, message } = error as Error;
    const reason = name === 'Error' ? message : `${name}: ${message}`;
    return new Misdeed(reason.includes('InternalError: out of memory') ? 'memory' : kind, reason, this.evidence());
  }
}

/** Of a promise in there. */
const PENDING = 0;
const REJECTED = 2;

/** What it prints is kept for a fault. */
const CONSOLE = `globalThis.console = ((say) => {
  const text = (value) => typeof value === 'string' ? value : JSON.stringify(value) ?? String(value);
  const log = (...values) => say(values.map(text).join(' '));
  return { log, info: log, warn: log, error: log, debug: log };
})(globalThis.say);
delete globalThis.say;`;

/** Texts that cross are JSON. The bot's module comes first and may spoil what is used here, but only for itself. */
const LOAD = `${['import * as module', "from 'bot';"].join(' ')}
const { parse, stringify } = JSON;
let bot;
globalThis.lockstep = {
  make(text) {
    const { briefing, seat } = parse(text);
    const create = module.createBot ?? module.default;
    if (typeof create !== 'function') throw new TypeError('it does not export createBot(briefing, seat)');
    bot = create(briefing, seat);
    if (typeof bot?.act !== 'function') throw new TypeError('createBot gave no object with a method act(view)');
  },
  act: (text) => stringify(bot.act(parse(text))),
};`;

/** Every clock stands still, and chance is always the same. */
const timeless: NonNullable<QuickJSOptions['wasi']> = (memory) => ({
  clock_time_get(_clock: number, _precision: bigint, at: number): number {
    new DataView(memory.buffer).setBigUint64(at, 0n, true);
    return 0;
  },
  random_get(at: number, length: number): number {
    new Uint8Array(memory.buffer, at, length).fill(0);
    return 0;
  },
});
