import type { Json } from '@lockstep/kernel';
import type { Point } from '@lockstep/pinball';

/** A table's data while it is being made: plain JSON that may be wrong. */
export type Draft = { [key: string]: Json };

/** Lists of a table that hold parts one can move; `plunger` and `drain` are single. */
export const LISTS = [
  'walls',
  'flippers',
  'bumpers',
  'slingshots',
  'targets',
  'rollovers',
  'lanes',
  'spinners',
  'gates',
  'saucers',
  'ramps',
] as const;
export type ListName = (typeof LISTS)[number];

/** `bumpers[2]`, or `plunger`. */
export type PartPath = string;

export interface Handle {
  /** Where in the part the point is. */
  readonly keys: readonly (string | number)[];
  readonly at: Point;
  /** Not a point of its own, but how far something reaches. */
  readonly sets: 'point' | 'radius' | 'tip';
}

type Fields = Record<string, unknown>;

export function partAt(draft: Draft, path: PartPath): Fields | null {
  const [, list, index] = /^(\w+)(?:\[(\d+)\])?$/.exec(path) ?? [];
  const found = list === undefined ? undefined : draft[list];
  const part = index === undefined ? found : Array.isArray(found) ? (found as Json[])[Number(index)] : undefined;
  return typeof part === 'object' && part !== null && !Array.isArray(part) ? (part as Fields) : null;
}

/** Every part there is, the last one drawn last. */
export function pathsOf(draft: Draft): PartPath[] {
  const lists = LISTS.flatMap((list) => ((draft[list] as Json[] | undefined) ?? []).map((_, i) => `${list}[${i}]`));
  return [...lists, 'plunger', 'drain'];
}

const isPoint = (value: unknown): value is Point =>
  Array.isArray(value) && value.length === 2 && value.every((item) => typeof item === 'number');

export function handlesOf(part: Fields): Handle[] {
  const handles: Handle[] = [];
  for (const key of ['at', 'pivot', 'from', 'to']) {
    const value = part[key];
    if (isPoint(value)) handles.push({ keys: [key], at: value, sets: 'point' });
  }
  const points = part['points'];
  if (Array.isArray(points))
    points.forEach((point: unknown, i) => isPoint(point) && handles.push({ keys: ['points', i], at: point, sets: 'point' }));
  for (const key of ['entrance', 'exit']) {
    const ends = part[key] as Fields | undefined;
    for (const end of ['from', 'to']) {
      const value = ends?.[end];
      if (isPoint(value)) handles.push({ keys: [key, end], at: value, sets: 'point' });
    }
  }
  const slope = part['slope'] as { points?: unknown[] } | undefined;
  slope?.points?.forEach((point, i) => isPoint(point) && handles.push({ keys: ['slope', 'points', i], at: point, sets: 'point' }));
  const { at, pivot, radius, length, rest } = part;
  if (isPoint(at) && typeof radius === 'number') handles.push({ keys: ['radius'], at: [at[0] + radius, at[1]], sets: 'radius' });
  if (isPoint(pivot) && typeof length === 'number' && typeof rest === 'number')
    handles.push({ keys: ['length'], at: [pivot[0] + length * Math.cos(rest), pivot[1] + length * Math.sin(rest)], sets: 'tip' });
  return handles;
}

const round = (value: number): number => Math.round(value * 20) / 20;
export const roundedPoint = ([x, y]: Point): [number, number] => [round(x), round(y)];

/** The part with one of its handles dragged to a place. */
export function dragged(part: Fields, { keys, sets }: Handle, to: Point): Fields {
  const copy = structuredClone(part);
  if (sets === 'radius') {
    const [x, y] = copy['at'] as Point;
    copy['radius'] = Math.max(0.05, round(Math.hypot(to[0] - x, to[1] - y)));
  } else if (sets === 'tip') {
    const [x, y] = copy['pivot'] as Point;
    const turned = Math.atan2(to[1] - y, to[0] - x);
    const before = copy['rest'] as number;
    // The angle next to the one it had: a flipper may rest at more than half a turn.
    const rest = turned + 2 * Math.PI * Math.round((before - turned) / (2 * Math.PI));
    copy['raised'] = (copy['raised'] as number) + rest - before;
    copy['rest'] = rest;
    copy['length'] = Math.max(0.5, round(Math.hypot(to[0] - x, to[1] - y)));
  } else {
    let inside: Fields = copy;
    for (const key of keys.slice(0, -1)) inside = inside[key] as Fields;
    inside[keys.at(-1)!] = roundedPoint(to);
  }
  return copy;
}

/** The part with all its points shifted. */
export function shifted(part: Fields, dx: number, dy: number): Fields {
  let moved = part;
  for (const handle of handlesOf(part)) if (handle.sets === 'point') moved = dragged(moved, handle, [handle.at[0] + dx, handle.at[1] + dy]);
  return moved;
}

/** How far a place is from a part: from its lines, and 0 inside of what is round. */
export function distanceTo(part: Fields, [x, y]: Point): number {
  const points = handlesOf(part).filter(({ sets }) => sets !== 'radius');
  const { at, radius, kind } = part;
  let least = Infinity;
  if (isPoint(at) && typeof radius === 'number' && kind !== 'arc') least = Math.max(0, Math.hypot(at[0] - x, at[1] - y) - radius);
  if (isPoint(at) && typeof radius === 'number' && kind === 'arc') {
    const angle = Math.atan2(y - at[1], x - at[0]);
    const [from, to] = [part['from'] as number, part['to'] as number];
    const turned = angle < from ? angle + 2 * Math.PI : angle;
    if (turned >= from && turned <= to) least = Math.abs(Math.hypot(at[0] - x, at[1] - y) - radius);
  }
  if (points.length === 1) return Math.min(least, Math.hypot(points[0]!.at[0] - x, points[0]!.at[1] - y));
  const closed = kind === 'polygon' && points.length > 2;
  for (let i = closed ? 0 : 1; i < points.length; i++) least = Math.min(least, toSegment(points.at(i - 1)!.at, points[i]!.at, x, y));
  return least;
}

function toSegment([ax, ay]: Point, [bx, by]: Point, x: number, y: number): number {
  const square = (bx - ax) ** 2 + (by - ay) ** 2;
  const share = square === 0 ? 0 : Math.min(1, Math.max(0, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / square));
  return Math.hypot(ax + share * (bx - ax) - x, ay + share * (by - ay) - y);
}

/** What can be added, in the order of the tools. */
export const KINDS = [
  'bumper',
  'post',
  'wall',
  'block',
  'arc',
  'bar',
  'target',
  'drop',
  'lane',
  'rollover',
  'slingshot',
  'spinner',
  'saucer',
  'gate',
  'leftFlipper',
  'rightFlipper',
] as const;
export type Kind = (typeof KINDS)[number];

const THROW = { throwSpeed: 140, threshold: 8 };
const FLIPPER = { length: 7, baseRadius: 1.2, tipRadius: 0.7 };

/** A new part at a place, with a name that nothing else has, and the list it goes to. */
export function newPart(draft: Draft, kind: Kind, place: Point): { readonly list: ListName; readonly part: Fields } {
  const [x, y] = roundedPoint(place);
  const material = (wanted: string): string => {
    const names = Object.keys((draft['materials'] as Fields | undefined) ?? {});
    return names.includes(wanted) ? wanted : (names[0] ?? wanted);
  };
  const name = freeName(draft, kind);
  const line = (dx: number, dy: number) => ({ from: [x - dx, y - dy], to: [x + dx, y + dy] });
  switch (kind) {
    case 'bumper':
      return { list: 'bumpers', part: { name, at: [x, y], radius: 2.5, ...THROW } };
    case 'post':
      return { list: 'walls', part: { kind: 'post', at: [x, y], radius: 0.6, material: material('rubber') } };
    case 'wall':
      return {
        list: 'walls',
        part: {
          kind: 'polyline',
          points: [
            [x - 4, y],
            [x + 4, y],
          ],
          material: material('guide'),
        },
      };
    case 'block':
      return {
        list: 'walls',
        part: {
          kind: 'polygon',
          points: [
            [x - 3, y - 2],
            [x + 3, y - 2],
            [x, y + 3],
          ],
          material: material('wood'),
        },
      };
    case 'arc':
      return {
        list: 'walls',
        part: { kind: 'arc', at: [x, y], radius: 5, from: 0, to: Math.PI, side: 'both', material: material('guide') },
      };
    case 'bar':
      return { list: 'walls', part: { kind: 'bar', ...line(0, 2), radius: 0.4, material: material('rubber') } };
    case 'target':
      return { list: 'targets', part: { name, kind: 'stand-up', ...line(0, 1.5), material: material('plastic') } };
    case 'drop':
      return { list: 'targets', part: { name, kind: 'drop', ...line(0, 1.5), material: material('plastic') } };
    case 'lane':
      return { list: 'lanes', part: { name, ...line(2, 0) } };
    case 'rollover':
      return { list: 'rollovers', part: { name, at: [x, y], radius: 1.2 } };
    case 'slingshot':
      return { list: 'slingshots', part: { name, ...line(2, -4), throwSpeed: 120, threshold: 15 } };
    case 'spinner':
      return { list: 'spinners', part: { name, ...line(3, 0), drag: 0.05, rub: 1 } };
    case 'saucer':
      return { list: 'saucers', part: { name, at: [x, y], radius: 1.3, catchSpeed: 180, seconds: 1, kick: [0, -60] } };
    case 'gate':
      return { list: 'gates', part: { name, ...line(2, 0) } };
    case 'leftFlipper':
      return {
        list: 'flippers',
        part: { ...FLIPPER, name, button: 'left', pivot: [x, y], rest: -0.5, raised: 0.5, material: material('flipper') },
      };
    case 'rightFlipper':
      return {
        list: 'flippers',
        part: {
          ...FLIPPER,
          name,
          button: 'right',
          pivot: [x, y],
          rest: Math.PI + 0.5,
          raised: Math.PI - 0.5,
          material: material('flipper'),
        },
      };
  }
}

function freeName(draft: Draft, kind: Kind): string {
  const names = new Set(pathsOf(draft).map((path) => partAt(draft, path)?.['name']));
  const word = { leftFlipper: 'left flipper', rightFlipper: 'right flipper', drop: 'drop target' }[kind as string] ?? kind;
  for (let n = 1; ; n++) if (!names.has(`${word} ${n}`)) return `${word} ${n}`;
}

/** Does closing it tell the rules something? */
const SWITCHES: readonly string[] = ['bumpers', 'slingshots', 'targets', 'rollovers', 'lanes', 'spinners', 'saucers', 'ramps'];

/** The table with a part more; a switch scores from the start. */
export function withPart(draft: Draft, list: ListName, part: Fields): Draft {
  const copy = structuredClone(draft);
  copy[list] = [...((copy[list] as Json[] | undefined) ?? []), part as Json];
  if (SWITCHES.includes(list))
    copy['rules'] = [...((copy['rules'] as Json[] | undefined) ?? []), { on: [part['name'] as string], score: 100 }];
  return copy;
}

export function replaced(draft: Draft, path: PartPath, part: Fields): Draft {
  const copy = structuredClone(draft);
  const [, list, index] = /^(\w+)(?:\[(\d+)\])?$/.exec(path)!;
  if (index === undefined) copy[list!] = part as Json;
  else (copy[list!] as Json[])[Number(index)] = part as Json;
  const [before, after] = [partAt(draft, path)?.['name'], part['name']];
  return typeof before === 'string' && typeof after === 'string' && before !== after ? renamed(copy, before, after) : copy;
}

/** The table without a part, and without what rules and missions said of it. */
export function without(draft: Draft, path: PartPath): Draft {
  const [, list, index] = /^(\w+)\[(\d+)\]$/.exec(path) ?? [];
  if (list === undefined) return draft;
  const name = partAt(draft, path)?.['name'];
  const copy = structuredClone(draft);
  (copy[list] as Json[]).splice(Number(index), 1);
  return typeof name === 'string' && SWITCHES.includes(list) ? renamed(copy, name, null) : copy;
}

/** Rules and missions under a part's new name; null: it is gone, and so is what waits for nothing else. */
function renamed(draft: Draft, before: string, after: string | null): Draft {
  const swap = (names: unknown): string[] =>
    ((names as string[] | undefined) ?? []).flatMap((name) => (name !== before ? [name] : after === null ? [] : [after]));
  const effects = (item: Fields): Fields => ('raise' in item ? { ...item, raise: swap(item['raise']) } : item);
  const rules = ((draft['rules'] as Fields[] | undefined) ?? [])
    .map((rule): Fields => ({ ...effects(rule), on: swap(rule['on']) }))
    .filter((rule) => (rule['on'] as string[]).length > 0);
  const missions = ((draft['missions'] as Fields[] | undefined) ?? [])
    .map((mission): Fields => ({
      ...effects(mission),
      starts: swap(mission['starts']),
      steps: ((mission['steps'] as Fields[] | undefined) ?? [])
        .map((step): Fields => ({ ...step, on: swap(step['on']) }))
        .filter((step) => (step['on'] as string[]).length > 0),
    }))
    .filter((mission) => (mission['starts'] as string[]).length > 0 && (mission['steps'] as unknown[]).length > 0);
  return { ...draft, rules: rules as Json, missions: missions as Json };
}
