import { type Thrust, magnitudeOf, angleOf, thrustOf } from './thrust.ts';

/** A run's instructions: vx and vy of each tick in turn. Never changed: every edit gives a new one. */
export type Script = Int8Array;

/** Ticks from `from` up to, and without, `to`. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Longer than any run anybody flies, short enough to recompute while a hand draws. */
export const MOST_TICKS = 200_000;

export const lengthOf = (script: Script): number => script.length / 2;

export function thrustAt(script: Script, tick: number): Thrust {
  return { vx: script[2 * tick]!, vy: script[2 * tick + 1]! };
}

export function scriptOf(thrusts: readonly Thrust[]): Script {
  const script = new Int8Array(2 * thrusts.length);
  thrusts.forEach(({ vx, vy }, i) => script.set([vx, vy], 2 * i));
  return script;
}

export function thrustsOf(script: Script): Thrust[] {
  return Array.from({ length: lengthOf(script) }, (_, tick) => thrustAt(script, tick));
}

/** The first tick whose instruction is not the same; null where nothing differs. */
export function firstDifference(a: Script, b: Script): number | null {
  const both = Math.min(a.length, b.length);
  for (let i = 0; i < both; i++) if (a[i] !== b[i]) return i >> 1;
  return a.length === b.length ? null : both >> 1;
}

export function slice(script: Script, { from, to }: Span): Script {
  return script.slice(2 * from, 2 * to);
}

/** The same instruction for a whole span, which may reach beyond the end: what lies between is filled with rest. */
export function fill(script: Script, { from, to }: Span, { vx, vy }: Thrust): Script {
  const next = resized(script, Math.max(lengthOf(script), to));
  for (let tick = from; tick < to; tick++) next.set([vx, vy], 2 * tick);
  return next;
}

/** Turns the thrust of a span to an angle that may change along it, and keeps each tick's magnitude; rest becomes full thrust. */
export function paintAngle(script: Script, span: Span, angleAt: (tick: number) => number): Script {
  return painted(script, span, (thrust, tick) => {
    const magnitude = magnitudeOf(thrust);
    return thrustOf(angleAt(tick), magnitude === 0 ? Infinity : magnitude);
  });
}

/** Gives the thrust of a span another magnitude, and keeps each tick's angle. */
export function paintMagnitude(script: Script, span: Span, magnitudeAt: (tick: number) => number): Script {
  return painted(script, span, (thrust, tick) => thrustOf(angleOf(thrust), magnitudeAt(tick)));
}

function painted(script: Script, { from, to }: Span, paint: (thrust: Thrust, tick: number) => Thrust): Script {
  const next = script.slice();
  for (let tick = Math.max(from, 0); tick < Math.min(to, lengthOf(script)); tick++) {
    const { vx, vy } = paint(thrustAt(script, tick), tick);
    next.set([vx, vy], 2 * tick);
  }
  return next;
}

/** Everything from `at` on comes later. */
export function insert(script: Script, at: number, what: Script): Script {
  const next = new Int8Array(script.length + what.length);
  next.set(script.subarray(0, 2 * at));
  next.set(what, 2 * at);
  next.set(script.subarray(2 * at), 2 * at + what.length);
  return next;
}

/** Everything from `to` on comes earlier. */
export function remove(script: Script, { from, to }: Span): Script {
  const next = new Int8Array(script.length - 2 * (to - from));
  next.set(script.subarray(0, 2 * from));
  next.set(script.subarray(2 * to), 2 * from);
  return next;
}

/** Nothing else moves; the script grows where `what` is longer than the rest. */
export function overwrite(script: Script, at: number, what: Script): Script {
  const next = resized(script, Math.max(lengthOf(script), at + lengthOf(what)));
  next.set(what, 2 * at);
  return next;
}

/** A span is played so many ticks later (or earlier, below zero); what it moves over takes the place it leaves. */
export function shift(script: Script, { from, to }: Span, by: number): Script {
  const target = Math.min(Math.max(from + by, 0), lengthOf(script) - (to - from));
  return insert(remove(script, { from, to }), target, slice(script, { from, to }));
}

function resized(script: Script, ticks: number): Script {
  const next = new Int8Array(2 * ticks);
  next.set(script);
  return next;
}
