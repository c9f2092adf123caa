import {
  accessSync,
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { InputError } from '@lockstep/kernel';

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or folder',
  EACCES: 'no permission',
  EISDIR: 'a folder',
  ENOTDIR: 'a path through something that is no folder',
  ENOSPC: 'a full disk',
  EROFS: 'a read-only disk',
  ELOOP: 'a link that leads to itself',
  ERR_FS_FILE_TOO_LARGE: 'a file of more than 2 GB',
  EADDRINUSE: 'one that is in use',
  EADDRNOTAVAIL: 'no address of this machine',
  ENOTFOUND: 'a name nobody knows',
  EAI_AGAIN: 'a name nobody knows',
};

export function readFile(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new InputError(path, 'a readable file', reasonOf(error));
  }
}

/** With the folders above it, one by one: where a system has folders in which none can be made, Node's own way goes round for ever. */
export function makeFolder(path: string): void {
  const here = resolve(path);
  if (statSync(here, { throwIfNoEntry: false })?.isDirectory() === true) return;
  if (dirname(here) !== here) makeFolder(dirname(here));
  try {
    mkdirSync(here);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST' && statSync(here).isDirectory()) return; // somebody was quicker
    throw new InputError(path, 'a folder that can be made', reasonOf(error));
  }
}

/** Before long work: can the file be written in the end? */
export function checkWritable(path: string): void {
  let folder = /[/\\]$/.test(path);
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    folder ||= found?.isDirectory() === true;
    if (!folder) accessSync(found?.isFile() === false ? path : dirname(targetOf(path)), constants.W_OK);
  } catch (error) {
    throw new InputError(path, 'a file in a folder that can be written to', reasonOf(error));
  }
  if (folder) throw new InputError(path, 'the name of a file', 'a folder');
}

/**
 * Whole or not at all: whoever looks at the path sees the old file or the new one. A link stays one, its target is written;
 * so does a pipe or a device, which simply gets the bytes.
 */
export function writeAtomically(path: string, bytes: Uint8Array): void {
  let draft: string | null = null;
  try {
    if (statSync(path, { throwIfNoEntry: false })?.isFile() === false) return writeFileSync(path, bytes);
    const target = targetOf(path);
    draft = `${target}.${process.pid}.tmp`;
    writeFileSync(draft, bytes);
    renameSync(draft, target);
  } catch (error) {
    if (draft !== null) rmSync(draft, { force: true });
    throw new InputError(path, 'a file that can be written', reasonOf(error));
  }
}

const FLUSH_AT = 1 << 20;

/** A long text that is written while it comes, and is there under its name only when it is whole. */
export class Draft {
  private readonly path: string;
  /** null for a pipe or a device. */
  private readonly target: string | null;
  private readonly file: number;
  private parts: string[] = [];
  private size = 0;

  constructor(path: string) {
    this.path = path;
    const isPlain = statSync(path, { throwIfNoEntry: false })?.isFile() !== false;
    this.target = isPlain ? targetOf(path) : null;
    this.file = this.naming(() => openSync(this.draft, 'w'));
  }

  private get draft(): string {
    return this.target === null ? this.path : `${this.target}.${process.pid}.tmp`;
  }

  line(text: string): void {
    this.parts.push(text, '\n');
    this.size += text.length;
    if (this.size > FLUSH_AT) this.flush();
  }

  finish(): void {
    this.flush();
    this.naming(() => {
      closeSync(this.file);
      if (this.target !== null) renameSync(this.draft, this.target);
    });
  }

  /** Nothing is left of it. */
  drop(): void {
    closeSync(this.file);
    if (this.target !== null) rmSync(this.draft, { force: true });
  }

  private flush(): void {
    const bytes = Buffer.from(this.parts.join(''));
    this.parts = [];
    this.size = 0;
    this.naming(() => {
      for (let at = 0; at < bytes.length;) at += writeSync(this.file, bytes, at);
    });
  }

  private naming<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw new InputError(this.path, 'a file that can be written', reasonOf(error));
    }
  }
}

/** Where a path leads in the end, even if nothing is there yet. */
function targetOf(path: string): string {
  const here = resolve(path);
  if (lstatSync(here, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return here;
  return targetOf(resolve(realpathSync(dirname(here)), readlinkSync(here)));
}

export function reasonOf(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  return REASONS[code] ?? (code === '' ? String(error) : code);
}
