import { nextInt, seedRng } from '@lockstep/kernel';
import { describe, expect, it } from 'vitest';
import { chance } from '../oracle/compare.test-support.ts';
import { Action } from './action.ts';
import {
  advanceOrder,
  createDice,
  createStream,
  type Dice,
  drawBetween,
  endMicroticks,
  keepDice,
  orderOf,
  restoreDice,
  startKickOff,
  startMicrotick,
} from './draws.ts';
import { readConfig } from './door.ts';
import { type Draws, DRAWS } from './rules.ts';
import { world } from './world.ts';

const MAX_SEED = 18446744073709551615n;
const diceOf = (draws: Draws, seed: bigint): Dice => createDice(readConfig({ draws }), seed);

/** The word pairs behind official doubles in 0..2^52, which show 52 bits of each pair: the high word and the upper 20 bits of the low one. */
function bitsOf(dice: Dice): [low20: number, high: number] {
  const fraction = drawBetween(dice, 'official', 0, 1) * 2 ** 52;
  return [fraction % 2 ** 20, Math.floor(fraction / 2 ** 20)];
}

describe('HC-128', () => {
  it('[CB-G7] gives the words of its definition for key 0 and iv 0', () => {
    const known = [0x73150082, 0x3bfd03a0, 0xfb2fd77f, 0xaa63af0e, 0xde122fc6, 0xa7dc29b6, 0x62a68527, 0x8b75ec68];
    const dice = diceOf('official', 0n);
    dice.words.set(createStream(new Int32Array(8)));
    for (let i = 0; i < known.length; i += 2) {
      // (1 + f) * 1 + (0 - 1) keeps all 52 bits
      expect(bitsOf(dice)).toStrictEqual([known[i]! >>> 12, known[i + 1]!]);
    }
    expect(dice.drawn).toBe(8);
  });

  it('[CB-G7] depends on key and iv', () => {
    const key = createStream(Int32Array.of(1, 0, 0, 0, 0, 0, 0, 0));
    const iv = createStream(Int32Array.of(0, 0, 0, 0, 1, 0, 0, 0));
    expect(key.slice(0, 1024)).not.toStrictEqual(iv.slice(0, 1024));
    expect(iv.slice(0, 1024)).not.toStrictEqual(createStream(new Int32Array(8)).slice(0, 1024));
  });
});

describe('doubles', () => {
  it.each(DRAWS)('[CB-G7] have 52 bits and lie in lo..hi, about evenly: %s', (draws) => {
    const dice = diceOf(draws, 7n);
    startMicrotick(dice, draws, 3);
    const tenths = Array.from({ length: 10 }, () => 0);
    for (let i = 0; i < 20_000; i++) {
      const e = drawBetween(dice, draws, 0, 1);
      if (!(e >= 0 && e < 1 && Number.isInteger(e * 2 ** 52))) throw new Error(`draw ${i} is ${e}`);
      tenths[Math.floor(e * 10)]!++;
    }
    for (const count of tenths) {
      expect(count).toBeGreaterThan(1800);
      expect(count).toBeLessThan(2200);
    }
  });

  it('[CB-1.4g] a restitution lies in MIN_HIT_E..MAX_HIT_E', () => {
    const dice = diceOf('official', 1n);
    for (let i = 0; i < 10_000; i++) {
      const e = drawBetween(dice, 'official', 0.4, 0.5);
      if (!(e >= 0.4 && e <= 0.5)) throw new Error(`draw ${i} is ${e}`);
    }
    expect(drawBetween(dice, 'official', 0.5, 0.5)).toBe(0.5);
  });
});

/** The order of microtick `at`, for teams of two. */
function orderAt(dice: Dice, draws: Draws, at: number): number[] {
  const order = Int32Array.of(0, 1, 2, 3);
  startMicrotick(dice, draws, at);
  advanceOrder(dice, draws, order, 1);
  orderOf(dice, draws, order);
  endMicroticks(dice, draws);
  return [...order];
}

describe('shuffles', () => {
  it.each(['official', 'counter'] as const)('[CB-2.1g] every order of four robots comes equally often: %s', (draws) => {
    const dice = diceOf(draws, 5n);
    const seen = new Map<string, number>();
    for (let at = 0; at < 24_000; at++) {
      const order = orderAt(dice, draws, at).join();
      seen.set(order, (seen.get(order) ?? 0) + 1);
    }
    expect(seen.size).toBe(24);
    // five standard deviations
    expect(Math.min(...seen.values())).toBeGreaterThan(850);
    expect(Math.max(...seen.values())).toBeLessThan(1150);
  });

  it('[CB-G7] the official shuffle is in place: it goes on from the order before', () => {
    const one = diceOf('official', 5n);
    const two = diceOf('official', 5n);
    const sorted = Int32Array.of(0, 1, 2, 3);
    const reversed = Int32Array.of(3, 2, 1, 0);
    advanceOrder(one, 'official', sorted, 1);
    advanceOrder(two, 'official', reversed, 1);
    expect([...reversed]).toStrictEqual([...sorted].map((robot) => 3 - robot));
  });

  it('[CB-G7] many shuffles at once are the same as one by one', () => {
    const [one, two] = [diceOf('official', 99n), diceOf('official', 99n)];
    const [a, b] = [Int32Array.of(0, 1, 2, 3, 4, 5), Int32Array.of(0, 1, 2, 3, 4, 5)];
    advanceOrder(one, 'official', a, 500);
    for (let i = 0; i < 500; i++) advanceOrder(two, 'official', b, 1);
    expect(a).toStrictEqual(b);
    expect(one.drawn).toBe(two.drawn);
  });

  it('[CB-G7] a shuffle of four draws 10.7 words on average, for rejected draws are drawn again', () => {
    const dice = diceOf('official', 2n);
    const order = Int32Array.of(0, 1, 2, 3);
    advanceOrder(dice, 'official', order, 10_000);
    expect(dice.drawn / 10_000).toBeGreaterThan(10.6);
    expect(dice.drawn / 10_000).toBeLessThan(10.8);
  });

  it('[CB-G7] at the borders of acceptance all 64 bits decide, as in the definition', () => {
    const rng = seedRng(1n);
    let rejected = 0;
    for (let i = 0; i < 3000; i++) {
      const n = 2 + nextInt(rng, 7);
      // High words within 2 of a border: where the product wraps around, and where its low half meets the zone.
      const zone = BigInt(n) << BigInt(Math.clz32(n) + 32);
      const words: number[] = [];
      for (let k = 0; k < 200; k++) {
        const border = ((BigInt(nextInt(rng, n)) << 64n) + (chance(rng, 0.5) ? zone : 0n)) / BigInt(n);
        const high = Number(BigInt.asUintN(32, (border >> 32n) + BigInt(nextInt(rng, 5) - 2)));
        words.push(nextInt(rng, 0x1_0000_0000), high);
      }
      const dice = diceOf('official', 0n);
      dice.drawn = 2; // within a block, so that it is not made anew
      dice.words.set(words, 1024 + 2);
      const order = Int32Array.from({ length: n }, (_, robot) => robot);
      advanceOrder(dice, 'official', order, 1);

      let used = 0;
      const expected = Array.from({ length: n }, (_, robot) => robot);
      for (let last = n - 1; last >= 1; last--) {
        const range = BigInt(last + 1);
        const accepted = (range << BigInt(Math.clz32(last + 1) + 32)) - 1n;
        let product: bigint;
        do {
          product = ((BigInt(words[used + 1]!) << 32n) | BigInt(words[used]!)) * range;
          used += 2;
        } while (BigInt.asUintN(64, product) > accepted);
        const pick = Number(product >> 64n);
        [expected[last], expected[pick]] = [expected[pick]!, expected[last]!];
      }
      expect([...order]).toStrictEqual(expected);
      expect(dice.drawn).toBe(2 + used);
      rejected += used / 2 - (n - 1);
    }
    expect(rejected).toBeGreaterThan(1000);
  });

  it('[CB-G7] draws can be taken back', () => {
    const dice = diceOf('official', 2n);
    const order = Int32Array.of(0, 1, 2, 3);
    advanceOrder(dice, 'official', order, 80);
    keepDice(dice, 'official', order);
    advanceOrder(dice, 'official', order, 200);
    const first = [...order, drawBetween(dice, 'official', 0, 1)];
    restoreDice(dice, 'official', order);
    advanceOrder(dice, 'official', order, 200);
    expect([...order, drawBetween(dice, 'official', 0, 1)]).toStrictEqual(first);
  });
});

describe('the other modes', () => {
  it('[CB-G7] counter draws depend on seed and microtick alone, not on what was drawn before', () => {
    const fresh = diceOf('counter', 42n);
    const used = diceOf('counter', 42n);
    for (let at = 0; at < 50; at++) {
      orderAt(used, 'counter', at);
      startMicrotick(used, 'counter', at);
      for (let i = 0; i < 5; i++) drawBetween(used, 'counter', 0, 1);
    }
    expect(orderAt(used, 'counter', 1000)).toStrictEqual(orderAt(fresh, 'counter', 1000));
    startMicrotick(used, 'counter', 1000);
    startMicrotick(fresh, 'counter', 1000);
    expect(drawBetween(used, 'counter', 0, 1)).toBe(drawBetween(fresh, 'counter', 0, 1));
    startMicrotick(used, 'counter', 1001);
    startMicrotick(fresh, 'counter', 1000);
    expect(drawBetween(used, 'counter', 0, 1)).not.toBe(drawBetween(fresh, 'counter', 0, 1));
  });

  it('[CB-G7] the draws of a kick-off are nobody else’s', () => {
    const dice = diceOf('counter', 42n);
    startKickOff(dice, 'counter', 0);
    const atKickOff = drawBetween(dice, 'counter', 0, 1);
    startMicrotick(dice, 'counter', 0);
    expect(drawBetween(dice, 'counter', 0, 1)).not.toBe(atKickOff);
  });

  it('[CB-G7] none: robots stay in id order, every hit has MAX_HIT_E, only the kick-off is drawn, as officially', () => {
    const state = world.create(readConfig({ draws: 'none' }), 3n);
    const official = world.create(readConfig({ draws: 'official' }), 3n);
    expect(state.ball).toStrictEqual(official.ball);
    expect(state.robots).toStrictEqual(official.robots);
    const drawn = state.dice.drawn;
    expect(drawn).toBe(4);
    const actions = [new Action(2), new Action(2)];
    // Head-on at 10 each, and nothing else near: after the hit each keeps half of its speed, turned.
    state.ball.x = 20;
    for (const [i, robot] of state.robots.entries()) robot.z = i < 2 ? -30 : 30;
    const [a, , b] = state.robots;
    Object.assign(a!, { x: -1.01, y: 10, z: 0, vx: 10, touch: false });
    Object.assign(b!, { x: 1.01, y: 10, z: 0, vx: -10, touch: false });
    world.step(state, actions, []);
    expect([a!.vx, b!.vx]).toStrictEqual([-5, 5]);
    expect([...state.order]).toStrictEqual([0, 1, 2, 3]);
    expect(state.dice.drawn).toBe(drawn);
  });
});

describe('seeds', () => {
  const kickOff = (seed: bigint, draws: Draws = 'official') => {
    const { ball, robots } = world.create(readConfig({ draws }), seed);
    return { y: ball.y, x1: robots[0]!.x, z1: robots[0]!.z, x2: robots[1]!.x };
  };

  it('[CB-G8] a contest seed gives the contest’s kick-off', () => {
    // seed 396075381, recorded from the contest's runner
    expect(kickOff(396075381n)).toStrictEqual({
      y: 5.745881048087769,
      x1: 10.308028600752394,
      z1: -17.138977401410816,
      x2: -9.688775524132971,
    });
  });

  it('[CB-G7] all 64 bits of a seed count', () => {
    expect(kickOff(MAX_SEED)).toMatchInlineSnapshot(`
      {
        "x1": 6.977453675568452,
        "x2": -12.743535948222295,
        "y": 6.784192007156456,
        "z1": -18.74340257811522,
      }
    `);
    expect(kickOff(538460243868820754n)).toMatchInlineSnapshot(`
      {
        "x1": 14.496342743612383,
        "x2": -4.684642013761667,
        "y": 6.3509272154739165,
        "z1": -13.778826040694348,
      }
    `);
    expect(kickOff(MAX_SEED, 'counter')).toMatchInlineSnapshot(`
      {
        "x1": 14.580252182283866,
        "x2": -4.565766314145613,
        "y": 2.931587853258959,
        "z1": -13.69000534335201,
      }
    `);
    for (const draws of ['official', 'counter'] as const) {
      // what a double would make of them
      expect(kickOff(538460243868820754n, draws)).not.toStrictEqual(kickOff(BigInt(Number(538460243868820754n)), draws));
      expect(kickOff(1n << 63n, draws)).not.toStrictEqual(kickOff(0n, draws));
      expect(kickOff(1n << 32n, draws)).not.toStrictEqual(kickOff(0n, draws));
    }
  });

  it('[CB-1.2d] the ball’s height is spread evenly over BALL_RADIUS..4 BALL_RADIUS', () => {
    const heights = Array.from({ length: 600 }, (_, seed) => kickOff(BigInt(seed), 'counter').y);
    for (const y of heights) if (!(y >= 2 && y < 8)) throw new Error(`height ${y}`);
    for (let from = 2; from < 8; from++) {
      const count = heights.filter((y) => y >= from && y < from + 1).length;
      expect(count).toBeGreaterThan(60);
      expect(count).toBeLessThan(140);
    }
  });
});
