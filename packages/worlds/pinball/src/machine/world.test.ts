import { InputError, type LedgerEntry, nextInt, type Rng } from '@lockstep/kernel';
import { checkGolden, describeWorld, scripted } from '@lockstep/testkit';
import { describe, expect, it } from 'vitest';
import { Controls } from './action.ts';
import { readConfig, writeConfig } from './door.ts';
import { State } from './state.ts';
import { TABLES } from './tables.ts';
import { world } from './world.ts';

/** Random buttons, held for forty ticks; the plunger is pulled and let go again and again, the table pushed now and then. */
const random = (() => {
  const at = scripted(5n, (rng: Rng): Controls => {
    const controls = new Controls();
    controls.left = nextInt(rng, 3) === 0;
    controls.right = nextInt(rng, 3) === 0;
    controls.plunger = nextInt(rng, 2);
    controls.nudgeX = nextInt(rng, 8) === 0 ? (nextInt(rng, 9) - 4) / 8 : 0;
    return controls;
  });
  return (tick: number, seat: number): Controls => at(Math.floor(tick / 40), seat);
})();

const badActions = [null, [], 'left', { left: 1 }, { plunger: 1.1 }, { plunger: '1' }, { nudgeX: -2 }, { nudgeY: NaN }, { tilt: true }];
const badConfigs = [
  null,
  'nowhere',
  { preset: 'nowhere' },
  { table: 'nowhere' },
  { table: 7 },
  { table: {} },
  { table: { ...(TABLES['learner'] as object), radius: -1 } },
  { balls: 0 },
  { ticks: 1.5 },
  { colour: 'red' },
];

describe.each(Object.keys(TABLES))('on %s', (table) => {
  describeWorld(world, {
    config: { table, ticks: 700 },
    seed: '18446744073709551615',
    ticks: 800,
    actionAt: random,
    badActions,
    badConfigs,
  });
});
describe('a table that came as data', () => {
  const config = { table: TABLES['learner'], balls: 1 };
  describeWorld(world, { config, seed: 1n, ticks: 500, actionAt: random, badActions, badConfigs });
});

const numbers = ({ score, ballsLeft, physics: { x, y, vx, vy } }: State): Record<string, number> => ({
  score,
  ballsLeft,
  x: x[0]!,
  y: y[0]!,
  vx: vx[0]!,
  vy: vy[0]!,
});

describe('goldens', () => {
  it.each(Object.keys(TABLES).flatMap((table) => ['1', '2'].map((seed) => ({ table, seed }))))(
    '[PB-M2] $table, seed $seed: the game goes as it always has',
    ({ table, seed }) => {
      const file = new URL(`../../golden/${table}-random-${seed}.json`, import.meta.url);
      const golden = { file, config: { table }, seed, script: 'random buttons', ticks: 5000, actionAt: random, numbers };
      expect(() => checkGolden(world, golden)).not.toThrow();
    },
  );
});

describe('the door', () => {
  it('[PB-M1.4] a table of ours is written by its name, another by its data', () => {
    expect(writeConfig(readConfig('learner'))).toEqual({ table: 'learner', balls: 3, ticks: 450_000 });
    const own = writeConfig(readConfig({ table: { ...(TABLES['learner'] as object), name: 'mine' } })) as { table: { name: string } };
    expect(own.table.name).toBe('mine');
  });

  it('[PB-M2.1] what is left out of an action is let go, and zero has no sign', () => {
    const state = new State(readConfig('learner'), 1n);
    expect(world.readAction({ left: true, nudgeX: -0 }, state, 0)).toEqual({
      left: true,
      right: false,
      plunger: 0,
      nudgeX: 0,
      nudgeY: 0,
      gone: false,
    });
  });

  it.each(['plunger', 'nudgeX', 'nudgeY'] as const)('[PB-M2.1] the step refuses what no door lets in: %s', (name) => {
    const state = new State(readConfig('learner'), 1n);
    for (const value of [2, NaN, -1.5]) {
      const controls = Object.assign(new Controls(), { [name]: value });
      expect(() => world.step(state, [controls], [])).toThrow(InputError);
    }
    expect(state.tick).toBe(0);
  });
});

describe('the result', () => {
  it('[PB-M2.2] a game ends with its last ball, when the time is up, or without its player', () => {
    const config = readConfig({ table: 'learner', balls: 1, ticks: 20 });
    const idle = new State(config, 1n);
    for (let k = 0; k < 20; k++) {
      expect(world.result(idle)).toBeNull();
      world.step(idle, [world.idle(config, 0)], []);
    }
    expect(world.result(idle)).toEqual({ scores: [0], ranks: [1], reason: 'time is up' });
    const gone = new State(config, 1n);
    world.step(gone, [world.forfeit(config, 0)], []);
    expect(world.result(gone)?.reason).toBe('the player is out');
    const lost = new State(config, 1n);
    lost.ballsLeft = 0;
    expect(world.result(lost)?.reason).toBe('game over');
  });

  it('[PB-M2.3] a seat is told the whole table, and sees balls, flippers, targets and score', () => {
    const config = readConfig('classic');
    const state = new State(config, 1n);
    const ledger: LedgerEntry[] = [];
    world.step(state, [new Controls()], [], ledger);
    expect(readConfig(world.brief(state, 0).config).machine.layout).toEqual(config.machine.layout);
    const view = world.observe(state, 0);
    expect(view.balls).toMatchObject([{ id: 0, x: 48, y: 10, onPlunger: true, held: false }]);
    expect([view.movers.length, view.targets, view.mission]).toEqual([3, [true, true, true, true, true], null]);
    expect(ledger).toHaveLength(1);
  });
});
