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
  /** `counter`: the seed, hashed; and the seed with the microtick, hashed: 0 between ticks, for it follows from the tick. */
  seedHash = 0;
  key = 0;
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
  dice.seedHash = mix(mix(dice.seedLow ^ 0x9e3779b9) ^ dice.seedHigh);
  if (needsStream) dice.words.set(createStream(keyAndIv(seed)));
  return dice;
}

export function diceFields(io: FieldIO, dice: Dice): void {
  dice.seedLow = io.num(dice.seedLow);
  dice.seedHigh = io.num(dice.seedHigh);
  dice.seedHash = io.num(dice.seedHash);
  dice.drawn = io.num(dice.drawn);
  io.derived(dice.words);
}

/** `counter` draws of a kick-off are numbered from here, so that they are nobody else's. */
const KICKOFF_DRAWS = 0x10_0000;

export function startMicrotick(dice: Dice, draws: Config['draws'], microtick: number): void {
  if (draws !== 'counter') return;
  dice.key = mix((dice.seedHash + microtick) | 0);
  dice.drawn = 0;
}

export function startKickOff(dice: Dice, draws: Config['draws'], tick: number): void {
  if (draws !== 'counter') return;
  startMicrotick(dice, draws, tick);
  dice.drawn = KICKOFF_DRAWS;
}

export function endMicroticks(dice: Dice, draws: Config['draws']): void {
  if (draws !== 'counter') return;
  dice.key = 0;
  dice.drawn = 0;
}

/** [CB-2.1] shuffle(robots), n microticks long. Only the official order depends on the one before it. */
export function advanceOrder(dice: Dice, draws: Config['draws'], order: Int32Array, n: number): void {
  if (draws !== 'official') return;
  shuffleOfficial(dice, order, n);
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

/**
 * [CB-G7] `shuffle`, n times: for i = len-1 .. 1, swap(i, gen_range(0, i + 1)); the array is shuffled in place and keeps its order.
 * gen_range is the high half of u64 * range, drawn again while the low half exceeds (range << leading_zeros(range)) - 1.
 * The high word of the u64 decides alone unless its product comes within `range` of a border, which the low word could carry it over.
 */
function shuffleOfficial(dice: Dice, order: Int32Array, times: number): void {
  const { words } = dice;
  const { length } = order;
  let { drawn } = dice;
  for (let n = times; n > 0; n--) {
    for (let i = length - 1; i >= 1; i--) {
      const range = i + 1;
      const zone = (range << Math.clz32(range)) >>> 0;
      let j = -1;
      do {
        const at = drawn & 1023;
        if (at === 0) refill(words);
        drawn += 2;
        const high = words[1025 + at]!;
        const low32 = Math.imul(high, range) >>> 0;
        if (low32 < zone - range) j = highHalf(high, range);
        else if (low32 < zone || low32 >= 0x1_0000_0000 - range) j = exactDraw(words[1024 + at]! >>> 0, high >>> 0, range, zone);
      } while (j < 0);
      const moved = order[i]!;
      order[i] = order[j]!;
      order[j] = moved;
    }
  }
  dice.drawn = drawn;
}

/** floor(word * range / 2^32) by halves; range is a few robots. */
function highHalf(word: number, range: number): number {
  return ((word >>> 16) * range + (((word & 0xffff) * range) >>> 16)) >>> 16;
}

/** The draw with all 64 bits, or -1 if it is rejected. */
function exactDraw(low: number, high: number, range: number, zone: number): number {
  const product = high * range + Math.floor((low * range) / 0x1_0000_0000);
  const j = Math.floor(product / 0x1_0000_0000);
  return product - j * 0x1_0000_0000 < zone ? j : -1;
}

/**
 * `counter`: the order of this microtick, a fresh permutation of 0..n-1 made from the hash alone. One word serves several picks: the high
 * half of word * range is the pick, the low half the next word.
 */
function shuffleCounter(dice: Dice, order: Int32Array): void {
  const { length } = order;
  for (let i = 0; i < length; i++) order[i] = i;
  let word = 0;
  for (let i = length - 1, picks = 0; i >= 1; i--, picks++) {
    if (picks % PICKS_PER_WORD === 0) word = hashWord(dice, -i);
    const j = highHalf(word, i + 1);
    word = Math.imul(word, i + 1);
    const moved = order[i]!;
    order[i] = order[j]!;
    order[j] = moved;
  }
}

/** Ranges up to 64 leave at least 2^8 equal parts for the last of them. */
const PICKS_PER_WORD = 4;

/** 32 well mixed bits of (seed, microtick, draw). */
function hashWord(dice: Dice, draw: number): number {
  return mix((dice.key ^ Math.imul(draw, 0x85ebca6b)) | 0);
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

/**
 * HC-128 from four words of key and four of iv: expand them into 1280 words, fill P and Q, run the cipher 1024 steps with its output
 * fed back into the tables.
 */
export function createStream(seed: Int32Array): Int32Array {
  const words = new Int32Array(2048);
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
  for (let j = 0; j < 512; j++) {
    const g = (rotateRight(words[(j - 3) & 511]!, 10) ^ rotateRight(words[(j + 1) & 511]!, 23)) + rotateRight(words[(j - 10) & 511]!, 8);
    const t = words[(j - 12) & 511]!;
    words[j] = (words[j]! + g) ^ (words[512 + (t & 255)]! + words[768 + ((t >>> 16) & 255)]!);
  }
  for (let j = 0; j < 512; j++) {
    const g =
      (rotateRight(words[512 + ((j - 3) & 511)]!, 22) ^ rotateRight(words[512 + ((j + 1) & 511)]!, 9)) +
      rotateRight(words[512 + ((j - 10) & 511)]!, 24);
    const t = words[512 + ((j - 12) & 511)]!;
    words[512 + j] = (words[512 + j]! + g) ^ (words[t & 255]! + words[256 + ((t >>> 16) & 255)]!);
  }
  return words;
}

/**
 * The next 1024 output words: 512 that change P with Q as the S-box, then 512 that change Q with P. Hot: about once a tick. The words that
 * the next steps read (P[j-3], P[j-511] = P[j+1]) are carried along in locals; g1 rotates right by 10, 23 and 8, g2 left.
 */
export function refill(words: Int32Array): void {
  let third = words[509]!;
  let second = words[510]!;
  let first = words[511]!;
  let own = words[0]!;
  for (let j = 0; j < 512; j++) {
    const next = words[(j + 1) & 511]!;
    const y = words[(j - 10) & 511]!;
    const t = words[(j - 12) & 511]!;
    const g = (((third >>> 10) | (third << 22)) ^ ((next >>> 23) | (next << 9))) + ((y >>> 8) | (y << 24));
    const p = (own + g) | 0;
    words[j] = p;
    words[1024 + j] = ((words[512 + (t & 255)]! + words[768 + ((t >>> 16) & 255)]!) | 0) ^ p;
    third = second;
    second = first;
    first = p;
    own = next;
  }
  third = words[1021]!;
  second = words[1022]!;
  first = words[1023]!;
  own = words[512]!;
  for (let j = 0; j < 512; j++) {
    const next = words[512 + ((j + 1) & 511)]!;
    const y = words[512 + ((j - 10) & 511)]!;
    const t = words[512 + ((j - 12) & 511)]!;
    const g = (((third << 10) | (third >>> 22)) ^ ((next << 23) | (next >>> 9))) + ((y << 8) | (y >>> 24));
    const q = (own + g) | 0;
    words[512 + j] = q;
    words[1536 + j] = ((words[t & 255]! + words[256 + ((t >>> 16) & 255)]!) | 0) ^ q;
    third = second;
    second = first;
    first = q;
    own = next;
  }
}
