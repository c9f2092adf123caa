import { describe, expect, it } from 'vitest';
import { game } from './game.test-support.ts';
import { readJournal, writePlanLine } from './journal.ts';
import { ladderPair } from './ladder.ts';
import { PairCount, pairId } from './pairs.ts';
import { readGameLine, writeGameLine } from './result.ts';
import { afterRound, readParam, type SpsaPlan, startOf, triesOf } from './spsa.ts';

describe('a journal', () => {
  const lines = [game('1a', ['x', 'y'], [1, 2]), game('1b', ['y', 'x'], [1, 1], { seed: 2n ** 64n - 1n })];
  const text = [writePlanLine({ some: 'plan' }), ...lines.map(writeGameLine)].map((line) => `${line}\n`).join('');

  it('brings back what was written, seeds of 64 bits too', () => {
    expect(readJournal(text, 'journal.ndjson')).toEqual({ plan: { some: 'plan' }, games: lines, whole: text.length });
  });

  it('cut off anywhere keeps every whole line and says where the half one begins', () => {
    for (let cut = 0; cut <= text.length; cut++) {
      const part = text.slice(0, cut);
      const { games, whole } = readJournal(part, 'j');
      expect(whole).toBe(part.lastIndexOf('\n') + 1);
      expect(games).toHaveLength(Math.max(0, part.split('\n').length - 2));
    }
  });

  it.each([
    ['no JSON', 'hello\n', 'j:1: expected a line of JSON, got "hello"'],
    ['a game twice', `${writeGameLine(lines[0]!)}\n${writeGameLine(lines[0]!)}\n`, 'j:2.id: expected another than in line 1, got "1a"'],
    ['a rank too few', `${writeGameLine({ ...lines[0]!, ranks: [1] })}\n`, 'j:1.ranks: expected 2, one a bot, got 1'],
    ['a seat twice', `${writeGameLine({ ...lines[0]!, seats: [1, 1] })}\n`, 'j:1.seats: expected each seat once, got [1,1]'],
    ['an unknown field', `${writeGameLine({ ...lines[0]!, hsah: 1 } as never)}\n`, 'j:1.hsah: expected a known field (did you mean hash?), got 1'],
  ])('with %s is refused with its line', (_, bad, message) => {
    expect(() => readJournal(bad, 'j')).toThrow(message);
  }); // prettier-ignore

  it('reads a line without a plan before it', () => {
    expect(readGameLine(JSON.parse(writeGameLine(lines[0]!)), 'x')).toEqual(lines[0]);
  });
});

describe('one bot against another', () => {
  it('counts pairs of games on one seed', () => {
    const games = new Map(
      [
        game(pairId(0, 0), ['new', 'old'], [1, 2], { scores: [3, 1] }),
        game(pairId(0, 1), ['old', 'new'], [2, 1], { scores: [0, 2] }),
        game(pairId(1, 0), ['new', 'old'], [2, 1], { scores: [0, 1], faults: [{ seat: 0, tick: 1, kind: 'crash', reason: 'x' }] }),
        game(pairId(1, 1), ['old', 'new'], [1, 1], { scores: [1, 1] }),
        game(pairId(2, 0), ['new', 'old'], [1, 2]),
      ].map((one) => [one.id, one]),
    ); // prettier-ignore
    const found = new PairCount('new', { elo0: 0, elo1: 5, model: 'normalized', alpha: 0.05, beta: 0.05 }).take(games);
    expect(found).toMatchObject({
      pairs: 2,
      games: 4,
      wins: 2,
      losses: 1,
      draws: 1,
      points: 2.5,
      counts: [0, 1, 0, 0, 1],
      pairsRatio: 1,
      faults: [1, 0],
    });
    expect(found.difference.value).toBe((2 - 0.5) / 2);
    expect(found.sprt!.verdict).toBeNull();
  });

  it('compares games played alone on one seed by score, then by length', () => {
    const alone = (id: string, name: string, score: number, ticks: number) => game(id, [name], [1], { scores: [score], ticks });
    const games = new Map(
      [
        alone('1a', 'new', 5, 100),
        alone('1b', 'old', 5, 120),
        alone('2a', 'new', 3, 1),
        alone('2b', 'old', 4, 9),
        alone('3a', 'new', 1, 1),
        alone('3b', 'old', 1, 1),
      ].map((one) => [one.id, one]),
    );
    expect(new PairCount('new', null).take(games)).toMatchObject({ pairs: 3, games: 6, wins: 1, losses: 1, draws: 1, counts: [1, 1, 1] });
  });

  it('counts a game of four seats, two each, as one', () => {
    const games = new Map(
      [game('1a', ['n', 'o', 'n', 'o'], [1, 2, 3, 4]), game('1b', ['o', 'n', 'o', 'n'], [1, 1, 1, 1])].map((one) => [one.id, one]),
    );
    expect(new PairCount('n', null).take(games)).toMatchObject({ wins: 1, draws: 1, counts: [0, 0, 0, 1, 0] });
  });

  it('stops counting at the pair that decides, however many were played at once', () => {
    const sprt = { elo0: 0, elo1: 400, model: 'logistic', alpha: 0.2, beta: 0.2 } as const;
    const won = (pair: number, by: 'new' | 'old') =>
      [game(pairId(pair, 0), ['new', 'old'], by === 'new' ? [1, 2] : [2, 1]), game(pairId(pair, 1), ['old', 'new'], by === 'new' ? [2, 1] : [1, 2])]; // prettier-ignore
    const games = Array.from({ length: 12 }, (_, pair) => won(pair, pair < 6 ? 'new' : 'old')).flat();
    const oneByOne = new PairCount('new', sprt);
    for (let i = 0; i < games.length; i++) oneByOne.take(new Map(games.slice(0, i + 1).map((one) => [one.id, one])));
    const atOnce = new PairCount('new', sprt).take(new Map(games.map((one) => [one.id, one])));
    expect(atOnce.sprt!.verdict).toBe('H1');
    expect(atOnce.losses).toBe(0);
    expect(atOnce).toEqual(oneByOne.take(new Map()));
  });

  it('knows nothing before the first pair', () => {
    const none = new PairCount('new', null).take(new Map());
    expect([none.games, none.elo.value, none.elo.error, none.los, none.sprt]).toEqual([0, 0, Infinity, 0.5, null]);
  });
});

describe('a ladder', () => {
  it('lets the hungriest play, mostly with its like', () => {
    const names = ['a', 'b', 'c', 'd'];
    const games = Array.from({ length: 60 }, (_, i) => {
      const pair = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]][i % 6]!; // prettier-ignore
      return game(`${i}`, pair.map((k) => names[k]!), i % 12 < 11 ? [1, 2] : [2, 1]); // prettier-ignore
    });
    expect(ladderPair([...names, 'new'], games, 1n, 0)[0]).toBe('new');
    const partners = Array.from({ length: 400 }, (_, turn) => ladderPair(names, games, 1n, turn)).filter(([first]) => first === 'a').map(([, other]) => other); // prettier-ignore
    const count = (name: string): number => partners.filter((one) => one === name).length;
    expect(count('b')).toBeGreaterThan(2 * count('d'));
  });
});

describe('tuning by SPSA', () => {
  const plan: SpsaPlan = { params: [readParam('x=0:10:2'), readParam('y=-1:1')], rounds: 400, seed: 3n, lastStep: 0.05, rate: 0.5 };

  it('climbs to the top of a hill it only sees as wins and losses', () => {
    const height = ({ x, y }: Readonly<Record<string, number>>): number => -((x! - 7) ** 2) - 20 * (y! - 0.3) ** 2;
    let values = startOf(plan);
    expect(values).toEqual({ x: 2, y: 0 });
    for (let round = 0; round < plan.rounds; round++) {
      const { plus, minus } = triesOf(plan, values, round);
      values = afterRound(plan, values, round, 1 / (1 + Math.exp(height(minus) - height(plus))));
    }
    expect(Math.abs(values['x']! - 7)).toBeLessThan(0.7);
    expect(Math.abs(values['y']! - 0.3)).toBeLessThan(0.25);
  });

  it('stays within the bounds', () => {
    let values = startOf(plan);
    for (let round = 0; round < 50; round++) {
      const { plus, minus } = triesOf(plan, values, round);
      for (const one of [plus, minus]) expect(one['x']! >= 0 && one['x']! <= 10 && one['y']! >= -1 && one['y']! <= 1).toBe(true);
      values = afterRound(plan, values, round, plus['x']! > minus['x']! ? 1 : 0);
    }
    expect(values['x']).toBeGreaterThan(8);
  });

  it.each(['x', 'x=1', 'x=3:1', '=1:2', 'x=1:2:9', '1x=0:1'])('refuses %s', (text) => {
    expect(() => readParam(text)).toThrow(`param: expected name=least:most or name=least:most:start, got "${text}"`);
  });
});
