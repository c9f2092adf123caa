import { solvers } from '@lockstep/catalog/solvers';
import { InputError, readSeed } from '@lockstep/kernel';
import { createMatch } from '@lockstep/match';
import { ReplayWriter } from '@lockstep/replay';
import { type Answer, carryOut, type Quest, type Question, type WorldSolver } from '@lockstep/solve';
import { type Command, Option } from 'commander';
import { naming, rawConfig, textOf } from './course.ts';
import { EXIT, leaveWith } from './exit.ts';
import { checkWritable, writeAtomically } from './files.ts';
import { numberFlag, threadsOf, wholeFlag } from './flags.ts';
import { findWorld, oneOf } from './names.ts';
import { counted, grouped, Progress, remark, say, sayJson } from './output.ts';
import { findSolver, Threads } from './solve-threads.ts';

interface Options {
  readonly rules?: string;
  readonly seconds?: string;
  readonly nodes?: string;
  readonly seed: string;
  readonly touch: boolean;
  readonly from?: string;
  readonly jobs?: string;
  readonly output?: string;
  readonly record?: string;
  readonly json?: boolean;
}

const DEFAULT_SECONDS = 60;
const MOST_SECONDS = 1_000_000;

export function addSolve(program: Command): void {
  program
    .command('solve')
    .summary('look for the fastest run')
    .description('Looks for the fastest run on a map, and keeps the best found. The same seed and nodes give the same run.')
    .argument('<world>', `which world: ${solvers.map(({ world }) => world).join(', ')}`)
    .argument('<map>', 'a map file, the name of a map of the world, or - for stdin')
    .option('--rules <preset>', 'named rules of the world (default: its first preset)')
    .addOption(new Option('--seconds <n>', `how long to look (default: ${DEFAULT_SECONDS})`).conflicts('nodes'))
    .option('--nodes <n>', 'how many ticks to try instead: the outcome then is the same on every machine')
    .option('--seed <n>', 'seed of the search, 0..18446744073709551615', '1')
    .option('--no-touch', 'only runs without any collision')
    .option('--from <file>', 'a run to begin with: the outcome is never worse')
    .option('-j, --jobs <n>', 'threads (default: one a core); changes nothing but the time')
    .option('-o, --output <file>', 'where to write the run; - is stdout, and what else there is to say goes to stderr')
    .option('--record <file>', 'write the run as a replay, too')
    .option('--json', 'one JSON object on stdout for each better run, then one for the best')
    .addHelpText(
      'after',
      `
Ctrl+C ends the search and keeps the best run. Every run is checked by a second, independent model before it is written.
Exit code 1 when no run was found.

Examples:
  $ lockstep solve asteracer sprint.txt --rules v2025 --seconds 60 -o best.in
  $ lockstep solve asteracer dash --nodes 500000000 --seed 7 -o dash.in
  $ lockstep solve asteracer sprint.txt --rules v2025 --from best.in --seconds 300 -o better.in
  $ lockstep solve asteracer thicket --no-touch --seconds 30 --record thicket.replay`,
    )
    .action(solve);
}

async function solve(world: string, map: string, options: Options): Promise<void> {
  const { output, record } = options;
  const solver = findSolver(world);
  if (solver === undefined) throw new InputError('world', oneOf(world, solvers.map((one) => one.world)), world); // prettier-ignore
  if (output === undefined && record === undefined) throw new InputError('output', '-o FILE or --record FILE', 'neither');
  if (output === '-' && options.json === true) throw new InputError('output', 'a file, for stdout has the JSON', output);
  const threads = threadsOf(options.jobs);
  const nodes = options.nodes === undefined ? Infinity : wholeFlag(options.nodes, 'nodes', 1, Number.MAX_SAFE_INTEGER);
  const seconds =
    options.nodes === undefined ? numberFlag(options.seconds ?? String(DEFAULT_SECONDS), 'seconds', 0.1, MOST_SECONDS) : Infinity;
  const question = questionOf(world, map, options);
  const quest = naming(map, () => solver.open(question));
  for (const file of [output, record]) if (file !== undefined && file !== '-') checkWritable(file);
  const effort = await look(world, question, quest, { threads, nodes, seconds, json: options.json === true });
  if (quest.best === null) {
    remark(`no run was found within ${counted(effort.nodes, 'node')}`);
    leaveWith(effort.interrupted ? EXIT.interrupted : EXIT.failed);
    return;
  }
  await keep(solver, question, quest.best, options);
  tell(world, quest.best, question, effort, options);
}

function questionOf(world: string, map: string, { rules, seed, touch, from }: Options): Question {
  if (map === '-' && from === '-') throw new InputError('from', 'a file, for stdin is the map', from);
  const config = rawConfig(findWorld(world).world, map, rules);
  return { config, seed: readSeed(seed), noTouch: !touch, from: from === undefined ? null : textOf(from) };
}

interface Budget {
  readonly threads: number;
  readonly nodes: number;
  readonly seconds: number;
  readonly json: boolean;
}
interface Effort {
  readonly nodes: number;
  readonly seconds: number;
  readonly interrupted: boolean;
}

async function look(world: string, question: Question, quest: Quest, { threads, nodes, seconds, json }: Budget): Promise<Effort> {
  const crew = new Threads(world, question, threads);
  const progress = new Progress('solving');
  const started = performance.now();
  const spent = (): number => (performance.now() - started) / 1000;
  const stop = new AbortController();
  let interrupted = false;
  const interrupt = (): void => {
    interrupted = true;
    stop.abort();
  };
  process.once('SIGINT', interrupt);
  process.once('SIGTERM', interrupt);
  const timer = setTimeout(() => stop.abort(), Math.min(seconds * 1000, 0x7fff_ffff));
  let told = Infinity;
  const looking = setInterval(() => {
    const ticks = quest.best?.ticks ?? Infinity;
    if (json && ticks < told) sayJson({ kind: 'better', ticks, nodes: crew.nodes, seconds: spent() });
    told = ticks;
    const part = seconds === Infinity ? crew.nodes / nodes : spent() / seconds;
    const best = ticks === Infinity ? 'nothing yet' : `best ${counted(ticks, 'tick')}`;
    progress.show(`${best}, ${grouped(crew.nodes)} nodes, ${grouped(crew.nodes / spent())} nodes/s`, part);
  }, 200);
  const stopped = new Promise<void>((resolve) => stop.signal.addEventListener('abort', () => resolve()));
  try {
    await Promise.race([carryOut(quest, crew, nodes, () => stop.signal.aborted), stopped]);
  } finally {
    clearTimeout(timer);
    clearInterval(looking);
    progress.clear();
    await crew.stop();
    process.off('SIGINT', interrupt);
    process.off('SIGTERM', interrupt);
  }
  return { nodes: crew.nodes, seconds: spent(), interrupted };
}

/** Nothing is written that the second model does not confirm. */
async function keep(solver: WorldSolver, question: Question, best: Answer, { output, record }: Options): Promise<void> {
  const wrong = solver.disproof(question, best);
  if (wrong !== null) throw new Error(`solve: ${wrong}; nothing was written`);
  if (output === '-') process.stdout.write(best.text);
  else if (output !== undefined) writeAtomically(output, new TextEncoder().encode(best.text));
  if (record !== undefined) writeAtomically(record, await replayOf(solver.world, best));
}

/** The run as a match of one bot that plays it. */
async function replayOf(name: string, { config: raw, actions }: Answer): Promise<Uint8Array> {
  const { world } = findWorld(name);
  const config = world.readConfig(raw);
  const bot = { name: 'solver', kind: 'run', sha256: null };
  const writer = new ReplayWriter({ world, config, seed: 0n, bots: [bot] });
  let tick = 0;
  const seat = { ...bot, make: () => ({ act: () => actions[tick++] }) };
  const match = createMatch({ world, config, seed: 0n, seats: [seat], witnesses: [writer] });
  while (match.result === null) match.step();
  return writer.finish(match.result, match.faults);
}

function tell(world: string, { ticks, collisions }: Answer, { seed, noTouch }: Question, effort: Effort, options: Options): void {
  const { nodes, seconds, interrupted } = effort;
  const { output = null, record = null } = options;
  if (options.json)
    return sayJson({ kind: 'run', world, ticks, collisions, noTouch, seed, nodes, seconds, nodesPerSecond: nodes / seconds, interrupted, output, record }); // prettier-ignore
  const line = output === '-' ? remark : say;
  line(`${counted(ticks, 'tick')}, ${collisions === 0 ? 'nothing touched' : counted(collisions, 'collision')}, proven by the exact model`);
  line(`${counted(nodes, 'node')} in ${seconds.toFixed(1)} s: ${grouped(nodes / seconds)} nodes/s; seed ${seed}`);
  for (const file of [output, record]) if (file !== null && file !== '-') line(`written: ${file}`);
}
