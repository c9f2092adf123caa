import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { asteracer, Flight, generate, Instruction, type RaceMap, readMap, Track, writeMap } from '@lockstep/asteracer';
import { NaiveRace } from '@lockstep/asteracer/oracle';
import { nextInt, type Rng, seedRng, type WorldEvent } from '@lockstep/kernel';
import { PlainRace } from './asteracer-plain.ts';
import type { Bench, Measurement } from './measurement.ts';
import { Windows } from './windows.ts';

const RULES = 'v2025';
/** Data of the public game, beside the project; used where it is there. */
const PUBLIC = fileURLToPath(new URL('../../../../shared/vectors/asteracer/public/maps/', import.meta.url));

function maps(): [name: string, map: RaceMap][] {
  const own: [string, RaceMap][] = [
    ['sprint-like', generate({ seed: 1n, size: 1_000_000, density: 0.55, goals: 1 })],
    ['marathon-like', generate({ seed: 1n, size: 2_400_000, density: 0.24, goals: 70 })],
    ['few rocks', generate({ seed: 1n, size: 200_000, density: 0.1, goals: 4 })],
  ];
  const others = ['sprint', 'marathon'].filter((name) => existsSync(`${PUBLIC}${name}.txt`));
  return [...own, ...others.map((name): [string, RaceMap] => [name, readMap(readFileSync(`${PUBLIC}${name}.txt`, 'utf8'))])];
}

/** A thrust held for some ticks; then its end is kept, or before it the racer is put back to the last place that was kept. */
interface Leg {
  readonly vx: number;
  readonly vy: number;
  readonly ticks: number;
  readonly mark: 'none' | 'keep' | 'back';
}

/** What the racer is made to do, at least so many ticks: a new thrust every tick, one held for 20, or from many places six roll-outs of 30 ticks. */
const WORKLOADS: Readonly<Record<string, (rng: Rng, ticks: number) => Leg[]>> = {
  random: (rng, ticks) => Array.from({ length: ticks }, () => leg(rng, 1)),
  held: (rng, ticks) => Array.from({ length: ticks / 20 }, () => leg(rng, 20)),
  search: (rng, ticks) =>
    Array.from({ length: ticks / 200 }, () => [leg(rng, 20, 'keep'), ...Array.from({ length: 6 }, () => leg(rng, 30, 'back'))]).flat(),
};

function leg(rng: Rng, ticks: number, mark: Leg['mark'] = 'none'): Leg {
  for (;;) {
    const [vx, vy] = [nextInt(rng, 255) - 127, nextInt(rng, 255) - 127];
    const squared = vx * vx + vy * vy;
    if (squared <= 127 * 127 && squared > 100 * 100) return { vx, vy, ticks, mark };
  }
}

const ticksOf = (legs: readonly Leg[]): number => legs.reduce((sum, { ticks }) => sum + ticks, 0);

/** The product's flight against what one would write first (`plain`), and against the oracle of the tests (`naive`, whole numbers without end). */
export const benchAsteracer: Bench = async function* ({ seconds }) {
  const all = maps();
  const share = seconds / (all.length * Object.keys(WORKLOADS).length);
  const ticks = seconds < 0.1 ? 4000 : 20_000;
  for (const [name, map] of all) {
    for (const [workload, make] of Object.entries(WORKLOADS)) {
      yield* compare(`asteracer/${name}/${workload}`, map, make(seedRng(7n), ticks), share);
    }
    yield contractSteps(`asteracer/${name}/held/step`, map, WORKLOADS['held']!(seedRng(7n), ticks), share);
    yield* fromTheStart(`asteracer/${name}/one run of 1000 ticks`, map);
  }
  yield far();
};

/** So short that most are undisturbed. The oracle, which is slow, flies the first window only, and each of its legs is timed. */
const WINDOWS = 100;

function* compare(bench: string, map: RaceMap, legs: readonly Leg[], seconds: number): Generator<Measurement> {
  const cuts = Array.from({ length: WINDOWS }, (_, i) => legs.slice((i * legs.length) / WINDOWS, ((i + 1) * legs.length) / WINDOWS));
  const track = new Track(map, RULES);
  const [product, productAtFirst, plain, naive] = [new Windows(), new Windows(), new Windows(), new Windows()];
  const end = Date.now() + seconds * 1000;
  let rounds = 0;
  do {
    for (let repeat = 0; repeat < 5; repeat++) {
      const flight = new Flight(track);
      const kept = new Float64Array(flight.room);
      cuts.forEach((cut, i) => (i === 0 ? productAtFirst : product).time(i, () => flyFlight(flight, kept, cut)));
    }
    const other = new PlainRace(map);
    cuts.forEach((cut, i) => plain.time(i, () => flyRace(other, cut)));
    flyRace(new NaiveRace(map, RULES), cuts[0]!, naive);
    rounds++;
  } while (Date.now() < end || rounds < 2);
  checkSame(bench, map, legs.slice(0, 200));
  const ticks = ticksOf(legs);
  const whole = product.total() + productAtFirst.total();
  const value = (ticks * 1e9) / whole;
  const naiveTicks = ticksOf(cuts[0]!);
  yield { bench, subject: 'lockstep', against: 'plain', ratio: plain.total() / whole, value, unit: 'ticks/s' };
  yield { bench, subject: 'lockstep', against: 'naive', ratio: naive.total() / productAtFirst.total(), value, unit: 'ticks/s' };
  yield { bench, subject: 'plain', against: null, ratio: null, value: (ticks * 1e9) / plain.total(), unit: 'ticks/s' };
  yield { bench, subject: 'naive', against: null, ratio: null, value: (naiveTicks * 1e9) / naive.total(), unit: 'ticks/s' };
}

function flyFlight(flight: Flight, kept: Float64Array, legs: readonly Leg[]): void {
  for (let i = 0; i < legs.length; i++) {
    const { vx, vy, ticks, mark } = legs[i]!;
    if (mark === 'back') flight.load(kept);
    for (let left = ticks; left > 0;) left -= flight.hold(vx, vy, left);
    if (mark === 'keep') flight.save(kept);
  }
}

/** The plain race and the naive one are flown alike. */
interface Race<N> {
  x: N;
  y: N;
  vx: N;
  vy: N;
  readonly reached: boolean[];
  step(vx: number, vy: number): void;
}

function flyRace<N>(race: Race<N>, legs: readonly Leg[], windows?: Windows): void {
  const place = () => ({ x: race.x, y: race.y, vx: race.vx, vy: race.vy, reached: [...race.reached] });
  let kept = place();
  const fly = ({ vx, vy, ticks, mark }: Leg): void => {
    if (mark === 'back') {
      race.x = kept.x;
      race.y = kept.y;
      race.vx = kept.vx;
      race.vy = kept.vy;
      for (let goal = 0; goal < kept.reached.length; goal++) race.reached[goal] = kept.reached[goal]!;
    }
    for (let tick = 0; tick < ticks; tick++) race.step(vx, vy);
    if (mark === 'keep') kept = place();
  };
  legs.forEach((leg, i) => (windows === undefined ? fly(leg) : windows.time(i, () => fly(leg))));
}

/** A comparison of different races would mean nothing. */
function checkSame(bench: string, map: RaceMap, legs: readonly Leg[]): void {
  const flight = new Flight(new Track(map, RULES));
  flyFlight(flight, new Float64Array(flight.room), legs);
  const plain = new PlainRace(map);
  flyRace(plain, legs);
  const reached = plain.reached.map((yes, goal) => yes === !flight.isOpen(goal));
  const same = flight.x === plain.x && flight.y === plain.y && flight.vx === plain.vx && flight.vy === plain.vy;
  if (!same || reached.includes(false)) throw new Error(`${bench}: the plain race went elsewhere: ${plain.x} ${plain.y}, not ${flight.x} ${flight.y}`); // prettier-ignore
}

/** The same ticks one by one through the world's contract, as a match or a replay plays them. */
function contractSteps(bench: string, map: RaceMap, legs: readonly Leg[], seconds: number): Measurement {
  const { world } = asteracer;
  const config = world.readConfig({ rules: RULES, map: writeMap(map) });
  const instructions = legs.map(({ vx, vy }) => [Object.assign(new Instruction(), { vx, vy })]);
  const windows = new Windows();
  const events: WorldEvent[] = [];
  const end = Date.now() + seconds * 250;
  do {
    const state = world.create(config, 0n);
    windows.time(0, () => {
      for (let i = 0; i < legs.length; i++) {
        events.length = 0;
        for (let tick = 0; tick < legs[i]!.ticks; tick++) world.step(state, instructions[i]!, events);
      }
    });
  } while (Date.now() < end);
  return { bench, subject: 'lockstep', against: null, ratio: null, value: (ticksOf(legs) * 1e9) / windows.total(), unit: 'ticks/s' };
}

/** A map is made ready before the first tick, which only pays off where it is used for long. */
function* fromTheStart(bench: string, map: RaceMap): Generator<Measurement> {
  const legs = WORKLOADS['held']!(seedRng(7n), 1000);
  const [prepare, product, plain] = [new Windows(), new Windows(), new Windows()];
  for (let i = 0; i < 10; i++) {
    prepare.time(0, () => new Track(map, RULES));
    product.time(0, () => {
      const flight = new Flight(new Track(map, RULES));
      flyFlight(flight, new Float64Array(flight.room), legs);
    });
    plain.time(0, () => flyRace(new PlainRace(map), legs));
  }
  const milliseconds = (windows: Windows): number => windows.total() / 1e6;
  const ratio = plain.total() / product.total();
  yield { bench, subject: 'lockstep', against: 'plain', ratio, value: milliseconds(product), unit: 'ms' };
  yield { bench, subject: 'lockstep, making ready', against: null, ratio: null, value: milliseconds(prepare), unit: 'ms' };
  yield { bench, subject: 'plain', against: null, ratio: null, value: milliseconds(plain), unit: 'ms' };
}

/** Rocks beyond what doubles can square, where whole numbers without end decide every contact. */
function far(): Measurement {
  const radius = 0x5000_0000;
  const asteroids = [-1, 1].map((side) => ({ x: side * (radius + 1500), y: 0, radius }));
  const box = { min_x: -0x4000_0000, min_y: -0x4000_0000, max_x: 0x4000_0000, max_y: 0x4000_0000 };
  const map = { racer: { x: 0, y: 0, radius: 1000 }, box, asteroids, goals: [] };
  const legs = WORKLOADS['held']!(seedRng(7n), 2000);
  const [product, naive] = [new Windows(), new Windows()];
  for (let i = 0; i < 10; i++) {
    const flight = new Flight(new Track(map, RULES));
    product.time(0, () => flyFlight(flight, new Float64Array(flight.room), legs));
    naive.time(0, () => flyRace(new NaiveRace(map, RULES), legs));
  }
  const value = (ticksOf(legs) * 1e9) / product.total();
  return {
    bench: 'asteracer/far/held',
    subject: 'lockstep',
    against: 'naive',
    ratio: naive.total() / product.total(),
    value,
    unit: 'ticks/s',
  };
}
