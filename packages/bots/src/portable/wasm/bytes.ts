import { InputError } from '@lockstep/kernel';

const text = new TextDecoder('utf-8', { fatal: true });

/** Reads a module's bytes; whatever is not there or too long is refused by its place. */
export class Reader {
  readonly bytes: Uint8Array;
  readonly end: number;
  at: number;

  constructor(bytes: Uint8Array, at = 0, end: number = bytes.length) {
    this.bytes = bytes;
    this.at = at;
    this.end = end;
  }

  get isDone(): boolean {
    return this.at >= this.end;
  }

  malformed(expected: string, got: unknown, at = this.at): InputError {
    return new InputError(`wasm: byte ${at}`, expected, got);
  }

  byte(): number {
    if (this.at >= this.end) throw this.malformed('more bytes', 'the end');
    return this.bytes[this.at++]!;
  }

  /** An unsigned number, LEB128. */
  u32(): number {
    const from = this.at;
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.byte();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) {
        if (value > 0xffff_ffff) break;
        return value;
      }
    }
    throw this.malformed('a number of 32 bits', 'a longer one', from);
  }

  /** Signed numbers: only their length matters, but for types of blocks, which are small. */
  signed(mostBytes: number): number {
    const from = this.at;
    let value = 0;
    for (let i = 0; i < mostBytes; i++) {
      const byte = this.byte();
      value += (byte & 0x7f) * 2 ** (7 * i);
      if (byte < 0x80) return byte & 0x40 ? value - 2 ** (7 * i + 7) : value;
    }
    throw this.malformed(`a number of at most ${mostBytes} bytes`, 'a longer one', from);
  }

  skip(count: number): void {
    if (count > this.end - this.at) throw this.malformed(`${count} more bytes`, this.end - this.at);
    this.at += count;
  }

  name(): string {
    const length = this.u32();
    const from = this.at;
    this.skip(length);
    try {
      return text.decode(this.bytes.subarray(from, this.at));
    } catch {
      throw this.malformed('a name in UTF-8', 'other bytes', from);
    }
  }

  /** As many things as the number in front of them says. */
  list<T>(read: (index: number) => T): T[] {
    const from = this.at;
    const count = this.u32();
    if (count > this.end - this.at) throw this.malformed('a list that fits into its section', `${count} items`, from);
    return Array.from({ length: count }, (_, index) => read(index));
  }
}

/** Bytes that grow. */
export class Writer {
  private bytes: Uint8Array = new Uint8Array(256);
  length = 0;

  private room(more: number): void {
    if (this.length + more <= this.bytes.length) return;
    const bigger = new Uint8Array(Math.max(2 * this.bytes.length, this.length + more));
    bigger.set(this.bytes.subarray(0, this.length));
    this.bytes = bigger;
  }

  put(...bytes: number[]): this {
    return this.putAll(bytes);
  }

  putAll(bytes: ArrayLike<number>): this {
    this.room(bytes.length);
    this.bytes.set(bytes, this.length);
    this.length += bytes.length;
    return this;
  }

  u32(value: number): this {
    let left = value;
    for (; left >= 0x80; left = Math.floor(left / 128)) this.put((left % 128) | 0x80);
    return this.put(left);
  }

  /** Signed, for constants in code; a whole number that a double holds. */
  signed(value: number): this {
    for (let left = value; ; left = Math.floor(left / 128)) {
      const byte = ((left % 128) + 128) % 128;
      const rest = Math.floor(left / 128);
      if ((rest === 0 && byte < 0x40) || (rest === -1 && byte >= 0x40)) return this.put(byte);
      this.put(byte | 0x80);
    }
  }

  name(name: string): this {
    const bytes = new TextEncoder().encode(name);
    return this.u32(bytes.length).putAll(bytes);
  }

  get done(): Uint8Array {
    return this.bytes.subarray(0, this.length);
  }
}
