import { catalog } from '@lockstep/catalog';
import { type AnyEntry, InputError, meant } from '@lockstep/kernel';

/** A world of the catalog by its name. */
export function findWorld(name: string, path = 'world'): AnyEntry {
  const found = catalog.find(({ world }) => world.name === name);
  if (found !== undefined) return found;
  throw new InputError(path, oneOf(name, catalog.map(({ world }) => world.name)), name); // prettier-ignore
}

/** What was expected instead of a word, with the one that was probably meant. */
export function oneOf(word: string, words: readonly string[], more = ''): string {
  return `one of ${words.join(', ')}${more}${meant(word, words)}`;
}
