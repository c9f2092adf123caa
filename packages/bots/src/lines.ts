/** Bytes as they come, cut into lines of at most `most` bytes. */
export class Lines {
  private readonly most: number;
  private readonly onLine: (line: string) => void;
  private readonly onTooLong: () => void;
  private parts: Uint8Array[] = [];
  private size = 0;
  private stopped = false;

  constructor(most: number, onLine: (line: string) => void, onTooLong: () => void) {
    this.most = most;
    this.onLine = onLine;
    this.onTooLong = onTooLong;
  }

  /** What follows is no text any more, or nobody listens. Gives what has not been read yet. */
  stop(): void {
    this.stopped = true;
  }

  take(chunk: Uint8Array): Uint8Array {
    let rest = chunk;
    for (let end = rest.indexOf(NEWLINE); end >= 0 && !this.stopped; end = rest.indexOf(NEWLINE)) {
      const line = this.finish(rest.subarray(0, end));
      rest = rest.subarray(end + 1);
      if (line === null) return this.tooLong();
      this.onLine(line);
    }
    if (this.stopped || rest.length === 0) return rest;
    this.parts.push(Uint8Array.from(rest)); // what it was read into is used again
    this.size += rest.length;
    return this.size > this.most ? this.tooLong() : EMPTY;
  }

  private finish(last: Uint8Array): string | null {
    const bytes = this.parts.length === 0 ? last : Buffer.concat([...this.parts, last]);
    this.parts = [];
    this.size = 0;
    if (bytes.length > this.most) return null;
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
    return text.endsWith('\r') ? text.slice(0, -1) : text;
  }

  private tooLong(): Uint8Array {
    this.stop();
    this.parts = [];
    this.onTooLong();
    return EMPTY;
  }
}

const NEWLINE = 10;
const EMPTY = new Uint8Array(0);
