import { describe, expect, it } from 'vitest';
import { boolAt, choiceAt, InputError, intAt, numberAt, objectAt, shown } from './errors.ts';

const message = (act: () => unknown): string => {
  try {
    act();
  } catch (error) {
    expect(error).toBeInstanceOf(InputError);
    return (error as Error).message;
  }
  throw new Error('nothing was refused');
};

describe('bad input is refused by one line: path, expected, got', () => {
  it('numbers', () => {
    expect(numberAt(-0, 'a')).toBe(0); // a sign that JSON would lose
    expect(numberAt(5, 'a', 5, 5)).toBe(5);
    expect(message(() => numberAt(NaN, 'action.speed'))).toBe('action.speed: expected a finite number, got NaN');
    expect(message(() => numberAt(Infinity, 'x', 0, 1))).toBe('x: expected a number 0..1, got Infinity');
    expect(message(() => numberAt('high', 'x'))).toBe('x: expected a finite number, got "high"');
    expect(message(() => numberAt(undefined, 'x'))).toBe('x: expected a finite number, got nothing');
  });

  it('whole numbers', () => {
    expect(intAt(3, 'n', 1, 3)).toBe(3);
    expect(message(() => intAt(4, 'teamSize', 1, 3))).toBe('teamSize: expected a whole number 1..3, got 4');
    expect(message(() => intAt(1.5, 'teamSize', 1, 3))).toBe('teamSize: expected a whole number 1..3, got 1.5');
    expect(message(() => intAt(2n, 'teamSize', 1, 3))).toBe('teamSize: expected a whole number 1..3, got 2');
  });

  it('booleans and choices', () => {
    expect(boolAt(false, 'b')).toBe(false);
    expect(message(() => boolAt(0, 'b'))).toBe('b: expected true or false, got 0');
    expect(choiceAt('round2', 'rules', ['round1', 'round2'])).toBe('round2');
    expect(message(() => choiceAt('round9', 'rules', ['round1', 'round2']))).toBe('rules: expected one of round1, round2, got "round9"');
  });

  it('objects: an unknown field is named', () => {
    const raw = { x: 1 };
    expect(objectAt(raw, 'config', ['x', 'y'])).toBe(raw);
    expect(message(() => objectAt({ z: 1 }, 'config', ['x', 'y']))).toBe('config.z: expected only the fields x, y, got 1');
    for (const bad of [null, [], 'x', 1, undefined])
      expect(message(() => objectAt(bad, 'config', ['x']))).toMatch(/^config: expected an object/);
  });

  it('a slip of the finger is answered by the word that was meant', () => {
    const modes = ['official', 'counter', 'none'];
    expect(message(() => choiceAt('offical', 'draws', modes))).toBe(
      'draws: expected one of official, counter, none (did you mean official?), got "offical"',
    );
    expect(message(() => objectAt({ GRAVTY: 1 }, 'rules', ['GRAVITY', 'ticks']))).toBe(
      'rules.GRAVTY: expected only the fields GRAVITY, ticks (did you mean GRAVITY?), got 1',
    );
    for (const other of ['maybe', '', 'o'.repeat(100_000), 7, null])
      expect(message(() => choiceAt(other, 'draws', modes))).toMatch(/none, got/);
    const many = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'GRAVITY'];
    expect(message(() => objectAt({ GRAVTY: 1 }, 'rules', many))).toBe(
      'rules.GRAVTY: expected a known field (did you mean GRAVITY?), got 1',
    );
    expect(message(() => objectAt({ 3: 1 }, 'action', ['1', '2']))).toBe('action.3: expected only the fields 1, 2, got 1');
  });

  it('a bag with an odd prototype or a field named like a built-in one is no way in', () => {
    expect(message(() => objectAt(JSON.parse('{"__proto__": 1}'), 'config', ['x']))).toMatch(/^config\.__proto__/);
  });

  it('whatever came is shown on one short line', () => {
    const loop: unknown[] = [];
    loop.push(loop);
    for (const value of [
      loop,
      () => 0,
      Symbol('s'),
      10n,
      'a\nb'.repeat(100),
      { deep: { er: 'x'.repeat(999) } },
      null,
      undefined,
      -0,
      new Date(NaN),
    ]) {
      const text = shown(value);
      expect(text).not.toContain('\n');
      expect(text.length).toBeGreaterThan(0);
      expect(text.length).toBeLessThanOrEqual(60);
    }
    expect(shown(-0)).toBe('-0');
  });
});
