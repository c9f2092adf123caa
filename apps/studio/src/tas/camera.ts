import type { BoundingBox } from '@lockstep/asteracer';

/** What part of the map is seen: its middle, and pixels a unit. */
export interface Camera {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Room around the whole map, as a share of it. */
const MARGIN = 1.06;
/** The nearest look: so many pixels for one unit. At this the hull alone fills the window. */
const NEAREST = 2;

export function wholeMap(box: BoundingBox, { width, height }: Size): Camera {
  const [across, down] = [Math.max(box.max_x - box.min_x, 1), Math.max(box.max_y - box.min_y, 1)];
  const scale = Math.min(width / (across * MARGIN), height / (down * MARGIN));
  return { x: box.min_x + across / 2, y: box.min_y + down / 2, scale };
}

export const screenX = (camera: Camera, { width }: Size, x: number): number => (x - camera.x) * camera.scale + width / 2;
export const screenY = (camera: Camera, { height }: Size, y: number): number => (y - camera.y) * camera.scale + height / 2;
export const mapX = (camera: Camera, { width }: Size, x: number): number => (x - width / 2) / camera.scale + camera.x;
export const mapY = (camera: Camera, { height }: Size, y: number): number => (y - height / 2) / camera.scale + camera.y;

/** Nearer or further, while the place under the pointer stays there. */
export function zoomed(camera: Camera, size: Size, factor: number, at: { x: number; y: number }, box: BoundingBox): Camera {
  const furthest = wholeMap(box, size).scale / 2;
  const scale = Math.max(furthest, Math.min(camera.scale * factor, NEAREST));
  const [x, y] = [mapX(camera, size, at.x), mapY(camera, size, at.y)];
  return { x: x - (at.x - size.width / 2) / scale, y: y - (at.y - size.height / 2) / scale, scale };
}

export function panned(camera: Camera, dx: number, dy: number): Camera {
  return { ...camera, x: camera.x - dx / camera.scale, y: camera.y - dy / camera.scale };
}
