import { existsSync, readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { InputError, readSeed, type Seed } from '@lockstep/kernel';
import type { Care } from '../bots.ts';
import { careFor } from '../care.ts';
import { reasonOf } from '../files.ts';

/** What keeps programs within bounds, for the games of a run. */
export function careOf(world: string, bots: readonly string[], budget: string): Care {
  return careFor(world, bots, { budget, sandbox: true });
}

/** A bot as it is found from anywhere: what is a path from `base` becomes a whole one. */
export function placed(bot: string, base: string): string {
  const [, way = '', path = ''] = /^([a-z0-9]+:)?(.*)$/s.exec(bot) ?? [];
  const file = path.replace(/\?[^?]*$/, '');
  if (!/^\.{0,2}[/\\]/.test(file) && !existsSync(resolve(base, file))) return bot;
  return file === '' ? bot : `${way}${resolve(base, file)}${path.slice(file.length)}`;
}

/** What to call a bot in tables: the last piece of its path. */
export function nickname(bot: string): string {
  const name = basename(bot.replace(/^[a-z0-9]+:/, '').replace(/[/\\]+$/, '')).replace(/\.(m?[jt]s|py|wasm)(?=\?|$)/, '');
  return name.replaceAll(/[^\p{L}\p{N}_.+@-]+/gu, '_').replaceAll(/^_+|_+$/g, '').slice(0, 60) || 'bot'; // prettier-ignore
}

/** Different names for different bots. */
export function nicknames(bots: readonly string[]): string[] {
  const names = bots.map(nickname);
  return names.map((name, i) => (names.indexOf(name) === i ? name : `${name}-${names.slice(0, i + 1).filter((one) => one === name).length}`)); // prettier-ignore
}

/** Seeds of a file: one a line, # begins a remark. */
export function readBook(file: string): Seed[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new InputError(file, 'a readable file of seeds', reasonOf(error));
  }
  const lines = new Map<Seed, number>();
  text.split('\n').forEach((line, i) => {
    const word = line.replace(/#.*/, '').trim();
    if (word === '') return;
    const seed = readSeed(word, `${file}:${i + 1}`);
    const before = lines.get(seed);
    if (before !== undefined)
      throw new InputError(`${file}:${i + 1}`, `another seed than in line ${before}, for the same game says nothing new`, word);
    lines.set(seed, i + 1);
  });
  if (lines.size === 0) throw new InputError(file, 'a seed a line', 'none');
  return [...lines.keys()];
}
