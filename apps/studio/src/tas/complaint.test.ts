import { asteracer } from '@lockstep/asteracer';
import { InputError } from '@lockstep/kernel';
import { describe, expect, it } from 'vitest';
import { complaint } from './complaint.ts';
import { readFound } from './files.ts';
import { readShare, writeShare } from './share.ts';

async function refused(text: string): Promise<InputError> {
  const failed: unknown = await readFound(new TextEncoder().encode(text), 'a: b.txt').catch((error: unknown) => error);
  expect(failed).toBeInstanceOf(InputError);
  return failed as InputError;
}

describe('what is wrong with a file', () => {
  it('is said in English as the reader says it', async () => {
    const error = await refused('hello');
    expect(complaint(error, 'en')).toBe(error.message);
  });

  it.each([
    ['hello', 'a: b.txt: нужно: карта, команды или запись; а здесь: "hello"'],
    ['2\n1 1\n', 'a: b.txt, строка 3: нужно: команда 2 из 2; а здесь: ничего'],
    ['1\n1 1000\n', 'целое число от -128 до 127; а здесь: "1000"'],
    ['1\n127 1\n', 'vx*vx + vy*vy не больше 16129; а здесь: "127 1"'],
    ['0 0 5\n10 0 -10 5\n0\n0\n', 'a: b.txt, строка 2: нужно: рамка, где min не больше max'],
    ['0 0 5\n10 0\n', 'a: b.txt, строка 2: нужно: строка "min_x min_y max_x max_y"; а здесь: "10 0"'],
  ])('in Russian of %j', async (text, line) => {
    const said = complaint(await refused(text), 'ru');
    expect(said).toContain(line);
    expect(said).not.toMatch(/expected|, got|tick|line/);
  });

  it('in Russian of a link and of a run that is too long', async () => {
    const broken: unknown = await readShare('abc').catch((error: unknown) => error);
    expect(complaint(broken as InputError, 'ru')).toBe('ссылка: нужно: целая ссылка (скопируйте её ещё раз); а здесь: "abc"');
    const map = asteracer.world.readConfig('v2025').map;
    const letters = await writeShare({ map, rules: 'v2025', script: Int8Array.of(1, 1, 127, 1), markers: [] });
    const illegal: unknown = await readShare(letters).catch((error: unknown) => error);
    expect(complaint(illegal as InputError, 'ru')).toBe('ссылка (тик 2): нужно: vx*vx + vy*vy не больше 16129; а здесь: "127 1"');
    expect(complaint(new InputError('run', 'at most 200000 ticks', 200_001), 'ru')).toBe('заезд: нужно: не больше 200000; а здесь: 200001');
  });

  it('a phrase that nobody translated stays whole', () => {
    expect(complaint(new InputError('x', 'a strange thing', 'y'), 'ru')).toBe('x: нужно: a strange thing; а здесь: "y"');
  });
});
