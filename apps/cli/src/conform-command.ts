import { gunzipSync } from 'node:zlib';
import { type AnyEntry, type ConformReport, InputError } from '@lockstep/kernel';
import type { Command } from 'commander';
import { EXIT, leaveWith } from './exit.ts';
import { readFile, reasonOf } from './files.ts';
import { findWorld } from './names.ts';
import { grouped, oneLine, Progress, remark, say, sayJson } from './output.ts';

export function addConform(program: Command): void {
  program
    .command('conform')
    .summary('compare a world with recordings of the original')
    .description('Re-plays recordings made by the original game and compares every number of every tick.')
    .argument('<world>', 'which world')
    .argument('<files...>', 'recordings in the form of that world: .jsonl or .jsonl.gz')
    .option('--json', 'one JSON object a file on stdout')
    .addHelpText(
      'after',
      `
Exit code 1 when any file is not reproduced bit for bit, 2 when one cannot be read.

Examples:
  $ lockstep conform codeball recordings/*.jsonl.gz
  $ lockstep conform codeball game.jsonl --json | jq .difference`,
    )
    .action(conform);
}

function conform(name: string, files: readonly string[], { json }: { readonly json?: boolean }): void {
  const entry = findWorld(name);
  if (entry.conform === undefined) throw new InputError('world', 'one that has recordings to be compared with', name);
  let code: number = EXIT.ok;
  for (const file of files) {
    try {
      const { form, counts, difference } = compare(entry, file);
      if (json) sayJson({ kind: 'conform', file, form, ...counts, exact: difference === null, difference });
      else say(oneLine(`${file}: ${form}: ${countsText(counts)}: ${difference ?? 'bit-exact'}`));
      if (difference !== null) code = Math.max(code, EXIT.failed);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      if (json) sayJson({ kind: 'conform', file, exact: false, error: error.message });
      remark(oneLine(error.message));
      code = EXIT.usage;
    }
  }
  leaveWith(code);
}

function compare(entry: AnyEntry, file: string): ConformReport {
  const lines = textOf(file).split('\n');
  const progress = new Progress(`comparing ${file}`);
  try {
    return entry.conform!(counting(lines, progress));
  } catch (error) {
    if (error instanceof InputError) error.message = `${file}: ${error.message}`;
    throw error;
  } finally {
    progress.clear();
  }
}

/** The lines, and how many of them have been asked for. */
function* counting(lines: readonly string[], progress: Progress): Generator<string> {
  for (const [i, line] of lines.entries()) {
    if (i % 64 === 0) progress.show(`line ${grouped(i)} of ${grouped(lines.length)}`, i / lines.length);
    yield line;
  }
}

function textOf(file: string): string {
  const bytes = readFile(file);
  const packed = bytes[0] === 0x1f && bytes[1] === 0x8b;
  try {
    return Buffer.from(packed ? gunzipSync(bytes) : bytes).toString('utf8');
  } catch (error) {
    throw new InputError(file, 'a whole gzip file', reasonOf(error));
  }
}

function countsText(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts).map(([what, count]) => `${what} ${grouped(count)}`).join(', '); // prettier-ignore
}
