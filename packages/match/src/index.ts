export {
  createMatch,
  type Fault,
  type Match,
  type MatchSetup,
  Misdeed,
  type Outcome,
  playMatch,
  type Seat,
  type Witness,
} from './match.ts';
