import type { Bot } from '@lockstep/kernel';
import type { Rules } from '../src/rules.ts';
import type { GameView, Orders } from '../src/view.ts';

/** Stands still: the least that a strategy can do. */
export function idle(_rules: Rules, _seat: number): Bot<GameView, Orders> {
  return {
    act(game) {
      const orders: Orders = {};
      for (const robot of game.robots) {
        if (!robot.is_teammate) continue;
        orders[robot.id] = { target_velocity_x: 0, target_velocity_y: 0, target_velocity_z: 0, jump_speed: 0, use_nitro: false };
      }
      return orders;
    },
  };
}
