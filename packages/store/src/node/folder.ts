import { type FileHandle, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { InputError } from '@lockstep/kernel';
import type { Disk, DiskFile } from '../log/disk.ts';
import { takeLock } from './lock.ts';

/** A folder of the file system; it is made where there is none. */
export class Folder implements Disk {
  readonly path: string;
  readonly crc32 = (bytes: Uint8Array): number => crc32(bytes);

  private constructor(path: string) {
    this.path = path;
  }

  static async at(path: string, isThere = false): Promise<Folder> {
    try {
      if (isThere) await readdir(path);
      else await mkdir(path, { recursive: true });
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      throw new InputError(path, "a folder with a world's log", code === 'ENOENT' ? 'no such folder' : code);
    }
    return new Folder(path);
  }

  list(): Promise<string[]> {
    return readdir(this.path);
  }

  async open(name: string, create: boolean): Promise<DiskFile> {
    try {
      return new NodeFile(await open(join(this.path, name), create ? 'w+' : 'r+'));
    } catch (error) {
      throw new InputError(join(this.path, name), 'a file that may be read and written', (error as NodeJS.ErrnoException).code);
    }
  }

  rename(from: string, to: string): Promise<void> {
    return rename(join(this.path, from), join(this.path, to));
  }

  remove(name: string): Promise<void> {
    return rm(join(this.path, name), { force: true });
  }

  async sync(): Promise<void> {
    if (process.platform === 'win32') return; // a folder cannot be opened there; names are kept in the journal
    const folder = await open(this.path, 'r');
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  }

  lock(): Promise<() => Promise<void>> {
    return takeLock(this.path);
  }
}

class NodeFile implements DiskFile {
  private readonly handle: FileHandle;

  constructor(handle: FileHandle) {
    this.handle = handle;
  }

  async size(): Promise<number> {
    return (await this.handle.stat()).size;
  }

  async read(at: number, length: number): Promise<Uint8Array> {
    const bytes = Buffer.allocUnsafeSlow(length);
    let done = 0;
    while (done < length) {
      const { bytesRead } = await this.handle.read(bytes, done, Math.min(length - done, 0x4000_0000), at + done);
      if (bytesRead === 0) break;
      done += bytesRead;
    }
    return new Uint8Array(bytes.buffer, bytes.byteOffset, done);
  }

  async write(at: number, bytes: Uint8Array): Promise<void> {
    let done = 0;
    while (done < bytes.length) {
      const { bytesWritten } = await this.handle.write(bytes, done, Math.min(bytes.length - done, 0x4000_0000), at + done);
      done += bytesWritten;
    }
  }

  truncate(length: number): Promise<void> {
    return this.handle.truncate(length);
  }

  sync(): Promise<void> {
    return this.handle.datasync();
  }

  close(): Promise<void> {
    return this.handle.close();
  }
}
