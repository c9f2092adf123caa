import { type Bot, play } from './lockstep.ts';

interface Circle {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
}
interface RaceMap {
  readonly ticks: number;
  readonly racer: Circle;
  readonly asteroids: readonly Circle[];
  readonly goals: readonly Circle[];
}
interface Race {
  readonly tick: number;
  readonly x: number;
  readonly y: number;
  readonly vx: number;
  readonly vy: number;
  /** 0 or 1 a goal. */
  readonly goals: string;
}

/** Flies straight to the nearest goal that is left, and slows down to hit it. It does not see asteroids: that is yours to do. */
function createBot(map: RaceMap, _seat: number): Bot<Race, { vx: number; vy: number }> {
  return {
    act(race) {
      const goals = map.goals.filter((_, i) => race.goals[i] === '0');
      const away = (goal: Circle): number => (goal.x - race.x) ** 2 + (goal.y - race.y) ** 2;
      const goal = goals.sort((a, b) => away(a) - away(b))[0] ?? race;
      const x = goal.x - race.x - 12 * race.vx;
      const y = goal.y - race.y - 12 * race.vy;
      const length = Math.sqrt(x * x + y * y) || 1;
      const thrust = Math.min(length, 126); // at most 127, and rounding must not make it longer
      return { vx: Math.trunc((x / length) * thrust), vy: Math.trunc((y / length) * thrust) };
    },
  };
}

play(createBot);
