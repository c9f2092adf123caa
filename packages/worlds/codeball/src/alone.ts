/**
 * A body that meets nobody for a while runs by itself, microtick after microtick, in the loop that its situation allows. Every loop
 * performs the document's operations on the numbers that can change, in the document's order; what it leaves out provably changes nothing.
 */
import { clearance, floorZoneSlack, goalClearance } from './clearance.ts';
import { MINUS, PLUS } from './arena.ts';
import { Body } from './body.ts';
import { collideWithArena, control, move } from './motion.ts';
import type { Physics } from './physics.ts';
import { isRolling, roll, type Rolling } from './roll.ts';
import { LEAST_VELOCITY_CHANGE } from './rules.ts';

/** Room for rounding. */
const PAD = 0.001;
/** A loop for fewer microticks than this is not worth its set-up. */
const WORTHWHILE = 4;
/** Near a surface: microticks to run in full before looking again. */
const NEAR = 10;

/**
 * A bound of the body's speed for the next `microticks` without a collision with another body: ground control, nitro and gravity add
 * at most their acceleration; the arena reflects (e <= 1) or stops, and gives a jumping robot (1 + e) times its jump speed along the normal.
 * Meeting surfaces of several directions, or rebounding, a jumping robot could gain more: `runRobotAlone` checks, and gives up the bound.
 */
export function speedBound(b: Body, p: Physics, microticks: number): number {
  const speed = Math.sqrt(b.vx * b.vx + b.vy * b.vy + b.vz * b.vz);
  const gain = b.id === 0 ? p.gravity : p.gravity + p.acceleration + p.nitroAcceleration;
  return (speed + gain * p.dt * microticks + b.push * b.bounce) * (1 + 1e-9);
}

/**
 * Takes a robot that will roll on the floor for all the microticks into the list of those who roll together; false if it does anything else.
 */
export function joinRolling(rolling: Rolling, b: Body, p: Physics, microticks: number): boolean {
  if (!b.touch || nitroActs(b, p) || !isRolling(b, p) || !(b.radius < p.shape.floorZoneRadius)) return false;
  const speed = speedBound(b, p, microticks);
  const way = (speed * p.dt + p.fall) * microticks;
  floorZoneSlack(p.shape, b);
  if (!(speed < p.calmSpeed) || b.slack < way + PAD) return false;
  b.path += way;
  rolling.add(b, microticks);
  return true;
}

/** Runs a robot alone; `path` grows by a bound of the way it goes, to Infinity where there was none. */
export function runRobotAlone(b: Body, p: Physics, microticks: number): void {
  const speed = speedBound(b, p, microticks);
  const stride = speed * p.dt + p.fall;
  b.path += stride * microticks;
  // On the flat floor the bound is sure: a jump sets vy to the jump speed, whatever it was, unless the robot rebounds.
  const sure = b.push === 0 || b.bounce === 1;
  const neverClamped = sure && speed < p.calmSpeed;
  const fitsFloorZone = b.radius < p.shape.floorZoneRadius;
  for (let left = microticks; left > 0;) {
    if (neverClamped && fitsFloorZone) {
      floorZoneSlack(p.shape, b);
      const n = strides(b.slack, stride, left);
      if (n >= WORTHWHILE || n === left) {
        robotOverFloor(b, p, n);
        left -= n;
        continue;
      }
    }
    if (neverClamped && !b.touch && !nitroActs(b, p)) {
      inTheClear(b, p);
      const n = strides(b.slack, stride, left);
      if (n >= WORTHWHILE) {
        fly(b, p, n);
        left -= n;
        continue;
      }
    }
    for (let n = Math.min(left, NEAR); n > 0; n--, left--) {
      if (n === 1) rememberState(b);
      control(b, p);
      move(b, p);
      b.touch = collideWithArena(b, p);
      if (b.vx * b.vx + b.vy * b.vy + b.vz * b.vz > speed * speed) b.path = Infinity;
    }
    if (isAsRemembered(b)) return; // what changed nothing once changes nothing ever
  }
}

/** Runs the ball alone while no goal has been scored: the number of microticks run, fewer than asked if it has just crossed a goal line. */
export function runBallAlone(b: Body, p: Physics, microticks: number): number {
  const speed = speedBound(b, p, microticks);
  const stride = speed * p.dt + p.fall;
  b.path += stride * microticks;
  const neverClamped = speed < p.calmSpeed;
  const fitsFloorZone = b.radius < p.shape.floorZoneRadius;
  for (let left = microticks; left > 0;) {
    // No goal can be scored before the goal line, nor in the clear, which ends before side z.
    if (neverClamped && fitsFloorZone) {
      floorZoneSlack(p.shape, b);
      const n = strides(Math.min(b.slack, p.goalLine - Math.abs(b.z)), stride, left);
      if (n >= WORTHWHILE || n === left) {
        ballOverFloor(b, p, n);
        left -= n;
        continue;
      }
    }
    if (neverClamped && Math.abs(b.z) < p.shape.sideZ) {
      clearance(p.shape, b);
      const n = strides(b.slack, stride, left);
      if (n >= WORTHWHILE) {
        fly(b, p, n);
        left -= n;
        continue;
      }
    }
    for (let n = Math.min(left, NEAR); n > 0; n--) {
      move(b, p);
      collideWithArena(b, p);
      left--;
      if (Math.abs(b.z) > p.goalLine) return microticks - left;
    }
  }
  return microticks;
}

/** Runs the ball alone after a goal, when it cannot leave the goal. `path` grows as above. */
export function runBallInGoal(b: Body, p: Physics, microticks: number): void {
  const speed = speedBound(b, p, microticks);
  const stride = speed * p.dt + p.fall;
  b.path += stride * microticks;
  for (let left = microticks; left > 0;) {
    // In flight its vz does not change, so if that does not point out of the goal now, it will not.
    if (speed < p.calmSpeed && b.z * b.vz >= 0 && Math.abs(b.z) > p.shape.outerZ) {
      goalClearance(p.shape, b);
      const n = strides(b.slack, stride, left);
      if (n >= WORTHWHILE) {
        fly(b, p, n);
        left -= n;
        continue;
      }
    }
    for (let n = Math.min(left, NEAR); n > 0; n--, left--) {
      move(b, p);
      collideWithArena(b, p);
      keepInGoal(b);
    }
  }
}

/** [CB-G6] After a goal the ball cannot leave the goal: a velocity that points out of it is set to 0 (in recordings, in no document). */
export function keepInGoal(ball: Body): void {
  if ((ball.z > 0 && ball.vz < 0) || (ball.z < 0 && ball.vz > 0)) ball.vz = 0;
}

/** Tells a body in the air how far it is from every surface, in the field or in a goal. */
function inTheClear(b: Body, p: Physics): void {
  if (Math.abs(b.z) < p.shape.outerZ) clearance(p.shape, b);
  else goalClearance(p.shape, b);
}

const remembered = new Body();

/** All that the next microtick of a robot alone depends on. */
function rememberState(b: Body): void {
  remembered.x = b.x;
  remembered.y = b.y;
  remembered.z = b.z;
  remembered.vx = b.vx;
  remembered.vy = b.vy;
  remembered.vz = b.vz;
  remembered.nitro = b.nitro;
  remembered.touch = b.touch;
  remembered.nx = b.nx;
  remembered.ny = b.ny;
  remembered.nz = b.nz;
}

function isAsRemembered(b: Body): boolean {
  const m = remembered;
  return (
    Object.is(b.x, m.x) &&
    Object.is(b.y, m.y) &&
    Object.is(b.z, m.z) &&
    Object.is(b.vx, m.vx) &&
    Object.is(b.vy, m.vy) &&
    Object.is(b.vz, m.vz) &&
    b.nitro === m.nitro &&
    b.touch === m.touch &&
    Object.is(b.nx, m.nx) &&
    Object.is(b.ny, m.ny) &&
    Object.is(b.nz, m.nz)
  );
}

/** How many of `left` strides surely fit into the slack. */
function strides(slack: number, stride: number, left: number): number {
  const n = Math.floor((slack - PAD) / stride);
  return n >= left ? left : n;
}

/** Nitro that is (nearly) used up cannot change the velocity by more than the least change. */
function nitroActs(b: Body, p: Physics): boolean {
  return b.useNitro && b.nitro * p.nitroPoint > 0.9 * LEAST_VELOCITY_CHANGE;
}

/** Over the floor zone: only the ground can be met. */
function robotOverFloor(b: Body, p: Physics, microticks: number): void {
  const nitro = nitroActs(b, p);
  for (let left = microticks; left > 0;) {
    if (!nitro) {
      if (!b.touch) {
        left -= flyOverFloor(b, p, left);
        continue;
      }
      if (isRolling(b, p)) {
        roll(b, p, left);
        return;
      }
    }
    control(b, p);
    move(b, p);
    b.touch = b.y < b.radius && meetGround(b);
    left--;
  }
}

function ballOverFloor(b: Body, p: Physics, microticks: number): void {
  for (let left = microticks; left > 0;) left -= flyOverFloor(b, p, left);
}

/** Free fall, nothing in reach. */
function fly(b: Body, p: Physics, microticks: number): void {
  const { dt, fall, pull } = p;
  const stepX = b.vx * dt;
  const stepZ = b.vz * dt;
  let { x, y, z, vy } = b;
  for (let n = microticks; n > 0; n--) {
    x += stepX;
    y = y + vy * dt - fall;
    z += stepZ;
    vy -= pull;
  }
  b.x = x;
  b.y = y;
  b.z = z;
  b.vy = vy;
}

/** Free fall until the ground is met: the number of microticks run. Sets `touch`. */
function flyOverFloor(b: Body, p: Physics, microticks: number): number {
  const { dt, fall, pull } = p;
  const { radius } = b;
  const stepX = b.vx * dt;
  const stepZ = b.vz * dt;
  let { x, y, z, vy } = b;
  let left = microticks;
  while (left > 0) {
    x += stepX;
    y = y + vy * dt - fall;
    z += stepZ;
    vy -= pull;
    left--;
    if (y < radius) break;
  }
  b.x = x;
  b.y = y;
  b.z = z;
  b.vy = vy;
  b.touch = y < radius && meetGround(b);
  return microticks - left;
}

/** [CB-2.1] collide_with_arena where the surface is the ground. */
function meetGround(b: Body): boolean {
  const nx = (b.x < 0 ? MINUS : PLUS) * 0;
  const nz = (b.z < 0 ? MINUS : PLUS) * 0;
  const penetration = b.radius - b.y;
  b.x += nx * penetration;
  b.y += penetration;
  b.z += nz * penetration;
  b.path += penetration;
  const velocity = b.vx * nx + b.vy + b.vz * nz - b.push;
  if (!(velocity < 0)) return false;
  b.vx -= nx * b.bounce * velocity;
  b.vy -= b.bounce * velocity;
  b.vz -= nz * b.bounce * velocity;
  b.nx = nx;
  b.ny = 1;
  b.nz = nz;
  return true;
}
