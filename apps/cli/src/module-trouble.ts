import { spawnSync } from 'node:child_process';
import { basename, dirname, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Why a module does not load, and where, short enough for one line. */
export function troubleOf(error: unknown, url: string): string {
  const text = String(error);
  const missing = /^Error \[ERR_MODULE_NOT_FOUND\]: Cannot find (?:module|package) '([^']+)'/.exec(text)?.[1];
  if (missing !== undefined) return `no ${relative(dirname(fileURLToPath(url)), missing)}, which is imported`;
  const place = error instanceof SyntaxError ? misspelt(url) : placeOf(error);
  return place === null ? text : `${place}: ${text}`;
}

const OURS = new URL('.', import.meta.url).href;

/** Where in a module something was thrown: file, line and column; null where nothing tells. */
export function placeOf(error: unknown): string | null {
  const found = error instanceof Error ? /(file:\/\/[^\s)]+):(\d+:\d+)\)?$/m.exec(String(error.stack)) : null;
  return found === null || found[1]!.startsWith(OURS) ? null : `${basename(fileURLToPath(found[1]!))}:${found[2]}`;
}

/** An import does not say in which line it failed; the check of Node does. */
function misspelt(url: string): string | null {
  const { stderr } = spawnSync(process.execPath, ['--check', fileURLToPath(url)], { encoding: 'utf8' });
  const found = /^(.+):(\d+)\n/.exec(stderr ?? '');
  return found === null ? null : `${basename(found[1]!)}:${found[2]}`;
}
