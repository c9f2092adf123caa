import { advance, feelGravity, kick, regionAt, release, startBall } from './flight.ts';
import { schedule } from './heap.ts';
import { HIT_SENSOR, type HitLog } from './hits.ts';
import { findInSight } from './look.ts';
import { advanceMover, beginMovers, hitStop, moverTime, reactToMover, stopTime } from './movers.ts';
import { EVERY, findAmongAll, findBall, findCellTime, HIGHER, lookAround, noteAbsence, noteFlight, reactToBall } from './pairs.ts';
import { BORDER, DISK_SENSOR, LINE_SENSOR } from './primitives.ts';
import { advanceFreeMovers, advanceQuiet, FEW, holdQuiet, lookForQuiet, putBack, save, stayedNear } from './quiet.ts';
import { reactToPart, surfaceAt } from './reaction.ts';
import { findInCell, findPart } from './search.ts';
import { isBeyond, remember } from './sensors.ts';
import { flyStraight, isStill } from './straight.ts';
import { HELD, MOVING, type PhysicsState } from './state.ts';
import type { Table } from './table.ts';
import { AT_BALL, AT_CELL, AT_MOVER, AT_PART, AT_PAUSE, NOTHING } from './work.ts';

/** [PB-G7] Hits without a way between them after which a ball stays where it is for the step; and hits of any kind. */
const MAX_TINY = 64;
const MAX_HITS = 1 << 20;
/** Ways below this part of the ball's radius are none; where a mover squeezes a ball, below the second. */
const NO_WAY = 1e-9;
const NO_ROOM = 1e-3;

/** So many balls look at all others sooner than at those of the cells around. */
const HANDFUL = 48;

/**
 * [PB-6] One step of `step` seconds: "it may be interesting to redo the process again, multiple times until convergence". All balls and movers
 * go from event to event in the order of time; what nothing happens to is moved once, at the end.
 */
export function stepBalls(table: Table, state: PhysicsState, step: number, log: HitLog): void {
  const { work } = table;
  work.step[0] = step;
  if (table.naive || table.capacity > FEW || table.euler || isStill(table, state)) stepAll(table, state, step, log);
  else if (lookForQuiet(table, state, step)) {
    advanceQuiet(table, state, step);
    advanceFreeMovers(table, state, step);
  } else if (work.anyQuiet) stepTheOthers(table, state, step, log);
  else stepAll(table, state, step, log);
}

/** Quiet balls are left out. Should another have come much farther than it could by itself, they are not, and the step is done again. */
function stepTheOthers(table: Table, state: PhysicsState, step: number, log: HitLog): void {
  const { count, dropped, total, capped } = log;
  save(table, state);
  holdQuiet(table, state, HELD);
  stepAll(table, state, step, log);
  holdQuiet(table, state, MOVING);
  if (stayedNear(table, state)) {
    advanceQuiet(table, state, step);
    return;
  }
  putBack(table, state);
  Object.assign(log, { count, dropped, total, capped });
  stepAll(table, state, step, log);
}

function stepAll(table: Table, state: PhysicsState, step: number, log: HitLog): void {
  const { work } = table;
  work.together = table.ballBall && severalMove(state);
  work.everybody = work.together && table.capacity <= HANDFUL && !table.naive && isStill(table, state);
  if (table.movers.count > 0 || work.together) flyTogether(table, state, step, log);
  else if (isStill(table, state) && !table.naive) flyStraightOn(table, state, step, log);
  else flyAlone(table, state, step, log);
}

function flyStraightOn(table: Table, state: PhysicsState, step: number, log: HitLog): void {
  const { capacity, work } = table;
  for (let i = flyStraight(table, state, 0, step, log); i < capacity; i = flyStraight(table, state, i + 1, step, log)) {
    if (work.event[i] === NOTHING) forecast(table, state, i, HIGHER, step);
    flyOn(table, state, i, step, log);
  }
}

/** Balls that meet nobody go through the step one after the other. */
function flyAlone(table: Table, state: PhysicsState, step: number, log: HitLog): void {
  for (let i = 0; i < table.capacity; i++) {
    if (state.status[i] !== MOVING) continue;
    if (table.euler) kick(table, state, i, step);
    startBall(table, state, i);
    forecast(table, state, i, HIGHER, step);
    flyOn(table, state, i, step, log);
  }
}

function flyOn(table: Table, state: PhysicsState, i: number, step: number, log: HitLog): void {
  const { work } = table;
  while (work.event[i] !== NOTHING) serveBall(table, state, i, step, log);
  advance(work, state, i, step);
}

function flyTogether(table: Table, state: PhysicsState, step: number, log: HitLog): void {
  const { work, capacity } = table;
  work.heapSize = 0;
  work.slot.fill(-1);
  if (table.movers.count > 0) startMovers(table, state, step);
  startBalls(table, state, step);
  for (let i = 0; i < capacity; i++) {
    if (state.status[i] !== MOVING) continue;
    forecast(table, state, i, HIGHER, step);
    if (work.event[i] !== NOTHING) schedule(work, i, work.eventTime[i]!);
  }
  while (work.heapSize > 0) {
    const owner = work.heap[0]!;
    if (owner >= capacity) serveMover(table, state, owner - capacity, step);
    else serveBall(table, state, owner, step, log);
  }
  finish(table, state, step);
}

function startMovers(table: Table, state: PhysicsState, step: number): void {
  const { movers, work, capacity } = table;
  beginMovers(table, state, step);
  for (let k = 0; k < movers.count; k++) {
    const t = stopTime(table, state, k);
    if (t < step) schedule(work, capacity + k, t);
  }
}

function startBalls(table: Table, state: PhysicsState, step: number): void {
  const { capacity, cells } = table;
  const { together, everybody } = table.work;
  if (together && !everybody) cells.clear();
  for (let i = 0; i < capacity; i++) {
    if (state.status[i] !== MOVING) {
      noteAbsence(table, i);
      continue;
    }
    if (table.euler) kick(table, state, i, step);
    startBall(table, state, i);
    if (!together) continue;
    noteFlight(table, state, i);
    if (everybody) continue;
    cells.insert(i, cells.columnOf(state.x[i]!), cells.rowOf(state.y[i]!));
  }
}

function severalMove({ status }: PhysicsState): boolean {
  let moving = 0;
  for (let i = 0; i < status.length; i++) if (status[i] === MOVING) moving++;
  return moving > 1;
}

/** What ball i meets next, from the start of its present piece of flight. */
function forecast(table: Table, state: PhysicsState, i: number, which: number, step: number): void {
  const { work } = table;
  if (work.everybody) {
    forecastAmongAll(table, state, i, which, step);
    return;
  }
  if (work.together) {
    noteFlight(table, state, i);
    findBall(table, state, i, which);
    findCellTime(table, state, i, work.time[i]!);
  }
  findPartFrom(table, state, i, work.time[i]!, step);
  if (table.movers.count > 0) findMover(table, state, i);
  chooseEvent(table, i, step);
}

function forecastAmongAll(table: Table, state: PhysicsState, i: number, which: number, step: number): void {
  const { work } = table;
  noteFlight(table, state, i);
  work.cellTime[i] = Infinity;
  if (!findInSight(table, state, i, step)) {
    work.searchFrom[0] = 0;
    work.searchUntil[0] = Infinity;
    findPart(table, state, i, step);
  }
  findAmongAll(table, i, which);
  if (table.movers.count > 0) findMover(table, state, i);
  chooseEvent(table, i, step);
}

/**
 * A ball among balls looks for parts only as far as its cell: most flights end before. Where there are sensors it looks to the end, because what
 * it has seen of them on its way is remembered.
 */
function findPartFrom(table: Table, state: PhysicsState, i: number, now: number, step: number): void {
  const { work, parts } = table;
  const { searchFrom, searchUntil } = work;
  const start = work.time[i]!;
  const near = work.together && parts.slots === 0 && !table.naive;
  if (near && findInCell(table, state, i, step)) return;
  searchFrom[0] = now - start;
  searchUntil[0] = near ? work.cellTime[i]! - start : Infinity;
  findPart(table, state, i, step);
}

function findMover(table: Table, state: PhysicsState, i: number): void {
  const { work, movers, parts } = table;
  const bit = 1 << state.layer[i]!;
  const skip1 = work.under1[i]! - parts.count;
  const skip2 = work.under2[i]! - parts.count;
  let least = Infinity;
  work.moverTime[i] = Infinity;
  work.mover[i] = -1;
  for (let k = 0; k < movers.count; k++) {
    if ((movers.mask[k]! & bit) === 0 || k === skip1 || k === skip2) continue;
    moverTime(table, state, i, k);
    const t = work.out[0]!;
    if (t >= least) continue;
    least = t;
    work.moverTime[i] = t;
    work.mover[i] = k;
  }
}

/** [PB-G8] The earliest; at the same time first what stands, then what moves, then other balls. */
function chooseEvent(table: Table, i: number, step: number): void {
  const { work } = table;
  let least = work.partTime[i]!;
  let event = work.part[i]! >= 0 ? AT_PART : AT_PAUSE;
  if (table.movers.count > 0 && work.moverTime[i]! < least) {
    least = work.moverTime[i]!;
    event = AT_MOVER;
  }
  if (work.together) {
    if (work.ballTime[i]! < least) {
      least = work.ballTime[i]!;
      event = AT_BALL;
    }
    if (work.cellTime[i]! < least) {
      least = work.cellTime[i]!;
      event = AT_CELL;
    }
  }
  work.event[i] = least < step ? event : NOTHING;
  work.eventTime[i] = least < step ? least : Infinity;
}

/** Ball i's flight has changed: forget what was said about it, look ahead again. */
function goOn(table: Table, state: PhysicsState, i: number, step: number): void {
  const { work } = table;
  work.version[i] = work.version[i]! + 1;
  forecast(table, state, i, EVERY, step);
  if (work.slot[i]! >= 0 || work.event[i] !== NOTHING) schedule(work, i, work.eventTime[i]!);
}

function serveBall(table: Table, state: PhysicsState, i: number, step: number, log: HitLog): void {
  const { work } = table;
  switch (work.event[i]!) {
    case AT_PART:
      servePart(table, state, i, step, log);
      return;
    case AT_MOVER:
      meetMover(table, state, i, step, log);
      return;
    case AT_BALL:
      if (work.ballVersion[i] === work.version[work.ball[i]!]) meetBall(table, state, i, work.ball[i]!, step, log);
      else {
        // The other has gone another way: look again, from the same flight.
        if (work.everybody) findAmongAll(table, i, EVERY);
        else findBall(table, state, i, EVERY);
        chooseEvent(table, i, step);
        schedule(work, i, work.eventTime[i]!);
      }
      return;
    case AT_CELL:
      changeCell(table, state, i, step);
      return;
    default:
      advance(work, state, i, work.partTime[i]!);
      release(work, i);
      goOnAlone(table, state, i, step);
  }
}

/** As goOn; balls that meet nobody need no heap. */
function goOnAlone(table: Table, state: PhysicsState, i: number, step: number): void {
  if (table.movers.count === 0 && !table.work.together) forecast(table, state, i, EVERY, step);
  else goOn(table, state, i, step);
}

function servePart(table: Table, state: PhysicsState, i: number, step: number, log: HitLog): void {
  const { work, parts } = table;
  const p = work.part[i]!;
  const kind = parts.kind[p]!;
  const x = state.x[i]!;
  const y = state.y[i]!;
  const sliding = work.slide[i]! >= 0;
  const square = sliding ? -1 : state.vx[i]! * state.vx[i]! + state.vy[i]! * state.vy[i]!;
  const ax = work.ax[i]!;
  const ay = work.ay[i]!;
  const before = work.time[i]!;
  advance(work, state, i, work.partTime[i]!);
  countHit(table, state, i, before, 0, log);
  if (kind >= LINE_SENSOR) remember(table, state, i, p, kind === DISK_SENSOR || !isBeyond(table, state, i, p));
  if (kind === LINE_SENSOR || kind === DISK_SENSOR) {
    tellSensor(table, state, i, p, log);
  } else if (kind === BORDER) {
    state.region[i] = regionAt(table, state, i);
    feelGravity(table, state, i);
    release(work, i);
  } else {
    const bent = ax !== 0 || ay !== 0;
    const energy = bent && !sliding ? square + 2 * (ax * (state.x[i]! - x) + ay * (state.y[i]! - y)) : -1;
    reactToPart(table, state, i, p, energy, step, log);
  }
  stopIfCapped(table, state, i, log);
  goOnAlone(table, state, i, step);
}

function meetMover(table: Table, state: PhysicsState, i: number, step: number, log: HitLog): void {
  const { work, capacity } = table;
  const k = work.mover[i]!;
  const t = work.moverTime[i]!;
  const before = work.time[i]!;
  advance(work, state, i, t);
  advanceMover(table, state, k, t);
  countHit(table, state, i, before, 1, log);
  const changed = reactToMover(table, state, i, k, step, log);
  stopIfCapped(table, state, i, log);
  const stop = stopTime(table, state, k);
  schedule(work, capacity + k, stop < step ? stop : Infinity);
  goOn(table, state, i, step);
  if (changed) moverChanged(table, state, k, i, step);
}

function serveMover(table: Table, state: PhysicsState, k: number, step: number): void {
  const { work, capacity } = table;
  advanceMover(table, state, k, work.due[capacity + k]!);
  hitStop(table, state, k);
  const stop = stopTime(table, state, k);
  schedule(work, capacity + k, stop < step ? stop : Infinity);
  moverChanged(table, state, k, -1, step);
}

/** Mover k goes on in another way: every ball but one looks at it again, and those that lay on it are free. */
function moverChanged(table: Table, state: PhysicsState, k: number, but: number, step: number): void {
  const { work, capacity, parts } = table;
  const t = work.moverStart[k]!;
  for (let i = 0; i < capacity; i++) {
    if (i === but || state.status[i] !== MOVING) continue;
    if (work.under1[i] === parts.count + k || work.under2[i] === parts.count + k) {
      advance(work, state, i, t);
      release(work, i);
      goOn(table, state, i, step);
      continue;
    }
    findMover(table, state, i);
    chooseEvent(table, i, step);
    schedule(work, i, work.eventTime[i]!);
  }
}

function meetBall(table: Table, state: PhysicsState, i: number, j: number, step: number, log: HitLog): void {
  const { work } = table;
  const t = work.ballTime[i]!;
  const beforeI = work.time[i]!;
  const beforeJ = work.time[j]!;
  advance(work, state, i, t);
  advance(work, state, j, t);
  countHit(table, state, i, beforeI, 0, log);
  countHit(table, state, j, beforeJ, 0, log);
  if (i < j) reactToBall(table, state, i, j, step, log);
  else reactToBall(table, state, j, i, step, log);
  stopIfCapped(table, state, i, log);
  stopIfCapped(table, state, j, log);
  work.version[j] = work.version[j]! + 1;
  goOn(table, state, i, step);
  goOn(table, state, j, step);
}

function changeCell(table: Table, state: PhysicsState, i: number, step: number): void {
  const { work, cells } = table;
  const t = work.cellTime[i]!;
  const tau = t - work.time[i]!;
  const column = cells.column[i]!;
  const row = cells.row[i]!;
  cells.remove(i);
  cells.insert(
    i,
    cells.columnOf(state.x[i]! + tau * (state.vx[i]! + (tau * work.ax[i]!) / 2)),
    cells.rowOf(state.y[i]! + tau * (state.vy[i]! + (tau * work.ay[i]!) / 2)),
  );
  lookAround(table, state, i, column, row, EVERY);
  findCellTime(table, state, i, t);
  if (work.part[i]! < 0 && work.partTime[i] === Infinity && table.parts.slots === 0) findPartFrom(table, state, i, t, step);
  chooseEvent(table, i, step);
  schedule(work, i, work.eventTime[i]!);
}

function tellSensor(table: Table, state: PhysicsState, i: number, p: number, log: HitLog): void {
  const { work, parts } = table;
  const { out } = work;
  surfaceAt(table, state, i, p);
  const vx = state.vx[i]!;
  const vy = state.vy[i]!;
  const speed = parts.kind[p] === LINE_SENSOR ? vx * out[0]! + vy * out[1]! : Math.sqrt(vx * vx + vy * vy);
  log.add(HIT_SENSOR, i, parts.owner[p]!, work.time[i]!, speed, state.x[i]!, state.y[i]!, out[0]!, out[1]!);
}

/** [PB-G7] Counts a hit, and whether the ball came any way since the last one. */
function countHit(table: Table, state: PhysicsState, i: number, before: number, pushed: number, log: HitLog): void {
  const { work, r } = table;
  const way = (work.time[i]! - before) * (Math.abs(state.vx[i]!) + Math.abs(state.vy[i]!));
  const none = pushed === 1 || work.pushed[i] === 1 ? NO_ROOM : NO_WAY;
  work.tiny[i] = way <= none * r ? work.tiny[i]! + 1 : 0;
  work.pushed[i] = pushed;
  work.hits[i] = work.hits[i]! + 1;
  log.total++;
}

/** [PB-G7] The hard cap: the ball stays where it is, a legal place, for the rest of the step. */
function stopIfCapped(table: Table, state: PhysicsState, i: number, log: HitLog): void {
  const { work } = table;
  if (work.tiny[i]! < MAX_TINY && work.hits[i]! < MAX_HITS) return;
  if (work.gx[i] !== 0 || work.gy[i] !== 0 || state.vx[i] !== 0 || state.vy[i] !== 0) log.capped++;
  release(work, i);
  state.vx[i] = 0;
  state.vy[i] = 0;
  work.gx[i] = 0;
  work.gy[i] = 0;
  work.ax[i] = 0;
  work.ay[i] = 0;
}

function finish(table: Table, state: PhysicsState, step: number): void {
  const { work, movers, capacity } = table;
  for (let i = 0; i < capacity; i++) if (state.status[i] === MOVING) advance(work, state, i, step);
  for (let k = 0; k < movers.count; k++) advanceMover(table, state, k, step);
}
