import { play } from './lockstep.mjs';

/** Flies straight to the nearest goal that is left, and slows down to hit it. It does not see asteroids: that is yours to do. */
function createBot(map, _seat) {
  return {
    act(race) {
      const goals = map.goals.filter((_, i) => race.goals[i] === '0');
      const away = (goal) => (goal.x - race.x) ** 2 + (goal.y - race.y) ** 2;
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
