import { useRef } from 'preact/hooks';
import { theme } from '../shell.ts';
import { panned } from './camera.ts';
import { usePainted } from './canvas.ts';
import type { Editor } from './editor.ts';
import { Backdrop, type MapSight, paintRun } from './map-paint.ts';
import { paletteOf, type Palette } from './palette.ts';
import { tasWords } from './words.ts';

/** The map with the whole run on it: past, future, ghosts, overlays. */
export function MapView({ editor }: { editor: Editor }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const backdrop = useRef<Backdrop | null>(null);
  const palette = useRef<{ theme: string; colours: Palette } | null>(null);
  usePainted(
    canvas,
    (size) => (editor.size.value = size),
    (): MapSight => {
      const { desk } = editor;
      if (palette.current?.theme !== theme.value)
        palette.current = { theme: theme.value, colours: paletteOf(canvas.current!, theme.value === 'dark') };
      return {
        map: desk.doc.value.map,
        camera: editor.camera.value,
        size: editor.size.value,
        palette: palette.current.colours,
        course: desk.flown.value.course,
        script: desk.branch.value.script,
        playhead: desk.playhead.value,
        selection: desk.selection.value,
        markers: desk.branch.value.markers.map(({ tick }) => tick),
        ghosts: desk.ghosts.value.map(({ course }) => course),
        gaps: editor.gaps.value,
        field: editor.field.value,
      };
    },
    (pen, sight, ratio) => {
      backdrop.current ??= new Backdrop();
      pen.clearRect(0, 0, sight.size.width, sight.size.height);
      backdrop.current.paint(pen, sight, ratio);
      paintRun(pen, sight);
    },
  );
  const held = useRef(new Map<number, { x: number; y: number }>()).current;
  /** A click that moved nothing goes to the tick it was on. */
  const moved = useRef(false);
  return (
    <canvas
      ref={canvas}
      class="tas-map"
      role="img"
      aria-label={tasWords.value.map}
      data-testid="tas-map"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        held.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
        moved.current = editor.desk.flying.value;
        if (editor.desk.flying.value) steer(editor, event);
      }}
      onPointerMove={(event) => {
        if (editor.desk.flying.value) steer(editor, event);
        else if (drag(editor, held, event)) moved.current = true;
      }}
      onPointerUp={(event) => {
        if (!moved.current && held.size === 1) editor.seekNear(event.offsetX, event.offsetY);
        release(editor, held, event);
      }}
      onPointerCancel={(event) => release(editor, held, event)}
      onPointerLeave={() => (editor.hands.pointer = null)}
      onWheel={(event) => {
        event.preventDefault();
        editor.zoom(Math.exp(-event.deltaY * 0.0015), { x: event.offsetX, y: event.offsetY });
      }}
      onDblClick={() => editor.showWhole()}
    />
  );
}

type Fingers = Map<number, { x: number; y: number }>;

/** The ship goes where the pointer is: a mouse that hovers, a finger while it is down. */
function steer(editor: Editor, event: PointerEvent): void {
  if (event.pointerType === 'touch' && event.buttons === 0) return;
  const { offsetX, offsetY } = event;
  editor.hands.pointer = () => {
    const ship = editor.shipOnScreen();
    return { x: offsetX - ship.x, y: offsetY - ship.y };
  };
}

function release(editor: Editor, held: Fingers, event: PointerEvent): void {
  held.delete(event.pointerId);
  if (event.pointerType === 'touch') editor.hands.pointer = null;
}

/** One finger moves the map, two come nearer. */
function drag(editor: Editor, held: Fingers, event: PointerEvent): boolean {
  const before = held.get(event.pointerId);
  if (before === undefined) return false;
  const spread = () => {
    const [a, b] = [...held.values()];
    return a === undefined || b === undefined ? 0 : Math.hypot(a.x - b.x, a.y - b.y);
  };
  const was = spread();
  held.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
  if (held.size === 2 && was > 0) {
    const [a, b] = [...held.values()] as [{ x: number; y: number }, { x: number; y: number }];
    editor.zoom(spread() / was, { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });
    return true;
  }
  if (event.offsetX === before.x && event.offsetY === before.y) return false;
  editor.following.value = false;
  editor.look(panned(editor.camera.value, event.offsetX - before.x, event.offsetY - before.y));
  return true;
}
