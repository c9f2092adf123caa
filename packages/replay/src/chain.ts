import { HI, LO } from './bytes.ts';

/**
 * 64 bits over everything that happened: every action of every tick, events that are not kept, and the state hash at every link. A link depends
 * on all that came before it, so the last one stands for the whole game. Mixed like the kernel's state hash: every step is a bijection of the lanes.
 */
export class Chain {
  a = 0x13198a2e;
  b = 0x03707344;

  /** The values of one tick's actions. */
  actions(row: Float64Array): void {
    const words = new Int32Array(row.buffer, row.byteOffset, row.length * 2);
    for (let i = 0; i < words.length; i += 2) this.mix(words[i + LO]!, words[i + HI]!);
  }

  /** 16 hexadecimal digits. */
  state(hash: string): void {
    this.mix(Number.parseInt(hash.slice(8), 16) | 0, Number.parseInt(hash.slice(0, 8), 16) | 0);
  }

  /** Events that the file does not keep, as JSON. */
  text(json: string): void {
    for (let i = 0; i < json.length; i += 2) this.mix(json.charCodeAt(i), i + 1 < json.length ? json.charCodeAt(i + 1) : -1);
    this.mix(json.length, 0);
  }

  private mix(low: number, high: number): void {
    let lo = Math.imul(low, 0x239b961b);
    lo = Math.imul((lo << 15) | (lo >>> 17), 0xab0e9789);
    let hi = Math.imul(high, 0xab0e9789);
    hi = Math.imul((hi << 16) | (hi >>> 16), 0x38b34ae5);
    const a = this.a ^ lo;
    const b = this.b ^ hi;
    this.a = (((a << 19) | (a >>> 13)) + b) | 0;
    this.b = (Math.imul((b << 17) | (b >>> 15), 5) + this.a + 0x561ccd1b) | 0;
  }
}

/** Two bytes of the state hash are kept at every mark: enough to say where a game went another way. */
export function mark(hash: string): number {
  return Number.parseInt(hash.slice(0, 4), 16);
}
