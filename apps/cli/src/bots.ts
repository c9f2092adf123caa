import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type AnyEntry, type Bot, type BotMaker, InputError } from '@lockstep/kernel';
import { Misdeed, type Seat } from '@lockstep/match';
import { readFile } from './files.ts';
import { type Guard, guardModule } from './guard.ts';
import { oneOf } from './names.ts';

/** A seat, and what its bot has done so far in the game that was begun last, if it is one that can do something. */
export interface WatchedSeat extends Seat {
  readonly guard?: () => Guard;
}

/** A built-in bot by its name, or a module by its path. Promises of a module are waited for no longer than `timeout` seconds. */
export async function findSeat(entry: AnyEntry, text: string, timeout: number): Promise<WatchedSeat> {
  const builtIn = Object.hasOwn(entry.bots, text) ? entry.bots[text] : undefined;
  if (builtIn !== undefined) return { name: text, kind: 'builtin', sha256: builtInSha256(entry.world.name, text), make: builtIn };
  if (/[/\\]|\.[cm]?js$/.test(text)) return moduleSeat(text, timeout);
  throw new InputError('bot', oneOf(text, Object.keys(entry.bots), ' or the path of a .js or .mjs module'), text);
}

async function moduleSeat(path: string, timeout: number): Promise<WatchedSeat> {
  const sha256 = sha256Of(readFile(path));
  const url = pathToFileURL(resolve(path)).href;
  const ofModule = guardModule(url, timeout);
  const make = await makerOf(path, url, ofModule);
  let guard = ofModule;
  return {
    name: path,
    kind: 'module',
    sha256,
    guard: () => guard,
    make(briefing, seat) {
      guard = ofModule.forGame();
      return watched(guard, make, briefing, seat);
    },
  };
}

/** What makes bots. A module whose misdeed was to load has one that throws it, so that the seat is out and the game is played. */
async function makerOf(path: string, url: string, guard: Guard): Promise<BotMaker> {
  let module: Record<string, unknown>;
  try {
    module = (await guard.run('import', () => import(url))) as Record<string, unknown>;
  } catch (error) {
    if (!(error instanceof Misdeed)) throw new InputError(path, 'a module that loads', String(error));
    return () => {
      throw error;
    };
  }
  const make = module['createBot'] ?? module['default'];
  if (typeof make !== 'function') {
    throw new InputError(
      path,
      'an export createBot(briefing, seat), or a default one',
      `exports ${Object.keys(module).join(', ') || 'of nothing'}`,
    );
  }
  return make as BotMaker;
}

/** The bot, each of whose calls is guarded; what is no bot is left for the match to refuse. */
function watched(guard: Guard, make: BotMaker, briefing: unknown, seat: number): Bot | Promise<Bot> {
  const wrapped = (made: unknown): Bot => {
    const bot = made as Bot | null | undefined;
    return typeof bot?.act === 'function' ? { act: (view) => guard.run('act', () => bot.act(view)) } : (bot as Bot);
  };
  const made = guard.run('createBot', () => make(briefing, seat));
  return made instanceof Promise ? made.then(wrapped) : wrapped(made);
}

/** Of the bot's source file in its world's folder; null where sources are not at hand. */
function builtInSha256(world: string, name: string): string | null {
  let folder = dirname(fileURLToPath(import.meta.resolve(`@lockstep/${world}`)));
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  const source = join(folder, 'bots', `${name}.ts`);
  return existsSync(source) ? sha256Of(readFile(source)) : null;
}

function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
