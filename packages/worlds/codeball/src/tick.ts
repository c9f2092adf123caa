/**
 * The microticks of one tick. The document takes all bodies together, microtick by microtick. Here bodies that provably cannot
 * meet anybody run alone (alone.ts), and only those that may meet somebody run together, in blocks. Who may meet whom is a guess made from
 * distances and speeds; afterwards the ways that the bodies really went prove the guess, or the whole tick is done over with everybody together.
 */
import type { LedgerEntry } from '@lockstep/kernel';
import type { Action } from './action.ts';
import { joinRolling, keepInGoal, runBallAlone, runBallInGoal, runRobotAlone, speedBound } from './alone.ts';
import { Body, loadBall, loadRobot, storeBall, storeRobot } from './body.ts';
import { collideEntities } from './collide.ts';
import { advanceOrder, drawBetween, endMicroticks, keepDice, orderOf, restoreDice, startMicrotick } from './draws.ts';
import { collideWithArena, control, move } from './motion.ts';
import { type Physics, physicsOf } from './physics.ts';
import { Rolling } from './roll.ts';
import type { NitroPack, State } from './state.ts';

/** Microticks that a group runs together before it is looked at anew. */
const BLOCK = 20;
/** Added to every reach: pushes out of walls and other bodies. */
const PAD = 0.12;
/** The same within a block, where a hit may come before the end of it. */
const BLOCK_PAD = 0.08;
/** A body within this of somebody's reach who may be hit is watched too: a hit makes faster than any bound. */
const WATCH = 0.6;
/** Room for the rounding of the proofs' own sums. */
const PROOF = 1e-6;

/** Everything a tick works on; filled anew each tick, so nothing of one game reaches another. */
class Tick {
  p!: Physics;
  state!: State;
  draws: State['config']['draws'] = 'none';
  ledger: LedgerEntry[] | undefined;
  /** bodies[0] is the ball, bodies[id] a robot. */
  readonly bodies: Body[] = [];
  count = 0;
  /** respawn_ticks of the packs, as far as this tick has come. */
  readonly packs = [0, 0, 0, 0];
  /** Whether the group of this block looks for packs. */
  packsNear = false;
  microtick = 0;
  /** The seat that scored, or -1. */
  scored = -1;
  resetting = false;
  /** The microtick of the hits now being resolved, for the ledger. */
  hitMicrotick = 0;
}

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

/** Who is looked at block by block, and who runs together in this block. */
const watched: boolean[] = [];
const grouped: boolean[] = [];
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
      const touching = bodies[i]!.radius + bodies[j]!.radius + bodies[i]!.path + bodies[j]!.path + PROOF;
      if (!(dx * dx + dy * dy + dz * dz > touching * touching)) return false;
    }
    if (i === 0 || watched[i]) continue;
    for (const pack of state.packs) {
      if (pack.respawnTicks > 0 || !canTakePack(bodies[i]!, p)) continue;
      const dx = a.x - pack.x;
      const dy = a.y - pack.y;
      const dz = a.z - pack.z;
      const touching = bodies[i]!.radius + p.packRadius + bodies[i]!.path + PROOF;
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

function noteGoal(t: Tick, ball: Body): void {
  t.scored = ball.z > 0 ? 0 : 1;
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

/** A full robot that does not use nitro stays full for the tick. */
function canTakePack(b: Body, p: Physics): boolean {
  return b.nitro !== p.maxNitro || b.useNitro;
}

function nearPack(b: Body, pack: NitroPack, gap: number, p: Physics): boolean {
  const distance = b.radius + p.packRadius + gap;
  const dx = b.x - pack.x;
  const dy = b.y - pack.y;
  const dz = b.z - pack.z;
  return dx * dx + dy * dy + dz * dz < distance * distance;
}

function within(a: Body, b: Body, gap: number): boolean {
  const dx = a.x - b.x;
  const dy = a.y - b.y;
  const dz = a.z - b.z;
  const distance = a.radius + b.radius + gap;
  return dx * dx + dy * dy + dz * dz < distance * distance;
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
      if (!grouped[i]) runAlone(t, i, n);
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
    grouped[i] = false;
    if (watched[i]) reach[i] = (speedBound(bodies[i]!, p, n) * p.dt + p.fall) * n + BLOCK_PAD;
  }
  let somebody = (t.packsNear = markNearPacks(t, grouped, true));
  for (let i = 1; i < count; i++) {
    if (!watched[i]) continue;
    for (let j = 0; j < i; j++) {
      if (watched[j] && within(bodies[i]!, bodies[j]!, reach[i]! + reach[j]!)) grouped[i] = grouped[j] = somebody = true;
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
      if (!watched[j] || (grouped[i] && grouped[j])) continue;
      const dx = fromX[i]! - fromX[j]!;
      const dy = fromY[i]! - fromY[j]!;
      const dz = fromZ[i]! - fromZ[j]!;
      const touching = bodies[i]!.radius + bodies[j]!.radius + way + bodies[j]!.path - fromPath[j]! + PROOF;
      if (!(dx * dx + dy * dy + dz * dz > touching * touching)) return false;
    }
    if (i === 0 || (grouped[i] && t.packsNear)) continue;
    for (let k = 0; k < state.packs.length; k++) {
      if (fromPacks[k]! > 0 || !canTakePack(bodies[i]!, p)) continue;
      const pack = state.packs[k]!;
      const dx = fromX[i]! - pack.x;
      const dy = fromY[i]! - pack.y;
      const dz = fromZ[i]! - pack.z;
      const touching = bodies[i]!.radius + p.packRadius + way + PROOF;
      if (!(dx * dx + dy * dy + dz * dz > touching * touching)) return false;
    }
  }
  return true;
}

/** Everybody together for the whole tick, as the document has it. */
function runTogetherThroughout(t: Tick): void {
  for (let i = 0; i < t.count; i++) grouped[i] = true;
  t.packsNear = t.state.packs.length > 0;
  runTogether(t, t.p.microticks);
}

/** The robots of the group by id, and in the order of the microtick. */
const members: Body[] = [];
const inOrder: Body[] = [];
let memberCount = 0;

/** [CB-2.1] update, for the group, n times. */
function runTogether(t: Tick, n: number): void {
  const { bodies, count, p, state, draws, packs } = t;
  const { dice, order } = state;
  const ball = grouped[0] ? bodies[0]! : null;
  bodies[0]!.fastest = 0;
  memberCount = 0;
  for (let i = 1; i < count; i++) {
    if (!grouped[i]) continue;
    bodies[i]!.fastest = 0;
    members[memberCount++] = bodies[i]!;
  }
  for (let end = t.microtick + n, microtick = t.microtick; microtick < end; microtick++) {
    startMicrotick(dice, draws, state.tick * p.microticks + microtick);
    if (draws === 'official') advanceOrder(dice, draws, order, 1);
    if (t.ledger !== undefined) noteOrder(t, microtick);
    for (let i = 0; i < memberCount; i++) {
      const robot = members[i]!;
      control(robot, p);
      moveCounted(robot, p);
    }
    if (ball !== null) moveCounted(ball, p);
    // If nobody reaches into anybody after the moves, nobody is pushed, and the order of the robots does not matter.
    if (anyTouching(ball)) collideInOrder(t, ball, microtick);
    else for (let i = 0; i < memberCount; i++) members[i]!.touch = collideWithArena(members[i]!, p);
    if (ball !== null) {
      collideWithArena(ball, p);
      if (t.resetting || t.scored >= 0) keepInGoal(ball);
      else if (Math.abs(ball.z) > p.goalLine) noteGoal(t, ball);
    }
    if (t.packsNear) takePacks(t, packs);
  }
  if (ball !== null) countWay(ball, p, n);
  for (let i = 0; i < memberCount; i++) countWay(members[i]!, p, n);
}

/** move, and the largest speed so far. */
function moveCounted(b: Body, p: Physics): void {
  move(b, p);
  if (b.square > b.fastest) b.fastest = b.square;
}

/** A bound of the way a body went in n moves, none faster than its fastest (the clamp only slows down). Pushes have counted themselves. */
function countWay(b: Body, p: Physics, n: number): void {
  b.path += (Math.sqrt(b.fastest) * (1 + 1e-9) * p.dt + p.fall) * n;
}

function anyTouching(ball: Body | null): boolean {
  for (let i = 0; i < memberCount; i++) {
    const a = members[i]!;
    if (ball !== null && within(a, ball, PROOF)) return true;
    for (let j = 0; j < i; j++) if (within(a, members[j]!, PROOF)) return true;
  }
  return false;
}

/** The group's robots, `memberCount` of them, in the order of this microtick. */
function takeOrder(t: Tick): Body[] {
  const { state, draws, bodies } = t;
  orderOf(state.dice, draws, state.order);
  let n = 0;
  for (let i = 0; i < state.order.length; i++) {
    const id = state.order[i]! + 1;
    if (grouped[id]) inOrder[n++] = bodies[id]!;
  }
  return inOrder;
}

function collideInOrder(t: Tick, ball: Body | null, microtick: number): void {
  const { p } = t;
  const robots = takeOrder(t);
  t.hitMicrotick = microtick;
  for (let i = 1; i < memberCount; i++) {
    for (let j = 0; j < i; j++) collideEntities(robots[i]!, robots[j]!, p, restitution);
  }
  for (let i = 0; i < memberCount; i++) {
    const robot = robots[i]!;
    if (ball !== null) collideEntities(robot, ball, p, restitution);
    robot.touch = collideWithArena(robot, p);
  }
}

/** [CB-2.1] random(MIN_HIT_E, MAX_HIT_E); [CB-G7] without dice it is MAX_HIT_E. */
function restitution(a: Body, b: Body): number {
  const t = tick;
  const { p } = t;
  if (t.draws === 'none') return p.maxHitE;
  const e = drawBetween(t.state.dice, t.draws, p.minHitE, p.maxHitE);
  t.ledger?.push({ kind: 'restitution', microtick: t.hitMicrotick, a: a.id, b: b.id, e });
  return e;
}

function noteOrder(t: Tick, microtick: number): void {
  if (t.draws === 'none') return;
  orderOf(t.state.dice, t.draws, t.state.order);
  t.ledger!.push({ kind: 'order', microtick, robots: Array.from(t.state.order, (index) => index + 1) });
}

/** [CB-2.1] Robots in their order take the packs they reach. */
function takePacks(t: Tick, packs: number[]): void {
  const { p, state } = t;
  for (let k = 0; k < state.packs.length; k++) {
    if (packs[k]! > 0) continue;
    const pack = state.packs[k]!;
    for (let i = 0; i < memberCount; i++) {
      const robot = members[i]!;
      if (robot.nitro === p.maxNitro || !nearPack(robot, pack, PROOF, p)) continue;
      takePacksInOrder(t, packs);
      return;
    }
  }
}

function takePacksInOrder(t: Tick, packs: number[]): void {
  const { p, state } = t;
  const robots = takeOrder(t);
  for (let i = 0; i < memberCount; i++) {
    const robot = robots[i]!;
    if (robot.nitro === p.maxNitro) continue;
    for (let k = 0; k < state.packs.length; k++) {
      if (packs[k]! > 0) continue;
      const pack = state.packs[k]!;
      const dx = robot.x - pack.x;
      const dy = robot.y - pack.y;
      const dz = robot.z - pack.z;
      if (Math.sqrt(dx * dx + dy * dy + dz * dz) <= robot.radius + p.packRadius) {
        robot.nitro = p.maxNitro;
        packs[k] = p.packRespawnTicks;
      }
    }
  }
}
