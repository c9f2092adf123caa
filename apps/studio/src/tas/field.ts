import type { FieldCells } from './solver-protocol.ts';

/** A value field as a picture of one pixel a cell, with the numbers behind it. */
export interface FieldPicture {
  readonly picture: HTMLCanvasElement;
  readonly cells: FieldCells;
  readonly line: string;
}

const DARK = { near: [64, 176, 160], far: [22, 26, 70], line: 'rgb(150 226 210 / 42%)' };
const LIGHT = { near: [146, 222, 202], far: [222, 226, 246], line: 'rgb(40 100 110 / 40%)' };

/** Near the next goal light, far away dark. */
export function pictureOf(cells: FieldCells, dark: boolean): FieldPicture {
  const { columns, rows, times } = cells;
  const picture = document.createElement('canvas');
  picture.width = columns;
  picture.height = rows;
  const pen = picture.getContext('2d')!;
  const pixels = pen.createImageData(columns, rows);
  const [least, most] = rangeOf(times);
  const { near, far, line } = dark ? DARK : LIGHT;
  for (let cell = 0; cell < times.length; cell++) {
    const share = Math.sqrt(Math.min(Math.max((times[cell]! - least) / Math.max(most - least, 1), 0), 1));
    for (let part = 0; part < 3; part++) pixels.data[4 * cell + part] = near[part]! + (far[part]! - near[part]!) * share;
    pixels.data[4 * cell + 3] = 190;
  }
  pen.putImageData(pixels, 0, 0);
  return { picture, cells, line };
}

/** Without the few cells that are far beyond all others. */
function rangeOf(times: Float32Array): [least: number, most: number] {
  const sample = times.filter((_, i) => i % 97 === 0).sort();
  return [sample[0] ?? 0, sample[Math.floor(sample.length * 0.97)] ?? 1];
}
