import { describe, expect, it } from 'vitest';
import { Account, BUDGETS, countsWorkOnly, isUntimed } from './index.ts';

describe('budgets', () => {
  it('bank is the rule book: 20 s a tick, 20 ms × max ticks + 20 s in all, 256 MB', () => {
    const account = new Account(BUDGETS.bank, 20_000);
    expect(account.turnMs).toBe(20_000);
    expect(account.allowedMs).toBe(420_000);
    expect(BUDGETS.bank.memoryBytes).toBe(268_435_456);
    expect(account.late().message).toBe('no answer within 20 s');
  });

  it('the last tick has only what is left in the bank', () => {
    const account = new Account(BUDGETS.bank, 100);
    account.answered(15_000, 15_000);
    expect(account.turnMs).toBe(7000);
    expect(account.late().message).toBe('it used up its 22 s for the whole game');
    expect(() => account.answered(7001, 7001)).toThrow('it used up its 22 s for the whole game');
  });

  it('none has no clock, but ten times the usual work for one answer is a loop without end', () => {
    const { steps, gas, ...clocks } = BUDGETS.none;
    expect(Object.values(clocks)).toEqual([null, null, null, null, null]);
    expect([steps.tick, gas.tick]).toEqual([10 * BUDGETS.bank.steps.tick, 10 * BUDGETS.bank.gas.tick]);
    expect([isUntimed(BUDGETS.none), isUntimed(BUDGETS.gas), isUntimed(BUDGETS.bank)]).toEqual([true, false, false]);
    expect([countsWorkOnly(BUDGETS.none), countsWorkOnly(BUDGETS.gas), countsWorkOnly(BUDGETS.bank)]).toEqual([false, true, false]);
  });

  it('where the length of the game is unknown the bank grows by the tick', () => {
    const account = new Account(BUDGETS.bank, null);
    expect(account.allowedMs).toBe(20_020);
    account.answered(1, 1);
    expect(account.allowedMs).toBe(20_040);
  });

  it('waiting for a processor is not charged, thinking in the time of others is', () => {
    const account = new Account(BUDGETS.bank, 100);
    account.answered(19_000, 10);
    expect([account.wallMs, account.chargedMs, account.slowestMs]).toEqual([19_000, 10, 19_000]);
    account.noteCpu(5000);
    expect(account.chargedMs).toBe(5000);
    expect(() => account.noteCpu(22_001)).toThrow('it used up its 22 s');
  });

  it('a strike costs the answer, one too many the game', () => {
    const account = new Account(BUDGETS.strikes, 100);
    expect(account.answered(100, 100)).toBe(true);
    for (let i = 0; i < 10; i++) expect(account.answered(101, 101)).toBe(false);
    expect(account.answered(5000, 3)).toBe(true);
    expect(() => account.answered(101, 101)).toThrow('answer number 11 that took more than 100 ms; 10 are forgiven');
  });

  it('none forbids nothing', () => {
    const account = new Account(BUDGETS.none, null);
    expect(account.turnMs).toBe(Infinity);
    expect(account.answered(1e9, 1e9)).toBe(true);
  });
});
