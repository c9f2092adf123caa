/** HC-128 and the contest's draws, one word at a time as their definitions read; `counter` as the product defines it. */
import type { Draws } from '../src/rules.ts';

const rotl = (x: number, n: number): number => ((x << n) | (x >>> (32 - n))) >>> 0;
const rotr = (x: number, n: number): number => (n === 0 ? x >>> 0 : ((x >>> n) | (x << (32 - n))) >>> 0);

class Hc128 {
  private readonly p = new Uint32Array(512);
  private readonly q = new Uint32Array(512);
  private i = 0;

  constructor(key: readonly number[], iv: readonly number[]) {
    const w = new Uint32Array(1280);
    for (let i = 0; i < 8; i++) {
      w[i] = key[i % 4]!;
      w[i + 8] = iv[i % 4]!;
    }
    const f1 = (x: number) => rotr(x, 7) ^ rotr(x, 18) ^ (x >>> 3);
    const f2 = (x: number) => rotr(x, 17) ^ rotr(x, 19) ^ (x >>> 10);
    for (let i = 16; i < 1280; i++) w[i] = f2(w[i - 2]!) + w[i - 7]! + f1(w[i - 15]!) + w[i - 16]! + i;
    for (let i = 0; i < 512; i++) {
      this.p[i] = w[i + 256]!;
      this.q[i] = w[i + 768]!;
    }
    for (let i = 0; i < 512; i++) this.p[i] = this.next();
    for (let i = 0; i < 512; i++) this.q[i] = this.next();
  }

  next(): number {
    const { p, q } = this;
    const j = this.i % 512;
    const inP = this.i < 512;
    this.i = (this.i + 1) % 1024;
    const own = inP ? p : q;
    const other = inP ? q : p;
    const rot = inP ? rotr : rotl;
    const minus = (k: number) => own[(j - k + 512) % 512]!;
    const g = (rot(minus(3), 10) ^ rot(minus(511), 23)) + rot(minus(10), 8);
    own[j] = own[j]! + g;
    const t = minus(12);
    const h = other[t & 255]! + other[256 + ((t >>> 16) & 255)]!;
    return (h ^ own[j]) >>> 0;
  }
}

export class NaiveDice {
  private readonly stream: Hc128;
  private readonly draws: Draws;
  private readonly seed: bigint;
  private microtick = 0;
  private drawn = 0;

  constructor(draws: Draws, seed: bigint) {
    this.draws = draws;
    this.seed = seed;
    const words: number[] = [];
    let state = seed;
    for (let i = 0; i < 8; i++) {
      state = BigInt.asUintN(64, state * 6364136223846793005n + 11634580027462260723n);
      words.push(rotr(Number((((state >> 18n) ^ state) >> 27n) & 0xffff_ffffn), Number(state >> 59n)));
    }
    this.stream = new Hc128(words.slice(0, 4), words.slice(4));
  }

  atMicrotick(microtick: number): void {
    this.microtick = microtick;
    this.drawn = 0;
  }

  atKickOff(tick: number): void {
    this.microtick = tick;
    this.drawn = 0x100000;
  }

  between(lo: number, hi: number): number {
    const counter = this.draws === 'counter';
    const at = this.drawn++;
    const low = counter ? this.hashed(2 * at) : this.stream.next();
    const high = counter ? this.hashed(2 * at + 1) : this.stream.next();
    const scale = hi - lo;
    return (1 + (high * 0x10_0000 + (low >>> 12)) / 0x10_0000_0000_0000) * scale + (lo - scale);
  }

  shuffle(array: unknown[]): void {
    let word = 0;
    for (let i = array.length - 1, picks = 0; i >= 1; i--, picks++) {
      let j;
      if (this.draws === 'counter') {
        if (picks % 4 === 0) word = this.hashed(-i);
        j = Math.floor((word * (i + 1)) / 0x1_0000_0000);
        word = (word * (i + 1)) % 0x1_0000_0000;
      } else j = this.below(i + 1);
      [array[i], array[j]] = [array[j], array[i]];
    }
  }

  /** 64-bit widening multiply with rejection: the high 64 bits of u64 * n, drawn again while the low 64 exceed the zone. */
  private below(n: number): number {
    const zone = ((n << Math.clz32(n)) >>> 0) - 1;
    for (;;) {
      const low = this.stream.next();
      const high = this.stream.next();
      const middle = high * n + Math.floor((low * n) / 0x1_0000_0000);
      if (middle % 0x1_0000_0000 <= zone) return Math.floor(middle / 0x1_0000_0000);
    }
  }

  private hashed(draw: number): number {
    const mix = (word: number): number => {
      let h = word;
      h = Math.imul(h ^ (h >>> 16), 0x21f0aaad);
      h = Math.imul(h ^ (h >>> 15), 0x735a2d97);
      return h ^ (h >>> 15);
    };
    let h = mix(Number(this.seed & 0xffff_ffffn) ^ 0x9e3779b9);
    h = mix(h ^ Number(this.seed >> 32n));
    h = mix((h + this.microtick) | 0);
    return mix(h ^ Math.imul(draw, 0x85ebca6b)) >>> 0;
  }
}
