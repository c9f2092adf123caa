import { accessSync, constants, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { InputError } from '@lockstep/kernel';

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or folder',
  EACCES: 'no permission',
  EISDIR: 'a folder',
  ENOTDIR: 'a path through something that is no folder',
  ENOSPC: 'a full disk',
  EROFS: 'a read-only disk',
  ERR_FS_FILE_TOO_LARGE: 'a file of more than 2 GB',
};

export function readFile(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new InputError(path, 'a readable file', reasonOf(error));
  }
}

/** Before long work: can the file be written in the end? */
export function checkWritable(path: string): void {
  try {
    accessSync(dirname(resolve(path)), constants.W_OK);
  } catch (error) {
    throw new InputError(path, 'a file in a folder that can be written to', reasonOf(error));
  }
}

/** Whole or not at all: whoever looks at the path sees the old file or the new one. */
export function writeAtomically(path: string, bytes: Uint8Array): void {
  const draft = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(draft, bytes);
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw new InputError(path, 'a file that can be written', reasonOf(error));
  }
}

export function reasonOf(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  return REASONS[code] ?? (code === '' ? String(error) : code);
}
