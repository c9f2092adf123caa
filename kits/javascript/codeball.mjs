import { play } from './lockstep.mjs';

/** Everybody runs to where the ball is, from behind it; whoever is near jumps. */
function createBot(rules, _seat) {
  return {
    act(game) {
      const action = {};
      for (const robot of game.robots) if (robot.is_teammate) action[robot.id] = order(robot, game.ball);
      return action;
    },
  };

  function order(robot, ball) {
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
