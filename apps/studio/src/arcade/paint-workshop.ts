import { type Frame, xOf, yOf } from './frame.ts';
import type { Look } from './look.ts';
import { handlesOf, partAt } from './parts.ts';
import { traceCapsule, tracePoints } from './paint-table.ts';
import type { Workshop } from './workshop.ts';

type Pen = CanvasRenderingContext2D;

/** The selected part with its handles, and what is wrong, at its place. */
export function paintWorkshop(pen: Pen, workshop: Workshop, frame: Frame, look: Look): void {
  const draft = workshop.draft.value;
  const { value: selected } = workshop.selected;
  const { value: wrong } = workshop.wrongPart;
  if (wrong !== null) outline(pen, partAt(draft, wrong), frame, look.bad, 3);
  if (selected === null) return;
  const part = partAt(draft, selected);
  outline(pen, part, frame, look.accent, 2);
  for (const { at, sets } of part === null ? [] : handlesOf(part)) {
    pen.beginPath();
    if (sets === 'point') pen.rect(xOf(frame, at[0]) - 5, yOf(frame, at[1]) - 5, 10, 10);
    else pen.arc(xOf(frame, at[0]), yOf(frame, at[1]), 6, 0, Math.PI * 2);
    pen.fillStyle = look.accent;
    pen.fill();
    pen.lineWidth = 1.5;
    pen.strokeStyle = look.ink;
    pen.stroke();
  }
}

/** A line round a part, also round one that is too wrong to be drawn as what it is. */
function outline(pen: Pen, part: Record<string, unknown> | null, frame: Frame, colour: string, width: number): void {
  if (part === null) return;
  const handles = handlesOf(part);
  const points = handles.filter(({ sets }) => sets !== 'radius').map(({ at }) => at);
  if (points.length === 0) return;
  pen.save();
  pen.strokeStyle = colour;
  pen.lineWidth = width;
  pen.setLineDash([5, 4]);
  const { radius, baseRadius, tipRadius, kind } = part;
  if (typeof baseRadius === 'number' && typeof tipRadius === 'number' && points.length === 2)
    traceCapsule(pen, points[0]!, points[1]!, baseRadius, tipRadius, frame);
  else if (points.length === 1) {
    const reach = typeof radius === 'number' ? radius * frame.scale : 8;
    pen.beginPath();
    pen.arc(xOf(frame, points[0]![0]), yOf(frame, points[0]![1]), reach + 3, 0, Math.PI * 2);
  } else tracePoints(pen, points, frame, kind === 'polygon');
  pen.stroke();
  pen.restore();
}
