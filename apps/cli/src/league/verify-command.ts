import { join } from 'node:path';
import { InputError, seedRng } from '@lockstep/kernel';
import type { GameLine } from '@lockstep/league';
import { shuffled } from '@lockstep/league';
import { readReplay, verifyReplay } from '@lockstep/replay';
import type { Command } from 'commander';
import { EXIT, leaveWith } from '../exit.ts';
import { readFile } from '../files.ts';
import { wholeFlag } from '../flags.ts';
import { findWorld } from '../names.ts';
import { counted, oneLine, Progress, say, sayJson } from '../output.ts';
import { entriesOf } from './plans.ts';
import { GamePool } from '../pool.ts';
import { RunFolder } from './run-folder.ts';
import { careOf } from './settings.ts';

interface Options {
  readonly sample?: string;
  readonly rerun?: boolean;
  readonly json?: boolean;
}

/** What is known of a result after a look at it. */
interface Finding {
  readonly id: string;
  /** 'sim-verified': its actions give its hashes. 'rerun-verified': its bots, run again, give its actions too. */
  readonly level: 'rerun-verified' | 'sim-verified' | 'unverified';
  /** In one line; null where nothing is wrong. */
  readonly wrong: string | null;
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
Each result is one of three: rerun-verified (its bots, run again, play the same game), sim-verified (its actions give its hashes, its
scores and its ranks), unverified (it has no replay). Exit code 1 when a game comes out otherwise than its line says.

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
  const pool = new GamePool(1);
  const levels = { 'rerun-verified': 0, 'sim-verified': 0, unverified: 0 };
  let wrong = 0;
  for (const [i, game] of chosen.entries()) {
    progress.show(`${i} of ${counted(chosen.length, 'game')}`, i / chosen.length);
    let finding = await simulated(path, game);
    if (options.rerun === true && finding.level === 'sim-verified') finding = await rerun(pool, plan, game);
    if (finding.wrong === null) levels[finding.level]++;
    else wrong++;
    progress.clear();
    if (options.json) sayJson({ kind: 'game', ...finding });
    else if (finding.wrong !== null) say(`${finding.id}: WRONG: ${oneLine(finding.wrong)}`);
  }
  progress.clear();
  await pool.close();
  if (options.json) sayJson({ kind: 'verify', games: games.length, looked: chosen.length, ...levels, wrong });
  else say(`${counted(chosen.length, 'game')} of ${games.length}: ${levels['rerun-verified']} rerun-verified, ${levels['sim-verified']} sim-verified, ${levels.unverified} unverified, ${wrong} wrong`); // prettier-ignore
  if (wrong > 0) leaveWith(EXIT.failed);
}

function sample(games: readonly GameLine[], count: number): readonly GameLine[] {
  const chosen = new Set(shuffled(games, seedRng(0n)).slice(0, count));
  return games.filter((game) => chosen.has(game));
}

async function simulated(path: string, game: GameLine): Promise<Finding> {
  const { id } = game;
  if (game.replay === null) return { id, level: 'unverified', wrong: null };
  try {
    const replay = await readReplay(readFile(join(path, game.replay)));
    const { world } = findWorld(replay.world);
    const { ok, difference, hash } = verifyReplay(world, replay);
    if (!ok) return { id, level: 'unverified', wrong: difference };
    const { ranks, scores } = inSeatOrder(game);
    const claims: [string, unknown, unknown][] = [
      ['world', game.world, replay.world],
      ['rulesVersion', game.rulesVersion, replay.rulesVersion],
      ['rules', world.writeConfig(world.readConfig(game.rules)), world.writeConfig(world.readConfig(replay.config))],
      ['seed', String(game.seed), String(replay.seed)],
      ['ticks', game.ticks, replay.ticks],
      ['hash', game.hash, hash],
      ['ranks', ranks, replay.result?.ranks],
      ['scores', scores, replay.result?.scores],
      ['bots', inSeatOrder(game).sha256, replay.bots.map(({ sha256 }) => sha256)],
      ['faults', game.faults.map(({ seat, tick, kind }) => [seat, tick, kind]), replay.faults.map(({ seat, tick, kind }) => [seat, tick, kind])],
    ]; // prettier-ignore
    const lie = claims.find(([, said, found]) => JSON.stringify(said) !== JSON.stringify(found));
    if (lie === undefined) return { id, level: 'sim-verified', wrong: null };
    return {
      id,
      level: 'unverified',
      wrong: new InputError(`${id}.${lie[0]}`, `${JSON.stringify(lie[2])}, as in its replay`, lie[1]).message,
    };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return { id, level: 'unverified', wrong: error.message };
  }
}

function inSeatOrder({ bots, seats, ranks, scores }: GameLine) {
  const order = seats.map((_, seat) => seats.indexOf(seat));
  return { ranks: order.map((i) => ranks[i]), scores: order.map((i) => scores[i]), sha256: order.map((i) => bots[i]!.sha256) };
}

/** The same bots once more: equal final states after equal hashes mean equal actions all along. */
async function rerun(pool: GamePool, plan: unknown, game: GameLine): Promise<Finding> {
  const { id } = game;
  const bots = entriesOf(plan, game);
  if (bots === null) return { id, level: 'sim-verified', wrong: null };
  const care = careOf(game.world, bots, 'bank');
  const again = await pool.play({
    plan: { world: game.world, config: game.rules, bots, care, record: null, debug: null },
    seed: game.seed,
  });
  const sums = inSeatOrder(game).sha256;
  if (JSON.stringify(again.sha256) !== JSON.stringify(sums)) return { id, level: 'sim-verified', wrong: null }; // another version is there now
  if (again.hash === game.hash && again.ticks === game.ticks) return { id, level: 'rerun-verified', wrong: null };
  return { id, level: 'sim-verified', wrong: `${id}: expected its bots to play the same game again (final state ${game.hash}), got ${again.hash} after ${again.ticks} ticks` }; // prettier-ignore
}
