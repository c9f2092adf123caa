import { nextInt, type Rng, type Seed, seedRng } from '@lockstep/kernel';
import { type Campaign, neighboursOf } from '@lockstep/solve';
import type { Config } from '../src/track.ts';
import { allOrders, OrderModel, type Ways } from './orders.ts';
import { fly, isGood, type Run, type Thrusting } from './run.ts';
import { mixed, QUICK, randomStyle, type Style, STYLES } from './style.ts';
import type { Done, FlightPlan, Job } from './workshop.ts';
import type { Shortcut } from './window.ts';

export interface Task {
  readonly config: Config;
  readonly seed: Seed;
  /** Only runs without any collision. */
  readonly noTouch: boolean;
  /** A run to begin with. */
  readonly from: readonly Thrusting[] | null;
}

/** Rounds are this wide whoever works on them, so that their course is always the same. */
const ANNEALINGS = 8;
const SCOUTS = 8;
const NEAR_SCOUTS = 3;
const FLIGHTS = 4;
const WINDOW_PARTS = 8;
const FEW_GOALS = 5;
/** With more than these, orders one step away are too many to look at each. */
const MANY_GOALS = 150;
/** Around so many of the best orders others are looked for. */
const STEMS = 3;

/** Thrusts tried at once: at first sight, then more with every round. */
const LEAST_EFFORT = 256;
const QUICK_EFFORT = 1_600;
const FIRST_EFFORT = 16_000;
const MOST_EFFORT = 1_000_000;
const FIRST_WINDOW_EFFORT = 12_000;
const MOST_WINDOW_EFFORT = 200_000;
/** How long windows are, in ticks: so many, or half as many more. */
const WINDOW_LENGTHS = [60, 100, 160, 260, 420];

interface Flown {
  readonly order: readonly number[];
  readonly ticks: number;
}
interface Bred {
  readonly style: Style;
  /** Ticks of a flight, as a share of those at first sight of the same order. */
  readonly share: number;
}
/** A run, and how many ticks it had before shortcuts were found in it. */
interface Flight {
  readonly run: Run;
  readonly raw: number;
}

/** The course of a search for the fastest run: orders of the goals, flights in bred styles, shortcuts in the best run. */
export class Solver implements Campaign<Job, Done> {
  /** The best run so far. */
  best: Run | null = null;
  readonly task: Task;
  private readonly rng: Rng;
  private readonly count: number;
  /** The best run as far as the course knows: outcomes of a round that is not complete do not count. */
  private champion: Flight | null = null;
  /** In this run shortcuts are looked for: the champion, or one that may yet become it. */
  private contender: Flight | null = null;
  private stage: 'ways' | 'orders' | 'scout' | 'fly' | 'windows';
  private ways: readonly Ways[] = [];
  /** Orders that may be good, the best first. */
  private readonly pool: (readonly number[])[] = [];
  /** Orders that were flown at first sight. */
  private readonly flown = new Map<string, Flown>();
  /** What legs have cost in flights so far, by goal and where from. */
  private readonly legs: ({ sum: number; count: number } | undefined)[] = [];
  private readonly bred: Bred[] = [];
  private effort = FIRST_EFFORT;
  private windowEffort = FIRST_WINDOW_EFFORT;

  constructor(task: Task) {
    this.task = task;
    this.count = task.config.map.goals.length;
    this.rng = seedRng(task.seed);
    this.stage = this.afterWindows();
    if (this.count === 1) this.pool.push([0]);
    const given = task.from ?? (this.count === 0 ? [] : null);
    if (given === null) return;
    const run = fly(task.config.track, given);
    if (!isGood(run, task.noTouch)) return;
    this.best = run;
    this.champion = this.contender = { run, raw: run.thrusts.length };
    this.stage = 'windows';
    this.pool.push(run.order);
  }

  plan(left: number): readonly Job[] {
    if (this.count === 0) return [];
    if (this.champion !== null && left < LEAST_EFFORT * this.estimate()) return [];
    return this.jobs(left);
  }

  private jobs(left: number): Job[] {
    switch (this.stage) {
      case 'ways':
        return parts(this.count, Math.min(this.count, 8)).map((goals) => ({ kind: 'ways', goals }));
      case 'orders':
        return Array.from({ length: ANNEALINGS }, () => this.annealing(null, null));
      case 'scout':
        return this.scouts(left);
      case 'fly':
        return this.flights(left);
      case 'windows':
        return this.windows(left);
    }
  }

  private annealing(start: readonly number[] | null, plan: FlightPlan | null): Job {
    return { kind: 'order', seed: this.draw(), ways: this.ways, learned: this.learned(), start, fly: plan };
  }

  /** Orders that were not flown yet: the model's best, then some around the best one. */
  private scouts(left: number): Job[] {
    const affordable = Math.max(Math.floor(left / (this.estimate() * QUICK_EFFORT)), 1);
    const fresh = this.pool.filter((order) => !this.flown.has(order.join())).slice(0, Math.min(affordable, SCOUTS));
    if (fresh.length > 0)
      return fresh.map((order) => ({ kind: 'fly', order, plan: this.planFor(QUICK, QUICK_EFFORT, left, fresh.length) }));
    const plan = this.planFor(QUICK, QUICK_EFFORT, left, SCOUTS);
    const near = this.count > MANY_GOALS ? [] : this.neighbours(NEAR_SCOUTS).map((order): Job => ({ kind: 'fly', order, plan }));
    const around = this.annealing(this.ranking()[0]!.order, plan);
    const anywhere = Array.from({ length: SCOUTS - near.length - 1 }, () => this.annealing(null, plan));
    return [...near, around, ...anywhere];
  }

  /** Of all orders one step away from the best ones those that promise most and were not flown. */
  private neighbours(count: number): (readonly number[])[] {
    const model = new OrderModel(this.task.config.map, this.ways, this.learned());
    const promising = new Map<string, { readonly order: readonly number[]; readonly promise: number }>();
    for (const { order, ticks } of this.ranking().slice(0, STEMS)) {
      const cost = model.costOf(order);
      const least = [...promising.values()].sort((a, b) => a.promise - b.promise)[count - 1]?.promise ?? Infinity;
      for (const near of neighboursOf(order)) {
        const promise = ticks + model.costOf(near) - cost;
        if (promise >= least || this.flown.has(near.join())) continue;
        promising.set(near.join(), { order: near, promise });
      }
    }
    const ranked = [...promising.values()].sort((a, b) => a.promise - b.promise);
    return ranked.slice(0, count).map(({ order }) => order);
  }

  private flights(left: number): Job[] {
    const bests = this.ranking();
    return Array.from({ length: FLIGHTS }, (_, i) => {
      const order = (i < 2 ? this.champion?.run.order : undefined) ?? bests[Math.floor(i / 2) % bests.length]!.order;
      return { kind: 'fly', order, plan: this.planFor(this.nextStyle(i), this.effort, left, FLIGHTS) };
    });
  }

  /** At first the given ones; then the best one again, its children, and one from nowhere. */
  private nextStyle(i: number): Style {
    const { bred, rng } = this;
    if (bred.length < STYLES.length) return STYLES[i % STYLES.length]!;
    const [best, second] = bred as [Bred, Bred];
    if (i === 0) return mixed(best.style, best.style, rng, 1);
    if (i === 1) return mixed(best.style, second.style, rng, 1);
    if (i === 2) return mixed(best.style, bred[nextInt(rng, Math.min(bred.length, 6))]!.style, rng, 2);
    return randomStyle(rng);
  }

  private windows(left: number): Job[] {
    const { thrusts } = this.contender!.run;
    const least = WINDOW_LENGTHS[nextInt(this.rng, WINDOW_LENGTHS.length)]!;
    const length = least + nextInt(this.rng, least / 2);
    const shift = nextInt(this.rng, Math.ceil(length / 2));
    const style = { ...mixed(this.bred[0]?.style ?? STYLES[0]!, randomStyle(this.rng), this.rng, 0), hold: 2 + nextInt(this.rng, 3) };
    const count = Math.max(Math.min(WINDOW_PARTS, Math.floor(thrusts.length / length)), 1);
    const plan = this.planFor(style, this.windowEffort, left, count);
    return Array.from({ length: count }, (_, i) => ({
      kind: 'windows',
      thrusts,
      from: i === 0 ? 0 : Math.min(Math.floor((i * thrusts.length) / count) + shift, thrusts.length),
      until: i === count - 1 ? thrusts.length : Math.min(Math.floor(((i + 1) * thrusts.length) / count) + shift, thrusts.length),
      length,
      plan,
    }));
  }

  private planFor(style: Style, effort: number, left: number, jobs: number): FlightPlan {
    const mostNodes = Math.floor(left / jobs);
    const affordable = Math.floor(mostNodes / (1.1 * this.estimate()));
    return { style, effort: Math.max(Math.min(effort, affordable), LEAST_EFFORT), mostNodes };
  }

  /** How many ticks a run may take. */
  private estimate(): number {
    if (this.champion !== null) return this.champion.run.thrusts.length;
    const { map } = this.task.config;
    if (this.ways.length > 0 && this.pool.length > 0) return 1.1 * new OrderModel(map, this.ways).costOf(this.pool[0]!) + 30;
    const { box } = map;
    return ((box.max_x - box.min_x + box.max_y - box.min_y) / 1261) * Math.max(this.count / 4, 1);
  }

  glance({ thrusts, shortcuts }: Done): void {
    if (thrusts) this.offer(thrusts);
    else if (shortcuts && shortcuts.length > 0 && this.contender !== null) this.offer(shortened(this.contender.run.thrusts, shortcuts));
  }

  private offer(thrusts: readonly Thrusting[]): void {
    if (this.best === null || thrusts.length < this.best.thrusts.length) this.best = this.checked(thrusts) ?? this.best;
  }

  private checked(thrusts: readonly Thrusting[]): Run | null {
    const run = fly(this.task.config.track, thrusts);
    return isGood(run, this.task.noTouch) ? run : null;
  }

  take(outcomes: readonly Done[], jobs: readonly Job[]): void {
    if (this.stage === 'ways') this.ways = outcomes.flatMap(({ ways }) => ways!);
    outcomes.forEach(({ order, thrusts }, i) => {
      if (order && this.stage === 'orders') this.pool.push(order);
      if (order && this.stage === 'scout') this.flown.set(order.join(), { order, ticks: thrusts?.length ?? Infinity });
      if (order && this.stage === 'fly') this.breed(jobs[i]!, order, thrusts?.length ?? Infinity);
    });
    const isBetter = this.stage === 'windows' ? this.takeShortcuts(outcomes) : this.takeFlights(outcomes);
    this.best = this.champion?.run ?? null;
    this.goOn(isBetter);
  }

  private breed(job: Job, order: readonly number[], ticks: number): void {
    if (job.kind !== 'fly') return;
    const firstSight = this.flown.get(order.join())?.ticks ?? this.champion?.raw ?? ticks;
    this.bred.push({ style: job.plan.style, share: ticks / firstSight });
    this.bred.sort((a, b) => a.share - b.share);
  }

  /** The best flight of the round may be worth shortcuts even where the champion, which has had some, is shorter. */
  private takeFlights(outcomes: readonly Done[]): boolean {
    let top: Run | null = null;
    for (const { thrusts } of outcomes) {
      const run = thrusts ? this.checked(thrusts) : null;
      if (run === null) continue;
      this.learn(run);
      if (top === null || run.thrusts.length < top.thrusts.length) top = run;
    }
    this.contender = this.champion;
    if (top === null) return false;
    const raw = top.thrusts.length;
    const isBetter = this.champion === null || raw < this.champion.run.thrusts.length;
    if (isBetter) this.champion = this.contender = { run: top, raw };
    else if (this.stage === 'fly' && raw < this.champion!.raw) this.contender = { run: top, raw };
    return isBetter;
  }

  private takeShortcuts(outcomes: readonly Done[]): boolean {
    const { run, raw } = this.contender!;
    const shortcuts = outcomes.flatMap((done) => done.shortcuts ?? []);
    const shorter = shortcuts.length > 0 ? this.checked(shortened(run.thrusts, shortcuts)) : null;
    if (shorter === null || shorter.thrusts.length >= run.thrusts.length) return false;
    this.contender = { run: shorter, raw };
    if (shorter.thrusts.length < this.champion!.run.thrusts.length) this.champion = this.contender;
    return true;
  }

  private goOn(isBetter: boolean): void {
    switch (this.stage) {
      case 'ways':
        this.stage = 'orders';
        if (this.count > FEW_GOALS) return;
        this.pool.push(...allOrders(this.count));
        return this.rank();
      case 'orders':
        return this.rank();
      case 'scout':
        this.stage = 'fly';
        return;
      case 'fly':
        this.effort = Math.min(Math.floor(this.effort * 1.4), MOST_EFFORT);
        this.stage = this.champion !== null ? 'windows' : this.count > 1 ? 'scout' : 'fly';
        return;
      case 'windows':
        if (isBetter) return;
        this.windowEffort = Math.min(Math.floor(this.windowEffort * 1.15), MOST_WINDOW_EFFORT);
        this.stage = this.afterWindows();
    }
  }

  private afterWindows(): Solver['stage'] {
    if (this.count === 1) return this.flown.size === 0 ? 'scout' : 'fly';
    return this.ways.length === 0 ? 'ways' : 'scout';
  }

  private rank(): void {
    const model = new OrderModel(this.task.config.map, this.ways);
    const ranked = [...new Map(this.pool.map((order) => [order.join(), { order, cost: model.costOf(order) }])).values()];
    ranked.sort((a, b) => a.cost - b.cost);
    this.pool.splice(0, this.pool.length, ...ranked.map(({ order }) => order));
    this.stage = 'scout';
  }

  /** What a run tells about the legs between goals. */
  private learn(run: Run): void {
    if (this.ways.length === 0) return;
    const reachedAt = run.order.map((_, i) => run.reached.findIndex((count) => count > i));
    for (const { from, to, cost } of new OrderModel(this.task.config.map, this.ways).legsOf(run.order, reachedAt)) {
      const leg = (this.legs[to * (this.count + 1) + from] ??= { sum: 0, count: 0 });
      leg.sum += cost;
      leg.count++;
    }
  }

  private learned(): (number | undefined)[][] {
    const costOf = (leg: { sum: number; count: number } | undefined): number | undefined => (leg ? leg.sum / leg.count : undefined);
    const row = (to: number): (number | undefined)[] =>
      Array.from({ length: this.count + 1 }, (_, from) => costOf(this.legs[to * (this.count + 1) + from]));
    return this.ways.map((_, to) => row(to));
  }

  private ranking(): Flown[] {
    const all = [...this.flown.values()].sort((a, b) => a.ticks - b.ticks);
    return all.length > 0 ? all : [{ order: this.pool[0] ?? this.champion!.run.order, ticks: Infinity }];
  }

  private draw(): bigint {
    return (BigInt(nextInt(this.rng, 0x1_0000_0000)) << 32n) | BigInt(nextInt(this.rng, 0x1_0000_0000));
  }
}

/** 0 … count - 1 in so many parts. */
function parts(count: number, many: number): number[][] {
  return Array.from({ length: many }, (_, part) => {
    const first = Math.floor((part * count) / many);
    return Array.from({ length: Math.floor(((part + 1) * count) / many) - first }, (_, i) => first + i);
  });
}

/** A run with shortcuts taken, as far as they do not overlap. */
export function shortened(thrusts: readonly Thrusting[], shortcuts: readonly Shortcut[]): Thrusting[] {
  const short: Thrusting[] = [];
  let at = 0;
  for (const shortcut of [...shortcuts].sort((a, b) => a.from - b.from)) {
    if (shortcut.from < at) continue;
    short.push(...thrusts.slice(at, shortcut.from), ...shortcut.thrusts);
    at = shortcut.until;
  }
  return [...short, ...thrusts.slice(at)];
}
