import { Lineage, Sieve, timeAt, type TimeField } from '@lockstep/solve';
import type { Flight } from '../src/flight.ts';
import type { Thrusts } from './thrusts.ts';

export interface Place {
  readonly x: number;
  readonly y: number;
  readonly vx: number;
  readonly vy: number;
}

/** How a beam looks for its way. */
export interface Manner {
  readonly width: number;
  readonly thrusts: Thrusts;
  /** For how many ticks a thrust is held. */
  readonly hold: number;
  /** A racer is judged by the field where it would be after so many ticks of its speed. */
  readonly ahead: number;
  /** Racers are as good as the same within squares of so many units, and so much speed. */
  readonly nearby: number;
  readonly alike: number;
  readonly noTouch: boolean;
}

export interface Arrival {
  readonly thrusts: readonly (readonly [vx: number, vy: number])[];
}

/** Scores further behind the best are not told apart. */
const RANGE = 60;
/** A beam that comes no nearer for so many ticks is lost. */
const PATIENCE = 400;
/** However few nodes are left, so many racers go on. */
const LEAST_WIDTH = 4;
/** The columns of the sieve. */
const [X, Y, VX, VY, LEG, PARENT, MOVE] = [0, 1, 2, 3, 4, 5, 6];

/**
 * Many racers at once, each tick of theirs exact: every one tries all thrusts, held for some ticks, and those that come out nearest to the
 * end of the tour go on. Racers whose places and speeds are alike count as one.
 */
export class Beam {
  readonly x: Int32Array;
  readonly y: Int32Array;
  readonly vx: Int32Array;
  readonly vy: Int32Array;
  readonly leg: Int32Array;
  count = 1;
  ticks = 0;
  nodes = 0;
  /** Set when the last goal of the order is reached. */
  arrival: Arrival | null = null;
  isLost = false;
  private readonly flight: Flight;
  private readonly order: readonly number[];
  private readonly fields: readonly TimeField[];
  private readonly manner: Manner;
  private readonly sieve: Sieve;
  private readonly lineage = new Lineage();
  private nearest = Infinity;
  private nearestAt = 0;

  constructor(flight: Flight, order: readonly number[], fields: readonly TimeField[], start: Place, manner: Manner) {
    const { width, nearby, alike } = manner;
    this.flight = flight;
    this.order = order;
    this.fields = fields;
    this.manner = manner;
    this.x = new Int32Array(width);
    this.y = new Int32Array(width);
    this.vx = new Int32Array(width);
    this.vy = new Int32Array(width);
    this.leg = new Int32Array(width);
    this.x[0] = start.x;
    this.y[0] = start.y;
    this.vx[0] = start.vx;
    this.vy[0] = start.vy;
    this.sieve = new Sieve(width, 7, RANGE, (row) => {
      const [xs, ys, vxs, vys, legs] = this.sieve.columns as readonly [Column, Column, Column, Column, Column];
      let key = Math.imul(Math.floor(xs[row]! / nearby), 0x85eb_ca6b) ^ legs[row]!;
      key = Math.imul(key ^ (key >>> 15), 0x2c1b_3c6d) + Math.imul(Math.floor(ys[row]! / nearby), 0xc2b2_ae35);
      key = Math.imul(key ^ (key >>> 13), 0x297a_2d39) + Math.imul(Math.floor(vxs[row]! / alike), 0x27d4_eb2f);
      key = Math.imul(key ^ (key >>> 16), 0x85eb_ca6b) + Math.imul(Math.floor(vys[row]! / alike), 0x1656_67b1);
      return key ^ (key >>> 14);
    });
  }

  get isOver(): boolean {
    return this.arrival !== null || this.isLost;
  }

  /** Lets only so many racers go on, the best ones, that the rest of the way takes no more than these nodes, as far as can be told. */
  narrow(nodes: number): void {
    if (this.ticks === 0) return;
    const ticksToGo = 1.1 * this.sieve.scores[0]! + 4 * this.manner.hold;
    const affordable = Math.floor(nodes / (ticksToGo * this.manner.thrusts.count));
    this.count = Math.min(this.count, Math.max(affordable, LEAST_WIDTH));
  }

  /** All racers go on by one held thrust. */
  advance(): void {
    this.sieve.clear();
    const first = this.tryAll();
    if (first !== null) {
      const { thrusts } = this.manner;
      const last = Array.from({ length: first.ticks }, () => [thrusts.x[first.move]!, thrusts.y[first.move]!] as const);
      this.arrival = { thrusts: [...this.thrustsTo(first.parent), ...last] };
      return;
    }
    const { sieve } = this;
    sieve.select();
    const { columns, count } = sieve;
    this.lineage.add(columns[PARENT]!, columns[MOVE]!, count);
    this.count = count;
    this.ticks += this.manner.hold;
    this.x.set(columns[X]!.subarray(0, count));
    this.y.set(columns[Y]!.subarray(0, count));
    this.vx.set(columns[VX]!.subarray(0, count));
    this.vy.set(columns[VY]!.subarray(0, count));
    this.leg.set(columns[LEG]!.subarray(0, count));
    if (count > 0 && sieve.scores[0]! < this.nearest - 0.5) {
      this.nearest = sieve.scores[0]!;
      this.nearestAt = this.ticks;
    }
    this.isLost = count === 0 || this.ticks - this.nearestAt > PATIENCE;
  }

  /** The thrusts that led to a racer, tick by tick. */
  thrustsTo(row: number): (readonly [number, number])[] {
    if (this.ticks === 0) return [];
    const { thrusts, hold } = this.manner;
    return this.lineage.movesTo(row).flatMap((move) => Array.from({ length: hold }, () => [thrusts.x[move]!, thrusts.y[move]!] as const));
  }

  /** Every racer under every thrust; the first to reach the end, if any does. Hot. */
  private tryAll(): { parent: number; move: number; ticks: number } | null {
    const { flight, order, fields, sieve } = this;
    const { thrusts, hold, ahead, noTouch } = this.manner;
    const [xs, ys, vxs, vys, legs, parents, moves] = sieve.columns as readonly [Column, Column, Column, Column, Column, Column, Column];
    let first: { parent: number; move: number; ticks: number } | null = null;
    flight.open.fill(0);
    for (let parent = 0; parent < this.count; parent++) {
      for (let move = 0; move < thrusts.count; move++) {
        flight.x = this.x[parent]!;
        flight.y = this.y[parent]!;
        flight.vx = this.vx[parent]!;
        flight.vy = this.vy[parent]!;
        flight.collisions = 0;
        let leg = this.leg[parent]!;
        let left = hold;
        while (left > 0 && leg < order.length) {
          const goal = order[leg]!;
          flight.setOpen(goal, true);
          left -= flight.hold(thrusts.x[move]!, thrusts.y[move]!, left);
          if (flight.metCount > 0) leg++;
          else flight.setOpen(goal, false);
        }
        this.nodes += hold - left;
        if (noTouch && flight.collisions > 0) continue;
        if (leg === order.length) {
          if (first === null || hold - left < first.ticks) first = { parent, move, ticks: hold - left };
          continue;
        }
        const at = sieve.place(timeAt(fields[leg]!, flight.x + ahead * flight.vx, flight.y + ahead * flight.vy));
        if (at < 0) continue;
        xs[at] = flight.x;
        ys[at] = flight.y;
        vxs[at] = flight.vx;
        vys[at] = flight.vy;
        legs[at] = leg;
        parents[at] = parent;
        moves[at] = move;
      }
    }
    return first;
  }
}

type Column = Int32Array<ArrayBuffer>;
