import type { Bot } from '@lockstep/kernel';
import type { Briefing, PinballView, Play } from '../src/machine/view.ts';
import { Launcher } from './launch.ts';

const BEAT = 40;

/** Flaps, left and right in turn, whatever happens. It looks at nothing but the tick and the plunger. */
export function flapper(_briefing: Briefing, _seat: number): Bot<PinballView, Play> {
  const launcher = new Launcher();
  return {
    act(view) {
      const beat = Math.floor(view.tick / BEAT) % 4;
      return { left: beat === 0, right: beat === 2, plunger: launcher.pull(view) };
    },
  };
}
