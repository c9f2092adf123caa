import type { Flat, TopView } from '@lockstep/sparse';

/** [SW-R17] The document's colours. */
export const COLOURS = {
  camera: '#ffff00',
  sim: '#00ffff',
  updatable: '#ff00ff',
  bounds: '#ffa500',
  chunks: '#00ff00',
  spaces: '#0000ff',
} as const;

const MARKS = { hero: '#ffffff', monster: '#ff5a52', gold: '#ffd75e', familiar: '#dfe9f7', fountain: '#7fe3ff', other: '#8b97ab' } as const;
const RADII = { hero: 0.55, monster: 0.5, gold: 0.3, familiar: 0.25, fountain: 0.6, other: 0.2 } as const;
const MARGIN = 8;

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Pixels a metre, so that the outer bounds are seen as a whole. */
export function scaleOf({ bounds }: TopView, { width, height }: Size): number {
  return Math.max(1, Math.min(width, height) - 2 * MARGIN) / (bounds.maxX - bounds.minX);
}

/** Where a place of the region is in the picture: the camera is its middle, north is up. Differences come first: far from home nothing is lost. */
export function placeOf(view: TopView, size: Size, x: number, y: number): { x: number; y: number } {
  const scale = scaleOf(view, size);
  return { x: size.width / 2 + (x - view.x) * scale, y: size.height / 2 - (y - view.y) * scale };
}

export function paintTop(pen: CanvasRenderingContext2D, view: TopView, size: Size): void {
  pen.fillStyle = '#05070c';
  pen.fillRect(0, 0, size.width, size.height);
  const rect = (flat: Flat): [number, number, number, number] => {
    const low = placeOf(view, size, flat.minX, flat.maxY);
    const high = placeOf(view, size, flat.maxX, flat.minY);
    return [low.x, low.y, high.x - low.x, high.y - low.y];
  };
  pen.fillStyle = 'rgb(0 0 255 / 38%)';
  for (const space of view.spaces) pen.fillRect(...rect(space));
  outline(pen, COLOURS.spaces, 1.5, view.spaces.map(rect));
  outline(pen, COLOURS.chunks, 1, view.chunks.map(rect));
  for (const name of ['bounds', 'updatable', 'sim', 'camera'] as const) outline(pen, COLOURS[name], 2, [rect(view[name])]);
  const scale = scaleOf(view, size);
  for (const { mark, x, y, moves } of view.marks) {
    const at = placeOf(view, size, x, y);
    pen.globalAlpha = mark === 'other' || !(moves || mark === 'gold' || mark === 'fountain') ? 0.5 : 1;
    pen.fillStyle = MARKS[mark];
    pen.beginPath();
    pen.arc(at.x, at.y, Math.max(2, RADII[mark] * scale), 0, 2 * Math.PI);
    pen.fill();
  }
  pen.globalAlpha = 1;
}

function outline(
  pen: CanvasRenderingContext2D,
  colour: string,
  width: number,
  rects: readonly (readonly [number, number, number, number])[],
): void {
  pen.strokeStyle = colour;
  pen.lineWidth = width;
  for (const rect of rects) pen.strokeRect(...rect);
}
