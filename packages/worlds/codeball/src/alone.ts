/**
 * A body that meets nobody for a while runs by itself, microtick after microtick, in the loop that its situation allows. Every loop
 * performs the document's operations on the numbers that can change, in the document's order; what it leaves out provably changes nothing.
 */
import { clearance, floorZoneSlack } from './arena.ts';
import type { Body } from './body.ts';
import { collideWithArena, control, move } from './motion.ts';
import type { Physics } from './physics.ts';
import { LEAST_VELOCITY_CHANGE } from './rules.ts';

/** Room for rounding. */
const PAD = 0.001;
/** A loop for fewer microticks than this is not worth its set-up. */
const WORTHWHILE = 4;
/** Near a surface: microticks to run in full before looking again. */
const NEAR = 6;

/**
 * A bound of the body's speed for the next `microticks` without a collision with another body: ground control, nitro and gravity add
 * at most their acceleration; the arena reflects (e <= 1) or stops, and gives a jumping robot its jump speed along the normal. Meeting
 * walls of several directions a jumping robot could gain more: the loops check, and give up the bound where it is passed.
 */
export function speedBound(b: Body, p: Physics, microticks: number): number {
  const speed = Math.sqrt(b.vx * b.vx + b.vy * b.vy + b.vz * b.vz);
  const gain = b.id === 0 ? p.gravity : p.gravity + p.acceleration + p.nitroAcceleration;
  return (speed + gain * p.dt * microticks + b.push) * (1 + 1e-9);
}

/** Runs a robot alone; `path` grows by a bound of the way it goes, to Infinity where there was none. */
export function runRobotAlone(b: Body, p: Physics, microticks: number): void {
  const speed = speedBound(b, p, microticks);
  const stride = speed * p.dt + p.fall;
  b.path += stride * microticks;
  const neverClamped = speed < p.calmSpeed;
  const fitsFloorZone = b.radius < p.shape.floorZoneRadius;
  for (let left = microticks; left > 0; ) {
    if (neverClamped && fitsFloorZone) {
      const n = strides(floorZoneSlack(p.shape, b), stride, left);
      if (n >= WORTHWHILE || n === left) {
        robotOverFloor(b, p, n);
        left -= n;
        continue;
      }
    }
    if (neverClamped && !b.touch && !nitroActs(b, p)) {
      const n = strides(clearance(p.shape, b) - b.radius, stride, left);
      if (n >= WORTHWHILE) {
        fly(b, p, n);
        left -= n;
        continue;
      }
    }
    for (let n = Math.min(left, NEAR); n > 0; n--, left--) {
      control(b, p);
      move(b, p);
      b.touch = collideWithArena(b, p);
    }
    if (b.vx * b.vx + b.vy * b.vy + b.vz * b.vz > speed * speed) b.path = Infinity;
  }
}

/** Runs the ball alone while no goal has been scored: the number of microticks run, fewer than asked if it has just crossed a goal line. */
export function runBallAlone(b: Body, p: Physics, microticks: number): number {
  const speed = speedBound(b, p, microticks);
  const stride = speed * p.dt + p.fall;
  b.path += stride * microticks;
  const neverClamped = speed < p.calmSpeed;
  const fitsFloorZone = b.radius < p.shape.floorZoneRadius;
  for (let left = microticks; left > 0; ) {
    // No goal can be scored in the floor zone nor in the clear: both end before side z, the goal line lies behind it.
    if (neverClamped && fitsFloorZone) {
      const n = strides(floorZoneSlack(p.shape, b), stride, left);
      if (n >= WORTHWHILE || n === left) {
        ballOverFloor(b, p, n);
        left -= n;
        continue;
      }
    }
    if (neverClamped) {
      const n = strides(clearance(p.shape, b) - b.radius, stride, left);
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
  for (let left = microticks; left > 0; ) {
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
  for (let left = microticks; left > 0; ) left -= flyOverFloor(b, p, left);
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
  const nx = b.x < 0 ? -0 : 0;
  const nz = b.z < 0 ? -0 : 0;
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

/**
 * Standing or rolling on the flat floor: y = radius and vy = 0 are a fixpoint. The fall takes y to radius - fall, the push adds the exact
 * difference (Sterbenz), the stop (e = 0) takes -pull to 0. It needs a fall that is not lost in rounding.
 */
function isRolling(b: Body, p: Physics): boolean {
  return (
    b.nx === 0 && b.ny === 1 && b.nz === 0 && b.y === b.radius && b.vy === 0 && b.push === 0 && b.bounce === 1 && b.y - p.fall < b.y && b.y > 2 * p.fall
  );
}

/**
 * `roll`: only x, z and their velocities change. The normal is (±0, 1, ±0), its zeros signed like the position; they matter only
 * for the signs of zeros, so the formulas keep them but for additions of zero to a number that is not zero.
 */
function roll(b: Body, p: Physics, microticks: number): void {
  const { dt, pull } = p;
  const { groundX, groundY, groundZ } = b;
  const gain = p.acceleration; // * max(0, ny)
  const surelyLonger = gain * dt * (1 + 1e-12);
  let { x, z, vx, vz, nx, nz } = b;
  for (let left = microticks; left > 0; left--) {
    const along = nx * groundX + groundY + nz * groundZ;
    const cx = groundX - nx * along - vx;
    const cz = groundZ - nz * along - vz;
    const len = Math.sqrt(cx * cx + cz * cz);
    if (len > LEAST_VELOCITY_CHANGE) {
      let dx = (cx / len) * gain * dt;
      let dz = (cz / len) * gain * dt;
      if (surelyLonger >= len) {
        const step = Math.sqrt(dx * dx + dz * dz);
        if (step > len) {
          dx = (dx * len) / step;
          dz = (dz * len) / step;
        }
      }
      vx += dx;
      vz += dz;
    } else if (vx !== 0 && vz !== 0) {
      // At its target velocity, which no longer changes: neither by control nor by the ground.
      const stepX = vx * dt;
      const stepZ = vz * dt;
      for (; left > 0; left--) {
        x += stepX;
        z += stepZ;
      }
      nx = x < 0 ? -0 : 0;
      nz = z < 0 ? -0 : 0;
      break;
    } else if (vx === 0 && vz === 0 && x !== 0 && z !== 0) {
      // At rest: nothing moves; the ground turns a velocity of -0 into 0 where the normal's zero is positive.
      nx = x < 0 ? -0 : 0;
      nz = z < 0 ? -0 : 0;
      vx -= nx * -pull;
      vz -= nz * -pull;
      break;
    }
    x += vx * dt;
    z += vz * dt;
    nx = x < 0 ? -0 : 0;
    nz = z < 0 ? -0 : 0;
    if (vx === 0) vx -= nx * -pull;
    if (vz === 0) vz -= nz * -pull;
  }
  b.x = x;
  b.z = z;
  b.vx = vx;
  b.vy = 0;
  b.vz = vz;
  b.nx = nx;
  b.nz = nz;
}
