/** The first slice of a search, in nodes; each one is twice as long as the one before. */
const FIRST_SLICE = 250_000;

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
