export { Action, RobotAction } from './action.ts';
export { conform } from './conform.ts';
export { type Config, DRAWS, type Rules } from './rules.ts';
export { State } from './state.ts';
export type { GameView, Orders, RobotOrders, RobotView } from './view.ts';
export { world } from './world.ts';
