import { describe, expect, it } from 'vitest';
import { type Counts, readCounts } from './counts.ts';
import { elo, eloOf, los, meanOf, nElo, shareAt } from './elo.ts';
import { erf, exp, ln } from './numbers.ts';
import { checkSprt, llr, type Sprt, sprtState } from './sprt.ts';

describe('the block that chess people know', () => {
  it('gives Elo and nElo of pairs (LL, LD, WL+DD, WD, WW)', () => {
    const pairs: Counts = [34, 54, 31 + 32, 64, 75];
    expect(elo(pairs).value.toFixed(2)).toBe('55.58');
    expect(elo(pairs).error.toFixed(2)).toBe('27.65');
    expect(nElo(pairs).value.toFixed(2)).toBe('57.94');
    expect(nElo(pairs).error.toFixed(2)).toBe('28.28');
  });

  it('gives Elo and LOS of 136 wins, 96 losses, 111 draws', () => {
    const games: Counts = [96, 111, 136];
    expect(elo(games).value.toFixed(2)).toBe('40.70');
    expect(elo(games).error.toFixed(2)).toBe('30.43');
    expect((los(games) * 100).toFixed(2)).toBe('99.60');
  });

  it('is silent about certainty where there is no spread', () => {
    expect(los([0, 10, 0])).toBe(0.5);
    expect(los([0, 0, 10])).toBe(1);
    expect(elo([0, 0, 10]).value).toBe(Infinity);
    expect(nElo([0, 4, 0])).toEqual({ value: 0, error: 0 });
    // One pair is no reason to be sure of anything.
    expect([elo([0, 0, 1, 0, 0]).error, nElo([0, 0, 1, 0, 0]).error]).toEqual([Infinity, Infinity]);
    expect(nElo([4, 0, 0]).value).toBe(-Infinity);
  });

  it('turns a share into Elo and back', () => {
    for (const points of [-800, -20, 0, 0.5, 199]) expect(Math.abs(eloOf(shareAt(points)) - points)).toBeLessThan(1e-9);
  });

  it('tells the mean of goal differences with its interval', () => {
    const spread = meanOf([2, 0, 1, 1]);
    expect([spread.value, spread.error.toFixed(4)]).toEqual([1, '0.8002']);
    expect(meanOf([3])).toEqual({ value: 3, error: Infinity });
    expect(meanOf([])).toEqual({ value: 0, error: Infinity });
  });
});

describe('the log-likelihood ratio, against published tests', () => {
  const known: readonly [Counts, Sprt['model'], number, number, string][] = [
    [[36027, 68692, 36433], 'normalized', 0, 2, '0.92'],
    [[10650, 20431, 10871], 'normalized', -1.75, 0.25, '2.30'],
    [[21184, 40708, 21404], 'logistic', 0.5, 2.5, '-1.57'],
    [[57030, 106593, 57433], 'logistic', 0, 2, '-2.59'],
    [[365, 16618, 36229, 16974, 390], 'normalized', 0, 2, '2.25'],
    [[127, 4883, 10712, 5150, 104], 'normalized', -1.75, 0.25, '3.01'],
    [[223, 9863, 21279, 10037, 246], 'logistic', 0.5, 2.5, '-3.07'],
    [[871, 26175, 55983, 26678, 821], 'logistic', 0, 2, '-4.98'],
  ];
  it.each(known)('%j, %s, %d..%d gives %s', (counts, model, elo0, elo1, expected) => {
    expect(llr(counts, { elo0, elo1, model }).toFixed(2)).toBe(expected);
  });

  it('is finite when outcomes never came, and of opposite sign when the sides are changed', () => {
    const test = { elo0: -5, elo1: 5, model: 'logistic' } as const;
    expect(llr([0, 0, 12], test)).toBeGreaterThan(0);
    expect(llr([0, 0, 12], test)).toBeCloseTo(-llr([12, 0, 0], test), 9);
  });

  it('stops at Wald’s bounds', () => {
    const test: Sprt = { elo0: 0, elo1: 2, model: 'normalized', alpha: 0.05, beta: 0.05 };
    const { lower, upper, verdict } = sprtState([36027, 68692, 36433], test);
    expect([lower.toFixed(2), upper.toFixed(2), verdict]).toEqual(['-2.94', '2.94', null]);
    expect(sprtState([127, 4883, 10712, 5150, 104], { ...test, elo0: -1.75, elo1: 0.25 }).verdict).toBe('H1');
    expect(sprtState([871, 26175, 55983, 26678, 821], { ...test, model: 'logistic' }).verdict).toBe('H0');
    expect(sprtState([0, 0, 0], test).llr).toBe(0);
  });

  it('refuses a test that decides nothing', () => {
    const test: Sprt = { elo0: 3, elo1: 3, model: 'normalized', alpha: 0.05, beta: 0.05 };
    expect(() => checkSprt(test)).toThrow('elo1: expected more than elo0 = 3, got 3');
    expect(() => checkSprt({ ...test, elo0: 0, alpha: 0.7 })).toThrow('alpha: expected a number between 0 and 0.5, got 0.7');
  });
});

describe('counts at the door', () => {
  it.each([[[1, 2]], [[1, 2, 3, 4]], ['1,2,3'], [[0, 0, 0]], [[1, -1, 0]], [[1.5, 0, 0]]])('refuses %j', (raw) => {
    expect(() => readCounts(raw)).toThrow(/^counts(\[\d\])?: expected /);
  });
});

describe('functions of + - * / alone', () => {
  it('agree with the engine’s to a few units in the last place', () => {
    for (let x = -30; x < 30; x += 0.0137) {
      expect(Math.abs(exp(x) / Math.exp(x) - 1)).toBeLessThan(1e-15);
      const y = Math.exp(x);
      expect(Math.abs(ln(y) - Math.log(y))).toBeLessThanOrEqual(1e-15 * Math.max(1, Math.abs(Math.log(y))));
    }
    expect([exp(800), exp(-800), ln(0), ln(-1), ln(Infinity), exp(0), ln(1)]).toEqual([Infinity, 0, -Infinity, NaN, Infinity, 1, 0]);
  });

  it('know erf by its table', () => {
    expect([0, 0.5, 1, 2, 3, 7, -1].map((x) => erf(x).toFixed(12))).toEqual([
      '0.000000000000', '0.520499877813', '0.842700792950', '0.995322265019', '0.999977909503', '1.000000000000', '-0.842700792950',
    ]); // prettier-ignore
  });
});
