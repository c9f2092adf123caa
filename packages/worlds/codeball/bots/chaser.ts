import type { Bot } from '@lockstep/kernel';
import type { Rules } from '../src/rules.ts';
import type { GameView, Orders } from '../src/view.ts';
import { order, orderTeam } from './order.ts';

/** A playground match: everybody runs at the ball, and jumps when it is near. */
export function chaser(rules: Rules, _seat: number): Bot<GameView, Orders> {
  const near = rules.BALL_RADIUS + rules.ROBOT_MAX_RADIUS + 2;
  return {
    act: (game) =>
      orderTeam(game, (robot) => {
        const { ball } = game;
        const dx = ball.x - robot.x;
        const dy = ball.y - robot.y;
        const dz = ball.z - robot.z;
        const flat = Math.sqrt(dx * dx + dz * dz);
        const distance = Math.sqrt(flat * flat + dy * dy);
        const scale = flat > 0.1 ? rules.ROBOT_MAX_GROUND_SPEED / flat : 0;
        return order(dx * scale, 0, dz * scale, distance < near ? rules.ROBOT_MAX_JUMP_SPEED : 0);
      }),
  };
}
