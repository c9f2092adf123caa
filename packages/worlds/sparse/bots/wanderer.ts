import { type Bot, cos, sin } from '@lockstep/kernel';
import type { Briefing, DungeonView, RawDeed } from '../game/view.ts';

const TURN_EVERY = 40;

/** Goes straight for a while, then somewhere else, swinging its sword at whatever may be there. It looks at nothing. */
export function wanderer(_briefing: Briefing, seat: number): Bot<DungeonView, RawDeed> {
  return {
    act({ tick }) {
      const leg = Math.floor(tick / TURN_EVERY) + seat * 7;
      const angle = (leg * leg * 0.7 + leg * 1.3) % (2 * Math.PI);
      return { x: cos(angle), y: sin(angle), sword: tick % 15 === 0 };
    },
  };
}
