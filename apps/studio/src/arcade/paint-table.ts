import type { Layout, Point, Wall } from '@lockstep/pinball';
import { type Frame, xOf, yOf } from './frame.ts';
import type { Look } from './look.ts';

type Pen = CanvasRenderingContext2D;

/** What does not move: the field and its walls. */
export function paintTable(pen: Pen, layout: Layout, frame: Frame, look: Look): void {
  paintField(pen, layout, frame, look);
  paintName(pen, layout, frame, look);
  pen.save();
  clipField(pen, layout, frame);
  paintDrain(pen, layout, frame, look);
  for (const ramp of layout.ramps) paintSlope(pen, ramp.slope.points, frame, look);
  const ground = layout.walls.filter(({ layers }) => layers.includes(0));
  for (const wall of ground) paintShadow(pen, wall, frame, look);
  for (const wall of ground) paintWall(pen, wall, frame, look);
  pen.restore();
}

export function clipField(pen: Pen, { width, height }: Layout, frame: Frame): void {
  pen.beginPath();
  pen.roundRect(xOf(frame, 0) - 5, yOf(frame, height) - 5, width * frame.scale + 10, height * frame.scale + 10, 10);
  pen.clip();
}

/** Printed on the field, as large as there is room for. */
function paintName(pen: Pen, { name, width, height }: Layout, frame: Frame, look: Look): void {
  const size = Math.min(5, (0.62 * width) / Math.max(4, name.length * 0.85)) * frame.scale;
  pen.save();
  pen.letterSpacing = `${size * 0.12}px`;
  pen.font = `800 ${size}px system-ui, sans-serif`;
  pen.textAlign = 'center';
  pen.textBaseline = 'middle';
  pen.globalAlpha = look.dark ? 0.16 : 0.14;
  pen.fillStyle = look.art;
  pen.fillText(name.toUpperCase(), xOf(frame, width * 0.46), yOf(frame, height * 0.4));
  pen.restore();
}

/** What is above the ground, and over the balls on it. */
export function paintUpstairs(pen: Pen, layout: Layout, frame: Frame, look: Look): void {
  pen.save();
  pen.globalAlpha = 0.75;
  for (const wall of layout.walls) if (!wall.layers.includes(0)) paintWall(pen, wall, frame, look);
  pen.restore();
}

function paintField(pen: Pen, { width, height }: Layout, frame: Frame, look: Look): void {
  const { scale } = frame;
  const [left, top] = [xOf(frame, 0), yOf(frame, height)];
  const [w, h] = [width * scale, height * scale];
  pen.save();
  pen.fillStyle = look.frame;
  pen.shadowColor = look.shade;
  pen.shadowBlur = 24;
  pen.beginPath();
  pen.roundRect(left - 7, top - 7, w + 14, h + 14, 14);
  pen.fill();
  pen.restore();
  pen.save();
  pen.beginPath();
  pen.roundRect(left, top, w, h, 8);
  pen.clip();
  const light = pen.createRadialGradient(left + w * 0.46, top + h * 0.35, 0, left + w * 0.46, top + h * 0.42, h * 0.62);
  light.addColorStop(0, look.field[0]);
  light.addColorStop(1, look.field[1]);
  pen.fillStyle = light;
  pen.fillRect(left, top, w, h);
  paintRays(pen, left + w * 0.46, yOf(frame, height * 0.1), h, look);
  paintRings(pen, left + w * 0.46, yOf(frame, height * 0.68), w, look);
  pen.restore();
}

function paintRays(pen: Pen, x: number, y: number, reach: number, look: Look): void {
  const rays = 26;
  for (let k = 0; k < rays; k += 2) {
    const angle = (k / rays) * Math.PI * 2 - Math.PI / 2;
    const spread = Math.PI / rays;
    const ray = pen.createRadialGradient(x, y, 0, x, y, reach * 0.8);
    ray.addColorStop(0, look.art);
    ray.addColorStop(1, 'transparent');
    pen.globalAlpha = look.dark ? 0.07 : 0.06;
    pen.fillStyle = ray;
    pen.beginPath();
    pen.moveTo(x, y);
    pen.lineTo(x + Math.cos(angle - spread) * reach, y + Math.sin(angle - spread) * reach);
    pen.lineTo(x + Math.cos(angle + spread) * reach, y + Math.sin(angle + spread) * reach);
    pen.fill();
  }
  pen.globalAlpha = 1;
}

function paintRings(pen: Pen, x: number, y: number, width: number, look: Look): void {
  pen.strokeStyle = look.art;
  for (let k = 1; k <= 6; k++) {
    pen.globalAlpha = (look.dark ? 0.1 : 0.09) * (1 - k / 8);
    pen.lineWidth = k % 2 === 0 ? 1 : 2.5;
    pen.beginPath();
    pen.arc(x, y, (k * width) / 11, 0, Math.PI * 2);
    pen.stroke();
  }
  pen.globalAlpha = 1;
}

/** A ramp's slope: chevrons uphill. */
function paintSlope(pen: Pen, points: readonly Point[], frame: Frame, look: Look): void {
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  const [x0, x1, y0, y1] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  pen.save();
  tracePoints(pen, points, frame, true);
  pen.fillStyle = look.ramp;
  pen.globalAlpha = look.dark ? 0.14 : 0.12;
  pen.fill();
  pen.clip();
  pen.globalAlpha = 0.4;
  pen.strokeStyle = look.ramp;
  pen.lineWidth = 0.45 * frame.scale;
  for (let y = y0 + 1; y < y1 + 2; y += 2.6) {
    pen.beginPath();
    pen.moveTo(xOf(frame, x0 + 1), yOf(frame, y - 1.2));
    pen.lineTo(xOf(frame, (x0 + x1) / 2), yOf(frame, y));
    pen.lineTo(xOf(frame, x1 - 1), yOf(frame, y - 1.2));
    pen.stroke();
  }
  pen.restore();
}

function paintDrain(pen: Pen, { drain: { from, to } }: Layout, frame: Frame, look: Look): void {
  const y = yOf(frame, Math.max(from[1], to[1]));
  const fade = pen.createLinearGradient(0, y - 5 * frame.scale, 0, y);
  fade.addColorStop(0, 'transparent');
  fade.addColorStop(1, look.bad);
  pen.save();
  pen.globalAlpha = 0.22;
  pen.fillStyle = fade;
  pen.fillRect(xOf(frame, from[0]), y - 5 * frame.scale, (to[0] - from[0]) * frame.scale, 5 * frame.scale);
  pen.restore();
}

export function tracePoints(pen: Pen, points: readonly Point[], frame: Frame, closed: boolean): void {
  pen.beginPath();
  points.forEach(([x, y], i) => (i === 0 ? pen.moveTo(xOf(frame, x), yOf(frame, y)) : pen.lineTo(xOf(frame, x), yOf(frame, y))));
  if (closed) pen.closePath();
}

/** The line of a wall; true if it encloses something solid. */
export function traceWall(pen: Pen, wall: Wall, frame: Frame): boolean {
  switch (wall.kind) {
    case 'polyline':
      tracePoints(pen, wall.points, frame, false);
      return false;
    case 'polygon':
      tracePoints(pen, wall.points, frame, true);
      return true;
    case 'arc':
      pen.beginPath();
      pen.arc(xOf(frame, wall.at[0]), yOf(frame, wall.at[1]), wall.radius * frame.scale, -wall.from, -wall.to, true);
      return false;
    case 'post':
      pen.beginPath();
      pen.arc(xOf(frame, wall.at[0]), yOf(frame, wall.at[1]), wall.radius * frame.scale, 0, Math.PI * 2);
      return true;
    case 'bar':
      traceCapsule(pen, wall.from, wall.to, wall.radius, wall.radius, frame);
      return true;
  }
}

/** The hull of two disks. */
export function traceCapsule(pen: Pen, from: Point, to: Point, fromRadius: number, toRadius: number, frame: Frame): void {
  const [ax, ay, bx, by] = [xOf(frame, from[0]), yOf(frame, from[1]), xOf(frame, to[0]), yOf(frame, to[1])];
  const angle = Math.atan2(by - ay, bx - ax);
  const lean = Math.asin(Math.max(-1, Math.min(1, ((fromRadius - toRadius) * frame.scale) / Math.max(1e-6, Math.hypot(bx - ax, by - ay)))));
  const half = Math.PI / 2 - lean;
  pen.beginPath();
  pen.arc(ax, ay, fromRadius * frame.scale, angle + half, angle - half);
  pen.arc(bx, by, toRadius * frame.scale, angle - half, angle + half);
  pen.closePath();
}

function paintShadow(pen: Pen, wall: Wall, frame: Frame, look: Look): void {
  pen.save();
  pen.translate(0.35 * frame.scale, 0.6 * frame.scale);
  pen.strokeStyle = look.shade;
  pen.lineWidth = 0.8 * frame.scale;
  pen.lineJoin = 'round';
  pen.lineCap = 'round';
  traceWall(pen, wall, frame);
  pen.stroke();
  pen.restore();
}

function paintWall(pen: Pen, wall: Wall, frame: Frame, look: Look): void {
  const colour = look.materials[wall.material] ?? look.plain;
  const solid = traceWall(pen, wall, frame);
  pen.lineJoin = 'round';
  pen.lineCap = 'round';
  if (solid) {
    pen.fillStyle = look.solid;
    pen.fill();
  }
  if (look.dark) {
    pen.strokeStyle = colour;
    pen.globalAlpha = pen.globalAlpha * 0.16;
    pen.lineWidth = 1.7 * frame.scale;
    pen.stroke();
    pen.globalAlpha = pen.globalAlpha / 0.16;
  }
  pen.strokeStyle = colour;
  pen.lineWidth = Math.max(1.5, 0.5 * frame.scale);
  pen.stroke();
}
