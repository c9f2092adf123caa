import type { State } from './state.ts';

/** Scores stay whole numbers that a double holds exactly. */
const MAX_SCORE = 9_000_000_000_000_000;

/** [PB-M5.1] Points, times the multiplier. */
export function addScore(state: State, points: number): void {
  state.score = Math.min(MAX_SCORE, state.score + points * state.multiplier);
}
