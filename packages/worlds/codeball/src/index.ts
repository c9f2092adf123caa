export { Action, RobotAction } from './action.ts';
export { codeball } from './entry.ts';
export { type Config, DRAWS, type Rules } from './rules.ts';
export { State } from './state.ts';
export type { GameView, Orders, RobotOrders, RobotView } from './view.ts';
