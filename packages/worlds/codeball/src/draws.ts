import type { FieldIO, Seed } from '@lockstep/kernel';
import type { Config } from './rules.ts';

/**
 * The one door for dice. `official` is Rust's rand 0.6 `StdRng::seed_from_u64(seed)`, i.e. HC-128, read as the contest's
 * runner read it [CB-G7]. `counter` hashes (seed, microtick, draw), so a microtick in which nothing needs dice costs nothing.
 * The tables and the block of words are functions of (seed, words drawn); they are carried along because they are dear to recompute.
 */
export class Dice {
  seedLow = 0;
  seedHigh = 0;
  /** `official` and `none`: words drawn so far. `counter`: draws within this microtick, 0 between ticks. */
  drawn = 0;
  /** `counter`: microticks since the game began; 0 between ticks, for it follows from the tick. */
  microtick = 0;
  /** HC-128's P (512 words) and Q (512 words) after the current block, then the block's 1024 output words. */
  readonly words: Int32Array;

  constructor(official: boolean) {
    this.words = new Int32Array(official ? 2048 : 0);
  }
}

export function createDice(config: Config, seed: Seed): Dice {
  const needsStream = config.draws !== 'counter'; // `none` still draws the kick-off from the official stream
  const dice = new Dice(needsStream);
  dice.seedLow = Number(seed & 0xffff_ffffn) | 0;
  dice.seedHigh = Number(seed >> 32n) | 0;
  if (needsStream) setUpHc128(dice.words, keyAndIv(seed));
  return dice;
}

export function diceFields(io: FieldIO, dice: Dice): void {
  dice.seedLow = io.num(dice.seedLow);
  dice.seedHigh = io.num(dice.seedHigh);
  dice.drawn = io.num(dice.drawn);
  io.derived(dice.words);
}

/** `counter` draws of a kick-off are numbered from here, so that they are nobody else's. */
const KICKOFF_DRAWS = 0x10_0000;

export function startMicrotick(dice: Dice, draws: Config['draws'], microtick: number): void {
  dice.microtick = microtick;
  if (draws === 'counter') dice.drawn = 0;
}

export function startKickOff(dice: Dice, draws: Config['draws'], tick: number): void {
  dice.microtick = tick;
  if (draws === 'counter') dice.drawn = KICKOFF_DRAWS;
}

export function endMicroticks(dice: Dice, draws: Config['draws']): void {
  startMicrotick(dice, draws, 0);
}

/** [CB-2.1] shuffle(robots), n microticks long. Only the official order depends on the one before it. */
export function advanceOrder(dice: Dice, draws: Config['draws'], order: Int32Array, n: number): void {
  if (draws !== 'official') return;
  for (let i = 0; i < n; i++) shuffleOfficial(dice, order);
}

/** Brings `order` to this microtick's, where that was not done by `advanceOrder`. */
export function orderOf(dice: Dice, draws: Config['draws'], order: Int32Array): void {
  if (draws === 'counter') shuffleCounter(dice, order);
}

const kept = { words: new Int32Array(2048), drawn: 0, order: new Int32Array(0) };

/** Before draws that may have to be taken back. */
export function keepDice(dice: Dice, draws: Config['draws'], order: Int32Array): void {
  if (draws !== 'official') return;
  if (kept.order.length !== order.length) kept.order = new Int32Array(order.length);
  kept.words.set(dice.words);
  kept.drawn = dice.drawn;
  kept.order.set(order);
}

export function restoreDice(dice: Dice, draws: Config['draws'], order: Int32Array): void {
  if (draws !== 'official') return;
  dice.words.set(kept.words);
  dice.drawn = kept.drawn;
  order.set(kept.order);
}

/** A double in lo..hi. [CB-G7] rand 0.6 `gen_range`: 52 bits as a double in 1..2, scaled and shifted. */
export function drawBetween(dice: Dice, draws: Config['draws'], lo: number, hi: number): number {
  let low: number;
  let high: number;
  if (draws === 'counter') {
    const at = dice.drawn++;
    low = hashWord(dice, at * 2);
    high = hashWord(dice, at * 2 + 1);
  } else {
    low = nextWord(dice);
    high = nextWord(dice);
  }
  const fraction = ((high >>> 0) * 0x10_0000 + (low >>> 12)) / 0x10_0000_0000_0000;
  const scale = hi - lo;
  return (1 + fraction) * scale + (lo - scale);
}

/** [CB-G7] `shuffle`: for i = len-1 .. 1, swap(i, gen_range(0, i + 1)); the array is shuffled in place and keeps its order. */
function shuffleOfficial(dice: Dice, order: Int32Array): void {
  const words = dice.words;
  let at = dice.drawn & 1023;
  let drawn = dice.drawn;
  for (let i = order.length - 1; i >= 1; i--) {
    const n = i + 1;
    const zone = (n << Math.clz32(n)) >>> 0; // rejects while the low 64 bits of the product exceed (n << leading_zeros(n)) - 1
    for (;;) {
      if (at === 0) refill(words);
      const low = words[1024 + at]! >>> 0;
      const high = words[1025 + at]! >>> 0;
      at = (at + 2) & 1023;
      drawn += 2;
      const product = high * n + Math.floor((low * n) / 0x1_0000_0000);
      const j = Math.floor(product / 0x1_0000_0000);
      if (product - j * 0x1_0000_0000 >= zone) continue;
      const kept = order[i]!;
      order[i] = order[j]!;
      order[j] = kept;
      break;
    }
  }
  dice.drawn = drawn;
}

/** `counter`: the order of this microtick, a fresh permutation of 0..n-1 made from the hash alone. */
function shuffleCounter(dice: Dice, order: Int32Array): void {
  for (let i = 0; i < order.length; i++) order[i] = i;
  for (let i = order.length - 1; i >= 1; i--) {
    const word = hashWord(dice, -i) >>> 0;
    const j = Math.floor((word * (i + 1)) / 0x1_0000_0000);
    const kept = order[i]!;
    order[i] = order[j]!;
    order[j] = kept;
  }
}

/** 32 well mixed bits of (seed, microtick, draw). */
function hashWord(dice: Dice, draw: number): number {
  let h = mix(dice.seedLow ^ 0x9e3779b9);
  h = mix(h ^ dice.seedHigh);
  h = mix((h + dice.microtick) | 0);
  return mix((h ^ Math.imul(draw, 0x85ebca6b)) | 0);
}

function mix(word: number): number {
  let h = word;
  h = Math.imul(h ^ (h >>> 16), 0x21f0aaad);
  h = Math.imul(h ^ (h >>> 15), 0x735a2d97);
  return h ^ (h >>> 15);
}

function nextWord(dice: Dice): number {
  const at = dice.drawn & 1023;
  if (at === 0) refill(dice.words);
  dice.drawn++;
  return dice.words[1024 + at]!;
}

/** rand_core 0.3 `seed_from_u64`: eight words of PCG32; 0-3 are the key, 4-7 the iv. */
function keyAndIv(seed: Seed): Int32Array {
  const words = new Int32Array(8);
  let state = seed;
  for (let i = 0; i < 8; i++) {
    state = (state * 6364136223846793005n + 11634580027462260723n) & 0xffff_ffff_ffff_ffffn;
    const xorshifted = Number((((state >> 18n) ^ state) >> 27n) & 0xffff_ffffn);
    words[i] = rotateRight(xorshifted, Number(state >> 59n));
  }
  return words;
}

const rotateRight = (x: number, by: number): number => (x >>> by) | (x << ((32 - by) & 31));

/** HC-128: expand key and iv into 1280 words, fill P and Q, run the cipher 1024 steps feeding its output back. */
function setUpHc128(words: Int32Array, seed: Int32Array): void {
  const w = new Int32Array(1280);
  for (let i = 0; i < 16; i++) w[i] = seed[(i & 3) + (i < 8 ? 0 : 4)]!;
  for (let i = 16; i < 1280; i++) {
    const x = w[i - 2]!;
    const y = w[i - 15]!;
    const f2 = rotateRight(x, 17) ^ rotateRight(x, 19) ^ (x >>> 10);
    const f1 = rotateRight(y, 7) ^ rotateRight(y, 18) ^ (y >>> 3);
    w[i] = (f2 + w[i - 7]! + f1 + w[i - 16]! + i) | 0;
  }
  words.set(w.subarray(256, 1280));
  for (let j = 0; j < 512; j++) words[j] = stirred(words, 0, j, 10, 23, 8) ^ substituted(words, 0, 512, j);
  for (let j = 0; j < 512; j++) words[512 + j] = stirred(words, 512, j, 22, 9, 24) ^ substituted(words, 512, 0, j);
}

/** The next 1024 output words: 512 that change P (with Q as the S-box), then 512 that change Q. g2 rotates left by 10, 23 and 8. */
function refill(words: Int32Array): void {
  for (let j = 0; j < 512; j++) {
    words[j] = stirred(words, 0, j, 10, 23, 8);
    words[1024 + j] = substituted(words, 0, 512, j) ^ words[j]!;
  }
  for (let j = 0; j < 512; j++) {
    words[512 + j] = stirred(words, 512, j, 22, 9, 24);
    words[1536 + j] = substituted(words, 512, 0, j) ^ words[512 + j]!;
  }
}

/** P[j] + g1(P[j-3], P[j-10], P[j-511]), all rotations to the right. */
function stirred(words: Int32Array, own: number, j: number, r1: number, r2: number, r3: number): number {
  const x = words[own + ((j - 3) & 511)]!;
  const y = words[own + ((j - 10) & 511)]!;
  const z = words[own + ((j + 1) & 511)]!;
  const g = (((x >>> r1) | (x << (32 - r1))) ^ ((z >>> r2) | (z << (32 - r2)))) + ((y >>> r3) | (y << (32 - r3)));
  return (words[own + j]! + g) | 0;
}

/** h1(P[j-12]): two look-ups in the other table. */
function substituted(words: Int32Array, own: number, other: number, j: number): number {
  const t = words[own + ((j - 12) & 511)]!;
  return (words[other + (t & 255)]! + words[other + 256 + ((t >>> 16) & 255)]!) | 0;
}
