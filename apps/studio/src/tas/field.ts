import type { FieldCells } from './solver-protocol.ts';

/** A value field as a picture of one pixel a cell, and where on the map it lies. */
export interface FieldPicture {
  readonly picture: HTMLCanvasElement;
  /** The map's place of its left upper corner. */
  readonly x: number;
  readonly y: number;
  /** Units a cell. */
  readonly cell: number;
}

/** Lines of equal time stand so many ticks apart. */
const BAND = 30;

const DARK = { near: [64, 176, 160], far: [22, 26, 70], line: [150, 226, 210] };
const LIGHT = { near: [146, 222, 202], far: [222, 226, 246], line: [70, 130, 140] };

/** Near the goal light, far away dark, with a line every half second: a quick run crosses them at right angles. */
export function pictureOf({ left, top, size, columns, rows, times }: FieldCells, dark: boolean): FieldPicture {
  const picture = document.createElement('canvas');
  picture.width = columns;
  picture.height = rows;
  const pen = picture.getContext('2d')!;
  const pixels = pen.createImageData(columns, rows);
  const [least, most] = rangeOf(times);
  const { near, far, line } = dark ? DARK : LIGHT;
  for (let cell = 0; cell < times.length; cell++) {
    const time = times[cell]!;
    const share = Math.min(Math.max((time - least) / Math.max(most - least, 1), 0), 1);
    const isLine =
      Math.floor(time / BAND) !== Math.floor((times[cell + 1] ?? time) / BAND) ||
      Math.floor(time / BAND) !== Math.floor((times[cell + columns] ?? time) / BAND);
    const colour = isLine ? line : near.map((part, i) => part + (far[i]! - part) * Math.sqrt(share));
    pixels.data.set([...colour, isLine ? 150 : 190], 4 * cell);
  }
  pen.putImageData(pixels, 0, 0);
  return { picture, x: left, y: top, cell: size };
}

/** Without the few cells that are far beyond all others. */
function rangeOf(times: Float32Array): [least: number, most: number] {
  const sample = times.filter((_, i) => i % 97 === 0).sort();
  return [sample[0] ?? 0, sample[Math.floor(sample.length * 0.97)] ?? 1];
}
