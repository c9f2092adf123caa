import { InputError, MAX_SEED, readSeed, type Seed } from '@lockstep/kernel';
import { type Command, Option } from 'commander';
import { addCareOptions, addFileOptions, careFor, type CareOptions, type FileOptions, filesFor, honestyOf } from './care.ts';
import { EXIT, leaveWith } from './exit.ts';
import { randomSeed, threadsOf, valueOf, wholeFlag } from './flags.ts';
import { type GamePlan, type GameReport, Table } from './game.ts';
import { playMany } from './many-games.ts';
import { faultsOf, gameLine, leaveAsPlayed, playOne, tellAll } from './match-report.ts';
import { findWorld, presetOf } from './names.ts';
import { counted, grouped, Progress, remark, say, sayJson } from './output.ts';
import { fromOf } from './rerun.ts';
import { readTable } from './table-command.ts';

interface Options extends CareOptions, FileOptions {
  readonly seed?: string;
  readonly seeds?: string;
  readonly games?: string;
  readonly rules?: string;
  readonly ticks?: string;
  readonly table?: string;
  readonly set?: readonly string[];
  readonly draws?: string;
  readonly disableRandom?: boolean;
  readonly untilFirstGoal?: boolean;
  readonly from?: string;
  readonly verify?: string;
  readonly jobs?: string;
  readonly json?: boolean;
}

const MOST_GAMES = 1_000_000;

export function addMatch(program: Command): void {
  const command = program
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
    .option('--table <file>', 'a table of your own (`lockstep table check`); the replay carries it')
    .option('--draws <mode>', 'where random numbers come from')
    .addOption(new Option('--disable-random', 'the same as --draws none').conflicts('draws'))
    .option('--until-first-goal', 'break the game off at the first goal')
    .addOption(
      new Option('--from <replay@tick>', 'go on from the midst of a recorded game, with its rules and its seed').conflicts([
        'seed',
        'seeds',
        'games',
        'rules',
        'ticks',
        'set',
        'table',
        'draws',
        'disableRandom',
      ]),
    )
    .option('--verify <sim|rerun>', 'check the result: play the actions again, or also run the bots again')
    .option('-j, --jobs <n>', 'threads for many games (default: one a core)');
  addFileOptions(command);
  addCareOptions(command)
    .option('--json', 'one JSON object a game on stdout, then one for all when there are many')
    .addHelpText(
      'after',
      `
Exit code 3 when a bot crashed, played an illegal action or took too long; the match goes on without it all the same.

A bot module exports createBot(briefing, seat) (or has it as its default), which returns { act(view) { return action; } }. Either
may be async. What it prints by console.log goes to stderr. It is trusted with files and network, but it has a thread of its own, which is
ended when it lets the others wait for too long or takes too much memory; with \`--budget none\` it runs in our thread, for debuggers.
\`script:./bot.js\` runs the same file in an engine of its own, without clock, chance, network or files, its steps counted.

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
  $ lockstep match pinball wizard --table mine.json --record mine.replay
  $ lockstep match codeball captain chaser --set rules.GRAVITY=10 --set rules.team_size=5
  $ lockstep match codeball ./mine captain --from game.replay@812 --until-first-goal --results-file result.txt`,
    )
    .action(match);
}

async function match(world: string, bots: readonly string[], options: Options): Promise<void> {
  const from = options.from === undefined ? null : await fromOf(world, options.from);
  const seeds = from === null ? seedsOf(options) : [from.seed];
  const threads = threadsOf(options.jobs);
  const plan: GamePlan = {
    world,
    bots,
    config: configOf(world, options),
    care: careFor(world, bots, options),
    ...filesFor(options, seeds),
    from: from === null ? null : { file: from.file, tick: from.tick },
    until: options.untilFirstGoal === true ? 'goal' : null,
    verify: honestyOf(options.verify),
  };
  const table = await Table.open(plan);
  if (options.record !== undefined) checkLength(table, options);
  if (from === null && options.seed === undefined && options.seeds === undefined)
    remark(`seed ${seeds[0]} (repeat with --seed ${seeds[0]})`);
  const reports =
    seeds.length === 1 ? [await playOne(table, seeds[0]!, options.json === true)] : await playAll(plan, bots, seeds, threads, options);
  leaveAsPlayed(reports);
}

/** Where the length is known beforehand, nobody need wait for the refusal. */
function checkLength({ mostTicks }: Table, { ticks }: Options): void {
  if (Number(ticks) > mostTicks) throw new InputError('ticks', `at most ${mostTicks} in a game that is recorded`, valueOf(ticks!));
}

async function playAll(
  plan: GamePlan,
  bots: readonly string[],
  seeds: readonly Seed[],
  threads: number,
  { json }: Options,
): Promise<GameReport[]> {
  const progress = new Progress('playing');
  const reports: GameReport[] = [];
  const stop = new AbortController();
  const interrupted = (): void => stop.abort();
  process.once('SIGINT', interrupted);
  const started = performance.now();
  await playMany(plan, seeds, threads, onReport, stop.signal);
  process.off('SIGINT', interrupted);
  progress.clear();
  tellAll(bots, reports, (performance.now() - started) / 1000, Math.min(threads, seeds.length), json === true);
  if (stop.signal.aborted) leaveWith(EXIT.interrupted);
  return reports;

  function onReport(report: GameReport): void {
    reports.push(report);
    progress.clear();
    if (json) sayJson(gameLine(plan.world, bots, report));
    else
      say(
        `seed ${report.seed}: ${report.scores.join(' : ')}, ${counted(report.ticks, 'tick')}, final state ${report.hash}${faultsOf(report)}`,
      );
    progress.show(`${grouped(reports.length)} of ${counted(seeds.length, 'game')}`, reports.length / seeds.length);
  }
}

/** { preset, ticks, draws, … } as every world's door takes it. */
function configOf(name: string, options: Options): object {
  const { world } = findWorld(name);
  const config: Record<string, unknown> = { preset: presetOf(world, options.rules) };
  if (options.ticks !== undefined) config['ticks'] = valueOf(options.ticks);
  if (options.table !== undefined) config['table'] = tableFor(name, options.table);
  const draws = options.disableRandom ? 'none' : options.draws;
  if (draws !== undefined) config['draws'] = draws;
  for (const text of options.set ?? []) setIn(config, text);
  return config;
}

/** Complaints about the table name its file; a world without tables refuses it at its door. */
function tableFor(name: string, file: string): unknown {
  const table = readTable(file);
  findWorld(name).tables?.check(table, `${file}: table`);
  return table;
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
