import { type AnyWorld, hash, InputError, type TickState, type WorldEvent } from '@lockstep/kernel';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ToyAction, toyWorld } from './toy-world.test-support.ts';
import { ByteReader } from './bytes.ts';
import { readContainer, type SectionName, writeContainer } from './container.ts';
import { crc32 } from './crc32.ts';
import { pack, unpack } from './deflate.ts';
import { Playback, readReplay, ReplayWriter, seek, verifyReplay } from './index.ts';
import { mostTicks } from './replay.ts';
import { packJson } from './text.ts';

const BOTS = [
  { name: 'left', kind: 'test', sha256: null },
  { name: 'right', kind: 'test', sha256: 'ab'.repeat(32) },
];

type Play = (tick: number, seat: number) => Partial<ToyAction>;
const usual: Play = (tick, seat) => ({
  push: Math.round(Math.sin(tick / 9 + seat) * 480) / 16,
  pull: tick * 0.1,
  on: (tick >> 4) % 3 === seat,
});

interface Recorded {
  readonly bytes: Uint8Array;
  readonly hashes: string[];
}

async function record(ticks: number, play: Play = usual, seed = 538460243868820754n): Promise<Recorded> {
  const config = { ticks };
  const writer = new ReplayWriter({ world: toyWorld, config, seed, bots: BOTS, keyframeEvery: 100 });
  const state = toyWorld.create(config, seed);
  const hashes = [hash(toyWorld, state)];
  playOn(writer, state, play, hashes);
  return { bytes: await writer.finish(toyWorld.result(state), [{ seat: 1, tick: ticks, kind: 'crash', reason: 'x' }]), hashes };
}

function playOn(writer: ReplayWriter, state: TickState, play: Play, hashes: string[] = []): void {
  while (toyWorld.result(state) === null) {
    const actions = [0, 1].map((seat) => Object.assign(new ToyAction(), play(state.tick, seat)));
    writer.note(actions);
    const events: WorldEvent[] = [];
    toyWorld.step(state, actions, events);
    writer.afterStep(state, events);
    hashes.push(hash(toyWorld, state));
  }
}

/** A file whose checksums are right and one of whose sections is another. */
async function forged(bytes: Uint8Array, name: SectionName, section: Uint8Array): Promise<Uint8Array> {
  return writeContainer({ ...readContainer(bytes, 'x').sections, [name]: section });
}

describe('crc32', () => {
  it('is the one of zip and PNG', () => {
    expect(crc32(new TextEncoder().encode('123456789'))).toBe(0xcbf43926);
    expect(crc32(new Uint8Array(0))).toBe(0);
  });
});

describe('a replay', () => {
  it('holds what was played, to the bit, and verifies', async () => {
    const { bytes, hashes } = await record(777);
    const replay = await readReplay(bytes);
    expect(replay).toMatchObject({
      world: 'toy',
      rulesVersion: 3,
      seed: 538460243868820754n,
      config: { ticks: 777 },
      bots: BOTS,
      ticks: 777,
    });
    expect(replay.faults).toEqual([{ seat: 1, tick: 777, kind: 'crash', reason: 'x' }]);
    expect(replay.result?.reason).toBe('time is up');
    expect(replay.events!.length).toBeGreaterThan(3);
    expect(replay.links).toHaveLength(13);
    expect(replay.keyframes.map(({ tick }) => tick)).toEqual([100, 200, 300, 400, 500, 600, 700, 777]);
    expect(verifyReplay(toyWorld, replay)).toEqual({ ok: true, tick: null, difference: null, hash: hashes.at(-1) });
    expect((await record(777)).bytes).toEqual(bytes);
  });

  it.each([1, 2, 59, 60, 61, 99, 100, 101, 120])('of %i ticks verifies too', async (ticks) => {
    const replay = await readReplay((await record(ticks)).bytes);
    expect(verifyReplay(toyWorld, replay)).toMatchObject({ ok: true });
    expect(replay.ticks).toBe(ticks);
  });

  it('without a tick, and one broken off in the midst of a tick, are replays', async () => {
    const writer = new ReplayWriter({ world: toyWorld, config: { ticks: 5 }, seed: 1n, bots: BOTS });
    const empty = await readReplay(await writer.finish(null, []));
    expect([empty.ticks, verifyReplay(toyWorld, empty).ok]).toEqual([0, true]);
    const state = toyWorld.create({ ticks: 5 }, 1n);
    const actions = [new ToyAction(), new ToyAction()];
    writer.note(actions);
    toyWorld.step(state, actions, []);
    writer.afterStep(state, []);
    writer.note(actions);
    const broken = await readReplay(await writer.finish(null, []));
    expect([broken.ticks, broken.stepped, verifyReplay(toyWorld, broken).ok]).toEqual([2, 1, true]);
  });

  it('of any actions comes back with their bits, and verifies if all are finite', async () => {
    const number = fc.oneof(fc.double(), fc.constantFrom(0, -0, 5e-324, 1e300, NaN, Infinity), fc.integer());
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(number, number, fc.boolean()), { minLength: 1, maxLength: 70 }), async (rows) => {
        const play: Play = (tick, seat) => {
          const [push, pull, on] = rows[(tick + seat) % rows.length]!;
          return { push, pull, on };
        };
        const { bytes } = await record(rows.length, play);
        const replay = await readReplay(bytes);
        const playback = new Playback(toyWorld, replay);
        rows.forEach((_, tick) => {
          expect(playback.actionsAt(tick)).toEqual([0, 1].map((seat) => Object.assign(new ToyAction(), play(tick, seat))));
        });
        expect(verifyReplay(toyWorld, replay).ok).toBe(rows.flat().every((value) => Number.isFinite(Number(value))));
      }),
      { numRuns: 60 },
    );
  });

  it('keeps the largest seed', async () => {
    expect((await readReplay((await record(3, usual, 18446744073709551615n)).bytes)).seed).toBe(18446744073709551615n);
  });
});

describe('a game that does not fit into the format', () => {
  it('however wide its actions are, the recorder knows how many ticks of it do', () => {
    const wide: AnyWorld = {
      ...toyWorld,
      idle: () => new Float64Array(2 ** 23),
      actionFields: (io, action) => io.nums(action as Float64Array),
    };
    const writer = new ReplayWriter({ world: wide, config: { ticks: 5 }, seed: 1n, bots: BOTS });
    expect(writer.mostTicks).toBe(2);
  });

  it('has the limits that a reader has', () => {
    expect(mostTicks(3, 64, 60)).toBe(10_000_000);
    expect(mostTicks(22, 1024, 60)).toBe(1_525_201);
    expect(mostTicks(1, 2 ** 20, 600)).toBe(511 * 600);
    expect(mostTicks(0, 8, 60)).toBe(10_000_000);
  });

  it('a recorder that is full says so', () => {
    const writer = new ReplayWriter({ world: toyWorld, config: { ticks: 5 }, seed: 1n, bots: BOTS });
    Object.assign(writer, { mostTicks: 1 });
    const state = toyWorld.create({ ticks: 5 }, 1n);
    const actions = [new ToyAction(), new ToyAction()];
    writer.note(actions);
    toyWorld.step(state, actions, []);
    writer.afterStep(state, []);
    expect(() => writer.note(actions)).toThrow(new InputError('replay', 'a game of at most 1 ticks', 'a longer one'));
  });

  it('texts that no reader would take are not written', async () => {
    await expect(packJson('x'.repeat(2 ** 27), 'replay: events')).rejects.toThrow(
      new InputError('replay: events', 'at most 134217728 bytes of text', 2 ** 27 + 2),
    );
  });

  it('as many bots as seats, or it is a bug of the caller', () => {
    const recording = { world: toyWorld, config: { ticks: 5 }, seed: 1n };
    expect(() => new ReplayWriter({ ...recording, bots: [] })).toThrow('replay: 2 seats, 0 bots');
  });
});

describe('seek and fork', () => {
  it('gives the state of every tick, with or without a state near by', async () => {
    const { bytes, hashes } = await record(350);
    const replay = await readReplay(bytes);
    const playback = new Playback(toyWorld, replay);
    let near = playback.start();
    for (let tick = 0; tick <= 350; tick++) {
      expect(hash(toyWorld, seek(toyWorld, replay, tick))).toBe(hashes[tick]);
      near = playback.seek(tick, near);
      expect(hash(toyWorld, near)).toBe(hashes[tick]);
      expect(playback.agrees(near)).toBe(true);
    }
    expect(hash(toyWorld, playback.seek(30, near))).toBe(hashes[30]);
  });

  it('refuses a tick that was not played', async () => {
    const replay = await readReplay((await record(10)).bytes);
    for (const tick of [-1, 11, 0.5, NaN]) expect(() => seek(toyWorld, replay, tick)).toThrow('tick: expected a whole number 0..10, got');
  });

  it('does not go on from a keyframe that the hashes do not vouch for', async () => {
    const { bytes } = await record(250);
    const other = await record(250, () => ({}));
    const replay = await readReplay(await forged(bytes, 'keyframes', readContainer(other.bytes, 'x').sections.keyframes), 'f');
    expect(hash(toyWorld, seek(toyWorld, replay, 99))).toBe((await record(250)).hashes[99]);
    expect(() => seek(toyWorld, replay, 150)).toThrow('f: keyframe of tick 100: expected the state whose hash was recorded, got "');
  });

  it('a fork played on the same way is the same file, at any tick', async () => {
    const { bytes } = await record(260);
    const replay = await readReplay(bytes);
    for (const tick of [0, 1, 59, 60, 61, 100, 119, 120, 150, 259, 260]) {
      const { state, writer } = new Playback(toyWorld, replay).fork(tick);
      playOn(writer, state, usual);
      const again = await readReplay(await writer.finish(toyWorld.result(state), replay.faults));
      expect(again.links).toEqual(replay.links);
      expect(verifyReplay(toyWorld, again)).toMatchObject({ ok: true });
    }
  });

  it('a fork played on another way verifies, and shares only the beginning', async () => {
    const replay = await readReplay((await record(260)).bytes);
    const { state, writer } = new Playback(toyWorld, replay).fork(130, [BOTS[1]!, BOTS[0]!]);
    playOn(writer, state, () => ({ on: true }));
    const other = await readReplay(await writer.finish(toyWorld.result(state), []));
    expect(verifyReplay(toyWorld, other)).toMatchObject({ ok: true });
    expect(other.links.slice(0, 2)).toEqual(replay.links.slice(0, 2));
    expect(other.links[2]).not.toBe(replay.links[2]);
  });
});

describe('verify', () => {
  const verdictOf = async (bytes: Uint8Array) => verifyReplay(toyWorld, await readReplay(bytes));

  it('names the tick of an action that was changed, and a field', async () => {
    const { bytes } = await record(400);
    const changed = await record(400, (tick, seat) => {
      const action = usual(tick, seat);
      return tick === 207 && seat === 1 ? { ...action, push: action.push! + 1 / 16, on: !action.on! } : action;
    });
    const verdict = await verdictOf(await forged(bytes, 'actions', readContainer(changed.bytes, 'x').sections.actions));
    expect(verdict.tick).toBe(208);
    expect(verdict.difference).toMatch(
      /^replay diverged at tick 208: state\.x: \S+ vs \S+ at the keyframe of tick 300 \(recorded by rulesVersion 3\)$/,
    );
  });

  it('notices an action that was changed without an effect', async () => {
    const still: Play = (tick) => (tick < 100 ? { push: 1e9 } : {});
    const { bytes } = await record(200, still);
    const changed = await record(200, (tick, seat) => (tick === 7 ? { push: 2e9 } : still(tick, seat)));
    const verdict = await verdictOf(await forged(bytes, 'actions', readContainer(changed.bytes, 'x').sections.actions));
    expect(verdict.difference).toContain('at tick 60: the hash chain breaks: actions of ticks 0..59 are not those that were played');
  });

  it('names the field when the world itself has changed', async () => {
    const replay = await readReplay((await record(400)).bytes);
    const other: AnyWorld = {
      ...toyWorld,
      step(state, actions, events) {
        toyWorld.step(state, actions, events);
        if (state.tick === 300) (state as unknown as { x: number }).x += 1e-9;
      },
    };
    expect(verifyReplay(other, replay)).toMatchObject({ ok: false, tick: 300 });
    expect(verifyReplay(other, replay).difference).toMatch(
      /^replay diverged at tick 300: state\.x: \S+ vs \S+ \(recorded by rulesVersion 3\)$/,
    );
  });

  it('a world that throws is a line, not a crash', async () => {
    const replay = await readReplay((await record(40)).bytes);
    const other: AnyWorld = {
      ...toyWorld,
      step() {
        throw new TypeError('no');
      },
    };
    expect(verifyReplay(other, replay).difference).toContain('replay diverged at tick 1: the world stopped: TypeError: no');
  });

  it('actions that no world lets in are named by tick, seat and field', async () => {
    const line = async (play: Play) => (await verdictOf((await record(40, play)).bytes)).difference;
    const at = (tick: number, what: Partial<ToyAction>): Play => (now, seat) => (now === tick && seat === 1 ? what : {}); // prettier-ignore
    for (const value of [NaN, Infinity, -Infinity])
      expect(await line(at(7, { pull: value }))).toBe(
        `replay diverged at tick 8: actions of tick 7: seat 1: action.pull: expected a finite number, got ${value} (recorded by rulesVersion 3)`,
      );
    expect(await line(at(7, { pull: 1e300 }))).toBe(null);
    const replay = await readReplay((await record(40)).bytes);
    replay.rows[7 * 6 + 5] = 2; // neither true nor false
    expect(verifyReplay(toyWorld, replay).difference).toContain('at tick 8: actions of tick 7: seat 1: values that no action has');
  });

  it('what the world itself refuses is a failed check that names the tick, and an InputError elsewhere', async () => {
    const replay = await readReplay((await record(40)).bytes, 'f');
    const strict: AnyWorld = {
      ...toyWorld,
      step(state, actions, events) {
        if (state.tick === 9) throw new InputError('action.push', 'a number 0..1', 2);
        toyWorld.step(state, actions, events);
      },
    };
    expect(verifyReplay(strict, replay)).toMatchObject({
      ok: false,
      tick: 10,
      difference: 'replay diverged at tick 10: actions of tick 9: action.push: expected a number 0..1, got 2 (recorded by rulesVersion 3)',
    });
    expect(() => seek(strict, replay, 12)).toThrow(new InputError('f: actions of tick 9: action.push', 'a number 0..1', 2));
  });

  it('a seat that was out and plays on is seen', async () => {
    const { bytes } = await record(40, (tick) => (tick < 9 ? { push: 1 } : {}));
    const faulted = async (tick: number) => {
      const { result } = await readReplay(bytes);
      return verdictOf(await forged(bytes, 'result', await packJson({ result, faults: [{ seat: 0, tick, kind: 'timeout', reason: '' }] })));
    };
    expect(await faulted(9)).toMatchObject({ ok: true });
    expect((await faulted(6)).difference).toContain('at tick 7: actions of tick 6: seat 0 plays on, though it was out at tick 6');
  });

  it('checks events, result, keyframes and the length of the game', async () => {
    const { bytes } = await record(400);
    const replay = await readReplay(bytes);
    const events = replay.events!.map(({ tick, events }) => [tick, events] as const);
    const line = async (name: SectionName, section: Uint8Array) => (await verdictOf(await forged(bytes, name, section))).difference;
    expect(await line('events', await packJson(events.slice(1)))).toContain(`at tick ${events[0]![0]}: events[0]`);
    expect(await line('events', await packJson([...events, [400, [{ kind: 'goal' }]]]))).toContain('at tick 400: events');
    expect(await line('result', await packJson({ result: { ...replay.result, scores: [9, 9] }, faults: [] }))).toContain(
      'at tick 400: result.scores[0]',
    );
    const longer = await record(420);
    expect(await line('keyframes', readContainer((await record(400, () => ({}))).bytes, 'x').sections.keyframes)).toContain(
      'at tick 100: state.',
    );
    const { head } = readContainer(bytes, 'x').sections;
    expect((await verdictOf(await forged(longer.bytes, 'head', head))).difference).toContain('at tick 401: the game was already over');
  });

  it('refuses another world, other rules and another config in one line', async () => {
    const { bytes } = await record(5);
    const replay = await readReplay(bytes, 'a.replay');
    const playing = (world: object) => () => verifyReplay({ ...toyWorld, ...world }, replay);
    expect(playing({ name: 'codeball' })).toThrow('a.replay: world: expected codeball, got "toy"');
    expect(playing({ rulesVersion: 4 })).toThrow('a.replay: rulesVersion of toy: expected 4, got 3');
    expect(playing({ seats: () => 3 })).toThrow('a.replay: values of an action, by seat: expected 3,3,3, got "3,3"');
    const head = { world: 'toy', rulesVersion: 3, seed: '1', config: { ticks: 'many' }, bots: [] };
    const wrong = await readReplay(await forged(bytes, 'head', await packJson(head)), 'b.replay');
    expect(() => verifyReplay(toyWorld, wrong)).toThrow('b.replay: config.ticks: expected a whole number 1..1000000000, got "many"');
    for (const bots of [[], [BOTS[0]], [...BOTS, BOTS[0]]]) {
      const crowd = await readReplay(await forged(bytes, 'head', await packJson({ ...head, config: { ticks: 5 }, bots })), 'c.replay');
      expect(() => verifyReplay(toyWorld, crowd)).toThrow(`c.replay: bots: expected 2, one a seat, got ${bots.length}`);
    }
  });
});

describe('a world of short ticks', () => {
  /** 250 ticks a second: marks every 125, links every 2500. */
  const quick: AnyWorld = { ...toyWorld, ticksPerSecond: 250 };
  const play = async (ticks: number, how: Play = usual, world = quick) => {
    const config = { ticks };
    const writer = new ReplayWriter({ world, config, seed: 5n, bots: BOTS });
    const state = world.create(config, 5n);
    const hashes = [hash(world, state)];
    playOn(writer, state, how, hashes);
    return { bytes: await writer.finish(world.result(state), []), hashes };
  };
  const sparing: Play = (tick, seat) => ({ push: seat, on: (tick >> 6) % 3 === seat });

  it('has a small file that binds everything all the same', async () => {
    const { bytes, hashes } = await play(6000, sparing);
    const replay = await readReplay(bytes);
    expect(replay).toMatchObject({ ticks: 6000, stepped: 6000, rhythm: { marks: 125, links: 2500, keepsEvents: false }, events: null });
    expect([replay.marks.length, replay.links.length, replay.keyframes.length]).toEqual([48, 3, 0]);
    expect(verifyReplay(quick, replay)).toEqual({ ok: true, tick: null, difference: null, hash: hashes.at(-1) });
    const every = await play(6000, sparing, toyWorld);
    expect(bytes.length).toBeLessThan(every.bytes.length / 10);
    expect(new Playback(quick, replay).events()).toEqual((await readReplay(every.bytes)).events);
  });

  it('every tick of it can be sought, twice as well as once, and played on from', async () => {
    const { bytes, hashes } = await play(3000);
    const replay = await readReplay(bytes);
    const playback = new Playback(quick, replay);
    for (const tick of [3000, 1234, 0, 1, 2999, 601, 600, 599]) expect(hash(quick, playback.seek(tick))).toBe(hashes[tick]);
    for (const tick of [0, 124, 125, 126, 2500, 2999]) {
      const { state, writer } = playback.fork(tick);
      playOn(writer, state, usual);
      expect(await writer.finish(quick.result(state), [])).toEqual(bytes);
    }
  });

  it('a state that went another way is found at the next mark, and the last that was right is named', async () => {
    const replay = await readReplay((await play(3000)).bytes);
    const other: AnyWorld = {
      ...quick,
      step(state, actions, events) {
        quick.step(state, actions, events);
        if (state.tick === 700) (state as unknown as { x: number }).x += 1e-9;
      },
    };
    expect(verifyReplay(other, replay)).toMatchObject({
      ok: false,
      tick: 750,
      difference: 'replay diverged at tick 750: its hash differs, and was right at tick 625 (recorded by rulesVersion 3)',
    });
  });

  it('actions without an effect, and events, are bound by the chain', async () => {
    const still: Play = (tick) => (tick < 100 ? { push: 1e9 } : {});
    const { bytes } = await play(3000, still);
    const changed = await play(3000, (tick, seat) => (tick === 7 ? { push: 2e9 } : still(tick, seat)));
    const forgery = await readReplay(await forged(bytes, 'actions', readContainer(changed.bytes, 'x').sections.actions));
    const line = 'the hash chain breaks: actions or events of ticks 0..2499 are not those that were played';
    expect(verifyReplay(quick, forgery).difference).toContain(`at tick 2500: ${line}`);
    const loud: AnyWorld = {
      ...quick,
      step(state, actions, events) {
        quick.step(state, actions, events);
        if (state.tick === 1000) events.push({ kind: 'noise' });
      },
    };
    expect(verifyReplay(loud, await readReplay(bytes)).difference).toContain(`at tick 2500: ${line}`);
  });

  it('broken off in the midst of a tick it ends with the last state that was whole', async () => {
    const writer = new ReplayWriter({ world: quick, config: { ticks: 500 }, seed: 5n, bots: BOTS });
    const state = quick.create({ ticks: 500 }, 5n);
    const actions = [new ToyAction(), Object.assign(new ToyAction(), { on: true })];
    for (let k = 0; k < 130; k++) {
      const events: WorldEvent[] = [];
      writer.note(actions);
      quick.step(state, actions, events);
      writer.afterStep(state, events);
    }
    writer.note(actions);
    (state as unknown as { x: number }).x = 1e9; // half a step
    const replay = await readReplay(await writer.finish(null, []));
    expect([replay.ticks, replay.stepped, verifyReplay(quick, replay).ok]).toEqual([131, 130, true]);
  });

  it('a rhythm that cannot be is refused', async () => {
    const { bytes } = await play(300);
    const { hashes } = readContainer(bytes, 'x').sections;
    const at = async (marks: number, links: number, kept: number) => {
      const body = new ByteReader(hashes);
      const raw = (await unpack(body, 1e6)).slice();
      const view = new DataView(raw.buffer);
      view.setUint32(4, marks, true);
      view.setUint32(8, links, true);
      raw[12] = kept;
      return readReplay(await forged(bytes, 'hashes', await pack(raw)), 'f');
    };
    for (const [marks, links, kept] of [
      [0, 60, 1],
      [1, 0, 1],
      [7, 60, 1],
      [1, 60, 2],
    ] as const)
      // prettier-ignore
      await expect(at(marks, links, kept)).rejects.toThrow('f: section hashes: expected undamaged data, got "it declares marks every');
  });
});

describe('a world whose state grows', () => {
  /** The toy, and a number more for every hundred ticks. */
  const growing: AnyWorld = {
    ...toyWorld,
    fields(io, state) {
      toyWorld.fields(io, state);
      for (let left = Math.floor(state.tick / 100); left > 0; left--) io.num(left);
    },
  };

  it('has a file without keyframes that verifies, and every tick of it can be sought', async () => {
    const config = { ticks: 900 };
    const writer = new ReplayWriter({ world: growing, config, seed: 5n, bots: BOTS, keyframeEvery: 60 });
    const state = growing.create(config, 5n);
    const hashes = [hash(growing, state)];
    while (growing.result(state) === null) {
      const actions = [0, 1].map((seat) => Object.assign(new ToyAction(), usual(state.tick, seat)));
      writer.note(actions);
      const events: WorldEvent[] = [];
      growing.step(state, actions, events);
      writer.afterStep(state, events);
      hashes.push(hash(growing, state));
    }
    const replay = await readReplay(await writer.finish(growing.result(state), []), 'growing.replay');
    expect(replay.keyframes).toEqual([]);
    expect(verifyReplay(growing, replay)).toMatchObject({ ok: true });
    const playback = new Playback(growing, replay);
    for (const tick of [900, 0, 777, 899, 350, 650]) expect(hash(growing, playback.seek(tick))).toBe(hashes[tick]);
  });
});

describe('a file of version 1', () => {
  it('is read and verified as ever', async () => {
    const { bytes, hashes } = await record(333);
    const { version, sections } = readContainer(bytes, 'x');
    const raw = await unpack(new ByteReader(sections.hashes), 1e6);
    const old = writeContainer({ ...sections, hashes: await pack(Uint8Array.of(...raw.slice(0, 4), ...raw.slice(13))) }, 1);
    const replay = await readReplay(old);
    expect([version, replay.rhythm]).toEqual([2, { marks: 1, links: 60, keepsEvents: true }]);
    expect(verifyReplay(toyWorld, replay)).toMatchObject({ ok: true, hash: hashes.at(-1) });
    expect({ ...replay, sizes: null }).toEqual({ ...(await readReplay(bytes)), sizes: null });
  });
});

describe('a file that is not a replay, or no longer one', () => {
  const lineOf = async (bytes: Uint8Array): Promise<string> => {
    const refusal = await readReplay(bytes, 'f').catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(InputError);
    expect(String(refusal)).not.toContain('\n');
    return (refusal as Error).message;
  };

  it('is named', async () => {
    expect(await lineOf(new Uint8Array(0))).toBe('f: expected a lockstep replay, got "an empty file"');
    expect(await lineOf(Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0xd, 0xa, 0x1a, 0xa, 0, 0))).toBe(
      'f: expected a lockstep replay, got "a file that begins with 89 50 4e 47 0d 0a 1a 0a"',
    );
    expect(await lineOf(Uint8Array.of(0x1f, 0x8b, 8, 0))).toContain('f: expected a lockstep replay');
    const { bytes } = await record(100);
    const version = bytes.slice();
    version[8] = 3;
    expect(await lineOf(version)).toBe('f: expected a replay of version 1 or 2, got 3');
    expect(await lineOf(bytes.subarray(0, 40))).toBe('f: expected at least 68 bytes (the file is truncated), got 40');
    expect(await lineOf(bytes.subarray(0, 300))).toBe(`f: expected ${bytes.length} bytes (the file is truncated), got 300`);
    expect(await lineOf(Uint8Array.of(...bytes, 0))).toBe(
      `f: expected ${bytes.length} bytes (something was appended), got ${bytes.length + 1}`,
    );
    const damaged = bytes.slice();
    damaged[bytes.length - 1]! ^= 1;
    expect(await lineOf(damaged)).toMatch(/^f: section result: expected CRC-32 [0-9a-f]{8} \(it is damaged\), got "[0-9a-f]{8}"$/);
  });

  it('is refused with faults that cannot be', async () => {
    const { bytes } = await record(10);
    const { result } = await readReplay(bytes);
    const good = { seat: 1, tick: 10, kind: 'crash', reason: '' };
    const line = async (...faults: object[]) => lineOf(await forged(bytes, 'result', await packJson({ result, faults })));
    expect(await line({ ...good, seat: 2 })).toBe('f: section result: faults[0].seat: expected a whole number 0..1, got 2');
    expect(await line({ ...good, tick: 11 })).toBe('f: section result: faults[0].tick: expected a whole number 0..10, got 11');
    expect(await line({ ...good, kind: 'crush' })).toBe(
      'f: section result: faults[0].kind: expected one of crash, illegal, timeout, memory, protocol, disconnect, no-start (did you mean crash?), got "crush"',
    );
    expect(await line(good, { ...good, tick: 3 })).toBe('f: section result: faults[1].seat: expected a seat that was not out yet, got 1');
  });

  it('is refused at every length', async () => {
    const { bytes } = await record(130);
    for (let length = 0; length < bytes.length; length++) expect(await lineOf(bytes.subarray(0, length))).toContain('f: expected');
  });

  it('is refused with any byte changed', async () => {
    const { bytes } = await record(130);
    for (let at = 0; at < bytes.length; at++) {
      const changed = bytes.slice();
      changed[at]! ^= 1 + (at % 255);
      expect(await lineOf(changed)).toContain('expected');
    }
  });

  /** Damage under checksums that are right: whoever wrote it meant it. */
  it('with right checksums over wrong data is refused, or plays and is judged: nothing else', { timeout: 120_000 }, async () => {
    const { bytes } = await record(130);
    const { sections } = readContainer(bytes, 'x');
    const names = Object.keys(sections) as SectionName[];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...names),
        fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 4 }),
        fc.nat(30),
        async (name, changes, cut) => {
          const section = sections[name].slice(0, Math.max(sections[name].length - (cut > 20 ? cut : 0), 0));
          for (const [at, byte] of changes) section[at % Math.max(section.length, 1)] = byte;
          await judge(await forged(bytes, name, section));
        },
      ),
      { numRuns: 1500 },
    );
  });

  it('with right checksums and well packed nonsense inside is refused, or plays and is judged', async () => {
    const { bytes } = await record(130);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom<SectionName>('head', 'events', 'result'), fc.jsonValue(), async (name, value) => {
        await judge(await forged(bytes, name, await packJson(value)));
      }),
      { numRuns: 300 },
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom<SectionName>('hashes', 'keyframes'), fc.uint8Array({ maxLength: 200 }), async (name, value) => {
        await judge(await forged(bytes, name, await pack(value)));
      }),
      { numRuns: 300 },
    );
  });

  async function judge(bytes: Uint8Array): Promise<void> {
    const refusal = await playAll(bytes).catch((error: unknown) => error);
    expect(refusal ?? new InputError('', '', '')).toBeInstanceOf(InputError);
    expect(String(refusal)).not.toContain('\n');
  }

  async function playAll(bytes: Uint8Array): Promise<void> {
    const replay = await readReplay(bytes);
    const playback = new Playback(toyWorld, replay);
    for (const tick of [0, 1, 100, 115, 130]) if (tick <= replay.ticks) playback.seek(tick);
    verifyReplay(toyWorld, replay);
  }

  it('cannot make the reader allocate what it merely declares', async () => {
    const { bytes } = await record(10);
    const { actions } = readContainer(bytes, 'x').sections;
    const many = actions.slice();
    new DataView(many.buffer).setUint32(0, 9_999_999, true);
    expect(await lineOf(await forged(bytes, 'actions', many))).toBe(
      'f: section actions: expected undamaged data, got "it declares 9999999 ticks of 6 values"',
    );
    const bomb = await pack(new Uint8Array(200_000_000));
    expect(bomb.length).toBeLessThan(250_000);
    expect(await lineOf(await forged(bytes, 'hashes', bomb))).toContain(
      'f: section hashes: expected undamaged data, got "a block declares 200000000 bytes where at most',
    );
    const liar = bomb.slice();
    new DataView(liar.buffer).setUint32(1, 100, true);
    expect(await lineOf(await forged(bytes, 'hashes', liar))).toContain('declares 100 bytes and unpacks to another number');
    expect(await lineOf(await forged(bytes, 'events', bomb))).toContain('section events: expected undamaged data');
  });
});
