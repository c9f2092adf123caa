import { readFileSync, readlinkSync } from 'node:fs';
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';
import { deserialize, serialize } from 'node:v8';
import { isMainThread, type MessagePort, Worker, workerData } from 'node:worker_threads';
import { type Bot, type BotMaker, InputError } from '@lockstep/kernel';
import { Misdeed, reasonOf } from '@lockstep/match';
import { placeOf, troubleOf } from './module-trouble.ts';
import { type Guard, guardModule } from './guard.ts';
import { Mailbox, type Shared } from './mailbox.ts';

interface Work {
  readonly lockstepModule: { readonly url: string; readonly seconds: number; readonly shared: Shared };
}

export type Request =
  | { readonly ask: 'load' }
  | { readonly ask: 'make'; readonly briefing: unknown; readonly seat: number }
  | { readonly ask: 'act'; readonly view: unknown }
  | { readonly ask: 'end' };

/** What came of a request: a value, a misdeed of the bot, or a module that is none. */
export type Reply =
  | { readonly value: unknown }
  | { readonly misdeed: { readonly kind: Misdeed['kind']; readonly reason: string } }
  | { readonly input: { readonly expected: string; readonly got: string } };

export function startThread(url: string, seconds: number, shared: Shared, port: MessagePort, memoryBytes: number | null): Worker {
  const work: Work = { lockstepModule: { url, seconds, shared } };
  const resourceLimits = memoryBytes === null ? {} : { maxOldGenerationSizeMb: Math.ceil(memoryBytes / 1024 / 1024) };
  return new Worker(new URL(import.meta.url), { workerData: work, transferList: [port], resourceLimits });
}

function isWork(data: unknown): data is Work {
  return typeof data === 'object' && data !== null && 'lockstepModule' in data;
}

/** So often the thread gives what the bot has set going a turn. */
const TURN_EVERY = 100;

async function serve({ url, seconds, shared }: Work['lockstepModule']): Promise<void> {
  const box = new Mailbox(shared);
  const home = new Home(url, seconds);
  setInterval(() => {}, 1 << 30); // whoever waits for memory to change does not keep his thread going
  for (let served = 1; ; served++) {
    const waiting = box.question();
    const request = JSON.parse(waiting instanceof Promise ? await waiting : waiting) as Request;
    const reply = home.answer(request);
    box.send(packed(reply instanceof Promise ? await reply : reply));
    if (served % TURN_EVERY === 0) await turn();
  }
}

function packed(reply: Reply): Uint8Array {
  try {
    return serialize(reply);
  } catch (error) {
    return serialize({ misdeed: { kind: 'illegal', reason: `expected plain data, got something else: ${reasonOf(error)}` } });
  }
}

export const unpacked = (bytes: Uint8Array): Reply => deserialize(bytes) as Reply;

/** The module in its thread, in the care of a guard. */
class Home {
  private readonly url: string;
  private readonly ofModule: Guard;
  private guard: Guard;
  private maker: BotMaker | null = null;
  private bot: Bot | null = null;

  constructor(url: string, seconds: number) {
    this.url = url;
    this.ofModule = guardModule(url, seconds);
    this.guard = this.ofModule;
  }

  answer(request: Request): Reply | Promise<Reply> {
    try {
      const value = this.value(request);
      return value instanceof Promise ? value.then((one: unknown) => ({ value: one }), replyOf) : { value };
    } catch (error) {
      return replyOf(error);
    }
  }

  private value(request: Request): unknown {
    if (request.ask === 'act') return this.guard.run('act', () => this.bot!.act(request.view));
    if (request.ask === 'make') return this.make(request.briefing, request.seat);
    return request.ask === 'load' ? this.load() : this.end();
  }

  /** Gives what the system calls this thread, if it does. */
  private async load(): Promise<string | null> {
    this.maker = await makerOf(this.url, this.guard);
    return threadName();
  }

  private make(briefing: unknown, seat: number): unknown {
    this.guard = this.ofModule.forGame();
    const take = (made: unknown): null => {
      const bot = made as Bot | null | undefined;
      if (typeof bot?.act !== 'function') throw new Misdeed('crash', new InputError('createBot', 'an object with a method act(view)', made).message); // prettier-ignore
      this.bot = bot;
      return null;
    };
    const made = this.guard.run('createBot', () => this.maker!(briefing, seat));
    return made instanceof Promise ? made.then(take) : take(made);
  }

  /** What has come to light after the last answer; and what it printed is on its way. */
  private async end(): Promise<null> {
    await pause(1); // timers that are due
    await new Promise<void>((done) => process.stderr.write('', () => done()));
    this.bot = null;
    if (this.guard.misdeed !== null) throw this.guard.misdeed;
    return null;
  }
}

/** What makes bots. */
export async function makerOf(url: string, guard: Guard): Promise<BotMaker> {
  const module = (await Promise.resolve(guard.run('import', () => import(url))).catch((error: unknown) => {
    throw error instanceof Misdeed ? error : new NoModule('a module that loads', troubleOf(error, url));
  })) as Record<string, unknown>;
  const make = module['createBot'] ?? module['default'];
  if (typeof make === 'function') return make as BotMaker;
  throw new NoModule('an export createBot(briefing, seat), or a default one', `exports ${Object.keys(module).join(', ') || 'of nothing'}`);
}

/** The user's mistake. */
export class NoModule extends Error {
  readonly expected: string;
  readonly got: string;

  constructor(expected: string, got: string) {
    super(expected);
    this.expected = expected;
    this.got = got;
  }
}

/** A module that does not load is the user's mistake; all else is the bot's misdeed. */
function replyOf(error: unknown): Reply {
  if (error instanceof NoModule) return { input: { expected: error.expected, got: error.got } };
  if (error instanceof Misdeed) return { misdeed: { kind: error.kind, reason: reasonOf(error) } };
  const place = placeOf(error);
  return { misdeed: { kind: 'crash', reason: place === null ? reasonOf(error) : `${reasonOf(error)} (${place})` } };
}

function threadName(): string | null {
  try {
    return readlinkSync('/proc/thread-self');
  } catch {
    return null;
  }
}

/** How long a thread had a processor, and how long it stood in line for one; null where it cannot be told. */
export function timesOf(thread: string | null): { readonly cpuMs: number; readonly lineMs: number } | null {
  if (thread === null) return null;
  try {
    const [cpu, line] = readFileSync(`/proc/${thread}/schedstat`, 'latin1').split(' ').map(Number);
    return { cpuMs: cpu! / 1e6, lineMs: line! / 1e6 };
  } catch {
    return null;
  }
}

/** The same file is the thread's program. */
if (!isMainThread && isWork(workerData)) void serve(workerData.lockstepModule);
