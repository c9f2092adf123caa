/** Bodies that may meet run together, as the document has it: microtick by microtick, everybody through every phase. */
import type { LedgerEntry } from '@lockstep/kernel';
import { keepInGoal } from './alone.ts';
import type { Body } from './body.ts';
import { collideEntities } from './collide.ts';
import { advanceOrder, drawBetween, orderOf, startMicrotick } from './draws.ts';
import { collideWithArena, control, move } from './motion.ts';
import type { Physics } from './physics.ts';
import type { NitroPack, State } from './state.ts';

/** Room for the rounding of a few sums of distances. */
export const HAIR = 1e-6;

/** Everything a tick works on; filled anew each tick, so nothing of one game reaches another. */
export class Tick {
  p!: Physics;
  state!: State;
  draws: State['config']['draws'] = 'none';
  ledger: LedgerEntry[] | undefined;
  /** bodies[0] is the ball, bodies[id] a robot. */
  readonly bodies: Body[] = [];
  count = 0;
  /** Who runs together in this block. */
  readonly grouped: boolean[] = [];
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

/** The robots of the group by id, and in the order of the microtick. */
const members: Body[] = [];
const inOrder: Body[] = [];
let memberCount = 0;
/** The tick that they run in: restitution is asked for from deep inside. */
let running: Tick;

/** [CB-2.1] update, for the group, n times. */
export function runTogether(t: Tick, n: number): void {
  const { bodies, count, p, state, draws, packs, grouped } = t;
  const { dice, order } = state;
  const ball = grouped[0] ? bodies[0]! : null;
  bodies[0]!.fastest = 0;
  running = t;
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
    if (ball !== null && within(a, ball, HAIR)) return true;
    for (let j = 0; j < i; j++) if (within(a, members[j]!, HAIR)) return true;
  }
  return false;
}

/** The group's robots, `memberCount` of them, in the order of this microtick. */
function takeOrder(t: Tick): Body[] {
  const { state, draws, bodies, grouped } = t;
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
  const t = running;
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
      if (robot.nitro === p.maxNitro || !nearPack(robot, pack, HAIR, p)) continue;
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

/** Nearer to each other than touching and a gap. */
export function within(a: Body, b: Body, gap: number): boolean {
  const dx = a.x - b.x;
  const dy = a.y - b.y;
  const dz = a.z - b.z;
  const distance = a.radius + b.radius + gap;
  return dx * dx + dy * dy + dz * dz < distance * distance;
}

/** Nearer to a pack than touching and a gap. */
export function nearPack(b: Body, pack: NitroPack, gap: number, p: Physics): boolean {
  const distance = b.radius + p.packRadius + gap;
  const dx = b.x - pack.x;
  const dy = b.y - pack.y;
  const dz = b.z - pack.z;
  return dx * dx + dy * dy + dz * dz < distance * distance;
}

/** [CB-1.4] The ball is behind a goal line: player 1 scores at z > 0. */
export function noteGoal(t: Tick, ball: Body): void {
  t.scored = ball.z > 0 ? 0 : 1;
}
