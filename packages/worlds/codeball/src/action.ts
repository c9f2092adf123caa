import type { FieldIO } from '@lockstep/kernel';

/** [CB-3.2] One robot's orders, in world coordinates. */
export class RobotAction {
  target_velocity_x = 0;
  target_velocity_y = 0;
  target_velocity_z = 0;
  jump_speed = 0;
  use_nitro = false;
}

/** What one seat plays in a tick: an order for each of its robots, in id order, and whether its strategy is out of the game. */
export class Action {
  crashed = false;
  readonly robots: readonly RobotAction[];

  constructor(teamSize: number) {
    this.robots = Array.from({ length: teamSize }, () => new RobotAction());
  }
}

export function actionFields(io: FieldIO, action: Action): void {
  action.crashed = io.bool(action.crashed);
  for (const robot of action.robots) {
    robot.target_velocity_x = io.num(robot.target_velocity_x);
    robot.target_velocity_y = io.num(robot.target_velocity_y);
    robot.target_velocity_z = io.num(robot.target_velocity_z);
    robot.jump_speed = io.num(robot.jump_speed);
    robot.use_nitro = io.bool(robot.use_nitro);
  }
}
