import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  findSandbox,
  type Launch,
  prepareWasm,
  type SandboxKind,
  scriptEngine,
  startProcess,
  startScript,
  startTcp2018,
  startWasm,
  startWebSocket,
} from '@lockstep/bots';
import { codeball } from '@lockstep/codeball';
import type { AnyWorld } from '@lockstep/kernel';
import { BUDGETS, createMatch, type GameInfo, type Seat, type SeatBot, withAct } from '@lockstep/match';
import { ACTION, type Programs, SCRIPT, writePrograms } from './bot-programs.ts';
import type { Bench, Measurement } from './measurement.ts';
import { Windows } from './windows.ts';

const world = codeball.world as AnyWorld;
const config = world.readConfig({ preset: 'round1' });
const state = world.create(config, 1n);
const briefing = world.brief(state, 0);
const view = world.observe(state, 0);
const { name, rulesVersion, ticksPerSecond } = world;
const game: GameInfo = { world: name, rulesVersion, ticksPerSecond, seats: 2, seed: 1n, config, maxTicks: 20_000, tick: 0 };
/** No limits: what is measured is the way to the bot. */
const budget = { ...BUDGETS.bank, tickMs: 1e9, bank: null, steps: null, gas: null, memoryBytes: null };
const options = { budget, sandbox: null };

/** Every way to reach a bot, in one run: questions answered a second. Then a whole match of programs, and what a sandbox costs. */
export const benchBots: Bench = async function* ({ seconds }) {
  const folder = mkdtempSync(join(tmpdir(), 'lockstep-bench-'));
  try {
    const programs = writePrograms(folder);
    yield* roundTrips(programs, folder, seconds / 2);
    if (programs.cppFrames !== null) yield* wholeMatch(launchOf(programs.cppFrames, folder), seconds < 1 ? 200 : TICKS);
    yield* sandboxStart(launchOf(programs.cppFrames ?? programs.nodeLines, folder), seconds < 1 ? 1 : STARTS);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const launchOf = (command: readonly string[], folder: string): Launch => ({ command, folder, reads: [folder], network: false });

interface Way {
  readonly subject: string;
  readonly make: () => SeatBot | Promise<SeatBot>;
}

function waysOf(programs: Programs, folder: string): Way[] {
  const program = (subject: string, command: readonly string[] | null): Way[] =>
    command === null ? [] : [{ subject, make: () => startProcess(launchOf(command, folder), options, briefing, 0, game) }];
  return [
    { subject: 'module', make: () => ({ act: () => ACTION }) },
    ...(programs.wasm === null ? [] : [{ subject: 'wasm, AssemblyScript', make: () => overWasm(programs.wasm!) }]),
    { subject: 'script', make: () => startScript(scriptEngine(), SCRIPT, budget, briefing, 0, game) },
    ...program('process, lines, Node', programs.nodeLines),
    ...program('process, lines, Python', programs.pythonLines),
    ...program('process, frames, Python', programs.pythonFrames),
    ...program('process, frames, C++', programs.cppFrames),
    { subject: 'tcp2018, Node', make: () => startTcp2018({ launch: launchOf(programs.node2018, folder) }, options, briefing, 0, game) },
    { subject: 'websocket, Node', make: () => overWebSocket(programs) },
  ];
}

async function overWasm(bytes: Uint8Array): Promise<SeatBot> {
  return startWasm(await prepareWasm(bytes, null), { budget: BUDGETS.bank, example: ACTION }, briefing, 0, game);
}

/** The player is another process, as it would be. */
function overWebSocket({ nodeWebSocket: [program, ...args] }: Programs): Promise<SeatBot> {
  const onListening = (url: string): void => {
    spawn(program!, [...args, import.meta.resolve('ws'), url], { stdio: 'ignore' });
  };
  return startWebSocket({ host: '127.0.0.1', port: 0, token: 'bench', onListening }, options, briefing, 0, game);
}

const BATCH = 20;

/** All ways take turns, batch by batch; the best batches of each count. */
async function* roundTrips(programs: Programs, folder: string, seconds: number): AsyncGenerator<Measurement> {
  const ways = waysOf(programs, folder);
  const bots: SeatBot[] = [];
  try {
    for (const way of ways) bots.push(await way.make());
    const best = bots.map(() => Infinity);
    const end = Date.now() + seconds * 1000;
    for (let round = 0; round < 2 || Date.now() < end; round++)
      for (const [i, bot] of bots.entries()) best[i] = Math.min(best[i]!, await timeOf(bot));
    const lines = ways.findIndex(({ subject }) => subject === 'process, lines, Node');
    for (const [i, { subject }] of ways.entries()) {
      const against = i === lines ? null : ways[lines]!.subject;
      const value = (BATCH * 1000) / best[i]!;
      yield { bench: 'bots/round trips', subject, against, ratio: against === null ? null : best[lines]! / best[i]!, value, unit: '1/s' };
    }
  } finally {
    for (const bot of bots) await bot.end?.(null);
  }
}

async function timeOf(bot: SeatBot): Promise<number> {
  const started = performance.now();
  for (let i = 0; i < BATCH; i++) {
    const answer = bot.act(view);
    if (answer instanceof Promise) await answer;
  }
  return performance.now() - started;
}

const TICKS = 20_000;
const WINDOW = 20;
const REPEATS = 3;

/** The same game a few times over; of each stretch of it the quickest counts. Transport is what passes between a question and both answers. */
async function* wholeMatch(launch: Launch, ticks: number): AsyncGenerator<Measurement> {
  const [transport, whole] = [new Windows(), new Windows()];
  let processor = Infinity;
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    const clock = new TransportClock();
    const withoutTransport = simulationMs(ticks);
    const before = processorMs();
    const seats = [0, 1].map((): Seat => ({ name: 'frames', kind: 'process', sha256: null, make: (...args) => clock.watch(launch, args) }));
    const match = createMatch({ world, config, seed: 7n, seats });
    try {
      for (let stretch = 0; match.state.tick < ticks; stretch++) {
        const [started, before] = [performance.now(), clock.ms];
        for (let i = 0; i < WINDOW && match.result === null; i++) await match.stepAsync();
        transport.note(stretch, (clock.ms - before) * 1e6);
        whole.note(stretch, (performance.now() - started) * 1e6);
      }
      if (match.faults.length > 0) throw new Error(`bench: ${match.faults[0]!.reason}`);
    } finally {
      await match.close();
    }
    processor = Math.min(processor, processorMs() - before - withoutTransport);
  }
  const bench = `bots/match of ${ticks} ticks, two C++ programs, frames`;
  yield {
    bench,
    subject: 'transport',
    against: 'whole match',
    ratio: whole.total() / transport.total(),
    value: transport.total() / 1e9,
    unit: 's',
  };
  yield { bench, subject: 'transport, our processor time', against: null, ratio: null, value: processor / 1000, unit: 's' };
  yield { bench, subject: 'whole match', against: null, ratio: null, value: whole.total() / 1e9, unit: 's' };
}

/** The same match with the same actions from functions: what the game itself takes of a processor. */
function simulationMs(ticks: number): number {
  const before = processorMs();
  const make = (_briefing: unknown, seat: number): SeatBot => ({ act: () => actionOf(seat) });
  const seats = [0, 1].map((): Seat => ({ name: 'function', kind: 'module', sha256: null, make }));
  const match = createMatch({ world, config, seed: 7n, seats });
  while (match.state.tick < ticks) match.step();
  return processorMs() - before;
}

function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Both seats have the same program, which speaks of seat 0's robots. */
const actionOf = (seat: number, { 1: one, 2: two }: typeof ACTION = ACTION): object =>
  seat === 0 ? { 1: one, 2: two } : { 3: one, 4: two };

/** From the first question of a tick to the last answer. */
class TransportClock {
  ms = 0;
  private asked = 0;
  private since = 0;

  async watch(launch: Launch, [briefing, seat, game]: Parameters<Seat['make']>): Promise<SeatBot> {
    const bot = await startProcess(launch, options, briefing, seat, game);
    const heard = (answer: unknown): object => {
      if (--this.asked === 0) this.ms += performance.now() - this.since;
      return actionOf(seat, answer as typeof ACTION);
    };
    const ask = (view: unknown): (() => unknown) => {
      if (this.asked++ === 0) this.since = performance.now();
      const take = bot.ask!(view);
      return () => {
        const answer = take();
        return answer instanceof Promise ? answer.then(heard) : heard(answer);
      };
    };
    return { ...withAct(bot, (view) => ask(view)()), ask };
  }
}

const STARTS = 15;

/** From the start of a program to its first word, with a sandbox and without, in turns. */
async function* sandboxStart(launch: Launch, starts: number): AsyncGenerator<Measurement> {
  const { kind } = findSandbox();
  if (kind === null) return;
  const start = async (sandbox: SandboxKind | null): Promise<number> => {
    const started = performance.now();
    const bot = await startProcess(launch, { budget, sandbox }, briefing, 0, game);
    const took = performance.now() - started;
    await bot.end!(null);
    return took;
  };
  let [bare, kept] = [Infinity, Infinity];
  for (let i = 0; i < starts; i++) {
    bare = Math.min(bare, await start(null));
    kept = Math.min(kept, await start(kind));
  }
  const bench = 'bots/start of a program';
  yield { bench, subject: `sandbox (${kind})`, against: 'no sandbox', ratio: bare / kept, value: kept, unit: 'ms' };
  yield { bench, subject: 'no sandbox', against: null, ratio: null, value: bare, unit: 'ms' };
  yield { bench, subject: 'what the sandbox adds', against: null, ratio: null, value: kept - bare, unit: 'ms' };
}
