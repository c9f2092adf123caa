import { resolve } from 'node:path';
import { InputError, objectAt, readSeed, type Seed } from '@lockstep/kernel';
import {
  type Entry,
  type GameLine,
  PairCount,
  pairId,
  type PlannedGame,
  seedFor,
  type Sprt,
  type Versus,
  worstLosses,
} from '@lockstep/league';
import type { Command } from 'commander';
import { EXIT, leaveWith } from '../exit.ts';
import { randomSeed, threadsOf, wholeFlag } from '../flags.ts';
import { Table } from '../game.ts';
import { findWorld, presetOf } from '../names.ts';
import { oneLine, remark, say, sayJson, shellWord } from '../output.ts';
import { blockOf } from './block.ts';
import { Interrupt } from './interrupt.ts';
import { etaText, Live } from './live.ts';
import { playEach, Players } from './play.ts';
import { RunFolder } from './run-folder.ts';
import { careOf, nicknames, placed, readBook } from './settings.ts';
import { readSprt } from './sprt-command.ts';

interface Options {
  readonly vs?: string;
  readonly world?: string;
  readonly games: string;
  readonly rules?: string;
  readonly ticks?: string;
  readonly sprt?: readonly string[] | true;
  readonly book?: string;
  readonly seed?: string;
  readonly jobs?: string;
  readonly budget: string;
  readonly out?: string;
  readonly resume?: string;
  readonly replays: boolean;
  readonly json?: boolean;
}

/** What stands in the journal's first line: enough to go on with it anywhere. */
interface TestPlan {
  readonly kind: 'test';
  readonly world: string;
  readonly rulesVersion: number;
  readonly rules: string;
  readonly ticks: number | null;
  readonly seats: number;
  readonly bots: readonly [Entry, Entry];
  readonly pairs: number;
  readonly seed: string;
  readonly book: readonly string[] | null;
  readonly sprt: Sprt | null;
  readonly budget: string;
  readonly replays: boolean;
}

export function addTest(program: Command): void {
  program
    .command('test')
    .summary('is my new bot better, and by how much?')
    .description('Plays a new bot against an old one: every seed twice, with the seats changed, on all cores, until it is decided.')
    .argument('[new]', 'the bot that is tested')
    .option('--vs <bot>', 'the bot that it is tested against')
    .option('--world <name>', 'which world (`lockstep worlds` lists them)')
    .option('--games <n>', 'so many games at most', '400')
    .option('--sprt [settings...]', 'stop when decided: elo0=0 elo1=10 model=normalized alpha=0.05 beta=0.05')
    .option('--rules <preset>', 'named rules of the world (default: its first preset)')
    .option('--ticks <n>', 'length of a game')
    .option('--book <file>', 'seeds to play, one a line')
    .option('--seed <n>', 'where seeds come from without a book (default: a random one, which is told)')
    .option('-j, --jobs <n>', 'threads (default: one a core)')
    .option('--budget <name>', 'what programs may use', 'bank')
    .option('--out <folder>', 'folder of the run (default: runs/test-NEW-vs-OLD-SEED)')
    .option('--resume <folder>', 'go on with a run that was stopped')
    .option('--no-replays', 'keep no replays')
    .option('--json', 'one JSON object a game on stdout, then one for all')
    .addHelpText(
      'after',
      `
In a world that is played alone both bots play the same seeds, and the higher score wins, at equal scores the shorter game.
The run is a folder: journal.ndjson, a line a game, and the replays. \`lockstep verify FOLDER\` checks it, \`lockstep report FOLDER\` draws it.

Examples:
  $ lockstep test ./new --vs ./old --world codeball --games 400
  $ lockstep test captain --vs chaser --world codeball --sprt elo0=0 elo1=10 --ticks 3000
  $ lockstep test ./new.mjs --vs pilot --world asteracer --book seeds.txt
  $ lockstep test --resume runs/test-new-vs-old-7`,
    )
    .action(test);
}

async function test(bot: string | undefined, options: Options): Promise<void> {
  const folder = options.resume === undefined ? await begin(bot, options) : RunFolder.resume(options.resume);
  const plan = readPlan(folder, options.resume);
  const threads = threadsOf(options.jobs);
  const names = plan.bots.map(({ name }) => name) as [string, string];
  const interrupt = new Interrupt(`lockstep test --resume ${shellWord(folder.path)}`);
  const players = new Players(settingsOf(plan), folder, threads);
  const live = new Live();
  const started = performance.now();
  let played = 0;
  let wrong: string | null = null;
  const count = new PairCount(names[0], plan.sprt);
  let found = count.take(folder.games);
  const enough = (): boolean => interrupt.stopped || wrong !== null || (found.sprt?.verdict ?? null) !== null;
  try {
    await playEach(openGames(plan, folder.games), threads, playOne, enough);
  } finally {
    live.clear();
    await players.pool.close();
    folder.close();
  }
  interrupt.end();
  if (wrong !== null) throw new InputError('bot', 'one that starts', wrong);
  const { playedMs, waitedMs } = players.pool;
  const speed = {
    gamesPerSecond: played / Math.max(1e-9, (performance.now() - started) / 1000),
    waiting: waitedMs / Math.max(1, waitedMs + playedMs),
  };
  tell(plan, found, folder, speed, options.json === true);
  if (!interrupt.stopped && found.faults[0] > 0) leaveWith(EXIT.fault);

  async function playOne(game: PlannedGame): Promise<void> {
    const line = await players.play(game);
    played++;
    found = count.take(folder.games);
    wrong ??= neverStarted(line);
    live.clear();
    if (options.json) sayJson({ kind: 'game', ...line });
    live.show(() => {
      const seconds = (performance.now() - started) / 1000;
      return [`${folder.games.size} of ${2 * plan.pairs} games, ${(played / seconds).toFixed(1)} games/s, at most ${etaText(played, 2 * plan.pairs - (folder.games.size - played), seconds)} left`, ...blockOf(found, names, plan.sprt).slice(1)]; // prettier-ignore
    });
  }
}

/** A bot that is not there at all makes every further game a waste. */
function neverStarted({ faults, bots }: GameLine): string | null {
  const fault = faults.find(({ kind }) => kind === 'no-start');
  return fault === undefined ? null : `${bots[fault.seat]!.name}, which did not: ${fault.reason}`;
}

async function begin(bot: string | undefined, options: Options): Promise<RunFolder> {
  if (bot === undefined) throw new InputError('new', 'a bot to be tested', undefined);
  if (options.vs === undefined) throw new InputError('vs', 'a bot to test against', undefined);
  if (options.world === undefined) throw new InputError('world', 'the name of a world (`lockstep worlds` lists them)', undefined);
  const { world } = findWorld(options.world);
  const rules = presetOf(world, options.rules);
  const seed: Seed = options.seed === undefined ? randomSeed() : readSeed(options.seed);
  const games = wholeFlag(options.games, 'games', 2, 10_000_000);
  const book = options.book === undefined ? null : readBook(options.book);
  const [own, other] = nicknames([bot, options.vs]);
  const ticks = options.ticks === undefined ? null : wholeFlag(options.ticks, 'ticks', 1, 1e9);
  const plan: TestPlan = {
    kind: 'test',
    world: world.name,
    rulesVersion: world.rulesVersion,
    rules,
    ticks,
    seats: world.seats(world.readConfig({ preset: rules, ...(ticks === null ? {} : { ticks }) })),
    bots: [{ name: own!, bot: placed(bot, '.') }, { name: other!, bot: placed(options.vs, '.') }], // prettier-ignore
    pairs: book === null ? Math.floor(games / 2) : Math.min(Math.floor(games / 2), book.length),
    seed: String(seed),
    book: book?.map(String) ?? null,
    sprt: sprtOf(options.sprt),
    budget: options.budget,
    replays: options.replays,
  };
  if (options.seed === undefined && book === null) remark(`seed ${seed} (repeat with --seed ${seed})`);
  await checkBots(plan);
  const path = options.out ?? `runs/test-${own}-vs-${other}-${seed}`;
  return RunFolder.create(path, plan);
}

/** What is wrong with a bot's name or file is said before a folder is made. */
async function checkBots(plan: TestPlan): Promise<void> {
  const { world, config, care } = settingsOf(plan);
  const bots = seatsOf(plan, 0).map(({ bot }) => bot);
  for (const table of plan.seats === 1 ? plan.bots.map(({ bot }) => [bot]) : [bots])
    await Table.open({ world, config: { preset: plan.rules, ...config }, bots: table, care, record: null, debug: null });
}

function sprtOf(settings: Options['sprt']): Sprt | null {
  if (settings === undefined) return null;
  const raw: Record<string, string> = { elo0: '0', elo1: '10', model: 'normalized', alpha: '0.05', beta: '0.05' };
  for (const setting of settings === true ? [] : settings) {
    const [key, value, ...more] = setting.split('=');
    if (value === undefined || more.length > 0 || !Object.hasOwn(raw, key!))
      throw new InputError('sprt', `elo0=, elo1=, model=, alpha= or beta= with a value`, setting);
    raw[key!] = value;
  }
  return readSprt(raw as unknown as Parameters<typeof readSprt>[0]);
}

/** The plan of a run that goes on; another version of the rules would mix two games. */
function readPlan({ plan: raw, path }: RunFolder, resumed: string | undefined): TestPlan {
  if ((raw as Partial<TestPlan>).kind !== 'test') throw new InputError(path, 'the run of a test', String((raw as { kind?: unknown }).kind));
  const plan = raw as TestPlan;
  objectAt(raw, path, ['kind', 'world', 'rulesVersion', 'rules', 'ticks', 'seats', 'bots', 'pairs', 'seed', 'book', 'sprt', 'budget', 'replays']); // prettier-ignore
  const { rulesVersion } = findWorld(plan.world).world;
  if (resumed !== undefined && plan.rulesVersion !== rulesVersion)
    throw new InputError(path, `a run of rulesVersion ${rulesVersion} of ${plan.world}`, `one of rulesVersion ${plan.rulesVersion}`);
  return plan;
}

function settingsOf({ world, ticks, bots, budget, replays }: TestPlan) {
  const config = ticks === null ? {} : { ticks };
  return { world, config, care: careOf(world, bots.map(({ bot }) => bot), budget), replays }; // prettier-ignore
}

function* openGames(plan: TestPlan, known: ReadonlyMap<string, GameLine>): Generator<PlannedGame> {
  for (let pair = 0; pair < plan.pairs; pair++)
    for (const turn of [0, 1] as const) {
      const id = pairId(pair, turn);
      const seed = plan.book === null ? seedFor(readSeed(plan.seed), `test/${pair}`) : readSeed(plan.book[pair]!);
      if (!known.has(id)) yield { id, seed, seats: seatsOf(plan, turn), rules: plan.rules };
    }
}

/** Seats in turn; where there is one, the second game of a pair is the other's. */
function seatsOf({ bots, seats }: TestPlan, turn: 0 | 1): Entry[] {
  return Array.from({ length: seats }, (_, seat) => bots[(seat + turn) % 2]!);
}

/** Games a second, and the share of the threads' time between a game and the next. */
interface Speed {
  readonly gamesPerSecond: number;
  readonly waiting: number;
}

function tell(plan: TestPlan, found: Versus, folder: RunFolder, speed: Speed, json: boolean): void {
  const names = plan.bots.map(({ name }) => name) as [string, string];
  const decisive = decisiveGames(folder.games, names[0]);
  if (json) return sayJson({ kind: 'test', world: plan.world, rules: plan.rules, bots: names, ...found, ...speed, folder: folder.path, decisive }); // prettier-ignore
  for (const line of blockOf(found, names, plan.sprt)) say(line);
  say(`Speed: ${speed.gamesPerSecond.toFixed(1)} games/s`);
  say(`Run: ${oneLine(folder.path)} (check it with: lockstep verify ${shellWord(folder.path)})`);
  if (plan.replays && decisive.length > 0) say(`Clearest losses of ${names[0]}: ${decisive.map((path) => shellWord(resolve(folder.path, path))).join(' ')}`); // prettier-ignore
}

/** Replays of the worst losses, the ones to look at. */
function decisiveGames(games: ReadonlyMap<string, GameLine>, name: string): string[] {
  const kept = [...games.values()].filter(({ replay }) => replay !== null);
  return worstLosses(kept, 3, name).map(({ game }) => game.replay!);
}
