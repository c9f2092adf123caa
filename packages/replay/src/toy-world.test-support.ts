/* oxlint-disable typescript/no-unnecessary-type-assertion -- the linter sees this file without the strictness of its tsconfig */
import { type AnyWorld, type FieldIO, InputError, intAt, numberAt, objectAt, type TickState, type World } from '@lockstep/kernel';

export interface ToyConfig {
  readonly ticks: number;
}

class ToyState implements TickState {
  tick = 0;
  x = 0;
  readonly sums: Float64Array = new Float64Array(2);
  readonly dice: Int32Array = new Int32Array(4);
}

export class ToyAction {
  push = 0;
  pull = 0;
  on = false;
}

/** Small and quick, with dice, events and two seats: what the file format needs to see of a world. */
const toy: World<ToyConfig, ToyState, ToyAction, { tick: number }, ToyConfig> = {
  name: 'toy',
  rulesVersion: 3,
  ticksPerSecond: 60,
  presets: { standard: { ticks: 1000 } },
  readConfig: (raw) => ({ ticks: intAt(objectAt(raw, 'config', ['ticks'])['ticks'], 'config.ticks', 1, 1e9) }),
  writeConfig: ({ ticks }) => ({ ticks }),
  seats: () => 2,
  create(_config, seed) {
    const state = new ToyState();
    state.dice.set([Number(seed & 0xffffn), 1, 2, 3]);
    return Object.assign(state, { limit: _config.ticks });
  },
  step(state, actions, events, ledger) {
    actions.forEach((action, seat) => {
      state.dice[seat] = Math.imul(state.dice[seat]! ^ (state.dice[seat]! >>> 15), 0x2c1b3c6d) + state.tick;
      ledger?.push({ kind: 'die', seat, value: state.dice[seat]! });
      state.sums[seat] = Math.min(Math.max((state.sums[seat]! + action.push - action.pull) * 0.5, -1e6), 1e6) || 0;
      if (action.on) state.x += (state.dice[seat]! & 7) / 8;
      if (state.x > 20) {
        state.x = 0;
        events.push({ kind: 'wrap', seat, at: state.tick });
      }
    });
    state.tick++;
  },
  result(state) {
    if (state.tick < (state as ToyState & { limit: number }).limit) return null;
    return { scores: [state.x, state.sums[0]!], ranks: [1, 1], reason: 'time is up' };
  },
  brief: () => ({ ticks: 0 }),
  observe: ({ tick }) => ({ tick }),
  readAction(raw) {
    if (typeof raw !== 'number') throw new InputError('action', 'a number', raw);
    return Object.assign(new ToyAction(), { push: numberAt(raw, 'action') });
  },
  idle: () => new ToyAction(),
  forfeit: () => new ToyAction(),
  fields(io: FieldIO, state) {
    state.tick = io.num(state.tick);
    state.x = io.num(state.x);
    io.nums(state.sums);
    io.ints(state.dice);
  },
  actionFields(io, action) {
    action.push = io.num(action.push);
    action.pull = io.num(action.pull);
    action.on = io.bool(action.on);
  },
};

export const toyWorld = toy as AnyWorld;
