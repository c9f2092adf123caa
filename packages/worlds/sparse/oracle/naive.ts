import { COLLIDES, CONFINED, MOVABLE, NONSPATIAL, STAIRS, TRAVERSABLE } from '../src/entity.ts';
import type { Store } from '../src/store.ts';

/** Grains are whole numbers here, counted from chunk 0: nothing can round. */
type Corner = readonly [bigint, bigint, bigint];
type BigBox = readonly [min: Corner, max: Corner];

const grains = (metres: number): bigint => BigInt(metres * 0x10_0000_0000);

/** All volumes of an entity in the world. */
function boxesOf(store: Store, row: number): BigBox[] {
  const { rules, shapes } = store;
  const at = [
    BigInt(store.chunkXOf(row)) * grains(rules.ChunkDimX) + grains(store.x[row]!),
    BigInt(store.chunkYOf(row)) * grains(rules.ChunkDimY) + grains(store.y[row]!),
    BigInt(store.chunkZOf(row)) * grains(rules.ChunkDimZ) + grains(store.z[row]!),
  ];
  const corners = shapes.cornersOf(store.shape[row]!);
  const corner = (from: number): Corner => [0, 1, 2].map((axis) => at[axis]! + grains(corners[from + axis]!)) as unknown as Corner;
  return Array.from({ length: corners.length / 6 }, (_, i) => [corner(i * 6), corner(i * 6 + 3)]);
}

const overlap = (a: BigBox, b: BigBox): boolean => [0, 1, 2].every((axis) => a[0][axis]! < b[1][axis]! && b[0][axis]! < a[1][axis]!);

/** Whether a box is inside a union: cut at every face of every Space, each piece must be inside one of them. */
function isInside(box: BigBox, spaces: readonly BigBox[]): boolean {
  const near = spaces.filter((space) => overlap(space, box));
  const cuts = [0, 1, 2].map((axis) => {
    const faces = near.flatMap((space) => [space[0][axis]!, space[1][axis]!]);
    const inner = faces.filter((face) => face > box[0][axis]! && face < box[1][axis]!);
    return [...new Set([box[0][axis]!, ...inner, box[1][axis]!])].sort((a, b) => (a < b ? -1 : 1));
  });
  const pieces = (axis: number): [bigint, bigint][] => cuts[axis]!.slice(1).map((end, i) => [cuts[axis]![i]!, end]);
  return pieces(0).every((x) =>
    pieces(1).every((y) =>
      pieces(2).every((z) =>
        near.some((space) => [x, y, z].every(([low, high], axis) => space[0][axis]! <= low && space[1][axis]! >= high)),
      ),
    ),
  );
}

/** Everything that is where it may not be, found by comparing everybody with everybody, exactly. */
export function faultsOf(store: Store): string[] {
  const rows: number[] = [];
  for (let row = 0; row < store.rowEnd; row++) if (store.id[row] !== 0 && (store.flags[row]! & NONSPATIAL) === 0) rows.push(row);
  const has = (row: number, flag: number): boolean => (store.flags[row]! & flag) !== 0;
  const boxes = new Map(rows.map((row) => [row, boxesOf(store, row)]));
  const spaces = rows.filter((row) => has(row, TRAVERSABLE)).flatMap((row) => boxes.get(row)!);
  const faults: string[] = [];
  for (const row of rows.filter((one) => has(one, MOVABLE))) {
    const mine = boxes.get(row)!;
    if (has(row, CONFINED) && !mine.every((box) => isInside(box, spaces))) faults.push(`${store.id[row]} is outside the Spaces`);
    for (const other of rows) {
      const isSolid = has(other, COLLIDES) && !has(other, TRAVERSABLE | STAIRS) && has(row, COLLIDES);
      if (!isSolid || other === row || store.pairs.get(store.id[row]!, store.id[other]!) === 0) continue;
      if (mine.some((a) => boxes.get(other)!.some((b) => overlap(a, b)))) faults.push(`${store.id[row]} overlaps ${store.id[other]}`);
    }
  }
  return faults;
}
