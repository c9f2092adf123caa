import { type Bot, play } from './lockstep.ts';

interface Flipper {
  readonly button: 'left' | 'right';
  readonly pivot: readonly [x: number, y: number];
  readonly length: number;
}
interface Briefing {
  readonly config: { readonly table: { readonly flippers: readonly Flipper[] } };
}
interface Ball {
  readonly x: number;
  readonly y: number;
  readonly vx: number;
  readonly vy: number;
  /** 0 is the table itself. */
  readonly layer: number;
  readonly onPlunger: boolean;
}
interface Game {
  readonly tick: number;
  readonly score: number;
  readonly balls: readonly Ball[];
}
interface Action {
  left: boolean;
  right: boolean;
  plunger: number;
}

/** Pulls the plunger and lets go; presses the flipper that a ball comes down to. When to press is yours to find out. */
function createBot(briefing: Briefing, _seat: number): Bot<Game, Action> {
  const { flippers } = briefing.config.table;
  let pulled = 0;
  return {
    act(game) {
      const waiting = game.balls.some((ball) => ball.onPlunger);
      pulled = waiting ? pulled + 1 : 0;
      const action: Action = { left: false, right: false, plunger: waiting && pulled % 150 < 125 ? 1 : 0 };
      for (const flipper of flippers) if (game.balls.some((ball) => comesDownTo(flipper, ball))) action[flipper.button] = true;
      return action;
    },
  };
}

function comesDownTo({ pivot, length }: Flipper, ball: Ball): boolean {
  const dx = ball.x - pivot[0];
  const dy = ball.y - pivot[1];
  return ball.layer === 0 && ball.vy < 0 && dx > -length && dx < length && dy > -length && dy < 1;
}

play(createBot);
