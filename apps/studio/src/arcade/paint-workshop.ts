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
  if (selected !== null) paintSelected(pen, partAt(draft, selected), frame, look);
  if (wrong !== null) paintWrong(pen, partAt(draft, wrong), workshop.wrong.value ?? '', frame, look);
}

function paintSelected(pen: Pen, part: Record<string, unknown> | null, frame: Frame, look: Look): void {
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

const LETTERS = 26;
const LINE = 15;

/** What the reader expected, beside the part that is otherwise. */
function paintWrong(pen: Pen, part: Record<string, unknown> | null, message: string, frame: Frame, look: Look): void {
  outline(pen, part, frame, look.bad, 3);
  const place = part === null ? undefined : handlesOf(part)[0]?.at;
  if (place === undefined) return;
  const lines = wrapped(/expected (.*), got /.exec(message)?.[1] ?? message);
  pen.save();
  pen.font = '600 12px system-ui, sans-serif';
  const width = Math.max(...lines.map((line) => pen.measureText(line).width)) + 14;
  const height = lines.length * LINE + 8;
  const x = Math.min(Math.max(xOf(frame, place[0]) + 12, 4), frame.size.width - width - 4);
  const y = Math.min(Math.max(yOf(frame, place[1]) - height - 12, 4), frame.size.height - height - 4);
  pen.fillStyle = look.bad;
  pen.beginPath();
  pen.roundRect(x, y, width, height, 6);
  pen.fill();
  pen.fillStyle = look.dark ? '#1c0504' : '#ffffff';
  pen.textBaseline = 'top';
  lines.forEach((line, i) => pen.fillText(line, x + 7, y + 5 + i * LINE));
  pen.restore();
}

function wrapped(text: string): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    if (lines.at(-1)!.length + word.length >= LETTERS) lines.push(word);
    else lines.push(`${lines.pop()!} ${word}`.trim());
  }
  return lines;
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
