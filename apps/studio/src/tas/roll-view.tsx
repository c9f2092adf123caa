import { effect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { theme } from '../shell.ts';
import { usePainted } from './canvas.ts';
import type { Editor } from './editor.ts';
import { paletteOf, type Palette } from './palette.ts';
import { angleAt, GUTTER, lanesOf, magnitudeAt, paintRoll, type RollSight, tickAt } from './roll-paint.ts';
import { tasWords } from './words.ts';

type Part = 'ruler' | 'angle' | 'magnitude';

/** What the pointer does until it is lifted. */
type Gesture =
  | { readonly kind: 'seek' }
  | { readonly kind: 'select'; readonly from: number }
  | { readonly kind: 'paint'; readonly part: 'angle' | 'magnitude'; readonly name: string; tick: number; value: number }
  | { readonly kind: 'scroll'; x: number };

/** The piano roll: every instruction's angle and magnitude, drawn and edited by hand. */
export function RollView({ editor }: { editor: Editor }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const palette = useRef<{ theme: string; colours: Palette } | null>(null);
  const size = useRef({ width: 1, height: 1 });
  usePainted(
    canvas,
    (fit) => {
      size.current = fit;
      editor.rollWidth.value = Math.max(fit.width - GUTTER, 1);
    },
    (): RollSight => {
      const { desk } = editor;
      if (palette.current?.theme !== theme.value)
        palette.current = { theme: theme.value, colours: paletteOf(canvas.current!, theme.value === 'dark') };
      void editor.rollWidth.value;
      return {
        camera: editor.roll.value,
        size: size.current,
        palette: palette.current.colours,
        course: desk.flown.value.course,
        script: desk.branch.value.script,
        ghost: desk.ghosts.value[0]?.branch.script ?? null,
        playhead: desk.playhead.value,
        selection: desk.selection.value,
        markers: desk.branch.value.markers,
        hovered: editor.hovered.value,
      };
    },
    paintRoll,
  );
  useEffect(
    () =>
      effect(() => {
        void editor.desk.playhead.value;
        editor.keepInSight();
      }),
    [],
  );
  const gesture = useRef<Gesture | null>(null);
  const fingers = useRef(new Map<number, number>()).current;
  const lift = ({ pointerId }: PointerEvent) => {
    fingers.delete(pointerId);
    gesture.current = null;
    editor.desk.rest();
  };
  const partAt = (y: number): Part => {
    const { ruler, magnitude } = lanesOf(size.current, editor.roll.value);
    return y < ruler ? 'ruler' : y < magnitude[0] - 3 ? 'angle' : 'magnitude';
  };
  return (
    <canvas
      ref={canvas}
      class="tas-roll"
      role="img"
      aria-label={tasWords.value.roll}
      data-testid="tas-roll"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        fingers.set(event.pointerId, event.offsetX);
        if (fingers.size > 1) {
          // A second finger: the first one did not mean to draw.
          if (gesture.current?.kind === 'paint') editor.desk.undo();
          gesture.current = null;
          return;
        }
        gesture.current = begin(editor, event, partAt(event.offsetY));
        go(editor, gesture.current, event, size.current);
      }}
      onPointerMove={(event) => {
        editor.hovered.value = event.pointerType === 'mouse' ? within(editor, tickAt(editor.roll.value, event.offsetX)) : null;
        if (fingers.size > 1) pinch(editor, fingers, event);
        else if (gesture.current !== null) go(editor, gesture.current, event, size.current);
      }}
      onPointerUp={(event) => lift(event)}
      onPointerCancel={(event) => lift(event)}
      onPointerLeave={() => (editor.hovered.value = null)}
      onWheel={(event) => {
        event.preventDefault();
        const { first, perTick } = editor.roll.value;
        const along = Math.abs(event.deltaX) > Math.abs(event.deltaY) ? event.deltaX : event.shiftKey ? event.deltaY : 0;
        if (along === 0) editor.zoomRoll(Math.exp(-event.deltaY * 0.002), event.offsetX - GUTTER);
        else editor.roll.value = { perTick, first: Math.max(0, first + along / perTick) };
      }}
    />
  );
}

/** Two fingers move the roll and stretch it. */
function pinch(editor: Editor, fingers: Map<number, number>, event: PointerEvent): void {
  if (!fingers.has(event.pointerId)) return;
  const middle = () => [...fingers.values()].reduce((sum, x) => sum + x, 0) / fingers.size;
  const spread = () => Math.max(Math.max(...fingers.values()) - Math.min(...fingers.values()), 20);
  const before = { middle: middle(), spread: spread() };
  fingers.set(event.pointerId, event.offsetX);
  editor.zoomRoll(spread() / before.spread, middle() - GUTTER);
  const { first, perTick } = editor.roll.value;
  editor.roll.value = { perTick, first: Math.max(0, first - (middle() - before.middle) / perTick) };
}

let gestures = 0;

function within(editor: Editor, tick: number): number | null {
  return tick >= 0 && tick < editor.desk.head.value ? tick : null;
}

function begin(editor: Editor, event: PointerEvent, part: Part): Gesture {
  const tick = tickAt(editor.roll.value, event.offsetX);
  if (event.button === 1 || event.button === 2) return { kind: 'scroll', x: event.offsetX };
  if (event.shiftKey || (part !== 'ruler' && editor.tool.value === 'select')) return { kind: 'select', from: tick };
  if (part === 'ruler') return { kind: 'seek' };
  editor.desk.playing.value = false;
  return { kind: 'paint', part, name: `paint ${++gestures}`, tick, value: NaN };
}

function go(editor: Editor, gesture: Gesture, event: PointerEvent, size: { width: number; height: number }): void {
  const { desk } = editor;
  const tick = tickAt(editor.roll.value, event.offsetX);
  if (gesture.kind === 'seek') {
    desk.seek(tick);
  } else if (gesture.kind === 'scroll') {
    const { first, perTick } = editor.roll.value;
    editor.roll.value = { perTick, first: Math.max(0, first - (event.offsetX - gesture.x) / perTick) };
    gesture.x = event.offsetX;
  } else if (gesture.kind === 'select') {
    desk.select({ from: Math.min(gesture.from, tick), to: Math.max(gesture.from, tick) + 1 });
  } else {
    const lanes = lanesOf(size, editor.roll.value);
    const value = gesture.part === 'angle' ? angleAt(lanes.angle, event.offsetY) : magnitudeAt(lanes.magnitude, event.offsetY);
    paint(editor, gesture, tick, value);
  }
}

/** A stroke from where the pointer was to where it is; inside a selection all of it takes the pointer's value. */
function paint(editor: Editor, gesture: Extract<Gesture, { kind: 'paint' }>, tick: number, value: number): void {
  const { desk } = editor;
  const chosen = desk.selection.value;
  const before = Number.isNaN(gesture.value) ? { tick, value } : { tick: gesture.tick, value: gesture.value };
  const whole = chosen !== null && gesture.tick >= chosen.from && gesture.tick < chosen.to;
  const span = whole ? chosen : { from: Math.min(before.tick, tick), to: Math.max(before.tick, tick) + 1 };
  const along = (at: number) =>
    whole || before.tick === tick ? value : before.value + ((value - before.value) * (at - before.tick)) / (tick - before.tick);
  if (gesture.part === 'angle') desk.paintAngle(span, along, gesture.name);
  else desk.paintMagnitude(span, along, gesture.name);
  if (!whole) gesture.tick = tick;
  gesture.value = value;
}
