import { cos, sin } from '@lockstep/kernel';
import { MAX_INSTRUCTION } from '../src/rules.ts';
import type { Thrust } from '../src/view.ts';

/** The longest legal instruction in a direction: cut towards zero, so it is never too long. */
export function thrustAt(angle: number, length = MAX_INSTRUCTION): Thrust {
  return { vx: Math.trunc(cos(angle) * length) + 0, vy: Math.trunc(sin(angle) * length) + 0 };
}
