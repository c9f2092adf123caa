import { readSeed } from '@lockstep/kernel';
import type { Setup, WorldCard } from './protocol.ts';

/** The address after `#`: everything that a game is made of, so that a link repeats it. */
export function writeLink({ world, preset, seed, bots }: Setup): string {
  const words = { world, preset, seed, bots: bots.join(',') };
  return `#${Object.entries(words)
    .map(([key, value]) => `${key}=${encodeURIComponent(value).replaceAll('%2C', ',')}`)
    .join('&')}`;
}

/** A word of a link that names nothing here, and what was taken instead. */
export interface WrongWord {
  readonly word: 'world' | 'preset' | 'seed' | 'bots';
  readonly got: string;
  /** Empty where it is no choice. */
  readonly choices: readonly string[];
  /** How many names there should be, where that is what is wrong. */
  readonly count?: number;
  readonly taken: string;
}

/** What a link leaves out, or names wrong, is the world's own default: a link always opens a game. Later words win. */
export function readLink(link: string, worlds: readonly WorldCard[], freshSeed: () => string): { setup: Setup; wrong: WrongWord[] } {
  const words = new URLSearchParams(link.replaceAll(/[?#]/g, '&'));
  const last = (name: string) => words.getAll(name).at(-1);
  const wrong: WrongWord[] = [];
  const choose = (word: 'world' | 'preset', choices: readonly string[]): string => {
    const got = last(word);
    if (got !== undefined && choices.includes(got)) return got;
    if (got !== undefined) wrong.push({ word, got, choices, taken: choices[0]! });
    return choices[0]!;
  };
  const name = choose(
    'world',
    worlds.map((world) => world.name),
  );
  const card = worlds.find((world) => world.name === name)!;
  // The other words of a link into another world mean nothing in this one.
  const known = wrong.length === 0;
  const preset = known ? choose('preset', card.presets) : card.presets[0]!;
  const bots = fitBots(known ? (last('bots')?.split(',') ?? []) : [], card, preset);
  if (known && last('bots') !== undefined && last('bots') !== bots.join(',')) wrong.push(wrongBots(last('bots')!, bots, card));
  const got = last('seed');
  const seed = got !== undefined && isSeed(got) ? got : freshSeed();
  if (got !== undefined && seed !== got) wrong.push({ word: 'seed', got, choices: [], taken: seed });
  return { setup: { world: name, preset, seed, bots }, wrong };
}

function wrongBots(got: string, bots: readonly string[], card: WorldCard): WrongWord {
  const stranger = got.split(',').find((name) => !card.bots.includes(name));
  const taken = bots.join(', ');
  if (stranger !== undefined) return { word: 'bots', got: stranger, choices: card.bots, taken };
  return { word: 'bots', got, choices: [], count: bots.length, taken };
}

/** One bot a seat: those that are there, and defaults for the rest. */
export function fitBots(names: readonly string[], card: WorldCard, preset: string): string[] {
  return defaultBots(card, preset).map((fallback, seat) => (card.bots.includes(names[seat]!) ? names[seat]! : fallback));
}

/** The first two built-in bots open; further seats repeat them. */
function defaultBots(card: WorldCard, preset: string): string[] {
  return Array.from({ length: card.seats[preset] ?? 1 }, (_, seat) => card.bots[seat % Math.min(2, card.bots.length)]!);
}

export function isSeed(text: string): boolean {
  try {
    readSeed(text);
    return true;
  } catch {
    return false;
  }
}

/** The command that plays the same match in a terminal. */
export function commandLine({ world, preset, seed, bots }: Setup): string {
  return `npx lockstep match ${world} ${bots.join(' ')} --rules ${preset} --seed ${seed}`;
}
