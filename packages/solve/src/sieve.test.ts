import { nextInt, seedRng, uniform } from '@lockstep/kernel';
import { describe, expect, it } from 'vitest';
import { Sieve } from './sieve.ts';

describe('the sieve', () => {
  it.each([1, 2, 3])('keeps the best of each key, and of those the best: as sorting all would (seed %i)', (seed) => {
    const rng = seedRng(BigInt(seed));
    const width = 20;
    const candidates = Array.from({ length: 5000 }, () => ({ key: nextInt(rng, 200), score: uniform(rng, 0, 50) }));
    const sieve: Sieve = new Sieve(width, 2, 50, (row) => sieve.columns[0]![row]!);
    candidates.forEach(({ key, score }, i) => {
      const row = sieve.place(score);
      if (row < 0) return;
      sieve.columns[0]![row] = key;
      sieve.columns[1]![row] = i;
    });
    sieve.select();
    const bestOfKey = new Map<number, number>();
    [...candidates.keys()]
      .sort((a, b) => candidates[a]!.score - candidates[b]!.score)
      .forEach((i) => bestOfKey.set(candidates[i]!.key, bestOfKey.get(candidates[i]!.key) ?? i));
    const expected = [...bestOfKey.values()].slice(0, width).map((i) => Math.fround(candidates[i]!.score));
    expect(sieve.count).toBe(width);
    // a bucket is 50 / 16384 wide; within it the first that came is kept
    [...sieve.scores.subarray(0, width)].forEach((score, i) => expect(Math.abs(score - expected[i]!)).toBeLessThan(0.01));
    const kept = [...sieve.columns[1]!.subarray(0, width)];
    kept.forEach((i, row) => expect(Math.fround(candidates[i]!.score)).toBe(sieve.scores[row]));
    expect(new Set(kept.map((i) => candidates[i]!.key)).size).toBe(width);
  });

  it('is empty after clear, and takes what it would have turned away', () => {
    const sieve: Sieve = new Sieve(1, 1, 10, (row) => sieve.columns[0]![row]!);
    for (let i = 0; i < 1000; i++) {
      const row = sieve.place(1);
      if (row >= 0) sieve.columns[0]![row] = i;
    }
    expect(sieve.place(2)).toBe(-1);
    sieve.clear();
    expect(sieve.place(2)).toBe(0);
  });
});
