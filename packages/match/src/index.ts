export { createMatch, type Fault, type Match, type MatchSetup, type Outcome, playMatch, type Seat, type Witness } from './match.ts';
