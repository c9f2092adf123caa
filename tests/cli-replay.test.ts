import { catalog } from '@lockstep/catalog';
import { hash } from '@lockstep/kernel';
import { createMatch } from '@lockstep/match';
import { Playback, readReplay, ReplayWriter, verifyReplay } from '@lockstep/replay';
import { describe, expect, it } from 'vitest';

/** Plays the last preset of a world, whole states hashed at every tick. */
async function play(name: string, ticks: number, bots: readonly string[]) {
  const entry = catalog.find(({ world }) => world.name === name)!;
  const { world } = entry;
  const config = world.readConfig({ preset: Object.keys(world.presets).at(-1), ticks });
  const seats = Array.from({ length: world.seats(config) }, (_, i) => bots[i]!).map((bot) => ({
    name: bot,
    kind: 'builtin',
    sha256: null,
    make: entry.bots[bot]!,
  }));
  const writer = new ReplayWriter({ world, config, seed: 7n, bots: seats.map(({ name, kind, sha256 }) => ({ name, kind, sha256 })) });
  const match = createMatch({ world, config, seed: 7n, seats, witnesses: [writer] });
  const hashes = [hash(world, match.state)];
  while (match.result === null) {
    match.step();
    hashes.push(hash(world, match.state));
  }
  const bytes = await writer.finish(match.result, match.faults);
  return { world, bytes, hashes, replay: await readReplay(bytes) };
}

describe.each(catalog.map(({ world, bots }) => [world.name, Object.keys(bots).slice(-2)] as const))('%s', (name, bots) => {
  it('a recorded game verifies, and every tick of it can be sought', async () => {
    const { world, replay, hashes } = await play(name, 900, bots);
    expect(verifyReplay(world, replay)).toEqual({ ok: true, tick: null, difference: null, hash: hashes.at(-1) });
    const playback = new Playback(world, replay);
    for (let tick = 0; tick <= replay.ticks; tick += 53) expect(hash(world, playback.seek(tick))).toBe(hashes[tick]);
  });
});

describe('codeball', () => {
  it('a game of 20,000 ticks of three against three is well under 1 MB', { timeout: 300_000 }, async () => {
    const { world, bytes, replay, hashes } = await play('codeball', 20_000, ['quickstart', 'chaser']);
    expect(replay.ticks).toBe(20_000);
    expect(bytes.length).toBeLessThan(700_000);
    const playback = new Playback(world, replay);
    for (const tick of [419, 10_000, 19_739, 20_000]) expect(hash(world, playback.seek(tick))).toBe(hashes[tick]);
  });
});
