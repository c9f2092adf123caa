import { describe, expect, it } from 'vitest';
import { workshop } from './cli-run.ts';

const { lockstep } = workshop();

describe('bench sparse', () => {
  it('--quick runs everything once: movers, the naive way, threads, the store, particles, each with its peer', async () => {
    const { code, out } = await lockstep('bench', 'sparse', '--quick', '--json');
    expect(code).toBe(0);
    type Row = { bench: string; subject: string; against: string | null; ratio: number | null; value: number; unit: string };
    const rows = out
      .trim()
      .split('\n')
      .map((row) => JSON.parse(row) as Row);
    for (const { value } of rows) expect(value).toBeGreaterThan(0);
    const compared = rows.filter(({ ratio }) => ratio !== null).map(({ subject, against }) => `${subject} / ${against}`);
    for (const wanted of [
      /^lockstep \/ rapier [0-9.]+$/,
      /^naive O\(n²\) \/ lockstep$/,
      /^2 threads, best step \/ 1 thread$/,
      /^lockstep \/ a Map with string keys$/,
    ])
      expect(compared.some((row) => wanted.test(row))).toBe(true);
    expect(rows.some(({ unit }) => unit === 'M particles/s')).toBe(true);
  });
});
