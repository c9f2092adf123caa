import type { LedgerEntry, WorldEvent } from '@lockstep/kernel';
import type { Action } from './action.ts';
import { Body, loadBall, loadRobot, storeBall, storeRobot } from './body.ts';
import { collideEntities } from './collide.ts';
import { drawBetween, endMicroticks, shuffle, startMicrotick } from './draws.ts';
import { kickOff } from './kickoff.ts';
import { collideWithArena, control, move } from './motion.ts';
import { physicsOf } from './physics.ts';
import type { State } from './state.ts';

/** [CB-2.1] tick: the microticks, then the packs, then what follows a goal. */
export function step(state: State, actions: readonly Action[], events: WorldEvent[], ledger?: LedgerEntry[]): void {
  noteCrashes(state, actions, events);
  const scored = simulate(state, actions, ledger);
  state.tick++;
  respawnPacks(state);
  if (scored >= 0) score(state, scored, events);
  if (state.resetTicks > 0 && --state.resetTicks === 0) {
    kickOff(state, ledger);
    events.push({ kind: 'kickoff' });
  }
}

function noteCrashes(state: State, actions: readonly Action[], events: WorldEvent[]): void {
  if (actions[0]!.crashed && !state.crashedA) {
    state.crashedA = true;
    events.push({ kind: 'crash', seat: 0 });
  }
  if (actions[1]!.crashed && !state.crashedB) {
    state.crashedB = true;
    events.push({ kind: 'crash', seat: 1 });
  }
}

function respawnPacks(state: State): void {
  for (const pack of state.packs) if (pack.respawnTicks > 0) pack.respawnTicks--;
}

function score(state: State, seat: number, events: WorldEvent[]): void {
  if (seat === 0) state.scoreA++;
  else state.scoreB++;
  state.resetTicks = state.config.rules.RESET_TICKS;
  events.push({ kind: 'goal', seat });
}

const bodies: Body[] = [];

/** Runs the microticks; the seat that scored in them, or -1. */
function simulate(state: State, actions: readonly Action[], ledger?: LedgerEntry[]): number {
  const { config, order, dice, packs } = state;
  const p = physicsOf(config);
  const count = state.robots.length;
  while (bodies.length <= count) bodies.push(new Body());
  const ball = bodies[0]!;
  loadBall(ball, state, p.ballBounce);
  for (let i = 0; i < count; i++) loadRobot(bodies[i + 1]!, state, i, actions[i < count / 2 ? 0 : 1]!, p.robotBounce);
  let microtick = 0;
  let scored = -1;
  const restitution = (a: Body, b: Body): number => {
    if (config.draws === 'none') return p.maxHitE;
    const e = drawBetween(dice, config.draws, p.minHitE, p.maxHitE);
    ledger?.push({ kind: 'restitution', microtick, a: a.id, b: b.id, e });
    return e;
  };
  for (; microtick < p.microticks; microtick++) {
    startMicrotick(dice, config.draws, state.tick * p.microticks + microtick);
    shuffle(dice, config.draws, order);
    if (config.draws !== 'none') ledger?.push({ kind: 'order', microtick, robots: Array.from(order, (index) => index + 1) });
    for (let i = 0; i < count; i++) {
      const robot = bodies[order[i]! + 1]!;
      control(robot, p);
      move(robot, p);
    }
    move(ball, p);
    for (let i = 1; i < count; i++) {
      for (let j = 0; j < i; j++) collideEntities(bodies[order[i]! + 1]!, bodies[order[j]! + 1]!, p.kRobotRobot, p.kRobotRobot, restitution);
    }
    for (let i = 0; i < count; i++) {
      const robot = bodies[order[i]! + 1]!;
      collideEntities(robot, ball, p.kRobotBall, p.kBallRobot, restitution);
      robot.touch = collideWithArena(robot, p);
    }
    collideWithArena(ball, p);
    if (state.resetTicks > 0 || scored >= 0) keepInGoal(ball);
    else if (Math.abs(ball.z) > p.goalLine) scored = ball.z > 0 ? 0 : 1;
    for (let i = 0; i < count; i++) {
      const robot = bodies[order[i]! + 1]!;
      if (robot.nitro === p.maxNitro) continue;
      for (const pack of packs) {
        if (pack.respawnTicks > 0) continue;
        const dx = robot.x - pack.x;
        const dy = robot.y - pack.y;
        const dz = robot.z - pack.z;
        if (Math.sqrt(dx * dx + dy * dy + dz * dz) <= robot.radius + p.packRadius) {
          robot.nitro = p.maxNitro;
          pack.respawnTicks = p.packRespawnTicks;
        }
      }
    }
  }
  endMicroticks(dice, config.draws);
  storeBall(ball, state);
  for (let i = 0; i < count; i++) storeRobot(bodies[i + 1]!, state, i);
  return scored;
}

/** [CB-G6] After a goal the ball cannot leave the goal: a velocity that points out of it is set to 0 (in recordings, in no document). */
function keepInGoal(ball: Body): void {
  if ((ball.z > 0 && ball.vz < 0) || (ball.z < 0 && ball.vz > 0)) ball.vz = 0;
}
