import { hash, type Path, type Sphere } from '@lockstep/kernel';
import { describe, expect, it } from 'vitest';
import { Action } from './action.ts';
import { readConfig } from './door.ts';
import { stage } from './scene.ts';
import { world } from './world.ts';

const config = readConfig('finals');

function game() {
  const state = world.create(config, 7n);
  const actions = [new Action(3), new Action(3)];
  const sphere = (key: string) =>
    stage.scene(state, actions).shapes.find((shape): shape is Sphere => shape.key === key && shape.shape === 'sphere')!;
  const flight = () => stage.scene(state).shapes.find((shape): shape is Path => shape.shape === 'path');
  return { state, actions, sphere, flight, step: () => world.step(state, actions, []) };
}

describe('scene', () => {
  it('shows the ball, every robot in its team and every pack, each under its own key', () => {
    const { shapes, scores, tick } = stage.scene(game().state);
    expect(shapes.filter(({ shape }) => shape === 'sphere').map(({ key, material }) => `${key}: ${material.role}`)).toEqual([
      'ball: ball',
      ...[1, 2, 3].map((id) => `robot ${id}: teamA`),
      ...[4, 5, 6].map((id) => `robot ${id}: teamB`),
      ...[1, 2, 3, 4].map((id) => `pack ${id}: pickup`),
    ]);
    expect(new Set(shapes.map(({ key }) => key)).size).toBe(shapes.length);
    expect([scores, tick]).toEqual([[0, 0], 0]);
  });

  it('looks without touching: the state stays the same, and the scene stays what it was', () => {
    const { state, step } = game();
    const before = hash(world, state);
    const scene = stage.scene(state);
    const text = JSON.stringify(scene);
    expect(hash(world, state)).toBe(before);
    for (let i = 0; i < 50; i++) step();
    expect(JSON.stringify(scene)).toBe(text);
  });

  it('[CB-1.4] a jump shows as a pulse of the tick in which the radius grows', () => {
    const { actions, sphere, step } = game();
    step();
    expect(sphere('robot 1').pulse).toBeUndefined();
    actions[0]!.robots[0]!.jump_speed = 7.5;
    step();
    expect(sphere('robot 1').pulse).toBeCloseTo(0.5, 9);
    actions[0]!.robots[0]!.jump_speed = 0;
    step();
    expect(sphere('robot 1').pulse).toBeUndefined();
  });

  it('[CB-1.5] nitro in use shows as thrust towards the asked velocity, and the gauge falls', () => {
    const { actions, sphere, step } = game();
    step();
    const full = sphere('robot 4').gauge!;
    expect(full).toBe(0.5);
    Object.assign(actions[1]!.robots[0]!, { target_velocity_y: 60, use_nitro: true });
    step();
    expect(sphere('robot 4').gauge).toBeLessThan(full);
    expect(sphere('robot 4').thrust![1]).toBeGreaterThan(0.99);
    expect(sphere('robot 5').thrust).toBeUndefined();
  });

  it('[CB-1.5] a pack that was taken is dim and fills up until it is back', () => {
    const { state, sphere, step } = game();
    state.packs[0]!.respawnTicks = 300;
    expect(sphere('pack 1')).toMatchObject({ gauge: 0.5, material: { role: 'pickup', glow: 0 } });
    state.packs[0]!.respawnTicks = 1;
    step();
    expect(sphere('pack 1')).toMatchObject({ gauge: 1, material: { role: 'pickup', glow: 1 } });
  });

  it('draws the flight that the ball then takes while nobody touches it', () => {
    const { state, flight, step } = game();
    Object.assign(state.ball, { x: 3, y: 8, z: -6, vx: 12, vy: 9, vz: -14 });
    const { points } = flight()!;
    const ticks = points.length / 3 - 1;
    expect(ticks).toBe(80);
    for (let tick = 1; tick <= ticks; tick++) {
      step();
      const { x, y, z } = state.ball;
      const off = Math.hypot(x - points[3 * tick]!, y - points[3 * tick + 1]!, z - points[3 * tick + 2]!);
      expect(off, `after ${tick} ticks`).toBeLessThan(1);
    }
  });

  it('draws no flight while the ball lies in a goal', () => {
    const { state, flight } = game();
    state.resetTicks = 60;
    expect(flight()).toBeUndefined();
  });
});

it('[CB-1.2] a person steers the first robot of either seat in the directions of the scene, the bot plays the others', () => {
  const { state } = game();
  const held = { move: [0.5, 0, 1], jump: true, boost: false } as const;
  for (const seat of [0, 1]) {
    const ids = state.robots.filter((robot) => robot.seat === seat).map(({ id }) => id);
    const still = { target_velocity_x: 0, target_velocity_y: 0, target_velocity_z: 0, jump_speed: 0, use_nitro: false };
    const asBot = Object.fromEntries(ids.map((id) => [id, still]));
    const raw = stage.steer!(seat, held, world.observe(state, seat), asBot);
    const { robots } = world.readAction(raw, state, seat);
    expect(robots.map((robot) => [robot.target_velocity_x, robot.target_velocity_z, robot.jump_speed])).toEqual([
      [15, 30, 15],
      [0, 0, 0],
      [0, 0, 0],
    ]);
  }
});
