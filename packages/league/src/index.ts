export { Cup, type CupOutcome, type Row, type StageView } from './cup/cup.ts';
export type { Tie } from './cup/knockout.ts';
export { type Entry, type PlannedGame, seedFor, shuffled } from './cup/play.ts';
export { type CupPlan, FORMATS, readCup, worldOf } from './cup/read.ts';
export { readName, timeText, type WorldFacts } from './cup/values.ts';
export { type Standing, standingsOf } from './cup/standings.ts';
export { type Journal, readJournal, writePlanLine } from './journal.ts';
export { ladderPair } from './ladder.ts';
export { estimates, PairCount, pairId, type Versus } from './pairs.ts';
export { bradleyTerry, type BradleyTerryOptions, type Rating } from './ratings/bradley-terry.ts';
export { compare, type Comparisons } from './ratings/comparisons.ts';
export { eloRatings } from './ratings/elo-ratings.ts';
export { glicko2Ratings } from './ratings/glicko2.ts';
export { reportHtml } from './report/html.ts';
export {
  botPage,
  type BotPage,
  type CrossCell,
  type Crosstable,
  crosstable,
  type Loss,
  type RatingCurve,
  ratingCurves,
  spreadLabels,
  type SoloRow,
  soloTable,
  worstLosses,
} from './report/tables.ts';
export { tunePlot } from './report/tune-plot.ts';
export { crashed, type GameFault, type GameLine, pointsAgainst, readGameLine, writeGameLine } from './result.ts';
export { afterRound, type Param, readParam, type SpsaPlan, startOf, triesOf, type Values } from './spsa.ts';
export { type Counts, readCounts } from './stats/counts.ts';
export { type Estimate, shareAt } from './stats/elo.ts';
export { checkSprt, type Sprt, type SprtState, sprtState } from './stats/sprt.ts';
