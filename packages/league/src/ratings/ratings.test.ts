import { nextInt, seedRng, uniform } from '@lockstep/kernel';
import { describe, expect, it } from 'vitest';
import { game } from '../game.test-support.ts';
import { shareAt } from '../stats/elo.ts';
import { bradleyTerry } from './bradley-terry.ts';
import { compare } from './comparisons.ts';
import { eloRatings } from './elo-ratings.ts';
import { afterPeriod, glicko2Ratings } from './glicko2.ts';

describe('Bradley-Terry', () => {
  it('finds the strengths that made the results, within its own error bars', () => {
    const truth = [1800, 1650, 1500, 1400, 1150];
    const rng = seedRng(5n);
    const games = Array.from({ length: 6000 }, (_, i) => {
      const a = nextInt(rng, 5);
      const b = (a + 1 + nextInt(rng, 4)) % 5;
      return game(`g${i}`, [`p${a}`, `p${b}`], uniform(rng, 0, 1) < shareAt(truth[a]! - truth[b]!) ? [1, 2] : [2, 1]);
    });
    const found = bradleyTerry(compare(games));
    for (const { name, rating, error } of found) {
      expect(error).toBeGreaterThan(5);
      expect(Math.abs(rating - truth[Number(name[1])]!)).toBeLessThan(2 * error);
    }
    expect(found.map(({ name }) => name)).toEqual(['p0', 'p1', 'p2', 'p3', 'p4']);
    expect(found.reduce((sum, { rating }) => sum + rating, 0) / 5).toBeCloseTo(1500, 6);
  });

  it('solves two players in closed form, but for the prior', () => {
    const games = Array.from({ length: 40_000 }, (_, i) => game(`g${i}`, ['a', 'b'], i % 4 === 0 ? [2, 1] : [1, 2]));
    const [a, b] = bradleyTerry(compare(games));
    expect(a!.rating - b!.rating).toBeCloseTo(190.85, 1); // three quarters of the points
    expect(a!.share).toBe(0.75);
  });

  it('keeps anchors where they are and measures the others from them', () => {
    const games = Array.from({ length: 100 }, (_, i) => game(`g${i}`, ['a', 'b'], i % 2 === 0 ? [2, 1] : [1, 2]));
    const ratings = bradleyTerry(compare(games), { anchors: { a: 2000 } });
    expect(ratings.find(({ name }) => name === 'a')).toMatchObject({ rating: 2000, error: 0 });
    expect(ratings.find(({ name }) => name === 'b')!.rating).toBeCloseTo(2000, 6);
  });

  it('gives who never lost a finite rating with a wide bar, and copes with islands', () => {
    const games = [game('1', ['a', 'b'], [1, 2]), game('2', ['c', 'd'], [1, 2])];
    const ratings = bradleyTerry(compare(games));
    for (const { rating, error } of ratings) expect(Number.isFinite(rating) && error > 200).toBe(true);
  });

  it('takes a game of four seats as six comparisons', () => {
    const { points, names } = compare([game('1', ['a', 'b', 'c', 'd'], [1, 2, 2, 4])]);
    expect(names).toEqual(['a', 'b', 'c', 'd']);
    expect([...points]).toEqual([0, 1, 1, 1, 0, 0, 0.5, 1, 0, 0.5, 0, 1, 0, 0, 0, 0]);
  });

  it('has nothing to say of no games', () => {
    expect(bradleyTerry(compare([]))).toEqual([]);
  });
});

describe('Elo and Glicko-2', () => {
  it('moves Elo by K times the surprise', () => {
    const ratings = eloRatings([game('1', ['a', 'b'], [1, 2]), game('2', ['a', 'b'], [1, 1])]);
    expect(ratings.get('a')).toBeCloseTo(1510 + 20 * (0.5 - shareAt(20)), 9);
    expect(ratings.get('a')! + ratings.get('b')!).toBeCloseTo(3000, 9);
  });

  it('gives the numbers of the example in Glickman’s paper', () => {
    const known = (rating: number, deviation: number) => ({ rating, deviation, volatility: 0.06 });
    const after = afterPeriod(known(1500, 200), [
      { opponent: known(1400, 30), points: 1 },
      { opponent: known(1550, 100), points: 0 },
      { opponent: known(1700, 300), points: 0 },
    ], 0.5); // prettier-ignore
    expect([after.rating.toFixed(2), after.deviation.toFixed(2), after.volatility.toFixed(5)]).toEqual(['1464.05', '151.52', '0.06000']);
  });

  it('grows less sure of who does not play', () => {
    const games = [...Array(20).keys()].map((i) => game(`${i}`, i < 10 ? ['a', 'b'] : ['b', 'c'], [1, 2]));
    const early = glicko2Ratings(games.slice(0, 10), { period: 10 }).get('a')!;
    const late = glicko2Ratings(games, { period: 10 }).get('a')!;
    expect(late.rating).toBe(early.rating);
    expect(late.deviation).toBeGreaterThan(early.deviation);
  });
});
