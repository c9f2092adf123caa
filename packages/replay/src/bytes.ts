/** False on the few machines that store the high byte first; the low half of a double is then the second of its two words. */
const LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;
/** Where the low and the high word of a double lie among its two. */
export const LO = LITTLE_ENDIAN ? 0 : 1;
export const HI = 1 - LO;

/** The data does not hold what it declares. Whoever knows the name of the section turns it into a line for people. */
export class Damage extends Error {}

/** Bytes that grow; numbers low byte first. */
export class ByteWriter {
  private bytes = new Uint8Array(256);
  length = 0;

  u8(value: number): void {
    this.room(1);
    this.bytes[this.length++] = value;
  }
  u16(value: number): void {
    this.u8(value & 255);
    this.u8(value >>> 8);
  }
  u32(value: number): void {
    this.u16(value & 0xffff);
    this.u16(value >>> 16);
  }
  /** Seven bits a byte, the lowest first. Whole numbers up to 2^53. */
  varint(value: number): void {
    let rest = value;
    while (rest >= 128) {
      this.u8((rest % 128) + 128);
      rest = Math.floor(rest / 128);
    }
    this.u8(rest);
  }
  put(bytes: Uint8Array): void {
    this.room(bytes.length);
    this.bytes.set(bytes, this.length);
    this.length += bytes.length;
  }
  done(): Uint8Array {
    return this.bytes.slice(0, this.length);
  }
  private room(extra: number): void {
    if (this.length + extra <= this.bytes.length) return;
    const wider = new Uint8Array(Math.max(this.bytes.length * 2, this.length + extra));
    wider.set(this.bytes);
    this.bytes = wider;
  }
}

/** Reads what ByteWriter wrote; never beyond the end. */
export class ByteReader {
  at = 0;
  private readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }
  get left(): number {
    return this.bytes.length - this.at;
  }
  u8(): number {
    if (this.at >= this.bytes.length) throw new Damage('it ends too early');
    return this.bytes[this.at++]!;
  }
  u16(): number {
    return this.u8() | (this.u8() << 8);
  }
  u32(): number {
    return (this.u16() | (this.u16() << 16)) >>> 0;
  }
  varint(): number {
    let value = 0;
    let scale = 1;
    for (;;) {
      const byte = this.u8();
      value += (byte & 127) * scale;
      if (value > Number.MAX_SAFE_INTEGER) throw new Damage('a number is too long');
      if (byte < 128) return value;
      scale *= 128;
    }
  }
  /** The next bytes, not copied. */
  take(count: number): Uint8Array {
    if (count > this.left) throw new Damage('it ends too early');
    this.at += count;
    return this.bytes.subarray(this.at - count, this.at);
  }
  end(): void {
    if (this.left > 0) throw new Damage(`${this.left} bytes are left over`);
  }
}
