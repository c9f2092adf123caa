import { type FieldIO, InputError, type TickState, type World } from '@lockstep/kernel';

export interface State extends TickState {
  sums: number[];
  out: boolean[];
}
type Action = { add: number; gone: boolean };

/** Every seat adds a number to its sum; the larger sum after five ticks wins. */
export const adding: World<{ ticks: number }, State, Action, { tick: number; mine: number }, { ticks: number }> = {
  name: 'adding',
  rulesVersion: 1,
  ticksPerSecond: 1,
  presets: { standard: {} },
  readConfig: () => ({ ticks: 5 }),
  writeConfig: (config) => ({ ...config }),
  seats: () => 2,
  create: () => ({ tick: 0, sums: [0, 0], out: [false, false] }),
  step(state, actions, events) {
    actions.forEach((action, seat) => {
      state.sums[seat]! += action.add;
      if (action.gone) state.out[seat] = true;
    });
    state.tick++;
    events.push({ kind: 'sum', first: state.sums[0]! });
  },
  result: ({ tick, sums }) => (tick < 5 ? null : { scores: sums, ranks: [1, 1], reason: 'time is up' }),
  brief: (_state, _seat) => ({ ticks: 5 }),
  observe: (state, seat) => ({ tick: state.tick, mine: state.sums[seat]! }),
  readAction(raw) {
    if (typeof raw !== 'number') throw new InputError('action', 'a number', raw);
    return { add: raw, gone: false };
  },
  idle: () => ({ add: 0, gone: false }),
  forfeit: () => ({ add: 0, gone: true }),
  fields(io: FieldIO, state) {
    state.tick = io.num(state.tick);
    for (let i = 0; i < 2; i++) {
      state.sums[i] = io.num(state.sums[i]!);
      state.out[i] = io.bool(state.out[i]!);
    }
  },
  actionFields(io, action) {
    action.add = io.num(action.add);
    action.gone = io.bool(action.gone);
  },
};
