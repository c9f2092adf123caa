import { nextInt, seedRng } from '@lockstep/kernel';
import { expect, it } from 'vitest';
import { Lineage } from './lineage.ts';

it('moves are found back over hundreds of generations, though dead branches were cleared away', () => {
  const rng = seedRng(5n);
  const lineage = new Lineage();
  let members: number[][] = [[]];
  for (let generation = 0; generation < 300; generation++) {
    const parents = Int32Array.from({ length: 30 }, () => nextInt(rng, members.length));
    const moves = Int32Array.from({ length: 30 }, () => nextInt(rng, 256));
    const count = 1 + nextInt(rng, 30);
    members = Array.from({ length: count }, (_, i) => [...members[parents[i]!]!, moves[i]!]);
    lineage.add(parents, moves, count);
  }
  members.forEach((moves, i) => expect(lineage.movesTo(i)).toEqual(moves));
});
