import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const home = join(import.meta.dirname, '..');
const files = ['src', 'oracle', 'game'].flatMap((folder) =>
  readdirSync(join(home, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(home, folder, name)),
);
const textOf = (isWanted: (file: string) => boolean): string =>
  files
    .filter((file) => file.endsWith('.ts') && !file.endsWith('spec.test.ts') && isWanted(file))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');

/** The study's numbers: 49 requirements, 38 errors. */
const ids = [...Array.from({ length: 49 }, (_, i) => `SW-R${i + 1}`), ...Array.from({ length: 38 }, (_, i) => `SW-E${i + 1}`)];
const missingIn = (text: string): string[] => ids.filter((id) => !new RegExp(`\\b${id}\\b`).test(text));

describe('every requirement and every error of the document', () => {
  it('has its line in spec.md', () => {
    expect(missingIn(readFileSync(join(home, 'spec.md'), 'utf8'))).toEqual([]);
  });
  it('is named where it is built', () => {
    expect(missingIn(textOf((file) => !file.includes('.test')))).toEqual([]);
  });
  it('is named by a test', () => {
    expect(missingIn(textOf((file) => file.endsWith('.test.ts')))).toEqual([]);
  });
});
