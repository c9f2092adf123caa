import { hash } from '@lockstep/kernel';
import { describe, expect, it } from 'vitest';
import { Controls } from './action.ts';
import { readConfig } from './door.ts';
import { stage } from './scene.ts';
import { State } from './state.ts';
import { step } from './step.ts';
import { TABLES } from './tables.ts';
import { observe } from './view.ts';
import { world } from './world.ts';

describe.each(Object.keys(TABLES))('the scene of %s', (table) => {
  const config = readConfig({ table });

  it('[PB-M7] has finite geometry, indices in range, triangles that look up, and bounds', () => {
    for (const { positions, normals, indices } of stage.meshes(config)) {
      expect(positions.length).toBe(normals.length);
      expect(positions.every(Number.isFinite)).toBe(true);
      for (let i = 0; i < indices.length; i += 3) {
        const [a, b, c] = [0, 1, 2].map((k) => positions.subarray(indices[i + k]! * 3, indices[i + k]! * 3 + 3));
        const up = (b![2]! - a![2]!) * (c![0]! - a![0]!) - (b![0]! - a![0]!) * (c![2]! - a![2]!);
        expect(up).toBeGreaterThan(0);
      }
    }
    const { min, max } = stage.bounds(config);
    expect(min.every((low, k) => low < max[k]!)).toBe(true);
  });

  it('[PB-M7] shows balls and parts, each with a key of its own, and touches nothing', () => {
    const state = new State(config, 1n);
    for (let k = 0; k < 100; k++) step(state, [new Controls()], []);
    const before = hash(world, state);
    const { shapes, scores, tick } = stage.scene(state);
    expect(hash(world, state)).toBe(before);
    const keys = shapes.map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys.slice(0, 4)).toEqual(['ball 0', 'flipper left flipper', 'flipper right flipper', 'plunger']);
    expect([tick, scores]).toEqual([100, [0]]);
  });
});

describe('the scene', () => {
  it('[PB-M7.1] whatever a person holds is a legal action', () => {
    const state = new State(readConfig('learner'), 1n);
    const view = observe(state);
    const steer = (x: number, z: number, jump = false, boost = false) => stage.steer!(0, { move: [x, 0, z], jump, boost }, view, {});
    expect(steer(-1, 0)).toEqual({ left: true, right: false, plunger: 0, nudgeX: 0, nudgeY: 0 });
    expect(steer(0, 0, true)).toMatchObject({ left: true, right: true });
    expect(steer(0, 0.5)).toMatchObject({ left: false, right: false, plunger: 0.5 });
    expect(steer(1, 0, false, true)).toMatchObject({ left: false, nudgeX: 1 });
    for (const play of [steer(-1.5, 2), steer(2, -2, true, true)]) expect(world.readAction(play, state, 0).gone).toBe(false);
  });

  it('[PB-M7.1] hands that know the machine hold its own buttons, each by its name', () => {
    const state = new State(readConfig('learner'), 1n);
    const hold = (controls: Record<string, number>) =>
      stage.steer!(0, { move: [0, 0, 0], jump: false, boost: false, controls }, observe(state), {});
    expect(hold({})).toEqual({ left: false, right: false, plunger: 0, nudgeX: 0, nudgeY: 0 });
    expect(hold({ left: 1, right: 1, plunger: 0.5 })).toEqual({ left: true, right: true, plunger: 0.5, nudgeX: 0, nudgeY: 0 });
    expect(hold({ 'nudge left': 1, 'nudge up': 0.25 })).toMatchObject({ nudgeX: -1, nudgeY: 0.25 });
    const nothing = JSON.stringify(hold({}));
    for (const { name } of stage.controls!) expect([name, JSON.stringify(hold({ [name]: 1 })) === nothing]).toEqual([name, false]);
    for (const value of [5, -5]) expect(() => world.readAction(hold({ plunger: value, 'nudge up': value }), state, 0)).not.toThrow();
  });
});
