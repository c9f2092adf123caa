import { readFileSync } from 'node:fs';
import { InputError } from '@lockstep/kernel';
import { Command, CommanderError } from 'commander';
import { addBench } from './bench-command.ts';
import { addConform } from './conform-command.ts';
import { EXIT } from './exit.ts';
import { WorldStopped } from './game.ts';
import { addMatch } from './match-command.ts';
import { remark } from './output.ts';
import { addReplay } from './replay-command.ts';
import { addStudio } from './studio-command.ts';
import { addWorlds } from './worlds-command.ts';

// A reader that has seen enough, like `head`, is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit();
  throw error;
});

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
Exit codes: 0 ok, 1 a check failed, 2 wrong usage or input, 3 a bot misbehaved.

Examples:
  $ lockstep studio                                    watch a match in the browser
  $ lockstep match codeball captain quickstart         play one in the terminal
  $ lockstep match codeball captain chaser --seed 7 --record game.replay
  $ lockstep replay verify game.replay                 the same game again, every bit?
  $ lockstep help match                                all about one command`,
  );

for (const add of [addStudio, addMatch, addReplay, addConform, addBench, addWorlds]) add(program);
settle(program);

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = exitCodeOf(error);
}

/** Errors of usage are one line, and are thrown instead of ending the process. */
function settle(command: Command): void {
  command.exitOverride().configureOutput({
    outputError: (text, write) => {
      const line = text.trim().replace(/^error: /, '').replace(/\n\(Did you mean (.*?)\?\)/s, ' (did you mean $1?)'); // prettier-ignore
      write(`lockstep: ${line}\n`);
    },
  });
  command.commands.forEach(settle);
}

function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage; // it has told its line
  if (error instanceof InputError) {
    remark(error.message);
    return EXIT.usage;
  }
  remark(`a bug: ${error instanceof WorldStopped ? error.message : error instanceof Error ? error.stack : String(error)}`);
  return EXIT.bug;
}
