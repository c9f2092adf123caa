import { type Rng, seedRng } from '@lockstep/kernel';
import { fuzz } from '@lockstep/testkit';
import { describe, expect, it } from 'vitest';
import { NaiveRace } from '../oracle/naive.ts';
import { NEAR_REACH } from './circles.ts';
import { Flight } from './flight.ts';
import { readMap } from './formats.ts';
import type { RaceMap } from './map.ts';
import { MAPS } from './maps.ts';
import { between, KINDS, mapWithin } from './random-map.test-support.ts';
import { MAX_POS, MAX_SIZE, MIN_POS, RULE_NAMES, type RuleName } from './rules.ts';
import { NEAR_PLACE, Track } from './track.ts';

const wide = { min_x: MIN_POS, min_y: MIN_POS, max_x: MAX_POS, max_y: MAX_POS };
const plain: RaceMap = { racer: { x: 0, y: 0, radius: 10 }, box: wide, asteroids: [], goals: [] };

/** The public state line. */
const lineOf = (flight: Flight, goals: number): string => {
  const reached = Array.from({ length: goals }, (_, goal) => (flight.isOpen(goal) ? '0' : '1'));
  return `${flight.x} ${flight.y} ${flight.vx} ${flight.vy} ${reached.join('')}`;
};

/** A flight and the oracle under the same thrusts, each held for a while; throws where they part. */
function compare(map: RaceMap, rules: RuleName, rng: Rng, holds: number, longest: number): void {
  const flight = new Flight(new Track(map, rules));
  const oracle = new NaiveRace(map, rules);
  let collisions = 0;
  for (let i = 0; i < holds; i++) {
    const [vx, vy, ticks] = [between(rng, -89, 89), between(rng, -89, 89), between(rng, 1, longest)];
    const ran = flight.hold(vx, vy, ticks);
    let before = '';
    for (let tick = 0; tick < ran; tick++) {
      before = oracle.reached.join();
      oracle.step(vx, vy);
      collisions += Number(oracle.collided);
    }
    const where = `${rules}, hold ${i} (${vx} ${vy}, ${ran} of ${ticks} ticks) on ${JSON.stringify(map)}`;
    if (lineOf(flight, map.goals.length) !== oracle.line())
      throw new Error(`${lineOf(flight, map.goals.length)} instead of ${oracle.line()}: ${where}`);
    if (flight.collisions !== collisions) throw new Error(`${flight.collisions} collisions instead of ${collisions}: ${where}`);
    const isMet = before !== oracle.reached.join();
    if (isMet !== flight.metCount > 0 || (ran < ticks && !isMet)) throw new Error(`stopped wrongly: ${where}`);
  }
}

describe('a flight equals the naive oracle', () => {
  it.each(KINDS)('[AR-2] [AR-G2] [AR-G7] [AR-G8] %s', (name, span, radius, count, ticks) => {
    expect(() =>
      fuzz(`flight, ${name}`, 40, (rng) => {
        const map = mapWithin(rng, span, radius, count);
        for (const rules of RULE_NAMES) compare(map, rules, rng, ticks / 4, 9);
      }),
    ).not.toThrow();
  });

  it.each(['orchard', 'needle', 'thicket'].flatMap((map) => RULE_NAMES.map((rules) => [map, rules] as const)))(
    '[AR-2] a long way on %s under %s',
    (name, rules) => {
      expect(() => fuzz(`a long way on ${name}`, 2, (rng) => compare(readMap(MAPS[name]!), rules, rng, 40, 40))).not.toThrow();
    },
  );

  it.each([-3, -2, -1, 0, 1, 2, 3, 4])('[AR-G2] both sides of the switch-over: R is %i from it', (offset) => {
    expect(() =>
      fuzz(`switch-over ${offset}`, 12, (rng) => {
        const radius = NEAR_REACH + offset - 1000;
        const asteroids = [
          { x: 0, y: 0, radius },
          { x: between(rng, -9000, 9000), y: between(rng, -9000, 9000), radius: radius + between(rng, -1, 1) },
        ];
        const angle = between(rng, 0, 1000) / 159;
        const [x, y] = [Math.trunc(Math.cos(angle) * NEAR_REACH), Math.trunc(Math.sin(angle) * NEAR_REACH)];
        const goals = [0, 1, 2].map((i) => ({ x: x + between(rng, -5000, 5000), y, radius: i * 900 }));
        for (const rules of RULE_NAMES) compare({ racer: { x, y, radius: 1000 }, box: wide, asteroids, goals }, rules, rng, 8, 9);
      }),
    ).not.toThrow();
  });

  it.each([-4097, -1, 0, 1, 2, 4097])('[AR-G2] both sides of where int32 holds every place: the walls are %i from it', (offset) => {
    const [near, far] = [NEAR_PLACE + offset, NEAR_PLACE + offset - 30_000];
    expect(() =>
      fuzz(`near places ${offset}`, 12, (rng) => {
        const at = (): number => between(rng, far, near) * (between(rng, 0, 1) * 2 - 1);
        const circle = () => ({ x: at(), y: at(), radius: between(rng, 0, 9000) });
        const box = { min_x: -near - 1000, min_y: -near - 1000, max_x: near + 1000, max_y: near + 1000 };
        const map = { racer: { x: at(), y: at(), radius: 1000 }, box, asteroids: Array.from({ length: 9 }, circle), goals: [circle()] };
        expect(new Track(map, 'document').isNear).toBe(offset <= 0);
        for (const rules of RULE_NAMES) compare(map, rules, rng, 8, 30);
      }),
    ).not.toThrow();
  });

  it('[AR-G2] at the corners of the datatypes', () => {
    const ends = [MIN_POS, -1, 0, 1, MAX_POS];
    const sizes = [0, 1, NEAR_REACH, MAX_POS, MAX_SIZE];
    expect(() =>
      fuzz('corners', 400, (rng) => {
        const end = (): number => ends[between(rng, 0, 4)]!;
        const circle = () => ({ x: end(), y: end(), radius: sizes[between(rng, 0, 4)]! });
        const box = between(rng, 0, 1) === 0 ? wide : { min_x: MIN_POS, min_y: -1, max_x: 1, max_y: MAX_POS };
        const map = { racer: circle(), box, asteroids: [circle(), circle()], goals: [circle(), circle()] };
        for (const rules of RULE_NAMES) compare(map, rules, rng, 2, 4);
      }),
    ).not.toThrow();
  });
});

describe('a hold', () => {
  const goals = [100, 271, 271, 900].map((x) => ({ x, y: 0, radius: 5 }));

  it('[AR-2.7] stops in the tick that meets an open goal, which then is open no longer', () => {
    const flight = new Flight(new Track({ ...plain, goals }, 'v2025'));
    expect([flight.hold(100, 0, 50), flight.met.slice(0, flight.metCount).join()]).toEqual([1, '0']);
    expect([flight.hold(0, 0, 50), flight.met.slice(0, flight.metCount).join()]).toEqual([2, '1,2']);
    expect([flight.isOpen(0), flight.isOpen(1), flight.isOpen(2), flight.isOpen(3)]).toEqual([false, false, false, true]);
    expect([flight.hold(0, 0, 50), flight.metCount]).toEqual([50, 0]);
  });

  it('[AR-2.7] goals that are not open are flown over', () => {
    const flight = new Flight(new Track({ ...plain, goals }, 'v2025'));
    for (const goal of [0, 1, 2]) flight.setOpen(goal, false);
    expect([flight.hold(100, 0, 50), flight.met[0], flight.x]).toEqual([4, 3, 904]);
  });

  it('[AR-2] many goals and a place in a search: what was saved is flown again to the same end', () => {
    const map = mapWithin(seedRng(7n), 5000, 200, 70);
    const flight = new Flight(new Track(map, 'document'));
    const kept = new Float64Array(2 * flight.room);
    flight.hold(50, 20, 10);
    flight.save(kept, flight.room);
    const ends = [0, 1].map(() => {
      flight.load(kept, flight.room);
      for (let i = 0; i < 40; i++) flight.hold(30 - i, i * 2, 5);
      return lineOf(flight, 70);
    });
    expect(flight.room).toBe(4 + 3);
    expect(ends[0]).toBe(ends[1]);
    flight.start();
    expect(lineOf(flight, 70)).toBe(`${map.racer.x} ${map.racer.y} 0 0 ${'0'.repeat(70)}`);
  });

  it('[AR-2] no tick is no tick', () => {
    const flight = new Flight(new Track({ ...plain, goals }, 'v2025'));
    expect([flight.hold(100, 0, 0), lineOf(flight, 4)]).toEqual([0, '0 0 0 0 0000']);
  });
});

describe('the index', () => {
  it('[AR-G8] lists in file order what a search through all finds, also outside the box', () => {
    expect(() =>
      fuzz('index', 60, (rng) => {
        const track = new Track(mapWithin(rng, 5000, 700, 40), 'py2023');
        const { grid, asteroids, goals } = track;
        for (let i = 0; i < 100; i++) {
          const [x, y] = [between(rng, -9000, 9000), between(rng, -9000, 9000)];
          const cell = grid.cellAt(x, y);
          const [from, middle, to] = grid.first.slice(2 * cell, 2 * cell + 3) as unknown as [number, number, number];
          for (const [circles, first, last] of [
            [asteroids, from, middle],
            [goals, middle, to],
          ] as const) {
            const found = grid.members.slice(first, last).filter((k) => circles.touches(k, x, y));
            const wanted = Array.from(circles.x.keys()).filter((k) => circles.touches(k, x, y));
            if (found.join() !== wanted.join()) throw new Error(`at ${x} ${y}: ${found.join()} instead of ${wanted.join()}`);
          }
          const isCalm = grid.busy[cell] === 0;
          if (isCalm && (from < to || x < track.left || x > track.right || y < track.top || y > track.bottom))
            throw new Error(`at ${x} ${y} it is not calm`);
        }
      }),
    ).not.toThrow();
  });

  it('[AR-G8] a hundred thousand asteroids that all cover the map do not fill the memory', () => {
    const asteroids = Array.from({ length: 100_000 }, (_, i) => ({ x: i, y: -i, radius: MAX_SIZE }));
    const { grid } = new Track({ ...plain, asteroids }, 'v2025');
    expect(grid.members.length).toBeLessThan(1_000_000);
  });
});
