import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { choiceAt, InputError, objectAt } from '@lockstep/kernel';
import { parse, TomlError } from 'smol-toml';

/** How a bot in a folder of its own is reached. */
export const KINDS = ['process', 'tcp2018', 'script', 'wasm', 'module', 'websocket'] as const;
export type Kind = (typeof KINDS)[number];

/** What stands in a bot's `bot.json` or `bot.toml`. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly author: string;
  readonly language: string;
  /** A line for the shell, run in the folder when something there is newer than the last build. */
  readonly build: string | null;
  /** The program and its arguments; of scripts, modules and WebAssembly the file; of one at a WebSocket its address. */
  readonly run: readonly string[];
  /** The worlds that it knows; null: any. */
  readonly worlds: readonly string[] | null;
  readonly kind: Kind;
}

const FIELDS = ['name', 'version', 'author', 'language', 'build', 'run', 'worlds', 'kind'];

/** null where the folder has none. */
export function findManifest(folder: string): Manifest | null {
  for (const [name, parse] of [
    ['bot.json', parseJson],
    ['bot.toml', parseToml],
  ] as const) {
    const file = join(folder, name);
    if (existsSync(file)) return readManifest(parse(readFileSync(file, 'utf8'), file), file);
  }
  return null;
}

export function readManifest(raw: unknown, path: string): Manifest {
  const given = objectAt(raw, path, FIELDS);
  const text = (name: string, orElse?: string): string => textAt(given[name] ?? orElse, `${path}: ${name}`);
  const { run, build, worlds } = given;
  const words = typeof run === 'string' ? wordsOf(run) : listAt(run, `${path}: run`);
  if (words.length === 0) throw new InputError(`${path}: run`, 'a program and its arguments', run);
  return {
    name: text('name'),
    version: text('version', '0'),
    author: text('author', ''),
    language: text('language', ''),
    build: build === undefined ? null : textAt(build, `${path}: build`),
    run: words,
    worlds: worlds === undefined ? null : listAt(worlds, `${path}: worlds`),
    kind: choiceAt(given['kind'] ?? 'process', `${path}: kind`, KINDS),
  };
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new InputError(path, 'JSON', (error as Error).message);
  }
}

/** What it says wrong is told by its line. */
export function parseToml(text: string, path: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [says = ''] = error.message.replace(/^Invalid TOML document: /, '').split('\n');
    throw new InputError(`${path}: line ${error.line}`, 'TOML', `${text.split('\n')[error.line - 1] ?? ''} (${says})`);
  }
}

/** A command as one would type it: words, "quoted" or 'quoted' where they hold spaces. */
export function wordsOf(line: string): string[] {
  return [...line.matchAll(/(?:[^\s"']|"[^"]*"|'[^']*')+/g)].map(([word]) => word.replaceAll(/"([^"]*)"|'([^']*)'/g, '$1$2'));
}

function textAt(raw: unknown, path: string): string {
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  if (typeof raw !== 'string' || raw.length > 1000 || /[\u0000-\u001f]/.test(raw)) throw new InputError(path, 'a line of text', raw);
  return raw;
}

function listAt(raw: unknown, path: string): string[] {
  if (!Array.isArray(raw)) throw new InputError(path, 'a list of texts', raw);
  return raw.map((item, index) => textAt(item, `${path}[${index}]`));
}
