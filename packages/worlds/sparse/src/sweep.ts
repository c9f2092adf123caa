import type { Mover } from './mover.ts';
import { GRAIN, MAX_CHUNK, MIN_CHUNK, REGION_REACH } from './rules.ts';
import type { SimRegion } from './sim-region.ts';
import { BOX } from './shapes.ts';
import { coveredAt } from './spaces.ts';

/**
 * [SW-R26] When do we hit? Search in t: `P(t) = P0 + tD` against every volume that may be in the way ([SW-R35] [SW-E8] tMin, the nearest entry), then
 * against the end of the Spaces (tMax), then the world's edge. The answer is in mover.t, axis, other.
 */
export function findHit(region: SimRegion, mover: Mover): void {
  const { d } = mover;
  mover.t = 1;
  mover.axis = -1;
  mover.other = -1;
  mover.otherId = 0;
  const length = Math.sqrt(d[0]! * d[0]! + d[1]! * d[1]! + d[2]! * d[2]!);
  if (length > mover.distance) mover.t = mover.distance / length;
  for (let i = 0; i < mover.solidCount; i++) eachPair(region, mover, mover.solids[i]!, mover.within[i]! ? blockDeeper : sweep);
  if (mover.isConfined) stopAtSpaces(mover);
  if (mover.isNearEdge) stopAtEdge(mover);
}

type PairTest = (
  region: SimRegion,
  mover: Mover,
  other: number,
  minX: number,
  minY: number,
  minZ: number,
  maxX: number,
  maxY: number,
  maxZ: number,
) => boolean;

/**
 * [SW-R31] [SW-R32] [SW-R33] Every volume of the body with every volume of the other, as one point and one box: the Minkowski sum, whose corners are the
 * places of the body at which the two touch ([SW-R37] [SW-E6]: `Rel` is then MinCorner or MaxCorner, not 0). Ends early when a test says true.
 */
function eachPair(region: SimRegion, mover: Mover, other: number, test: PairTest): boolean {
  const { first, volumes, total } = region.store.shapes;
  const x = region.px[other]!;
  const y = region.py[other]!;
  const z = region.pz[other]!;
  const mine = region.shape[mover.row]!;
  const theirs = region.shape[other]!;
  const isOneEach = first[mine]! + 1 === first[mine + 1] && first[theirs]! + 1 === first[theirs + 1];
  if (isOneEach) {
    const { body } = mover;
    const b = theirs * BOX;
    return test(
      region,
      mover,
      other,
      x + total[b]! - body[3]!,
      y + total[b + 1]! - body[4]!,
      z + total[b + 2]! - body[5]!,
      x + total[b + 3]! - body[0]!,
      y + total[b + 4]! - body[1]!,
      z + total[b + 5]! - body[2]!,
    );
  }
  for (let m = first[mine]!; m < first[mine + 1]!; m++) {
    for (let n = first[theirs]!; n < first[theirs + 1]!; n++) {
      const a = m * BOX;
      const b = n * BOX;
      const done = test(
        region,
        mover,
        other,
        x + volumes[b]! - volumes[a + 3]!,
        y + volumes[b + 1]! - volumes[a + 4]!,
        z + volumes[b + 2]! - volumes[a + 5]!,
        x + volumes[b + 3]! - volumes[a]!,
        y + volumes[b + 4]! - volumes[a + 1]!,
        z + volumes[b + 5]! - volumes[a + 2]!,
      );
      if (done) return true;
    }
  }
  return false;
}

/**
 * [SW-R23] [SW-R27] [SW-R38] [SW-E13] The six faces of a box, two an axis: the body is in the box from the last of the three entries to the first of the
 * three exits. [SW-E12] Touching is not hitting; [SW-E10] a face is hit from outside only. Of equal moments a face counts before an
 * edge, then the first axis, then the smaller id: the order of the tests does not matter, and the seam between two tiles catches nobody.
 */
function sweep(
  region: SimRegion,
  mover: Mover,
  other: number,
  minX: number,
  minY: number,
  minZ: number,
  maxX: number,
  maxY: number,
  maxZ: number,
): boolean {
  const { p, d } = mover;
  const dx = d[0]!;
  const dy = d[1]!;
  const dz = d[2]!;
  let enter = -Infinity;
  let exit = Infinity;
  let axis = 0;
  let isEdge = false;
  if (dx === 0) {
    if (p[0]! <= minX || p[0]! >= maxX) return false;
  } else {
    enter = ((dx > 0 ? minX : maxX) - p[0]!) / dx;
    exit = ((dx > 0 ? maxX : minX) - p[0]!) / dx;
  }
  if (dy === 0) {
    if (p[1]! <= minY || p[1]! >= maxY) return false;
  } else {
    const t = ((dy > 0 ? minY : maxY) - p[1]!) / dy;
    isEdge = t === enter;
    if (t > enter) {
      enter = t;
      axis = 1;
    }
    exit = Math.min(exit, ((dy > 0 ? maxY : minY) - p[1]!) / dy);
  }
  if (dz === 0) {
    if (p[2]! <= minZ || p[2]! >= maxZ) return false;
  } else {
    const t = ((dz > 0 ? minZ : maxZ) - p[2]!) / dz;
    isEdge = t === enter || (isEdge && t < enter);
    if (t > enter) {
      enter = t;
      axis = 2;
    }
    exit = Math.min(exit, ((dz > 0 ? maxZ : minZ) - p[2]!) / dz);
  }
  if (enter < 0 || enter >= exit || enter > mover.t) return false;
  note(region, mover, enter, isEdge, axis, other);
  return false;
}

function note(region: SimRegion, mover: Mover, t: number, isEdge: boolean, axis: number, other: number): void {
  const id = region.id[other]!;
  if (t === mover.t && mover.axis >= 0) {
    if (isEdge !== mover.isEdge) {
      if (isEdge) return;
    } else if (axis > mover.axis || (axis === mover.axis && id >= mover.otherId)) return;
  }
  mover.t = t;
  mover.isEdge = isEdge;
  mover.axis = axis;
  mover.other = other;
  mover.otherId = id;
}

/** [SW-E10] [SW-E11] A body that is inside already may leave, through the nearest face, but not go deeper. */
const blockDeeper: PairTest = (region, mover, other, minX, minY, minZ, maxX, maxY, maxZ) => {
  const { p, d } = mover;
  const x = p[0]!;
  const y = p[1]!;
  const z = p[2]!;
  if (x <= minX || x >= maxX || y <= minY || y >= maxY || z <= minZ || z >= maxZ) {
    return sweep(region, mover, other, minX, minY, minZ, maxX, maxY, maxZ);
  }
  const axis = shallowest(p, minX, minY, minZ, maxX, maxY, maxZ);
  const low = [minX, minY, minZ][axis]!;
  const high = [maxX, maxY, maxZ][axis]!;
  const isNearLow = p[axis]! - low <= high - p[axis]!;
  if (isNearLow ? d[axis]! > 0 : d[axis]! < 0) note(region, mover, 0, false, axis, other);
  return false;
};

/** The axis along which the way out is shortest. */
export function shallowest(p: Float64Array, minX: number, minY: number, minZ: number, maxX: number, maxY: number, maxZ: number): number {
  const x = Math.min(p[0]! - minX, maxX - p[0]!);
  const y = Math.min(p[1]! - minY, maxY - p[1]!);
  const z = Math.min(p[2]! - minZ, maxZ - p[2]!);
  return x <= y && x <= z ? 0 : y <= z ? 1 : 2;
}

/** [SW-R35] tMax: the nearer of a solid and the end of the Spaces stops the body. */
function stopAtSpaces(mover: Mover): void {
  const { spaceLimit } = mover;
  placeBox(mover, mover.p);
  spaceLimit.find(mover.spaces, mover.spaceCount, mover.box, mover.d);
  if (spaceLimit.tMax >= mover.t) return;
  mover.t = spaceLimit.tMax;
  mover.axis = spaceLimit.axis;
  mover.other = -1;
  mover.otherId = 0;
}

/** Where the world ends, if that is near. */
export function noteEdge(region: SimRegion, mover: Mover): void {
  const { rules, originX, originY, originZ } = region;
  const { edge } = mover;
  edge[0] = (MIN_CHUNK - originX - 0.5) * rules.ChunkDimX;
  edge[1] = (MIN_CHUNK - originY - 0.5) * rules.ChunkDimY;
  edge[2] = (MIN_CHUNK - originZ - 0.5) * rules.ChunkDimZ;
  edge[3] = (MAX_CHUNK - originX + 0.5) * rules.ChunkDimX - GRAIN;
  edge[4] = (MAX_CHUNK - originY + 0.5) * rules.ChunkDimY - GRAIN;
  edge[5] = (MAX_CHUNK - originZ + 0.5) * rules.ChunkDimZ - GRAIN;
  mover.isNearEdge = edge.some((end) => Math.abs(end) < REGION_REACH);
}

function stopAtEdge(mover: Mover): void {
  const { p, d, edge } = mover;
  for (let axis = 0; axis < 3; axis++) {
    if (d[axis] === 0) continue;
    const t = Math.max(0, (edge[d[axis]! > 0 ? axis + 3 : axis]! - p[axis]!) / d[axis]!);
    if (t >= mover.t) continue;
    mover.t = t;
    mover.axis = axis;
    mover.other = -1;
    mover.otherId = 0;
  }
}

export function placeBox(mover: Mover, at: Float64Array): void {
  const { box, body } = mover;
  for (let axis = 0; axis < 3; axis++) {
    box[axis] = at[axis]! + body[axis]!;
    box[axis + 3] = at[axis]! + body[axis + 3]!;
  }
}

/**
 * Whether the body may be at q: in no solid that it is not in already, inside the Spaces, inside the world. All numbers are whole grains, so
 * this is exact, and a body that starts in a legal place ends in one, whatever the rounding of t. If not, mover.axis says what is in the way.
 */
export function isLegal(region: SimRegion, mover: Mover): boolean {
  for (let i = 0; i < mover.solidCount; i++) {
    if (mover.within[i]! || !eachPair(region, mover, mover.solids[i]!, overlapsAtQ)) continue;
    mover.other = mover.solids[i]!;
    mover.otherId = region.id[mover.other]!;
    return false;
  }
  if (mover.isConfined) {
    placeBox(mover, mover.q);
    if (!coveredAt(mover.spaces, mover.spaceCount, mover.box, 0, 0, 0)) return leadsOut(mover);
  }
  if (mover.isNearEdge) {
    for (let axis = 0; axis < 3; axis++) {
      if (mover.q[axis]! >= mover.edge[axis]! && mover.q[axis]! <= mover.edge[axis + 3]!) continue;
      mover.axis = axis;
      return false;
    }
  }
  return true;
}

const overlapsAtQ: PairTest = (_region, mover, _other, minX, minY, minZ, maxX, maxY, maxZ) => {
  const { q, d } = mover;
  if (q[0]! <= minX || q[0]! >= maxX || q[1]! <= minY || q[1]! >= maxY || q[2]! <= minZ || q[2]! >= maxZ) return false;
  const axis = shallowest(q, minX, minY, minZ, maxX, maxY, maxZ);
  mover.axis = d[axis] === 0 ? (d[0] === 0 ? (d[1] === 0 ? 2 : 1) : 0) : axis;
  return true;
};

/** Sets the axis that alone already leads out of the Spaces. */
function leadsOut(mover: Mover): false {
  const { p, q, d } = mover;
  placeBox(mover, p);
  mover.axis = -1;
  for (let axis = 0; axis < 3; axis++) {
    if (d[axis] === 0) continue;
    const step = (other: number): number => (other === axis ? q[axis]! - p[axis]! : 0);
    const isIn = coveredAt(mover.spaces, mover.spaceCount, mover.box, step(0), step(1), step(2));
    if (mover.axis < 0 || !isIn) mover.axis = axis;
    if (!isIn) break;
  }
  mover.other = -1;
  mover.otherId = 0;
  return false;
}

/** Whether the body at p overlaps the other, touching aside. */
export function overlaps(region: SimRegion, mover: Mover, other: number): boolean {
  return eachPair(region, mover, other, overlapsAtP);
}

const overlapsAtP: PairTest = (_region, mover, _other, minX, minY, minZ, maxX, maxY, maxZ) => {
  const { p } = mover;
  return p[0]! > minX && p[0]! < maxX && p[1]! > minY && p[1]! < maxY && p[2]! > minZ && p[2]! < maxZ;
};

/** [SW-R28] [SW-R34] [SW-E5] Overlap as queries see it: |Rel| is at most half the Minkowski diameter on every axis; touching counts. */
export function touches(region: SimRegion, mover: Mover, other: number): boolean {
  return eachPair(region, mover, other, touchesAtP);
}

const touchesAtP: PairTest = (_region, mover, _other, minX, minY, minZ, maxX, maxY, maxZ) => {
  const { p } = mover;
  return p[0]! >= minX && p[0]! <= maxX && p[1]! >= minY && p[1]! <= maxY && p[2]! >= minZ && p[2]! <= maxZ;
};
