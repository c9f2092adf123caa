import { join } from 'node:path';
import { type AnyEntry, InputError, seedRng } from '@lockstep/kernel';
import type { GameLine } from '@lockstep/league';
import { pairId, shuffled } from '@lockstep/league';
import { readReplay, type Replay, type ReplayBot, verifyReplay } from '@lockstep/replay';
import type { Command } from 'commander';
import { EXIT, leaveWith } from '../exit.ts';
import { readFile } from '../files.ts';
import { wholeFlag } from '../flags.ts';
import type { Honesty } from '../game.ts';
import { findWorld } from '../names.ts';
import { counted, oneLine, Progress, say, sayJson } from '../output.ts';
import { botsByName, budgetOf, inSeatOrder } from './plans.ts';
import { RunAgain } from './run-again.ts';
import { RunFolder } from './run-folder.ts';
import { careOf } from './settings.ts';

interface Options {
  readonly sample?: string;
  readonly rerun?: boolean;
  readonly json?: boolean;
}

/** What is known of a result after a look at it; docs/matches.md has the levels. */
interface Finding {
  readonly id: string;
  readonly honesty: Honesty;
  /** In one line; null where nothing is wrong. */
  readonly wrong: string | null;
  /** Whose bots could not be run again, and why. */
  readonly absent: readonly string[];
}

export function addVerify(program: Command): void {
  program
    .command('verify')
    .summary('play the games of a run again')
    .description('Checks the results of a run: plays its replays again and compares every line of the journal with them.')
    .argument('<run>', 'the folder of a run')
    .option('--sample <n>', 'only so many games, drawn at random but the same ones every time (default: all)')
    .option('--rerun', 'also let the bots play again: do they play the same?')
    .option('--json', 'one JSON object a game on stdout, then one for all')
    .addHelpText(
      'after',
      `
Each result is one of three: rerun-verified (its bots, run again, give the same actions), sim-verified (its actions give its hashes, its
scores and its ranks), unverified (it has no replay). A bot that cannot be run again, or is not the one that played, is named. Exit code 1
when a game comes out otherwise than its line says.

Examples:
  $ lockstep verify runs/test-new-vs-old-7
  $ lockstep verify runs/cup --sample 20 --rerun`,
    )
    .action(verify);
}

async function verify(path: string, options: Options): Promise<void> {
  const { plan, games } = RunFolder.read(path);
  const chosen = options.sample === undefined ? games : sample(games, wholeFlag(options.sample, 'sample', 1, 1e9));
  const progress = new Progress('verifying');
  const bots = botsByName(plan, path);
  const again = options.rerun === true && games[0] !== undefined ? new RunAgain(bots, careOf(games[0].world, [...bots.values()].flat(), budgetOf(plan))) : null; // prettier-ignore
  const levels = { 'rerun-verified': 0, 'sim-verified': 0, unverified: 0 };
  const absent = new Map<string, number>();
  let wrong = 0;
  for (const [i, game] of chosen.entries()) {
    progress.show(`${i} of ${counted(chosen.length, 'game')}`, i / chosen.length);
    const finding = await look(path, game, bots, again);
    if (finding.wrong === null) levels[finding.honesty]++;
    else wrong++;
    for (const line of new Set(finding.absent.map((one) => one.replace(/^seat \d+: /, '')))) absent.set(line, (absent.get(line) ?? 0) + 1);
    progress.clear();
    if (options.json) sayJson({ kind: 'game', ...finding });
    else if (finding.wrong !== null) say(`${finding.id}: WRONG: ${oneLine(finding.wrong)}`);
  }
  progress.clear();
  const missing = missingOf(plan, games);
  if (options.json) sayJson({ kind: 'verify', games: games.length, looked: chosen.length, ...levels, wrong, missing });
  else {
    if (missing > 0)
      say(
        `${counted(missing, 'game')} before the last one ${missing === 1 ? 'is' : 'are'} not in the journal: the run was stopped amid them, or lines were taken out`,
      );
    for (const [line, count] of absent) say(`not run again in ${counted(count, 'game')}: ${oneLine(line)}`);
    say(`${counted(chosen.length, 'game')} of ${games.length}: ${levels['rerun-verified']} rerun-verified, ${levels['sim-verified']} sim-verified, ${levels.unverified} unverified, ${wrong} wrong`); // prettier-ignore
  }
  if (wrong > 0) leaveWith(EXIT.failed);
}

/** Of a test: games that its plan has before the last one that was played, but not the journal. Taking out the losses shows here. */
function missingOf(plan: unknown, games: readonly GameLine[]): number {
  if ((plan as { readonly kind?: unknown } | null)?.kind !== 'test' || games.length === 0) return 0;
  const known = new Set(games.map(({ id }) => id));
  const last = Math.max(...games.map(({ id }) => Number.parseInt(id, 10)));
  const before = Array.from({ length: last - 1 }, (_, pair) => [pairId(pair, 0), pairId(pair, 1)]).flat();
  return before.filter((id) => !known.has(id)).length;
}

function sample(games: readonly GameLine[], count: number): readonly GameLine[] {
  const chosen = new Set(shuffled(games, seedRng(0n)).slice(0, count));
  return games.filter((game) => chosen.has(game));
}

type Bots = ReadonlyMap<string, readonly string[]>;

async function look(path: string, game: GameLine, bots: Bots, again: RunAgain | null): Promise<Finding> {
  const { id } = game;
  if (game.replay === null) return { id, honesty: 'unverified', wrong: null, absent: [] };
  try {
    const replay = await readReplay(readFile(join(path, game.replay)), game.replay);
    const wrong = lieOf(game, replay, bots);
    if (wrong !== null) return { id, honesty: 'unverified', wrong, absent: [] };
    if (again === null) return { id, honesty: 'sim-verified', wrong: null, absent: [] };
    const { differences, absent } = await again.play(game, replay);
    const honesty = absent.length + differences.length === 0 ? 'rerun-verified' : 'sim-verified';
    return { id, honesty, wrong: differences[0] ?? null, absent };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return { id, honesty: 'unverified', wrong: error.message, absent: [] };
  }
}

/** The first thing that a game's replay tells otherwise than its line, or that the replay itself does not keep; null where there is none. */
function lieOf(game: GameLine, replay: Replay, bots: Bots): string | null {
  const entry = findWorld(replay.world);
  const { world } = entry;
  const { ok, difference, hash } = verifyReplay(world, replay);
  if (!ok) return difference;
  const { ranks, scores, sha256, names } = inSeatOrder(game);
  const faults = (list: GameLine['faults']) => list.map(({ seat, tick, kind }) => [seat, tick, kind]);
  const claims: [string, unknown, unknown][] = [
    ['world', game.world, replay.world],
    ['rulesVersion', game.rulesVersion, replay.rulesVersion],
    ['rules', world.writeConfig(world.readConfig(game.rules)), world.writeConfig(world.readConfig(replay.config))],
    ['seed', String(game.seed), String(replay.seed)],
    ['ticks', game.ticks, replay.ticks],
    ['hash', game.hash, hash],
    ['ranks', ranks, replay.result?.ranks],
    ['scores', scores, replay.result?.scores],
    ['bots', sha256, replay.bots.map((bot) => bot.sha256)],
    ['faults', faults(game.faults), faults(replay.faults)],
  ];
  const lie = claims.find(([, said, found]) => JSON.stringify(said) !== JSON.stringify(found));
  if (lie !== undefined) return new InputError(`${game.id}.${lie[0]}`, `${JSON.stringify(lie[2])}, as in its replay`, lie[1]).message;
  const stranger = replay.bots.findIndex((bot, seat) => !mayBe(entry, bot, bots.get(names[seat]!)));
  if (stranger < 0) return null;
  return new InputError(`${game.id}.bots`, `${replay.bots[stranger]!.name} on seat ${stranger}, as in its replay`, names[stranger]).message;
}

/** Built-in bots all have one sum: they are known by their names. */
function mayBe(entry: AnyEntry, { kind, name }: ReplayBot, texts: readonly string[] | undefined): boolean {
  if (texts === undefined) return true;
  if (kind === 'builtin') return texts.includes(name);
  return !texts.every((text) => Object.hasOwn(entry.bots, text));
}
