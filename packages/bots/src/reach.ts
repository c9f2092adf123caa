import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, extname, isAbsolute, join, resolve } from 'node:path';
import { InputError } from '@lockstep/kernel';
import { findManifest, type Kind, KINDS, type Manifest, wordsOf } from './manifest.ts';
import { onPath } from './sandbox.ts';
import { sha256OfFiles } from './sum.ts';
import { webSocketPlace } from './websocket.ts';

/** A bot that was named on a command line or in a file: how it is reached and where it lies. */
export interface BotAddress {
  readonly kind: Kind;
  readonly name: string;
  /** The program and its arguments; of scripts, modules and WebAssembly the file; of a WebSocket its address; nothing for a strategy that connects by itself. */
  readonly run: readonly string[];
  readonly folder: string;
  /** What of the disk belongs to it. */
  readonly reads: readonly string[];
  readonly manifest: Manifest | null;
  /** Where one of the contest's strategies will connect; 0: anywhere, for we start it. */
  readonly port: number;
}

/** Programs for files that are not programs themselves. */
const INTERPRETERS: Readonly<Record<string, readonly string[]>> = {
  '.py': ['python3'],
  '.jar': ['java', '-jar'],
  '.rb': ['ruby'],
  '.sh': ['sh'],
};
const MODULE = /\.[cm]?js$/;
const WASM = /\.wasm$/;

/** A path, a folder with a manifest, a command, or `kind:` and one of these; null when it is none of them. */
export function findBot(text: string): BotAddress | null {
  if (/^(ws-|wss?:\/\/)/.test(text)) return atWebSocket(text);
  const port = /^tcp[-:](\d{1,5})$/.exec(text)?.[1];
  if (port !== undefined) return listening(text, Number(port));
  const kind = KINDS.find((one) => text.startsWith(`${one}:`));
  if (kind !== undefined) return addressOf(text.slice(kind.length + 1), kind, text);
  return addressOf(text, null, text);
}

function listening(name: string, port: number): BotAddress {
  if (port < 1 || port > 65_535) throw new InputError('bot', 'a port 1..65535', name);
  return { kind: 'tcp2018', name, run: [], folder: process.cwd(), reads: [], manifest: null, port };
}

function atWebSocket(name: string): BotAddress {
  webSocketPlace(name, String); // complains of what it cannot read
  return { kind: 'websocket', name, run: [name], folder: process.cwd(), reads: [], manifest: null, port: 0 };
}

function addressOf(text: string, kind: Kind | null, name: string): BotAddress | null {
  const path = resolve(text);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory() === true) return inFolder(path, kind);
  if (found?.isFile() === true) return ofFile(path, kind, name);
  if (!/\s/.test(text.trim())) return null;
  const run = wordsOf(text);
  const files = run.map((word) => resolve(word)).filter((file) => existsSync(file));
  return { kind: kind ?? 'process', name, run, folder: process.cwd(), reads: files, manifest: null, port: 0 };
}

function inFolder(folder: string, kind: Kind | null): BotAddress {
  const manifest = findManifest(folder);
  if (manifest === null) throw new InputError(folder, 'a folder with bot.json or bot.toml', 'one without');
  return { kind: kind ?? manifest.kind, name: manifest.name, run: manifest.run, folder, reads: [folder], manifest, port: 0 };
}

function ofFile(file: string, kind: Kind | null, name: string): BotAddress {
  const module = MODULE.test(file);
  const chosen = kind ?? (module ? 'module' : WASM.test(file) ? 'wasm' : 'process');
  const starter = module ? [process.execPath] : (INTERPRETERS[extname(file)] ?? []);
  if (chosen === 'process' && starter.length === 0 && onPath(file) === null)
    throw new InputError(
      name,
      `a program, a module (.js, .mjs), WebAssembly (.wasm) or a file that ends with ${Object.keys(INTERPRETERS).join(', ')}`,
      'a file that cannot be run',
    );
  const run = chosen === 'process' || chosen === 'tcp2018' ? [...starter, file] : [file];
  return { kind: chosen, name, run, folder: resolve(file, '..'), reads: [file], manifest: null, port: 0 };
}

/** Of everything that belongs to it; null where nothing is known to. */
export function sha256Of({ reads }: BotAddress): string | null {
  const files = reads.flatMap((path) => (statSync(path).isDirectory() ? filesIn(path) : [path]));
  if (files.length === 0) return null;
  const [only] = files;
  if (files.length === 1 && only === reads[0]) return createHash('sha256').update(readFileSync(only!)).digest('hex');
  return sha256OfFiles(reads[0]!, files);
}

const STAMP = '.lockstep-built';

/**
 * Runs the manifest's build where something is newer than the last one. `tools` are folders of programs that it may need. Of one that fails the
 * error names the first line that speaks of an error; where there is more to read, `tell` hears all of it.
 */
export function build({ folder, manifest }: BotAddress, tools: readonly string[], tell: (said: string) => void): void {
  if (manifest === null || manifest.build === null || isBuilt(folder)) return;
  const env = { ...process.env, PATH: [...tools, process.env['PATH'] ?? ''].join(delimiter) };
  const { status, stdout, stderr } = spawnSync(manifest.build, { cwd: folder, env, shell: true, encoding: 'utf8' });
  if (status !== 0) {
    const said = `${stdout}\n${stderr}`.trim();
    const lines = said.split('\n');
    if (lines.length > 1) tell(said);
    const telling = lines.find((line) => /\berror\b/i.test(line)) ?? lines.at(-1)!;
    throw new InputError(folder, `a bot that builds (${manifest.build})`, telling.trim() || `exit code ${status}`);
  }
  writeFileSync(join(folder, STAMP), '');
}

function isBuilt(folder: string): boolean {
  const stamp = statSync(join(folder, STAMP), { throwIfNoEntry: false });
  return stamp !== undefined && filesIn(folder).every((file) => statSync(file).mtimeMs <= stamp.mtimeMs);
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (/^(\..*|node_modules|__pycache__)$/.test(entry.name)) return [];
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesIn(path) : entry.isFile() ? [path] : [];
  });
}

/** The command with paths that mean something wherever it is started. */
export function commandOf({ run, folder }: BotAddress): string[] {
  const [program, ...args] = run;
  return [program!.includes('/') && !isAbsolute(program!) ? resolve(folder, program!) : program!, ...args];
}
