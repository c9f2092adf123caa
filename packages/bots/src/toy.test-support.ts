import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AnyWorld, type FieldIO, numberAt, objectAt, type TickState, type World } from '@lockstep/kernel';
import { type Budget, BUDGETS, type MatchSetup, type Outcome, playMatch, type Seat, type SeatBot, type Spent } from '@lockstep/match';
import { afterAll } from 'vitest';
import { findSandbox, type SandboxKind, startProcess } from './index.ts';

interface State extends TickState {
  sums: number[];
  out: boolean[];
}
interface Action {
  add: number;
  gone: boolean;
}
const TICKS = 20;

/** Every seat adds a number to its sum for twenty ticks; a seat that is out is noted. */
const adding: World<{ ticks: number }, State, Action, { tick: number; mine: number }, { ticks: number }> = {
  name: 'adding',
  rulesVersion: 1,
  ticksPerSecond: 1,
  presets: { standard: {} },
  readConfig: () => ({ ticks: TICKS }),
  writeConfig: (config) => ({ ...config }),
  seats: () => 2,
  maxTicks: () => TICKS,
  create: () => ({ tick: 0, sums: [0, 0], out: [false, false] }),
  step(state, actions) {
    actions.forEach((action, seat) => {
      state.sums[seat]! += action.add;
      state.out[seat] ||= action.gone;
    });
    state.tick++;
  },
  result: ({ tick, sums }) => (tick < TICKS ? null : { scores: sums, ranks: [1, 1], reason: 'time is up' }),
  brief: () => ({ ticks: TICKS }),
  observe: (state, seat) => ({ tick: state.tick, mine: state.sums[seat]! }),
  readAction: (raw, _state, seat) => ({
    add: numberAt(objectAt(raw, 'action', [`add${seat}`])[`add${seat}`], `action.add${seat}`),
    gone: false,
  }),
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

export const toy = adding as AnyWorld;
export const toySetup = (...seats: Seat[]): MatchSetup => ({ world: toy, config: { ticks: TICKS }, seed: 1n, seats });

/** Adds 1 in every tick, in our process. */
export const steady: Seat = {
  name: 'steady',
  kind: 'test',
  sha256: null,
  make: (_briefing, seat) => ({ act: () => ({ [`add${seat}`]: 1 }) }),
};

/** A folder for programs that goes when the tests have run. */
export function bench() {
  const folder = mkdtempSync(join(tmpdir(), 'lockstep-bots-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return {
    folder,
    write: (name: string, text: string): string => {
      const file = join(folder, name);
      writeFileSync(file, text, { mode: 0o755 });
      return file;
    },
  };
}

/** A bot of the toy in Node. `body` is run for each message; `say` answers it, `at` is the tick. */
export const nodeBot = (body: string, start = ''): string => `
const say = (value) => process.stdout.write(typeof value === 'string' ? value : JSON.stringify(value) + '\\n');
const add = (amount, seat = 0) => say({ type: 'action', action: { ['add' + seat]: amount } });
${start}
say({ type: 'ready' });
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line);
  const at = message.tick;
  if (message.type === 'result') process.exit(0);
  if (message.type !== 'view') return;
  ${body}
  add(1);
});
`;

export interface Played extends Outcome {
  readonly spent: readonly (Spent | null)[];
}

/** The program on seat 0 against a steady bot, or another. */
export async function playProgram(
  command: readonly string[],
  reads: readonly string[],
  { budget = BUDGETS.bank as Budget, sandbox = findSandbox().kind as SandboxKind | null, other = steady } = {},
): Promise<Played> {
  const spent: (Spent | null)[] = [];
  const seat: Seat = {
    name: 'program',
    kind: 'process',
    sha256: null,
    async make(briefing, index, game) {
      const launch = { command, folder: reads[0] === undefined ? '/' : join(reads[0], '..'), reads, network: false };
      const bot = await startProcess(launch, { budget, sandbox }, briefing, index, game);
      const end = async (...args: Parameters<NonNullable<SeatBot['end']>>): Promise<void> => {
        await bot.end!(...args);
        spent.push(bot.spent!());
      };
      return { act: (view) => bot.act(view), ask: (view) => bot.ask!(view), evidence: () => bot.evidence!(), end };
    },
  };
  return { ...(await playMatch(toySetup(seat, other))), spent };
}
