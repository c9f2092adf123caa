import type { FieldCells } from './solver-protocol.ts';

/** A window of a raster: columns and rows from … to, both included, looked at in steps. */
export interface Patch {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly step: number;
}

/** Where a value lies between two others, 0..1. */
const between = (a: number, b: number, level: number): number => (level - a) / (b - a);

/**
 * Lines of equal time, every `band` ticks, by marching squares over a part of the field: `draw` gets each piece in map coordinates. Where
 * time rises by more than `steep` bands from a cell to the next (in rock) there are no lines: they would only be a stain.
 */
export function contours(
  { left, top, size, columns, rows, times }: FieldCells,
  patch: Patch,
  band: number,
  steep: number,
  draw: (x1: number, y1: number, x2: number, y2: number) => void,
): void {
  const { step } = patch;
  const end = { column: Math.min(patch.right, columns - 1 - step), row: Math.min(patch.bottom, rows - 1 - step) };
  const cuts: number[] = [];
  for (let row = Math.max(patch.top, 0); row <= end.row; row += step) {
    for (let column = Math.max(patch.left, 0); column <= end.column; column += step) {
      const at = row * columns + column;
      const [a, b] = [times[at]!, times[at + step]!];
      const [d, c] = [times[at + step * columns]!, times[at + step * columns + step]!];
      const low = Math.min(a, b, c, d);
      const high = Math.max(a, b, c, d);
      if (high - low > steep * band * step) continue;
      for (let level = Math.ceil(low / band) * band; level < high; level += band) {
        // Values stand for the cells' centres.
        const [x, y] = [left + (column + 0.5) * size, top + (row + 0.5) * size];
        const side = size * step;
        cuts.length = 0;
        if (a < level !== b < level) cuts.push(x + between(a, b, level) * side, y);
        if (b < level !== c < level) cuts.push(x + side, y + between(b, c, level) * side);
        if (d < level !== c < level) cuts.push(x + between(d, c, level) * side, y + side);
        if (a < level !== d < level) cuts.push(x, y + between(a, d, level) * side);
        for (let i = 0; i + 3 < cuts.length; i += 4) draw(cuts[i]!, cuts[i + 1]!, cuts[i + 2]!, cuts[i + 3]!);
      }
    }
  }
}
