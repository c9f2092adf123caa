import type { Bot } from '@lockstep/kernel';
import type { Briefing, RaceView, Thrust } from '../src/view.ts';
import { thrustAt } from './thrusts.ts';

const TURN = 0.031;
const WANDER = 0.0007;

/** Waltzes: circles that grow and shrink, wherever they lead. It looks at nothing but the tick. */
export function drifter(_briefing: Briefing, _seat: number): Bot<RaceView, Thrust> {
  return { act: ({ tick }) => thrustAt(tick * TURN + tick * tick * WANDER * 0.01, 40 + (tick % 240) / 3) };
}
