import type { Bench, Measurement } from './measurement.ts';
import { judge, loadPeers, lockstep, type PinballEngine, type Scenario } from './pinball-engines.ts';
import { benchMachine } from './pinball-machine.ts';
import { Windows } from './windows.ts';

/** Two seconds of play: in a longer run balls of engines that lose energy would no longer be as fast as the scenario says. */
const STEPS = 120;
/** The first steps of an engine are slow: it is not judged by them alone. */
const FEW_STEPS = 5;

const SCENARIOS: readonly Scenario[] = [
  ...[1, 100, 1000].flatMap((balls) => [2, 10, 50].map((radii) => ({ balls, radii, colliding: false, read: true }))),
  ...[6, 100].flatMap((balls) => [2, 10].map((radii) => ({ balls, radii, colliding: true, read: true }))),
  ...[false, true].map((colliding) => ({ balls: 100, radii: 10, colliding, read: false })),
];

const nameOf = ({ balls, radii, colliding, read }: Scenario): string =>
  `pinball/${balls} ${colliding ? 'colliding ' : ''}${balls === 1 ? 'ball' : 'balls'}/${radii} radii a step${read ? '' : ', places not read'}`;

/**
 * The physics against engines from npm, all on one table of 99 colliders and in turns; before that the whole machine. A short run leaves out what would
 * take long.
 */
export const benchPinball: Bench = async function* ({ seconds }) {
  const { peers, missing } = await loadPeers();
  for (const remark of missing)
    yield { bench: 'pinball', subject: remark.split(':')[0]!, against: null, ratio: null, value: 0, unit: 'ball-steps/s', remark };
  const share = (seconds * 0.8) / SCENARIOS.length;
  const costs = new Map<string, number>();
  // The machine first: after the scenarios its code would be compiled for their tables, too.
  yield* benchMachine(seconds * 0.2);
  for (const scenario of SCENARIOS) yield* compare(scenario, [lockstep, ...peers], share, costs);
};

/** An engine in a scenario: how many steps it is given, in windows of so many. */
interface Entrant {
  readonly engine: PinballEngine;
  readonly steps: number;
  readonly inWindow: number;
  readonly windows: Windows;
  escapes: number;
  energyError: number;
}

function* compare(
  scenario: Scenario,
  engines: readonly PinballEngine[],
  seconds: number,
  costs: Map<string, number>,
): Generator<Measurement> {
  const bench = nameOf(scenario);
  const unit = 'ball-steps/s';
  const share = (seconds * 1000) / engines.length;
  const entrants: Entrant[] = [];
  const end = performance.now() + seconds * 1000;
  for (const engine of engines) {
    const key = `${engine.name} ${scenario.radii}`;
    const expected = (costs.get(key) ?? 0) * scenario.balls;
    if (engine !== lockstep && expected > Math.max(2 * share, Math.min(300, 100 * share))) {
      const remark = `not measured: a step would take about ${(expected / 1000).toPrecision(2)} s`;
      yield { bench, subject: engine.name, against: null, ratio: null, value: 0, unit, remark };
      continue;
    }
    tryOut(engine, scenario, share / 4); // first code is compiled, and tables learn
    const entrant = tryOut(engine, scenario, share / 4);
    entrants.push({ engine, ...entrant, windows: new Windows(), escapes: 0, energyError: 0 });
  }
  for (let round = 0; round < 2 || performance.now() < end; round++) for (const entrant of entrants) play(entrant, scenario, share / 8);
  for (const { engine, windows, steps } of entrants)
    costs.set(`${engine.name} ${scenario.radii}`, windows.total() / 1e6 / steps / scenario.balls);
  yield* tell(bench, scenario, entrants);
}

function* tell(bench: string, { balls }: Scenario, entrants: readonly Entrant[]): Generator<Measurement> {
  const speedOf = ({ windows, steps }: Entrant): number => (steps * balls * 1e9) / windows.total();
  const [ours, ...others] = entrants;
  const unit = 'ball-steps/s';
  for (const entrant of entrants) {
    const { engine, steps, escapes, energyError } = entrant;
    const remark = steps < STEPS ? { remark: `${steps} steps only` } : {};
    yield { bench, subject: engine.name, against: null, ratio: null, value: speedOf(entrant), unit, escapes, energyError, ...remark };
  }
  const value = speedOf(ours!);
  for (const other of others) yield { bench, subject: 'lockstep', against: other.engine.name, ratio: value / speedOf(other), value, unit };
}

/** How many steps fit into the time, and how many of them into a window. */
function tryOut(engine: PinballEngine, scenario: Scenario, milliseconds: number): { steps: number; inWindow: number } {
  const run = engine.start(scenario);
  const places = new Float64Array(2 * scenario.balls);
  const start = performance.now();
  const patience = Math.max(milliseconds, Math.min(200, 20 * milliseconds));
  let steps = 0;
  let cost = Infinity;
  while (steps < STEPS && (steps === 0 || performance.now() - start < (steps < FEW_STEPS ? patience : milliseconds))) {
    const before = performance.now();
    run.step();
    if (scenario.read) run.read(places);
    cost = Math.min(cost, performance.now() - before);
    steps++;
  }
  run.free();
  return { steps, inWindow: Math.min(steps, Math.max(1, Math.round(0.3 / cost))) };
}

/** From the start, again and again for a while; fast engines come to more repetitions. */
function play(entrant: Entrant, scenario: Scenario, milliseconds: number): void {
  const { engine, steps, inWindow, windows } = entrant;
  const places = new Float64Array(2 * scenario.balls);
  const end = performance.now() + milliseconds;
  do {
    const run = engine.start(scenario);
    for (let from = 0, index = 0; from < steps; from += inWindow, index++) {
      const count = Math.min(inWindow, steps - from);
      windows.time(index, () => {
        for (let k = 0; k < count; k++) {
          run.step();
          if (scenario.read) run.read(places);
        }
      });
    }
    Object.assign(entrant, judge(run, scenario));
    run.free();
  } while (performance.now() < end);
}
