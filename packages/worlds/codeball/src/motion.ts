import { Contact, touchArena } from './arena.ts';
import type { Body } from './body.ts';
import type { Physics } from './physics.ts';
import { LEAST_VELOCITY_CHANGE } from './rules.ts';

/**
 * [CB-2.1] The robot's part of `update`: its velocity strives for the target, along the surface that it touches; then nitro does the same
 * in any direction. A clamp to a length that the vector provably does not reach is left out.
 */
export function control(b: Body, p: Physics): void {
  if (b.touch) {
    const { nx, ny, nz } = b;
    const along = nx * b.groundX + ny * b.groundY + nz * b.groundZ;
    const cx = b.groundX - nx * along - b.vx;
    const cy = b.groundY - ny * along - b.vy;
    const cz = b.groundZ - nz * along - b.vz;
    const len = Math.sqrt(cx * cx + cy * cy + cz * cz);
    if (len > LEAST_VELOCITY_CHANGE) {
      const acceleration = p.acceleration * (ny > 0 ? ny : 0);
      let dx = (cx / len) * acceleration * p.dt;
      let dy = (cy / len) * acceleration * p.dt;
      let dz = (cz / len) * acceleration * p.dt;
      if (len <= p.surelyLonger) {
        const step = Math.sqrt(dx * dx + dy * dy + dz * dz);
        if (step > len) {
          dx = (dx * len) / step;
          dy = (dy * len) / step;
          dz = (dz * len) / step;
        }
      }
      b.vx += dx;
      b.vy += dy;
      b.vz += dz;
    }
  }
  if (b.useNitro) {
    let cx = b.askX - b.vx;
    let cy = b.askY - b.vy;
    let cz = b.askZ - b.vz;
    const max = b.nitro * p.nitroPoint;
    let len = Math.sqrt(cx * cx + cy * cy + cz * cz);
    if (len > max) {
      cx = (cx * max) / len;
      cy = (cy * max) / len;
      cz = (cz * max) / len;
      len = Math.sqrt(cx * cx + cy * cy + cz * cz);
    }
    if (len > LEAST_VELOCITY_CHANGE) {
      let dx = (cx / len) * p.nitroAcceleration * p.dt;
      let dy = (cy / len) * p.nitroAcceleration * p.dt;
      let dz = (cz / len) * p.nitroAcceleration * p.dt;
      let step = Math.sqrt(dx * dx + dy * dy + dz * dz);
      if (step > len) {
        dx = (dx * len) / step;
        dy = (dy * len) / step;
        dz = (dz * len) / step;
        step = Math.sqrt(dx * dx + dy * dy + dz * dz);
      }
      b.vx += dx;
      b.vy += dy;
      b.vz += dz;
      b.nitro -= step / p.nitroPoint;
    }
  }
}

/** [CB-2.1] move */
export function move(b: Body, p: Physics): void {
  let { vx, vy, vz } = b;
  const square = vx * vx + vy * vy + vz * vz;
  if (square > p.speedCheck) {
    const speed = Math.sqrt(square);
    if (speed > p.maxSpeed) {
      vx = (vx * p.maxSpeed) / speed;
      vy = (vy * p.maxSpeed) / speed;
      vz = (vz * p.maxSpeed) / speed;
      b.vx = vx;
      b.vz = vz;
    }
  }
  b.x += vx * p.dt;
  b.y = b.y + vy * p.dt - p.fall;
  b.z += vz * p.dt;
  b.vy = vy - p.pull;
  b.square = square;
}

const contact = new Contact();

/** [CB-2.1] collide_with_arena: true if the body is pushed off, with the normal in its (nx, ny, nz). */
export function collideWithArena(b: Body, p: Physics): boolean {
  if (!touchArena(p.shape, b, contact)) return false;
  const { nx, ny, nz } = contact;
  const penetration = b.radius - contact.distance;
  b.x += nx * penetration;
  b.y += ny * penetration;
  b.z += nz * penetration;
  b.path += penetration;
  const velocity = b.vx * nx + b.vy * ny + b.vz * nz - b.push;
  if (!(velocity < 0)) return false;
  b.vx -= nx * b.bounce * velocity;
  b.vy -= ny * b.bounce * velocity;
  b.vz -= nz * b.bounce * velocity;
  b.nx = nx;
  b.ny = ny;
  b.nz = nz;
  return true;
}
