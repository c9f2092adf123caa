import {
  type Ghosts,
  ghostsOf,
  moveReady,
  Mover,
  prepare,
  SimRegion,
  sortIntoCells,
  Store,
  takeStates,
  takeWays,
  WorldPosition,
} from '@lockstep/sparse';
import { leftNow, meetAll, takeFromLeft } from './gate.ts';
import type { Answer, Order, Start, Tick } from './words.ts';

/** A thread's program: what it is told goes in, answers come out. */
export function serve(tell: (answer: Answer) => void): (order: Order) => void {
  let hand: Hand | null = null;
  return (order) => {
    if ('rules' in order) hand = new Hand(order);
    else tell(hand!.tick(order));
  };
}

/** [SW-E33] Moves some of the regions. It sees the columns of all, and writes rows of its own regions only. */
class Hand {
  private readonly start: Start;
  private readonly store: Store;
  private readonly all: readonly SimRegion[];
  private readonly mine: readonly SimRegion[];
  private readonly mover = new Mover();

  constructor(start: Start) {
    this.start = start;
    this.store = new Store(start.rules);
    this.all = Array.from({ length: start.regions }, () => new SimRegion(this.store, new WorldPosition(), 0, { x: 0, y: 0, z: 0 }));
    this.mine = this.all.filter((_, i) => i % start.hands === start.self);
  }

  /** The phases of `Regions.simulate`: between two of them all threads meet. */
  tick(order: Tick): Answer {
    const { all, mine, mover } = this;
    const { control, hands } = this.start;
    this.takeIn(order);
    for (const region of mine) prepare(region);
    meetAll(control, hands);
    const ghosts: Ghosts[] = mine.map((region) => ghostsOf(region, all));
    for (const one of ghosts) takeWays(one);
    for (const region of mine) sortIntoCells(region);
    let left = leftNow(control);
    meetAll(control, hands);
    while (left > 0) {
      for (const region of mine) takeFromLeft(control, moveReady(region, mover));
      meetAll(control, hands);
      // nobody moves on while others still look where it has got to
      for (const one of ghosts) takeStates(one);
      left = leftNow(control);
      meetAll(control, hands);
    }
    return { events: mine.map((region) => [all.indexOf(region), Float64Array.from(region.events)]) };
  }

  private takeIn({ regions, shapes, pairs }: Tick): void {
    for (const corners of shapes) this.store.shapes.internCorners(corners);
    if (pairs !== null) this.store.pairs.replace(pairs);
    this.all.forEach((region, i) => {
      const word = regions[i]!;
      region.adopt({ ...word, columns: word.columns ?? region.share().columns });
      region.events.length = 0;
    });
  }
}
