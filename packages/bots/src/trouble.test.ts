import { describe, expect, it } from 'vitest';
import { troubleOf } from './trouble.ts';

describe('trouble with a socket', () => {
  it.each([
    [{ code: 'EADDRINUSE', message: 'listen' }, 'somebody else listens there (EADDRINUSE)'],
    [{ code: 'EODD', message: 'odd' }, 'EODD'],
    [{ message: 'only words' }, 'only words'],
  ])('%j in words', (error, words) => {
    expect(troubleOf({ name: 'Error', ...error })).toBe(words);
  });
});
