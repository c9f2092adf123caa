import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

/** One sum over files: their names as seen from a folder, and their contents. */
export function sha256OfFiles(folder: string, files: readonly string[]): string {
  const sum = createHash('sha256');
  for (const file of [...files].sort()) {
    const bytes = readFileSync(file);
    sum.update(`${relative(folder, file)}\0${bytes.length}\0`).update(bytes);
  }
  return sum.digest('hex');
}
