import { type Action, codeball, type Config, type State } from '@lockstep/codeball';
import { NaiveGame } from '@lockstep/codeball/oracle';
import { hash, restore, snapshot, type WorldEvent } from '@lockstep/kernel';
import { availableParallelism } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Worker } from 'node:worker_threads';
import type { Bench, Measurement } from './measurement.ts';
import { Windows } from './windows.ts';

const { world, bots } = codeball;

const SEED = 538460243868820754n;
const TICKS = 1200;
const WINDOW = 20;
const MODES = ['counter', 'none', 'official'] as const;

/** Who plays what: calm games of strategies that keep their places, hectic ones of robots that crowd around the ball. */
const STREAMS = [
  { name: '2v2', preset: 'round1', bots: ['captain', 'quickstart'] },
  { name: '2v2-hectic', preset: 'round1', bots: ['chaser', 'chaser'] },
  { name: '3v3-nitro', preset: 'finals', bots: ['captain', 'quickstart'] },
  { name: '3v3-nitro-hectic', preset: 'finals', bots: ['chaser', 'captain'] },
] as const;

/** The actions of every tick of a game that built-in bots played under this very config. */
export interface Stream {
  readonly config: Config;
  readonly actions: readonly (readonly Action[])[];
}

export function recordStream(preset: string, names: readonly string[], draws: string, ticks: number): Stream {
  const config = world.readConfig({ preset, draws, ticks });
  const state = world.create(config, SEED);
  const seats = names.map((name, seat) => bots[name]!(world.brief(state, seat), seat));
  const actions = Array.from({ length: ticks }, () => {
    const now = seats.map((bot, seat) => world.readAction(bot.act(world.observe(state, seat)), state, seat));
    world.step(state, now, []);
    return now;
  });
  return { config, actions };
}

/** The product and the naive oracle on the same streams, in turns; then what else a user of the simulator pays for. */
export const benchCodeball: Bench = async function* ({ seconds }) {
  const share = seconds / (STREAMS.length * MODES.length);
  for (const { name, preset, bots: names } of STREAMS) {
    for (const draws of MODES) {
      const stream = recordStream(preset, names, draws, TICKS);
      yield* compare(`codeball/${name}/${draws}`, stream, share);
      if (draws === 'counter') yield allocation(`codeball/${name}/${draws}/allocation`, stream);
    }
  }
  yield* stateCosts();
  yield* throughput(Math.max(seconds / 8, 0.5));
};

function* compare(bench: string, stream: Stream, seconds: number): Generator<Measurement> {
  const product = new Windows();
  const naive = new Windows();
  const end = Date.now() + seconds * 1000;
  let rounds = 0;
  do {
    for (let repeat = 0; repeat < 5; repeat++) {
      const state = world.create(stream.config, SEED);
      inWindows(stream, product, (actions) => stepQuietly(state, actions));
    }
    const game = new NaiveGame(stream.config, SEED);
    inWindows(stream, naive, (actions) => game.step(actions));
    rounds++;
  } while (Date.now() < end || rounds < 2);
  const perSecond = (windows: Windows) => (stream.actions.length * 1e9) / windows.total();
  yield {
    bench,
    subject: 'lockstep',
    against: 'naive',
    ratio: naive.total() / product.total(),
    value: perSecond(product),
    unit: 'ticks/s',
  };
  yield { bench, subject: 'naive', against: null, ratio: null, value: perSecond(naive), unit: 'ticks/s' };
}

const events: WorldEvent[] = [];

function stepQuietly(state: State, actions: readonly Action[]): void {
  events.length = 0;
  world.step(state, actions, events);
}

function inWindows({ actions }: Stream, windows: Windows, step: (actions: readonly Action[]) => void): void {
  for (let from = 0, index = 0; from < actions.length; from += WINDOW, index++) {
    const to = Math.min(from + WINDOW, actions.length);
    windows.time(index, () => {
      for (let tick = from; tick < to; tick++) step(actions[tick]!);
    });
  }
}

/** Bytes of garbage a tick: the least growth of the heap over a few ticks with no collection in between. */
function allocation(bench: string, stream: Stream): Measurement {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const state = world.create(stream.config, SEED);
  const ticks = 100;
  let least = Infinity;
  for (let from = 0; from + ticks <= stream.actions.length; from += ticks) {
    if (from % 400 === 0) collect();
    const before = process.memoryUsage().heapUsed;
    for (let tick = from; tick < from + ticks; tick++) stepQuietly(state, stream.actions[tick]!);
    const grown = process.memoryUsage().heapUsed - before;
    if (grown >= 0) least = Math.min(least, grown / ticks);
  }
  return { bench, subject: 'lockstep', against: null, ratio: null, value: least, unit: 'bytes/tick' };
}

/** Snapshot, restore and hash of a 2v2 state: what search and replays pay for. */
function* stateCosts(): Generator<Measurement> {
  for (const draws of ['counter', 'official']) {
    const state = world.create(world.readConfig({ preset: 'round2', draws }), SEED);
    const kept = snapshot(world, state);
    const windows = new Windows();
    const times = 200;
    for (let round = 0; round < 200; round++) {
      windows.time(0, () => {
        for (let i = 0; i < times; i++) {
          snapshot(world, state, kept);
          restore(world, state, kept);
          hash(world, state);
        }
      });
    }
    const value = windows.total() / times / 1000;
    yield { bench: `codeball/2v2/${draws}/snapshot+restore+hash`, subject: 'lockstep', against: null, ratio: null, value, unit: 'us' };
  }
}

/** Whole games re-played on every core at once. */
async function* throughput(seconds: number): AsyncGenerator<Measurement> {
  for (const preset of ['round1', 'finals']) {
    const one = await ticksPerSecond(preset, 1, seconds);
    const cores = availableParallelism();
    const all = await ticksPerSecond(preset, cores, seconds);
    const bench = `codeball/${preset}/counter/${cores} workers`;
    yield { bench, subject: `${cores} workers`, against: '1 worker', ratio: all / one, value: all, unit: 'ticks/s' };
  }
}

async function ticksPerSecond(preset: string, workers: number, seconds: number): Promise<number> {
  const rates = Array.from({ length: workers }, () => {
    const worker = new Worker(new URL('./codeball-worker.js', import.meta.url), { workerData: { preset, seconds } });
    return new Promise<number>((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
    });
  });
  return (await Promise.all(rates)).reduce((sum, rate) => sum + rate, 0);
}
