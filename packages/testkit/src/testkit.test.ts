import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  type FieldIO,
  intAt,
  nextInt,
  nextUint32,
  numberAt,
  objectAt,
  type Rng,
  rngFields,
  seedRng,
  type World,
  type WorldEvent,
} from '@lockstep/kernel';
import { afterEach, describe, expect, it } from 'vitest';
import { contract, mustBeJson, type WorldCase } from './contract.ts';
import { describeWorld } from './describe-world.ts';
import { fuzz } from './fuzz.ts';
import { checkGolden, goldenDifference, playGolden, type GoldenCase } from './golden.ts';
import { scripted, scriptedBot } from './scripted.ts';

interface Config {
  length: number;
}
interface State {
  tick: number;
  config: Config;
  places: Float64Array;
  rests: number[];
  rng: Rng;
}
interface Action {
  push: number;
}
interface View {
  places: number[];
  rests: number[];
}
type Toy = World<Config, State, Action, View, { seat: number }>;

/** Two runners on a line, pushed about by themselves and by dice. */
const toy: Toy = {
  name: 'toy',
  rulesVersion: 1,
  ticksPerSecond: 10,
  presets: { short: { length: 40 }, long: { length: 4000 } },
  readConfig: (raw) => ({ length: intAt(objectAt(raw, 'config', ['length'])['length'], 'config.length', 1, 10_000) }),
  writeConfig: (config) => ({ length: config.length }),
  seats: () => 2,
  create: (config, seed) => ({ tick: 0, config, places: new Float64Array(2), rests: [0, 0], rng: seedRng(seed) }),
  step(state, actions, events, ledger) {
    actions.forEach((action, seat) => {
      const luck = nextInt(state.rng, 10);
      ledger?.push({ kind: 'luck', seat, luck });
      state.places[seat]! += action.push + luck / 10;
      if (action.push === 0) state.rests[seat]!++;
      if (luck === 9) events.push({ kind: 'lucky', seat });
    });
    state.tick++;
  },
  result: (state) => (state.tick < state.config.length ? null : { scores: [...state.places], ranks: [1, 1], reason: 'time' }),
  brief: (_state, seat) => ({ seat }),
  observe: (state) => ({ places: [...state.places], rests: [...state.rests] }),
  readAction: (raw) => ({ push: numberAt(objectAt(raw, 'action', ['push'])['push'], 'action.push', -1, 1) }),
  idle: () => ({ push: 0 }),
  forfeit: () => ({ push: 0 }),
  fields(io: FieldIO, state) {
    state.tick = io.num(state.tick);
    io.nums(state.places);
    for (let i = 0; i < state.rests.length; i++) state.rests[i] = io.num(state.rests[i]!);
    rngFields(io, state.rng);
  },
  actionFields(io, action) {
    action.push = io.num(action.push);
  },
};

const test: WorldCase<Action> = {
  seed: '18446744073709551615',
  ticks: 60,
  actionAt: scripted(5n, (rng) => ({ push: nextInt(rng, 3) - 1 })),
  badActions: [null, {}, { push: 'hard' }, { push: NaN }, { push: 1, pull: 2 }],
  badConfigs: [null, {}, { length: 0 }, { length: 1.5 }, { width: 3 }],
};

describeWorld(toy, test);
describeWorld({ ...toy, name: 'toy, long' }, { ...test, config: toy.presets['long'] });

/** Which promises a world breaks, by their numbers, and with what words. */
const broken = (changes: Partial<Toy>): Record<string, string> => {
  const found: Record<string, string> = {};
  for (const [promise, check] of Object.entries(contract)) {
    try {
      check({ ...toy, ...changes }, test);
    } catch (error) {
      found[/W\d+/.exec(promise)![0]] = (error as Error).message;
    }
  }
  return found;
};

let hidden = 0;

describe('a world that breaks its promises is caught', () => {
  it('the sound toy breaks none', () => expect(broken({})).toEqual({}));

  it('a field missing from the list', () => {
    const found = broken({
      fields(io, state) {
        state.tick = io.num(state.tick);
        io.nums(state.places);
        rngFields(io, state.rng);
      },
    });
    expect(found['W2']).toMatch(/not brought back.*state\.rests\[/);
  });

  it('dice missing from the list', () => {
    const found = broken({
      fields(io, state) {
        state.tick = io.num(state.tick);
        io.nums(state.places);
        for (let i = 0; i < 2; i++) state.rests[i] = io.num(state.rests[i]!);
      },
    });
    expect(Object.keys(found)).toEqual(expect.arrayContaining(['W2', 'W3']));
  });

  it('a hidden global', () => {
    const found = broken({
      step(state, actions, events, ledger) {
        toy.step(state, actions, events, ledger);
        state.places[0]! += hidden++ % 7;
      },
    });
    expect(Object.keys(found)).toEqual(expect.arrayContaining(['W1', 'W2', 'W3', 'W4', 'W5']));
  });

  it('a view that shares an array with the state, or a template between calls', () => {
    expect(broken({ observe: (state) => ({ places: [...state.places], rests: state.rests }) })['W5']).toMatch(/scribbling on what observe/);
    const template = { seat: 0 };
    expect(broken({ brief: () => template })['W5']).toMatch(/changed what it gives next/);
  });

  it('a view that is no JSON', () => {
    expect(broken({ observe: (state) => ({ places: state.places.slice() as unknown as number[], rests: [] }) })['W5']).toMatch(
      /Float64Array/,
    );
    expect(broken({ observe: () => ({ places: [NaN], rests: [] }) })['W5']).toMatch(/observe\.places\[0\]: JSON cannot hold NaN/);
    expect(() => mustBeJson({ f: () => 1 }, 'x')).toThrow('x.f: JSON cannot hold function');
    expect(() => mustBeJson([undefined], 'x')).toThrow('x[0]');
  });

  it('observing that changes the state', () => {
    const observe = (state: State): View => {
      nextUint32(state.rng);
      return toy.observe(state, 0);
    };
    expect(broken({ observe })['W5']).toMatch(/changed the state: state\.rng/);
  });

  it('a clock and foreign dice', () => {
    const withLuck = (luck: () => number): Partial<Toy> => ({
      step(state, actions, events, ledger) {
        luck();
        toy.step(state, actions, events, ledger);
      },
    });
    expect(Object.keys(broken(withLuck(() => Math.random())))).toEqual(['W6']);
    expect(broken(withLuck(() => Date.now()))['W6']).toMatch(/called Date/);
    expect(broken(withLuck(() => new Date().getTime()))['W6']).toMatch(/called new Date/);
    expect(broken(withLuck(() => performance.now()))['W6']).toMatch(/called performance\.now/);
    expect(Date.now()).toBeGreaterThan(0); // and everything is in its place again
    expect(performance.now()).toBeGreaterThan(0);
  });

  it('a ledger that costs a draw, or hides an event', () => {
    const greedy: Toy['step'] = (state, actions, events, ledger) => {
      if (ledger) nextUint32(state.rng);
      toy.step(state, actions, events, ledger);
    };
    expect(broken({ step: greedy })['W7']).toMatch(/asking for the ledger changed/);
    const shy: Toy['step'] = (state, actions, events, ledger) => toy.step(state, actions, ledger ? [] : events, ledger);
    expect(broken({ step: shy })['W7']).toMatch(/changed the events/);
  });

  it('a door that is open, or answers with a stack', () => {
    expect(broken({ readAction: () => ({ push: 0 }) })['W8']).toMatch(/readAction took null/);
    expect(broken({ readAction: (raw) => ({ push: (raw as Action).push.valueOf() }) })['W8']).toMatch(/no InputError/);
    expect(broken({ readConfig: () => ({ length: 40 }) })['W8']).toMatch(/readConfig took/);
  });

  it('presets, configs, actions, silence, ticks and results', () => {
    expect(broken({ presets: { bad: { length: -1 } } })['W9']).toMatch(/config\.length/);
    expect(broken({ writeConfig: (config) => ({ length: config.length + 1 }) })['W9']).toMatch(/changed by being written/);
    expect(broken({ actionFields: () => {} })['W10']).toMatch(/did not survive its field list/);
    const one = { push: 0 };
    expect(broken({ idle: () => one })['W11'] ?? '').toMatch(/scribbling on an action of idle/);
    const step: Toy['step'] = (state, actions, events: WorldEvent[]) => {
      toy.step(state, actions, events);
      (actions[0] as Action).push = 9;
    };
    expect(broken({ step })['W12']).toMatch(/changed its actions/);
    expect(broken({ result: (state) => toy.result(state) && { scores: [1], ranks: [1], reason: '' } })['W12']).toMatch(
      /1 scores for 2 seats/,
    );
  });
});

describe('scripted play', () => {
  it('does not depend on the order of asking, and differs by tick, seat and seed', () => {
    const play = scripted(9n, (rng) => nextUint32(rng));
    const late = play(100, 1);
    expect(play(0, 0)).toBe(play(0, 0));
    expect(play(100, 1)).toBe(late);
    expect(new Set([play(0, 0), play(0, 1), play(1, 0), scripted(10n, (rng) => nextUint32(rng))(0, 0)]).size).toBe(4);
    const bot = scriptedBot(9n, 1, (rng) => nextUint32(rng));
    expect([bot.act(null), bot.act(null)]).toEqual([play(0, 1), play(1, 1)]);
  });
});

describe('fuzz', () => {
  afterEach(() => void delete process.env['LOCKSTEP_FUZZ_SEED']);

  it('names the seed of the failing case, which then fails alone', () => {
    const attempt = (rng: Rng) => {
      if (nextInt(rng, 20) === 0) throw new Error('boom');
    };
    const caught = (): string => {
      try {
        fuzz('toy fuzz', 500, attempt);
      } catch (error) {
        return (error as Error).message;
      }
      return '';
    };
    const first = caught();
    expect(first).toMatch(/^toy fuzz: case \d+ of 500 failed \(again with LOCKSTEP_FUZZ_SEED=\d+\): boom$/);
    expect(caught()).toBe(first);
    process.env['LOCKSTEP_FUZZ_SEED'] = /SEED=(\d+)/.exec(first)![1];
    expect(caught()).toMatch(/case 0 .*boom/);
  });

  it('gives every case other dice', () => {
    const seen = new Set<number>();
    fuzz('many', 1000, (rng) => void seen.add(nextUint32(rng)));
    expect(seen.size).toBe(1000);
  });
});

describe('goldens', () => {
  const folder = mkdtempSync(join(tmpdir(), 'golden-'));
  afterEach(() => {
    delete process.env['LOCKSTEP_BLESS'];
    rmSync(join(folder, 'toy.json'), { force: true });
  });
  const golden: GoldenCase<State, Action> = {
    file: pathToFileURL(join(folder, 'toy.json')),
    seed: '7',
    config: { length: 250 },
    script: 'random pushes',
    ticks: 1000,
    actionAt: test.actionAt.bind(test),
    numbers: (state) => ({ 'left runner': state.places[0]!, 'right runner': state.places[1]! }),
  };
  const heavier: Toy = {
    ...toy,
    step(state, actions, events, ledger) {
      toy.step(state, actions, events, ledger);
      if (state.tick === 150) state.places[1]! += 1;
    },
  };
  const bless = (world: Toy) => {
    process.env['LOCKSTEP_BLESS'] = '1';
    try {
      checkGolden(world, golden);
    } finally {
      delete process.env['LOCKSTEP_BLESS'];
    }
  };

  it('holds a mark every hundred ticks and at the end', () => {
    expect(playGolden(toy, golden).marks.map((mark) => mark.tick)).toEqual([0, 100, 200, 250]);
  });

  it('is missed when absent, written by a blessing, and then kept', () => {
    expect(() => checkGolden(toy, golden)).toThrow('golden toy.json does not exist; LOCKSTEP_BLESS=1 writes it');
    bless(toy);
    expect(() => checkGolden(toy, golden)).not.toThrow();
    expect(JSON.parse(readFileSync(golden.file, 'utf8'))).toEqual(playGolden(toy, golden));
  });

  it('says what moved and when', () => {
    bless(toy);
    expect(() => checkGolden(heavier, golden)).toThrow(
      /^golden toy\.json: tick 200: right runner [\d.-]+ → [\d.-]+ \(golden of rulesVersion 1/,
    );
    const dice = { ...toy, create: (config: Config) => toy.create(config, 8n) };
    expect(goldenDifference(playGolden(toy, golden), playGolden(dice, golden))).toMatch(/^tick 0: hash .* none of the named numbers$/);
    expect(goldenDifference(playGolden(toy, golden), playGolden(toy, { ...golden, seed: '8' }))).toMatch(/^seed: "7"/);
    expect(goldenDifference(playGolden(toy, golden), playGolden(toy, { ...golden, ticks: 100 }))).toMatch(/tick 200/);
  });

  it('is not blessed without a raised rulesVersion', () => {
    bless(toy);
    expect(() => bless(heavier)).toThrow(/raise rulesVersion/);
    const raised = { ...heavier, rulesVersion: 2 };
    expect(() => checkGolden(raised, golden)).toThrow(/right runner/);
    bless(raised);
    expect(() => checkGolden(raised, golden)).not.toThrow();
    expect(() => checkGolden({ ...raised, rulesVersion: 3 }, golden)).toThrow(/only the version moved/);
    expect(existsSync(golden.file)).toBe(true);
  });
});
