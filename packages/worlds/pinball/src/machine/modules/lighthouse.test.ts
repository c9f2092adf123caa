import { hash, restore, snapshot, type WorldEvent } from '@lockstep/kernel';
import { describe, expect, it } from 'vitest';
import { MOVING } from '../../physics/index.ts';
import { Controls } from '../action.ts';
import { nextBall } from '../balls.ts';
import { readConfig } from '../door.ts';
import { closeSwitch } from '../rules.ts';
import { State } from '../state.ts';
import { step } from '../step.ts';
import { TABLES } from '../tables.ts';
import { observe } from '../view.ts';
import { world } from '../world.ts';

const fresh = (): State => new State(readConfig('classic'), 1n);

/** Closes a switch; what it scored beyond the table's own rules, and what was told. */
function close(state: State, name: string): { readonly beyond: number; readonly kinds: string[] } {
  const plain = new State(readConfig({ table: { ...(TABLES['classic'] as object), module: '' } }), 1n);
  plain.multiplier = state.multiplier;
  plain.counters.set(state.counters);
  const before = state.score;
  const events: WorldEvent[] = [];
  const id = state.config.machine.switches.indexOf(name);
  closeSwitch(plain, id, []);
  closeSwitch(state, id, events);
  return { beyond: state.score - before - plain.score, kinds: events.map(({ kind }) => kind).filter((kind) => kind !== 'switch') };
}

const wait = (state: State, seconds: number): void => {
  for (let k = 0; k < seconds * 250; k++) step(state, [new Controls()], []);
};

describe('the classic’s rules module', () => {
  it('[PB-M5.4] ramps soon after one another are a combo that grows; a pause ends it', () => {
    const state = fresh();
    expect(close(state, 'ramp')).toEqual({ beyond: 0, kinds: [] });
    wait(state, 2);
    expect(close(state, 'ramp')).toEqual({ beyond: 4000, kinds: ['combo'] });
    expect(close(state, 'ramp')).toEqual({ beyond: 6000, kinds: ['combo'] });
    wait(state, 7);
    expect(close(state, 'ramp')).toEqual({ beyond: 0, kinds: [] });
  });

  it('[PB-M5.4] with several balls bumpers feed a jackpot, and the ramp takes it', () => {
    const state = fresh();
    close(state, 'left bumper');
    expect(observe(state).memory['jackpot']).toBe(5000);
    state.physics.status.fill(MOVING, 0, 2);
    state.multiplier = 2;
    for (let k = 0; k < 4; k++) close(state, 'left bumper');
    expect(close(state, 'ramp')).toEqual({ beyond: 12_000, kinds: ['jackpot'] });
    expect(observe(state).memory['jackpot']).toBe(5000);
  });

  it('[PB-M5.4] every switch of a turn adds to a bonus, which a tilted machine does not pay', () => {
    const paid = (tilted: boolean): [number, WorldEvent | undefined] => {
      const state = fresh();
      for (let k = 0; k < 10; k++) close(state, 'oil');
      const before = state.score;
      const events: WorldEvent[] = [];
      state.toServe = 0;
      state.tilted = tilted;
      nextBall(state, events);
      expect(observe(state).memory['bonus']).toBe(0);
      return [state.score - before, events.find(({ kind }) => kind === 'bonus')];
    };
    expect(paid(false)).toEqual([200, { kind: 'bonus', seat: 0, points: 200 }]);
    expect(paid(true)).toEqual([0, undefined]);
  });

  it('[PB-M5.4] what it remembers is part of the state: hashed, in snapshots', () => {
    const state = fresh();
    const [start, before] = [snapshot(world, state), hash(world, state)];
    state.memory[2]!++;
    expect(hash(world, state)).not.toBe(before);
    restore(world, state, start);
    expect(hash(world, state)).toBe(before);
  });

  it('[PB-M5.4] a table without a module has no memory, and one that does not exist is refused', () => {
    expect(new State(readConfig('learner'), 1n).memory).toHaveLength(0);
    expect(() => readConfig({ table: { ...(TABLES['classic'] as object), module: 'lighthose' } })).toThrow(
      'config.table.module: expected one of lighthouse (did you mean lighthouse?), got "lighthose"',
    );
  });
});
