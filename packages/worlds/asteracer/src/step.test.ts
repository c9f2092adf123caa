import type { Rng, WorldEvent } from '@lockstep/kernel';
import { fuzz } from '@lockstep/testkit';
import { describe, expect, it } from 'vitest';
import { NaiveRace } from '../oracle/naive.ts';
import { Instruction } from './action.ts';
import { Circles, NEAR_REACH } from './circles.ts';
import { farContact, farPush, isqrtOf } from './far.ts';
import { stateLineOf, writeStates } from './formats.ts';
import type { RaceMap } from './map.ts';
import { between, KINDS, mapWithin } from './random-map.test-support.ts';
import { MAX_POS, MIN_POS, RULE_NAMES, type RuleName } from './rules.ts';
import { State } from './state.ts';
import { step } from './step.ts';
import { Track } from './track.ts';

const wide = { min_x: MIN_POS, min_y: MIN_POS, max_x: MAX_POS, max_y: MAX_POS };

function stateOn(map: Partial<RaceMap>, rules: RuleName = 'document'): State {
  const whole: RaceMap = { racer: { x: 0, y: 0, radius: 10 }, box: wide, asteroids: [], goals: [], ...map };
  return new State({ rules, ticks: 1000, map: whole, track: new Track(whole, rules) });
}

function thrust(vx: number, vy: number): Instruction {
  return Object.assign(new Instruction(), { vx, vy });
}

/** One tick; the state as its public line without the goals. */
function tick(state: State, vx = 0, vy = 0): string {
  step(state, [thrust(vx, vy)], []);
  return `${state.x} ${state.y} ${state.vx} ${state.vy}`;
}

describe('a tick', () => {
  it('[AR-1.2] [AR-2.1] the racer starts at rest, loses a tenth of its speed, gains the instruction, and moves', () => {
    const state = stateOn({});
    expect([tick(state, 100, -50), tick(state, 0, 0), tick(state, 7, 7)]).toEqual(['100 -50 100 -50', '190 -95 90 -45', '278 -129 88 -34']);
  });

  it.each([
    ['vx', 128, 0],
    ['vx', 0.5, 0],
    ['vy', 0, NaN],
    ['vy', 0, -Infinity],
    ['', 90, 90],
  ])('[AR-2.1] an instruction that no door can have let in is refused before anything moves: %s', (axis, vx, vy) => {
    const state = stateOn({});
    expect(() => tick(state, vx, vy)).toThrow(new RegExp(`^action${axis && `\\.${axis}`}: expected .*, got `));
    expect([state.tick, state.x, state.vx]).toEqual([0, 0, 0]);
  });

  it('[AR-3.2] slowing down floors: a racer drifting left at -9 keeps its speed for good; truncated, it stops', () => {
    for (const [rules, end] of [
      ['document', -9],
      ['py2023', -9],
      ['cpp2023', 0],
      ['v2025', 0],
    ] as const) {
      const state = stateOn({}, rules);
      tick(state, -9, 9);
      for (let i = 0; i < 50; i++) tick(state);
      expect(Object.is(state.vx, end)).toBe(true);
      expect(Object.is(state.vy, 0)).toBe(true);
    }
  });

  it('[AR-3.2] [AR-2.6] a collision halves the velocity once: floored or towards zero', () => {
    const box = { min_x: -15, min_y: -15, max_x: 15, max_y: 15 };
    expect(tick(stateOn({ box }), -51, -7)).toBe('-5 -5 -26 -4');
    expect(tick(stateOn({ box }, 'v2025'), -51, -7)).toBe('-5 -5 -25 -3');
  });

  it('[AR-2.3] of two asteroids in contact the first in the file pushes, then the other in the next subtick', () => {
    const right = { x: 60, y: 0, radius: 51 };
    const left = { x: -60, y: 0, radius: 51 };
    // rightmost first: pushed to -1, then by the left one to 1, … five times in all
    expect(tick(stateOn({ asteroids: [right, left] }))).toBe('-1 0 0 0');
    expect(tick(stateOn({ asteroids: [left, right] }))).toBe('1 0 0 0');
  });

  it('[AR-2.2] the box comes after the asteroid in the same subtick', () => {
    const box = { min_x: -12, min_y: -100, max_x: 100, max_y: 100 };
    const state = stateOn({ box, asteroids: [{ x: 15, y: 0, radius: 10 }] });
    expect(tick(state)).toBe('-2 0 0 0');
  });

  it('[AR-2.4] the push is along the line of the centres, with the integer square root', () => {
    const asteroids = [{ x: 0, y: 0, radius: 90 }];
    // d² = 50² + 50² → 70, push_by -30: 50 + floor or ceil of 1500 / 70
    const racer = { x: 50, y: -50, radius: 10 };
    expect(tick(stateOn({ racer, asteroids }, 'document'))).toBe('72 -71 0 0');
    expect(tick(stateOn({ racer, asteroids }, 'v2025'))).toBe('71 -71 0 0');
  });

  it('[AR-2.5] [AR-G3] in a box narrower than the racer right wins over left, bottom over top', () => {
    expect(tick(stateOn({ box: { min_x: -5, min_y: -6, max_x: 5, max_y: 6 } }))).toBe('-5 -4 0 0');
  });

  it('[AR-2.7] goals are tested where the tick ends, and stay marked', () => {
    const goals = [0, 100, 300].map((x) => ({ x, y: 0, radius: 5 }));
    const state = stateOn({ goals });
    const events: WorldEvent[] = [];
    step(state, [thrust(100, 0)], events);
    expect(state.reached.join('')).toBe('010');
    expect(events).toEqual([{ kind: 'goal', seat: 0, goal: 1 }]);
    for (let i = 0; i < 20; i++) step(state, [thrust(0, 0)], events);
    expect(state.reached[1]).toBe(1);
    expect(events.filter(({ goal }) => goal === 1)).toHaveLength(1);
  });

  it('[AR-3.1] the three shells, at their borders', () => {
    const goal = { x: 0, y: 0, radius: 15 }; // R = 25
    const reachedAt = (x: number, y: number): string =>
      RULE_NAMES.map((rules) => {
        const state = stateOn({ racer: { x, y, radius: 10 }, goals: [goal] }, rules);
        tick(state);
        return state.reached[0];
      }).join('');
    expect([reachedAt(24, 6), reachedAt(24, 7), reachedAt(25, 1), reachedAt(25, 7), reachedAt(26, 0)]).toEqual([
      '1111',
      '0111',
      '0001',
      '0001',
      '0000',
    ]);
  });

  it('[AR-G1] where the centres coincide the racer leaves along x, under all rules', () => {
    for (const rules of RULE_NAMES) {
      const inside = stateOn({ asteroids: [{ x: 0, y: 0, radius: 40 }] }, rules);
      expect(tick(inside)).toBe('50 0 0 0');
      const far = stateOn({ asteroids: [{ x: 0, y: 0, radius: 1_000_000_000 }] }, rules);
      expect(tick(far)).toBe('1000000010 0 0 0');
    }
  });

  it('[AR-G4] the start counts from the first tick on, and is tested against nothing', () => {
    const state = stateOn({ racer: { x: 900, y: 0, radius: 10 }, box: { min_x: -50, min_y: -50, max_x: 50, max_y: 50 } });
    expect([state.x, state.y]).toEqual([900, 0]);
    expect(tick(state)).toBe('40 0 0 0');
  });

  it('[AR-G5] what a move passes without ending in it is not met', () => {
    const wall = { x: 60, y: 0, radius: 5 };
    expect(tick(stateOn({ racer: { x: 0, y: 0, radius: 1 }, asteroids: [wall], goals: [wall] }), 127, 0)).toBe('127 0 127 0');
  });

  it('[AR-G6] sizes may be 0', () => {
    const point = { x: 0, y: 0, radius: 0 };
    for (const rules of RULE_NAMES) {
      const state = stateOn({ racer: point, goals: [point] }, rules);
      tick(state);
      expect(state.reached[0]).toBe(rules === 'document' ? 0 : 1);
      expect(tick(stateOn({ racer: point, asteroids: [point] }, rules))).toBe('0 0 0 0');
    }
  });
});

/** Plays the product and the oracle side by side; throws at the first line that differs. */
function compare(map: RaceMap, rules: RuleName, rng: Rng, ticks: number): void {
  const state = stateOn(map, rules);
  const oracle = new NaiveRace(map, rules);
  let held = thrust(0, 0);
  for (let i = 0; i < ticks; i++) {
    if (i % 7 === 1) held = thrust(between(rng, -89, 89), between(rng, -89, 89));
    const events: WorldEvent[] = [];
    step(state, [held], events);
    oracle.step(held.vx, held.vy);
    const [ours, theirs] = [writeStates([stateLineOf(state)]), `${oracle.line()}\n`];
    if (ours !== theirs) throw new Error(`${rules}, tick ${i}: ${ours} instead of ${theirs} on ${JSON.stringify(map)}`);
    if (events.some(({ kind }) => kind === 'collision') !== oracle.collided) throw new Error(`${rules}, tick ${i}: collided is wrong`);
  }
}

describe('the product equals the naive oracle, bit for bit', () => {
  it.each(KINDS)('[AR-2] [AR-G2] [AR-G7] [AR-G8] %s', (name, span, radius, count, ticks) => {
    expect(() =>
      fuzz(name, 60, (rng) => {
        const map = mapWithin(rng, span, radius, count);
        for (const rules of RULE_NAMES) compare(map, rules, rng, ticks);
      }),
    ).not.toThrow();
  });

  it('[AR-G2] on the shell of asteroids just below and just above the switch-over', () => {
    expect(() =>
      fuzz('switch-over', 150, (rng) => {
        const R = NEAR_REACH + between(rng, -2, 3);
        // a point whose distance is R, give or take one
        const x = between(rng, 0, R);
        const y = Number(isqrtOf(BigInt(R) * BigInt(R) - BigInt(x) * BigInt(x))) + between(rng, -1, 1);
        const circle = { x: 0, y: 0, radius: R - 1 };
        const map = { racer: { x: -x, y, radius: 1 }, box: wide, asteroids: [circle], goals: [circle] };
        for (const rules of RULE_NAMES) compare(map, rules, rng, 3);
      }),
    ).not.toThrow();
  });
});

describe('the switch-over to whole numbers without end', () => {
  it('[AR-G2] up to NEAR_REACH every number of the near path is a whole number that doubles hold', () => {
    const R = NEAR_REACH;
    expect(2 * (R + 1) * (R + 1)).toBeLessThan(Number.MAX_SAFE_INTEGER);
    expect(R * R + 2 * R).toBeLessThan((R + 2) * (R + 2));
    expect((R + 2) * (R + 2)).toBeLessThan(Number.MAX_SAFE_INTEGER);
    expect(2n * BigInt(R + 2) * BigInt(R + 2)).toBeGreaterThan(BigInt(Number.MAX_SAFE_INTEGER));
  });

  it('[AR-G2] beyond it doubles would be wrong, and the far path is right', () => {
    const R = 0x1_0000_0001; // R² + 1 is no double
    const d2 = R * R + 1 * 1;
    expect(d2 <= R * R).toBe(true);
    expect(farContact(R, 1, R, 'touching')).toBe(false);
    expect(farContact(R, 1, R, 'root')).toBe(true);
    expect(farContact(R, 0, R, 'touching')).toBe(true);
    expect(farContact(R, 0, R, 'inside')).toBe(false);
    const circles = new Circles([{ x: 0, y: 0, radius: R - 1 - 1 }], 1, 'touching');
    expect([circles.touches(0, R - 1, 0), circles.touches(0, R - 1, 1), circles.touches(0, R, 0)]).toEqual([true, false, false]);
  });

  it('[AR-2.4] [AR-G2] the far push divides as the near one does', () => {
    // distance 5, R 12: push_by -7
    expect([farPush(3, 4, 12, true), farPush(4, 3, 12, true)]).toEqual([-4, -5]);
    expect([farPush(3, 4, 12, false), farPush(-3, 4, 12, false)]).toEqual([-5, 4]);
  });

  it('[AR-2.4] the integer square root is exact', () => {
    for (const root of [0n, 1n, 2n, 3n, 4n, 94_906_267n, 0xffff_ffffn, 0x8_0000_0001n]) {
      expect(isqrtOf(root * root)).toBe(root);
      expect(isqrtOf(root * root + 2n * root)).toBe(root);
      if (root > 0n) expect(isqrtOf(root * root - 1n)).toBe(root - 1n);
    }
  });
});
