import { readSync, writeSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';

/**
 * A child's stdin and stdout past the event loop: a question is one call of the system, and an answer that is there is read at once. Where there
 * are no descriptors (Windows, streams that have ended), or where something waits in a stream already, the streams do their work as ever.
 */
export class Direct {
  private readonly stdin: Writable;
  private readonly stdout: Readable;
  private readonly buffer = Buffer.alloc(BUFFER_BYTES);

  constructor(stdin: Writable, stdout: Readable) {
    this.stdin = stdin;
    this.stdout = stdout;
  }

  get isOpen(): boolean {
    return descriptorOf(this.stdout) >= 0 && this.stdout.readableLength === 0;
  }

  /** The bytes may be others afterwards. */
  write(bytes: Uint8Array): void {
    const written = this.stdin.writableLength === 0 ? this.tryWrite(bytes) : 0;
    if (written < bytes.length) this.stdin.write(Buffer.from(bytes.subarray(written)));
  }

  private tryWrite(bytes: Uint8Array): number {
    const descriptor = descriptorOf(this.stdin);
    if (descriptor < 0) return 0;
    try {
      return writeSync(descriptor, bytes);
    } catch {
      return 0; // it is full or closed, as the stream will see and tell
    }
  }

  /** What is there now, to be used before the next call; null: nothing, or nothing any more, which the stream will see and tell. */
  read(): Uint8Array | null {
    if (!this.isOpen) return null;
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0; // "not yet" is thrown, and to say where takes longer than to look again
    try {
      const length = readSync(descriptorOf(this.stdout), this.buffer, 0, BUFFER_BYTES, null);
      return length === 0 ? null : this.buffer.subarray(0, length);
    } catch {
      return null;
    } finally {
      Error.stackTraceLimit = stackTraceLimit;
    }
  }
}

const BUFFER_BYTES = 65_536;

/** Sockets of Node have it, if under a name that is theirs. */
function descriptorOf(stream: object): number {
  return (stream as { readonly _handle?: { readonly fd?: number } | null })._handle?.fd ?? -1;
}
