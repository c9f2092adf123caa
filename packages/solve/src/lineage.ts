/** Dead branches are cleared away every so many generations. */
const CLEAR_EVERY = 64;

interface Generation {
  readonly parents: Int32Array;
  readonly moves: Uint8Array;
}

/** Who came from whom by which move, generation after generation; what has no living descendant is forgotten. */
export class Lineage {
  private readonly generations: Generation[] = [];

  /** The new generation's members, as columns of which the first `count` count. Moves are 0..255. */
  add(parents: Int32Array, moves: Int32Array, count: number): void {
    this.generations.push({ parents: parents.slice(0, count), moves: Uint8Array.from(moves.subarray(0, count)) });
    if (this.generations.length % CLEAR_EVERY === 0) this.clear();
  }

  /** The moves that led to a member of the last generation, the first one first. */
  movesTo(member: number): number[] {
    const moves: number[] = [];
    for (let g = this.generations.length - 1; g >= 0; g--) {
      const { parents, moves: made } = this.generations[g]!;
      moves.push(made[member]!);
      member = parents[member]!;
    }
    return moves.reverse();
  }

  private clear(): void {
    const { generations } = this;
    for (let g = generations.length - 1; g > 0; g--) {
      const above = generations[g - 1]!;
      const { parents, moves } = generations[g]!;
      const place = new Int32Array(above.parents.length).fill(-1);
      for (const parent of parents) place[parent] = 0;
      let living = 0;
      for (let i = 0; i < place.length; i++) if (place[i] === 0) place[i] = living++;
      if (living === place.length) continue;
      generations[g] = { parents: parents.map((parent) => place[parent]!), moves };
      const isAlive = (_: number, i: number): boolean => place[i]! >= 0;
      generations[g - 1] = { parents: above.parents.filter(isAlive), moves: above.moves.filter(isAlive) };
    }
  }
}
