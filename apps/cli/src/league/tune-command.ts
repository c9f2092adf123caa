import { join } from 'node:path';
import { InputError, readSeed } from '@lockstep/kernel';
import { afterRound, type GameLine, type Param, type PlannedGame, pointsAgainst, readParam, seedFor, type SpsaPlan, startOf, triesOf, tunePlot, type Values } from '@lockstep/league'; // prettier-ignore
import type { Command } from 'commander';
import { writeAtomically } from '../files.ts';
import { numberFlag, randomSeed, threadsOf, wholeFlag } from '../flags.ts';
import { Table } from '../game.ts';
import { findWorld, presetOf } from '../names.ts';
import { counted, oneLine, remark, say, sayJson, shellWord } from '../output.ts';
import { joinParams } from '../params.ts';
import { Interrupt } from './interrupt.ts';
import { etaText, Live } from './live.ts';
import { playEach, Players } from './play.ts';
import { RunFolder } from './run-folder.ts';
import { careOf, nickname, placed } from './settings.ts';

interface Options {
  readonly world?: string;
  readonly param?: readonly string[];
  readonly rounds: string;
  readonly pairs?: string;
  readonly rules?: string;
  readonly ticks?: string;
  readonly seed?: string;
  readonly step: string;
  readonly rate: string;
  readonly jobs?: string;
  readonly budget: string;
  readonly out?: string;
  readonly resume?: string;
  readonly json?: boolean;
}

interface TunePlan {
  readonly kind: 'tune';
  readonly world: string;
  readonly rulesVersion: number;
  readonly rules: string;
  readonly ticks: number | null;
  readonly bot: string;
  readonly params: readonly Param[];
  readonly rounds: number;
  /** Pairs of games a round. */
  readonly pairs: number;
  readonly seed: string;
  readonly step: number;
  readonly rate: number;
  readonly budget: string;
}

export function addTune(program: Command): void {
  program
    .command('tune')
    .summary('find better numbers for a bot')
    .description('Tunes numbers of a bot by SPSA: each round two sets of values play each other, every seed from both seats.')
    .argument('[bot]', 'a module, a script or a program that finds its numbers in briefing.params')
    .option('--param <name=least:most[:start]>', 'a number to be tuned (may be repeated)', (one: string, all: string[] | undefined) => [
      ...(all ?? []),
      one,
    ]) // prettier-ignore
    .option('--world <name>', 'which world (`lockstep worlds` lists them)')
    .option('--rounds <n>', 'how many', '100')
    .option('--pairs <n>', 'pairs of games a round (default: one a thread)')
    .option('--rules <preset>', 'named rules of the world')
    .option('--ticks <n>', 'length of a game')
    .option('--seed <n>', 'where seeds come from (default: a random one, which is told)')
    .option('--step <n>', 'how far the two sets are from the middle in the end, as a share of a range', '0.05')
    .option('--rate <n>', 'how far a round that is won moves the middle in the end, as a share of that', '0.3')
    .option('-j, --jobs <n>', 'threads (default: one a core)')
    .option('--budget <name>', 'what programs may use', 'bank')
    .option('--out <folder>', 'folder of the run (default: runs/tune-BOT-SEED)')
    .option('--resume <folder>', 'go on with a run that was stopped')
    .option('--json', 'one JSON object a round on stdout')
    .addHelpText(
      'after',
      `
The values so far are told every round and drawn into progress.svg in the run's folder.

Examples:
  $ lockstep tune ./bot.mjs --world codeball --param aggression=0:10 --param depth=1:5:2
  $ lockstep tune --resume runs/tune-bot-7`,
    )
    .action(tune);
}

async function tune(bot: string | undefined, options: Options): Promise<void> {
  const folder = options.resume === undefined ? await begin(bot, options) : RunFolder.resume(options.resume);
  const plan = folder.plan as TunePlan;
  if (plan.kind !== 'tune') throw new InputError(folder.path, 'the run of a tuning', plan.kind);
  const { rulesVersion } = findWorld(plan.world).world;
  if (plan.rulesVersion !== rulesVersion) throw new InputError(folder.path, `a run of rulesVersion ${rulesVersion}`, `one of rulesVersion ${plan.rulesVersion}`); // prettier-ignore
  const threads = threadsOf(options.jobs);
  const interrupt = new Interrupt(`lockstep tune --resume ${shellWord(folder.path)}`);
  const config = plan.ticks === null ? {} : { ticks: plan.ticks };
  const players = new Players({ world: plan.world, config, care: careOf(plan.world, [plan.bot], plan.budget), replays: false }, folder, threads);
  const spsa: SpsaPlan = { params: plan.params, rounds: plan.rounds, seed: readSeed(plan.seed), lastStep: plan.step, rate: plan.rate };
  const history: Values[] = [startOf(spsa)];
  const live = new Live();
  const started = performance.now();
  let played = 0;
  const wrongs: string[] = [];
  const noteFault = ({ faults: [one] }: GameLine): void => {
    if (one !== undefined) wrongs.push(`tick ${one.tick}, ${one.kind}: ${one.reason}`);
  };
  try {
    for (let round = 0; round < plan.rounds && !interrupt.stopped; round++) {
      const games = gamesOf(plan, spsa, history.at(-1)!, round);
      const open = games.filter(({ id }) => !folder.games.has(id));
      played += open.length;
      await playEach(open, threads, async (game) => noteFault(await players.play(game)), () => interrupt.stopped); // prettier-ignore
      if (games.some(({ id }) => !folder.games.has(id))) break;
      const share = games.reduce((sum, { id }) => sum + plusPoints(folder.games.get(id)!), 0) / games.length;
      history.push(afterRound(spsa, history.at(-1)!, round, share));
      live.clear();
      if (options.json) sayJson({ kind: 'round', round: round + 1, share, values: history.at(-1)! });
      live.show(() => [`round ${round + 1} of ${plan.rounds}, ${etaText(played, played + 2 * plan.pairs * (plan.rounds - round - 1), (performance.now() - started) / 1000)} left`, `  ${valuesText(history.at(-1)!)}`]); // prettier-ignore
      if (open.length > 0) draw(folder, plan, history);
    }
  } finally {
    live.clear();
    await players.pool.close();
    folder.close();
  }
  interrupt.end();
  if (wrongs[0] !== undefined) remark(`the bot misbehaved in ${counted(wrongs.length, 'game')}: ${wrongs[0]}`);
  const values = history.at(-1)!;
  if (options.json) return sayJson({ kind: 'tune', rounds: history.length - 1, values, bot: joinParams(plan.bot, values), folder: folder.path });
  say(`after ${history.length - 1} rounds: ${valuesText(values)}`);
  say(`plot: ${oneLine(join(folder.path, 'progress.svg'))}`);
  say(`test it: lockstep test ${shellWord(joinParams(plan.bot, values))} --vs ${shellWord(joinParams(plan.bot, history[0]!))} --world ${plan.world}`);
} // prettier-ignore

function draw(folder: RunFolder, { params }: TunePlan, history: readonly Values[]): void {
  writeAtomically(join(folder.path, 'progress.svg'), new TextEncoder().encode(tunePlot(params, history)));
}

async function begin(bot: string | undefined, options: Options): Promise<RunFolder> {
  if (bot === undefined) throw new InputError('bot', 'a bot to be tuned', undefined);
  if (options.world === undefined) throw new InputError('world', 'the name of a world (`lockstep worlds` lists them)', undefined);
  const params = (options.param ?? []).map(readParam);
  if (params.length === 0) throw new InputError('param', 'at least one --param name=least:most', undefined);
  if (new Set(params.map(({ name }) => name)).size < params.length) throw new InputError('param', 'each name once', params.map(({ name }) => name).join(', ')); // prettier-ignore
  const { world } = findWorld(options.world);
  const rules = presetOf(world, options.rules);
  const ticks = options.ticks === undefined ? null : wholeFlag(options.ticks, 'ticks', 1, 1e9);
  const config = { preset: rules, ...(ticks === null ? {} : { ticks }) };
  const seats = world.seats(world.readConfig(config));
  if (seats !== 2) throw new InputError('world', 'one with two seats', `${world.name}, which has ${seats}`);
  const seed = options.seed === undefined ? randomSeed() : readSeed(options.seed);
  if (options.seed === undefined) remark(`seed ${seed} (repeat with --seed ${seed})`);
  const plan: TunePlan = {
    kind: 'tune',
    world: world.name,
    rulesVersion: world.rulesVersion,
    rules,
    ticks,
    bot: placed(bot, '.'),
    params,
    rounds: wholeFlag(options.rounds, 'rounds', 1, 1e6),
    pairs: options.pairs === undefined ? threadsOf(options.jobs) : wholeFlag(options.pairs, 'pairs', 1, 1e4),
    seed: String(seed),
    step: numberFlag(options.step, 'step', 0.0001, 0.5),
    rate: numberFlag(options.rate, 'rate', 0.0001, 100),
    budget: options.budget,
  };
  const try0 = joinParams(plan.bot, startOf({ params, rounds: 1, seed, lastStep: 0.1, rate: 1 }));
  await Table.open({
    world: world.name,
    config,
    bots: [try0, try0],
    care: careOf(world.name, [plan.bot], plan.budget),
    record: null,
    debug: null,
  });
  return RunFolder.create(options.out ?? `runs/tune-${nickname(bot)}-${seed}`, plan);
}

function gamesOf({ bot, pairs, rules, seed }: TunePlan, spsa: SpsaPlan, values: Values, round: number): PlannedGame[] {
  const { plus, minus } = triesOf(spsa, values, round);
  const sides = [{ name: 'plus', bot: joinParams(bot, plus) }, { name: 'minus', bot: joinParams(bot, minus) }]; // prettier-ignore
  return Array.from({ length: 2 * pairs }, (_, i) => {
    const pair = Math.floor(i / 2);
    const seats = i % 2 === 0 ? sides : [sides[1]!, sides[0]!];
    return {
      id: `${round + 1}/${pair + 1}${i % 2 === 0 ? 'a' : 'b'}`,
      seed: seedFor(readSeed(seed), `tune/${round}/${pair}`),
      seats,
      rules,
    };
  });
}

function plusPoints(game: GameLine): number {
  const plus = game.bots.findIndex(({ name }) => name === 'plus');
  return pointsAgainst(game, plus, 1 - plus);
}

function valuesText(values: Values): string {
  return Object.entries(values).map(([name, value]) => `${name} = ${value.toFixed(3)}`).join(', '); // prettier-ignore
}
