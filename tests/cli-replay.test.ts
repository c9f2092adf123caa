import { catalog } from '@lockstep/catalog';
import { type AnyWorld, type Bot, hash, type TickState, type WorldEvent } from '@lockstep/kernel';
import { createMatch } from '@lockstep/match';
import { type Briefing, type Layout, pinball, type PinballView, type Play, TABLES } from '@lockstep/pinball';
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
    for (let tick = 0; tick <= replay.ticks; tick += 131) expect(hash(world, playback.seek(tick))).toBe(hashes[tick]);
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

describe('pinball', () => {
  /** Presses whatever flipper a ball comes down to: a lively game with a thousand presses. */
  function reflex({ config }: Briefing): Bot<PinballView, Play> {
    const { flippers } = config.table as unknown as Layout;
    let pulled = 0;
    return {
      act({ balls, tick }) {
        const waits = balls.some(({ onPlunger }) => onPlunger);
        pulled = waits ? pulled + 1 : 0;
        const isNear = (button: string): boolean =>
          flippers.some(({ pivot: [x, y], length, button: of }) => of === button && balls.some((ball) => ball.layer === 0 && Math.abs(ball.x - x) < length && Math.abs(ball.y - y + 3) < 4)); // prettier-ignore
        return {
          left: isNear('left'),
          right: isNear('right'),
          plunger: waits && pulled % 150 < 125 ? 1 : 0,
          nudgeX: tick % 2000 < 20 ? 0.3 : 0,
        };
      },
    };
  }

  /** On a classic whose lost balls come back for an hour, so that the game lasts; the file carries that table. */
  async function tenMinutes(seed: bigint) {
    const { world } = pinball;
    const table = { ...(TABLES['classic'] as object), ballSave: 3600 };
    const config = world.readConfig({ table, ticks: 150_000 });
    const any = world as unknown as AnyWorld;
    const writer = new ReplayWriter({ world: any, config, seed, bots: [{ name: 'reflex', kind: 'test', sha256: null }] });
    const state = world.create(config, seed);
    const bot = reflex(world.brief(state, 0));
    while (world.result(state) === null) {
      const actions = [world.readAction(bot.act(world.observe(state, 0)), state, 0)];
      const events: WorldEvent[] = [];
      writer.note(actions);
      world.step(state, actions, events);
      writer.afterStep(state, events);
    }
    return { world: any, bytes: await writer.finish(world.result(state), []), last: hash(any, state as TickState) };
  }

  it('ten minutes of play are under 10 kB, and verify', { timeout: 300_000 }, async () => {
    const { world, bytes, last } = await tenMinutes(13n);
    const replay = await readReplay(bytes);
    expect([replay.ticks, replay.result?.reason]).toEqual([150_000, 'time is up']);
    const presses = Array.from({ length: replay.ticks - 1 }, (_, tick) => replay.rows[tick * 6] === 0 && replay.rows[tick * 6 + 6] === 1);
    expect(presses.filter(Boolean).length).toBeGreaterThan(200);
    expect(bytes.length).toBeLessThan(10_000);
    expect(verifyReplay(world, replay)).toEqual({ ok: true, tick: null, difference: null, hash: last });
  });
});
