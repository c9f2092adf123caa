import { type Config, readMap } from '@lockstep/asteracer';
import { closedGaps, goalOrder, type Improved, improveWindow, valueField } from '@lockstep/asteracer/solve';
import { configFor } from './files.ts';
import { bordersOf, neckOf } from './gaps.ts';
import { scriptOf, thrustsOf } from './script.ts';
import type { FieldCells, Improvement, SolverCommand, SolverReport } from './solver-protocol.ts';

let config: Config | null = null;

/** The same search again gives the same run. */
const SEED = 1n;

/** Nodes between two reports. */
const REPORT_EVERY = 20_000;

self.addEventListener('message', ({ data }: MessageEvent<SolverCommand>) => {
  if (data.type === 'track') config = configFor(readMap(data.map), data.rules);
  else if (data.type === 'improve') improve(config!, data);
  else if (data.type === 'field') send({ type: 'field', field: fieldOf(config!, data.order, data.rest) });
  else send({ type: 'gaps', gaps: gapsOf(config!) });
});

function improve(track: Config, { script, from, to, nodes: most, noTouch }: Extract<SolverCommand, { type: 'improve' }>): void {
  let tried = 0;
  let told = 0;
  const tell = (nodes: number) => {
    tried += nodes;
    if (tried - told < REPORT_EVERY) return;
    told = tried;
    send({ type: 'tried', nodes: tried });
  };
  const improvement = ({ instructions, won }: Improved): Improvement => ({ script: scriptOf(instructions), won });
  const better = (improved: Improved) => send({ type: 'better', ...improvement(improved) });
  const improved = improveWindow(track, thrustsOf(script), from, to, { nodes: most, seed: SEED, noTouch, tell, better });
  send({ type: 'improved', ...improvement(improved) });
}

function fieldOf(track: Config, order: readonly number[], rest: readonly number[]): FieldCells | null {
  const others = rest.length < 2 ? rest : goalOrder(track, SEED).filter((goal) => rest.includes(goal));
  const [first, ...later] = [...order, ...others];
  if (first === undefined) return null;
  const { left, top, size, columns, rows, times } = valueField(track, [first, ...later]);
  return { left, top, size, columns, rows, times };
}

function gapsOf({ map }: Config) {
  const necks = closedGaps(map).map(({ asteroids: [one, other], depth }) => neckOf(map, one, other, depth));
  return [...necks, ...bordersOf(map)].sort((a, b) => a.depth - b.depth);
}

function send(report: SolverReport): void {
  self.postMessage(report);
}
