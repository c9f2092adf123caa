import { readSeed } from '@lockstep/kernel';
import type { Setup, WorldCard } from './protocol.ts';

/** The address after `#`: everything that a game is made of, so that a link repeats it. */
export function writeLink({ world, preset, seed, bots }: Setup): string {
  const words = { world, preset, seed, bots: bots.join(',') };
  return `#${Object.entries(words)
    .map(([key, value]) => `${key}=${encodeURIComponent(value).replaceAll('%2C', ',')}`)
    .join('&')}`;
}

/** What a link leaves out is the world's own default. Nothing is checked here: the worker refuses what is wrong, by name. */
export function readLink(hash: string, worlds: readonly WorldCard[], freshSeed: () => string): Setup {
  const words = new URLSearchParams(hash.replace(/^#/, ''));
  const name = words.get('world') ?? worlds[0]!.name;
  const card = worlds.find((world) => world.name === name);
  const preset = words.get('preset') ?? card?.presets[0] ?? '';
  const bots = words.get('bots')?.split(',') ?? defaultBots(card, preset);
  return { world: name, preset, seed: words.get('seed') ?? freshSeed(), bots };
}

/** The first two built-in bots open; further seats repeat them. */
export function defaultBots(card: WorldCard | undefined, preset: string): string[] {
  if (card === undefined) return [];
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
