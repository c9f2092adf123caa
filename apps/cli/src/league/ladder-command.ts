import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { InputError, objectAt } from '@lockstep/kernel';
import { bradleyTerry, compare, type Entry, type GameLine, ladderPair, type PlannedGame, readName, seedFor } from '@lockstep/league';
import type { Command } from 'commander';
import { makeFolder, readFile, writeAtomically } from '../files.ts';
import { threadsOf, wholeFlag } from '../flags.ts';
import { Table } from '../game.ts';
import { findWorld, oneOf, presetOf } from '../names.ts';
import { counted, oneLine, say, sayJson, shellWord, table } from '../output.ts';
import { Interrupt } from './interrupt.ts';
import { Live } from './live.ts';
import { LADDER } from './plans.ts';
import { playEach, Players } from './play.ts';
import { RunFolder } from './run-folder.ts';
import { careOf, nickname, placed } from './settings.ts';

interface Options {
  readonly dir: string;
  readonly world?: string;
  readonly rules?: string;
  readonly ticks?: string;
  readonly name?: string;
  readonly games?: string;
  readonly jobs?: string;
  readonly json?: boolean;
}

/** ladder.json: who is in the league. Ratings are not in it: they follow from the journal. */
interface Ladder {
  readonly world: string;
  readonly rules: string;
  readonly ticks: number | null;
  readonly bots: readonly Entry[];
}

export function addLadder(program: Command): void {
  const ladder = program
    .command('ladder')
    .summary('an always-on league of your bots')
    .description('A league that is never over: bots come and go, near ratings meet.')
    .addHelpText(
      'after',
      `
Examples:
  $ lockstep ladder add captain --world codeball
  $ lockstep ladder add ./my-bot --name mine
  $ lockstep ladder run --games 100
  $ lockstep ladder show`,
    );
  const dir = ['--dir <folder>', "the league's folder", 'ladder'] as const;
  ladder
    .command('add')
    .summary('a bot comes in')
    .description('Adds a bot; the first one founds the league.')
    .argument('<bot>', 'the name of a built-in bot, a path or a command')
    .option(...dir)
    .option('--name <name>', 'what it is called (default: the last piece of its path)')
    .option('--world <name>', 'the world of a new league')
    .option('--rules <preset>', 'its named rules')
    .option('--ticks <n>', 'the length of its games')
    .addHelpText(
      'after',
      '\nExamples:\n  $ lockstep ladder add ./v2 --name v2\n  $ lockstep ladder add captain --world codeball --rules round2',
    )
    .action(add);
  ladder
    .command('rm')
    .summary('a bot goes')
    .description('Removes a bot; its games stay in the journal and count for the others.')
    .argument('<name>', 'what it is called')
    .option(...dir)
    .addHelpText('after', '\nExamples:\n  $ lockstep ladder rm v1')
    .action(remove);
  ladder
    .command('show')
    .summary('where everybody stands')
    .description('Shows ratings with error bars, computed from all games.')
    .option(...dir)
    .option('--json', 'one JSON object a bot on stdout')
    .addHelpText('after', '\nExamples:\n  $ lockstep ladder show\n  $ lockstep ladder show --json')
    .action(show);
  ladder
    .command('run')
    .summary('play')
    .description('Plays until stopped, or so many games.')
    .option(...dir)
    .option('--games <n>', 'so many games (default: until Ctrl+C)')
    .option('-j, --jobs <n>', 'threads (default: one a core)')
    .option('--json', 'one JSON object a game on stdout')
    .addHelpText('after', '\nExamples:\n  $ lockstep ladder run\n  $ lockstep ladder run --games 200 -j 2')
    .action(run);
}

async function add(bot: string, options: Options): Promise<void> {
  const found = existsSync(join(options.dir, LADDER)) ? readLadder(options.dir) : null;
  if (found !== null && options.world !== undefined && options.world !== found.world)
    throw new InputError('world', `${found.world}, which this league plays`, options.world);
  const before = found ?? newLadder(options);
  const name = readName(options.name ?? nickname(bot), 'name');
  if (before.bots.some((one) => one.name === name))
    throw new InputError('name', 'one that nobody has in this league (--name gives another)', name);
  const entry: Entry = { name, bot: placed(bot, '.') };
  await checkBot(before, entry);
  save(options.dir, { ...before, bots: [...before.bots, entry] });
  say(`${oneLine(name)} is in; ${counted(before.bots.length + 1, 'bot')}`);
}

function newLadder({ world, rules, ticks }: Options): Ladder {
  if (world === undefined) throw new InputError('world', 'the world of the new league', undefined);
  const preset = presetOf(findWorld(world).world, rules);
  return { world, rules: preset, ticks: ticks === undefined ? null : wholeFlag(ticks, 'ticks', 1, 1e9), bots: [] };
}

async function checkBot({ world, rules, ticks }: Ladder, { bot }: Entry): Promise<void> {
  const config = { preset: rules, ...(ticks === null ? {} : { ticks }) };
  const { world: rulesOf } = findWorld(world);
  const seats = rulesOf.seats(rulesOf.readConfig(config));
  if (seats !== 2) throw new InputError('world', 'one with two seats', `${world}, which has ${seats}`);
  await Table.open({ world, config, bots: [bot, bot], care: careOf(world, [bot], 'bank'), record: null, debug: null });
}

function remove(name: string, { dir }: Options): void {
  const ladder = readLadder(dir);
  const names = ladder.bots.map((one) => one.name);
  if (!names.includes(name)) throw new InputError('name', oneOf(name, names), name);
  save(dir, { ...ladder, bots: ladder.bots.filter((one) => one.name !== name) });
  say(`${oneLine(name)} is out; ${counted(names.length - 1, 'bot')}`);
}

function show({ dir, json }: Options): void {
  const ladder = readLadder(dir);
  const games = existsSync(join(dir, 'journal.ndjson')) ? RunFolder.read(dir).games : [];
  const rows = standings(ladder, games);
  if (json) return rows.forEach((row) => sayJson({ kind: 'standing', ...row }));
  say(`${ladder.world}, ${ladder.rules}: ${counted(games.length, 'game')}`);
  say(table(['', 'name', 'rating', 'error', 'games', 'points'], rows.map((row, i) => [i + 1, row.name, row.rating === null ? '-' : Math.round(row.rating), row.error === null ? '' : `± ${Math.round(row.error)}`, row.games, `${(100 * row.share).toFixed(1)} %`]))); // prettier-ignore
}

function standings({ bots }: Ladder, games: readonly GameLine[]) {
  const ratings = bradleyTerry(compare(games)).filter(({ name }) => bots.some((bot) => bot.name === name));
  const unplayed = bots.filter(({ name }) => !ratings.some((rating) => rating.name === name));
  return [...ratings, ...unplayed.map(({ name }) => ({ name, rating: null, error: null, games: 0, share: 0 }))];
}

async function run(options: Options): Promise<void> {
  const ladder = readLadder(options.dir);
  if (ladder.bots.length < 2) throw new InputError('ladder', 'at least two bots', ladder.bots.length);
  const most = options.games === undefined ? Infinity : wholeFlag(options.games, 'games', 1, 1e9);
  const { rulesVersion } = findWorld(ladder.world).world;
  const begun = existsSync(join(options.dir, 'journal.ndjson'));
  const folder = begun ? RunFolder.resume(options.dir) : RunFolder.create(options.dir, { kind: 'ladder', rulesVersion, bots: [] });
  const version = (folder.plan as { readonly rulesVersion?: number }).rulesVersion;
  if (version !== rulesVersion)
    throw new InputError(options.dir, `a league of rulesVersion ${rulesVersion}`, `one of rulesVersion ${version}`);
  const interrupt = new Interrupt(`lockstep ladder run --dir ${shellWord(options.dir)}`);
  const threads = threadsOf(options.jobs);
  const config = ladder.ticks === null ? {} : { ticks: ladder.ticks };
  const care = careOf(ladder.world, ladder.bots.map(({ bot }) => bot), 'bank'); // prettier-ignore
  const players = new Players({ world: ladder.world, config, care, replays: true }, folder, threads);
  const live = new Live();
  let played = 0;
  try {
    await playEach(plannedGames(ladder, folder.games, most), threads, playOne, () => interrupt.stopped);
  } finally {
    live.clear();
    await players.pool.close();
    folder.close();
  }
  interrupt.end();
  if (!options.json) show(options);

  async function playOne(game: PlannedGame): Promise<void> {
    const line = await players.play(game);
    played++;
    live.clear();
    if (options.json) sayJson({ kind: 'game', ...line });
    live.show(() => [counted(played, 'game'), ...standings(ladder, [...folder.games.values()]).map(({ name, rating, error }) => `  ${name}  ${Math.round(rating ?? 0)} ± ${Math.round(error ?? 0)}`)]); // prettier-ignore
  }
}

/**
 * Pairs of games on one seed, the seats changed. What the journal lacks of a pair that was begun is played first, if both are still in the
 * league; a pair that nobody played is drawn anew.
 */
function* plannedGames({ bots, rules }: Ladder, known: ReadonlyMap<string, GameLine>, most: number): Generator<PlannedGame> {
  const base = 1n;
  const byName = new Map(bots.map((bot) => [bot.name, bot]));
  let given = 0;
  for (let turn = 0; given < most; turn++) {
    const [first, second] = [known.get(`${turn}a`), known.get(`${turn}b`)];
    if (first !== undefined && second !== undefined) continue;
    const begun = first?.bots.map(({ name }) => name) ?? second?.bots.map(({ name }) => name).reverse();
    if (begun?.every((name) => byName.has(name)) === false) continue;
    const pair = begun ?? ladderPair([...byName.keys()], [...known.values()], base, turn);
    const games = [{ id: `${turn}a`, names: pair }, { id: `${turn}b`, names: [...pair].reverse() }]; // prettier-ignore
    for (const { id, names } of games) {
      if (known.has(id)) continue;
      if (given++ >= most) return;
      yield { id, seed: seedFor(base, `ladder/${turn}`), seats: names.map((name) => byName.get(name)!), rules };
    }
  }
}

function readLadder(dir: string): Ladder {
  const file = join(dir, LADDER);
  let raw: unknown;
  try {
    raw = JSON.parse(new TextDecoder().decode(readFile(file)));
  } catch (error) {
    if (error instanceof InputError)
      throw new InputError(dir, `the folder of a league (${LADDER}); \`lockstep ladder add\` founds one`, 'none');
    throw new InputError(file, 'JSON', 'something else');
  }
  return objectAt(raw, file, ['world', 'rules', 'ticks', 'bots']) as unknown as Ladder;
}

function save(dir: string, ladder: Ladder): void {
  makeFolder(dir);
  writeAtomically(join(dir, LADDER), new TextEncoder().encode(`${JSON.stringify(ladder, null, 2)}\n`));
}
