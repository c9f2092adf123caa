import { catalog } from '@lockstep/catalog';
import { type AnyEntry, hash, type Held } from '@lockstep/kernel';
import { createMatch } from '@lockstep/match';
import { readReplay, type Replay, verifyReplay } from '@lockstep/replay';
import { describe, expect, it } from 'vitest';
import { timelineSpan } from './format.ts';
import { commandLine, readLink, writeLink } from './link.ts';
import type { Setup, WorldCard } from './protocol.ts';
import { KEYFRAME_EVERY, Run } from './run.ts';

const entry = catalog[0]!;
const names = Object.keys(entry.bots);
const setup: Setup = {
  world: entry.world.name,
  preset: Object.keys(entry.world.presets).at(-1)!,
  seed: '18446744073709551615',
  bots: ['quickstart', 'chaser'],
};

function played(ticks: number, of: AnyEntry = entry): Run {
  const run = Run.ofSetup(of, setup);
  while (run.head < ticks && run.advance());
  return run;
}

describe('a run', () => {
  it('is the match that anybody else plays from the same setup', () => {
    const { world, bots } = entry;
    const seats = setup.bots.map((name) => ({ name, kind: 'builtin', sha256: null, make: bots[name]! }));
    const match = createMatch({ world, config: world.readConfig(setup.preset), seed: BigInt(setup.seed), seats });
    for (let tick = 0; tick < 300; tick++) match.step();
    expect(played(300).hashAt(300)).toBe(hash(world, match.state));
  });

  it('shows every tick the same again, in whatever order they are asked for', () => {
    const run = played(3 * KEYFRAME_EVERY + 7);
    const first = Array.from({ length: run.head + 1 }, (_, tick) => JSON.stringify(run.sceneAt(tick)));
    for (const tick of [run.head, 0, 1, KEYFRAME_EVERY, KEYFRAME_EVERY + 1, KEYFRAME_EVERY - 1, 2 * KEYFRAME_EVERY, 5, run.head - 1]) {
      expect(JSON.stringify(run.sceneAt(tick))).toBe(first[tick]);
      expect(run.sceneAt(tick).tick).toBe(tick);
    }
    expect(() => run.sceneAt(run.head + 1)).toThrow(/head/);
  });

  it('is verified only as far as it was simulated a second time', () => {
    const run = played(100);
    expect(run.verified).toBe(0);
    expect(run.check(30)).toBe(true);
    expect(run.verified).toBe(30);
    expect(run.check(1000)).toBe(false);
    expect([run.verified, run.diverged]).toEqual([100, null]);
  });

  it('says where a second simulation came out otherwise', () => {
    let creations = 0;
    const world: AnyEntry['world'] = {
      ...entry.world,
      create(config, seed) {
        const state = entry.world.create(config, seed);
        // the third one is the checker's: the match and the viewer came before
        return ++creations === 3 ? Object.assign(state, { leaky: true }) : state;
      },
      step(state, actions, events) {
        entry.world.step(state, actions, events);
        if ('leaky' in state && state.tick === 42) (state as unknown as { scoreA: number }).scoreA++;
      },
    };
    const run = played(100, { ...entry, world });
    run.check(1000);
    expect([run.verified, run.diverged]).toEqual([41, 42]);
  });

  it('names for every event the first tick that shows it', () => {
    const run = played(2500);
    const goals = run.events.filter(({ event }) => event.kind === 'goal');
    expect(goals.length).toBeGreaterThan(0);
    const score = (tick: number) => run.sceneAt(tick).scores.reduce((sum, one) => sum + one, 0);
    expect(goals.map(({ tick }) => score(tick) - score(tick - 1))).toEqual(goals.map(() => 1));
  });

  it('goes on from where it was cut as if nothing had come after', async () => {
    const whole = played(200);
    const cut = played(200);
    cut.check(150);
    cut.cut(130);
    expect([cut.head, cut.behind, cut.verified, cut.hashAt(130)]).toEqual([130, 130, 130, whole.hashAt(130)]);
    expect(cut.events.every(({ tick }) => tick <= 130)).toBe(true);
    expect(JSON.stringify(cut.sceneAt(130))).toBe(JSON.stringify(whole.sceneAt(130)));
    expect(() => cut.sceneAt(131)).toThrow(/head/);
    while (cut.head < 200) cut.advance();
    expect([cut.behind, cut.hashAt(200), cut.byHand]).toEqual([0, whole.hashAt(200), false]);
    cut.check(1000);
    expect([cut.verified, cut.diverged]).toEqual([200, null]);
    expect(await cut.toReplay()).toEqual(await whole.toReplay());
  });

  it('keeps what a person played before the cut, and forgets what they played after', () => {
    const held = (x: number) => ({ seat: 0, held: { move: [x, 0, 0] as const, jump: false, boost: false } });
    const run = played(50);
    run.take(held(1));
    while (run.head < 100) run.advance();
    run.take(held(-1));
    while (run.head < 150) run.advance();
    const [at100, at150] = [run.hashAt(100), run.hashAt(150)];
    run.cut(100);
    expect([run.byHand, run.hashAt(100)]).toEqual([true, at100]);
    while (run.head < 150) run.advance();
    expect(run.hashAt(150)).toBe(at150);
    run.cut(100);
    run.take(held(1));
    while (run.head < 150) run.advance();
    expect(run.hashAt(150)).not.toBe(at150);
    run.cut(50);
    expect(run.byHand).toBe(false);
    run.check(1000);
    expect([run.verified, run.diverged]).toEqual([50, null]);
  });

  it('says in its replay who played: a person at any tick, also after they gave the seat back; its bots by their sum', async () => {
    const sum = 'ab'.repeat(32);
    const players = async (of: Run) => (await readReplay(await of.toReplay())).bots;
    const bots = [
      { name: 'quickstart', kind: 'builtin', sha256: sum },
      { name: 'chaser', kind: 'builtin', sha256: sum },
    ];
    const run = Run.ofSetup(entry, setup, sum);
    while (run.head < 20) run.advance();
    expect(await players(run)).toEqual(bots);
    run.take({ seat: 1, held: { move: [0, 0, 0], jump: false, boost: false } });
    expect(await players(run)).toEqual(bots);
    run.advance();
    run.take(null);
    while (run.head < 40) run.advance();
    expect(await players(run)).toEqual([bots[0], { name: 'person with chaser', kind: 'person', sha256: sum }]);
    run.cut(20);
    expect(await players(run)).toEqual(bots);
  });

  it('refuses to go on with bots that do not play the same again', () => {
    let made = 0;
    const moody: AnyEntry['bots'] = {
      ...entry.bots,
      chaser: (briefing, seat) => entry.bots[made++ === 0 ? 'chaser' : 'idle']!(briefing, seat),
    };
    const run = played(20, { ...entry, bots: moody });
    run.cut(10);
    expect(() => {
      while (run.behind > 0) run.advance();
    }).toThrow('asked again, the bots played otherwise before tick 10');
  });

  it.each(catalog.map((of) => [of.world.name, of] as const))('knows what a person can do in %s', (name, of) => {
    const preset = Object.keys(of.world.presets)[0]!;
    const bots = Array.from({ length: of.world.seats(of.world.readConfig(preset)) }, () => Object.keys(of.bots)[0]!);
    const { controls } = Run.ofSetup(of, { world: name, preset, seed: '1', bots }).scenery;
    const expected = { asteracer: { jump: false, boost: false }, sparse: { jump: true, boost: false } }[name];
    expect(controls).toEqual(expected ?? { jump: true, boost: true });
  });

  it.each(catalog.map((of) => [of.world.name, of] as const))('a person takes a seat in %s, and the replay tells', async (name, of) => {
    const preset = Object.keys(of.world.presets)[0]!;
    const seats = of.world.seats(of.world.readConfig(preset));
    const bots = Array.from({ length: seats }, () => Object.keys(of.bots).at(-1)!);
    const play = (held: Held | null): Run => {
      const run = Run.ofSetup(of, { world: name, preset, seed: '1', bots });
      while (run.head < 20) run.advance();
      run.take(held === null ? null : { seat: seats - 1, held });
      while (run.head < 60 && run.advance());
      return run;
    };
    const byHand = play({ move: [-1, 0, -0.5], jump: true, boost: true });
    expect(byHand.hashAt(20)).toBe(play(null).hashAt(20));
    expect(byHand.hashAt(byHand.head)).not.toBe(play(null).hashAt(60));
    expect([byHand.faults, byHand.byHand]).toEqual([[], true]);
    const replay = await readReplay(await byHand.toReplay());
    expect(replay.bots.at(-1)!.kind).toBe('person');
    expect(verifyReplay(of.world, replay)).toMatchObject({ ok: true });
  });

  it('is written as a replay that anybody can verify', async () => {
    const run = played(150);
    const replay = await readReplay(await run.toReplay());
    expect(String(replay.seed)).toBe(setup.seed);
    expect(verifyReplay(entry.world, replay)).toMatchObject({ ok: true, hash: run.hashAt(150) });
  });

  it('lists the state by field names, without the config', () => {
    const lines = new Map(played(10).fieldsAt(7));
    expect(lines.get('tick')).toBe('7');
    expect([...lines.keys()].some((path) => path.startsWith('config'))).toBe(false);
    expect(lines.size).toBeGreaterThan(20);
  });

  it.each([
    [{ preset: 'round9' }, /^preset: expected one of .*, got "round9"$/],
    [{ seed: '18446744073709551616' }, /^seed: expected a whole number/],
    [{ bots: ['nobody', names[0]!] }, /^bots\[0\]: expected one of .*, got "nobody"$/],
    [{ bots: [names[0]!] }, /^bots: expected 2 names/],
  ])('refuses %j by path', (wrong, message) => {
    expect(() => Run.ofSetup(entry, { ...setup, ...wrong })).toThrow(message);
  });
});

describe('a link', () => {
  const card: WorldCard = {
    name: 'w',
    presets: ['easy', 'hard'],
    bots: ['a', 'b', 'c'],
    ticksPerSecond: 60,
    seats: { easy: 2, hard: 2 },
    course: false,
    arcade: false,
    endless: false,
  };

  it('carries the whole setup, with every digit of the seed', () => {
    const cards = [card, { ...card, name: setup.world, presets: [setup.preset], bots: [...setup.bots], seats: { [setup.preset]: 2 } }];
    expect(readLink(writeLink(setup), cards, () => '1')).toEqual({ setup, wrong: [] });
    expect(readLink(writeLink(setup).replace('#', '?'), cards, () => '1')).toEqual({ setup, wrong: [] });
    expect(writeLink(setup)).toContain('seed=18446744073709551615');
    expect(commandLine(setup)).toBe(
      `npx lockstep match ${setup.world} quickstart chaser --rules ${setup.preset} --seed 18446744073709551615`,
    );
  });

  const opening = { world: 'w', preset: 'easy', seed: '5', bots: ['a', 'b'] };
  it('opens with the first preset, the first two bots and a fresh seed', () => {
    expect(readLink('', [card], () => '5')).toEqual({ setup: opening, wrong: [] });
  });

  it.each([
    ['#world=elsewhere&preset=odd&bots=x', opening, [{ word: 'world', got: 'elsewhere', choices: ['w'], taken: 'w' }]],
    ['#preset=odd', opening, [{ word: 'preset', got: 'odd', choices: ['easy', 'hard'], taken: 'easy' }]],
    ['?seed=-1', opening, [{ word: 'seed', got: '-1', choices: [], taken: '5' }]],
    ['?seed=7#seed=8', { ...opening, seed: '8' }, []],
    ['#bots=c,x', { ...opening, bots: ['c', 'b'] }, [{ word: 'bots', got: 'x', choices: ['a', 'b', 'c'], taken: 'c, b' }]],
    ['#bots=c', { ...opening, bots: ['c', 'b'] }, [{ word: 'bots', got: 'c', choices: [], count: 2, taken: 'c, b' }]],
    ['#bots=c,c,c', { ...opening, bots: ['c', 'c'] }, [{ word: 'bots', got: 'c,c,c', choices: [], count: 2, taken: 'c, c' }]],
  ])('opens a game for %s all the same, and knows what was wrong', (link, expected, wrong) => {
    expect(readLink(link, [card], () => '5')).toEqual({ setup: expected, wrong });
  });
});

it('the timeline doubles as the run grows and ends with the game', () => {
  expect([0, 1800, 1801, 15000].map((head) => timelineSpan(head, 20000, 60))).toEqual([1800, 1800, 3600, 20000]);
  expect(timelineSpan(99, null, 10)).toBe(300);
});

describe('a recorded game', () => {
  const setupOf = (seed: string) => ({ ...setup, seed });
  const record = async (ticks: number): Promise<{ run: Run; replay: Replay }> => {
    const run = Run.ofSetup(entry, setupOf('9'));
    for (let i = 0; i < ticks; i++) run.advance();
    return { run, replay: await readReplay(await run.toReplay()) };
  };

  it('is watched as it was played, every tick, and checked', async () => {
    const { run, replay } = await record(150);
    const again = Run.ofReplay(entry, replay);
    while (again.advance());
    expect(again.head).toBe(150);
    for (const tick of [0, 1, 77, 150]) expect(again.hashAt(tick)).toBe(run.hashAt(tick));
    again.check(1000);
    expect([again.verified, again.diverged]).toEqual([150, null]);
    expect(again.result?.reason).toBe('the recording ends here');
  });

  it('that says something else than its actions give is found out', async () => {
    const { replay } = await record(80);
    const rows = Float64Array.from(replay.rows);
    rows.fill(0, 40 * (rows.length / 80), 60 * (rows.length / 80));
    const forged = Run.ofReplay(entry, { ...replay, rows });
    while (forged.advance());
    expect(forged.diverged).toBeGreaterThanOrEqual(41);
    expect(forged.diverged).toBeLessThanOrEqual(60);
  });

  it('goes on under a person’s hand while the others play as they did', async () => {
    const { run, replay } = await record(120);
    const again = Run.ofReplay(entry, replay);
    while (again.advance());
    again.cut(60);
    again.take({ seat: 0, held: { move: [1, 0, 0], jump: true, boost: false } });
    while (again.behind > 0 || again.head < 140) expect(again.advance()).toBe(true);
    expect(again.hashAt(60)).toBe(run.hashAt(60));
    expect(again.hashAt(100)).not.toBe(run.hashAt(100));
    const saved = await readReplay(await again.toReplay());
    expect(saved.bots[0]!.kind).toBe('person');
    const width = saved.rows.length / 140 / 2;
    expect(saved.rows.slice(100 * 2 * width + width, 101 * 2 * width)).toEqual(replay.rows.slice(100 * 2 * width + width, 101 * 2 * width));
  });
});
