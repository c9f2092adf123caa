import { HAS_WEIGHT, UNIT_MAX_ACCEL, Z_SUPPORTED } from './entity.ts';
import { OWN, type SimRegion } from './sim-region.ts';

/**
 * [SW-R20] `p' = a/2 t^2 + v t + p`, `v' = a t + v`: the way of this tick and the velocity at its end, for every body that this region moves. The
 * acceleration is wish * speed - drag * velocity (not along z) and gravity on what nothing supports.
 */
export function integrate(region: SimRegion): void {
  const { bodies, bodyCount } = region.surroundings;
  const { vx, vy, vz, dx, dy, dz, nx, ny, nz, dt, flags } = region;
  const { Gravity, MaxEntityVelocity } = region.rules;
  const half = 0.5 * dt * dt;
  for (let i = 0; i < bodyCount; i++) {
    const row = bodies[i]!;
    if (region.role[row] !== OWN) {
      stand(region, row);
      continue;
    }
    const flag = flags[row]!;
    const u = vx[row]!;
    const v = vy[row]!;
    const w = vz[row]!;
    let ax = region.wishX[row]!;
    let ay = region.wishY[row]!;
    let az = region.wishZ[row]!;
    const wish2 = ax * ax + ay * ay + az * az;
    if ((flag & UNIT_MAX_ACCEL) !== 0 && wish2 > 1) {
      const length = Math.sqrt(wish2);
      ax /= length;
      ay /= length;
      az /= length;
    }
    const speed = region.speed[row]!;
    const drag = region.drag[row]!;
    ax = ax * speed - drag * u;
    ay = ay * speed - drag * v;
    az *= speed;
    if ((flag & HAS_WEIGHT) !== 0 && (flag & Z_SUPPORTED) === 0) az += Gravity;
    const endX = u + ax * dt;
    const endY = v + ay * dt;
    const endZ = w + az * dt;
    const speed2 = endX * endX + endY * endY + endZ * endZ;
    if (speed2 <= MaxEntityVelocity * MaxEntityVelocity) {
      dx[row] = half * ax + u * dt;
      dy[row] = half * ay + v * dt;
      dz[row] = half * az + w * dt;
      nx[row] = endX;
      ny[row] = endY;
      nz[row] = endZ;
    } else {
      // [SW-E26] "enforce limits … and clamp velocity, never assert": the way is then that of the mean velocity
      const scale = MaxEntityVelocity / Math.sqrt(speed2);
      nx[row] = endX * scale;
      ny[row] = endY * scale;
      nz[row] = endZ * scale;
      dx[row] = 0.5 * (u + nx[row]) * dt;
      dy[row] = 0.5 * (v + ny[row]) * dt;
      dz[row] = 0.5 * (w + nz[row]) * dt;
    }
    boundWay(region, row, u, v, w);
  }
}

/** Who does not move in this tick stays where it is. */
function stand(region: SimRegion, row: number): void {
  region.dx[row] = 0;
  region.dy[row] = 0;
  region.dz[row] = 0;
  region.nx[row] = region.vx[row]!;
  region.ny[row] = region.vy[row]!;
  region.nz[row] = region.vz[row]!;
  region.wayX[row] = 0;
  region.wayY[row] = 0;
  region.wayZ[row] = 0;
}

/** Sets the bounds of the body's way. Along z ramps and steps may lift it, and one that stood is put down by up to a step. */
function boundWay(region: SimRegion, row: number, u: number, v: number, w: number): void {
  const { rules, dt } = region;
  const fastest = rules.MaxEntityVelocity;
  region.wayX[row] = wayOf(u, region.nx[row]!, fastest) * dt + rules.Skin;
  region.wayY[row] = wayOf(v, region.ny[row]!, fastest) * dt + rules.Skin;
  region.wayZ[row] = wayOf(w, region.nz[row]!, fastest) * dt + rules.Skin;
  if ((region.flags[row]! & HAS_WEIGHT) === 0) return;
  const lift = region.surroundings.hasStairs ? fastest * dt : region.wayZ[row];
  region.wayZ[row] = lift + 2 * rules.StepHeight + 4 * rules.Skin;
}

/** It is never faster than at one end of the tick plus what it gains. */
function wayOf(v: number, end: number, fastest: number): number {
  return Math.min(Math.max(Math.abs(v), Math.abs(end)) + Math.abs(end - v), fastest);
}
