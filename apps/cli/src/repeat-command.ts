import { InputError } from '@lockstep/kernel';
import type { Command } from 'commander';
import { addCareOptions, addFileOptions, careFor, type CareOptions, type FileOptions, filesFor, honestyOf } from './care.ts';
import { Table } from './game.ts';
import { leaveAsPlayed, playOne } from './match-report.ts';
import { findWorld } from './names.ts';
import { fromOf, seatBots } from './rerun.ts';

interface Options extends CareOptions, FileOptions {
  readonly seat: readonly string[];
  readonly untilFirstGoal?: boolean;
  readonly verify?: string;
  readonly json?: boolean;
}

export function addRepeat(program: Command): void {
  const command = program
    .command('repeat')
    .summary('play a recorded game again with another bot')
    .description('Plays a recorded game again: the seats that are named with a bot of your own, the others as they were recorded.')
    .argument('<replay>', 'a replay; REPLAY@TICK begins after so many of its ticks')
    .requiredOption('--seat <n=bot>', 'who plays a seat, a bot as in match (may be repeated)', (one: string, all: string[] | undefined) => [
      ...(all ?? []),
      one,
    ])
    .option('--until-first-goal', 'break the game off at the first goal')
    .option('--verify <sim|rerun>', 'check the result: play the actions again, or also run the bots again');
  addFileOptions(command);
  addCareOptions(command)
    .option('--json', 'one JSON object on stdout')
    .addHelpText(
      'after',
      `
Recorded opponents do what they did then, whatever happens now, are out where they were out, and stand idle when their recording is
over. The answer says at which tick the game leaves the recorded one. A new seed would be another game: \`lockstep match\` plays that.

Examples:
  $ lockstep repeat game.replay --seat 0=./mybot
  $ lockstep repeat game.replay@812 --seat 0=./mybot --record again.replay --until-first-goal
  $ lockstep repeat game.replay --seat 0=captain --seat 1='python3 other.py' --json`,
    )
    .action(repeat);
}

async function repeat(text: string, options: Options): Promise<void> {
  const { file, tick, seed, replay } = await fromOf(null, text);
  findWorld(replay.world, `${file}: world`);
  const bots = seatBots(options.seat, replay.bots.length);
  const table = await Table.open({
    world: replay.world,
    bots: replay.bots.map((_, seat) => bots.get(seat) ?? null),
    config: replay.config,
    care: careFor(replay.world, [...bots.values()], options),
    ...filesFor(options, [seed]),
    from: { file, tick },
    until: options.untilFirstGoal === true ? 'goal' : null,
    verify: honestyOf(options.verify),
  });
  if (replay.ticks === 0) throw new InputError(file, 'a game of at least one tick', '0 ticks');
  leaveAsPlayed([await playOne(table, seed, options.json === true)]);
}
