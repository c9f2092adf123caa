import { divFloor, divTrunc } from '@lockstep/kernel';
import type { TimeField } from '@lockstep/solve';
import { Flight } from '../src/flight.ts';
import { MAX_INSTRUCTION } from '../src/rules.ts';
import type { Track } from '../src/track.ts';
import { Beam, type Manner } from './beam.ts';
import type { Run, Thrusting } from './run.ts';

/** Ticks from … until - 1 of a run. */
export interface Span {
  readonly from: number;
  readonly until: number;
}

/** A part of a run that can be replaced by a shorter one: the run from `until` on stays as it is. */
export interface Shortcut extends Span {
  readonly thrusts: readonly Thrusting[];
}

export interface WindowSearch {
  readonly shortcut: Shortcut | null;
  readonly nodes: number;
}

/** So many ticks may be won at once. */
const MOST_WON = 40;
/** Over how many ticks a racer that is ahead may be led back to the run. */
const JOINTS = [6, 10, 16, 26];
/** In units: racers further away are not led back; racers so little behind may be. */
const FAR = 2500;
const SLACK = 100;

/**
 * Flies a beam from a tick of a run and looks whether one of its racers is ahead of the run, so far that it can be led back to exactly a
 * state that the run comes to later, or to the run's end.
 */
export function searchWindow(
  track: Track,
  run: Run,
  span: Span,
  fields: readonly TimeField[],
  manner: Manner,
  mostNodes: number,
  tell: (nodes: number) => void,
): WindowSearch {
  const { from, until } = span;
  const first = run.reached[from]!;
  const order = run.order.slice(first, first + fields.length);
  const toTheEnd = first + order.length === run.order.length && run.isFinished;
  const flight = new Flight(track);
  const place = { x: run.x[from]!, y: run.y[from]!, vx: run.vx[from]!, vy: run.vy[from]! };
  const beam = new Beam(flight, order, fields, place, manner);
  const joiner = new Joiner(track, run, span, order);
  let best: Shortcut | null = null;
  let won = 0;
  while (!beam.isOver && from + beam.ticks < until && beam.nodes + joiner.nodes < mostNodes) {
    const before = beam.nodes + joiner.nodes;
    beam.advance();
    for (let row = 0; row < beam.count && beam.arrival === null; row++) {
      const joint = joiner.join(beam, row, won);
      if (joint === null) continue;
      won = joint.won;
      best = { from, until: joint.until, thrusts: [...beam.thrustsTo(row), ...joint.thrusts] };
    }
    tell(beam.nodes + joiner.nodes - before);
  }
  const end = run.thrusts.length;
  const { arrival } = beam;
  if (toTheEnd && arrival !== null && end - from - arrival.thrusts.length > won) best = { from, until: end, thrusts: arrival.thrusts };
  return { shortcut: best, nodes: beam.nodes + joiner.nodes };
}

interface Joint {
  readonly won: number;
  readonly until: number;
  readonly thrusts: readonly Thrusting[];
}

/** Leads racers back to a run. */
class Joiner {
  nodes = 0;
  private readonly flight: Flight;
  private readonly track: Track;
  private readonly run: Run;
  private readonly from: number;
  private readonly until: number;
  private readonly order: readonly number[];
  private readonly first: number;

  constructor(track: Track, run: Run, { from, until }: Span, order: readonly number[]) {
    this.flight = new Flight(track);
    this.track = track;
    this.run = run;
    this.from = from;
    this.until = until;
    this.order = order;
    this.first = run.reached[from]!;
  }

  /** A way back that wins more ticks than `won`, if a racer of the beam has one. */
  join(beam: Beam, row: number, won: number): Joint | null {
    const tick = this.from + beam.ticks;
    const last = Math.min(MOST_WON, this.until - tick - JOINTS[0]!);
    for (let ahead = won + 1; ahead <= last; ahead++) {
      const lead = this.leadOf(beam, row, tick + ahead);
      if (lead < 0) return null; // still more behind what comes later
      if (lead > FAR) continue;
      for (const length of JOINTS) {
        const until = tick + ahead + length;
        if (until > this.until || this.run.collisions[until] !== this.run.collisions[tick + ahead]) break;
        const thrusts = this.lead(beam, row, tick + ahead, length);
        if (thrusts !== null) return { won: ahead, until, thrusts };
      }
    }
    return null;
  }

  /**
   * How far a racer's momentum is from the run's at a tick, -1 where it is behind: under full thrust one can brake, but not catch up. The
   * momentum counts as the place where it would carry the racer.
   */
  private leadOf(beam: Beam, row: number, tick: number): number {
    const { x, y, vx, vy } = this.run;
    const dx = beam.x[row]! - x[tick]! + 9 * (beam.vx[row]! - vx[tick]!);
    const dy = beam.y[row]! - y[tick]! + 9 * (beam.vy[row]! - vy[tick]!);
    if (dx * vx[tick]! + dy * vy[tick]! < -SLACK * MAX_INSTRUCTION * 10) return -1;
    return Math.max(Math.abs(dx), Math.abs(dy));
  }

  /** Thrusts that end in exactly the run's state `length` ticks after `tick`. */
  private lead(beam: Beam, row: number, tick: number, length: number): Thrusting[] | null {
    const { flight, run, order } = this;
    flight.x = beam.x[row]!;
    flight.y = beam.y[row]!;
    flight.vx = beam.vx[row]!;
    flight.vy = beam.vy[row]!;
    flight.collisions = 0;
    flight.open.fill(0);
    let leg = beam.leg[row]!;
    if (leg < order.length) flight.setOpen(order[leg]!, true);
    const thrusts: Thrusting[] = [];
    for (let left = length; left > 0; left--) {
      const thrust = this.thrustBack(tick + length - left, left, tick + length);
      if (thrust === null) return null;
      thrusts.push(thrust);
      flight.hold(thrust[0], thrust[1], 1);
      this.nodes++;
      if (flight.collisions > 0) return null;
      if (flight.metCount > 0 && ++leg < order.length) flight.setOpen(order[leg]!, true);
    }
    const end = tick + length;
    const isBack = flight.x === run.x[end] && flight.y === run.y[end] && flight.vx === run.vx[end] && flight.vy === run.vy[end];
    return isBack && this.first + leg >= run.reached[end]! ? thrusts : null;
  }

  /** The run's own thrust, changed so that the least effort over the ticks left takes the difference away. */
  private thrustBack(tick: number, left: number, end: number): Thrusting | null {
    const { flight, run } = this;
    if (left <= 2) return legal(this.exact(flight.x, flight.vx, run.x[end]!, run.vx[end]!, left), this.exact(flight.y, flight.vy, run.y[end]!, run.vy[end]!, left)); // prettier-ignore
    const [ofPlace, ofSpeed] = GAINS[left]!;
    const [ix, iy] = run.thrusts[tick]!;
    const vx = ix - ofPlace * (flight.x - run.x[tick]!) - ofSpeed * (flight.vx - run.vx[tick]!);
    const vy = iy - ofPlace * (flight.y - run.y[tick]!) - ofSpeed * (flight.vy - run.vy[tick]!);
    const length = Math.sqrt(vx * vx + vy * vy);
    if (length > 1.5 * MAX_INSTRUCTION) return null;
    const scale = length > MAX_INSTRUCTION - 1 ? (MAX_INSTRUCTION - 1) / length : 1;
    return legal(Math.floor(vx * scale + 0.5), Math.floor(vy * scale + 0.5));
  }

  /** The last two instructions along an axis follow from the place and the speed that are to come out. */
  private exact(place: number, speed: number, wantedPlace: number, wantedSpeed: number, left: number): number {
    const slowed = this.track.truncates ? divTrunc(speed * 9, 10) : divFloor(speed * 9, 10);
    return (left === 2 ? wantedPlace - wantedSpeed - place : wantedSpeed) - slowed;
  }
}

const legal = (vx: number, vy: number): Thrusting | null =>
  vx * vx + vy * vy <= MAX_INSTRUCTION * MAX_INSTRUCTION ? [vx + 0, vy + 0] : null;

/**
 * How much of a difference in place and in speed the first of n thrusts takes away when all n together take it away with the least sum of
 * squares. A thrust n - i ticks before the end adds A = 0.9^(n-i) to the last speed and B = 1 + 0.9 + … + 0.9^(n-i) to the last place.
 */
const GAINS: readonly (readonly [ofPlace: number, ofSpeed: number])[] = Array.from({ length: JOINTS.at(-1)! + 1 }, (_, n) => {
  let [aa, ab, bb, a, b] = [0, 0, 0, 1, 1];
  let [firstA, firstB] = [0, 0];
  for (let i = 0; i < n; i++) {
    [firstA, firstB] = [a, b];
    aa += a * a;
    ab += a * b;
    bb += b * b;
    a *= 0.9;
    b += a;
  }
  const determinant = aa * bb - ab * ab;
  // without thrust: speed 0.9^n, place plus (0.9 + … + 0.9^n) times the speed
  const keeps = a;
  const drifts = b - 1;
  const gain = (speed: number, place: number): number =>
    (firstA * (bb * speed - ab * place) + firstB * (aa * place - ab * speed)) / determinant;
  return [gain(0, 1), gain(keeps, drifts)];
});
