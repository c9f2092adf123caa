import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sha256OfFiles } from './sum.ts';

/**
 * What a replay notes of a world's built-in bots: one sum over all sources of its bots, names and contents, for they import each other.
 * null where sources are not at hand.
 */
export function builtInSha256(world: string): string | null {
  let folder = dirname(fileURLToPath(import.meta.resolve(`@lockstep/${world}`)));
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  const bots = join(folder, 'bots');
  if (!existsSync(bots)) return null;
  const sources = readdirSync(bots).filter((name) => name.endsWith('.ts') && !/\.test(-support)?\.ts$/.test(name));
  return sources.length === 0 ? null : sha256OfFiles(bots, sources.map((name) => join(bots, name))); // prettier-ignore
}
