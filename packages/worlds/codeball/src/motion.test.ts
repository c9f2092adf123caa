import type { LedgerEntry } from '@lockstep/kernel';
import { describe, expect, it } from 'vitest';
import { Action, type RobotAction } from './action.ts';
import type { State } from './state.ts';
import { world } from './world.ts';

/** Rules with round numbers: one microtick of 1/64 s a tick, and gravity that takes 1/2 off the velocity and 1/256 off the height. */
const ROUND = { TICKS_PER_SECOND: 64, MICROTICKS_PER_TICK: 1, GRAVITY: 32 };
const WEIGHTLESS = { ...ROUND, GRAVITY: 0 };
const dt = 1 / 64;

/** A game in which everybody hangs in the air at rest, far from everything. */
function parked(rules: object, raw: object = {}): State {
  const state = world.create(world.readConfig({ draws: 'none', nitro: true, rules, ...raw }), 1n);
  Object.assign(state.ball, { x: 0, y: 10, z: 0 });
  for (const [i, robot] of state.robots.entries()) {
    Object.assign(robot, { x: i % 2 === 0 ? -15 : 15, y: 10, z: robot.seat === 0 ? -20 : 20, touch: false });
  }
  return state;
}

/** One tick in which robot 1 has these orders and everybody else none. */
function tick(state: State, orders: Partial<RobotAction> = {}, others: Partial<RobotAction> = {}): State {
  const actions = [world.idle(state.config, 0), world.idle(state.config, 1)];
  for (const action of actions) for (const robot of action.robots) Object.assign(robot, others);
  Object.assign(actions[0]!.robots[0]!, others, orders);
  world.step(state, actions, []);
  return state;
}

const velocity = ({ vx, vy, vz }: { vx: number; vy: number; vz: number }) => [vx, vy, vz];
const position = ({ x, y, z }: { x: number; y: number; z: number }) => [x, y, z];

describe('move', () => {
  it('[CB-2.1c] a free body falls: the position by v dt - G dt² / 2, the velocity by G dt', () => {
    const state = parked(ROUND);
    Object.assign(state.ball, { vx: 3, vy: 2 });
    tick(state);
    expect(position(state.ball)).toStrictEqual([3 / 64, 10 + 2 / 64 - 1 / 256, 0]);
    expect(velocity(state.ball)).toStrictEqual([3, 1.5, 0]);
  });

  it('[CB-2.1c] no body is faster than MAX_ENTITY_SPEED; the limit comes before the move, gravity after it', () => {
    const state = parked(ROUND);
    Object.assign(state.ball, { vx: 90, vz: 120 });
    tick(state);
    expect(velocity(state.ball)).toStrictEqual([60, -0.5, 80]);
    expect(position(state.ball)).toStrictEqual([60 / 64, 10 - 1 / 256, 80 / 64]);
  });

  it('[CB-2.1l] a tick is MICROTICKS_PER_TICK updates of (1 / TICKS_PER_SECOND) / MICROTICKS_PER_TICK', () => {
    const state = parked({});
    let [y, vy] = [10, 0];
    const micro = 1 / 60 / 100;
    for (let i = 0; i < 100; i++) {
      y += vy * micro;
      y -= (30 * micro * micro) / 2;
      vy -= 30 * micro;
    }
    tick(state);
    expect([state.ball.y, state.ball.vy]).toStrictEqual([y, vy]);
    expect(state.tick).toBe(1);
  });
});

describe('control', () => {
  /** Robot 1 stands on the floor. */
  function standing(rules: object = ROUND) {
    const state = parked(rules);
    Object.assign(state.robots[0]!, { y: 1, touch: true, nx: 0, ny: 1, nz: 0 });
    return state;
  }

  it('[CB-2.1d] on the floor the velocity strives for the target, limited to ROBOT_MAX_GROUND_SPEED, with ROBOT_ACCELERATION', () => {
    const [robot] = tick(standing(), { target_velocity_x: 30, target_velocity_z: 40 }).robots;
    expect(velocity(robot!)).toStrictEqual([60 * dt, 0, 80 * dt]);
    expect(robot!.y).toBe(1);
    let state = standing({ ...ROUND, ROBOT_ACCELERATION: 10_000 });
    state = tick(state, { target_velocity_x: 30, target_velocity_z: 40 });
    expect(velocity(state.robots[0]!)).toStrictEqual([18, 0, 24]);
  });

  it('[CB-1.6] [CB-1.6a] a target that is near is met exactly; one across the plane of contact does nothing', () => {
    expect(velocity(tick(standing(), { target_velocity_x: 0.75, target_velocity_z: 1 }).robots[0]!)).toStrictEqual([0.75, 0, 1]);
    expect(velocity(tick(standing(), { target_velocity_y: 25 }).robots[0]!)).toStrictEqual([0, 0, 0]);
  });

  it('[CB-1.6a] in the air there is no control', () => {
    expect(velocity(tick(parked(WEIGHTLESS), { target_velocity_x: 30 }).robots[0]!)).toStrictEqual([0, 0, 0]);
  });

  it.each([
    [1, 100],
    [0.6, 60],
    [0, 0],
    [-0.6, 0],
    [-1, 0],
  ])('[CB-1.6b] with a touch normal whose y is %d the acceleration is %d', (ny, acceleration) => {
    const state = parked(WEIGHTLESS);
    Object.assign(state.robots[0]!, { touch: true, nx: Math.sqrt(1 - ny * ny), ny });
    tick(state, { target_velocity_z: 30 });
    expect(state.robots[0]!.vz).toBe(acceleration * dt);
  });

  it('[CB-G3] a change of 1e-5 or less is not made, neither by the ground nor by nitro', () => {
    const by = (target_velocity_x: number, use_nitro: boolean) => {
      const state = parked(WEIGHTLESS);
      state.robots[0]!.touch = !use_nitro;
      return tick(state, { target_velocity_x, use_nitro }).robots[0]!.vx;
    };
    for (const use_nitro of [false, true]) {
      expect(by(0.99e-5, use_nitro)).toBe(0);
      expect(by(1e-5, use_nitro)).toBe(0);
      expect(by(1.01e-5, use_nitro)).toBeGreaterThan(1e-5);
    }
  });

  it('[CB-2.1e] nitro changes the velocity in any direction, by ROBOT_NITRO_ACCELERATION, and is paid for by the length of the change', () => {
    const [robot] = tick(parked(WEIGHTLESS), { target_velocity_y: 60, target_velocity_z: 80, use_nitro: true }).robots;
    expect(velocity(robot!)).toStrictEqual([0, 18 * dt, 24 * dt]);
    expect(robot!.nitro).toBe(50 - (30 * dt) / 0.6);
  });

  it('[CB-1.6c] nitro acts on the ground too, after control, towards the unlimited target', () => {
    const state = standing(WEIGHTLESS);
    tick(state, { target_velocity_x: 1000, use_nitro: true });
    expect(state.robots[0]!.vx).toBe(100 * dt + 30 * dt);
  });

  it('[CB-1.5a] one unit of nitro is worth NITRO_POINT_VELOCITY_CHANGE, and nobody spends more than he has', () => {
    const state = parked(WEIGHTLESS);
    for (let i = 0; i < 70; i++) tick(state, { target_velocity_x: 1000, use_nitro: true });
    const { vx, nitro } = state.robots[0]!;
    expect(Math.abs(vx - 50 * 0.6)).toBeLessThan(1e-4);
    expect(nitro).toBeGreaterThanOrEqual(0);
    expect(nitro * 0.6).toBeLessThanOrEqual(1e-5);
  });

  it('[CB-1.5f] without nitro the amount is 0 and asking for it does nothing', () => {
    const state = parked(WEIGHTLESS, { nitro: false });
    tick(state, { target_velocity_x: 1000, use_nitro: true });
    expect(state.robots.map((robot) => [robot.nitro, robot.vx])).toStrictEqual([
      [0, 0],
      [0, 0],
      [0, 0],
      [0, 0],
    ]);
    expect(state.packs).toStrictEqual([]);
  });
});

describe('jump', () => {
  it('[CB-1.4d] [CB-2.1f] the radius grows with the jump speed, from ROBOT_MIN_RADIUS to ROBOT_MAX_RADIUS, and shrinks at once', () => {
    const state = parked(WEIGHTLESS);
    expect(tick(state, { jump_speed: 7.5 }).robots[0]!.radius).toBe(1 + ((1.05 - 1) * 7.5) / 15);
    expect(tick(state, { jump_speed: 15 }).robots[0]!.radius).toBe(1.05);
    expect(tick(state, {}).robots[0]!.radius).toBe(1);
  });

  it('[CB-1.4e] on the floor a jump gives the jump speed, and the robot no longer touches a tick later', () => {
    const state = parked(ROUND);
    const robot = state.robots[0]!;
    Object.assign(robot, { y: 1, touch: true });
    tick(state, { jump_speed: 15 });
    expect([robot.y, robot.vy, robot.touch]).toStrictEqual([1.05, 15, true]);
    // It still touches when the next tick begins, so control takes something off the jump first.
    tick(state, { jump_speed: 15 });
    const vy = 15 - 100 * dt;
    expect([robot.y, robot.vy, robot.touch]).toStrictEqual([1.05 + vy * dt - 1 / 256, vy - 0.5, false]);
  });

  it('[CB-1.4d] a robot that grows jumps off a wall', () => {
    const state = parked(WEIGHTLESS);
    const robot = state.robots[0]!;
    robot.x = -29;
    tick(state, { jump_speed: 10 });
    expect(robot.vx).toBe(10);
    expect([robot.nx, robot.touch]).toStrictEqual([1, true]);
  });

  it('[CB-1.4e] a jump makes a hit harder', () => {
    const struck = (jump_speed: number) => {
      const state = parked(WEIGHTLESS);
      Object.assign(state.robots[0]!, { x: -2.95, z: 0, vx: 10 });
      return tick(state, { jump_speed }).ball.vx;
    };
    const [gentle, hard] = [struck(0), struck(15)];
    // (1 + 0.5) * (10 + jump) * 2 / 3
    expect(Math.abs(gentle - 10)).toBeLessThan(1e-12);
    expect(Math.abs(hard - 25)).toBeLessThan(1e-12);
  });
});

describe('collide_with_arena', () => {
  it('[CB-1.4f] a robot that meets the arena stops along the normal', () => {
    const state = parked(WEIGHTLESS);
    const robot = state.robots[0]!;
    Object.assign(robot, { x: -28.9, vx: -20, vz: 5 });
    tick(state);
    expect(velocity(robot)).toStrictEqual([0, 0, 5]);
    expect(robot.x).toBe(-29);
    expect([robot.touch, robot.nx]).toStrictEqual([true, 1]);
  });

  it('[CB-1.4] [CB-1.4a] the ball comes back with BALL_ARENA_E of its speed', () => {
    const state = parked(WEIGHTLESS);
    Object.assign(state.ball, { x: 27.9, vx: 20, vz: 5 });
    tick(state);
    expect(velocity(state.ball)).toStrictEqual([20 - (1 + 0.7) * 20, 0, 5]);
    expect(state.ball.x).toBe(28);
  });

  it('[CB-2.1b] a body inside a wall is pushed to its surface, by all the way it is in', () => {
    const state = parked(WEIGHTLESS);
    state.robots[0]!.x = -33;
    tick(state);
    expect(state.robots[0]!.x).toBe(-29);
    expect(velocity(state.robots[0]!)).toStrictEqual([0, 0, 0]);
  });

  it('[CB-G2] a robot that already leaves the surface is pushed out, but does not touch', () => {
    const state = parked(WEIGHTLESS);
    const robot = state.robots[0]!;
    Object.assign(robot, { x: -29.5, vx: 5 });
    tick(state);
    expect([robot.x, robot.vx, robot.touch]).toStrictEqual([-29, 5, false]);
  });

  it('[CB-2.1m] when a robot lets go, its last normal stays in the state', () => {
    const state = parked(WEIGHTLESS);
    const robot = state.robots[0]!;
    Object.assign(robot, { touch: true, nx: 0.6, ny: 0.8, nz: 0 });
    tick(state);
    expect([robot.touch, robot.nx, robot.ny, robot.nz]).toStrictEqual([false, 0.6, 0.8, 0]);
  });
});

describe('collide_entities', () => {
  it('[CB-2.1a] robot and ball are pushed apart and exchange an impulse, by inverse mass', () => {
    const state = parked(WEIGHTLESS);
    const robot = state.robots[0]!;
    const { ball } = state;
    Object.assign(robot, { x: -2.5, z: 0, vx: 32 }); // at -2 after the move: one unit inside the ball
    tick(state);
    const share = 1 / 2 / (1 / 2 + 1 / 1);
    expect(robot.x).toBe(-2 - share);
    expect(ball.x).toBe(0 + 1 / (1 / 2 + 1 / 1));
    // restitution 0.5: an impulse of 1.5 * 32
    expect(robot.vx).toBe(32 - 48 * share);
    expect(ball.vx).toBe(48 * (1 / (1 / 2 + 1 / 1)));
    // what the document promises by that: the momentum stays
    expect(Math.abs(2 * robot.vx + ball.vx - 64)).toBeLessThan(1e-12);
  });

  it('[CB-G1] both jumps count against each other: two jumping robots fly apart', () => {
    const state = parked(WEIGHTLESS);
    const [one, two] = state.robots;
    Object.assign(one!, { x: -0.5, z: 20 });
    Object.assign(two!, { x: 0.5, z: 20 });
    tick(state, { jump_speed: 5 }, { jump_speed: 5 });
    expect([one!.vx, two!.vx]).toStrictEqual([-7.5, 7.5]); // (1 + 0.5) * (5 + 5) / 2 each
  });

  it('[CB-2.1a] bodies that overlap but part are pushed, not hit', () => {
    const state = parked(WEIGHTLESS);
    const [one, two] = state.robots;
    Object.assign(one!, { x: -0.5, z: 20, vx: -2 });
    Object.assign(two!, { x: 0.5, z: 20, vx: 2 });
    tick(state);
    expect([one!.vx, two!.vx]).toStrictEqual([-2, 2]);
    expect([one!.x, two!.x]).toStrictEqual([-1, 1]);
  });

  it('[CB-G10] bodies with the same centre are parted upwards', () => {
    const state = parked(WEIGHTLESS);
    const [one, two] = state.robots;
    Object.assign(one!, { x: 3, y: 10, z: 20 });
    Object.assign(two!, { x: 3, y: 10, z: 20 });
    tick(state);
    // `a` is the later robot of the order: it goes down
    expect([position(one!), position(two!)]).toStrictEqual([
      [3, 11, 20],
      [3, 9, 20],
    ]);
  });

  it('[CB-2.1h] robots meet robots before anybody meets the ball: pairs in the order of the shuffle, the later one first', () => {
    const state = world.create(world.readConfig({ draws: 'official', rules: { team_size: 3, GRAVITY: 0 } }), 3n);
    state.robots.forEach((robot, i) => Object.assign(robot, { x: Math.floor(i / 2) * 0.5, y: 10, z: (i % 2) * 0.5, touch: false }));
    Object.assign(state.ball, { x: 0.2, y: 11, z: 0.3 });
    const jump = () => {
      const action = new Action(3);
      for (const robot of action.robots) robot.jump_speed = 15;
      return action;
    };
    const ledger: LedgerEntry[] = [];
    world.step(state, [jump(), jump()], [], ledger);
    let order: number[] = [];
    let last = -1;
    let hits = 0;
    for (const entry of ledger) {
      if (entry.kind === 'order') {
        order = entry['robots'] as number[];
        last = -1;
        continue;
      }
      hits++;
      const [i, j] = [order.indexOf(entry['a'] as number), order.indexOf(entry['b'] as number)];
      // robot pairs are numbered 10 i + j; the ball's come after all of them, in the order of the robots
      const number = entry['b'] === 0 ? 1000 + i : 10 * i + j;
      if (entry['b'] !== 0) expect(j).toBeLessThan(i);
      expect(number).toBeGreaterThan(last);
      last = number;
    }
    expect(hits).toBeGreaterThan(10);
  });
});

describe('packs', () => {
  /** Robot 1 at a distance from the pack at (20, 1, 30), in the air beside it. */
  function beside(distance: number, rules: object = WEIGHTLESS) {
    const state = parked(rules);
    Object.assign(state.robots[0]!, { x: 20, y: 1, z: 30 - distance });
    return state;
  }

  it('[CB-G19] a robot takes a pack at exactly the sum of radii, and not beyond it', () => {
    expect(tick(beside(1.5)).packs[3]!.respawnTicks).toBe(599);
    expect(tick(beside(1.5000001)).packs[3]!.respawnTicks).toBe(0);
  });

  it('[CB-1.5] [CB-1.5b] taking a pack fills the robot up', () => {
    const state = tick(beside(1));
    expect(state.robots.map((robot) => robot.nitro)).toStrictEqual([100, 50, 50, 50]);
    expect(state.packs.map((pack) => pack.respawnTicks)).toStrictEqual([0, 0, 0, 599]);
  });

  it('[CB-G20] up to MAX_NITRO_AMOUNT, whatever NITRO_PACK_AMOUNT and ROBOT_RADIUS say', () => {
    const state = tick(beside(1.5, { ...WEIGHTLESS, NITRO_PACK_AMOUNT: 7, ROBOT_RADIUS: 50 }));
    expect(state.robots[0]!.nitro).toBe(100);
    expect(state.robots[0]!.radius).toBe(1);
  });

  it('[CB-2.1k] a full robot takes none; of two robots the first in order takes it; one robot takes every pack it reaches', () => {
    const full = beside(1);
    full.robots[0]!.nitro = 100;
    expect(tick(full).packs[3]!.respawnTicks).toBe(0);

    const two = beside(1.2);
    Object.assign(two.robots[1]!, { x: 20, y: 1, z: 31.2 });
    expect(tick(two).robots.map((robot) => robot.nitro)).toStrictEqual([100, 50, 50, 50]);

    const wide = parked({ ...WEIGHTLESS, NITRO_PACK_X: 0.5, NITRO_PACK_Z: 0.25 });
    Object.assign(wide.robots[0]!, { x: 0, y: 1, z: 0 });
    wide.ball.z = 30;
    expect(tick(wide).packs.map((pack) => pack.respawnTicks)).toStrictEqual([599, 599, 599, 599]);
  });

  it('[CB-1.5d] there are four packs, at (±x, y, ±z)', () => {
    expect(parked({ NITRO_PACK_X: 7, NITRO_PACK_Y: 2, NITRO_PACK_Z: 11 }).packs.map(position)).toStrictEqual([
      [-7, 2, -11],
      [-7, 2, 11],
      [7, 2, -11],
      [7, 2, 11],
    ]);
  });

  it('[CB-1.5c] a pack comes back at the same place NITRO_PACK_RESPAWN_TICKS after it was taken', () => {
    const state = tick(beside(1));
    Object.assign(state.robots[0]!, { x: 0, y: 10, z: 20 });
    for (let seen = 599; seen > 0; seen--) {
      expect(state.packs[3]!.respawnTicks).toBe(seen);
      tick(state);
    }
    expect(state.packs[3]!).toMatchObject({ respawnTicks: 0, x: 20, y: 1, z: 30 });
    expect(state.tick).toBe(600);
  });
});
