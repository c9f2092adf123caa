/** Corners: min x, y, z, max x, y, z. */
export type Corners = readonly [number, number, number, number, number, number];

/**
 * [SW-R24] Search in P: asks of positions, not of moments, whether they are free, and keeps the farthest one of `samples` that is reached without
 * passing through one that is not. It needs no formula for the moment of a hit and gets over faults of the geometry, its work is bounded; it
 * knows neither when nor which face was hit, so nothing can bounce. The sweep of `src/sweep.ts` is search in t; this one checks it.
 */
export function searchInP(body: Corners, d: readonly [number, number, number], solids: readonly Corners[], samples: number): number {
  const isFree = (t: number): boolean =>
    solids.every((solid) =>
      [0, 1, 2].some((axis) => body[axis]! + t * d[axis]! >= solid[axis + 3]! || body[axis + 3]! + t * d[axis]! <= solid[axis]!),
    );
  for (let i = 1; i <= samples; i++) if (!isFree(i / samples)) return (i - 1) / samples;
  return 1;
}
