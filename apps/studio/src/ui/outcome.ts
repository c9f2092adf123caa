import type { Result } from '@lockstep/kernel';
import type { Setup } from '../protocol.ts';
import { filled, words, worldly } from '../words.ts';

/** "2 : 1 · captain wins · time is up"; whoever plays alone neither wins nor draws. */
export function outcomeText({ scores, ranks, reason }: Result, { bots }: Setup): string {
  const w = words.value;
  const winners = bots.filter((_, seat) => ranks[seat] === 1);
  const verdict = bots.length === 1 ? [] : [winners.length === 1 ? filled(w.wins, { name: winners[0]! }) : w.draw];
  return [scores.join(' : '), ...verdict, worldly(reason)].join(' · ');
}
