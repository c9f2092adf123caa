import type { Circle, RaceMap } from '@lockstep/asteracer';
import { type Camera, mapX, mapY, screenX, screenY, type Size } from './camera.ts';
import { contours } from './contours.ts';
import type { FieldPicture } from './field.ts';
import type { Gap } from './gaps.ts';
import type { Palette } from './palette.ts';
import type { Script, Span } from './script.ts';
import type { Course } from './tick-cache.ts';
import { FULL } from './thrust.ts';

type Pen = CanvasRenderingContext2D;

/** All that the map's picture is made of. */
export interface MapSight {
  readonly map: RaceMap;
  readonly camera: Camera;
  readonly size: Size;
  readonly palette: Palette;
  readonly course: Course;
  readonly script: Script;
  /** With its fraction of a tick. */
  readonly playhead: number;
  readonly selection: Span | null;
  readonly markers: readonly number[];
  readonly ghosts: readonly Course[];
  readonly gaps: readonly Gap[];
  readonly field: FieldPicture | null;
}

/** Points nearer to each other than this are one, in pixels. */
const FINE = 0.7;
const MOST_SPECKS = 40_000;
/** Lines of equal time stand so many ticks apart, and are looked for in squares of at least so many pixels. */
const BAND = 30;
const FINEST_LINES = 2;

/** What does not change from tick to tick: rocks, border, field and gaps. Painted again only when the look at the map changes. */
export class Backdrop {
  private readonly canvas = document.createElement('canvas');
  private painted: readonly unknown[] = [];
  private rock: { readonly dark: boolean; readonly picture: HTMLCanvasElement } | null = null;

  paint(pen: Pen, sight: MapSight, ratio: number): void {
    const { map, camera, size, palette, gaps, field } = sight;
    const as = [map, camera.x, camera.y, camera.scale, size.width, size.height, palette, gaps, field, ratio];
    if (as.some((part, i) => part !== this.painted[i])) {
      this.painted = as;
      this.canvas.width = Math.max(1, Math.round(size.width * ratio));
      this.canvas.height = Math.max(1, Math.round(size.height * ratio));
      const own = this.canvas.getContext('2d')!;
      own.setTransform(ratio, 0, 0, ratio, 0, 0);
      paintSpace(own, sight);
      if (field !== null) paintField(own, sight, field);
      this.paintRocks(own, sight);
      paintBorder(own, sight);
      if (gaps.length > 0) paintGaps(own, sight);
    }
    pen.save();
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.drawImage(this.canvas, 0, 0);
    pen.restore();
  }

  private paintRocks(pen: Pen, { map, camera, size, palette, field }: MapSight): void {
    if (this.rock?.dark !== palette.dark) this.rock = { dark: palette.dark, picture: rockPicture(palette.dark) };
    const { picture } = this.rock;
    const [left, right] = [mapX(camera, size, 0), mapX(camera, size, size.width)];
    const [top, bottom] = [mapY(camera, size, 0), mapY(camera, size, size.height)];
    pen.globalAlpha = field === null ? 1 : 0.9;
    // Of very many specks some will do.
    const stride = Math.ceil(map.asteroids.length / MOST_SPECKS);
    for (let i = 0; i < map.asteroids.length; i++) {
      const { x, y, radius } = map.asteroids[i]!;
      if (radius * camera.scale < 1 && i % stride !== 0) continue;
      if (x + radius < left || x - radius > right || y + radius < top || y - radius > bottom) continue;
      const [cx, cy, r] = [screenX(camera, size, x), screenY(camera, size, y), Math.max(radius * camera.scale, 0.6)];
      // Very near, the shading is a flat colour and a picture of that size would cost time for nothing.
      if (r < 1500) pen.drawImage(picture, cx - r, cy - r, 2 * r, 2 * r);
      else fillCircle(pen, cx, cy, r, palette.dark ? '#263449' : '#c3cedb');
      if (r > 12) strokeCircle(pen, cx, cy, r, palette.dark ? 'rgb(150 180 220 / 45%)' : 'rgb(50 75 110 / 45%)', 1);
    }
    pen.globalAlpha = 1;
  }
}

/** A rock lit from the upper left, as one picture for all of them. */
function rockPicture(dark: boolean): HTMLCanvasElement {
  const picture = document.createElement('canvas');
  const size = 256;
  picture.width = size;
  picture.height = size;
  const pen = picture.getContext('2d')!;
  const middle = size / 2;
  const light = pen.createRadialGradient(middle * 0.68, middle * 0.62, middle * 0.08, middle, middle, middle);
  const stops = dark ? ['#4a5f7e', '#2a3a52', '#182234'] : ['#f3f6fa', '#cdd7e3', '#a9b8ca'];
  stops.forEach((colour, i) => light.addColorStop([0, 0.55, 1][i]!, colour));
  fillCircle(pen, middle, middle, middle - 1, light);
  return picture;
}

/** Quiet lines to judge distances by: every power of ten of the map's units that is neither too dense nor too wide. */
function paintSpace(pen: Pen, { camera, size, palette, map: { box } }: MapSight): void {
  pen.clearRect(0, 0, size.width, size.height);
  const [left, top] = [screenX(camera, size, box.min_x), screenY(camera, size, box.min_y)];
  const [right, bottom] = [screenX(camera, size, box.max_x), screenY(camera, size, box.max_y)];
  pen.fillStyle = palette.dark ? 'rgb(4 8 16 / 55%)' : 'rgb(255 255 255 / 70%)';
  pen.fillRect(left, top, right - left, bottom - top);
  const step = 10 ** Math.ceil(Math.log10(48 / camera.scale));
  pen.strokeStyle = palette.edge;
  pen.globalAlpha = 0.35;
  pen.lineWidth = 1;
  pen.beginPath();
  const from = (low: number, seen: number) => Math.ceil(Math.max(low, seen) / step) * step;
  for (let x = from(box.min_x, mapX(camera, size, 0)); x <= Math.min(box.max_x, mapX(camera, size, size.width)); x += step) {
    const at = Math.round(screenX(camera, size, x)) + 0.5;
    pen.moveTo(at, Math.max(top, 0));
    pen.lineTo(at, Math.min(bottom, size.height));
  }
  for (let y = from(box.min_y, mapY(camera, size, 0)); y <= Math.min(box.max_y, mapY(camera, size, size.height)); y += step) {
    const at = Math.round(screenY(camera, size, y)) + 0.5;
    pen.moveTo(Math.max(left, 0), at);
    pen.lineTo(Math.min(right, size.width), at);
  }
  pen.stroke();
  pen.globalAlpha = 1;
}

/** The field's colours, and a line of equal time every half second: a quick way crosses them at right angles. */
function paintField(pen: Pen, { camera, size }: MapSight, { picture, cells, line }: FieldPicture): void {
  const scale = cells.size * camera.scale;
  pen.imageSmoothingEnabled = true;
  pen.globalAlpha = 0.75;
  pen.drawImage(picture, screenX(camera, size, cells.left), screenY(camera, size, cells.top), cells.columns * scale, cells.rows * scale);
  pen.globalAlpha = 1;
  const column = (x: number) => Math.floor((mapX(camera, size, x) - cells.left) / cells.size);
  const row = (y: number) => Math.floor((mapY(camera, size, y) - cells.top) / cells.size);
  const step = Math.max(1, Math.ceil(FINEST_LINES / scale));
  const patch = { left: column(0) - step, top: row(0) - step, right: column(size.width) + step, bottom: row(size.height) + step, step };
  pen.strokeStyle = line;
  pen.lineWidth = 1;
  pen.beginPath();
  contours(cells, patch, BAND, 0.5, (x1, y1, x2, y2) => {
    pen.moveTo(screenX(camera, size, x1), screenY(camera, size, y1));
    pen.lineTo(screenX(camera, size, x2), screenY(camera, size, y2));
  });
  pen.stroke();
}

function paintBorder(pen: Pen, { camera, size, palette, map: { box } }: MapSight): void {
  const [left, top] = [screenX(camera, size, box.min_x), screenY(camera, size, box.min_y)];
  pen.strokeStyle = palette.dim;
  pen.lineWidth = 1.5;
  pen.strokeRect(left, top, (box.max_x - box.min_x) * camera.scale, (box.max_y - box.min_y) * camera.scale);
}

function paintGaps(pen: Pen, { camera, size, palette, gaps }: MapSight): void {
  pen.lineCap = 'round';
  for (const { x1, y1, x2, y2, depth } of gaps) {
    const [ax, ay] = [screenX(camera, size, x1), screenY(camera, size, y1)];
    const [bx, by] = [screenX(camera, size, x2), screenY(camera, size, y2)];
    const [mx, my] = [(ax + bx) / 2, (ay + by) / 2];
    if (mx < -50 || my < -50 || mx > size.width + 50 || my > size.height + 50) continue;
    pen.strokeStyle = palette.bad;
    pen.globalAlpha = depth <= 400 ? 1 : 0.55;
    pen.lineWidth = depth <= 400 ? 3 : 2;
    pen.beginPath();
    pen.moveTo(ax, ay);
    pen.lineTo(bx, by);
    pen.stroke();
    const long = Math.hypot(bx - ax, by - ay);
    if (long < 8) fillCircle(pen, mx, my, depth <= 400 ? 4 : 3, palette.bad);
    if (long > 60) label(pen, palette, mx + 6, my, `${Math.round(depth)}`);
  }
  pen.globalAlpha = 1;
}

/** What moves: goals, ways, ghosts, ship. */
export function paintRun(pen: Pen, sight: MapSight): void {
  const { course, palette, playhead, ghosts, selection, markers } = sight;
  const now = Math.min(Math.floor(playhead), course.length);
  paintGoals(pen, sight, now);
  ghosts.forEach((ghost) => {
    paintWay(pen, sight, ghost, 0, ghost.length, palette.ghost, 1.2, 0.6);
  });
  paintWay(pen, sight, course, now, course.length, palette.run, 1.6, 0.95);
  paintWay(pen, sight, course, 0, now, palette.run, 2.6, 0.4);
  if (selection !== null) paintWay(pen, sight, course, selection.from, selection.to, palette.accent, 4, 0.9);
  paintHits(pen, sight);
  for (const tick of markers) paintMarker(pen, sight, tick);
  ghosts.forEach((ghost) => paintShip(pen, sight, ghost, palette.ghost, 0.75));
  paintThrust(pen, sight, now);
  paintShip(pen, sight, course, palette.run, 1);
}

function paintGoals(pen: Pen, { map, camera, size, palette, course }: MapSight, now: number): void {
  pen.textAlign = 'center';
  pen.textBaseline = 'middle';
  map.goals.forEach(({ x, y, radius }: Circle, goal) => {
    const [cx, cy, r] = [screenX(camera, size, x), screenY(camera, size, y), Math.max(radius * camera.scale, 3)];
    if (cx < -r || cy < -r || cx > size.width + r || cy > size.height + r) return;
    const at = course.goalTicks[goal]!;
    const done = at >= 0 && at <= now;
    pen.globalAlpha = done ? 0.18 : 0.32;
    fillCircle(pen, cx, cy, r, palette.goal);
    pen.globalAlpha = done ? 0.5 : 1;
    if (at < 0) pen.setLineDash([4, 4]);
    strokeCircle(pen, cx, cy, r, palette.goal, done ? 1 : 2);
    pen.setLineDash([]);
    pen.globalAlpha = 1;
    if (r < 9) return;
    pen.fillStyle = done ? palette.dim : palette.ink;
    pen.font = `600 ${Math.min(Math.max(r * 0.8, 10), 16)}px ${palette.font}`;
    pen.fillText(`${goal + 1}`, cx, cy);
  });
}

function paintWay(
  pen: Pen,
  { camera, size }: MapSight,
  { x, y, length }: Course,
  from: number,
  to: number,
  colour: string,
  width: number,
  alpha: number,
): void {
  const last = Math.min(to, length);
  if (last <= from) return;
  pen.strokeStyle = colour;
  pen.globalAlpha = alpha;
  pen.lineWidth = width;
  pen.lineJoin = 'round';
  pen.lineCap = 'round';
  pen.beginPath();
  const { scale } = camera;
  const [offsetX, offsetY] = [size.width / 2 - camera.x * scale, size.height / 2 - camera.y * scale];
  let [px, py] = [x[from]! * scale + offsetX, y[from]! * scale + offsetY];
  pen.moveTo(px, py);
  const [right, bottom] = [size.width, size.height];
  let away = false;
  for (let tick = from + 1; tick <= last; tick++) {
    const [sx, sy] = [x[tick]! * scale + offsetX, y[tick]! * scale + offsetY];
    // A piece that lies on one side of the window is not seen.
    if ((sx < 0 && px < 0) || (sy < 0 && py < 0) || (sx > right && px > right) || (sy > bottom && py > bottom)) {
      px = sx;
      py = sy;
      away = true;
      continue;
    }
    if (!away && Math.abs(sx - px) < FINE && Math.abs(sy - py) < FINE && tick < last) continue;
    if (away) pen.moveTo(px, py);
    away = false;
    pen.lineTo(sx, sy);
    px = sx;
    py = sy;
  }
  pen.stroke();
  // Near enough, every tick is a dot.
  if (scale > 0.02) {
    pen.fillStyle = colour;
    for (let tick = from; tick <= last; tick++) {
      const [sx, sy] = [x[tick]! * scale + offsetX, y[tick]! * scale + offsetY];
      if (sx > 0 && sy > 0 && sx < right && sy < bottom) fillCircle(pen, sx, sy, width * 0.5 + 1.2, colour);
    }
  }
  pen.globalAlpha = 1;
}

function paintHits(pen: Pen, { camera, size, palette, course }: MapSight): void {
  pen.globalAlpha = 0.9;
  let [lastX, lastY] = [NaN, NaN];
  for (let tick = 1; tick <= course.length; tick++) {
    if (course.collided[tick] === 0) continue;
    const [x, y] = [screenX(camera, size, course.x[tick]!), screenY(camera, size, course.y[tick]!)];
    if (x < 0 || y < 0 || x > size.width || y > size.height || Math.abs(x - lastX) + Math.abs(y - lastY) < 2) continue;
    fillCircle(pen, x, y, 2.6, palette.bad);
    [lastX, lastY] = [x, y];
  }
  pen.globalAlpha = 1;
}

function paintMarker(pen: Pen, { camera, size, palette, course }: MapSight, tick: number): void {
  if (tick > course.length) return;
  const [x, y] = [screenX(camera, size, course.x[tick]!), screenY(camera, size, course.y[tick]!)];
  pen.fillStyle = palette.accent;
  pen.beginPath();
  pen.moveTo(x, y);
  pen.lineTo(x - 5, y - 12);
  pen.lineTo(x + 5, y - 12);
  pen.fill();
}

/** Between two ticks the picture moves on; the states do not. */
function placeAt({ x, y, length }: Course, playhead: number): [x: number, y: number] {
  const tick = Math.min(Math.floor(playhead), length);
  const next = Math.min(tick + 1, length);
  const share = Math.min(playhead, length) - tick;
  return [x[tick]! + (x[next]! - x[tick]!) * share, y[tick]! + (y[next]! - y[tick]!) * share];
}

function paintShip(pen: Pen, { camera, size, map, palette, playhead }: MapSight, course: Course, colour: string, alpha: number): void {
  const [x, y] = placeAt(course, playhead);
  const [cx, cy] = [screenX(camera, size, x), screenY(camera, size, y)];
  const r = map.racer.radius * camera.scale;
  pen.globalAlpha = alpha * 0.3;
  fillCircle(pen, cx, cy, Math.max(r, 5), colour);
  pen.globalAlpha = alpha;
  strokeCircle(pen, cx, cy, Math.max(r, 5), colour, 2);
  if (r < 5) fillCircle(pen, cx, cy, 2.4, colour);
  else fillCircle(pen, cx, cy, 1.6, palette.ink);
  pen.globalAlpha = 1;
}

/** The instruction that is played next as a flame, and the velocity as a line to where the ship would be without it. */
function paintThrust(pen: Pen, { camera, size, map, palette, course, script, playhead }: MapSight, now: number): void {
  const [x, y] = placeAt(course, playhead);
  const [cx, cy] = [screenX(camera, size, x), screenY(camera, size, y)];
  const [vx, vy] = [script[2 * now] ?? 0, script[2 * now + 1] ?? 0];
  const reach = Math.max(map.racer.radius * camera.scale, 5);
  const length = Math.sqrt(vx * vx + vy * vy);
  if (length > 0) {
    const [ux, uy] = [vx / length, vy / length];
    const flame = reach + (10 + reach) * (length / FULL);
    pen.globalAlpha = 0.85;
    pen.fillStyle = palette.run;
    pen.beginPath();
    pen.moveTo(cx - ux * flame, cy - uy * flame);
    pen.lineTo(cx - ux * reach - uy * reach * 0.45, cy - uy * reach + ux * reach * 0.45);
    pen.lineTo(cx - ux * reach + uy * reach * 0.45, cy - uy * reach - ux * reach * 0.45);
    pen.fill();
  }
  const speed = 12 * camera.scale;
  pen.globalAlpha = 0.8;
  pen.strokeStyle = palette.ink;
  pen.lineWidth = 1.5;
  pen.beginPath();
  pen.moveTo(cx, cy);
  pen.lineTo(cx + course.vx[now]! * speed, cy + course.vy[now]! * speed);
  pen.stroke();
  pen.globalAlpha = 1;
}

function label(pen: Pen, palette: Palette, x: number, y: number, text: string): void {
  pen.font = `11px ${palette.font}`;
  pen.textAlign = 'left';
  pen.textBaseline = 'middle';
  pen.globalAlpha = 1;
  pen.fillStyle = palette.ink;
  pen.fillText(text, x, y);
}

function fillCircle(pen: Pen, x: number, y: number, r: number, colour: string | CanvasGradient): void {
  pen.fillStyle = colour;
  pen.beginPath();
  pen.arc(x, y, r, 0, 2 * Math.PI);
  pen.fill();
}

function strokeCircle(pen: Pen, x: number, y: number, r: number, colour: string, width: number): void {
  pen.strokeStyle = colour;
  pen.lineWidth = width;
  pen.beginPath();
  pen.arc(x, y, r, 0, 2 * Math.PI);
  pen.stroke();
}
