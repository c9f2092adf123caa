import { catalog } from '@lockstep/catalog';
import { type AnyEntry, type AnyWorld, InputError, meant } from '@lockstep/kernel';

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

/** The named rules that were asked for, or the world's first. */
export function presetOf({ presets }: AnyWorld, rules: string | undefined): string {
  const names = Object.keys(presets);
  const preset = rules ?? names[0]!;
  if (!names.includes(preset)) throw new InputError('rules', oneOf(preset, names), preset);
  return preset;
}
