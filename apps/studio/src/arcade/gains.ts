/** Points that came at a tick, and the switch that brought them. */
export interface Gain {
  readonly tick: number;
  readonly name: string;
  readonly points: number;
}

/** Ticks for which points rise. */
export const RISE = 190;
/** Hits of one part that follow each other within so many ticks are told as one sum. */
const JOIN = 100;

interface Rising {
  readonly name: string;
  readonly age: number;
  points: number;
}

/** What rises over the table at a tick, the latest first. */
export function risingGains(gains: readonly Gain[], tick: number): Rising[] {
  const shown: Rising[] = [];
  /** By name: the sum that an earlier hit may still belong to, and the tick of its first one so far. */
  const open = new Map<string, { first: number; sum: Rising }>();
  for (let i = gains.length - 1; i >= 0; i--) {
    const { tick: at, name, points } = gains[i]!;
    const age = tick - at;
    if (age < 0) continue;
    const later = open.get(name);
    if (later !== undefined && later.first - at <= JOIN) {
      later.first = at;
      later.sum.points += points;
    } else if (age <= RISE) {
      const sum = { name, age, points };
      shown.push(sum);
      open.set(name, { first: at, sum });
    } else {
      open.delete(name);
      if ([...open.values()].every(({ first }) => first - at > JOIN)) break;
    }
  }
  return shown;
}
