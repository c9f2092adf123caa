import { carryOut } from '@lockstep/solve';
import { describe, expect, it } from 'vitest';
import { Instruction } from '../src/action.ts';
import { readConfig } from '../src/door.ts';
import { judge } from '../src/judge.ts';
import type { Config } from '../src/track.ts';
import { asteracerSolver } from './entry.ts';
import { type Improved, improveWindow } from './improve.ts';
import { closedGaps, goalOrder, valueField } from './picture.ts';
import { prove } from './proof.ts';
import { Solver, type Task } from './solver.ts';
import { QUICK } from './style.ts';
import { Workshop } from './workshop.ts';

const needle = readConfig({ rules: 'v2025', map: 'needle' });
const orchard = readConfig({ rules: 'document', map: 'orchard' });

async function solved(task: Partial<Task> & { readonly config: Config }, nodes: number, hands = 1): Promise<Solver> {
  const solver = new Solver({ seed: 1n, noTouch: false, from: null, ...task });
  const shops = Array.from({ length: hands }, () => new Workshop(task.config, task.noTouch ?? false));
  let turn = 0;
  await carryOut(solver, { hands, run: async (job) => shops[turn++ % hands]!.run(job) }, nodes);
  return solver;
}

const actionsOf = ({ best }: Solver) => best!.thrusts.map(([vx, vy]) => Object.assign(new Instruction(), { vx, vy }));

describe('the solver', () => {
  it.each([
    ['needle', needle, 355],
    ['orchard', orchard, 620],
  ] as const)('finds a good run on %s, and judge and proof agree on it', async (_, config, bound) => {
    const solver = await solved({ config }, 3_000_000);
    const actions = actionsOf(solver);
    const verdict = judge(config, actions);
    expect(verdict).toMatchObject({ finished: true, ticks: actions.length });
    expect(prove(config.map, config.rules, actions)).toMatchObject({ finishedAt: actions.length, collisions: verdict.collisions });
    expect(actions.length).toBeLessThan(bound);
  });

  it('the same seed and nodes give the same run, however many work on it', async () => {
    const runs = await Promise.all([1, 2, 5].map((hands) => solved({ config: needle, seed: 9n }, 2_000_000, hands)));
    expect(runs[1]!.best!.thrusts).toEqual(runs[0]!.best!.thrusts);
    expect(runs[2]!.best!.thrusts).toEqual(runs[0]!.best!.thrusts);
  });

  it('without touching: nothing collides', async () => {
    const solver = await solved({ config: needle, noTouch: true }, 2_000_000);
    expect(judge(needle, actionsOf(solver))).toMatchObject({ finished: true, collisions: 0 });
  });

  it('from a given run: never worse, better with time', async () => {
    const first = (await solved({ config: needle }, 200_000)).best!.thrusts;
    const same = await solved({ config: needle, from: first, seed: 2n }, 1);
    expect(same.best!.thrusts).toEqual(first);
    const better = await solved({ config: needle, from: first, seed: 2n }, 6_000_000);
    expect(better.best!.thrusts.length).toBeLessThan(first.length);
  });

  it('a map without goals is solved by doing nothing; a goal that cannot be reached is given up', async () => {
    const map = (goals: string) => `0 0 1000\n-20000 -20000 20000 20000\n1\n15000 15000 4000\n${goals}\n`;
    expect((await solved({ config: readConfig({ map: map('0') }) }, 1000)).best!.thrusts).toEqual([]);
    expect((await solved({ config: readConfig({ map: map('1\n90000 0 10') }) }, 400_000)).best).toBeNull();
    expect((await solved({ config: readConfig({ map: map('1\n-15000 0 10') }) }, 400_000)).best).not.toBeNull();
  });

  it('boxes smaller than the racer and the edges of the range do not stop it', async () => {
    const narrow = readConfig({ map: '5 5 1000\n0 0 9 9\n0\n1\n-995 -995 1\n' });
    expect((await solved({ config: narrow }, 100_000)).best!.thrusts).toHaveLength(1);
    const far = readConfig({ map: '2147483000 0 100\n-2147483648 -2147483648 2147483647 2147483647\n0\n1\n2147400000 0 500\n' });
    expect((await solved({ config: far }, 1_000_000)).best!.thrusts.length).toBeLessThan(100);
  });

  it('more goals than it can put in order are refused', () => {
    const map = `0 0 1\n-9 -9 9 9\n0\n501\n${'1 1 1\n'.repeat(501)}`;
    expect(() => asteracerSolver.open({ config: { map }, seed: 1n, noTouch: false, from: null })).toThrow(
      'map: expected at most 500 goals, got 501',
    );
  });

  it('says what is wrong with a run to begin with, and with an answer', async () => {
    const question = { config: { map: 'needle' }, seed: 1n, noTouch: false, from: '1\n1 1\n' };
    expect(() => asteracerSolver.open(question)).toThrow('from: expected a run that reaches all 4 goals under document, got "0"');
    expect(() => asteracerSolver.open({ ...question, from: '1\n200 1\n' })).toThrow(/^from: line 2/);
    const answer = { ticks: 1, collisions: 0, text: '1\n1 1\n', config: null, actions: [] };
    expect(asteracerSolver.disproof(question, answer)).toBe('the solver says 1 ticks, the exact model that the run does not finish');
  });
});

/** A run with few directions, long held. */
function clumsy(config: Config): Instruction[] {
  const plan = { style: { ...QUICK, directions: 12, hold: 8 }, effort: 100, mostNodes: 1_000_000 };
  const { thrusts } = new Workshop(config, true).run({ kind: 'fly', order: goalOrder(config, 1n), plan });
  return thrusts!.map(([vx, vy]) => Object.assign(new Instruction(), { vx, vy }));
}

describe('a window', () => {
  it('is improved, the run before and after it stays, and all goals are still reached', () => {
    const run = clumsy(orchard);
    const from = 60;
    const until = 300;
    const { instructions, won, nodes } = improveWindow(orchard, run, from, until, { nodes: 4_000_000, seed: 1n });
    expect(nodes).toBeLessThan(4_500_000);
    expect(won).toBeGreaterThan(0);
    expect(instructions).toHaveLength(run.length - won);
    expect(instructions.slice(0, from)).toEqual(run.slice(0, from).map(({ vx, vy }) => ({ vx, vy })));
    expect(instructions.slice(until - won)).toEqual(run.slice(until).map(({ vx, vy }) => ({ vx, vy })));
    const improved = instructions.map((thrust) => Object.assign(new Instruction(), thrust));
    expect(judge(orchard, improved)).toMatchObject({ finished: true, ticks: run.length - won });
    const told: number[] = [];
    const better = (one: Improved): void => {
      told.push(one.won);
      expect(one.instructions).toHaveLength(run.length - one.won);
    };
    expect(improveWindow(orchard, run, from, until, { nodes: 4_000_000, seed: 1n, better })).toEqual({ instructions, won, nodes });
    expect(told).toEqual([...new Set(told)].sort((a, b) => a - b));
    expect(told.at(-1)).toBe(won);
  });

  it('with the end of the run in it: the end comes earlier', () => {
    const run = clumsy(needle);
    const { instructions, won } = improveWindow(needle, run, run.length - 150, run.length, { nodes: 2_000_000, seed: 1n });
    expect(won).toBeGreaterThan(0);
    expect(judge(needle, instructions.map((thrust) => Object.assign(new Instruction(), thrust)))).toMatchObject({ finished: true }); // prettier-ignore
  });

  it('of a run that reaches nothing is given back as it is; one that is no window is refused', () => {
    const run = Array.from({ length: 20 }, () => ({ vx: 0, vy: 0 }));
    expect(improveWindow(needle, run, 3, 12, { nodes: 1000, seed: 1n })).toEqual({ instructions: run, won: 0, nodes: 0 });
    expect(() => improveWindow(needle, run, 12, 3, { nodes: 1000, seed: 1n })).toThrow('window: expected two ticks within 0..20');
  });
});

describe('pictures for people', () => {
  it('the field is least in the last goal, and grows by leg', () => {
    const { goals } = needle.map;
    const order = goalOrder(needle, 1n);
    expect([...order].sort((a, b) => a - b)).toEqual([0, 1, 2, 3]);
    const field = valueField(needle, order as unknown as readonly [number, ...number[]]);
    expect(field.times).toHaveLength(field.columns * field.rows);
    expect(Math.min(...valueField(needle, [3]).times)).toBe(0);
    expect(Math.min(...field.times)).toBeGreaterThan(50);
    expect(goals).toHaveLength(4);
  });

  it('a closed gap is where two rocks are a little too near to each other', () => {
    const map = (apart: number) =>
      readConfig({ map: `0 0 1000\n-90000 -90000 90000 90000\n2\n0 -${apart} 9000\n0 ${apart} 9000\n0\n` }).map;
    expect(closedGaps(map(9_900))).toEqual([{ x: 0, y: 0, depth: 100, asteroids: [0, 1] }]);
    expect(closedGaps(map(10_100))).toEqual([]);
    expect(closedGaps(map(8_000))).toEqual([]);
  });
});
