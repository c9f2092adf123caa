import type { FieldIO } from '@lockstep/kernel';

/** [AR-2.1] The document's Instruction, and whether its giver is out of the game. */
export class Instruction {
  vx = 0;
  vy = 0;
  gone = false;
}

export function actionFields(io: FieldIO, action: Instruction): void {
  action.vx = io.num(action.vx);
  action.vy = io.num(action.vy);
  action.gone = io.bool(action.gone);
}
