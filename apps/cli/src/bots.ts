import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type AnyEntry, type BotMaker, InputError } from '@lockstep/kernel';
import type { Seat } from '@lockstep/match';
import { readFile } from './files.ts';
import { oneOf } from './names.ts';

/** A built-in bot by its name, or a module by its path. */
export async function findSeat(entry: AnyEntry, text: string): Promise<Seat> {
  const builtIn = Object.hasOwn(entry.bots, text) ? entry.bots[text] : undefined;
  if (builtIn !== undefined) return { name: text, kind: 'builtin', sha256: builtInSha256(entry.world.name, text), make: builtIn };
  if (/[/\\]|\.[cm]?js$/.test(text)) return moduleSeat(text);
  throw new InputError('bot', oneOf(text, Object.keys(entry.bots), ' or the path of a .js or .mjs module'), text);
}

async function moduleSeat(path: string): Promise<Seat> {
  const sha256 = sha256Of(readFile(path));
  let module: Record<string, unknown>;
  try {
    module = (await import(pathToFileURL(resolve(path)).href)) as Record<string, unknown>;
  } catch (error) {
    throw new InputError(path, 'a module that loads', String(error));
  }
  const make = module['createBot'] ?? module['default'];
  if (typeof make !== 'function') {
    throw new InputError(
      path,
      'an export createBot(briefing, seat), or a default one',
      `exports ${Object.keys(module).join(', ') || 'of nothing'}`,
    );
  }
  return { name: path, kind: 'module', sha256, make: make as BotMaker };
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
