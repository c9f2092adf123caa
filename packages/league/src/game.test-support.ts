import type { GameLine } from './result.ts';

/** A game between these bots, seats in their order, that ended with these ranks. */
export function game(id: string, names: readonly string[], ranks: readonly number[], more: Partial<GameLine> = {}): GameLine {
  return {
    id,
    world: 'toy',
    rules: { preset: 'plain' },
    rulesVersion: 1,
    seed: 1n,
    bots: names.map((name) => ({ name, sha256: null })),
    seats: names.map((_, seat) => seat),
    ranks,
    scores: ranks.map((rank) => names.length - rank),
    faults: [],
    ticks: 10,
    hash: '0123456789abcdef',
    replay: null,
    ...more,
  };
}
