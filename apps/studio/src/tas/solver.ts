import { type Config, writeMap } from '@lockstep/asteracer';
import { computed, signal } from '@preact/signals';
import type { Gap } from './gaps.ts';
import type { Script, Span } from './script.ts';
import type { FieldCells, Improvement, SolverCommand, SolverReport } from './solver-protocol.ts';

/** A thread that thinks about one map at a time. It is started when it is first asked, and ended to stop it. */
class Thinker {
  private worker: Worker | null = null;
  private known: Config | null = null;
  private readonly hear: (report: SolverReport) => void;
  private readonly crashed: (message: string) => void;

  constructor(hear: (report: SolverReport) => void, crashed: (message: string) => void) {
    this.hear = hear;
    this.crashed = crashed;
  }

  ask(config: Config, command: SolverCommand): void {
    if (this.worker === null) {
      this.worker = new Worker(new URL('./solver-worker.ts', import.meta.url), { type: 'module', name: 'lockstep-solver' });
      this.worker.addEventListener('message', ({ data }: MessageEvent<SolverReport>) => this.hear(data));
      this.worker.addEventListener('error', (event) => {
        event.preventDefault();
        this.stop();
        this.crashed(event.message || 'the solver stopped');
      });
    }
    if (config !== this.known) this.post({ type: 'track', map: writeMap(config.map), rules: config.rules });
    this.known = config;
    this.post(command);
  }

  stop(): void {
    this.worker?.terminate();
    this.worker = null;
    this.known = null;
  }

  private post(command: SolverCommand): void {
    this.worker!.postMessage(command, { transfer: [] });
  }
}

/** How a search ended. */
interface Outcome extends Improvement {
  /** Before it had tried all that it might. */
  readonly stopped: boolean;
}

/** The solver as the editor knows it: it improves a window of a run, and tells what it sees of a map. */
export class Solver {
  /** How many ticks were tried in the search that is under way; null when none is. */
  readonly tried = signal<number | null>(null);
  /** How many ticks it has won so far. */
  readonly won = computed(() => this.best.value.won);
  private readonly best = signal<Improvement>({ script: new Int8Array(0), won: 0 });
  private improved: (outcome: Outcome) => void = () => {};
  private fieldDone: (field: FieldCells | null) => void = () => {};
  private gapsDone: (gaps: readonly Gap[]) => void = () => {};
  private readonly searcher: Thinker;
  /** A search is not to keep pictures waiting. */
  private readonly painter: Thinker;

  constructor(crashed: (message: string) => void) {
    const tell = (message: string) => {
      this.tried.value = null;
      crashed(message);
    };
    this.searcher = new Thinker((report) => this.hear(report), tell);
    this.painter = new Thinker((report) => this.hear(report), crashed);
  }

  improve(config: Config, script: Script, { from, to }: Span, nodes: number, noTouch: boolean): Promise<Outcome> {
    this.tried.value = 0;
    this.best.value = { script, won: 0 };
    return new Promise((resolve) => {
      this.improved = resolve;
      this.searcher.ask(config, { type: 'improve', script, from, to, nodes, noTouch });
    });
  }

  /** The search ends with the best that it has told of. */
  stop(): void {
    this.searcher.stop();
    this.end({ ...this.best.value, stopped: true });
  }

  field(config: Config, order: readonly number[], rest: readonly number[], done: (field: FieldCells | null) => void): void {
    this.fieldDone = done;
    this.painter.ask(config, { type: 'field', order, rest });
  }

  gaps(config: Config, done: (gaps: readonly Gap[]) => void): void {
    this.gapsDone = done;
    this.painter.ask(config, { type: 'gaps' });
  }

  close(): void {
    this.searcher.stop();
    this.painter.stop();
  }

  private end(outcome: Outcome): void {
    this.tried.value = null;
    this.improved(outcome);
  }

  private hear(report: SolverReport): void {
    if (report.type === 'tried') {
      this.tried.value = report.nodes;
    } else if (report.type === 'better') {
      this.best.value = report;
    } else if (report.type === 'improved') {
      this.end({ ...report, stopped: false });
    } else if (report.type === 'field') {
      this.fieldDone(report.field);
    } else {
      this.gapsDone(report.gaps);
    }
  }
}
