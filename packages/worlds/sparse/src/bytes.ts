import { InputError } from '@lockstep/kernel';

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb8_8320 : crc >>> 1;
  return crc;
});

/** CRC-32 as in zlib. */
export function crc32(bytes: Uint8Array): number {
  let crc = 0xffff_ffff;
  for (let i = 0; i < bytes.length; i++) crc = CRC_TABLE[(crc ^ bytes[i]!) & 255]! ^ (crc >>> 8);
  return (crc ^ 0xffff_ffff) >>> 0;
}

/** Numbers into bytes, low byte first on every machine. */
export class ByteWriter {
  private view = new DataView(new ArrayBuffer(256));
  private at = 0;

  u16(value: number): void {
    const at = this.room(2); // the view may become another one
    this.view.setUint16(at, value, true);
  }
  u32(value: number): void {
    const at = this.room(4);
    this.view.setUint32(at, value, true);
  }
  i32(value: number): void {
    const at = this.room(4);
    this.view.setInt32(at, value, true);
  }
  f64(value: number): void {
    const at = this.room(8);
    this.view.setFloat64(at, value, true);
  }
  bytes(from: Uint8Array): void {
    const at = this.room(from.length);
    new Uint8Array(this.view.buffer).set(from, at);
  }

  /** Everything written so far with its CRC behind it, as bytes of its own. */
  sealed(): Uint8Array {
    this.u32(crc32(new Uint8Array(this.view.buffer, 0, this.at)));
    return new Uint8Array(this.view.buffer.slice(0, this.at));
  }

  private room(size: number): number {
    const at = this.at;
    this.at += size;
    if (this.at > this.view.byteLength) {
      const wider = new Uint8Array(Math.max(this.at, this.view.byteLength * 2));
      wider.set(new Uint8Array(this.view.buffer));
      this.view = new DataView(wider.buffer);
    }
    return at;
  }
}

/** The way back. Bytes whose CRC does not fit, or that end too early, are refused. */
export class ByteReader {
  private readonly view: DataView;
  private readonly path: string;
  private readonly end: number;
  private at = 0;

  constructor(bytes: Uint8Array, path: string) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.path = path;
    this.end = bytes.length - 4;
    if (this.end < 0) throw new InputError(path, 'a sealed blob', `${bytes.length} bytes`);
    const crc = crc32(bytes.subarray(0, this.end));
    const sealed = this.view.getUint32(this.end, true);
    if (crc !== sealed) throw new InputError(path, `CRC ${sealed.toString(16)}`, crc.toString(16));
  }

  u16(): number {
    return this.view.getUint16(this.step(2), true);
  }
  u32(): number {
    return this.view.getUint32(this.step(4), true);
  }
  i32(): number {
    return this.view.getInt32(this.step(4), true);
  }
  f64(): number {
    return this.view.getFloat64(this.step(8), true);
  }
  bytes(length: number): Uint8Array {
    const at = this.step(length);
    return new Uint8Array(this.view.buffer, this.view.byteOffset + at, length).slice();
  }
  close(): void {
    if (this.at !== this.end) throw new InputError(this.path, 'nothing after the last value', `${this.end - this.at} bytes`);
  }

  private step(size: number): number {
    const at = this.at;
    this.at += size;
    if (this.at > this.end) throw new InputError(this.path, 'more bytes', `${this.end}`);
    return at;
  }
}
