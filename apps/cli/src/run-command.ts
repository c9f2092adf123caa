import type { Command } from 'commander';
import { playRun } from './course.ts';
import { say, sayJson } from './output.ts';

interface Options {
  readonly rules?: string;
  readonly states?: boolean;
  readonly svg?: string;
  readonly json?: boolean;
}

/** How many lines are written at once. */
const LINES = 4096;

export function addRun(program: Command): void {
  program
    .command('run')
    .summary('play a written run on a map')
    .description('Plays instructions from a file on a map and prints the state they end in, or every state, in the public form.')
    .argument('<world>', 'which world')
    .argument('<map>', 'a map file, the name of a map of the world, or - for stdin')
    .argument('<instructions>', 'a file of instructions, or - for stdin')
    .option('--rules <preset>', 'named rules of the world (default: its first preset)')
    .option('--states', 'the state after every tick, not only the last')
    .option('--svg <file>', 'a picture of the map and the way')
    .option('--json', 'one JSON object a state on stdout')
    .addHelpText(
      'after',
      `
Examples:
  $ lockstep run asteracer dash dash.in --rules v2025 --states
  $ lockstep run asteracer sprint.txt - --rules v2025 --svg way.svg < sprint.in`,
    )
    .action(run);
}

function run(world: string, map: string, instructions: string, { rules, states, svg, json }: Options): void {
  let lines: string[] = [];
  const flush = (): void => {
    if (json) lines.forEach((line, i) => sayJson({ kind: 'state', tick: tick - lines.length + i + 1, line }));
    else if (lines.length > 0) say(lines.join('\n'));
    lines = [];
  };
  let tick = 0;
  playRun({ world, map, run: instructions, rules, svg }, ({ line }) => {
    tick++;
    if (!states) lines.length = 0;
    lines.push(line);
    if (lines.length >= LINES) flush();
  });
  flush();
}
