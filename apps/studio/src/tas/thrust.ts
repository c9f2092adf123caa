/** "the maximal positive value of the instruction type" */
export const FULL = 127;

/** An instruction as its two whole numbers. */
export interface Thrust {
  readonly vx: number;
  readonly vy: number;
}

export const isLegal = (vx: number, vy: number): boolean => vx * vx + vy * vy <= FULL * FULL;

/** The legal instruction nearest to a point; of two equally near the longer one, then the one found first. */
export function nearestThrust(x: number, y: number): Thrust {
  const length = Math.sqrt(x * x + y * y);
  const scale = length > FULL ? FULL / length : 1;
  const [px, py] = [x * scale, y * scale];
  const [baseX, baseY] = [Math.floor(px), Math.floor(py)];
  let best: Thrust = { vx: 0, vy: 0 };
  let bestError = Infinity;
  for (let vx = baseX - 1; vx <= baseX + 2; vx++) {
    for (let vy = baseY - 1; vy <= baseY + 2; vy++) {
      const error = (vx - px) * (vx - px) + (vy - py) * (vy - py);
      const better = error < bestError || (error === bestError && vx * vx + vy * vy > best.vx * best.vx + best.vy * best.vy);
      if (!better || !isLegal(vx, vy)) continue;
      best = { vx: vx + 0, vy: vy + 0 };
      bestError = error;
    }
  }
  return best;
}

const DEGREE = Math.PI / 180;

/** Degrees 0..360 as seen on the map: 0 to the right, 90 down (the map's y grows downwards). Of no thrust: 0. */
export function angleOf({ vx, vy }: Thrust): number {
  const angle = Math.atan2(vy, vx) / DEGREE;
  return angle < 0 ? angle + 360 : angle;
}

export function magnitudeOf({ vx, vy }: Thrust): number {
  return Math.sqrt(vx * vx + vy * vy);
}

/** The legal whole numbers nearest to an angle and a magnitude. */
export function thrustOf(angle: number, magnitude: number): Thrust {
  const length = Math.min(Math.max(magnitude, 0), FULL);
  return nearestThrust(Math.cos(angle * DEGREE) * length, Math.sin(angle * DEGREE) * length);
}

/** What was typed: two whole numbers, or null where they are no legal instruction. */
export function typedThrust(vx: string, vy: string): Thrust | null {
  const whole = /^\s*[+-]?\d{1,3}\s*$/;
  if (!whole.test(vx) || !whole.test(vy)) return null;
  const typed = { vx: Number(vx) + 0, vy: Number(vy) + 0 };
  return isLegal(typed.vx, typed.vy) ? typed : null;
}
