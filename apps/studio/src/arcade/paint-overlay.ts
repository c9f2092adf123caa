import type { Layout, Point } from '@lockstep/pinball';
import { collidersOf, type Seen } from './colliders.ts';
import { type Frame, xOf, yOf } from './frame.ts';
import type { Look } from './look.ts';
import { traceCapsule, tracePoints } from './paint-table.ts';
import type { Shot } from './protocol.ts';

type Pen = CanvasRenderingContext2D;

const colourOf = ({ kind, layers }: Seen, look: Look): string => {
  if (kind === 'wall') return layers !== 'all' && layers.includes(0) ? look.good : look.ramp;
  return { 'one-way': look.lamp, thrower: look.bumper, target: look.target, sensor: look.sensor, drain: look.bad, mover: look.flipper[0] }[
    kind
  ];
};

/** What the physics sees: shapes, which side of them holds, and on which layer. */
export function paintColliders(pen: Pen, layout: Layout, frame: Frame, look: Look): void {
  pen.save();
  pen.globalAlpha = look.dark ? 0.5 : 0.6;
  pen.fillStyle = look.dark ? '#05070d' : '#ffffff';
  pen.fillRect(xOf(frame, 0), yOf(frame, layout.height), layout.width * frame.scale, layout.height * frame.scale);
  pen.globalAlpha = 1;
  pen.lineCap = 'butt';
  for (const seen of collidersOf(layout)) {
    pen.strokeStyle = colourOf(seen, look);
    pen.lineWidth = 1.6;
    const sensor = seen.kind === 'sensor' || seen.kind === 'drain';
    const upstairs = seen.layers !== 'all' && !seen.layers.includes(0);
    pen.setLineDash(sensor ? [4, 3] : upstairs ? [8, 2] : []);
    trace(pen, seen, frame);
    pen.stroke();
    pen.setLineDash([]);
    paintNormals(pen, seen, frame);
  }
  pen.restore();
}

function trace(pen: Pen, { shape }: Seen, frame: Frame): void {
  if (shape.is === 'lines') tracePoints(pen, shape.points, frame, shape.closed);
  else if (shape.is === 'capsule') traceCapsule(pen, shape.from, shape.to, shape.fromRadius, shape.toRadius, frame);
  else {
    pen.beginPath();
    pen.arc(xOf(frame, shape.at[0]), yOf(frame, shape.at[1]), shape.radius * frame.scale, -shape.from, -shape.to, true);
  }
}

/** Short strokes to the side from which a ball is held. */
function paintNormals(pen: Pen, { shape, holds, kind }: Seen, frame: Frame): void {
  if (holds === 'none') return;
  pen.lineWidth = 1;
  if (shape.is === 'arc') {
    for (let k = 0; k < 8; k++) {
      const angle = shape.from + ((k + 0.5) / 8) * (shape.to - shape.from);
      const at: Point = [shape.at[0] + shape.radius * Math.cos(angle), shape.at[1] + shape.radius * Math.sin(angle)];
      if (shape.side !== 'inside') stroke(pen, at, [Math.cos(angle), Math.sin(angle)], frame);
      if (shape.side !== 'outside') stroke(pen, at, [-Math.cos(angle), -Math.sin(angle)], frame);
    }
    return;
  }
  if (shape.is === 'capsule') return;
  const points = shape.closed ? [...shape.points, shape.points[0]!] : shape.points;
  const turn = shape.closed ? Math.sign(area(shape.points)) : 1;
  for (let i = 1; i < points.length; i++) {
    const [a, b] = [points[i - 1]!, points[i]!];
    const far = Math.hypot(b[0] - a[0], b[1] - a[1]);
    const left: Point = [-(b[1] - a[1]) / far, (b[0] - a[0]) / far];
    const middle: Point = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
    if (holds === 'outside') stroke(pen, middle, [-turn * left[0], -turn * left[1]], frame);
    else stroke(pen, middle, left, frame);
    if (holds === 'both') stroke(pen, middle, [-left[0], -left[1]], frame);
    // Who comes from the other side passes.
    if (kind === 'one-way') arrow(pen, middle, left, frame);
  }
}

function area(points: readonly Point[]): number {
  return points.reduce((sum, [x, y], i) => {
    const [nx, ny] = points[(i + 1) % points.length]!;
    return sum + x * ny - nx * y;
  }, 0);
}

function stroke(pen: Pen, [x, y]: Point, [nx, ny]: Point, frame: Frame): void {
  pen.beginPath();
  pen.moveTo(xOf(frame, x), yOf(frame, y));
  pen.lineTo(xOf(frame, x) + nx * 7, yOf(frame, y) - ny * 7);
  pen.stroke();
}

function arrow(pen: Pen, [x, y]: Point, [nx, ny]: Point, frame: Frame): void {
  const [px, py] = [xOf(frame, x), yOf(frame, y)];
  const [tx, ty] = [px + nx * 14, py - ny * 14];
  pen.beginPath();
  pen.moveTo(px - nx * 14, py + ny * 14);
  pen.lineTo(tx, ty);
  pen.moveTo(tx, ty);
  pen.lineTo(tx - nx * 6 - ny * 4, ty + ny * 6 - nx * 4);
  pen.moveTo(tx, ty);
  pen.lineTo(tx - nx * 6 + ny * 4, ty + ny * 6 + nx * 4);
  pen.stroke();
}

/** Every timing of a flipper at once: early ones warm, late ones cool. Bright up to what they hit first, faint after it. */
export function paintFan(pen: Pen, shots: readonly Shot[], frame: Frame, look: Look, picked: string | null): void {
  pen.save();
  pen.lineJoin = 'round';
  for (const [i, { path, hits, until }] of shots.entries()) {
    const chosen = picked === null ? 1 : hits === picked ? 2 : 0;
    pen.strokeStyle = `hsl(${Math.round(30 + (i / shots.length) * 250)} 90% ${look.dark ? 64 : 40}%)`;
    pen.lineWidth = chosen === 2 ? 1.8 : 1.1;
    pen.globalAlpha = [0.03, 0.5, 0.9][chosen]!;
    tracePath(pen, path, 0, until, frame);
    pen.globalAlpha = [0, 0.05, 0.15][chosen]!;
    tracePath(pen, path, Math.max(0, until - 2), path.length, frame);
  }
  pen.restore();
}

function tracePath(pen: Pen, path: Float32Array, from: number, to: number, frame: Frame): void {
  pen.beginPath();
  for (let k = from; k < to; k += 2) {
    const [x, y] = [xOf(frame, path[k]!), yOf(frame, path[k + 1]!)];
    if (k === from) pen.moveTo(x, y);
    else pen.lineTo(x, y);
  }
  pen.stroke();
}
