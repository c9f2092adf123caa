import { countOwn, type Regions, type SharedRegion, type SimRegion } from '@lockstep/sparse';
import { CONTROL, setLeft } from './gate.ts';
import { sharedMemory } from './shared-memory.ts';
import { Undo } from './undo.ts';
import type { Answer, RegionWord, StartThread, Thread, Tick } from './words.ts';

/**
 * [SW-E33] Ticks of many regions, moved by several threads at once; the world is the same as with `Regions.simulate`. The regions must have
 * shared memory. A tick is undone when a thread ends in the middle of it: nothing is lost, and whoever likes may go on without threads.
 */
export class RegionThreads {
  private readonly regions: Regions;
  private readonly threads: readonly Thread[];
  private readonly control: Int32Array;
  private readonly undo = new Undo();
  private sentColumns: SharedRegion['columns'][];
  private sentShapes = 1;
  private sentPairs = -1;
  private answers: Answer[] = [];
  private failure: Error | null = null;
  private isStopped = false;
  /** Called when a thread has answered or ended. */
  private wake: () => void = () => {};

  constructor(regions: Regions, hands: number, start: StartThread) {
    for (const region of regions.list)
      if (region.memory !== sharedMemory) throw new Error('threads: expected regions in shared memory (new SimRegion(…, sharedMemory))');
    this.regions = regions;
    this.control = sharedMemory.i32(CONTROL);
    this.sentColumns = regions.list.map(() => []);
    this.threads = Array.from({ length: hands }, (_, self) => {
      const thread = start(
        (answer) => this.hear(answer),
        (why) => this.fail(`thread ${self + 1} of ${hands} ended: ${why}`),
      );
      thread.post({ rules: regions.store.rules, self, hands, regions: regions.list.length, control: this.control });
      return thread;
    });
  }

  /** One tick. Until it is done the regions are the threads' alone. */
  async simulate(): Promise<void> {
    const { regions, threads } = this;
    if (this.isStopped) throw new Error('threads: they were stopped');
    if (this.failure !== null) throw this.failure;
    regions.begin();
    this.undo.keep(regions.list);
    setLeft(this.control, countOwn(regions.list));
    this.answers = [];
    const tick = this.order();
    for (const thread of threads) thread.post(tick);
    while (this.answers.length < threads.length && this.failure === null)
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    if (this.failure !== null) {
      await Promise.all(threads.map((thread) => thread.stop()));
      this.undo.takeBack(regions.list);
      throw this.failure;
    }
    for (const { events } of this.answers) for (const [region, list] of events) take(regions.list[region]!, list);
    regions.end();
  }

  /** Ends the threads; the regions stay as they are after the last tick. */
  async stop(): Promise<void> {
    this.isStopped = true;
    await Promise.all(this.threads.map((thread) => thread.stop()));
  }

  private order(): Tick {
    const { store, list } = this.regions;
    const shapes = Array.from({ length: store.shapes.count - this.sentShapes }, (_, i) => store.shapes.cornersOf(this.sentShapes + i));
    this.sentShapes = store.shapes.count;
    const pairs = store.pairs.version === this.sentPairs ? null : store.pairs.list();
    this.sentPairs = store.pairs.version;
    const regions = list.map((region, i): RegionWord => {
      const shared = region.share();
      const isKnown = shared.columns.every((column, c) => column === this.sentColumns[i]![c]);
      this.sentColumns[i] = shared.columns;
      return isKnown ? { ...shared, columns: null } : shared;
    });
    return { regions, shapes, pairs };
  }

  private hear(answer: Answer): void {
    this.answers.push(answer);
    this.wake();
  }

  private fail(why: string): void {
    this.failure ??= new Error(`${why}; the world is as it was before the tick`);
    this.wake();
  }
}

function take(region: SimRegion, events: Float64Array): void {
  for (const number of events) region.events.push(number);
}
