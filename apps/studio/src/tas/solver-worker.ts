import { type Config, readMap } from '@lockstep/asteracer';
import { closedGaps, goalOrder, improveWindow, valueField } from '@lockstep/asteracer/solve';
import { configFor } from './files.ts';
import { bordersOf, neckOf } from './gaps.ts';
import { lengthOf, scriptOf, thrustsOf } from './script.ts';
import { slicesOf } from './slices.ts';
import type { FieldCells, Improvement, SolverCommand, SolverReport } from './solver-protocol.ts';

let config: Config | null = null;

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
  let best: Improvement = { script, won: 0 };
  for (const [i, slice] of slicesOf(most).entries()) {
    const until = Math.min(to - best.won, lengthOf(best.script));
    if (until <= from) break;
    const options = { nodes: slice, seed: BigInt(i + 1), noTouch, tell };
    const { instructions, won, nodes } = improveWindow(track, thrustsOf(best.script), from, until, options);
    if (nodes === 0) break; // nothing is left to look for
    if (won === 0) continue;
    best = { script: scriptOf(instructions), won: best.won + won };
    send({ type: 'better', ...best });
  }
  send({ type: 'improved', ...best });
}

function fieldOf(track: Config, order: readonly number[], rest: readonly number[]): FieldCells | null {
  const others = rest.length < 2 ? rest : goalOrder(track).filter((goal) => rest.includes(goal));
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
