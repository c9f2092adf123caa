import { hash } from '@lockstep/kernel';
import { describe, expect, it } from 'vitest';
import { Instruction } from './action.ts';
import { readConfig } from './door.ts';
import { MAPS } from './maps.ts';
import { stage } from './scene.ts';
import { State } from './state.ts';
import { step } from './step.ts';
import { world } from './world.ts';

const thrust = (vx: number, vy: number): Instruction => Object.assign(new Instruction(), { vx, vy });

describe.each([
  ...Object.keys(MAPS),
  '0 0 1\n0 0 0 0\n0\n0\n',
  '0 0 4294967295\n-2147483648 0 2147483647 1\n1\n5 5 4294967295\n1\n0 0 0\n',
])('the scene of %j', (map) => {
  const config = readConfig({ map });

  it('[AR-1.2] has finite geometry whose indices are in range', () => {
    for (const { positions, normals, indices } of stage.meshes(config)) {
      expect(positions.length).toBe(normals.length);
      expect(positions.every(Number.isFinite) && normals.every(Number.isFinite)).toBe(true);
      expect(indices.every((index) => index < positions.length / 3)).toBe(true);
    }
    const { min, max } = stage.bounds(config);
    expect(min.every((low, k) => low < max[k]!)).toBe(true);
  });

  it('[AR-1.2] shows racer, goals, border and future, and touches nothing', () => {
    const state = new State(config);
    step(state, [thrust(60, -20)], []);
    const before = hash(world, state);
    const { shapes, scores, tick } = stage.scene(state, [thrust(60, -20)]);
    expect(hash(world, state)).toBe(before);
    expect(shapes.map(({ key }) => key)).toEqual(['racer', ...config.map.goals.map((_, i) => `goal ${i}`), 'border', 'future']);
    expect(tick).toBe(1);
    expect(scores).toEqual([state.reachedCount]);
  });
});

describe('the scene', () => {
  it('[AR-1.2] triangles turn counter-clockwise seen from where their normals point', () => {
    for (const { positions, normals, indices } of stage.meshes(readConfig({}))) {
      for (let i = 0; i < indices.length; i += 3) {
        const [a, b, c] = [0, 1, 2].map((k) => positions.subarray(indices[i + k]! * 3, indices[i + k]! * 3 + 3));
        const up = (b![2]! - a![2]!) * (c![0]! - a![0]!) - (b![0]! - a![0]!) * (c![2]! - a![2]!);
        expect(up * normals[indices[i]! * 3 + 1]!).toBeGreaterThanOrEqual(-1e-6);
      }
    }
  });

  it('[AR-2] the future is what happens if the thrust is kept', () => {
    const state = new State(readConfig({}));
    const held = thrust(80, 80);
    step(state, [held], []);
    const future = stage.scene(state, [held]).shapes.find(({ key }) => key === 'future')!;
    for (let i = 0; i < 30; i++) step(state, [held], []);
    const racer = stage.scene(state, [held]).shapes[0]!;
    expect(future.shape === 'path' && racer.shape === 'sphere' && future.points[90] === Math.fround(racer.x)).toBe(true);
  });

  it('[AR-2.1] a person’s thrust is legal, whatever is held', () => {
    const view = { tick: 0, x: 0, y: 0, vx: 0, vy: 0, goals: '' };
    const steer = (x: number, z: number) => stage.steer!(0, { move: [x, 0, z], jump: false, boost: false }, view, { vx: 0, vy: 0 });
    expect(steer(1, 0)).toEqual({ vx: 127, vy: 0 });
    expect(steer(0, -0.5)).toEqual({ vx: 0, vy: -63 });
    expect(steer(1, 1)).toEqual({ vx: 89, vy: 89 });
  });
});
