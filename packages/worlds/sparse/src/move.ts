import { advance } from './advance.ts';
import { HAS_WEIGHT, HITS_ONCE, SENSES, Z_SUPPORTED } from './entity.ts';
import { gather, noteWithin } from './gather.ts';
import { standOnGround, stepUp } from './ground.ts';
import { HIT, SPENT } from './events.ts';
import type { Mover } from './mover.ts';
import { CHANGED, type SimRegion } from './sim-region.ts';
import { grain, MAX_ITERATIONS } from './rules.ts';
import { sense } from './sense.ts';
import { BOX } from './shapes.ts';
import { findHit } from './sweep.ts';

/**
 * `MoveEntity`, search in t ([SW-R24]): up to four times go to the nearest hit ([SW-R26]), then decide what to do about it; then the ground,
 * then what is overlapped. Hot: most bodies meet nothing.
 */
export function moveEntity(region: SimRegion, mover: Mover, row: number): void {
  const flags = region.flags[row]!;
  const dx = region.dx[row]!;
  const dy = region.dy[row]!;
  const dz = region.dz[row]!;
  if (dx !== 0 || dy !== 0 || dz !== 0 || (flags & HAS_WEIGHT) !== 0) {
    const meets = gather(region, mover, row);
    if (
      meets ||
      mover.isNearEdge ||
      region.limit[row] !== Infinity ||
      (flags & (HAS_WEIGHT | Z_SUPPORTED)) === (HAS_WEIGHT | Z_SUPPORTED)
    ) {
      moveAmong(region, mover, row);
    } else {
      const x = region.px[row]!;
      const y = region.py[row]!;
      const z = region.pz[row]!;
      keep(region, row, x + grain(dx), y + grain(dy), z + grain(dz), region.nx[row]!, region.ny[row]!, region.nz[row]!, flags);
    }
  } else keep(region, row, region.px[row]!, region.py[row]!, region.pz[row]!, region.nx[row]!, region.ny[row]!, region.nz[row]!, flags);
  if ((flags & SENSES) !== 0) sense(region, mover, row);
}

/** Writes the row's new state; it has changed if any number has. */
export function keep(
  region: SimRegion,
  row: number,
  x: number,
  y: number,
  z: number,
  vx: number,
  vy: number,
  vz: number,
  flags: number,
): void {
  const isSamePlace = region.px[row] === x && region.py[row] === y && region.pz[row] === z;
  const isSameSpeed = region.vx[row] === vx && region.vy[row] === vy && region.vz[row] === vz;
  if (isSamePlace && isSameSpeed && region.flags[row] === flags) return;
  region.changed[row] = CHANGED;
  region.px[row] = x;
  region.py[row] = y;
  region.pz[row] = z;
  region.vx[row] = vx;
  region.vy[row] = vy;
  region.vz[row] = vz;
  region.flags[row] = flags;
}

function moveAmong(region: SimRegion, mover: Mover, row: number): void {
  start(region, mover, row);
  const isDone = goThrough(region, mover, row);
  if (!isDone) for (let axis = 0; axis < 3; axis++) mover.v1[axis] = velocityOnTheWay(mover, axis);
  let flags = region.flags[row]!;
  if ((flags & HAS_WEIGHT) !== 0) flags = standOnGround(region, mover, flags);
  const { p, v1 } = mover;
  shorten(v1, region.rules.MaxEntityVelocity);
  if (mover.distance !== region.limit[row]) {
    region.limit[row] = mover.distance;
    region.changed[row] = CHANGED;
  }
  keep(region, row, p[0]!, p[1]!, p[2]!, v1[0]!, v1[1]!, v1[2]!, flags);
}

/** [SW-E26] A bounce takes the acceleration of the whole tick into its new direction: what is then too fast is shortened. */
function shorten(v: Float64Array, most: number): void {
  const speed2 = v[0]! * v[0]! + v[1]! * v[1]! + v[2]! * v[2]!;
  if (speed2 <= most * most * (1 + 1e-12)) return;
  const scale = most / Math.sqrt(speed2);
  for (let axis = 0; axis < 3; axis++) v[axis]! *= scale;
}

function start(region: SimRegion, mover: Mover, row: number): void {
  const { p, d, v0, v1, acceleration, time, gone, body } = mover;
  const { total } = region.store.shapes;
  const at = region.shape[row]! * BOX;
  p[0] = region.px[row]!;
  p[1] = region.py[row]!;
  p[2] = region.pz[row]!;
  d[0] = region.dx[row]!;
  d[1] = region.dy[row]!;
  d[2] = region.dz[row]!;
  v0[0] = region.vx[row]!;
  v0[1] = region.vy[row]!;
  v0[2] = region.vz[row]!;
  v1[0] = region.nx[row]!;
  v1[1] = region.ny[row]!;
  v1[2] = region.nz[row]!;
  for (let i = 0; i < BOX; i++) body[i] = total[at + i]!;
  for (let axis = 0; axis < 3; axis++) {
    acceleration[axis] = (v1[axis]! - v0[axis]!) / region.dt;
    time[axis] = region.dt;
    gone[axis] = 0;
  }
  mover.distance = region.limit[row]!;
  mover.landed = false;
  noteWithin(region, mover);
}

/** [SW-R29] [SW-R30] Up to four iterations. Whether the whole way was gone. */
function goThrough(region: SimRegion, mover: Mover, row: number): boolean {
  const hitsOnce = (region.flags[row]! & HITS_ONCE) !== 0;
  const standing = HAS_WEIGHT | Z_SUPPORTED;
  let canStep = (region.flags[row]! & standing) === standing;
  for (let iteration = 0; iteration < MAX_ITERATIONS; iteration++) {
    findHit(region, mover);
    advance(region, mover);
    if (mover.distance === 0) {
      if (region.limit[row] !== 0) region.events.push(SPENT, region.id[row]!, 0, 0);
      return false;
    }
    if (mover.axis < 0) return true;
    if (canStep && stepUp(region, mover)) {
      canStep = false;
      continue;
    }
    region.events.push(HIT, region.id[row]!, mover.otherId, mover.axis * 2 + (mover.d[mover.axis]! > 0 ? 0 : 1));
    if (hitsOnce && mover.other >= 0) passThrough(mover);
    else bounce(mover, mover.axis, region.restitution[row]!, region.rules.MaxEntityVelocity);
  }
  return false;
}

/** What was hit is no longer in the way. */
function passThrough(mover: Mover): void {
  const { solids, within } = mover;
  const at = solids.indexOf(mover.other);
  mover.solidCount--;
  for (let i = at; i < mover.solidCount; i++) {
    solids[i] = solids[i + 1]!;
    within[i] = within[i + 1]!;
  }
}

/**
 * [SW-R21] [SW-R22] `v' = v - (1 + restitution) (v.r) r`: 0 glides, 1 reflects. r is an axis, so only this axis changes, and it does so at the
 * moment of the hit: the velocity there follows from the way gone (`v^2 = v0^2 + 2 a s`), hence energy is kept under gravity, too. The rest of
 * the time is a new piece of the equations of motion. What comes in slower than a tick's acceleration does not bounce, unless it is elastic.
 */
function bounce(mover: Mover, axis: number, restitution: number, fastest: number): void {
  const { v0, v1, d, acceleration, time, gone } = mover;
  const a = acceleration[axis]!;
  const before = v0[axis]!;
  const s = gone[axis]!;
  const speed = Math.sqrt(Math.max(0, before * before + 2 * a * s));
  const isSlow = restitution < 1 && speed <= Math.abs(a) * time[axis]!;
  if (restitution === 0 || speed === 0 || isSlow) {
    if (axis === 2 && d[2]! < 0) mover.landed = true;
    v0[axis] = 0;
    v1[axis] = 0;
    d[axis] = 0;
    acceleration[axis] = 0;
    return;
  }
  const at = d[axis]! > 0 ? speed : -speed;
  const sum = before + at;
  const difference = at - before;
  const passed = Math.abs(sum) >= Math.abs(difference) ? (2 * s) / sum : difference / a;
  const left = Math.max(0, time[axis]! - Math.max(0, passed));
  const after = -restitution * at;
  time[axis] = left;
  gone[axis] = 0;
  v0[axis] = after;
  v1[axis] = after + a * left;
  d[axis] = Math.max(-fastest * left, Math.min(fastest * left, after * left + 0.5 * a * left * left));
}

/** The velocity of a body that has not gone its whole way, from the way gone. */
function velocityOnTheWay(mover: Mover, axis: number): number {
  const v0 = mover.v0[axis]!;
  const v1 = mover.v1[axis]!;
  const rest = Math.abs(mover.d[axis]!);
  const gone = Math.abs(mover.gone[axis]!);
  if (rest === 0) return v1;
  const speed = Math.sqrt(Math.max(0, v0 * v0 + 2 * mover.acceleration[axis]! * mover.gone[axis]!));
  const direction = gone >= rest ? v1 : v0;
  return direction < 0 ? -speed : speed;
}
