import { nextInt, type Rng } from '@lockstep/kernel';
import type { RaceMap } from '../src/map.ts';
import type { Manner } from './beam.ts';
import { type Ground, regionOf } from './terrain.ts';
import { thrustsAround } from './thrusts.ts';

/** Everything that can be chosen about a search but how wide it is. No choice is the best on all maps: the solver breeds them. */
export interface Style {
  /** The side of a field's cells, as a multiple of the map's own. */
  readonly coarse: number;
  readonly clip: number;
  readonly clipCost: number;
  readonly rockCost: number;
  readonly directions: number;
  readonly hold: number;
  readonly ahead: number;
  readonly nearby: number;
  readonly alike: number;
}

const CHOICES: { readonly [gene in keyof Style]: readonly number[] } = {
  coarse: [0.75, 1, 1.5],
  clip: [300, 600, 1000, 1500, 2000],
  clipCost: [1.25, 1.5, 2, 3],
  rockCost: [6, 10, 20, 40],
  directions: [48, 64, 96, 128],
  hold: [3, 4, 5],
  ahead: [5, 6, 7, 8, 9],
  nearby: [200, 400, 800],
  alike: [40, 80, 120],
};
const GENES = Object.keys(CHOICES) as (keyof Style)[];

/** To begin with. */
export const STYLES: readonly Style[] = [
  { coarse: 1, clip: 1000, clipCost: 2, rockCost: 20, directions: 64, hold: 4, ahead: 8, nearby: 400, alike: 80 },
  { coarse: 1, clip: 600, clipCost: 1.5, rockCost: 10, directions: 96, hold: 4, ahead: 6, nearby: 200, alike: 40 },
  { coarse: 1, clip: 1500, clipCost: 3, rockCost: 10, directions: 64, hold: 3, ahead: 6, nearby: 200, alike: 40 },
  { coarse: 0.75, clip: 600, clipCost: 1.5, rockCost: 6, directions: 48, hold: 3, ahead: 7, nearby: 400, alike: 40 },
];
/** For a first look. */
export const QUICK: Style = {
  coarse: 2,
  clip: 1000,
  clipCost: 2,
  rockCost: 20,
  directions: 32,
  hold: 4,
  ahead: 8,
  nearby: 400,
  alike: 80,
};

export function randomStyle(rng: Rng): Style {
  return mixed(STYLES[0]!, STYLES[0]!, rng, GENES.length);
}

/** Each gene of either parent, and so many of them (or fewer) drawn anew. */
export function mixed(one: Style, other: Style, rng: Rng, mutations: number): Style {
  const style = { ...one };
  for (const gene of GENES) if (nextInt(rng, 2) === 1) style[gene as 'clip'] = other[gene];
  for (let i = 0; i < mutations; i++) {
    const gene = mutations === GENES.length ? GENES[i]! : GENES[nextInt(rng, GENES.length)]!;
    const choices = CHOICES[gene];
    style[gene as 'clip'] = choices[nextInt(rng, choices.length)]!;
  }
  return style;
}

/** `effort` is how many thrusts are tried at once. Where nothing may be touched, rock is no way. */
export function mannerOf(style: Style, effort: number, noTouch: boolean): Manner {
  const { directions, hold, ahead, nearby, alike } = style;
  const width = Math.max(Math.floor(effort / directions), 4);
  return { width, thrusts: thrustsAround(directions), hold, ahead, nearby, alike, noTouch };
}

export function groundOf({ clip, clipCost, rockCost }: Style, noTouch: boolean): Ground {
  return noTouch ? { clip: 0, clipCost: 1, rockCost } : { clip, clipCost, rockCost };
}

const FINEST = 500;
const CELLS = 1_000_000;

/** The side of a field's cells on a map: fine enough for its gaps, and not too many. */
export function cellSizeOf(map: RaceMap, cells = CELLS): number {
  const { left, right, top, bottom } = regionOf(map);
  const width = right - left;
  const height = bottom - top;
  const size = Math.max(Math.sqrt((width * height) / cells), Math.max(width, height) / cells, FINEST);
  return Math.max(Math.min(size, Math.max(width, height) / 16), 1);
}
