import type { Bot } from '@lockstep/kernel';
import type { Rules } from '../src/rules.ts';
import type { BallView, GameView, Orders, RobotOrders, RobotView } from '../src/view.ts';
import { order, orderTeam, runTo } from './order.ts';

const LOOK_AHEAD_TICKS = 90;

/**
 * In the spirit of the contest's starter: the robot nearest to the own goal keeps it, all others attack. An attacker runs to where the
 * ball will come down, stays behind it, and jumps into it when close; the ball is thought to fly freely, without walls.
 */
export function quickstart(rules: Rules, _seat: number): Bot<GameView, Orders> {
  return {
    act(game) {
      const keeper = keeperOf(game);
      return orderTeam(game, (robot) => {
        const jump = shouldJump(rules, robot, game.ball) ? rules.ROBOT_MAX_JUMP_SPEED : 0;
        return robot.id === keeper ? keep(rules, robot, game.ball, jump) : attack(rules, robot, game.ball, jump);
      });
    },
  };
}

/** A team of one has no keeper. */
function keeperOf(game: GameView): number {
  const team = game.robots.filter((robot) => robot.is_teammate);
  if (team.length === 1) return -1;
  return team.reduce((a, b) => (b.z < a.z || (b.z === a.z && b.id < a.id) ? b : a)).id;
}

/** Jump when the ball is within reach and the hit sends it forward. */
function shouldJump(rules: Rules, robot: RobotView, ball: BallView): boolean {
  const dx = ball.x - robot.x;
  const dy = ball.y - robot.y;
  const dz = ball.z - robot.z;
  const near = rules.BALL_RADIUS + rules.ROBOT_MAX_RADIUS + 1;
  return dx * dx + dy * dy + dz * dz < near * near && robot.z < ball.z;
}

/** The earliest moment at which the robot can be below the ball's path and behind it, at a speed that it can run. */
function attack(rules: Rules, robot: RobotView, ball: BallView, jump: number): RobotOrders {
  const limit = rules.ROBOT_MAX_GROUND_SPEED;
  for (let tick = 1; tick <= LOOK_AHEAD_TICKS; tick++) {
    const t = tick / rules.TICKS_PER_SECOND;
    const height = ball.y + ball.velocity_y * t - (rules.GRAVITY * t * t) / 2;
    if (height > rules.BALL_RADIUS + 3) continue;
    const x = ball.x + ball.velocity_x * t;
    const z = ball.z + ball.velocity_z * t;
    if (Math.abs(x) > rules.arena.width / 2 || Math.abs(z) > rules.arena.depth / 2 || z < robot.z) continue;
    const dx = x - robot.x;
    const dz = z - rules.BALL_RADIUS - robot.z;
    const speed = Math.sqrt(dx * dx + dz * dz) / t;
    if (speed < limit) return order(dx / t, 0, dz / t, jump);
  }
  return runTo(robot, ball.x / 2, Math.min(ball.z - 8, rules.arena.depth / 4), limit, rules.ROBOT_ACCELERATION, jump);
}

/** On the goal line, where the ball is going to cross it. */
function keep(rules: Rules, robot: RobotView, ball: BallView, jump: number): RobotOrders {
  const line = -rules.arena.depth / 2 + rules.ROBOT_MAX_RADIUS;
  const reach = rules.arena.goal_width / 2 - rules.arena.bottom_radius;
  let x = 0;
  if (ball.velocity_z < -1) {
    const t = (line - ball.z) / ball.velocity_z;
    x = Math.min(Math.max(ball.x + ball.velocity_x * t, -reach), reach);
  }
  return runTo(robot, x, line, rules.ROBOT_MAX_GROUND_SPEED, rules.ROBOT_ACCELERATION, jump);
}
