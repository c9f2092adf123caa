import type { Layout, Point, State } from '@lockstep/pinball';
import { type Frame, xOf, yOf } from './frame.ts';
import { type Game, TRAIL } from './game.ts';
import { RISE, risingGains } from './gains.ts';
import { glow } from './glow.ts';
import { isLit, placeOfSwitch } from './lamps.ts';
import type { Look } from './look.ts';
import { traceCapsule, tracePoints } from './paint-table.ts';

type Pen = CanvasRenderingContext2D;

/** Ticks for which a hit shines. */
const FLASH = 70;

export interface PlaySight {
  readonly game: Game;
  readonly frame: Frame;
  readonly look: Look;
  /** Less that moves by itself. */
  readonly calm: boolean;
}

/** Lamps and parts that tell something; under the balls. */
export function paintParts(pen: Pen, sight: PlaySight): void {
  const { game, frame, look } = sight;
  const { state } = game;
  const { layout, targetCollider } = game.config.machine;
  layout.lanes.forEach((lane) => paintLane(pen, sight, lane));
  for (const { name, at, radius } of layout.rollovers) paintLamp(pen, sight, name, at, radius * 0.8, shortName(name));
  for (const saucer of layout.saucers) paintSaucer(pen, sight, saucer.name, saucer.at, saucer.radius);
  layout.targets.forEach((target, k) =>
    paintTarget(pen, sight, target, state.physics.enabled[targetCollider[k]!] === 1, target.kind === 'drop'),
  );
  for (const sling of layout.slingshots) paintSling(pen, sight, sling);
  for (const { name, from, to } of layout.gates) paintGate(pen, name, from, to, frame, look);
  layout.spinners.forEach((spinner, k) => paintSpinner(pen, sight, spinner, state.spinnerAngle[k]!));
  for (const ramp of layout.ramps) paintEntrance(pen, sight, ramp.name, ramp.entrance);
  for (const { name, at, radius } of layout.bumpers) paintBumper(pen, sight, name, at, radius);
  paintPlunger(pen, state, layout, frame, look);
  paintFlippers(pen, state, layout, frame, look);
}

/** 1 at the hit, then less. */
const flash = (game: Game, name: string): number => Math.max(0, 1 - game.sinceClosing(name) / FLASH);

/** The last word of a name: `lane L` is L. */
export const shortName = (name: string): string => name.split(' ').at(-1)!.toUpperCase();

function label(pen: Pen, text: string, x: number, y: number, size: number, colour: string): void {
  pen.font = `700 ${size}px system-ui, sans-serif`;
  pen.textAlign = 'center';
  pen.textBaseline = 'middle';
  pen.fillStyle = colour;
  pen.fillText(text, x, y + size * 0.05);
}

function paintLamp(pen: Pen, { game, frame, look }: PlaySight, name: string, at: Point, radius: number, text: string): void {
  const lit = isLit(game.config.machine.layout, game.state, name);
  const hit = flash(game, name);
  const [x, y, r] = [xOf(frame, at[0]), yOf(frame, at[1]), radius * frame.scale];
  if (lit || hit > 0) glow(pen, x, y, r * 4, look.lamp, Math.max(lit ? 0.5 : 0, hit), look.dark);
  pen.beginPath();
  pen.arc(x, y, r, 0, Math.PI * 2);
  pen.fillStyle = lit || hit > 0.15 ? look.lamp : look.unlit;
  pen.fill();
  pen.lineWidth = 1;
  pen.strokeStyle = look.lamp;
  pen.globalAlpha = 0.6;
  pen.stroke();
  pen.globalAlpha = 1;
  if (text.length === 1) label(pen, text, x, y, r * 1.5, lit || hit > 0.15 ? '#1a1305' : look.dim);
}

function paintLane(pen: Pen, sight: PlaySight, { name, from, to }: { name: string; from: Point; to: Point }): void {
  const { frame, look } = sight;
  pen.strokeStyle = look.lamp;
  pen.globalAlpha = 0.35;
  pen.lineWidth = Math.max(1, 0.18 * frame.scale);
  tracePoints(pen, [from, to], frame, false);
  pen.stroke();
  pen.globalAlpha = 1;
  paintLamp(pen, sight, name, [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2 - 1.8], 1.05, shortName(name));
}

function paintSaucer(pen: Pen, { game, frame, look }: PlaySight, name: string, at: Point, radius: number): void {
  const hit = flash(game, name);
  const [x, y, r] = [xOf(frame, at[0]), yOf(frame, at[1]), Math.max(radius, 1.3) * frame.scale * 1.15];
  glow(pen, x, y, r * 3.4, look.saucer, 0.35 + 0.65 * hit, look.dark);
  const hole = pen.createRadialGradient(x, y, 0, x, y, r);
  hole.addColorStop(0, look.dark ? '#000' : '#2b3444');
  hole.addColorStop(1, look.dark ? '#1a0d18' : '#5c4a58');
  pen.beginPath();
  pen.arc(x, y, r, 0, Math.PI * 2);
  pen.fillStyle = hole;
  pen.fill();
  pen.strokeStyle = look.saucer;
  pen.lineWidth = 0.35 * frame.scale;
  pen.stroke();
  label(pen, shortName(name), x, y - r - 0.9 * frame.scale, 1.25 * frame.scale, look.saucer);
}

function paintTarget(
  pen: Pen,
  { game, frame, look }: PlaySight,
  { name, from, to }: { name: string; from: Point; to: Point },
  up: boolean,
  drops: boolean,
): void {
  const hit = flash(game, name);
  const lit = drops ? !up : isLit(game.config.machine.layout, game.state, name);
  const [x, y] = [xOf(frame, (from[0] + to[0]) / 2), yOf(frame, (from[1] + to[1]) / 2)];
  if (hit > 0) glow(pen, x, y, 5 * frame.scale, look.target, hit, look.dark);
  pen.lineCap = 'round';
  tracePoints(pen, [from, to], frame, false);
  pen.lineWidth = (up ? 1 : 0.35) * frame.scale;
  pen.strokeStyle = look.target;
  pen.globalAlpha = up ? 1 : 0.35;
  pen.stroke();
  pen.globalAlpha = 1;
  if (up) {
    pen.lineWidth = 0.35 * frame.scale;
    pen.strokeStyle = look.dark ? '#eafff4' : '#ffffff';
    pen.stroke();
  }
  // A lamp on the field in front of it.
  const inwards = x > frame.left + (game.config.machine.layout.width * frame.scale) / 2 ? -1 : 1;
  const lamp = x + inwards * 1.7 * frame.scale;
  if (lit) glow(pen, lamp, y, 2.6 * frame.scale, look.target, 0.6, look.dark);
  pen.beginPath();
  pen.moveTo(lamp - inwards * 0.7 * frame.scale, y);
  pen.lineTo(lamp + inwards * 0.5 * frame.scale, y - 0.7 * frame.scale);
  pen.lineTo(lamp + inwards * 0.5 * frame.scale, y + 0.7 * frame.scale);
  pen.closePath();
  pen.fillStyle = lit ? look.target : look.unlit;
  pen.fill();
}

function paintSling(pen: Pen, { game, frame, look }: PlaySight, { name, from, to }: { name: string; from: Point; to: Point }): void {
  const hit = flash(game, name);
  if (hit > 0) glow(pen, xOf(frame, (from[0] + to[0]) / 2), yOf(frame, (from[1] + to[1]) / 2), 7 * frame.scale, look.sling, hit, look.dark);
  // The rubber gives way for a moment.
  const bulge = hit > 0.8 ? 0.9 : 0;
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const far = Math.hypot(dx, dy);
  const side = from[0] < game.config.machine.layout.width / 2 ? 1 : -1;
  const middle: Point = [
    (from[0] + to[0]) / 2 - ((side * dy) / far) * bulge * side * side,
    (from[1] + to[1]) / 2 + ((side * dx) / far) * bulge * side,
  ];
  tracePoints(pen, bulge > 0 ? [from, middle, to] : [from, to], frame, false);
  pen.lineCap = 'round';
  pen.lineWidth = 0.6 * frame.scale;
  pen.strokeStyle = hit > 0.5 ? (look.dark ? '#fff2e8' : look.bad) : look.sling;
  pen.stroke();
}

function paintGate(pen: Pen, _name: string, from: Point, to: Point, frame: Frame, look: Look): void {
  tracePoints(pen, [from, to], frame, false);
  pen.setLineDash([0.6 * frame.scale, 0.5 * frame.scale]);
  pen.lineWidth = 0.3 * frame.scale;
  pen.strokeStyle = look.materials['metal'] ?? look.plain;
  pen.stroke();
  pen.setLineDash([]);
}

function paintSpinner(pen: Pen, { game, frame, look }: PlaySight, spinner: { name: string; from: Point; to: Point }, angle: number): void {
  const { name, from, to } = spinner;
  const hit = flash(game, name);
  const [x, y] = [xOf(frame, (from[0] + to[0]) / 2), yOf(frame, (from[1] + to[1]) / 2)];
  if (hit > 0) glow(pen, x, y, 5 * frame.scale, look.spinner, hit, look.dark);
  const half = (Math.abs(to[0] - from[0]) * frame.scale) / 2;
  const tall = Math.max(0.16, Math.abs(Math.cos(angle * Math.PI))) * 1.1 * frame.scale;
  pen.fillStyle = look.spinner;
  pen.globalAlpha = 0.85;
  pen.beginPath();
  pen.roundRect(x - half, y - tall / 2, half * 2, tall, 2);
  pen.fill();
  pen.globalAlpha = 1;
}

function paintEntrance(
  pen: Pen,
  { game, frame, look }: PlaySight,
  name: string,
  { from, to }: { readonly from: Point; readonly to: Point },
): void {
  const hit = flash(game, name);
  const [x, y, s] = [xOf(frame, (from[0] + to[0]) / 2), yOf(frame, (from[1] + to[1]) / 2 - 3), frame.scale];
  if (hit > 0) glow(pen, x, y, 6 * s, look.ramp, hit, look.dark);
  pen.beginPath();
  pen.moveTo(x, y - 1.5 * s);
  pen.lineTo(x + 1.2 * s, y + 0.6 * s);
  pen.lineTo(x - 1.2 * s, y + 0.6 * s);
  pen.closePath();
  pen.fillStyle = hit > 0 ? look.ramp : look.unlit;
  pen.fill();
  label(pen, shortName(name), x, y + 1.7 * s, 1.15 * s, look.ramp);
}

function paintBumper(pen: Pen, { game, frame, look }: PlaySight, name: string, at: Point, radius: number): void {
  const hit = flash(game, name);
  const [x, y, r] = [xOf(frame, at[0]), yOf(frame, at[1]), radius * frame.scale];
  pen.fillStyle = look.shade;
  pen.beginPath();
  pen.arc(x + 0.4 * frame.scale, y + 0.7 * frame.scale, r * 1.06, 0, Math.PI * 2);
  pen.fill();
  glow(pen, x, y, r * (2.6 + hit * 1.4), look.bumper, 0.35 + 0.65 * hit, look.dark);
  const cap = pen.createRadialGradient(x - r * 0.25, y - r * 0.3, r * 0.1, x, y, r);
  cap.addColorStop(0, hit > 0.3 ? '#ffffff' : look.bumper);
  cap.addColorStop(0.55, look.dark ? '#3a2a73' : '#c9bbf5');
  cap.addColorStop(1, look.dark ? '#221a48' : '#e8e2fb');
  pen.fillStyle = cap;
  pen.beginPath();
  pen.arc(x, y, r, 0, Math.PI * 2);
  pen.fill();
  pen.strokeStyle = look.bumper;
  pen.lineWidth = 0.45 * frame.scale;
  pen.stroke();
  pen.beginPath();
  pen.arc(x, y, r * (0.52 + 0.2 * hit), 0, Math.PI * 2);
  pen.lineWidth = 0.3 * frame.scale;
  pen.strokeStyle = look.dark ? '#f1eaff' : look.bumper;
  pen.stroke();
}

function paintPlunger(pen: Pen, { physics, config }: State, layout: Layout, frame: Frame, look: Look): void {
  const { at, width, travel } = layout.plunger;
  const y = at[1] - layout.radius + physics.place[config.machine.plunger]!;
  const bottom = at[1] - layout.radius - travel - 3;
  const coils = 9;
  pen.strokeStyle = look.dim;
  pen.lineWidth = Math.max(1, 0.25 * frame.scale);
  pen.lineJoin = 'round';
  const points: Point[] = Array.from({ length: coils + 1 }, (_, k) => [
    at[0] + (k === 0 || k === coils ? 0 : k % 2 === 0 ? -0.9 : 0.9),
    y + ((bottom - y) * k) / coils,
  ]);
  tracePoints(pen, points, frame, false);
  pen.stroke();
  tracePoints(
    pen,
    [
      [at[0] - width / 2 + 0.4, y - 0.3],
      [at[0] + width / 2 - 0.4, y - 0.3],
    ],
    frame,
    false,
  );
  pen.lineCap = 'round';
  pen.lineWidth = 0.8 * frame.scale;
  pen.strokeStyle = look.flipper[0];
  pen.stroke();
}

function paintFlippers(pen: Pen, { physics }: State, { flippers }: Layout, frame: Frame, look: Look): void {
  flippers.forEach(({ pivot, length, baseRadius, tipRadius }, k) => {
    const angle = physics.place[k]!;
    const tip: Point = [pivot[0] + length * Math.cos(angle), pivot[1] + length * Math.sin(angle)];
    pen.save();
    pen.translate(0.35 * frame.scale, 0.7 * frame.scale);
    traceCapsule(pen, pivot, tip, baseRadius, tipRadius, frame);
    pen.fillStyle = look.shade;
    pen.fill();
    pen.restore();
    traceCapsule(pen, pivot, tip, baseRadius, tipRadius, frame);
    pen.fillStyle = look.flipper[0];
    pen.fill();
    pen.lineWidth = Math.max(1, 0.28 * frame.scale);
    pen.strokeStyle = look.flipper[1];
    pen.stroke();
    pen.beginPath();
    pen.arc(xOf(frame, pivot[0]), yOf(frame, pivot[1]), baseRadius * 0.45 * frame.scale, 0, Math.PI * 2);
    pen.fillStyle = look.flipper[1];
    pen.fill();
  });
}

const spot = { x: 0, y: 0 };

/** Trails, then balls: those downstairs, or those on ramps. */
export function paintBalls(pen: Pen, { game, frame, look, calm }: PlaySight, upstairs: boolean): void {
  const { physics } = game.state;
  for (let i = 0; i < game.balls; i++) {
    if (physics.status[i] === 0 || (physics.layer[i] !== 0) !== upstairs) continue;
    if (!calm) paintTrail(pen, game, i, frame, look);
    paintBall(pen, physics.x[i]!, physics.y[i]!, game.config.machine.layout.radius * (upstairs ? 1.12 : 1), frame, look);
  }
}

function paintTrail(pen: Pen, game: Game, ball: number, frame: Frame, look: Look): void {
  const { radius } = game.config.machine.layout;
  const { physics } = game.state;
  let [x, y] = [physics.x[ball]!, physics.y[ball]!];
  pen.save();
  pen.lineCap = 'butt';
  pen.strokeStyle = look.trail;
  if (look.dark) pen.globalCompositeOperation = 'lighter';
  for (let ago = 2; ago < TRAIL && game.before(ball, ago, spot); ago += 2) {
    if (Math.hypot(spot.x - x, spot.y - y) > 8 * radius) break;
    const left = 1 - ago / TRAIL;
    pen.globalAlpha = 0.32 * left * left;
    pen.lineWidth = Math.max(0.5, 1.8 * radius * left * frame.scale);
    pen.beginPath();
    pen.moveTo(xOf(frame, x), yOf(frame, y));
    pen.lineTo(xOf(frame, spot.x), yOf(frame, spot.y));
    pen.stroke();
    x = spot.x;
    y = spot.y;
  }
  pen.restore();
}

function paintBall(pen: Pen, bx: number, by: number, radius: number, frame: Frame, look: Look): void {
  const [x, y, r] = [xOf(frame, bx), yOf(frame, by), radius * frame.scale];
  pen.fillStyle = look.shade;
  pen.beginPath();
  pen.arc(x + r * 0.3, y + r * 0.5, r, 0, Math.PI * 2);
  pen.fill();
  if (look.dark) glow(pen, x, y, r * 2.6, look.trail, 0.35, true);
  const chrome = pen.createRadialGradient(x - r * 0.35, y - r * 0.4, r * 0.05, x, y, r);
  chrome.addColorStop(0, look.ball[0]);
  chrome.addColorStop(0.45, look.ball[1]);
  chrome.addColorStop(1, look.ball[2]);
  pen.fillStyle = chrome;
  pen.beginPath();
  pen.arc(x, y, r, 0, Math.PI * 2);
  pen.fill();
}

/** Where the balls would be without what is played now. */
export function paintGhost(pen: Pen, ghost: Game, frame: Frame, look: Look): void {
  const { physics } = ghost.state;
  const r = ghost.config.machine.layout.radius * frame.scale;
  pen.save();
  pen.setLineDash([3, 3]);
  pen.strokeStyle = look.ghost;
  pen.lineWidth = 2;
  for (let i = 0; i < ghost.balls; i++) {
    if (physics.status[i] === 0) continue;
    pen.beginPath();
    pen.arc(xOf(frame, physics.x[i]!), yOf(frame, physics.y[i]!), r, 0, Math.PI * 2);
    pen.stroke();
  }
  pen.restore();
}

/** Points, rising from where they were made. */
export function paintGains(pen: Pen, { game, frame, look, calm }: PlaySight): void {
  const { layout } = game.config.machine;
  for (const { name, age, points } of risingGains(game.gains, game.tick)) {
    const place = placeOfSwitch(layout, name);
    if (place === null) continue;
    const share = age / RISE;
    pen.globalAlpha = 1 - share * share;
    const y = yOf(frame, place[1]) - (calm ? 2 : 2 + 4 * share) * frame.scale;
    const size = Math.min(2.6, 1.5 + Math.log10(points) * 0.25) * frame.scale;
    label(pen, `+${points}`, xOf(frame, Math.min(Math.max(place[0], 3), layout.width - 3)), y, size, look.ink);
  }
  pen.globalAlpha = 1;
}
