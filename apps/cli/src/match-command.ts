import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { choiceAt, InputError, MAX_SEED, readSeed, type Seed } from '@lockstep/kernel';
import { type Budget, type BudgetName, BUDGETS, type Spent } from '@lockstep/match';
import { type Command, Option } from 'commander';
import { type Care, chooseSandbox, isProgram } from './bots.ts';
import { EXIT, leaveWith } from './exit.ts';
import { checkWritable } from './files.ts';
import { numberFlag, valueOf, wholeFlag } from './flags.ts';
import { type GamePlan, type GameReport, Table } from './game.ts';
import { playMany } from './many-games.ts';
import { findWorld, oneOf } from './names.ts';
import { counted, grouped, oneLine, Progress, remark, say, sayJson } from './output.ts';

interface Options {
  readonly seed?: string;
  readonly seeds?: string;
  readonly games?: string;
  readonly rules?: string;
  readonly ticks?: string;
  readonly set?: readonly string[];
  readonly draws?: string;
  readonly disableRandom?: boolean;
  readonly record?: string;
  readonly debugFile?: string;
  readonly timeout?: string;
  readonly budget: string;
  readonly sandbox: boolean;
  readonly requireSandbox?: boolean;
  readonly jobs?: string;
  readonly json?: boolean;
}

const MOST_GAMES = 1_000_000;

export function addMatch(program: Command): void {
  program
    .command('match')
    .summary('play a match, or many')
    .description('Plays bots against each other. The same seed gives the same game, bit for bit.')
    .argument('<world>', 'which world (`lockstep worlds` lists them)')
    .argument(
      '[bots...]',
      'one a seat: the name of a built-in bot, the path of a module, a program or a folder with bot.json, or a command',
    )
    .option('--seed <n>', 'seed of the game, 0..18446744073709551615 (default: a random one, which is told)')
    .option('--seeds <a..b>', 'one game for each seed from a to b')
    .option('--games <n>', 'so many games, with seeds counted up from --seed')
    .option('--rules <preset>', 'named rules of the world (default: its first preset)')
    .option('--ticks <n>', 'length of the game')
    .option(
      '--set <path=value>',
      'set one thing of the config, e.g. rules.GRAVITY=10 (may be repeated)',
      (one: string, all: string[] | undefined) => [...(all ?? []), one],
    )
    .option('--draws <mode>', 'where random numbers come from')
    .addOption(new Option('--disable-random', 'the same as --draws none').conflicts('draws'))
    .option('--record <file>', 'write a replay; with many games {seed} in the name stands for the seed')
    .option('--debug-file <file>', 'write what programs say beside their actions, such as drawings; {seed} as above')
    .option('--budget <name>', `what programs may use: ${Object.keys(BUDGETS).join(', ')}`, 'bank')
    .option('--timeout <seconds>', 'a bot that lets the others wait longer for an answer is out (default: 20, or as the budget says)')
    .option('--no-sandbox', 'let programs see the network and the disk')
    .addOption(new Option('--require-sandbox', 'refuse to start programs where they cannot be kept apart').conflicts('sandbox'))
    .option('-j, --jobs <n>', 'threads for many games (default: one a core)')
    .option('--json', 'one JSON object a game on stdout, then one for all when there are many')
    .addHelpText(
      'after',
      `
Exit code 3 when a bot crashed, played an illegal action or took too long; the match goes on without it all the same.

A bot module exports createBot(briefing, seat) (or has it as its default), which returns { act(view) { return action; } }. Either
may be async. What it prints by console.log goes to stderr. It is trusted: it runs in our process,
and a loop without end in it stops everything. \`script:./bot.js\` runs the same file in an
engine of its own, without clock, chance, network or files, its steps counted.

A program, in any language, gets lines of JSON on stdin and answers on stdout (docs/protocol.md); \`lockstep new bot\` writes one that
plays at once. It is kept in a sandbox where the machine has one (\`lockstep doctor\`). A strategy of the contest of 2018 plays unchanged:
\`tcp-31001\` waits for it at that port, \`'tcp2018:java -jar strategy.jar'\` starts it with host, port and token.

Examples:
  $ lockstep match codeball captain quickstart
  $ lockstep match asteracer pilot --rules v2025
  $ lockstep match codeball captain quickstart --seed 7 --rules round2 --ticks 3000 --record game.replay --json
  $ lockstep match codeball ./my-bot.mjs captain --games 100 --seed 1
  $ lockstep match codeball ./my-bot 'python3 other.py' --budget strikes --require-sandbox
  $ lockstep match codeball chaser chaser --seeds 1..20 --record 'games/{seed}.replay'
  $ lockstep match codeball captain chaser --set rules.GRAVITY=10 --set rules.team_size=5`,
    )
    .action(match);
}

async function match(world: string, bots: readonly string[], options: Options): Promise<void> {
  const seeds = seedsOf(options);
  const threads = options.jobs === undefined ? availableParallelism() : wholeFlag(options.jobs, 'jobs', 1, 1024);
  const record = options.record ?? null;
  const debug = options.debugFile ?? null;
  const plan: GamePlan = { world, bots, config: configOf(world, options), care: careFor(world, bots, options), record, debug };
  if (record !== null) checkFile('record', record, seeds);
  if (debug !== null) checkFile('debug-file', debug, seeds);
  const table = await Table.open(plan);
  if (record !== null) checkLength(table, options);
  if (options.seed === undefined && options.seeds === undefined) remark(`seed ${seeds[0]} (repeat with --seed ${seeds[0]})`);
  const reports = seeds.length === 1 ? [await playOne(table, seeds[0]!, options)] : await playAll(plan, seeds, threads, options);
  if (reports.some(({ faults }) => faults.length > 0)) leaveWith(EXIT.fault);
}

function careFor(world: string, bots: readonly string[], { timeout, budget, sandbox, requireSandbox }: Options): Care {
  const seconds = timeout === undefined ? null : numberFlag(timeout, 'timeout', 0.001, 86_400);
  const limits: Budget = BUDGETS[choiceAt(budget, 'budget', Object.keys(BUDGETS) as BudgetName[])];
  const entry = findWorld(world);
  const wish = requireSandbox === true ? 'require' : sandbox ? 'auto' : 'off';
  const kept = bots.some((bot) => isProgram(entry, bot)) ? chooseSandbox(wish) : { kind: null, line: null };
  if (kept.line !== null) remark(kept.line);
  return {
    timeout: seconds ?? 20,
    budget: seconds === null ? limits : { ...limits, tickMs: seconds * 1000 },
    sandbox: kept.kind,
  };
}

function checkFile(option: string, name: string, seeds: readonly Seed[]): void {
  if (name === '') throw new InputError(option, 'the name of a file', name);
  if (seeds.length > 1 && !name.includes('{seed}'))
    throw new InputError(option, 'a name with {seed} in it, for there are many games', name);
  for (const seed of seeds) checkWritable(name.replaceAll('{seed}', String(seed)));
}

/** Where the length is known beforehand, nobody need wait for the refusal. */
function checkLength({ mostTicks }: Table, { ticks }: Options): void {
  if (Number(ticks) > mostTicks) throw new InputError('ticks', `at most ${mostTicks} in a game that is recorded`, valueOf(ticks!));
}

async function playOne(table: Table, seed: Seed, { json }: Options): Promise<GameReport> {
  const progress = new Progress('playing');
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(EXIT.interrupted)); // bots go with us
  const report = await table.play(seed, (tick) => progress.show(`${grouped(tick)} ticks`));
  progress.clear();
  if (json) {
    sayJson(gameLine(table.entry.world.name, namesOf(table), report));
    return report;
  }
  const { scores, ranks, reason, ticks, seconds, faults, record, bytes } = report;
  say(`${table.entry.world.name}, seed ${seed}`);
  table.seats.forEach(({ name }, seat) =>
    say(`  ${String(scores[seat]).padStart(5)}  ${oneLine(name)}${winner(ranks) === seat ? '  *' : ''}`),
  );
  say(`${reason} after ${counted(ticks, 'tick')}; final state ${report.hash}; ${grouped(ticks / seconds)} ticks/s`);
  report.times.forEach((spent, seat) => {
    if (spent !== null) say(`time of seat ${seat} (${oneLine(table.seats[seat]!.name)}): ${timeText(spent)}`);
  });
  for (const { seat, tick, kind, reason, stderr = [], input } of faults) {
    say(`fault: seat ${seat} (${oneLine(table.seats[seat]!.name)}), tick ${tick}, ${kind}: ${reason}`);
    for (const line of stderr) say(`  stderr: ${oneLine(line)}`);
    if (input !== undefined) say(`  it was given: ${oneLine(input.length > 120 ? `${input.slice(0, 120)}…` : input)}`);
  }
  if (record !== null) say(`replay: ${oneLine(record)} (${grouped(bytes)} bytes)`);
  return report;
}

async function playAll(plan: GamePlan, seeds: readonly Seed[], threads: number, { json }: Options): Promise<GameReport[]> {
  const progress = new Progress('playing');
  const reports: GameReport[] = [];
  const stop = new AbortController();
  const interrupted = (): void => stop.abort();
  process.once('SIGINT', interrupted);
  const started = performance.now();
  await playMany(plan, seeds, threads, onReport, stop.signal);
  process.off('SIGINT', interrupted);
  progress.clear();
  tellAll(plan, reports, (performance.now() - started) / 1000, Math.min(threads, seeds.length), json === true);
  if (stop.signal.aborted) leaveWith(EXIT.interrupted);
  return reports;

  function onReport(report: GameReport): void {
    reports.push(report);
    progress.clear();
    if (json) sayJson(gameLine(plan.world, plan.bots, report));
    else
      say(
        `seed ${report.seed}: ${report.scores.join(' : ')}, ${counted(report.ticks, 'tick')}, final state ${report.hash}${faultsOf(report)}`,
      );
    progress.show(`${grouped(reports.length)} of ${counted(seeds.length, 'game')}`, reports.length / seeds.length);
  }
}

function tellAll({ bots }: GamePlan, reports: readonly GameReport[], seconds: number, threads: number, json: boolean): void {
  const wins = bots.map((_, seat) => reports.filter(({ ranks }) => winner(ranks) === seat).length);
  const draws = reports.length - wins.reduce((sum, won) => sum + won, 0);
  const ticks = reports.reduce((sum, report) => sum + report.ticks, 0);
  const faults = reports.reduce((sum, report) => sum + report.faults.length, 0);
  const scores = bots.map((_, seat) => reports.reduce((sum, report) => sum + report.scores[seat]!, 0));
  const gamesPerSecond = reports.length / seconds;
  const ticksPerSecond = ticks / seconds;
  if (json)
    return sayJson({
      kind: 'summary',
      games: reports.length,
      wins,
      draws,
      scores,
      ticks,
      faults,
      seconds,
      gamesPerSecond,
      ticksPerSecond,
      threads,
    });
  say(
    `${bots.map((name, seat) => `${oneLine(name)} won ${wins[seat]} (score ${scores[seat]})`).join(', ')}, drawn ${draws}${faults > 0 ? `, ${counted(faults, 'fault')}` : ''}`,
  );
  say(
    `${counted(reports.length, 'game')} in ${seconds.toFixed(1)} s on ${counted(threads, 'thread')}: ${gamesPerSecond.toFixed(1)} games/s, ${grouped(ticksPerSecond)} ticks/s`,
  );
}

function gameLine(world: string, bots: readonly string[], report: GameReport): object {
  const { seed, seconds, bytes, record, ticks, ...rest } = report;
  return {
    kind: 'game',
    world,
    seed,
    bots,
    ...rest,
    ticks,
    seconds,
    ticksPerSecond: ticks / seconds,
    record,
    ...(record === null ? {} : { bytes }),
  };
}

const namesOf = ({ seats }: Table): string[] => seats.map(({ name }) => name);
const faultsOf = ({ faults }: GameReport): string =>
  faults.map(({ seat, tick, kind, reason }) => `; fault: seat ${seat}, tick ${tick}, ${kind}: ${reason}`).join('');

function timeText({ wallMs, cpuMs, chargedMs, slowestMs, peakBytes, gas }: Spent): string {
  const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`;
  const work = cpuMs === null ? (gas === undefined ? 'processor time unknown' : `${grouped(gas)} gas`) : `${seconds(cpuMs)} of processor`;
  const memory = peakBytes === null ? '' : `, at most ${grouped(peakBytes / 1024 / 1024)} MB`;
  return `waited for ${seconds(wallMs)}, ${work}, charged ${seconds(chargedMs)}, slowest answer ${slowestMs.toFixed(1)} ms${memory}`;
}

/** The seat that is first alone, or -1. */
function winner(ranks: readonly number[]): number {
  return ranks.filter((rank) => rank === 1).length === 1 ? ranks.indexOf(1) : -1;
}

/** { preset, ticks, draws, … } as every world's door takes it. */
function configOf(name: string, options: Options): object {
  const { world } = findWorld(name);
  const presets = Object.keys(world.presets);
  const preset = options.rules ?? presets[0]!;
  if (!presets.includes(preset)) throw new InputError('rules', oneOf(preset, presets), preset);
  const config: Record<string, unknown> = { preset };
  if (options.ticks !== undefined) config['ticks'] = valueOf(options.ticks);
  const draws = options.disableRandom ? 'none' : options.draws;
  if (draws !== undefined) config['draws'] = draws;
  for (const text of options.set ?? []) setIn(config, text);
  return config;
}

function setIn(config: Record<string, unknown>, text: string): void {
  const [, path, value] = /^([\w.-]+)=(.*)$/s.exec(text) ?? [];
  const keys = path?.split('.') ?? [];
  if (value === undefined || keys.some((key) => key === '' || key === '__proto__'))
    throw new InputError('set', 'path=value, e.g. rules.GRAVITY=10', text);
  let at = config;
  for (const key of keys.slice(0, -1)) {
    const inner = at[key] ?? {};
    if (typeof inner !== 'object') throw new InputError('set', `nothing below ${key}, which is a value`, text);
    at[key] = inner;
    at = inner as Record<string, unknown>;
  }
  at[keys.at(-1)!] = valueOf(value);
}

function seedsOf({ seed, seeds, games }: Options): Seed[] {
  if (seeds !== undefined) {
    if (seed !== undefined || games !== undefined) throw new InputError('seeds', 'either --seeds or --seed with --games', 'both');
    const [, first, last] = /^(\d+)\.\.(\d+)$/.exec(seeds) ?? [];
    if (first === undefined || last === undefined) throw new InputError('seeds', 'two seeds a..b', seeds);
    return countUp(readSeed(first, 'seeds'), readSeed(last, 'seeds') - readSeed(first, 'seeds') + 1n, seeds);
  }
  const first = seed === undefined ? randomSeed() : readSeed(seed);
  const count = games === undefined ? 1 : wholeFlag(games, 'games', 1, MOST_GAMES);
  const left = MAX_SEED - first + 1n;
  if (BigInt(count) > left) throw new InputError('games', `at most ${left}, for seeds end at ${MAX_SEED}`, count);
  return countUp(first, BigInt(count), games);
}

function countUp(first: Seed, count: bigint, text: unknown): Seed[] {
  if (count < 1n || count > BigInt(MOST_GAMES)) throw new InputError('seeds', `1..${MOST_GAMES} seeds, the smaller first`, text);
  return Array.from({ length: Number(count) }, (_, i) => first + BigInt(i));
}

function randomSeed(): Seed {
  return randomBytes(8).readBigUInt64LE();
}
