import { isqrt, type WorldEvent } from '@lockstep/kernel';
import type { Instruction } from './action.ts';
import { type Circles, NEAR_REACH } from './circles.ts';
import { farPush } from './far.ts';
import { MAX_SUBTICKS } from './rules.ts';
import type { State } from './state.ts';
import type { Track } from './track.ts';

/** [AR-2] "Simulation": 1. move the racer, 2. resolve collisions, 3. check goals. */
export function step(state: State, actions: readonly Instruction[], events: WorldEvent[]): void {
  const { track } = state.config;
  const instruction = actions[0]!;
  moveRacer(state, instruction, track.truncates);
  if (resolveCollisions(state, track)) {
    halveVelocity(state, track.truncates);
    events.push({ kind: 'collision', seat: 0 });
  }
  markGoals(state, track.goals, events);
  if (instruction.gone) state.gone = true;
  state.tick++;
}

/** [AR-2.1] Slow down by 10 %, add the instruction, move. */
function moveRacer(state: State, instruction: Instruction, truncates: boolean): void {
  state.vx = ninths(state.vx, truncates) + instruction.vx;
  state.vy = ninths(state.vy, truncates) + instruction.vy;
  state.x += state.vx;
  state.y += state.vy;
}

/** v * 9 // 10. No speed exceeds 1279, and the quotient is never nearer than a tenth to the next whole number: the division cannot reach it. */
const ninths = (v: number, truncates: boolean): number => (truncates ? ((v * 9) / 10) | 0 : Math.floor((v * 9) / 10));

/** [AR-2.6] */
function halveVelocity(state: State, truncates: boolean): void {
  state.vx = truncates ? (state.vx / 2) | 0 : state.vx >> 1;
  state.vy = truncates ? (state.vy / 2) | 0 : state.vy >> 1;
}

/** [AR-2.2] Up to five subticks: the first asteroid in file order, then the box. Whether anything collided. */
function resolveCollisions(state: State, track: Track): boolean {
  const { asteroids, truncates } = track;
  for (let subtick = 0; subtick < MAX_SUBTICKS; subtick++) {
    const { x, y } = state;
    const asteroid = asteroids.contactAt(x, y);
    if (asteroid >= 0) pushOut(state, asteroids, asteroid, truncates);
    const walls = keepInside(state, track);
    if (asteroid < 0 && !walls) return subtick > 0;
    if (state.x === x && state.y === y) return true; // every further subtick would do the same again
  }
  return true;
}

/** [AR-2.4] "racer.position -= (push_by * vn) / distance" */
function pushOut(state: State, asteroids: Circles, i: number, truncates: boolean): void {
  const dx = state.x - asteroids.x[i]!;
  const dy = state.y - asteroids.y[i]!;
  const R = asteroids.reach[i]!;
  if (dx === 0 && dy === 0) {
    // SPEC-GAP AR-G1: the document divides by zero where the centres coincide; the racer leaves along x.
    state.x += R;
  } else if (R > NEAR_REACH) {
    state.x -= farPush(dx, dy, R, truncates);
    state.y -= farPush(dy, dx, R, truncates);
  } else {
    const distance = isqrt(dx * dx + dy * dy);
    const push_by = distance - R;
    state.x -= nearQuotient(push_by * dx, distance, truncates);
    state.y -= nearQuotient(push_by * dy, distance, truncates);
  }
}

/**
 * Within NEAR_REACH a quotient is less than 2^26, where doubles are 2^-27 apart, and it is at least 1 / distance > 2^-27 away from the next
 * whole number that it does not equal: a rounded division cannot reach it. (divFloor and divTrunc, which hold for all, take five times as long.)
 */
const nearQuotient = (product: number, distance: number, truncates: boolean): number =>
  truncates ? (product / distance) | 0 : Math.floor(product / distance) + 0;

/** [AR-2.5] Left, right, top, bottom, each tested with the current value. Whether any side pushed. */
function keepInside(state: State, { left, right, top, bottom }: Track): boolean {
  let { x, y } = state;
  if (x >= left && x <= right && y >= top && y <= bottom) return false;
  if (x < left) x = left;
  if (x > right) x = right;
  if (y < top) y = top;
  if (y > bottom) y = bottom;
  state.x = x;
  state.y = y;
  return true;
}

/** [AR-2.7] Every goal, at the position the tick ends with. */
function markGoals(state: State, goals: Circles, events: WorldEvent[]): void {
  const { x, y, reached } = state;
  const cell = goals.cellAt(x, y);
  const end = goals.firstOf(cell + 1);
  for (let at = goals.firstOf(cell); at < end; at++) {
    const goal = goals.member(at);
    if (reached[goal] === 1 || !goals.touches(goal, x, y)) continue;
    reached[goal] = 1;
    state.reachedCount++;
    events.push({ kind: 'goal', seat: 0, goal });
  }
}
