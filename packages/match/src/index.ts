export { type Budget, BUDGETS, type BudgetName, Account, countsWorkOnly, isUntimed } from './budget.ts';
export {
  createMatch,
  type Evidence,
  type Fault,
  type FaultKind,
  type GameInfo,
  type Match,
  type MatchSetup,
  Misdeed,
  type Outcome,
  PASS,
  Played,
  playMatch,
  reasonOf,
  type Seat,
  type SeatBot,
  type Spent,
  type Witness,
} from './match.ts';
export { type Difference, type RecordedGame, recordedSeat, rerun, withAct } from './recorded.ts';
