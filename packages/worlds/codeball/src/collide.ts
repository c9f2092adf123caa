import type { Body } from './body.ts';
import type { Physics } from './physics.ts';

/** The restitution of a hit: MIN_HIT_E..MAX_HIT_E, drawn only when it is needed. */
export type Restitution = (a: Body, b: Body) => number;

/** [CB-2.1] collide_entities: push two bodies apart, then exchange an impulse along the normal. `a` is a robot; `b` a robot or the ball. */
export function collideEntities(a: Body, b: Body, p: Physics, restitution: Restitution): void {
  const dx = b.x - a.x;
  const dy = b.y - a.y;
  const dz = b.z - a.z;
  const square = dx * dx + dy * dy + dz * dz;
  const reach = a.radius + b.radius;
  if (square > reach * reach * APART) return; // then sqrt(square) > reach, whatever the rounding
  const distance = Math.sqrt(square);
  const penetration = reach - distance;
  if (!(penetration > 0)) return;
  const kA = b.id === 0 ? p.kRobotBall : p.kRobotRobot;
  const kB = b.id === 0 ? p.kBallRobot : p.kRobotRobot;
  // SPEC-GAP CB-G10: two centres on the same point have no normal; it points up.
  const nx = distance === 0 ? 0 : dx / distance;
  const ny = distance === 0 ? 1 : dy / distance;
  const nz = distance === 0 ? 0 : dz / distance;
  a.x -= nx * penetration * kA;
  a.y -= ny * penetration * kA;
  a.z -= nz * penetration * kA;
  b.x += nx * penetration * kB;
  b.y += ny * penetration * kB;
  b.z += nz * penetration * kB;
  a.path += penetration;
  b.path += penetration;
  const closing = (b.vx - a.vx) * nx + (b.vy - a.vy) * ny + (b.vz - a.vz) * nz - b.push - a.push;
  if (!(closing < 0)) return;
  const impulse = (1 + restitution(a, b)) * closing;
  const ix = nx * impulse;
  const iy = ny * impulse;
  const iz = nz * impulse;
  a.vx += ix * kA;
  a.vy += iy * kA;
  a.vz += iz * kA;
  b.vx -= ix * kB;
  b.vy -= iy * kB;
  b.vz -= iz * kB;
}

const APART = 1 + 1e-9;
