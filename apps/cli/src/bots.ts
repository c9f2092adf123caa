import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type BotAddress,
  build,
  builtInSha256,
  commandOf,
  findBot,
  findSandbox,
  prepareWasm,
  scriptEngine,
  type SandboxKind,
  sha256Of,
  startProcess,
  startScript,
  startTcp2018,
  startWasm,
  startWebSocket,
  type WasmProgram,
  webSocketPlace,
  WORLD_OF_2018,
} from '@lockstep/bots';
import { type AnyEntry, InputError } from '@lockstep/kernel';
import { type Budget, countsWorkOnly, Misdeed, type Seat } from '@lockstep/match';
import { readFile } from './files.ts';
import { moduleSeat } from './module-seat.ts';
import { oneOf } from './names.ts';
import { splitParams, withParams } from './params.ts';
import { remark } from './output.ts';

/** A seat, and what its bot has done so far in the game that was begun last, if it is one that can do something. */
export interface WatchedSeat extends Seat {
  readonly guard?: () => { readonly misdeed: Misdeed | null };
}

/** How bots are reached and kept, as plain data. */
export interface Care {
  /** Seconds that a module is waited for. */
  readonly timeout: number;
  readonly budget: Budget;
  readonly sandbox: SandboxKind | null;
}

/** A built-in bot by its name, a module or a program by its path, a folder with a manifest, a command. */
export async function findSeat(entry: AnyEntry, text: string, care: Care, onDebug: OnDebug = () => {}): Promise<WatchedSeat> {
  const { bot, params } = splitParams(text);
  const seat = await findPlainSeat(entry, bot, care, onDebug);
  return params === null ? seat : withParams(seat, text, params);
}

async function findPlainSeat(entry: AnyEntry, text: string, care: Care, onDebug: OnDebug): Promise<WatchedSeat> {
  const builtIn = Object.hasOwn(entry.bots, text) ? entry.bots[text] : undefined;
  if (builtIn !== undefined) return { name: text, kind: 'builtin', sha256: builtInSha256(entry.world.name), make: builtIn };
  const bot = findBot(text);
  if (bot === null) {
    if (/[/\\]|\.[cm]?js$/.test(text)) readFile(text); // its words tell what is wrong with the path
    throw new InputError(
      'bot',
      oneOf(text, Object.keys(entry.bots), ', the path of a module, a program or a folder with bot.json, or a command'),
      text,
    );
  }
  const { manifest } = bot;
  if (manifest?.worlds?.includes(entry.world.name) === false)
    throw new InputError('bot', `a bot that knows ${entry.world.name}`, `${manifest.name}, which knows ${manifest.worlds.join(', ')}`);
  build(bot, TOOLS, (said) => remark(`${text} does not build:\n${said}`));
  if (bot.kind === 'tcp2018' && entry.world.name !== WORLD_OF_2018)
    throw new InputError('bot', `a bot for ${entry.world.name}; the protocol of 2018 is for ${WORLD_OF_2018}`, text);
  if (bot.kind === 'module') return moduleSeat(resolve(bot.folder, bot.run[0]!), text, care.budget, care.timeout);
  if (bot.kind === 'script') return scriptSeat(bot, care);
  if (bot.kind === 'wasm') return wasmSeat(entry, bot, care, onDebug);
  if (countsWorkOnly(care.budget))
    throw new InputError('budget', `bank, strikes or none for ${bot.name}, whose work cannot be counted`, 'gas');
  if (bot.kind === 'websocket') return webSocketSeat(bot, care, onDebug);
  return programSeat(bot, care, onDebug);
}

/** What a bot says beside its actions. */
export type OnDebug = (seat: number, tick: number, debug: unknown) => void;

/** Does the bot run on its own, where a sandbox may keep it? */
export function isProgram(entry: AnyEntry, text: string): boolean {
  const { bot } = splitParams(text);
  if (Object.hasOwn(entry.bots, bot)) return false;
  const kind = findBot(bot)?.kind;
  return kind === 'process' || kind === 'tcp2018';
}

/** What our own packages bring along, for builds that need it. */
export const TOOLS = [fileURLToPath(new URL('../../../../node_modules/.bin', import.meta.url))];

function programSeat(bot: BotAddress, { budget, sandbox }: Care, onDebug: OnDebug): WatchedSeat {
  const options = { budget, sandbox, onDebug };
  const launch = bot.run.length === 0 ? null : { command: commandOf(bot), folder: bot.folder, reads: bot.reads, network: false };
  const { port } = bot;
  const onListening = (): void => remark(`${bot.name}: waiting for a strategy at port ${port}`);
  const caller = launch === null ? { port, onListening } : { launch };
  const make: Seat['make'] = (...args) =>
    bot.kind === 'tcp2018' || launch === null ? startTcp2018(caller, options, ...args) : startProcess(launch, options, ...args);
  return { name: bot.name, kind: bot.kind, sha256: sha256Of(bot), make };
}

function scriptSeat(bot: BotAddress, { budget }: Care): WatchedSeat {
  const source = new TextDecoder().decode(readFile(resolve(bot.folder, bot.run[0]!)));
  const engine = scriptEngine();
  return { name: bot.name, kind: 'script', sha256: sha256Of(bot), make: (...args) => startScript(engine, source, budget, ...args) };
}

function wasmSeat(entry: AnyEntry, bot: BotAddress, { budget }: Care, onDebug: OnDebug): WatchedSeat {
  const bytes = readFile(resolve(bot.folder, bot.run[0]!));
  let program: Promise<WasmProgram> | null = null;
  const make: Seat['make'] = async (briefing, seat, game) => {
    program ??= prepareWasm(bytes, budget.memoryBytes);
    const ready = await program.catch((error: Error) => {
      throw error instanceof InputError ? new Misdeed('no-start', error.message) : error;
    });
    return startWasm(ready, { budget, example: entry.example(game.config, seat), onDebug }, briefing, seat, game);
  };
  return { name: bot.name, kind: 'wasm', sha256: sha256Of(bot), make };
}

function webSocketSeat(bot: BotAddress, { budget, sandbox }: Care, onDebug: OnDebug): WatchedSeat {
  const place = webSocketPlace(bot.run[0]!, () => randomBytes(12).toString('hex'));
  if (place === null) throw new InputError('bot', 'ws-PORT or ws://host:port/path', bot.run[0]);
  const onListening = (url: string): void => remark(`${bot.name}: waiting for a player at ${url}`);
  const make: Seat['make'] = (...args) =>
    startWebSocket('url' in place ? place : { ...place, onListening }, { budget, sandbox, onDebug }, ...args);
  return { name: bot.name, kind: 'websocket', sha256: null, make };
}

/** What keeps programs apart: by the user's wish, or as the machine can. */
export function chooseSandbox(wish: 'auto' | 'off' | 'require'): { readonly kind: SandboxKind | null; readonly line: string | null } {
  if (wish === 'off') return { kind: null, line: null };
  const { kind, says } = findSandbox();
  if (kind !== null) return { kind, line: null };
  if (wish === 'require') throw new InputError('require-sandbox', 'a machine with bubblewrap or namespaces', says);
  return { kind, line: `${says}: bots run with your own rights` };
}
