import type { Layout, Point } from '@lockstep/pinball';

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** How a table lies on its canvas: in pixels, y down. */
export interface Frame {
  readonly scale: number;
  readonly left: number;
  readonly bottom: number;
  readonly size: Size;
}

const MARGIN = 10;

export function frameOf({ width, height }: Layout, size: Size): Frame {
  const scale = Math.max(0.1, Math.min((size.width - 2 * MARGIN) / width, (size.height - 2 * MARGIN) / height));
  return { scale, left: (size.width - width * scale) / 2, bottom: size.height - (size.height - height * scale) / 2, size };
}

export const xOf = ({ left, scale }: Frame, x: number): number => left + x * scale;
export const yOf = ({ bottom, scale }: Frame, y: number): number => bottom - y * scale;

/** The place of the table under a pixel of the canvas. */
export const placeOf = ({ left, bottom, scale }: Frame, x: number, y: number): Point => [(x - left) / scale, (bottom - y) / scale];
