import { useEffect, useRef } from 'preact/hooks';
import { camera, look, player, repaint, stage, stageMissing } from '../shell.ts';
import { Stage } from '../stage/stage.ts';

/** The canvas, and what pointers do on it. */
export function StageView() {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const element = canvas.current!;
    let made: Stage;
    try {
      made = new Stage(element, look.peek());
    } catch {
      stageMissing.value = true;
      return;
    }
    const fit = () => {
      const { clientWidth, clientHeight } = element.parentElement!;
      made.resize(clientWidth, clientHeight, devicePixelRatio);
      repaint.value++;
    };
    const observer = new ResizeObserver(fit);
    observer.observe(element.parentElement!);
    fit();
    stage.value = made;
    return () => observer.disconnect();
  }, []);

  const info = player.info.value;
  const shown = stage.value;
  useEffect(() => {
    if (info === null || shown === null) return;
    shown.build(info.bounds, info.meshes);
    repaint.value++;
  }, [info, shown]);

  return <canvas ref={canvas} class="canvas" aria-hidden="true" {...pointers()} />;
}

const TURN = 0.006;

function pointers() {
  const held = new Map<number, { x: number; y: number }>();
  const spread = () => {
    const [a, b] = [...held.values()];
    return a === undefined || b === undefined ? 0 : Math.hypot(a.x - b.x, a.y - b.y);
  };
  return {
    onPointerDown(event: PointerEvent) {
      (event.currentTarget as Element).setPointerCapture(event.pointerId);
      held.set(event.pointerId, { x: event.clientX, y: event.clientY });
    },
    onPointerMove(event: PointerEvent) {
      const before = held.get(event.pointerId);
      const rig = stage.value?.rig;
      if (before === undefined || rig === undefined) return;
      const was = spread();
      held.set(event.pointerId, { x: event.clientX, y: event.clientY });
      if (held.size === 1) rig.turn((event.clientX - before.x) * TURN, (event.clientY - before.y) * TURN);
      else if (was > 0) rig.scale(was / Math.max(spread(), 1));
      repaint.value++;
    },
    onPointerUp: (event: PointerEvent) => held.delete(event.pointerId),
    onPointerCancel: (event: PointerEvent) => held.delete(event.pointerId),
    onWheel(event: WheelEvent) {
      event.preventDefault();
      stage.value?.rig.scale(Math.exp(event.deltaY * 0.001));
      repaint.value++;
    },
    onDblClick() {
      if (camera.value === 'orbit') stage.value?.rig.reset();
      repaint.value++;
    },
  };
}
