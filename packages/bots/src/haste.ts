/** So long an answer is looked for again and again before the event loop waits for it: to be put to sleep and woken takes about as long. */
const HASTE_MS = 0.1;
/** Whoever does not answer so soon is left to the event loop for a while, twice as long each time: so many answers at most. */
const LONGEST_REST = 256;
/** So long timers, what bots say on stderr, their ends and other matches of this thread may have to wait. */
const SLICE_MS = 10;

/** When the event loop of this thread last brought something. */
let wentRound = -Infinity;

export function eventLoopWentRound(): void {
  wentRound = performance.now();
}

/** Of one bot: is its answer worth looking for at once? docs/decisions/010-answers-at-once.md */
export class Haste {
  private rest = 0;
  private nextRest = 1;
  private until = 0;

  begin(): boolean {
    if (this.rest > 0) {
      this.rest--;
      return false;
    }
    const now = performance.now();
    this.until = now + HASTE_MS;
    return now < wentRound + SLICE_MS;
  }

  /** Nothing yet. Once more? */
  goesOn(): boolean {
    if (performance.now() < this.until) return true;
    this.rest = this.nextRest;
    this.nextRest = Math.min(2 * this.nextRest, LONGEST_REST);
    return false;
  }

  paid(): void {
    this.nextRest = 1;
  }
}
