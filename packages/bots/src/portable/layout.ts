/**
 * Plain data, described: what a row of doubles holds, in its order. Made from examples, for views are what worlds make them; an empty list or a
 * null tells nothing, so there may be many examples of the same thing.
 */
export type Layout = Presence &
  (
    | { readonly kind: 'number' | 'boolean' | 'text' | 'unknown' }
    | { readonly kind: 'list'; readonly item: Layout }
    | { readonly kind: 'object'; readonly fields: Readonly<Record<string, Layout>> }
  );

interface Presence {
  readonly orNull: boolean;
  /** A field that not every example has: who needs it had better read the text. */
  readonly sometimes?: true;
}

export function layoutOf(value: unknown): Layout {
  if (typeof value === 'number') return { kind: 'number', orNull: false };
  if (typeof value === 'boolean') return { kind: 'boolean', orNull: false };
  if (typeof value === 'string') return { kind: 'text', orNull: false };
  if (Array.isArray(value)) return { kind: 'list', orNull: false, item: value.map(layoutOf).reduce(merged, UNKNOWN) };
  if (typeof value !== 'object' || value === null) return { kind: 'unknown', orNull: true };
  const fields = Object.entries(value).map(([name, inner]) => [name, layoutOf(inner)] as const);
  return { kind: 'object', orNull: false, fields: Object.fromEntries(fields) };
}

const UNKNOWN: Layout = { kind: 'unknown', orNull: false };

/** What both examples are. Things of different kinds in one place are told as unknown. */
export function merged(a: Layout, b: Layout): Layout {
  const orNull = a.orNull || b.orNull;
  const sometimes = a.sometimes === true || b.sometimes === true ? ({ sometimes: true } as const) : {};
  if (a.kind === 'unknown') return { ...b, orNull, ...sometimes };
  if (b.kind === 'unknown') return { ...a, orNull, ...sometimes };
  if (a.kind === 'list' && b.kind === 'list') return { kind: 'list', orNull, ...sometimes, item: merged(a.item, b.item) };
  if (a.kind === 'object' && b.kind === 'object') {
    const fields: Record<string, Layout> = {};
    for (const name of new Set([...Object.keys(a.fields), ...Object.keys(b.fields)])) {
      const [one, two] = [a.fields[name], b.fields[name]];
      fields[name] = one !== undefined && two !== undefined ? merged(one, two) : { ...(one ?? two)!, sometimes: true };
    }
    return { kind: 'object', orNull, ...sometimes, fields };
  }
  return a.kind === b.kind ? { ...a, orNull, ...sometimes } : { kind: 'unknown', orNull, ...sometimes };
}

/** A line a field, those of lists and objects below them. */
export function layoutLines(layout: Layout, name: string, depth = 0): string[] {
  const indent = '  '.repeat(depth);
  const nullable = `${layout.orNull ? ', or NaN: null' : ''}${layout.sometimes === true ? ' (not in all)' : ''}`;
  if (layout.kind === 'object') {
    const lines = Object.entries(layout.fields).flatMap(([field, inner]) => layoutLines(inner, field, name === '' ? depth : depth + 1));
    return name === '' ? lines : [`${indent}${name}: its fields${nullable}`, ...lines];
  }
  if (layout.kind === 'list') {
    const { item } = layout;
    if (item.kind === 'object') {
      const inner = Object.entries(item.fields).flatMap(([field, one]) => layoutLines(one, field, depth + 1));
      return [`${indent}${name}: how many${nullable}; then of each`, ...inner];
    }
    if (item.kind !== 'list') return [`${indent}${name}: how many${nullable}; then each a ${KINDS[item.kind]}`];
    return [`${indent}${name}: how many${nullable}; then of each`, ...layoutLines(item, '(list)', depth + 1)];
  }
  return [`${indent}${name}: ${KINDS[layout.kind]}${nullable}`];
}

const KINDS = {
  number: 'number',
  boolean: '1 or 0',
  text: 'text (its length, then its UTF-16 units)',
  unknown: 'value of its own kind',
} as const;
