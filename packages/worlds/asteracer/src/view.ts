import type { BoundingBox, Circle } from './map.ts';
import type { RuleName } from './rules.ts';
import type { State } from './state.ts';

/** The whole map, and the rules it is raced under. */
export interface Briefing {
  rules: RuleName;
  ticks: number;
  /** The racer where it starts. */
  racer: Circle;
  box: BoundingBox;
  asteroids: Circle[];
  goals: Circle[];
}

/** [AR-4.3] The public state line, by name. */
export interface RaceView {
  tick: number;
  x: number;
  y: number;
  vx: number;
  vy: number;
  /** 0 or 1 a goal, in file order. */
  goals: string;
}

/** What a bot plays. */
export interface Thrust {
  vx: number;
  vy: number;
}

export function brief({ config: { rules, ticks, map } }: State): Briefing {
  const copy = ({ x, y, radius }: Circle): Circle => ({ x, y, radius });
  return { rules, ticks, racer: copy(map.racer), box: { ...map.box }, asteroids: map.asteroids.map(copy), goals: map.goals.map(copy) };
}

export function observe({ tick, x, y, vx, vy, reached }: State): RaceView {
  return { tick, x, y, vx, vy, goals: reached.join('') };
}
