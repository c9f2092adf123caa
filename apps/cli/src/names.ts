import { catalog } from '@lockstep/catalog';
import { type AnyEntry, InputError } from '@lockstep/kernel';

/** A world of the catalog by its name. */
export function findWorld(name: string, path = 'world'): AnyEntry {
  const found = catalog.find(({ world }) => world.name === name);
  if (found !== undefined) return found;
  throw new InputError(path, oneOf(name, catalog.map(({ world }) => world.name)), name); // prettier-ignore
}

/** What was expected instead of a word, with the one that was probably meant. */
export function oneOf(word: string, words: readonly string[], more = ''): string {
  const meant = nearest(word, words);
  return `one of ${words.join(', ')}${more}${meant === null ? '' : ` (did you mean ${meant}?)`}`;
}

/** The word that differs least, if it differs little. */
export function nearest(word: string, words: readonly string[]): string | null {
  let best: string | null = null;
  let least = Math.max(1, Math.floor(word.length * 0.4)) + 1;
  for (const candidate of words) {
    const edits = distance(word.toLowerCase(), candidate.toLowerCase());
    if (edits < least) {
      best = candidate;
      least = edits;
    }
  }
  return best;
}

/** Letters to add, drop, change or swap with their neighbour. */
function distance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    const above = rows[i - 1]!;
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(above[j]! + 1, row[j - 1]! + 1, above[j - 1]! + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, rows[i - 2]![j - 2]! + 1);
      row.push(cost);
    }
    rows.push(row);
  }
  return rows[a.length]![b.length]!;
}
