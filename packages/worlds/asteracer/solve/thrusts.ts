import { cos, sin } from '@lockstep/kernel';
import { MAX_INSTRUCTION } from '../src/rules.ts';

/** Full thrust in directions all around, as columns. */
export interface Thrusts {
  readonly count: number;
  readonly x: Int32Array;
  readonly y: Int32Array;
}

/** An instruction that points a little aside is worth this much less than one that is as much shorter. */
const ASIDE = 0.02;

/** The longest legal instructions nearest to `count` evenly spread directions. */
export function thrustsAround(count: number, turn = 0): Thrusts {
  const x = new Int32Array(count);
  const y = new Int32Array(count);
  for (let i = 0; i < count; i++) {
    const angle = (2 * Math.PI * (i + turn)) / count;
    const [ux, uy] = [cos(angle), sin(angle)];
    let best = -Infinity;
    for (let vx = Math.floor(ux * MAX_INSTRUCTION) - 1; vx <= ux * MAX_INSTRUCTION + 2; vx++) {
      for (let vy = Math.floor(uy * MAX_INSTRUCTION) - 1; vy <= uy * MAX_INSTRUCTION + 2; vy++) {
        if (vx * vx + vy * vy > MAX_INSTRUCTION * MAX_INSTRUCTION) continue;
        const worth = vx * ux + vy * uy - ASIDE * Math.abs(vy * ux - vx * uy);
        if (worth <= best) continue;
        best = worth;
        x[i] = vx;
        y[i] = vy;
      }
    }
  }
  return { count, x, y };
}
