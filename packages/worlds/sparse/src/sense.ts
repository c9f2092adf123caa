import { OVERLAP } from './events.ts';
import type { Mover } from './mover.ts';
import type { SimRegion } from './sim-region.ts';
import { BOX } from './shapes.ts';
import { touches } from './sweep.ts';

/** [SW-R28] Tells what the body overlaps now, by ids: "пересекаются, если имеют хотя бы одну общую точку". */
export function sense(region: SimRegion, mover: Mover, row: number): void {
  const { p, body } = mover;
  const { total } = region.store.shapes;
  mover.row = row;
  p[0] = region.px[row]!;
  p[1] = region.py[row]!;
  p[2] = region.pz[row]!;
  for (let i = 0; i < BOX; i++) body[i] = total[region.shape[row]! * BOX + i]!;
  const ids = new Set<number>();
  for (const other of overlapping(region, row, p, body)) if (touches(region, mover, other)) ids.add(region.id[other]!);
  for (const id of [...ids].sort((a, b) => a - b)) region.events.push(OVERLAP, region.id[row]!, id, 0);
}

/** Rows whose boxes may touch a box around p, Spaces aside. */
function overlapping(region: SimRegion, self: number, p: Float64Array, body: Float64Array): number[] {
  const { solids, solidRow, bodyGrid } = region.surroundings;
  const min = [p[0]! + body[0]!, p[1]! + body[1]!, p[2]! + body[2]!] as const;
  const max = [p[0]! + body[3]!, p[1]! + body[4]!, p[2]! + body[5]!] as const;
  const found: number[] = [];
  const count = solids.collect(...min, ...max, found);
  const rows = found.slice(0, count).map((i) => solidRow[i]!);
  const { placeOf, firstNeighbour, neighbours } = bodyGrid;
  return [...rows, ...neighbours.subarray(firstNeighbour[placeOf[self]!], firstNeighbour[placeOf[self]! + 1])];
}
