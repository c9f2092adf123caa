import { cos, type LedgerEntry, sin, type WorldEvent } from '@lockstep/kernel';
import { describe, expect, it } from 'vitest';
import { Action } from './action.ts';
import type { State } from './state.ts';
import { world } from './world.ts';

const newGame = (raw: object = {}, seed = 1n): State => world.create(world.readConfig(raw), seed);
const idle = (state: State): Action[] => [world.idle(state.config, 0), world.idle(state.config, 1)];
const scores = (state: State) => [state.scoreA, state.scoreB];

function play(state: State, ticks: number): WorldEvent[] {
  const events: WorldEvent[] = [];
  for (let i = 0; i < ticks; i++) world.step(state, idle(state), events);
  return events;
}

/** A game with the ball at rest in the middle of a goal's mouth, at this z. */
function ballAt(z: number, raw: object = {}): State {
  const state = newGame(raw);
  Object.assign(state.ball, { x: 0, y: 5, z });
  return state;
}

describe('kick-off', () => {
  it('[CB-1.2c] robots stand on the floor of their own half, 20 from the centre, the teams opposite each other', () => {
    for (let seed = 0n; seed < 50n; seed++) {
      for (const team_size of [1, 2, 3, 5]) {
        const { robots, ball } = newGame({ draws: 'counter', rules: { team_size } }, seed);
        expect([ball.x, ball.z]).toStrictEqual([0, 0]);
        for (let i = 0; i < team_size; i++) {
          const [one, two] = [robots[i]!, robots[i + team_size]!];
          expect(one.z).toBeLessThan(0);
          expect(Math.abs(Math.sqrt(one.x * one.x + one.z * one.z) - 20)).toBeLessThan(1e-12);
          expect([two.x, two.z]).toStrictEqual([-one.x, -one.z]);
          expect([one.y, two.y]).toStrictEqual([1, 1]);
        }
      }
    }
  });

  it('[CB-1.1a] all robots are alike: at rest, same radius, nitro and touch', () => {
    for (const preset of ['round1', 'round2', 'finals']) {
      const { robots, ball } = newGame({ preset });
      expect([ball.vx, ball.vy, ball.vz, ball.radius]).toStrictEqual([0, 0, 0, 2]);
      for (const { vx, vy, vz, radius, nitro, touch, nx, ny, nz } of robots) {
        expect([vx, vy, vz, radius, touch, nx, ny, nz]).toStrictEqual([0, 0, 0, 1, true, 0, 1, 0]);
        expect(nitro).toBe(preset === 'round1' ? 0 : 50);
      }
    }
  });

  it.each([1, 2, 3])('[CB-G8] [CB-G9] teams of %i stand where the drawn angle says, correctly rounded', (team_size) => {
    const state = newGame({ rules: { team_size, RESET_TICKS: 1 } });
    Object.assign(state.ball, { y: 5, z: 43 });
    const ledger: LedgerEntry[] = [];
    world.step(state, idle(state), [], ledger);
    const drawn = ledger.at(-1) as unknown as { kind: string; ball_y: number; angle: number };
    expect(drawn.kind).toBe('kickoff');
    expect(state.ball.y).toBe(drawn.ball_y);
    expect(Math.abs(drawn.angle)).toBeLessThanOrEqual(0.3);
    for (let i = 0; i < team_size; i++) {
      const spread = team_size === 1 ? 0 : -Math.PI / 6 + (i * Math.PI) / 3 / (team_size - 1);
      const { x, z } = state.robots[i]!;
      expect([x, z]).toStrictEqual([-20 * sin(spread + drawn.angle), -20 * cos(spread + drawn.angle)]);
    }
  });
});

describe('goals', () => {
  it('[CB-1.4b] a goal is scored when the ball is wholly behind the line, not when it touches it', () => {
    const weightless = { rules: { GRAVITY: 0 } };
    const on = ballAt(42, weightless);
    expect(play(on, 1)).toStrictEqual([]);
    expect(scores(on)).toStrictEqual([0, 0]);
    const behind = ballAt(42.00000000000001, weightless);
    expect(play(behind, 1)).toStrictEqual([{ kind: 'goal', seat: 0 }]);
    expect(scores(behind)).toStrictEqual([1, 0]);
    const large = ballAt(42.5, { rules: { GRAVITY: 0, BALL_RADIUS: 3 } });
    expect(play(large, 1)).toStrictEqual([]);
  });

  it('[CB-G23] the ball behind z > 0 is player 1’s goal, behind z < 0 player 2’s, whoever touched it', () => {
    const one = ballAt(43);
    play(one, 1);
    expect(scores(one)).toStrictEqual([1, 0]);
    const two = ballAt(-43);
    expect(play(two, 1)).toStrictEqual([{ kind: 'goal', seat: 1 }]);
    expect(scores(two)).toStrictEqual([0, 1]);
  });

  it('[CB-2.1j] the line is looked at in every microtick, and the tick runs on to its end', () => {
    const state = ballAt(41.5, { rules: { GRAVITY: 0 } });
    state.ball.vz = 60;
    expect(play(state, 1)).toStrictEqual([{ kind: 'goal', seat: 0 }]);
    expect(Math.abs(state.ball.z - 42.5)).toBeLessThan(1e-9);
    expect(state.resetTicks).toBe(119);
  });

  it('[CB-G5] a goal counts once; 119 is seen with the new score, and the kick-off comes 119 ticks later', () => {
    const state = ballAt(43, { preset: 'round2' });
    play(state, 1);
    for (let seen = 119; seen > 0; seen--) {
      expect([state.resetTicks, state.scoreA, state.scoreB]).toStrictEqual([seen, 1, 0]);
      expect(state.ball.z).toBeGreaterThan(41);
      const events = play(state, 1);
      expect(events).toStrictEqual(seen === 1 ? [{ kind: 'kickoff' }] : []);
    }
    expect(state.tick).toBe(120);
    expect([state.resetTicks, state.ball.x, state.ball.z]).toStrictEqual([0, 0, 0]);
    expect(state.robots.map((robot) => robot.y)).toStrictEqual([1, 1, 1, 1]);
    expect([...state.order]).toStrictEqual([0, 1, 2, 3]);
  });

  it('[CB-1.4c] RESET_TICKS is the rules’', () => {
    const state = ballAt(43, { rules: { RESET_TICKS: 7 } });
    expect(play(state, 6)).toStrictEqual([{ kind: 'goal', seat: 0 }]);
    expect(play(state, 1)).toStrictEqual([{ kind: 'kickoff' }]);
  });

  it('[CB-G5] during the reset robots are still obeyed, and nothing scores, not even in the other goal', () => {
    const state = ballAt(43);
    play(state, 1);
    const before = state.robots[0]!.x;
    state.ball.z = -43;
    const actions = idle(state);
    actions[0]!.robots[0]!.target_velocity_x = 30;
    const events: WorldEvent[] = [];
    for (let i = 0; i < 30; i++) world.step(state, actions, events);
    expect(events).toStrictEqual([]);
    expect(scores(state)).toStrictEqual([1, 0]);
    expect(state.robots[0]!.x).toBeGreaterThan(before + 3);
  });

  it('[CB-G6] after a goal the ball cannot leave the goal: a velocity out of it is set to 0', () => {
    const rules = { GRAVITY: 0 };
    const inPlay = ballAt(41, { rules });
    inPlay.ball.vz = -6;
    play(inPlay, 1);
    expect(inPlay.ball.vz).toBe(-6);
    for (const side of [1, -1]) {
      const state = ballAt(45 * side, { rules });
      Object.assign(state.ball, { vx: 1, vz: -6 * side });
      state.resetTicks = 50;
      play(state, 1);
      expect(state.ball.vz).toBe(0);
      expect(state.ball.vx).toBe(1);
      expect(state.ball.z).toBe(side * (45 - 6 * (1 / 60 / 100))); // one microtick of its way
    }
  });

  it('[CB-G12] [CB-1.5e] at a kick-off every robot has START_NITRO_AMOUNT again, and the packs keep their timers', () => {
    const state = ballAt(43, { preset: 'round2' });
    state.robots[0]!.nitro = 3;
    state.robots[3]!.nitro = 100;
    state.packs[1]!.respawnTicks = 300;
    state.packs[2]!.respawnTicks = 50;
    play(state, 120);
    expect(state.robots.map((robot) => robot.nitro)).toStrictEqual([50, 50, 50, 50]);
    expect(state.packs.map((pack) => pack.respawnTicks)).toStrictEqual([0, 180, 0, 0]);
  });
});

describe('the end', () => {
  it('[CB-1.2f] a game ends after max_tick_count ticks, not before', () => {
    const state = newGame({ ticks: 3 });
    play(state, 2);
    expect(world.result(state)).toBeNull();
    play(state, 1);
    expect(world.result(state)).toStrictEqual({ scores: [0, 0], ranks: [1, 1], reason: 'time is up' });
    expect(world.result(newGame())).toBeNull();
  });

  it('[CB-1.1b] more goals win; equal goals share the first place', () => {
    const end = (scoreA: number, scoreB: number) => {
      const state = newGame({ ticks: 1 });
      Object.assign(state, { scoreA, scoreB, tick: 1 });
      return world.result(state);
    };
    expect(end(2, 1)).toMatchObject({ scores: [2, 1], ranks: [1, 2] });
    expect(end(0, 1)).toMatchObject({ scores: [0, 1], ranks: [2, 1] });
    expect(end(4, 4)).toMatchObject({ scores: [4, 4], ranks: [1, 1] });
  });

  it('[CB-G14] it ends early as soon as both strategies have crashed, and only then', () => {
    const state = newGame();
    const events: WorldEvent[] = [];
    world.step(state, [world.forfeit(state.config, 0), world.idle(state.config, 1)], events);
    expect(events).toStrictEqual([{ kind: 'crash', seat: 0 }]);
    expect(world.result(state)).toBeNull();
    world.step(state, [world.forfeit(state.config, 0), world.forfeit(state.config, 1)], events);
    expect(events.slice(1)).toStrictEqual([{ kind: 'crash', seat: 1 }]); // told once
    expect(world.result(state)).toStrictEqual({ scores: [0, 0], ranks: [1, 1], reason: 'all strategies crashed' });
  });

  it('[CB-1.2g] a crashed strategy stays crashed, and the game goes on', () => {
    const state = newGame();
    world.step(state, [world.idle(state.config, 0), world.forfeit(state.config, 1)], []);
    play(state, 5);
    expect([state.crashedA, state.crashedB, state.tick]).toStrictEqual([false, true, 6]);
    expect(world.result(state)).toBeNull();
  });

  it('[CB-G18] the robots of a crashed strategy get orders of zero: one that ran comes to rest', () => {
    const state = newGame();
    const forfeit = world.forfeit(state.config, 0);
    expect(forfeit.crashed).toBe(true);
    expect(forfeit.robots).toStrictEqual(new Action(2).robots);
    const running = idle(state);
    running[1]!.robots[0]!.target_velocity_z = 20;
    for (let i = 0; i < 20; i++) world.step(state, running, []);
    expect(state.robots[2]!.vz).toBe(20);
    for (let i = 0; i < 20; i++) world.step(state, [world.idle(state.config, 0), world.forfeit(state.config, 1)], []);
    expect(Math.abs(state.robots[2]!.vz)).toBeLessThan(1e-5);
  });
});
