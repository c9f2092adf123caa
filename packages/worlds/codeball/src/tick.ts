/**
 * The microticks of one tick. The document takes all bodies together, microtick by microtick. Here bodies that provably cannot
 * meet anybody run alone (alone.ts), and only those that may meet somebody run together, in blocks. Who may meet whom is a guess made from
 * distances and speeds; afterwards the ways that the bodies really went prove the guess, or the whole tick is done over with everybody together.
 */
import type { LedgerEntry } from '@lockstep/kernel';
import type { Action } from './action.ts';
import { joinRolling, runBallAlone, runBallInGoal, runRobotAlone, speedBound } from './alone.ts';
import { Body, loadBall, loadRobot, storeBall, storeRobot } from './body.ts';
import { advanceOrder, endMicroticks, keepDice, orderOf, restoreDice, startMicrotick } from './draws.ts';
import { type Physics, physicsOf } from './physics.ts';
import { Rolling } from './roll.ts';
import type { State } from './state.ts';
import { HAIR, nearPack, noteGoal, runTogether, Tick, within } from './together.ts';

/** Microticks that a group runs together before it is looked at anew. */
const BLOCK = 20;
/** Added to every reach: pushes out of walls and other bodies. */
const PAD = 0.12;
/** The same within a block, where a hit may come before the end of it. */
const BLOCK_PAD = 0.08;
/** A body within this of somebody's reach who may be hit is watched too: a hit makes faster than any bound. */
const WATCH = 0.6;

const tick = new Tick();

/** How many ticks had to be done over, for tests and the curious. Nothing reads it in here. */
export const doneOver = { count: 0 };

/** Advances bodies, packs and dice by one tick's microticks; the seat that scored in them, or -1. */
export function runMicroticks(state: State, actions: readonly Action[], ledger?: LedgerEntry[]): number {
  const t = tick;
  t.p = physicsOf(state.config);
  t.state = state;
  t.draws = state.config.draws;
  t.ledger = ledger;
  t.resetting = state.resetTicks > 0;
  load(t, actions);
  // The ledger wants every draw, so everybody runs together.
  if (ledger !== undefined) runTogetherThroughout(t);
  else if (!runPruned(t)) {
    doneOver.count++;
    load(t, actions);
    runTogetherThroughout(t);
  }
  settleOrder(t);
  store(t);
  return t.scored;
}

/** The order that the last microtick had is the one that everybody sees. */
function settleOrder(t: Tick): void {
  const { state, draws, p } = t;
  startMicrotick(state.dice, draws, (state.tick + 1) * p.microticks - 1);
  orderOf(state.dice, draws, state.order);
  endMicroticks(state.dice, draws);
}

function load(t: Tick, actions: readonly Action[]): void {
  const { state, p, bodies } = t;
  const { length } = state.robots;
  t.count = length + 1;
  while (bodies.length < t.count) bodies.push(new Body());
  loadBall(bodies[0]!, state, p.ballBounce);
  const half = length / 2;
  for (let i = 0; i < length; i++) loadRobot(bodies[i + 1]!, state, i, actions[i < half ? 0 : 1]!, p.robotBounce);
  for (let i = 0; i < state.packs.length; i++) t.packs[i] = state.packs[i]!.respawnTicks;
  t.scored = -1;
  t.microtick = 0;
}

function store(t: Tick): void {
  const { state, bodies } = t;
  storeBall(bodies[0]!, state);
  for (let i = 1; i < t.count; i++) storeRobot(bodies[i]!, state, i - 1);
  for (let i = 0; i < state.packs.length; i++) state.packs[i]!.respawnTicks = t.packs[i]!;
}

/** Who is looked at block by block, and how far each may come. */
const watched: boolean[] = [];
const reach: number[] = [];
const rolling = new Rolling();

/** Runs the tick with everybody alone who can be; false if the guess about who can be was wrong. */
function runPruned(t: Tick): boolean {
  const { count, p, state } = t;
  const somebody = markNear(t);
  for (let i = 0; i < count; i++) {
    if (watched[i] || (i > 0 && joinRolling(rolling, t.bodies[i]!, p, p.microticks))) continue;
    runAlone(t, i, p.microticks);
  }
  rolling.run(p);
  if (!somebody) {
    if (!provedApart(t)) return false;
    advanceOrder(state.dice, t.draws, state.order, p.microticks);
  } else {
    keepDice(state.dice, t.draws, state.order);
    if (!runWatched(t) || !provedApart(t)) {
      restoreDice(state.dice, t.draws, state.order);
      return false;
    }
  }
  return true;
}

/**
 * The proof for pairs of which one ran alone all the tick: from where the state still has them, neither went far enough to touch
 * the other. The same for packs.
 */
function provedApart(t: Tick): boolean {
  const { bodies, count, state, p } = t;
  for (let i = 0; i < count; i++) {
    const a = i === 0 ? state.ball : state.robots[i - 1]!;
    for (let j = i + 1; j < count; j++) {
      if (watched[i] && watched[j]) continue;
      const b = state.robots[j - 1]!;
      const dx = a.x - b.x;
      const dy = a.y - b.y;
      const dz = a.z - b.z;
      const touching = bodies[i]!.radius + bodies[j]!.radius + bodies[i]!.path + bodies[j]!.path + HAIR;
      if (!(dx * dx + dy * dy + dz * dz > touching * touching)) return false;
    }
    if (i === 0 || watched[i]) continue;
    for (const pack of state.packs) {
      if (pack.respawnTicks > 0 || !canTakePack(bodies[i]!, p)) continue;
      const dx = a.x - pack.x;
      const dy = a.y - pack.y;
      const dz = a.z - pack.z;
      const touching = bodies[i]!.radius + p.packRadius + bodies[i]!.path + HAIR;
      if (!(dx * dx + dy * dy + dz * dz > touching * touching)) return false;
    }
  }
  return true;
}

function runAlone(t: Tick, i: number, microticks: number): void {
  const b = t.bodies[i]!;
  if (i > 0) runRobotAlone(b, t.p, microticks);
  else runBall(t, microticks);
}

/** The ball alone: its goal rules are its own affair. */
function runBall(t: Tick, microticks: number): void {
  const ball = t.bodies[0]!;
  let left = microticks;
  if (!t.resetting && t.scored < 0) {
    left -= runBallAlone(ball, t.p, left);
    if (Math.abs(ball.z) > t.p.goalLine) noteGoal(t, ball);
  }
  if (left > 0) runBallInGoal(ball, t.p, left);
}

/**
 * Guesses who may meet somebody, or a pack, within the tick: near pairs first, then whoever is not far from those. True if anybody.
 */
function markNear(t: Tick): boolean {
  const { bodies, count, p } = t;
  for (let i = 0; i < count; i++) {
    watched[i] = false;
    reach[i] = (speedBound(bodies[i]!, p, p.microticks) * p.dt + p.fall) * p.microticks + PAD;
  }
  let somebody = markNearPacks(t, watched, false);
  for (let i = 1; i < count; i++) {
    for (let j = 0; j < i; j++) {
      if (within(bodies[i]!, bodies[j]!, reach[i]! + reach[j]!)) watched[i] = watched[j] = somebody = true;
    }
  }
  if (!somebody) return false;
  for (let spread = true; spread;) {
    spread = false;
    for (let i = 0; i < count; i++) {
      if (watched[i]) continue;
      for (let j = 0; j < count; j++) {
        if (!watched[j] || !within(bodies[i]!, bodies[j]!, reach[i]! + reach[j]! + WATCH)) continue;
        watched[i] = spread = true;
        break;
      }
    }
  }
  return true;
}

/** Marks the robots (of the watched, if it is they who are asked) that may come to a pack within their reach. */
function markNearPacks(t: Tick, marked: boolean[], onlyWatched: boolean): boolean {
  const { bodies, count, p, packs } = t;
  const list = t.state.packs;
  let somebody = false;
  for (let k = 0; k < list.length; k++) {
    if (packs[k]! > 0) continue;
    for (let i = 1; i < count; i++) {
      if (onlyWatched && !watched[i]) continue;
      const b = bodies[i]!;
      if (canTakePack(b, p) && nearPack(b, list[k]!, reach[i]!, p)) marked[i] = somebody = true;
    }
  }
  return somebody;
}

/** Where the watched bodies stood, how far they had come, and which packs were gone, when the block began. */
const fromX: number[] = [];
const fromY: number[] = [];
const fromZ: number[] = [];
const fromPath: number[] = [];
const fromPacks: number[] = [];

/** Runs the watched bodies block by block: those near somebody together, the others alone. False if a block's guess was wrong. */
function runWatched(t: Tick): boolean {
  const { bodies, count, p, state } = t;
  while (t.microtick < p.microticks) {
    const n = Math.min(BLOCK, p.microticks - t.microtick);
    const somebody = markGroup(t, n);
    for (let k = 0; k < state.packs.length; k++) fromPacks[k] = t.packs[k]!;
    for (let i = 0; i < count; i++) {
      if (!watched[i]) continue;
      const b = bodies[i]!;
      fromX[i] = b.x;
      fromY[i] = b.y;
      fromZ[i] = b.z;
      fromPath[i] = b.path;
      if (!t.grouped[i]) runAlone(t, i, n);
    }
    if (somebody) runTogether(t, n);
    else advanceOrder(state.dice, t.draws, state.order, n);
    if (!provedApartInBlock(t)) return false;
    t.microtick += n;
  }
  return true;
}

/** Guesses which of the watched may meet somebody, or a pack, in the next n microticks. */
function markGroup(t: Tick, n: number): boolean {
  const { bodies, count, p } = t;
  for (let i = 0; i < count; i++) {
    t.grouped[i] = false;
    if (watched[i]) reach[i] = (speedBound(bodies[i]!, p, n) * p.dt + p.fall) * n + BLOCK_PAD;
  }
  let somebody = (t.packsNear = markNearPacks(t, t.grouped, true));
  for (let i = 1; i < count; i++) {
    if (!watched[i]) continue;
    for (let j = 0; j < i; j++) {
      if (watched[j] && within(bodies[i]!, bodies[j]!, reach[i]! + reach[j]!)) t.grouped[i] = t.grouped[j] = somebody = true;
    }
  }
  return somebody;
}

/** The same proof as for the tick, for watched pairs that did not run together in this block. */
function provedApartInBlock(t: Tick): boolean {
  const { bodies, count, p, state } = t;
  for (let i = 0; i < count; i++) {
    if (!watched[i]) continue;
    const way = bodies[i]!.path - fromPath[i]!;
    for (let j = i + 1; j < count; j++) {
      if (!watched[j] || (t.grouped[i] && t.grouped[j])) continue;
      const dx = fromX[i]! - fromX[j]!;
      const dy = fromY[i]! - fromY[j]!;
      const dz = fromZ[i]! - fromZ[j]!;
      const touching = bodies[i]!.radius + bodies[j]!.radius + way + bodies[j]!.path - fromPath[j]! + HAIR;
      if (!(dx * dx + dy * dy + dz * dz > touching * touching)) return false;
    }
    if (i === 0 || (t.grouped[i] && t.packsNear)) continue;
    for (let k = 0; k < state.packs.length; k++) {
      if (fromPacks[k]! > 0 || !canTakePack(bodies[i]!, p)) continue;
      const pack = state.packs[k]!;
      const dx = fromX[i]! - pack.x;
      const dy = fromY[i]! - pack.y;
      const dz = fromZ[i]! - pack.z;
      const touching = bodies[i]!.radius + p.packRadius + way + HAIR;
      if (!(dx * dx + dy * dy + dz * dz > touching * touching)) return false;
    }
  }
  return true;
}

/** Everybody together for the whole tick, as the document has it. */
function runTogetherThroughout(t: Tick): void {
  for (let i = 0; i < t.count; i++) t.grouped[i] = true;
  t.packsNear = t.state.packs.length > 0;
  runTogether(t, t.p.microticks);
}

/** A full robot that does not use nitro stays full for the tick. */
function canTakePack(b: Body, p: Physics): boolean {
  return b.nitro !== p.maxNitro || b.useNitro;
}
