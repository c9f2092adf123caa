import type { WorldEvent } from '@lockstep/kernel';
import type { Layout, State } from '@lockstep/pinball';
import { filled } from '../words.ts';
import type { Game } from './game.ts';
import { shortName } from './paint-play.ts';
import type { arcadeWords } from './words.ts';

type Words = (typeof arcadeWords)['value'];

/** Seconds for which something that happened is called out. */
const CALL_SECONDS = 1.8;

export interface Status {
  readonly text: string;
  readonly tone: 'calm' | 'alert' | 'bright';
}

/** What the display says beside the score: the most important thing there is to say. */
export function statusOf(game: Game, ticksPerSecond: number, w: Words): Status {
  const { state } = game;
  const { layout, missions } = state.config.machine;
  if (state.tilted) return { text: w.tilt, tone: 'alert' };
  if (state.warnings > 0 && state.calm > 0)
    return { text: filled(w.warning, { n: state.warnings, of: layout.tilt.warnings }), tone: 'alert' };
  const called = game.lately(CALL_SECONDS * ticksPerSecond, (event) => callOf(event) in w.calls);
  if (called !== null) return { text: filled(w.calls[callOf(called)]!, valuesOf(called)), tone: 'bright' };
  if (state.mission >= 0) {
    const { name, steps } = missions[state.mission]!;
    const step = layout.missions[state.mission]!.steps[state.missionStep]!;
    const text = filled(w.mission, {
      name,
      what: [...new Set(step.on.map(shortName))].join('/'),
      count: state.missionCount,
      of: steps[state.missionStep]!.times,
      seconds: Math.ceil(state.missionTicks / ticksPerSecond),
    });
    return { text, tone: 'bright' };
  }
  if (ballsOn(state) > 1) return { text: w.multiball, tone: 'bright' };
  if (state.save > 0) return { text: filled(w.save, { n: Math.ceil(state.save / ticksPerSecond) }), tone: 'calm' };
  return { text: '', tone: 'calm' };
}

/** A drain is called out only when the ball comes back. */
const callOf = ({ kind, saved }: WorldEvent): string => (kind === 'drain' && saved === true ? 'ball saved' : kind);

function valuesOf(event: WorldEvent): Record<string, string | number> {
  const values: Record<string, string | number> = {};
  for (const [key, value] of Object.entries(event))
    if (typeof value === 'number') values[key] = grouped(value);
    else if (typeof value === 'string') values[key] = value;
  return values;
}

function ballsOn({ physics }: State): number {
  let count = 0;
  for (const status of physics.status) if (status !== 0) count++;
  return count;
}

/** The present ball's number, from 1. */
export function ballNumber({ ballsLeft, config }: State): number {
  return Math.min(config.balls, Math.max(1, config.balls - ballsLeft + 1));
}

/** A ball lies where the plunger can throw it. */
export function isWaiting({ physics, config }: State, { plunger, radius }: Layout): boolean {
  for (let i = 0; i < config.machine.layout.capacity; i++) {
    const [dx, dy] = [Math.abs(physics.x[i]! - plunger.at[0]), physics.y[i]! - plunger.at[1]];
    if (physics.status[i] === 1 && dx < plunger.width / 2 && dy < 3 * radius && dy > -plunger.travel - radius) return true;
  }
  return false;
}

/** 1234567 as people read it, with thin spaces. */
export const grouped = (score: number): string => String(score).replaceAll(/\B(?=(\d{3})+$)/g, '\u2009');
