import { WORLD_OF_2018 } from '@lockstep/bots';
import { choiceAt, InputError, readSeed } from '@lockstep/kernel';
import { BUDGETS } from '@lockstep/match';
import { type Command, Option } from 'commander';
import { type Care, chooseSandbox, isProgram } from './bots.ts';
import { checkFile } from './care.ts';
import { numberFlag, randomSeed, wholeFlag } from './flags.ts';
import { Table } from './game.ts';
import { leaveAsPlayed, playOne } from './match-report.ts';
import { findWorld } from './names.ts';
import { remark } from './output.ts';

interface Options {
  readonly p1: string;
  readonly p2: string;
  readonly p1Name?: string;
  readonly p2Name?: string;
  readonly p1Dump?: string;
  readonly p2Dump?: string;
  readonly teamSize: string;
  readonly nitro: string;
  readonly duration: string;
  readonly seed?: string;
  readonly disableRandom?: boolean;
  readonly untilFirstGoal?: boolean;
  readonly logFile?: string;
  readonly resultsFile?: string;
  readonly record?: string;
  readonly wait?: string;
  readonly replay?: string;
  readonly noshow?: boolean;
  readonly startPaused?: boolean;
  readonly fastForward?: string;
  readonly json?: boolean;
}

/** The runner's own players, by the names that they have here. */
const PLAYERS: Readonly<Record<string, string>> = { helper: 'quickstart', empty: 'idle' };

export function addRunner(program: Command): void {
  program
    .command('runner')
    .summary("the contest's local runner of 2018, by its own options")
    .description("Plays a game as the contest's local runner did, with its options and its files: a drop-in for scripts of 2018.")
    .option('--p1 <player>', 'player 1: tcp-PORT, helper, empty, or any bot as in match', 'tcp-31001')
    .option('--p2 <player>', 'player 2, likewise', 'tcp-31002')
    .option('--p1-name <name>', 'what it is called')
    .option('--p2-name <name>', 'likewise')
    .option('--team-size <n>', 'robots a team', '2')
    .option('--nitro <true|false>', 'with nitro?', 'false')
    .option('--duration <ticks>', 'length of the game', '18000')
    .option('--seed <n>', 'seed of the game (default: a random one, which is told)')
    .option('--disable-random', 'robots in the order of their ids, every hit with MAX_HIT_E')
    .option('--until-first-goal', 'end the game at the first goal')
    .option('--log-file <file>', 'write the rules, then every state, a line each')
    .option('--results-file <file>', 'write PLACE:SCORE:ok|crash for both players, then the seed')
    .option('--p1-dump <file>', 'write what player 1 is told, letter by letter')
    .option('--p2-dump <file>', 'likewise')
    .option('--noshow', 'without a window; there is none here anyway')
    .option('--no-countdown', 'taken as it is: nobody counts here')
    .option('--fast-forward <tick>', 'taken as it is: every tick is played as fast as it can be')
    .addOption(new Option('--start-paused', 'needs a window: refused').hideHelp())
    .addOption(new Option('--replay <file>', 'needs a window: refused').hideHelp())
    .option('--record <file>', 'write a replay for the studio (not an option of 2018)')
    .option('--wait <seconds>', 'how long to wait for strategies (default: a day; not an option of 2018)')
    .option('--json', 'one JSON object on stdout')
    .addHelpText(
      'after',
      `
tcp-PORT listens there until a strategy connects, which is told the rules and every tick and answers as in 2018. \`helper\` is our
quickstart, \`empty\` stands still. What needs a window (keyboard, --start-paused, --replay) is refused: \`lockstep studio\` shows replays and
takes a keyboard. Exit code 3 when a strategy crashed.

Examples:
  $ lockstep runner --p1 tcp-31001 --p2 helper --seed 42 --noshow --results-file result.txt --log-file game.log
  $ lockstep runner --p1=tcp-31001 --p2=tcp-31002 --team-size=3 --nitro=true --duration=18000 --noshow
  $ lockstep runner --p1 tcp-31001 --p2 empty --until-first-goal --disable-random --p1-dump p1.txt --record game.replay`,
    )
    .action(runner);
}

async function runner(options: Options): Promise<void> {
  const { p1, p2 } = options;
  refuseWindows(options);
  if (p1 === p2 && p1.startsWith('tcp-')) throw new InputError('p2', `another port than player 1's`, p2);
  const seed = options.seed === undefined ? randomSeed() : readSeed(options.seed);
  const named = { 'log-file': options.logFile, 'results-file': options.resultsFile, 'p1-dump': options.p1Dump, 'p2-dump': options.p2Dump };
  for (const [option, file] of Object.entries({ ...named, record: options.record }))
    if (file !== undefined) checkFile(option, file, [seed]);
  const bots = [p1, p2].map((player) => PLAYERS[player] ?? player);
  const table = await Table.open({
    world: WORLD_OF_2018,
    bots,
    names: [options.p1Name ?? null, options.p2Name ?? null],
    config: {
      ticks: wholeFlag(options.duration, 'duration', 1, 10_000_000),
      nitro: choiceAt(options.nitro, 'nitro', ['true', 'false']) === 'true',
      draws: options.disableRandom === true ? 'none' : 'official',
      rules: { team_size: wholeFlag(options.teamSize, 'team-size', 1, 32) },
    },
    care: careOf(bots, options),
    record: options.record ?? null,
    debug: null,
    files: {
      log: options.logFile ?? null,
      results: options.resultsFile ?? null,
      dumps: [options.p1Dump ?? null, options.p2Dump ?? null],
    },
    until: options.untilFirstGoal === true ? 'goal' : null,
  });
  if (options.seed === undefined) remark(`seed ${seed} (repeat with --seed ${seed})`);
  if (options.noshow !== true && options.json !== true) remark('no window here: played as with --noshow; `lockstep studio` shows replays');
  leaveAsPlayed([await playOne(table, seed, options.json === true)]);
}

function refuseWindows({ p1, p2, startPaused, replay, fastForward }: Options): void {
  for (const [option, player] of Object.entries({ p1, p2 }))
    if (player === 'keyboard') throw new InputError(option, 'tcp-PORT, helper, empty or a bot; `lockstep studio` takes a keyboard', player);
  if (startPaused === true) throw new InputError('start-paused', 'a window, and there is none here', 'start-paused');
  if (replay !== undefined) throw new InputError('replay', 'nothing, for showing games is what `lockstep studio` does', replay);
  if (fastForward !== undefined) wholeFlag(fastForward, 'fast-forward', 0, 10_000_000);
}

const A_DAY = 86_400;

/** The rule book's limits; but whoever is to connect may take his time. */
function careOf(bots: readonly string[], { wait }: Options): Care {
  const startMs = (wait === undefined ? A_DAY : numberFlag(wait, 'wait', 0.001, A_DAY)) * 1000;
  const kept = bots.some((bot) => isProgram(findWorld(WORLD_OF_2018), bot)) ? chooseSandbox('auto') : { kind: null };
  return { timeout: 20, budget: { ...BUDGETS.bank, startMs }, sandbox: kept.kind };
}
