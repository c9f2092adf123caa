import { readFileSync } from 'node:fs';
import { basename, dirname, extname } from 'node:path';
import { catalog } from '@lockstep/catalog';
import { InputError, readSeed } from '@lockstep/kernel';
import { Cup, type CupPlan, type GameLine, readCup, type StageView, timeText, worldOf } from '@lockstep/league';
import type { Command } from 'commander';
import { parse, TomlError } from 'smol-toml';
import { reasonOf } from '../files.ts';
import { threadsOf } from '../flags.ts';
import { Table } from '../game.ts';
import { findWorld } from '../names.ts';
import { counted, oneLine, remark, say, sayJson, shellWord, table } from '../output.ts';
import { Interrupt } from './interrupt.ts';
import { etaText, Live } from './live.ts';
import { playEach, Players } from './play.ts';
import { RunFolder } from './run-folder.ts';
import { careOf, placed } from './settings.ts';

interface Options {
  readonly out?: string;
  readonly jobs?: string;
  readonly replays?: boolean;
  readonly format?: string;
  readonly json?: boolean;
}

/** The journal's first line: the cup's file, with whole paths. */
interface CupRun {
  readonly kind: 'cup';
  readonly file: string;
  readonly rulesVersion: number;
  readonly replays: boolean;
  /** As in the file. */
  readonly cup: Readonly<Record<string, unknown>>;
  /** For whoever looks for a bot of a game. */
  readonly bots: readonly unknown[];
  /** Of the world, for whoever reads the cup without it: seats by preset. */
  readonly seats: Readonly<Record<string, number>>;
}

export function addCup(program: Command): void {
  const cup = program
    .command('cup')
    .summary('run a whole cup from one file')
    .description('Runs a cup: round robin, gauntlet, Swiss, knockout, or the whole tournament of the rule book.')
    .addHelpText(
      'after',
      `
A cup is a TOML file:

  name = "Class cup"
  world = "${catalog[0]!.world.name}"
  format = "swiss"            # round-robin, gauntlet, swiss, knockout, raic
  seed = 7
  turns = 5
  [[bots]]
  name = "ann"
  bot = "./ann"               # from the file's folder
  [[bots]]
  name = "bob"
  bot = "captain"

docs/league.md tells all that a cup's file may say.

Examples:
  $ lockstep cup run cup.toml
  $ lockstep cup status runs/cup
  $ lockstep cup resume runs/cup`,
    );
  cup
    .command('run')
    .summary('begin a cup and play it')
    .description('Begins a cup and plays it to its end.')
    .argument('<file>', "the cup's TOML file")
    .option('--out <folder>', 'folder of the run (default: runs/NAME-OF-THE-FILE)')
    .option('-j, --jobs <n>', 'threads (default: one a core)')
    .option('--no-replays', 'keep no replays')
    .option('--json', 'one JSON object a game on stdout, then one for all')
    .addHelpText('after', '\nExamples:\n  $ lockstep cup run cup.toml\n  $ lockstep cup run cup.toml --out runs/spring -j 4')
    .action(run);
  cup
    .command('resume')
    .summary('go on with a cup that was stopped')
    .description('Goes on with a cup that was stopped or killed: what was played is not played again.')
    .argument('<run>', "the cup's folder")
    .option('-j, --jobs <n>', 'threads (default: one a core)')
    .option('--json', 'one JSON object a game on stdout, then one for all')
    .addHelpText('after', '\nExamples:\n  $ lockstep cup resume runs/cup')
    .action((path: string, options: Options) => play(RunFolder.resume(path), options));
  cup
    .command('status')
    .summary('how far a cup is')
    .description('Tells how far a cup is, also while it is being played.')
    .argument('<run>', "the cup's folder")
    .option('--json', 'one JSON object on stdout')
    .addHelpText('after', '\nExamples:\n  $ lockstep cup status runs/cup')
    .action((path: string, options: Options) => look(path, options, false));
  cup
    .command('show')
    .summary('all tables of a cup')
    .description('Shows the tables, brackets and places of a cup.')
    .argument('<run>', "the cup's folder")
    .option('--json', 'one JSON object on stdout')
    .addHelpText('after', '\nExamples:\n  $ lockstep cup show runs/cup\n  $ lockstep cup show runs/cup --json | jq .outcome')
    .action((path: string, options: Options) => look(path, options, true));
  cup
    .command('export')
    .summary('results as CSV, or tables as JSON')
    .description('Prints the results of a cup, a game a line, for other programs.')
    .argument('<run>', "the cup's folder")
    .option('--format <name>', 'csv or json', 'csv')
    .addHelpText('after', '\nExamples:\n  $ lockstep cup export runs/cup > games.csv\n  $ lockstep cup export runs/cup --format json')
    .action(exportCup);
}

async function run(file: string, options: Options): Promise<void> {
  const raw = readToml(file);
  const { world } = findWorld(worldOf(raw, file), `${file}: world`);
  const cup = withWholePaths(raw, dirname(file));
  const bots = (cup['bots'] ?? []) as readonly unknown[];
  const length = cup['ticks'] === undefined ? {} : { ticks: cup['ticks'] };
  const seats = Object.fromEntries(
    Object.keys(world.presets).map((preset) => [preset, world.seats(world.readConfig({ preset, ...length }))]),
  );
  const plan: CupRun = {
    kind: 'cup',
    file: basename(file),
    rulesVersion: world.rulesVersion,
    replays: options.replays !== false,
    cup,
    bots,
    seats,
  };
  await checkBots(cupPlanOf(plan, file));
  await play(RunFolder.create(options.out ?? `runs/${basename(file, extname(file))}`, plan), options);
}

async function play(folder: RunFolder, options: Options): Promise<void> {
  const plan = readRun(folder.plan, folder.path);
  const cupPlan = cupPlanOf(plan, plan.file);
  const { rulesVersion } = findWorld(cupPlan.world).world;
  if (plan.rulesVersion !== rulesVersion)
    throw new InputError(
      folder.path,
      `a cup of rulesVersion ${rulesVersion} of ${cupPlan.world}`,
      `one of rulesVersion ${plan.rulesVersion}`,
    );
  const cup = new Cup(cupPlan);
  const threads = threadsOf(options.jobs);
  const interrupt = new Interrupt(`lockstep cup resume ${shellWord(folder.path)}`);
  const config = cupPlan.ticks === null ? {} : { ticks: cupPlan.ticks };
  const care = careOf(cupPlan.world, botsOf(cupPlan), cupPlan.budget);
  const players = new Players({ world: cupPlan.world, config, care, replays: plan.replays }, folder, threads);
  const live = new Live();
  const started = performance.now();
  const missing = new Set<string>();
  let played = 0;
  try {
    for (let open = cup.next(folder.games); open.length > 0 && !interrupt.stopped; open = cup.next(folder.games)) {
      const batch = open.length;
      let inBatch = 0;
      const begun = performance.now();
      await playEach(open, threads, async (game) => {
        const line = await players.play(game);
        played++;
        inBatch++;
        live.clear();
        noteMissing(line, missing);
        if (options.json) sayJson({ kind: 'game', ...line });
        const seconds = (performance.now() - started) / 1000;
        live.show(() => [
          `${counted(folder.games.size, 'game')}, ${(played / seconds).toFixed(1)} games/s; now ${line.id}, ${batch - inBatch} to go here, ${etaText(inBatch, batch, (performance.now() - begun) / 1000)}`,
          ...stageLines(cup.stages(folder.games).at(-1)!, 10),
        ]);
      }, () => interrupt.stopped); // prettier-ignore
    }
  } finally {
    live.clear();
    await players.pool.close();
    folder.close();
  }
  interrupt.end();
  tell(cup, folder.games, folder.path, options.json === true, false);
}

/** A bot that never starts loses its games; it is told once. */
function noteMissing({ faults, bots }: GameLine, missing: Set<string>): void {
  for (const { seat, kind, reason } of faults) {
    const { name } = bots[seat]!;
    if (kind !== 'no-start' || missing.has(name)) continue;
    missing.add(name);
    remark(`${name}: expected a bot that starts, got ${oneLine(reason)}; its games go on without it`);
  }
}

function look(path: string, { json }: Options, whole: boolean): void {
  const { plan, games } = RunFolder.read(path);
  const known = new Map(games.map((game) => [game.id, game]));
  const cup = new Cup(cupPlanOf(readRun(plan, path), path));
  cup.next(known);
  tell(cup, known, path, json === true, whole);
}

function tell(cup: Cup, known: ReadonlyMap<string, GameLine>, path: string, json: boolean, whole: boolean): void {
  const stages = cup.stages(known);
  const open = cup.next(known);
  const { name, format, world } = cup.plan;
  if (json) return sayJson({ kind: 'cup', name, format, world, folder: path, games: known.size, open: open.length, stages, outcome: cup.outcome }); // prettier-ignore
  say(`${name}: ${format} of ${world}, ${counted(known.size, 'game')} played${cup.outcome === null ? `, ${open.length} can be played now` : ', over'}`);
  for (const stage of whole || cup.outcome !== null ? stages : stages.slice(-1)) for (const line of stageLines(stage, whole ? Infinity : 20)) say(line);
  for (const { of, rows } of cup.outcome?.places ?? []) {
    say(`Places (${of}):`);
    rows.slice(0, whole ? Infinity : 10).forEach((row, i) => say(`  ${i + 1}. ${oneLine(row.name)}`));
  }
} // prettier-ignore

function stageLines({ name, at, rows, standings, ties, turns, wildCards = [] }: StageView, most: number): string[] {
  const where = Object.entries(at).map(([key, value]) => (key === 'minutes' ? `after ${timeText(value)}` : `${key} ${value}`)).join(', '); // prettier-ignore
  const lines = [`${name}${where === '' ? '' : ` (${where})`}`];
  if (standings !== undefined) {
    const cells = standings.slice(0, most).map((one, i) => [i + 1, one.name, one.games, one.wins, one.draws, one.losses, one.points, one.scored, one.conceded, one.crashes]); // prettier-ignore
    lines.push(table(['', 'name', 'games', 'won', 'drawn', 'lost', 'points', 'scored', 'conceded', 'crashes'], cells));
  } else {
    const cells = rows
      .slice(0, most)
      .map((row, i) => [i + 1, row.name, Math.round(row.value), wildCards.includes(row.name) ? 'wild card' : '']);
    lines.push(table(['', 'name', 'rating', ''], cells));
  }
  for (const { round, a, b, points, winner, stake } of ties ?? []) {
    const title = stake === 'final' ? 'final' : stake === 'third' ? 'for the third place' : `round ${round}`;
    lines.push(`  ${title}: ${b === null ? a : `${a} ${points[0]} : ${points[1]} ${b}, ${winner}`} ${stake === null ? 'goes on' : 'wins'}`);
  }
  for (const [i, { bye }] of (turns ?? []).entries()) if (bye !== null) lines.push(`  turn ${i + 1}: ${bye} rests`);
  return lines.join('\n').split('\n');
}

function exportCup(path: string, { format = 'csv' }: Options): void {
  const { games } = RunFolder.read(path);
  if (format === 'json') return games.forEach((game) => sayJson(game));
  if (format !== 'csv') throw new InputError('format', 'csv or json', format);
  say('id,seed,ticks,hash,bot,seat,rank,score,crashed,replay');
  for (const { id, seed, ticks, hash, bots, seats, ranks, scores, faults, replay } of games)
    bots.forEach(({ name }, i) =>
      say(
        [id, seed, ticks, hash, name, seats[i], ranks[i], scores[i], faults.some(({ seat }) => seat === seats[i]), replay ?? ''].join(','),
      ),
    );
}

function readToml(file: string): Record<string, unknown> {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new InputError(file, 'a readable TOML file', reasonOf(error));
  }
  try {
    return parse(text, { integersAsBigInt: 'asNeeded' });
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    throw new InputError(`${file}:${error.line}:${error.column}`, 'TOML', error.message.split('\n', 1)[0]!.replace(/^Invalid TOML document: /, '')); // prettier-ignore
  }
}

/** Bots by whole paths, seeds as text: what a line of JSON can hold and any folder can read. */
function withWholePaths(raw: Record<string, unknown>, base: string): Record<string, unknown> {
  const whole = (one: unknown): unknown => {
    if (typeof one !== 'object' || one === null) return one;
    const { bot, sent } = one as { bot?: unknown; sent?: unknown };
    return {
      ...one,
      ...(typeof bot === 'string' ? { bot: placed(bot, base) } : {}),
      ...(Array.isArray(sent) ? { sent: sent.map(whole) } : {}),
    };
  };
  const seed = raw['seed'] === undefined ? {} : { seed: String(readSeed(raw['seed'], 'seed')) };
  return { ...raw, ...seed, ...(Array.isArray(raw['bots']) ? { bots: raw['bots'].map(whole) } : {}) };
}

function readRun(raw: unknown, path: string): CupRun {
  if ((raw as Partial<CupRun> | null)?.kind !== 'cup')
    throw new InputError(path, 'the run of a cup', (raw as { kind?: unknown } | null)?.kind);
  const { cup, seats } = raw as Partial<CupRun>;
  if (typeof cup !== 'object' || typeof seats !== 'object') throw new InputError(path, 'the run of a cup with its plan', 'one without');
  return raw as CupRun;
}

function cupPlanOf({ cup, seats }: CupRun, file: string): CupPlan {
  return readCup(cup, file, { presets: Object.keys(seats), seats: (preset) => seats[preset]! });
}

function botsOf(plan: CupPlan): string[] {
  if (plan.format === 'raic') return plan.raic.participants.flatMap(({ submissions }) => submissions.map(({ bot }) => bot));
  return plan.entries.map(({ bot }) => bot);
}

/** What is wrong with a bot's name or file is said before a folder is made. */
async function checkBots(plan: CupPlan): Promise<void> {
  const { world } = findWorld(plan.world);
  const care = careOf(plan.world, botsOf(plan), plan.budget);
  const preset = plan.format === 'raic' ? plan.raic.rounds[0]!.rules : plan.rules;
  const config = { preset, ...(plan.ticks === null ? {} : { ticks: plan.ticks }) };
  const seats = world.seats(world.readConfig(config));
  for (const bot of new Set(botsOf(plan)))
    await Table.open({ world: plan.world, config, bots: Array.from({ length: seats }, () => bot), care, record: null, debug: null });
}
