/** The first slice of a search, in nodes; each one is twice as long as the one before. A shorter one would be too narrow to find much. */
const FIRST_SLICE = 500_000;

/** A search in slices: after each of them what was found can be told. The longer a slice the wider it searches, so they grow. */
export function slicesOf(nodes: number): number[] {
  const slices: number[] = [];
  let rest = nodes;
  for (let slice = FIRST_SLICE; rest > slice; slice *= 2) {
    slices.push(slice);
    rest -= slice;
  }
  return [...slices, rest];
}
