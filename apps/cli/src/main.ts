import { readFileSync } from 'node:fs';
import { InputError } from '@lockstep/kernel';
import { Command, CommanderError } from 'commander';
import { addBench } from './bench-command.ts';
import { addCheck } from './check-command.ts';
import { addConform } from './conform-command.ts';
import { addDoctor } from './doctor-command.ts';
import { EXIT, leaveNow, leaveWith } from './exit.ts';
import { reasonOf } from './files.ts';
import { WorldStopped } from './game.ts';
import { guarded } from './guard.ts';
import { addJudge } from './judge-command.ts';
import { addCup } from './league/cup-command.ts';
import { addLadder } from './league/ladder-command.ts';
import { addRate } from './league/rate-command.ts';
import { addReport } from './league/report-command.ts';
import { addSprt } from './league/sprt-command.ts';
import { addTest } from './league/test-command.ts';
import { addTune } from './league/tune-command.ts';
import { addVerify } from './league/verify-command.ts';
import { addMatch } from './match-command.ts';
import { oneOf } from './names.ts';
import { addNewBot } from './new-bot-command.ts';
import { addNewMap } from './new-map-command.ts';
import { bugText, oneLine, remark } from './output.ts';
import { addRepeat } from './repeat-command.ts';
import { addReplay } from './replay-command.ts';
import { addRun } from './run-command.ts';
import { addRunner } from './runner-command.ts';
import { addSolve } from './solve-command.ts';
import { addStore } from './store-command.ts';
import { addStudio } from './studio-command.ts';
import { addTable } from './table-command.ts';
import { addWorlds } from './worlds-command.ts';

// A reader that has seen enough, like `head`, is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit();
  remark(`stdout: expected a place to write to, got "${reasonOf(error)}"`);
  process.exit(EXIT.usage);
});
process.stderr.on('error', () => {}); // nobody is left to be told

const program = new Command('lockstep')
  .description('Clockwork worlds for bots: same seed, same game, every bit, everywhere.')
  .version((JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }).version)
  .option('--json', 'JSON lines on stdout, remarks on stderr; the same as --json after the command')
  .hook('preAction', (all, command) => {
    if (all.opts()['json'] === true) command.setOptionValue('json', true);
  })
  .addHelpText(
    'after',
    `
Exit codes: 0 ok, 1 a check failed, 2 wrong usage or input, 3 a bot misbehaved, 70 a bug of lockstep, 130 stopped by Ctrl+C.

Examples:
  $ lockstep studio                                    watch a match in the browser
  $ lockstep match codeball captain quickstart         play one in the terminal
  $ lockstep match codeball captain chaser --seed 7 --record game.replay
  $ lockstep replay verify game.replay                 the same game again, every bit?
  $ lockstep help match                                all about one command`,
  );

for (const add of [
  addStudio,
  addMatch,
  addRepeat,
  addRunner,
  addReplay,
  addTest,
  addSprt,
  addCup,
  addLadder,
  addRate,
  addTune,
  addReport,
  addVerify,
  addRun,
  addJudge,
  addNewMap,
  addSolve,
  addConform,
  addBench,
  addNewBot,
  addCheck,
  addStore,
  addDoctor,
  addTable,
  addWorlds,
])
  add(program);
settle(program);

try {
  await program.parseAsync();
} catch (error) {
  leaveWith(exitCodeOf(error));
}
// Bots may have left timers or sockets behind that would keep us here.
if (guarded()) await leaveNow();

/** Errors of usage are one line, and are thrown instead of ending the process. */
function settle(command: Command): void {
  if (command.commands.length > 0) addHelp(command);
  command.exitOverride().configureOutput({
    outputError: (text, write) => {
      const line = text.trim().replace(/^error: /, '').replace(/\n\(Did you mean (.*?)\?\)/s, ' (did you mean $1?)'); // prettier-ignore
      write(`lockstep: ${line}\n`);
    },
  });
  command.commands.forEach(settle);
}

/** The library's own `help` answers an unknown name with the whole help. */
function addHelp(command: Command): void {
  command
    .helpCommand(false)
    .command('help')
    .summary('all about one command')
    .description('Tells all about one command.')
    .argument('[command...]', 'its name, or names: replay verify')
    .addHelpText('after', `\nExamples:\n  $ ${fullName(command)} help\n  $ ${fullName(command)} help ${command.commands[0]!.name()}`)
    .action((names: readonly string[]) => {
      let found = command;
      for (const name of names) {
        const next = found.commands.find((one) => one.name() === name);
        if (next === undefined) throw new InputError('help', oneOf(name, found.commands.map((one) => one.name())), name); // prettier-ignore
        found = next;
      }
      found.outputHelp();
    });
}

function fullName(command: Command): string {
  return command.parent === null ? command.name() : `${fullName(command.parent)} ${command.name()}`;
}

function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage; // it has told its line
  if (error instanceof InputError) {
    remark(oneLine(error.message));
    return EXIT.usage;
  }
  remark(error instanceof WorldStopped ? `a bug: ${error.message}` : bugText(error));
  return EXIT.bug;
}
