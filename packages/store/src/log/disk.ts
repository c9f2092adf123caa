/** The little that the log asks of an operating system: one folder of files, and what a crash leaves of them. */
export interface Disk {
  /** For messages. */
  readonly path: string;
  /** The names of all files. */
  list(): Promise<string[]>;
  /** Opens a file for reading and writing; `create` makes an empty one, or empties it. */
  open(name: string, create: boolean): Promise<DiskFile>;
  /** All at once: after a crash the file has one of its names. */
  rename(from: string, to: string): Promise<void>;
  remove(name: string): Promise<void>;
  /** When it resolves, names that were made, changed or removed survive whatever may happen. */
  sync(): Promise<void>;
  /** CRC-32 as in zlib, the fastest at hand. */
  readonly crc32: (bytes: Uint8Array) => number;
  /** Keeps other writers out until the answer is called, or the process is gone. */
  lock(): Promise<() => Promise<void>>;
}

export interface DiskFile {
  size(): Promise<number>;
  /** Fewer bytes where the file ends. */
  read(at: number, length: number): Promise<Uint8Array>;
  /** All of it; when it fails, any part of it may have been written. */
  write(at: number, bytes: Uint8Array): Promise<void>;
  truncate(length: number): Promise<void>;
  /** When it resolves, what was written survives whatever may happen. */
  sync(): Promise<void>;
  close(): Promise<void>;
}
