import { type Bot, play } from './lockstep.ts';

/** There is more in it: every constant of the rule book. */
interface Rules {
  readonly team_size: number;
  readonly ROBOT_MAX_GROUND_SPEED: number;
  readonly ROBOT_MAX_JUMP_SPEED: number;
}
interface Body {
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly velocity_x: number;
  readonly velocity_y: number;
  readonly velocity_z: number;
  readonly radius: number;
}
interface Robot extends Body {
  readonly id: number;
  readonly is_teammate: boolean;
  readonly nitro_amount: number;
  readonly touch: boolean;
}
interface Game {
  readonly current_tick: number;
  readonly robots: readonly Robot[];
  readonly ball: Body;
}
interface Order {
  target_velocity_x: number;
  target_velocity_y: number;
  target_velocity_z: number;
  jump_speed: number;
  use_nitro: boolean;
}

/** Everybody runs to where the ball is, from behind it; whoever is near jumps. */
function createBot(rules: Rules, _seat: number): Bot<Game, Record<string, Order>> {
  return {
    act(game) {
      const action: Record<string, Order> = {};
      for (const robot of game.robots) if (robot.is_teammate) action[robot.id] = order(robot, game.ball);
      return action;
    },
  };

  function order(robot: Robot, ball: Body): Order {
    const dx = ball.x - robot.x;
    const dz = ball.z - 2 - robot.z; // our own goal is always at z < 0
    const distance = Math.sqrt(dx * dx + dz * dz) || 1;
    const speed = rules.ROBOT_MAX_GROUND_SPEED;
    return {
      target_velocity_x: (dx / distance) * speed,
      target_velocity_y: 0,
      target_velocity_z: (dz / distance) * speed,
      jump_speed: distance < 4 && ball.z > robot.z ? rules.ROBOT_MAX_JUMP_SPEED : 0,
      use_nitro: false,
    };
  }
}

play(createBot);
