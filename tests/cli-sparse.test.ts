import { describe, expect, it } from 'vitest';
import { jsonLines, workshop } from './cli-run.ts';

const { lockstep } = workshop();

describe('the dungeon on the command line', () => {
  it('[SW-D9] a game is recorded, and verifies although its state has grown', async () => {
    const played = await lockstep('match', 'sparse', 'delver', '--seed', '7', '--ticks', '400', '--record', 'dungeon.replay', '--json');
    expect([played.code, played.err]).toEqual([0, '']);
    const [{ hash, scores }] = jsonLines(played.out) as unknown as [{ hash: string; scores: number[] }];
    expect(scores[0]).toBeGreaterThan(20);
    const verified = await lockstep('replay', 'verify', 'dungeon.replay');
    expect(verified.code).toBe(0);
    expect(verified.out).toMatch(new RegExp(`ok, .*400 ticks, final state ${hash}`));
  });

  it('[SW-D1] the same game two billion chunks away has the same result', async () => {
    const games = await Promise.all(
      ['solo', 'far'].map((rules) => lockstep('match', 'sparse', 'delver', '--seed', '7', '--rules', rules, '--ticks', '400', '--json')),
    );
    const [near, far] = games.map(({ out }) => jsonLines(out)[0] as unknown as { hash: string; scores: number[] });
    expect(far!.scores).toEqual(near!.scores);
    expect(far!.hash).not.toBe(near!.hash);
  });
});
