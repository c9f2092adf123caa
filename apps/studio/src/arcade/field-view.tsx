import { effect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { calm, theme } from '../shell.ts';
import type { Arcade } from './arcade.ts';
import { isWaiting } from './board.ts';
import { type Frame, frameOf, placeOf } from './frame.ts';
import { CONTROLS } from './hands.ts';
import { looks } from './look.ts';
import { paintColliders, paintFan } from './paint-overlay.ts';
import { paintBalls, paintGains, paintGhost, paintParts } from './paint-play.ts';
import { clipField, paintTable, paintUpstairs } from './paint-table.ts';
import { paintWorkshop } from './paint-workshop.ts';
import { arcadeWords } from './words.ts';

/** Pixels that a finger draws a plunger all the way. */
const FULL_PULL = 130;
/** How near a pointer must be to a part of the table, in pixels. */
const REACH = 14;

/** The canvas: what lies still is drawn once and kept. */
export function FieldView({ arcade }: { arcade: Arcade }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => show(arcade, canvas.current!), []);
  return (
    <canvas ref={canvas} class="arcade-canvas" data-testid="field" role="img" aria-label={arcadeWords.value.field} {...pointers(arcade)} />
  );
}

/** The frame of the last picture: pointers are read by it. */
let seen: Frame | null = null;

function show(arcade: Arcade, element: HTMLCanvasElement): () => void {
  const pen = element.getContext('2d')!;
  const still = document.createElement('canvas');
  let stillAs: unknown[] = [];
  let asked = 0;
  const draw = () => {
    asked = 0;
    const { clientWidth: width, clientHeight: height } = element;
    if (width === 0 || height === 0) return;
    const ratio = Math.min(devicePixelRatio, 2);
    const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (element.width !== w || element.height !== h) {
      element.width = w;
      element.height = h;
    }
    const game = arcade.desk.game.peek();
    const { layout } = game.config.machine;
    const look = looks[theme.peek()];
    const frame = frameOf(layout, { width, height });
    seen = frame;
    const as = [layout, w, h, look];
    if (as.some((value, i) => value !== stillAs[i])) {
      stillAs = as;
      still.width = w;
      still.height = h;
      const under = still.getContext('2d')!;
      under.setTransform(ratio, 0, 0, ratio, 0, 0);
      paintTable(under, layout, frame, look);
    }
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.clearRect(0, 0, w, h);
    const { tableX, tableY } = game.state;
    const sway = calm.peek() ? 0 : frame.scale * ratio * 0.8;
    pen.setTransform(1, 0, 0, 1, tableX * sway, -tableY * sway);
    pen.drawImage(still, 0, 0);
    pen.setTransform(ratio, 0, 0, ratio, tableX * sway, -tableY * sway);
    const sight = { game, frame, look, calm: calm.peek() };
    pen.save();
    clipField(pen, layout, frame);
    paintParts(pen, sight);
    paintBalls(pen, sight, false);
    paintUpstairs(pen, layout, frame, look);
    paintBalls(pen, sight, true);
    const ghost = arcade.desk.ghost.peek();
    if (ghost !== null) paintGhost(pen, ghost, frame, look);
    pen.restore();
    paintGains(pen, sight);
    if (arcade.colliders.peek()) paintColliders(pen, layout, frame, look);
    const fan = arcade.fan.peek();
    if (fan !== null && fan.config === arcade.desk.config) paintFan(pen, fan.shots, frame, look, arcade.fanPicked.peek());
    if (arcade.mode.peek() === 'edit') paintWorkshop(pen, arcade.workshop, frame, look);
  };
  const ask = () => {
    if (asked === 0) asked = requestAnimationFrame(draw);
  };
  const observer = new ResizeObserver(ask);
  observer.observe(element);
  const stop = effect(() => {
    const { desk, workshop } = arcade;
    const watched = [desk.frames, desk.game, theme, calm, arcade.colliders, arcade.fan, arcade.fanPicked, arcade.mode];
    for (const one of [...watched, workshop.draft, workshop.selected, workshop.wrong]) void one.value;
    ask();
  });
  return () => {
    stop();
    observer.disconnect();
    cancelAnimationFrame(asked);
  };
}

/** What each pointer holds. */
const holding = new Map<number, { readonly control: string | null; readonly y: number }>();

function pointers(arcade: Arcade) {
  const { desk, workshop } = arcade;
  const placeAt = (event: PointerEvent) => {
    const { left, top } = (event.currentTarget as Element).getBoundingClientRect();
    return placeOf(seen!, event.clientX - left, event.clientY - top);
  };
  const down = (event: PointerEvent) => {
    event.preventDefault();
    (event.currentTarget as Element).setPointerCapture(event.pointerId);
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    desk.sound.wake();
    if (arcade.mode.peek() === 'edit') {
      workshop.grab(placeAt(event), REACH / seen!.scale);
      holding.set(event.pointerId, { control: null, y: event.clientY });
      return;
    }
    if (desk.attract.peek()) return arcade.start();
    if (!desk.isLive) return;
    const control = controlAt(arcade, event);
    if (control === null) return;
    holding.set(event.pointerId, { control, y: event.clientY });
    desk.hands.press(control, `pointer ${event.pointerId}`, true, event.timeStamp);
  };
  const move = (event: PointerEvent) => {
    const held = holding.get(event.pointerId);
    if (held === undefined) return;
    if (arcade.mode.peek() === 'edit') workshop.drag(placeAt(event));
    else if (held.control === 'plunger') desk.hands.pull((event.clientY - held.y) / FULL_PULL);
  };
  const up = (event: PointerEvent) => {
    const held = holding.get(event.pointerId);
    holding.delete(event.pointerId);
    if (arcade.mode.peek() === 'edit') workshop.letGo();
    if (held?.control === undefined || held.control === null) return;
    desk.hands.press(held.control, `pointer ${event.pointerId}`, false, event.timeStamp);
    if (held.control === 'plunger') desk.hands.pull(0);
  };
  return {
    onPointerDown: down,
    onPointerMove: move,
    onPointerUp: up,
    onPointerCancel: up,
    onContextMenu: (event: Event) => event.preventDefault(),
  };
}

/** The control under a pointer, as the world lays them out over the screen. The plunger's corner is a flipper's while no ball is there. */
function controlAt({ desk }: Arcade, event: PointerEvent): string | null {
  const { left, top, width, height } = (event.currentTarget as Element).getBoundingClientRect();
  const [x, y] = [(event.clientX - left) / width, (event.clientY - top) / height];
  const { state, config } = desk.game.peek();
  const waits = isWaiting(state, config.machine.layout);
  const found = CONTROLS.find(
    ({ name, touch: [x0, y0, x1, y1] }) => x >= x0 && x <= x1 && y >= y0 && y <= y1 && (name !== 'plunger' || waits),
  );
  return found?.name ?? null;
}
