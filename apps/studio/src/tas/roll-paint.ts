import type { Palette } from './palette.ts';
import { lengthOf, type Script, type Span } from './script.ts';
import type { Size } from './camera.ts';
import type { Course } from './tick-cache.ts';
import { angleOf, FULL, magnitudeOf } from './thrust.ts';

type Pen = CanvasRenderingContext2D;

/** What part of the run the roll shows: the tick at its left edge, and pixels a tick. */
export interface RollCamera {
  readonly first: number;
  readonly perTick: number;
}

export interface RollSight {
  readonly camera: RollCamera;
  readonly size: Size;
  readonly palette: Palette;
  readonly course: Course;
  readonly script: Script;
  readonly ghost: Script | null;
  readonly playhead: number;
  readonly selection: Span | null;
  readonly markers: readonly { readonly tick: number; readonly name: string }[];
  readonly hovered: number | null;
}

/** Room on the left for the scale's names. */
export const GUTTER = 34;
const RULER = 24;
/** Wide enough for "-127" under its tick. */
const NUMBERS_FROM = 27;
const NUMBERS = 30;
const SPACE = 6;

export interface Lanes {
  readonly ruler: number;
  readonly angle: readonly [top: number, bottom: number];
  readonly magnitude: readonly [top: number, bottom: number];
}

/** Where things are from top to bottom: ruler, angle, magnitude, and the numbers where they fit. */
export function lanesOf({ height }: Size, { perTick }: RollCamera): Lanes {
  const rest = height - RULER - 2 * SPACE - (perTick >= NUMBERS_FROM ? NUMBERS : 0);
  const angle = Math.round(rest * 0.62);
  return {
    ruler: RULER,
    angle: [RULER + 2, RULER + angle],
    magnitude: [RULER + angle + SPACE, RULER + rest + SPACE],
  };
}

export const rollX = ({ first, perTick }: RollCamera, tick: number): number => GUTTER + (tick - first) * perTick;
export const tickAt = ({ first, perTick }: RollCamera, x: number): number => Math.floor((x - GUTTER) / perTick + first);

/** 0..360 from top to bottom, as an arrow turns on the map. */
export function angleAt([top, bottom]: readonly [number, number], y: number): number {
  return (Math.min(Math.max((y - top) / (bottom - top), 0), 1) * 360) % 360;
}
export function magnitudeAt([top, bottom]: readonly [number, number], y: number): number {
  return Math.min(Math.max((bottom - y) / (bottom - top), 0), 1) * FULL;
}

export function paintRoll(pen: Pen, sight: RollSight): void {
  const { camera, size, palette, script, ghost, selection } = sight;
  const lanes = lanesOf(size, camera);
  pen.clearRect(0, 0, size.width, size.height);
  paintGrid(pen, sight, lanes);
  pen.save();
  pen.beginPath();
  pen.rect(GUTTER, 0, size.width - GUTTER, size.height);
  pen.clip();
  if (selection !== null) shade(pen, sight, selection, palette.accent, 0.16);
  if (sight.hovered !== null) shade(pen, sight, { from: sight.hovered, to: sight.hovered + 1 }, palette.dim, 0.14);
  if (ghost !== null) paintLanes(pen, sight, lanes, ghost, palette.ghost, 0.5);
  paintLanes(pen, sight, lanes, script, palette.run, 1);
  if (camera.perTick >= NUMBERS_FROM) paintNumbers(pen, sight, lanes);
  paintRuler(pen, sight, lanes);
  paintPlayhead(pen, sight);
  if (sight.hovered !== null) paintHovered(pen, sight, sight.hovered);
  pen.restore();
}

/** Ticks in sight. */
function seen({ camera, size }: RollSight, ticks: number): Span {
  return {
    from: Math.max(0, Math.floor(camera.first)),
    to: Math.min(ticks, Math.ceil(camera.first + (size.width - GUTTER) / camera.perTick) + 1),
  };
}

function shade(pen: Pen, { camera, size }: RollSight, { from, to }: Span, colour: string, alpha: number): void {
  pen.globalAlpha = alpha;
  pen.fillStyle = colour;
  const left = rollX(camera, from);
  pen.fillRect(left, 0, Math.max(rollX(camera, to) - left, 1), size.height);
  pen.globalAlpha = 1;
}

function paintGrid(pen: Pen, { size, palette }: RollSight, { angle, magnitude }: Lanes): void {
  pen.font = `11px ${palette.font}`;
  pen.textAlign = 'right';
  pen.textBaseline = 'middle';
  pen.lineWidth = 1;
  const line = (y: number, strong: boolean) => {
    pen.strokeStyle = palette.edge;
    pen.globalAlpha = strong ? 1 : 0.5;
    pen.beginPath();
    pen.moveTo(GUTTER, Math.round(y) + 0.5);
    pen.lineTo(size.width, Math.round(y) + 0.5);
    pen.stroke();
    pen.globalAlpha = 1;
    pen.fillStyle = palette.dim;
  };
  const [top, bottom] = angle;
  const named = namedQuarters(bottom - top);
  for (let quarter = 0; quarter <= 4; quarter++) {
    const y = top + ((bottom - top) * quarter) / 4;
    line(y, quarter % 4 === 0);
    if (named.includes(quarter)) arrow(pen, GUTTER - 14, y + (quarter === 0 ? 5 : quarter === 4 ? -5 : 0), quarter * 90);
  }
  line(magnitude[0], false);
  line(magnitude[1], true);
  pen.fillText('127', GUTTER - 8, magnitude[0] + 6);
  if (magnitude[1] - magnitude[0] >= 22) pen.fillText('0', GUTTER - 8, magnitude[1] - 5);
}

/** The quarters of a turn whose arrows have room beside a lane of this height; the outer ones stand five pixels inside it. */
export function namedQuarters(height: number): readonly number[] {
  if (height >= 4 * (ARROW + 5)) return [0, 1, 2, 3, 4];
  return height >= 2 * (ARROW + 5) ? [0, 2, 4] : [2];
}
const ARROW = 10;

/** Fonts differ in their arrows; this one is always there. */
function arrow(pen: Pen, x: number, y: number, degrees: number): void {
  pen.save();
  pen.translate(x, y);
  pen.rotate((degrees * Math.PI) / 180);
  pen.beginPath();
  pen.moveTo(-5, 0);
  pen.lineTo(5, 0);
  pen.moveTo(1, -4);
  pen.lineTo(5, 0);
  pen.lineTo(1, 4);
  pen.strokeStyle = pen.fillStyle;
  pen.lineWidth = 1.3;
  pen.stroke();
  pen.restore();
}

function paintLanes(pen: Pen, sight: RollSight, { angle, magnitude }: Lanes, script: Script, colour: string, alpha: number): void {
  const { camera } = sight;
  const { from, to } = seen(sight, lengthOf(script));
  // Beyond one tick a pixel nobody sees every one.
  const stride = Math.max(1, Math.floor(0.5 / camera.perTick));
  const width = Math.max(camera.perTick * stride - (camera.perTick > 5 ? 1 : 0), 0.8);
  const [top, bottom] = angle;
  const [high, low] = magnitude;
  pen.fillStyle = colour;
  for (let tick = from; tick < to; tick += stride) {
    const thrust = { vx: script[2 * tick]!, vy: script[2 * tick + 1]! };
    const share = magnitudeOf(thrust) / FULL;
    if (share === 0) continue;
    const x = rollX(camera, tick);
    pen.globalAlpha = alpha * (0.45 + 0.55 * share);
    pen.fillRect(x, top + (angleOf(thrust) / 360) * (bottom - top) - 1.5, width, 3);
    const tall = share * (low - high);
    pen.globalAlpha = alpha * 0.28;
    pen.fillRect(x, low - tall, width, tall);
    pen.globalAlpha = alpha * 0.9;
    pen.fillRect(x, low - tall - 1, width, 2);
  }
  pen.globalAlpha = 1;
}

function paintNumbers(pen: Pen, sight: RollSight, { magnitude }: Lanes): void {
  const { camera, palette, script, size } = sight;
  const { from, to } = seen(sight, lengthOf(script));
  pen.font = `10px ${palette.mono}`;
  pen.textAlign = 'center';
  pen.textBaseline = 'middle';
  for (let tick = from; tick < to; tick++) {
    const x = rollX(camera, tick + 0.5);
    pen.fillStyle = palette.ink;
    pen.fillText(`${script[2 * tick]!}`, x, magnitude[1] + 10);
    pen.fillStyle = palette.dim;
    pen.fillText(`${script[2 * tick + 1]!}`, x, Math.min(magnitude[1] + 24, size.height - 6));
  }
}

function paintRuler(pen: Pen, sight: RollSight, { ruler }: Lanes): void {
  const { camera, palette, course, markers, size } = sight;
  pen.font = `11px ${palette.font}`;
  pen.textAlign = 'left';
  pen.textBaseline = 'middle';
  const least = 64 / camera.perTick;
  const step = [1, 2, 5, 10, 30, 60, 120, 300, 600, 1200, 3000, 6000, 12_000].find((ticks) => ticks >= least) ?? 60_000;
  const end = camera.first + size.width / camera.perTick;
  for (let tick = Math.max(0, Math.floor(camera.first / step) * step); tick <= end; tick += step) {
    const x = rollX(camera, tick);
    pen.fillStyle = palette.edge;
    pen.fillRect(x, ruler - 6, 1, size.height);
    pen.fillStyle = palette.dim;
    pen.fillText(`${tick}`, x + 4, ruler / 2);
  }
  const { from, to } = seen(sight, course.length + 1);
  pen.fillStyle = palette.bad;
  const wide = Math.max(camera.perTick, 1.5);
  for (let tick = Math.max(from, 1); tick < to; tick++) {
    if (course.collided[tick] === 1) pen.fillRect(rollX(camera, tick - 1), ruler - 3, wide, 3);
  }
  pen.fillStyle = palette.goal;
  course.goalTicks.forEach((tick) => {
    if (tick >= from && tick <= to) flag(pen, rollX(camera, tick), ruler);
  });
  pen.fillStyle = palette.accent;
  for (const { tick, name } of markers) {
    const x = rollX(camera, tick);
    flag(pen, x, ruler);
    if (name !== '') pen.fillText(name, x + 8, ruler - 6);
  }
}

/** The exact numbers of the tick under the pointer. */
function paintHovered(pen: Pen, { size, palette, script }: RollSight, tick: number): void {
  const thrust = { vx: script[2 * tick]!, vy: script[2 * tick + 1]! };
  const text = `${tick}:  ${thrust.vx} ${thrust.vy}   ${angleOf(thrust).toFixed(1)}°  ${magnitudeOf(thrust).toFixed(1)}`;
  pen.font = `11px ${palette.font}`;
  pen.textAlign = 'right';
  pen.textBaseline = 'middle';
  const width = pen.measureText(text).width + 16;
  pen.fillStyle = palette.raised;
  pen.fillRect(size.width - width, 2, width, RULER - 6);
  pen.fillStyle = palette.ink;
  pen.fillText(text, size.width - 8, RULER / 2 - 1);
}

function flag(pen: Pen, x: number, y: number): void {
  pen.beginPath();
  pen.moveTo(x, y);
  pen.lineTo(x - 5, y - 9);
  pen.lineTo(x + 5, y - 9);
  pen.fill();
}

function paintPlayhead(pen: Pen, { camera, palette, playhead, size, course }: RollSight): void {
  const x = rollX(camera, playhead);
  pen.fillStyle = palette.accent;
  pen.fillRect(x - 1, 0, 2, size.height);
  pen.beginPath();
  pen.moveTo(x - 6, 0);
  pen.lineTo(x + 6, 0);
  pen.lineTo(x, 8);
  pen.fill();
  const end = rollX(camera, course.length);
  pen.globalAlpha = 0.5;
  pen.fillStyle = palette.dim;
  pen.fillRect(end, 0, 1, size.height);
  pen.globalAlpha = 1;
}
