import { InputError, numberAt } from '@lockstep/kernel';
import type { Minutes } from './raic/plan.ts';

/** What the cup's file need not know: how the world is played. */
export interface WorldFacts {
  readonly presets: readonly string[];
  /** Of a game by this preset. */
  seats(preset: string): number;
}

/** Names stand in ids of games and in names of files. */
export function readName(raw: unknown, path: string): string {
  if (typeof raw !== 'string' || !/^[\p{L}\p{N}_.+@-]{1,64}$/u.test(raw) || /^\.+$/.test(raw))
    throw new InputError(path, 'a name of 1..64 letters, digits and . _ + @ -', raw);
  return raw;
}

const UNITS: Readonly<Record<string, Minutes>> = { m: 1, h: 60, d: 24 * 60, w: 7 * 24 * 60 };

/** "2d 12h", as a cup's file says it. */
export function timeText(minutes: Minutes): string {
  const whole = Math.floor(minutes + 0.5);
  const parts: [number, string][] = [[Math.floor(whole / UNITS['d']!), 'd'], [Math.floor(whole / 60) % 24, 'h'], [whole % 60, 'm']]; // prettier-ignore
  return parts.filter(([count]) => count > 0).map(([count, unit]) => `${count}${unit}`).join(' ') || '0m'; // prettier-ignore
}

/** "2d 12h", "90m", or a number of minutes. */
export function readTime(raw: unknown, path: string): Minutes {
  const expected = 'a time such as "2d 12h" or a number of minutes';
  if (typeof raw === 'number') return numberAt(raw, path, 0, 1e9);
  if (typeof raw !== 'string' || !/^\s*(\d+(\.\d+)?[mhdw]\s*)+$/.test(raw)) throw new InputError(path, expected, raw);
  return [...raw.matchAll(/(\d+(?:\.\d+)?)([mhdw])/g)].reduce((sum, [, count, unit]) => sum + Number(count) * UNITS[unit!]!, 0);
}
