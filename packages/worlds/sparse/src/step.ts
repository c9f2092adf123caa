import { HITS_ONCE } from './entity.ts';
import { HIT } from './events.ts';
import { moveFree, moveStraight } from './free.ts';
import { earlierThan } from './gather.ts';
import { integrate } from './integrate.ts';
import { moveEntity } from './move.ts';
import { Mover } from './mover.ts';
import { ownWithinBounds } from './region.ts';
import { HELD_UP, MOVED, OWN, type SimRegion, WAITS } from './sim-region.ts';
import { refreshSurroundings, tidyRows } from './surroundings.ts';
import { noteEdge } from './sweep.ts';

/** So many bodies are read into the processor's cache, moved if they are free, and moved among others if not. */
const AT_ONCE = 256;

/**
 * [SW-R10] (b) One tick of one region: movement and collisions inside UpdatableBounds. Bodies move as if by their ids, each seeing where the earlier
 * ones have got to and where the later ones still are: a result that depends on neither camera nor region nor thread.
 */
export function simulate(region: SimRegion, mover: Mover = new Mover()): void {
  region.events.length = 0;
  tidyRows(region);
  ownWithinBounds(region);
  prepare(region);
  sortIntoCells(region);
  moveReady(region, mover);
  finish(region);
}

/** Where everything stands and how far everybody wants to go. Roles are known. */
export function prepare(region: SimRegion): void {
  refreshSurroundings(region);
  integrate(region);
  region.done.fill(0, 0, region.count);
}

/** Notes the box that each body cannot leave in this tick, and sorts bodies into cells. How far ghosts go is known. */
export function sortIntoCells(region: SimRegion): void {
  const { bodies, bodyCount, bodyGrid } = region.surroundings;
  bodyGrid.build(region, bodies, bodyCount);
}

/**
 * Moves the region's bodies that have not moved yet, as if by ids: whoever may meet a body with a smaller id lets it go first, the rest go as they
 * lie in memory. Those that wait for another region's body are held up until the next round. The answer is how many moved. Reads any row,
 * writes only rows that are the region's own.
 */
export function moveReady(region: SimRegion, mover: Mover): number {
  const { bodies, bodyCount, bodyGrid, solids } = region.surroundings;
  const { role, done } = region;
  noteEdge(region, mover);
  for (let i = 0; i < bodyCount; i++) if (done[bodies[i]!] === HELD_UP) done[bodies[i]!] = WAITS;
  solids.expect(bodyCount, bodyGrid.reach);
  let moved = 0;
  for (let from = 0; from < bodyCount; from += AT_ONCE) {
    const to = Math.min(from + AT_ONCE, bodyCount);
    if (!mover.isNearEdge) moved += moveFree(region, from, to);
    for (let i = from; i < to; i++) {
      const row = bodies[i]!;
      if (role[row] === OWN && done[row] === WAITS) moved += moveInTurn(region, mover, row);
    }
  }
  return moved;
}

/** Moves a body and, before it, all that must go before it. How many moved. */
function moveInTurn(region: SimRegion, mover: Mover, row: number): number {
  if (earlierThan(region, row) >= 0) return moveChain(region, mover, row);
  moveNow(region, mover, row);
  return 1;
}

function moveNow(region: SimRegion, mover: Mover, row: number): void {
  if (mover.isNearEdge || !moveStraight(region, row)) moveEntity(region, mover, row);
  region.done[row] = MOVED;
}

function moveChain(region: SimRegion, mover: Mover, row: number): number {
  const { role, done } = region;
  const { chain } = mover;
  let length = 1;
  let moved = 0;
  chain[0] = row;
  while (length > 0) {
    const last = chain[length - 1]!;
    const earlier = earlierThan(region, last);
    if (earlier < 0) {
      moveNow(region, mover, last);
      moved++;
      length--;
    } else if (role[earlier] === OWN && done[earlier] === WAITS) chain[length++] = earlier;
    else {
      for (let i = 0; i < length; i++) done[chain[i]!] = HELD_UP;
      return moved;
    }
  }
  return moved;
}

/** Wishes are for one tick; a victim of what hits once is not hit again. */
export function finish(region: SimRegion): void {
  region.wishX.fill(0, 0, region.count);
  region.wishY.fill(0, 0, region.count);
  region.wishZ.fill(0, 0, region.count);
  const { events, store } = region;
  for (let at = 0; at < events.length; at += 4) {
    const mover = events[at + 1]!;
    if (events[at] !== HIT || events[at + 2] === 0) continue;
    if ((region.flags[region.ids.get(mover)]! & HITS_ONCE) !== 0) store.pairs.set(mover, events[at + 2]!, false);
  }
}
