import type { GameView, Orders, RobotOrders, RobotView } from '../src/view.ts';

/** Velocities are asked for in sixteenths and jumps in halves, so that a replay packs them small. Towards zero: a limit kept stays kept. */
const VELOCITY_STEPS = 16;
const JUMP_STEPS = 2;

export function order(vx: number, vy: number, vz: number, jump = 0, nitro = false): RobotOrders {
  return {
    target_velocity_x: sixteenths(vx),
    target_velocity_y: sixteenths(vy),
    target_velocity_z: sixteenths(vz),
    jump_speed: Math.trunc(jump * JUMP_STEPS) / JUMP_STEPS,
    use_nitro: nitro,
  };
}

/** (Adding 0 turns -0 into 0.) */
export function sixteenths(value: number): number {
  return Math.trunc(value * VELOCITY_STEPS) / VELOCITY_STEPS + 0;
}

/** Run over the floor to (x, z): at full speed, slowing down just in time to stop there. */
export function runTo(robot: RobotView, x: number, z: number, maxSpeed: number, acceleration: number, jump = 0): RobotOrders {
  const dx = x - robot.x;
  const dz = z - robot.z;
  const distance = Math.sqrt(dx * dx + dz * dz);
  if (distance < 0.05) return order(0, 0, 0, jump);
  const speed = Math.min(maxSpeed, 0.95 * Math.sqrt(2 * acceleration * distance), distance * 30);
  return order((dx / distance) * speed, 0, (dz / distance) * speed, jump);
}

/** Orders for every robot of the own team, in the order of their ids. */
export function orderTeam(game: GameView, decide: (robot: RobotView, place: number) => RobotOrders): Orders {
  const orders: Orders = {};
  teamOf(game).forEach((robot, place) => {
    orders[robot.id] = decide(robot, place);
  });
  return orders;
}

export function teamOf(game: GameView): RobotView[] {
  return game.robots.filter((robot) => robot.is_teammate).sort((a, b) => a.id - b.id);
}
