import { seedRng, uniform } from '@lockstep/kernel';
import { describe, expect, it } from 'vitest';
import type { GameLine } from '../result.ts';
import { shareAt } from '../stats/elo.ts';
import { Cup } from './cup.ts';
import { type PlannedGame, seedFor } from './play.ts';
import { type CupPlan, readCup } from './read.ts';
import { pairUp } from './swiss.ts';
import { readTime, timeText } from './values.ts';

const facts = { presets: ['round1', 'round2', 'finals'], seats: () => 2 };
const alone = { presets: ['plain'], seats: () => 1 };

/** A game between bots whose names end in their strength: the seed decides, so the same game always ends the same way. */
function outcomeOf({ id, seed, seats, rules }: PlannedGame): GameLine {
  const draw = uniform(seedRng(seed), 0, 1);
  const strengths = seats.map(({ name }) => Number(/\d+$/.exec(name)?.[0] ?? 0));
  const first = seats.length === 1 || draw < shareAt(strengths[0]! - strengths[1]!);
  const tie = seats.length > 1 && Math.floor(draw * 1000) % 10 === 0;
  const ranks = seats.length === 1 ? [1] : tie ? [1, 1] : first ? [1, 2] : [2, 1];
  return {
    id, world: 'toy', rules: { preset: rules }, rulesVersion: 1, seed,
    bots: seats.map(({ name }) => ({ name, sha256: null })),
    seats: seats.map((_, i) => i),
    ranks, scores: seats.length === 1 ? [strengths[0]! + draw] : ranks.map((rank) => 2 - rank),
    faults: seats.flatMap(({ bot }, seat) => (bot === 'crasher' ? [{ seat, tick: 3, kind: 'crash', reason: 'it fell' }] : [])),
    ticks: 10, hash: '00', replay: null,
  }; // prettier-ignore
}

function playAll(plan: CupPlan): { cup: Cup; games: Map<string, GameLine>; batches: (readonly PlannedGame[])[] } {
  const cup = new Cup(plan);
  const games = new Map<string, GameLine>();
  const batches: (readonly PlannedGame[])[] = [];
  for (let open = cup.next(games); open.length > 0; open = cup.next(games)) {
    batches.push(open);
    for (const game of open) {
      expect(games.has(game.id), `${game.id} twice`).toBe(false);
      games.set(game.id, outcomeOf(game));
    }
  }
  return { cup, games, batches };
}

const bots = (...strengths: number[]): object[] => strengths.map((strength, i) => ({ name: `bot${i}_${strength}`, bot: `./${strength}` }));
const read = (more: object, world = facts): CupPlan => readCup({ world: 'toy', seed: 5, ...more }, 'cup.toml', world);

describe('round robin and gauntlet', () => {
  it('lets everybody meet everybody on each seed from both seats', () => {
    const { games, cup } = playAll(read({ format: 'round-robin', rounds: 2, bots: bots(100, 200, 300) }));
    expect(games.size).toBe(3 * 2 * 2);
    const mirrored = [...games.values()].filter(({ id }) => id.endsWith('1b'));
    for (const game of mirrored) {
      const twin = games.get(game.id.replace(/b$/, 'a'))!;
      expect(twin.seed).toBe(game.seed);
      expect(twin.bots.map(({ name }) => name)).toEqual(game.bots.map(({ name }) => name).reverse());
    }
    expect(cup.stages(games)[0]!.standings!.reduce((sum, { points }) => sum + points, 0)).toBe(12);
  });

  it('orders by strength in the long run', () => {
    const { cup } = playAll(read({ format: 'round-robin', rounds: 60, bots: bots(1000, 1400, 1200) }));
    expect(cup.outcome!.places[0]!.rows.map(({ name }) => name)).toEqual(['bot1_1400', 'bot2_1200', 'bot0_1000']);
  });

  it('lets the heroes of a gauntlet meet only the others', () => {
    const { games } = playAll(read({ format: 'gauntlet', heroes: 2, bots: bots(1, 2, 3, 4, 5) }));
    expect(games.size).toBe(2 * 3 * 2);
    for (const { bots: pair } of games.values()) expect(pair.filter(({ name }) => name === 'bot0_1' || name === 'bot1_2')).toHaveLength(1);
  });

  it('gives everybody the same seeds where a world is played alone, and orders by the mean score', () => {
    const { games, cup } = playAll(read({ format: 'round-robin', rounds: 3, bots: bots(10, 30, 20) }, alone));
    expect(games.size).toBe(9);
    expect(new Set([...games.values()].map(({ seed }) => seed)).size).toBe(3);
    expect(cup.outcome!.places[0]!.rows.map(({ name }) => name)).toEqual(['bot1_30', 'bot2_20', 'bot0_10']);
  });
});

describe('Swiss', () => {
  it('pairs everybody once a turn, never twice the same while there is another', () => {
    const { batches, games } = playAll(read({ format: 'swiss', turns: 5, bots: bots(1, 2, 3, 4, 5, 6, 7, 8) }));
    expect(batches).toHaveLength(5);
    const pairs = [...games.keys()].filter((id) => id.endsWith('1a')).map((id) => id.split('/')[1]!.split('~').sort().join());
    expect(new Set(pairs).size).toBe(20);
  });

  it('gives the odd one a bye, each at most once', () => {
    const { cup, games } = playAll(read({ format: 'swiss', turns: 3, bots: bots(1, 2, 3, 4, 5) }));
    const { turns } = cup.stages(games)[0]!;
    expect(new Set(turns!.map(({ bye }) => bye)).size).toBe(3);
    expect(cup.stages(games)[0]!.standings!.reduce((sum, { points }) => sum + points, 0)).toBe(3 * 2 * 2 + 3 * 2);
  });

  it('goes back where greed would leave two who have met', () => {
    const met = new Set([['c', 'd'].join(), ['a', 'c'].join()].map((pair) => JSON.stringify(pair.split(','))));
    expect(pairUp(['a', 'b', 'c', 'd'], met)).toEqual([['a', 'd'], ['b', 'c']]); // prettier-ignore
    const all = new Set([JSON.stringify(['a', 'b'])]);
    expect(pairUp(['a', 'b'], all)).toEqual([['a', 'b']]);
  });
});

describe('knockout', () => {
  it('gives the best seeds the empty places of the bracket and ends with one', () => {
    const { cup, games } = playAll(read({ format: 'knockout', rounds: 30, bots: bots(1500, 1400, 1300, 1200, 1100) }));
    const { ties } = cup.stages(games)[0]!;
    expect(ties!.filter(({ b }) => b === null).map(({ a }) => a).sort()).toEqual(['bot0_1500', 'bot1_1400', 'bot2_1300']); // prettier-ignore
    const places = cup.outcome!.places[0]!.rows.map(({ name }) => name);
    expect(places).toHaveLength(5);
    expect(places.slice(0, 3)).toEqual(['bot0_1500', 'bot1_1400', 'bot2_1300']);
  });

  it('plays on where a tie is level, and then lets the better seeded through', () => {
    const cup = new Cup(read({ format: 'knockout', extra: 2, third: false, bots: bots(1, 2) }));
    const games = new Map<string, GameLine>();
    let rounds = 0;
    for (let open = cup.next(games); open.length > 0; open = cup.next(games), rounds++)
      for (const game of open) games.set(game.id, { ...outcomeOf(game), ranks: [1, 1] });
    expect(rounds).toBe(3);
    expect(cup.outcome!.places[0]!.rows.map(({ name }) => name)).toEqual(['bot0_1', 'bot1_2']);
  });

  it('knows the two who play for the third place', () => {
    const { cup, games } = playAll(read({ format: 'knockout', rounds: 1, bots: bots(9, 8, 7, 6) }));
    expect(cup.stages(games)[0]!.ties!.map(({ stake }) => stake)).toEqual([null, null, 'final', 'third']);
    expect(new Set(cup.outcome!.places[0]!.rows.map(({ name }) => name)).size).toBe(4);
  });
});

describe('times of a cup', () => {
  it('are told as its file tells them', () => {
    expect([0, 59.6, 90, 1440, 1560].map(timeText)).toEqual(['0m', '1h', '1h 30m', '1d', '1d 2h']);
    expect(readTime(timeText(12345), 'x')).toBe(12345);
  });
});

describe('any format', () => {
  it.each(['round-robin', 'swiss', 'knockout'])('%s is the same cup however often it is stopped and resumed', (format) => {
    const plan = read({ format, bots: bots(1, 20, 300, 40, 50, 160) });
    const { games, cup } = playAll(plan);
    const known = new Map<string, GameLine>();
    for (let open = new Cup(plan).next(known); open.length > 0; open = new Cup(plan).next(known))
      known.set(open.at(-1)!.id, outcomeOf(open.at(-1)!));
    expect(Object.fromEntries(known)).toEqual(Object.fromEntries(games));
    const again = new Cup(plan);
    again.next(known);
    expect(again.outcome).toEqual(cup.outcome);
  });

  it('gives every game its own seed, of all 64 bits', () => {
    const seeds = Array.from({ length: 1000 }, (_, i) => seedFor(1n, `game/${i}`));
    expect(new Set(seeds).size).toBe(1000);
    expect(seeds.filter((seed) => seed >> 63n === 1n).length).toBeGreaterThan(400);
    expect(seedFor(1n, 'a')).not.toBe(seedFor(2n, 'a'));
  });
});

describe('a cup’s file', () => {
  const good = { world: 'toy', format: 'swiss', bots: bots(1, 2) };
  it.each<[string, object, string]>([
    ['a typo', { ...good, trun: 3 }, 'cup.toml.trun: expected'],
    ['a format that is none', { ...good, format: 'swis' }, 'cup.toml: format: expected one of round-robin, gauntlet, swiss, knockout, raic (did you mean swiss?), got "swis"'],
    ['a name twice', { ...good, bots: [...bots(1), ...bots(1)] }, 'cup.toml: bots[1].name: expected another than that of cup.toml: bots[0], got "bot0_1"'],
    ['no bots', { ...good, bots: [] }, 'cup.toml: bots: expected at least one bot, got []'],
    ['one bot', { ...good, bots: bots(1) }, 'cup.toml: bots: expected at least 2 for a swiss with 2 seats a game, got 1'],
    ['a name for no file', { ...good, bots: [{ name: '../x', bot: 'x' }] }, 'cup.toml: bots[0].name: expected a name of 1..64 letters, digits and . _ + @ -, got "../x"'],
    ['rules that are none', { ...good, rules: 'round3' }, 'cup.toml: rules: expected one of round1, round2, finals'],
    ['a time that is none', { ...good, format: 'raic', bots: [{ name: 'a', bot: 'b', at: 'soon' }] }, 'cup.toml: bots[0].at: expected a time such as "2d 12h" or a number of minutes, got "soon"'],
    ['no world', { format: 'swiss' }, 'cup.toml: world: expected a text, got nothing'],
    ['no rounds', { ...good, rounds: 0 }, 'cup.toml: rounds: expected a whole number 1..100000, got 0'],
  ])('with %s is refused in one line', (_, cup, message) => {
    expect(() => readCup(cup, 'cup.toml', facts)).toThrow(message);
  }); // prettier-ignore

  it('of a solo world knows no Swiss', () => {
    expect(() => read({ format: 'swiss', bots: bots(1, 2) }, alone)).toThrow(
      'format: expected round-robin or gauntlet, for a game has 1 seats, got "swiss"',
    );
  });
});
