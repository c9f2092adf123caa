import { describe, expect, it } from 'vitest';
import { type Campaign, carryOut, type Crew, type Outcome } from './campaign.ts';

interface Guess extends Outcome {
  readonly value: number;
}

/** Looks for small numbers near the smallest so far. */
class Search implements Campaign<number, Guess> {
  best = 1000;
  readonly course: string[] = [];
  seen = 0;

  plan(left: number): readonly number[] {
    this.course.push(`${left}: ${this.best}`);
    return this.best <= 3 ? [] : [1, 2, 3, 4, 5].map((i) => this.best * 7 + i);
  }
  take(outcomes: readonly Guess[], jobs: readonly number[]): void {
    expect(outcomes).toHaveLength(jobs.length);
    this.best = Math.min(this.best, ...outcomes.map(({ value }) => value));
  }
  glance(): void {
    this.seen++;
  }
}

const work = (job: number): Guess => ({ nodes: job % 10, value: (job * 7919) % 1009 });
const crew = (hands: number, wait: (job: number) => Promise<void>): Crew<number, Guess> => ({
  hands,
  run: async (job) => {
    await wait(job);
    return work(job);
  },
});
const turns = async (count: number): Promise<void> => {
  for (let i = 0; i < count; i++) await Promise.resolve();
};

describe('a campaign', () => {
  it('takes the same course whoever works on it, and in whatever order work is done', async () => {
    const courses = await Promise.all(
      [crew(1, () => turns(1)), crew(2, (job) => turns(job % 7)), crew(9, (job) => turns(50 - (job % 50)))].map(async (one) => {
        const search = new Search();
        await carryOut(search, one, 400);
        return search.course;
      }),
    );
    expect(courses[0]!.length).toBeGreaterThan(2);
    expect(courses[1]).toEqual(courses[0]);
    expect(courses[2]).toEqual(courses[0]);
  });

  it('ends when the nodes are used up', async () => {
    const search = new Search();
    await carryOut(search, crew(2, () => turns(1)), 1); // prettier-ignore
    expect(search.course).toHaveLength(1);
    expect(search.seen).toBe(5);
  });

  it('ends when it is stopped; a round that is not complete is not taken', async () => {
    const search = new Search();
    await carryOut(search, crew(1, () => turns(1)), Infinity, () => search.seen >= 7); // prettier-ignore
    expect(search.seen).toBe(7);
    expect(search.course).toHaveLength(2);
  });

  it('hands on what a worker throws', async () => {
    const broken: Crew<number, Guess> = { hands: 2, run: () => Promise.reject(new Error('broken')) };
    await expect(carryOut(new Search(), broken, 10)).rejects.toThrow('broken');
  });
});
