import { useEffect, useRef } from 'preact/hooks';
import { Vector2 } from 'three';
import { pointTo } from '../hands.ts';
import { camera, canvasNumber, look, player, repaint, stage, stageTrouble } from '../shell.ts';
import { Stage } from '../stage/stage.ts';
import { words } from '../words.ts';

/** The canvas, and what pointers do on it. */
export function StageView() {
  const canvas = useRef<HTMLCanvasElement>(null);
  const number = canvasNumber.value;
  useEffect(() => {
    const element = canvas.current!;
    let made: Stage;
    try {
      made = new Stage(element, look.peek());
    } catch {
      stageTrouble.value = 'missing';
      return;
    }
    stageTrouble.value = null;
    const fit = () => {
      const frame = element.parentElement!;
      const style = getComputedStyle(frame);
      const pixels = (name: string) => Number.parseFloat(style.getPropertyValue(name)) || 0;
      made.resize(frame.clientWidth, frame.clientHeight, devicePixelRatio, { top: pixels('--hud-top'), bottom: pixels('--hud-bottom') });
      repaint.value++;
    };
    const observer = new ResizeObserver(fit);
    observer.observe(element.parentElement!);
    fit();
    made.rig.choose(camera.peek(), 1);
    stage.value = made;
    const loseAndRegain = watchContext(element);
    return () => {
      observer.disconnect();
      loseAndRegain();
      stage.value = null;
      made.dispose();
    };
  }, [number]);

  return <canvas key={number} ref={canvas} class="canvas" role="img" aria-label={words.value.stage} {...pointers} />;
}

/** A context that is lost comes back only to those who ask for it; what was on the card is then sent anew. */
function watchContext(canvas: HTMLCanvasElement): () => void {
  const lost = (event: Event) => {
    event.preventDefault();
    stageTrouble.value = 'lost';
  };
  const restored = () => {
    stageTrouble.value = null;
    repaint.value++;
  };
  canvas.addEventListener('webglcontextlost', lost);
  canvas.addEventListener('webglcontextrestored', restored);
  return () => {
    canvas.removeEventListener('webglcontextlost', lost);
    canvas.removeEventListener('webglcontextrestored', restored);
  };
}

const TURN = 0.006;
const WHEEL = 0.001;

/** Pointers on the stage: one turns or moves it, two scale it; while a person plays, one steers. */
const held = new Map<number, { x: number; y: number }>();

/** The middle of all pointers, and how far apart they are. */
function grip(): { x: number; y: number; spread: number } {
  const [a, b] = [...held.values()];
  if (a === undefined) return { x: 0, y: 0, spread: 0 };
  if (b === undefined) return { ...a, spread: 0 };
  return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, spread: Math.hypot(a.x - b.x, a.y - b.y) };
}

/** Nearer or further away, about a place of the window. */
function scale(canvas: Element, factor: number, x: number, y: number): void {
  const rig = stage.value?.rig;
  if (rig === undefined) return;
  const { left, top, width, height } = canvas.getBoundingClientRect();
  if (rig.isDown) rig.map.scale(factor, new Vector2(x - left - width / 2, y - top - height / 2));
  else rig.scale(factor);
  repaint.value++;
}

function letGo({ pointerId }: PointerEvent): void {
  held.delete(pointerId);
  pointTo(null);
}

const pointers = {
  onPointerDown(event: PointerEvent) {
    (event.currentTarget as Element).setPointerCapture(event.pointerId);
    held.set(event.pointerId, { x: event.clientX, y: event.clientY });
    pointTo(player.taken.value !== null && held.size === 1 ? grip() : null);
  },
  onPointerMove(event: PointerEvent) {
    const rig = stage.value?.rig;
    if (!held.has(event.pointerId) || rig === undefined) return;
    const before = grip();
    held.set(event.pointerId, { x: event.clientX, y: event.clientY });
    const now = grip();
    const [dx, dy] = [now.x - before.x, now.y - before.y];
    if (player.taken.value !== null && held.size === 1) pointTo(now);
    else if (rig.isDown) rig.map.drag(dx, dy);
    else if (held.size === 1) rig.turn(dx * TURN, dy * TURN);
    if (before.spread > 0) scale(event.currentTarget as Element, before.spread / Math.max(now.spread, 1), now.x, now.y);
    repaint.value++;
  },
  onPointerUp: letGo,
  onPointerCancel: letGo,
  onWheel(event: WheelEvent) {
    event.preventDefault();
    scale(event.currentTarget as Element, Math.exp(event.deltaY * WHEEL), event.clientX, event.clientY);
  },
  onDblClick() {
    const rig = stage.value?.rig;
    if (rig?.mode === 'orbit') rig.reset();
    else rig?.map.reset();
    repaint.value++;
  },
};
