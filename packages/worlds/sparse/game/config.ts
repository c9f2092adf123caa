import { choiceAt, InputError, intAt, type Json, objectAt } from '@lockstep/kernel';
import { MAX_CHUNK, MIN_CHUNK } from '../src/rules.ts';
import { MOST_HEROES } from './rules.ts';

export interface Config {
  readonly heroes: number;
  readonly ticks: number;
  /** The chunk of the first room. The plan counts from here: the same game is played anywhere, bit for bit. */
  readonly originX: number;
  readonly originY: number;
  readonly originZ: number;
}

export const presets = {
  solo: { heroes: 1 },
  party: { heroes: 4 },
  far: { heroes: 1, origin: [2_000_000_000, -2_000_000_000, 2_000_000_000] },
} satisfies Record<string, Json>;

const USUAL_TICKS = 3600;
const MAX_TICKS = 1_000_000;

/** A preset's name, or { preset, heroes, ticks, origin }; what is left out is the preset's. */
export function readConfig(raw: unknown): Config {
  if (typeof raw === 'string') return readConfig({ preset: raw });
  const given = objectAt(raw, 'config', ['preset', 'heroes', 'ticks', 'origin']);
  const names = Object.keys(presets) as (keyof typeof presets)[];
  const base: { heroes: number; origin?: readonly number[] } =
    presets[given['preset'] === undefined ? 'solo' : choiceAt(given['preset'], 'config.preset', names)];
  const origin = given['origin'] === undefined ? (base.origin ?? [0, 0, 0]) : given['origin'];
  if (!Array.isArray(origin) || origin.length !== 3) throw new InputError('config.origin', 'three chunk numbers', origin);
  const [originX, originY, originZ] = origin.map((number, i) => intAt(number, `config.origin.${i}`, MIN_CHUNK, MAX_CHUNK));
  return {
    heroes: given['heroes'] === undefined ? base.heroes : intAt(given['heroes'], 'config.heroes', 1, MOST_HEROES),
    ticks: given['ticks'] === undefined ? USUAL_TICKS : intAt(given['ticks'], 'config.ticks', 1, MAX_TICKS),
    originX: originX!,
    originY: originY!,
    originZ: originZ!,
  };
}

export function writeConfig({ heroes, ticks, originX, originY, originZ }: Config): Json {
  return { heroes, ticks, origin: [originX, originY, originZ] };
}
