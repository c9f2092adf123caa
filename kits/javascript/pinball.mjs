import { play } from './lockstep.mjs';

/** Pulls the plunger and lets go; presses the flipper that a ball comes down to. When to press is yours to find out. */
function createBot(briefing, _seat) {
  const { flippers } = briefing.config.table;
  let pulled = 0;
  return {
    act(game) {
      const waiting = game.balls.some((ball) => ball.onPlunger);
      pulled = waiting ? pulled + 1 : 0;
      const action = { left: false, right: false, plunger: waiting && pulled % 150 < 125 ? 1 : 0 };
      for (const flipper of flippers) if (game.balls.some((ball) => comesDownTo(flipper, ball))) action[flipper.button] = true;
      return action;
    },
  };

  function comesDownTo({ pivot, length }, ball) {
    const dx = ball.x - pivot[0];
    const dy = ball.y - pivot[1];
    return ball.layer === 0 && ball.vy < 0 && dx > -length && dx < length && dy > -length && dy < 1;
  }
}

play(createBot);
