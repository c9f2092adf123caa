import { seedRng, uniform } from '@lockstep/kernel';
import { describe, expect, it } from 'vitest';
import type { GameLine } from '../../result.ts';
import { shareAt } from '../../stats/elo.ts';
import { Cup } from '../cup.ts';
import type { PlannedGame } from '../play.ts';
import { type CupPlan, readCup } from '../read.ts';
import { afterGame, newRating, shownRating } from './rating.ts';
import { pointsFor } from './round.ts';
import { intervalOf } from './sandbox.ts';

const facts = { presets: ['round1', 'round2', 'finals'], seats: () => 2 };
const DAY = 24 * 60;
const WEEK = 7 * DAY;

/** A bot's strength is the number in the name of its file. */
function outcomeOf({ id, seed, seats, rules }: PlannedGame): GameLine {
  const draw = uniform(seedRng(seed), 0, 1);
  const [a, b] = seats.map(({ bot }) => Number(/\d+$/.exec(bot)![0]));
  const ranks = draw < shareAt(a! - b!) ? [1, 2] : [2, 1];
  const faults = seats.flatMap(({ bot }, seat) => (bot.startsWith('crash') ? [{ seat, tick: 0, kind: 'crash', reason: 'fell' }] : []));
  const bots = seats.map(({ name }) => ({ name, sha256: null }));
  return { id, world: 'toy', rules: { preset: rules }, rulesVersion: 1, seed, bots, seats: [0, 1], ranks, scores: ranks.map((rank) => 2 - rank), faults, ticks: 1, hash: '00', replay: null }; // prettier-ignore
}

function play(plan: CupPlan) {
  const cup = new Cup(plan);
  const games = new Map<string, GameLine>();
  const planned: PlannedGame[] = [];
  for (let open = cup.next(games); open.length > 0; open = cup.next(games))
    for (const game of open) {
      planned.push(game);
      games.set(game.id, outcomeOf(game));
    }
  return { cup, games, planned };
}

const people = (count: number): object[] =>
  Array.from({ length: count }, (_, i) => ({ name: `p${i}`, bot: `./v1-${1000 + 40 * i}`, at: i }));

const classCup = (bots: object[] = people(12), more: object = {}): CupPlan =>
  readCup(
    {
      world: 'toy', format: 'raic', seed: 3, bots, prizes: 2,
      sandbox: { interval: '6h' },
      stages: [
        { at: '4d', qualified: 10, waves: 3 },
        { at: '8d', qualified: 4, wild_cards: 2, waves: 3 },
        { at: '12d', qualified: 3, wild_cards: 1, waves: 'all' },
      ],
      ...more,
    },
    'cup.toml',
    facts,
  ); // prettier-ignore

describe('the rule book’s tournament', () => {
  it('plays Sandbox, Round 1, Round 2 and Final with a class of 12', () => {
    const { cup, games } = play(classCup());
    const stages = cup.stages(games);
    expect(stages.map(({ name }) => name)).toEqual(['sandbox', 'round1', 'round2', 'final']);
    expect(stages.slice(1).map(({ rows }) => rows.length)).toEqual([10, 6, 4]);
    const count = (prefix: string): number => [...games.keys()].filter((id) => id.startsWith(prefix)).length;
    expect([count('round1/part1/'), count('round1/part2/'), count('round2/'), count('final/part1/')]).toEqual([15, 15, 18, 6]);
    expect(count('sandbox/')).toBeGreaterThan(100);
    const [final, sandbox] = cup.outcome!.places;
    expect(final!.rows).toHaveLength(4);
    expect(sandbox!.rows).toHaveLength(10); // "Sandbox prizes leave out the Final's winners"
    for (const { name } of final!.rows.slice(0, 2)) expect(sandbox!.rows.map((row) => row.name)).not.toContain(name);
  });

  it('lets each play exactly one game a wave, against new opponents while there are any', () => {
    const { games } = play(classCup());
    for (let part = 1; part <= 2; part++) {
      const met = new Set<string>();
      for (let wave = 1; wave <= 3; wave++) {
        const inWave = [...games.values()].filter(({ id }) => id.startsWith(`round1/part${part}/wave${wave}/`));
        expect(new Set(inWave.flatMap(({ bots }) => bots.map(({ name }) => name))).size).toBe(10);
        for (const { bots } of inWave) met.add(bots.map(({ name }) => name).sort().join()); // prettier-ignore
      }
      expect(met.size).toBeGreaterThanOrEqual(13);
    }
  });

  it('brings in the best of the Sandbox among the rest as wild cards', () => {
    const { cup, games } = play(classCup());
    const [, round1, round2] = cup.stages(games);
    const through = round1!.rows.slice(0, 4).map(({ name }) => name);
    expect(round2!.wildCards).toHaveLength(2);
    for (const name of round2!.wildCards!) expect(through).not.toContain(name);
    expect(round2!.rows.map(({ name }) => name).sort()).toEqual([...through, ...round2!.wildCards!].sort());
  });

  it('uses in each part the last strategy sent before it, and each stage its own rules', () => {
    const sent = people(12).map((one, i) => (i === 3 ? { ...one, sent: [{ at: '5d', bot: './v2-2000' }] } : one));
    const { planned } = play(classCup(sent, { stages: [{ at: '4d', qualified: 12, waves: 2, pause: '2d' }] }));
    const botIn = (part: string): Set<string> =>
      new Set(planned.filter(({ id }) => id.startsWith(part)).flatMap(({ seats }) => seats.filter(({ name }) => name === 'p3').map(({ bot }) => bot))); // prettier-ignore
    expect([...botIn('round1/part1')]).toEqual(['./v1-1120']);
    expect([...botIn('round1/part2')]).toEqual(['./v2-2000']);
    const { planned: whole } = play(classCup());
    const rulesIn = (prefix: string): string[] =>
      [...new Set(whole.filter(({ id }) => id.startsWith(prefix)).map(({ rules }) => rules))].sort();
    expect(rulesIn('round1/')).toEqual(['round1']);
    expect(rulesIn('final/')).toEqual(['finals']);
    expect(rulesIn('sandbox/')).toEqual(['finals', 'round1', 'round2']);
  });

  it('is the same cup every time, and another with another seed', () => {
    const ids = (plan: CupPlan): string => play(plan).planned.map(({ id, seed, seats }) => `${id} ${seed} ${seats[0]!.name}`).join('\n'); // prettier-ignore
    const first = ids(classCup());
    expect(ids(classCup())).toBe(first);
    expect(ids(classCup(people(12), { seed: 4 }))).not.toBe(first);
  });

  it('goes on from its journal after any game', () => {
    const whole = play(classCup());
    const known = new Map([...whole.games].slice(0, 57));
    const cup = new Cup(classCup());
    for (let open = cup.next(known); open.length > 0; open = cup.next(known)) known.set(open[0]!.id, outcomeOf(open[0]!));
    expect(cup.outcome).toEqual(whole.cup.outcome);
    expect(known.size).toBe(whole.games.size);
  });

  it('works with the rule book’s own sizes', { timeout: 60_000 }, () => {
    const plan = readCup({ world: 'toy', format: 'raic', bots: people(1100), sandbox: { interval: '2d', longest_interval: '4d' } }, 'cup.toml', facts); // prettier-ignore
    const { cup, games } = play(plan);
    expect(cup.stages(games).slice(1).map(({ rows }) => rows.length)).toEqual([1080, 360, 60]); // prettier-ignore
    expect([...games.keys()].filter((id) => id.startsWith('final/'))).toHaveLength(2 * ((60 * 59) / 2));
  });

  it('leaves the last one out where latecomers make a round of waves odd', () => {
    const bots = people(8).map((one, i) => ({ ...one, at: i < 5 ? 0 : i < 7 ? '7d' : '90d' }));
    const stages = [{ at: '4d', qualified: 8, waves: 2 }, { at: '8d', qualified: 5, wild_cards: 3, waves: 2 }, { at: '12d', qualified: 3, wild_cards: 1, waves: 'all' }]; // prettier-ignore
    const { cup, games } = play(classCup(bots, { stages }));
    expect(cup.stages(games).slice(1).map(({ rows, wildCards }) => [rows.length, wildCards!.length])).toEqual([[4, 0], [6, 2], [4, 1]]); // prettier-ignore
  });

  it('refuses an odd number of players in a round of waves', () => {
    expect(() => classCup(people(12), { stages: [{ qualified: 5, at: 0 }] })).toThrow(
      'cup.toml: stages[0]: expected an even number of players, for each plays one game a wave (see qualified and wild_cards), got 5',
    );
    expect(() => classCup(people(12), { stages: [{ qualified: 4, at: '9d' }, { qualified: 2, at: '9d' }] })).toThrow('stages[1].at: expected at least');
  }); // prettier-ignore
});

describe('the Sandbox', () => {
  const { sandbox } = (classCup() as Extract<CupPlan, { format: 'raic' }>).raic;
  const hourly = { ...sandbox, interval: 60, longestInterval: DAY };

  it('lets a strategy play seldom as it grows old: k(k+1)/2 more intervals after k weeks, a day at most', () => {
    const hours = [0, 0.99, 1, 2, 3, 10].map((weeks) => intervalOf(hourly, weeks * WEEK, []) / 60);
    expect(hours).toEqual([1, 1, 2, 4, 7, 24]);
  });

  it('adds a fifth of the interval for each crash among the last ten games', () => {
    expect(intervalOf(hourly, 0, [true, false, true])).toBeCloseTo(84, 9);
    const { games } = play(classCup([...people(11), { name: 'clumsy', bot: 'crash-1200' }]));
    const of = (name: string): number => [...games.values()].filter(({ id, bots }) => id.startsWith('sandbox/') && bots.some((bot) => bot.name === name)).length; // prettier-ignore
    expect(of('clumsy')).toBeLessThan(of('p5') * 0.7);
  });

  it('pairs near ratings more often', () => {
    const { games } = play(classCup(people(12), { sandbox: { interval: '1h', nearness: 60 } }));
    const late = [...games.values()].filter(({ id }) => id.startsWith('sandbox/')).slice(600);
    const apart = late.map(({ bots }) => Math.abs(Number(bots[0]!.name.slice(1)) - Number(bots[1]!.name.slice(1))));
    const near = apart.filter((distance) => distance <= 3).length / apart.length;
    expect(near).toBeGreaterThan(0.55); // 27 + … of 66 pairs would be 0.45 by chance
  });
});

describe('the rating', () => {
  const plan = { start: 1200, deviation: 350, leastDeviation: 40, caution: 2 };

  it('starts at 1200, gives little for a win over a weak opponent and grows inert', () => {
    const fresh = newRating(plan);
    expect(shownRating(fresh, plan)).toBe(1200);
    const settled = { estimate: 1900, deviation: 50 };
    const gain = (other: number): number => afterGame(settled, { estimate: other, deviation: 50 }, 1, plan).estimate - 1900;
    expect(gain(1400)).toBeLessThan(gain(1900) / 5);
    let rating = fresh;
    for (let i = 0; i < 50; i++) rating = afterGame(rating, { estimate: 1900, deviation: 50 }, i % 2, plan);
    expect(rating.deviation).toBeLessThan(60);
  });

  it('falls after a reset and recovers with further games', () => {
    const equal = { estimate: 1900, deviation: 50 };
    let rating = { estimate: 1900, deviation: 45 };
    const before = shownRating(rating, plan);
    rating = afterGame({ ...rating, deviation: plan.deviation }, equal, 1, plan);
    expect(shownRating(rating, plan)).toBeLessThan(before - 150);
    for (let i = 0; i < 30; i++) rating = afterGame(rating, equal, i % 2, plan);
    expect(shownRating(rating, plan)).toBeGreaterThan(before - 60);
  });

  it('of a round shares the points of tied places, rounded down', () => {
    expect(pointsFor([1, 1], [3, 0])).toEqual([1, 1]);
    expect(pointsFor([2, 1], [2, 0])).toEqual([0, 2]);
    expect(pointsFor([1, 2, 2, 4], [10, 6, 3, 1])).toEqual([10, 4, 4, 1]);
  });
});
