import { nextInt, type Rng, seedRng } from '@lockstep/kernel';
import type { TimeField } from '@lockstep/solve';
import { Flight } from '../src/flight.ts';
import type { Config } from '../src/track.ts';
import { Beam } from './beam.ts';
import { OrderModel, type Ways, waysTo } from './orders.ts';
import { fly, isGood, type Run, type Thrusting } from './run.ts';
import { cellSizeOf, groundOf, mannerOf, type Style } from './style.ts';
import { Terrain } from './terrain.ts';
import { Fields } from './tour.ts';
import { searchWindow, type Shortcut, type Span, type WindowSearch } from './window.ts';

/** Work for the workshop: plain data, and all that the outcome depends on. */
export type Job =
  | { readonly kind: 'ways'; readonly goals: readonly number[] }
  | {
      readonly kind: 'order';
      readonly seed: bigint;
      readonly ways: readonly Ways[];
      readonly learned: Learned;
      readonly start: readonly number[] | null;
      readonly fly: FlightPlan | null;
    }
  | { readonly kind: 'fly'; readonly order: readonly number[]; readonly plan: FlightPlan }
  | {
      readonly kind: 'windows';
      readonly thrusts: readonly Thrusting[];
      readonly from: number;
      readonly until: number;
      readonly length: number;
      readonly plan: FlightPlan;
    };

export interface FlightPlan {
  readonly style: Style;
  readonly effort: number;
  readonly mostNodes: number;
}

export type Learned = readonly (readonly (number | undefined)[])[];

export interface Done {
  readonly nodes: number;
  readonly ways?: readonly Ways[];
  readonly order?: readonly number[];
  /** A run that keeps to the rules of the task; null when none was found. */
  readonly thrusts?: readonly Thrusting[] | null;
  readonly shortcuts?: readonly Shortcut[];
}

const WAYS_CELLS = 160_000;
const WAYS_CELLS_IN_ALL = 30_000_000;
/** How orders are annealed: from anywhere, and to look around a good one. Temperatures are ticks; so many steps a pair of goals. */
const FROM_ANYWHERE = { steps: 150, hot: 100, cold: 0.5 };
const AROUND = { steps: 20, hot: 12, cold: 1 };
/** No more steps for more goals than these. */
const MANY_GOALS = 100;
/** Kicks before looking around, so that not every look ends at the same order. */
const KICKS = 3;

/** Does jobs for one map. Keeps fields that it may need again; an outcome depends on the job alone. */
export class Workshop {
  private readonly config: Config;
  private readonly noTouch: boolean;
  private readonly terrains = new Map<number, Terrain>();
  private readonly kept = new Map<string, Fields>();
  private readonly tours = new Map<string, readonly TimeField[]>();

  constructor(config: Config, noTouch: boolean) {
    this.config = config;
    this.noTouch = noTouch;
  }

  /** `tell` hears of nodes as they are used up. */
  run(job: Job, tell: (nodes: number) => void = () => {}): Done {
    if (job.kind === 'ways') return this.ways(job.goals);
    if (job.kind === 'order') return this.order(job, tell);
    if (job.kind === 'fly') return { order: job.order, ...this.fly(job.order, job.plan, tell) };
    return this.windows(job, tell);
  }

  private ways(goals: readonly number[]): Done {
    const { map } = this.config;
    const cells = Math.min(WAYS_CELLS, WAYS_CELLS_IN_ALL / map.goals.length);
    const fields = new Fields(map, this.terrain(cellSizeOf(map, cells)), { clip: 1000, clipCost: 2, rockCost: 20 });
    return { nodes: 0, ways: goals.map((goal) => waysTo(fields, goal)) };
  }

  private order({ seed, ways, learned, start, fly: plan }: Extract<Job, { kind: 'order' }>, tell: (nodes: number) => void): Done {
    const rng = seedRng(seed);
    const model = new OrderModel(this.config.map, ways, learned);
    const cooling = start === null ? FROM_ANYWHERE : AROUND;
    const steps = cooling.steps * Math.min(ways.length, MANY_GOALS) * Math.min(ways.length, MANY_GOALS);
    const order = model.anneal(start === null ? null : kicked(start, rng), rng, { ...cooling, steps });
    if (plan === null) return { nodes: 0, order };
    return { order, ...this.fly(order, plan, tell) };
  }

  private fly(order: readonly number[], plan: FlightPlan, tell: (nodes: number) => void): Done {
    const { track, map } = this.config;
    const { x, y } = map.racer;
    const fields = this.tour(plan.style, order);
    const beam = new Beam(new Flight(track), order, fields, { x, y, vx: 0, vy: 0 }, mannerOf(plan.style, plan.effort, this.noTouch));
    while (!beam.isOver && beam.nodes < plan.mostNodes) {
      const before = beam.nodes;
      beam.narrow(plan.mostNodes - before);
      beam.advance();
      tell(beam.nodes - before);
    }
    const run = beam.arrival === null ? null : fly(track, beam.arrival.thrusts);
    return { nodes: beam.nodes, thrusts: run !== null && isGood(run, this.noTouch) ? run.thrusts : null };
  }

  private windows({ thrusts, from, until, length, plan }: Extract<Job, { kind: 'windows' }>, tell: (nodes: number) => void): Done {
    const run = fly(this.config.track, thrusts);
    const shortcuts: Shortcut[] = [];
    let nodes = 0;
    for (let at = from; at < until && nodes < plan.mostNodes;) {
      const span = { from: at, until: Math.min(at + length, until) };
      const found = this.shortcut(run, span, { ...plan, mostNodes: plan.mostNodes - nodes }, tell);
      nodes += found.nodes;
      if (found.shortcut !== null) shortcuts.push(found.shortcut);
      at = found.shortcut?.until ?? at + Math.ceil(length / 2);
    }
    return { nodes, shortcuts };
  }

  /** Looks for a shortcut in a part of a run. */
  shortcut(run: Run, span: Span, plan: FlightPlan, tell: (nodes: number) => void): WindowSearch {
    const first = run.reached[span.from]!;
    const order = run.order.slice(first, run.reached[span.until]! + 2);
    if (order.length === 0) return { shortcut: null, nodes: 0 };
    const fields = this.tour(plan.style, order, run.order[first - 1]);
    const manner = mannerOf(plan.style, plan.effort, this.noTouch);
    return searchWindow(this.config.track, run, span, fields, manner, plan.mostNodes, tell);
  }

  private fields(style: Style): Fields {
    const { map } = this.config;
    const size = cellSizeOf(map) * style.coarse;
    const ground = groundOf(style, this.noTouch);
    const key = [size, ground.clip, ground.clipCost, ground.rockCost].join();
    return remembered(this.kept, key, 3, () => new Fields(map, this.terrain(size), ground));
  }

  private tour(style: Style, order: readonly number[], before?: number): readonly TimeField[] {
    const { coarse, clip, clipCost, rockCost } = style;
    const key = [coarse, clip, clipCost, rockCost, before ?? 'start', ...order].join();
    return remembered(this.tours, key, 4, () => this.fields(style).tour(order, before));
  }

  private terrain(size: number): Terrain {
    return remembered(this.terrains, size, 3, () => new Terrain(this.config.map, size));
  }
}

function kicked(order: readonly number[], rng: Rng): number[] {
  const next = order.slice();
  for (let i = 0; i < KICKS; i++) {
    const [goal] = next.splice(nextInt(rng, next.length), 1);
    next.splice(nextInt(rng, next.length + 1), 0, goal!);
  }
  return next;
}

/** The value of a key, made when it is not there; of the others the oldest is forgotten when there are more than `most`. */
function remembered<Key, Value>(known: Map<Key, Value>, key: Key, most: number, make: () => Value): Value {
  const value = known.get(key) ?? make();
  known.delete(key);
  known.set(key, value);
  if (known.size > most) known.delete(known.keys().next().value!);
  return value;
}
