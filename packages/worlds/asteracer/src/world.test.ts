import { InputError, nextInt, type Rng } from '@lockstep/kernel';
import { checkGolden, describeWorld, scripted } from '@lockstep/testkit';
import { describe, expect, it } from 'vitest';
import { bots } from '../bots/index.ts';
import { Instruction } from './action.ts';
import { readConfig, writeConfig } from './door.ts';
import { writeMap } from './formats.ts';
import { MAPS } from './maps.ts';
import { RULE_NAMES } from './rules.ts';
import { State } from './state.ts';
import { world } from './world.ts';

/** Random legal thrusts, held for fifteen ticks. */
const random = (() => {
  const at = scripted(3n, (rng: Rng): Instruction => {
    const instruction = new Instruction();
    instruction.vx = nextInt(rng, 179) - 89;
    instruction.vy = nextInt(rng, 179) - 89;
    return instruction;
  });
  return (tick: number, seat: number): Instruction => at(Math.floor(tick / 15), seat);
})();

/** What the pilot plays in a race of its own: a function of the config and the tick alone. */
function piloted(config: object) {
  const state = world.create(readConfig(config), 0n);
  const bot = bots.pilot(world.brief(state, 0), 0);
  const played: Instruction[] = [];
  return (tick: number): Instruction => {
    while (played.length <= tick) {
      played.push(world.readAction(bot.act(world.observe(state, 0)), state, 0));
      world.step(state, [played.at(-1)!], []);
    }
    return played[tick]!;
  };
}

const badActions = [
  null,
  [],
  'left',
  {},
  { vx: 1 },
  { vx: 1.5, vy: 0 },
  { vx: 90, vy: 90 },
  { vx: -128, vy: 0 },
  { vx: 0, vy: 0, boost: true },
];
const badConfigs = [
  null,
  'v2024',
  { ticks: 0 },
  { rules: 'fast' },
  { map: 'nowhere' },
  { map: 7 },
  { map: '0 0 1\n5 5 -5 -5\n0\n0\n' },
  { colour: 'red' },
  { rules: null },
];

describe.each(RULE_NAMES)('under %s', (rules) => {
  const config = { rules, map: 'needle', ticks: 250 };
  describeWorld(world, { config, seed: '18446744073709551615', ticks: 300, actionAt: random, badActions, badConfigs });
});
describe('a race to its end', () => {
  const config = { preset: 'v2025', map: 'needle' };
  describeWorld(world, { config, seed: 1n, ticks: 600, actionAt: piloted(config), badActions, badConfigs });
});

const numbers = ({ x, y, vx, vy, reachedCount }: State): Record<string, number> => ({ x, y, vx, vy, reachedCount });

describe('goldens', () => {
  it.each(
    RULE_NAMES.flatMap((rules) =>
      ['orchard', 'needle'].flatMap((map) => [
        { name: `${map}-random-${rules}`, config: { rules, map }, script: 'random thrusts', actionAt: random },
        { name: `${map}-pilot-${rules}`, config: { rules, map }, script: 'the pilot', actionAt: piloted({ rules, map }) },
      ]),
    ),
  )('[AR-2] $name: the race goes as it always has', ({ name, ...golden }) => {
    const file = new URL(`../golden/${name}.json`, import.meta.url);
    expect(() => checkGolden(world, { ...golden, file, seed: '1', ticks: 600, numbers })).not.toThrow();
  });
});

describe('the door', () => {
  it('[AR-3.3] the document is the default, and every set of rules is a preset', () => {
    expect(Object.keys(world.presets)).toEqual([...RULE_NAMES]);
    expect(readConfig({}).rules).toBe('document');
    for (const rules of RULE_NAMES) expect(readConfig(rules).rules).toBe(rules);
  });

  it('[AR-4.1] a config carries its map as text, so a recorded race needs no file', () => {
    const config = readConfig({ map: 'needle', ticks: 77 });
    expect(writeConfig(config)).toEqual({ rules: 'document', ticks: 77, map: MAPS['needle'] });
    expect(writeMap(readConfig(writeConfig(config)).map)).toBe(MAPS['needle']);
  });

  it('[AR-1.3] a race is as long as its config says, else long enough for its goals', () => {
    expect([readConfig({}).ticks, readConfig({ map: 'odyssey' }).ticks, readConfig({ map: 'odyssey', ticks: 9 }).ticks]).toEqual([
      3600, 28_000, 9,
    ]);
  });

  it.each([
    [{ map: '0 0 1\n5 5 -5 -5\n0\n0\n' }, 'config.map: line 2: expected a box with min at most max, got "5 5 -5 -5"'],
    [{ map: 'nowhere' }, 'config.map: expected one of orchard, needle, dash, thicket, odyssey, got "nowhere"'],
    [{ rules: 'fast' }, 'config.rules: expected one of document, py2023, cpp2023, v2025, got "fast"'],
  ])('[AR-4.1] [AR-3.3] %#: a bad config is refused by path', (raw, message) => {
    expect(() => readConfig(raw)).toThrow(InputError);
    expect(() => readConfig(raw)).toThrow(message);
  });

  it('[AR-2.1] an instruction at the very limit is taken, zero has no sign, and a longer one is refused', () => {
    const state = world.create(readConfig({}), 0n);
    expect(world.readAction({ vx: -127, vy: -0 }, state, 0)).toEqual({ vx: -127, vy: 0, gone: false });
    expect(() => world.readAction({ vx: 127, vy: 1 }, state, 0)).toThrow('action: expected vx*vx + vy*vy at most 16129, got "127 1"');
  });
});

describe('the result', () => {
  it('[AR-1.3] is there at once without goals, else when all are reached, the time is up or the pilot is out', () => {
    expect(world.result(new State(readConfig({ map: '0 0 1\n-9 -9 9 9\n0\n0\n' })))?.reason).toBe('all goals reached in 0 ticks');
    const config = readConfig({ map: '0 0 1\n-99 -99 99 99\n0\n1\n50 0 5\n', ticks: 3 });
    const idle = new State(config);
    for (let i = 0; i < 3; i++) {
      expect(world.result(idle)).toBeNull();
      world.step(idle, [world.idle(config, 0)], []);
    }
    expect(world.result(idle)).toEqual({ scores: [0], ranks: [1], reason: 'time is up' });
    const gone = new State(config);
    world.step(gone, [world.forfeit(config, 0)], []);
    expect(world.result(gone)?.reason).toBe('the pilot is out');
    const racer = new State(config);
    world.step(racer, [world.readAction({ vx: 50, vy: 0 }, racer, 0)], []);
    expect(world.result(racer)).toEqual({ scores: [1], ranks: [1], reason: 'all goals reached in 1 ticks' });
  });

  it('[AR-4.3] a seat sees the public state, by name', () => {
    const state = world.create(readConfig({}), 0n);
    expect(world.observe(state, 0)).toEqual({ tick: 0, x: -135000, y: -75000, vx: 0, vy: 0, goals: '000000' });
  });
});
