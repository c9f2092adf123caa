import type { FieldIO } from '@lockstep/kernel';

/** [PB-M2.1] What a player does in one tick, and whether the player is out of the game. */
export class Controls {
  left = false;
  right = false;
  /** How far the plunger is pulled, 0..1. */
  plunger = 0;
  /** How hard the table is pushed, -1..1. */
  nudgeX = 0;
  nudgeY = 0;
  gone = false;
}

export function actionFields(io: FieldIO, action: Controls): void {
  action.left = io.bool(action.left);
  action.right = io.bool(action.right);
  action.plunger = io.num(action.plunger);
  action.nudgeX = io.num(action.nudgeX);
  action.nudgeY = io.num(action.nudgeY);
  action.gone = io.bool(action.gone);
}
