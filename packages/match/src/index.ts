export {
  createMatch,
  type Fault,
  type Match,
  type MatchSetup,
  Misdeed,
  type Outcome,
  playMatch,
  reasonOf,
  type Seat,
  type Witness,
} from './match.ts';
