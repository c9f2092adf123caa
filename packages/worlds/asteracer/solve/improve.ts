import { InputError, nextInt, type Seed, seedRng } from '@lockstep/kernel';
import type { Thrust } from '../src/view.ts';
import type { Config } from '../src/track.ts';
import { fly, type Thrusting } from './run.ts';
import { shortened } from './solver.ts';
import { mixed, randomStyle, type Style, STYLES } from './style.ts';
import { Workshop } from './workshop.ts';

export interface WindowOptions {
  /** How many ticks may be tried. */
  readonly nodes: number;
  readonly seed: Seed;
  /** The new part touches nothing. */
  readonly noTouch?: boolean;
  /** Hears of nodes as they are used up. */
  readonly tell?: (nodes: number) => void;
  /** Hears of every better run as it is found. */
  readonly better?: (improved: Improved) => void;
}

export interface Improved {
  readonly instructions: readonly Thrust[];
  /** How many ticks are won. */
  readonly won: number;
  readonly nodes: number;
}

/** Thrusts tried at once by the first attempt. Each attempt is wider than the one before, up to the last. */
const FIRST_EFFORT = 6_000;
const MOST_EFFORT = 200_000;

/**
 * Improves ticks from … until - 1 of a run. What comes after stays as it is: the new part ends in exactly a state that the run had before
 * `until`. Where the run's end lies in the window, it is the end that comes earlier. The given run comes back when nothing is found.
 */
export function improveWindow(
  config: Config,
  instructions: readonly Thrust[],
  from: number,
  until: number,
  { nodes: most, seed, noTouch = false, tell = () => {}, better = () => {} }: WindowOptions,
): Improved {
  let run = fly(config.track, instructions.map(({ vx, vy }): Thrusting => [vx, vy])); // prettier-ignore
  if (!(Number.isInteger(from) && Number.isInteger(until) && from >= 0 && from < until && until <= instructions.length))
    throw new InputError('window', `two ticks within 0..${instructions.length}, the smaller first`, `${from}..${until}`);
  const before = run.thrusts.length;
  const workshop = new Workshop(config, noTouch);
  const rng = seedRng(seed);
  let end = Math.min(until, before);
  let nodes = 0;
  let effort = FIRST_EFFORT;
  for (let attempt = 0; nodes < most && end - from > 1; attempt++) {
    const style: Style =
      attempt < STYLES.length ? STYLES[attempt]! : { ...mixed(STYLES[0]!, randomStyle(rng), rng, 0), hold: 1 + nextInt(rng, 4) };
    const found = workshop.shortcut(run, { from, until: end }, { style, effort, mostNodes: most - nodes }, tell);
    if (found.nodes === 0) break; // no goal to fly to
    nodes += found.nodes;
    effort = Math.min(Math.floor(effort * 1.3), MOST_EFFORT);
    if (found.shortcut === null) continue;
    const shorter = fly(config.track, shortened(run.thrusts, [found.shortcut]));
    if (shorter.order.length < run.order.length) continue;
    end -= run.thrusts.length - shorter.thrusts.length;
    run = shorter;
    better(improved());
  }
  return improved();

  function improved(): Improved {
    const won = before - run.thrusts.length;
    return { instructions: won === 0 ? instructions : run.thrusts.map(([vx, vy]) => ({ vx, vy })), won, nodes };
  }
}
