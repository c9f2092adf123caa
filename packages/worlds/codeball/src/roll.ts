import { MINUS, PLUS } from './arena.ts';
import type { Body } from './body.ts';
import type { Physics } from './physics.ts';
import { LEAST_VELOCITY_CHANGE } from './rules.ts';

/**
 * Standing or rolling on the flat floor: y = radius and vy = 0 are a fixpoint. The fall takes y to radius - fall, the push adds the exact
 * difference (Sterbenz), the stop (e = 0) takes -pull to 0. It needs a fall that is not lost in rounding.
 */
export function isRolling(b: Body, p: Physics): boolean {
  return (
    b.nx === 0 &&
    b.ny === 1 &&
    b.nz === 0 &&
    b.y === b.radius &&
    b.vy === 0 &&
    b.push === 0 &&
    b.bounce === 1 &&
    b.y - p.fall < b.y &&
    b.y > 2 * p.fall
  );
}

/**
 * Rolls a robot on the floor: only x, z and their velocities change. The normal is (±0, 1, ±0), its zeros signed like the position; they
 * matter only for the signs of zeros, so the formulas keep them but for additions of zero to a number that is not zero.
 */
export function roll(b: Body, p: Physics, microticks: number): void {
  const { dt, pull } = p;
  const { groundX, groundY, groundZ } = b;
  const gain = p.acceleration; // * max(0, ny)
  const { surelyLonger } = p;
  let { x, z, vx, vz, nx, nz } = b;
  for (let left = microticks; left > 0; left--) {
    const along = nx * groundX + groundY + nz * groundZ;
    const cx = groundX - nx * along - vx;
    const cz = groundZ - nz * along - vz;
    const len = Math.sqrt(cx * cx + cz * cz);
    if (len > LEAST_VELOCITY_CHANGE) {
      let dx = (cx / len) * gain * dt;
      let dz = (cz / len) * gain * dt;
      if (len <= surelyLonger) {
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
      nx = (x < 0 ? MINUS : PLUS) * 0;
      nz = (z < 0 ? MINUS : PLUS) * 0;
      break;
    } else if (vx === 0 && vz === 0 && x !== 0 && z !== 0) {
      // At rest: nothing moves; the ground turns a velocity of -0 into 0 where the normal's zero is positive.
      nx = (x < 0 ? MINUS : PLUS) * 0;
      nz = (z < 0 ? MINUS : PLUS) * 0;
      vx -= nx * -pull;
      vz -= nz * -pull;
      break;
    }
    x += vx * dt;
    z += vz * dt;
    nx = (x < 0 ? MINUS : PLUS) * 0;
    nz = (z < 0 ? MINUS : PLUS) * 0;
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

/**
 * Two robots that accelerate towards targets without a zero in x or z, side by side: an accelerating robot is one long chain of a root and
 * a division a microtick, and two chains overlap in the processor. Without such zeros the normal's zeros cannot show, and a
 * velocity that passes through 0 is +0, which the ground leaves alone. The microticks run: fewer than asked when one nears its target.
 */
function rollTwo(a: Body, b: Body, p: Physics, microticks: number): number {
  const { dt, surelyLonger } = p;
  const gain = p.acceleration;
  const { groundX: aGroundX, groundZ: aGroundZ } = a;
  const { groundX: bGroundX, groundZ: bGroundZ } = b;
  let { x: ax, z: az, vx: avx, vz: avz } = a;
  let { x: bx, z: bz, vx: bvx, vz: bvz } = b;
  let left = microticks;
  for (; left > 0; left--) {
    const acx = aGroundX - avx;
    const acz = aGroundZ - avz;
    const bcx = bGroundX - bvx;
    const bcz = bGroundZ - bvz;
    const aLen = Math.sqrt(acx * acx + acz * acz);
    const bLen = Math.sqrt(bcx * bcx + bcz * bcz);
    if (!(aLen > surelyLonger && bLen > surelyLonger)) break;
    avx += (acx / aLen) * gain * dt;
    avz += (acz / aLen) * gain * dt;
    bvx += (bcx / bLen) * gain * dt;
    bvz += (bcz / bLen) * gain * dt;
    ax += avx * dt;
    az += avz * dt;
    bx += bvx * dt;
    bz += bvz * dt;
  }
  if (left === microticks) return 0;
  a.x = ax;
  a.z = az;
  a.vx = avx;
  a.vy = 0;
  a.vz = avz;
  a.nx = (ax < 0 ? MINUS : PLUS) * 0;
  a.nz = (az < 0 ? MINUS : PLUS) * 0;
  b.x = bx;
  b.z = bz;
  b.vx = bvx;
  b.vy = 0;
  b.vz = bvz;
  b.nx = (bx < 0 ? MINUS : PLUS) * 0;
  b.nz = (bz < 0 ? MINUS : PLUS) * 0;
  return microticks - left;
}

/** Robots that roll for the same time, each with the microticks it still has to go. */
export class Rolling {
  private count = 0;
  private readonly robots: Body[] = [];
  private readonly left: number[] = [];

  add(b: Body, microticks: number): void {
    this.robots[this.count] = b;
    this.left[this.count++] = microticks;
  }

  /** Rolls them all to the end: two by two as long as both accelerate, else one by one. */
  run(p: Physics): void {
    while (this.count > 0) {
      const i = --this.count;
      const a = this.robots[i]!;
      if (i > 0 && isPlain(a, p)) {
        const b = this.robots[i - 1]!;
        if (isPlain(b, p)) {
          const n = rollTwo(a, b, p, Math.min(this.left[i]!, this.left[i - 1]!));
          if (n > 0) {
            this.left[i]! -= n;
            this.left[i - 1]! -= n;
            this.count++;
            this.dropFinished();
            continue;
          }
        }
        // `a` waits for another partner behind the one that has to go on by itself.
        this.robots[i - 1] = a;
        roll(b, p, this.left[i - 1]!);
        this.left[i - 1] = this.left[i]!;
        continue;
      }
      roll(a, p, this.left[i]!);
    }
  }

  /** The two last ones have come as far as the first of them: who has nothing left to go leaves. */
  private dropFinished(): void {
    const i = this.count - 1;
    const { robots, left } = this;
    if (left[i - 1] === 0) {
      robots[i - 1] = robots[i]!;
      left[i - 1] = left[i]!;
      this.count--;
      if (left[i - 1] === 0) this.count--;
    } else if (left[i] === 0) this.count--;
  }
}

const TINY = 1e-200;
const LEAST_GAIN = 1e-90;

/** Far from its target velocity, and that without a zero, nor anything so small that a change towards it could vanish. */
function isPlain(b: Body, p: Physics): boolean {
  const cx = b.groundX - b.vx;
  const cz = b.groundZ - b.vz;
  return (
    p.acceleration * p.dt > LEAST_GAIN &&
    Math.abs(b.groundX) > TINY &&
    Math.abs(b.groundZ) > TINY &&
    cx * cx + cz * cz > 4 * p.surelyLonger * p.surelyLonger
  );
}
