import { type CourseVerdict, InputError } from '@lockstep/kernel';
import type { Command } from 'commander';
import { playRun } from './course.ts';
import { EXIT, leaveWith } from './exit.ts';
import { counted, say, sayJson } from './output.ts';

interface Options {
  readonly rules?: string;
  readonly svg?: string;
  readonly json?: boolean;
}

export function addJudge(program: Command): void {
  program
    .command('judge')
    .summary('say whether a written run finishes a map')
    .description('Plays all instructions of a file on a map: were all goals reached, when, and what was touched on the way?')
    .argument('<world>', 'which world')
    .argument('<map>', 'a map file, the name of a map of the world, or - for stdin')
    .argument('<instructions>', 'a file of instructions, or - for stdin')
    .option('--rules <preset>', 'named rules of the world (default: its first preset)')
    .option('--svg <file>', 'a picture of the map and the way')
    .option('--json', 'one JSON object on stdout')
    .addHelpText(
      'after',
      `
Exit code 1 when a goal was not reached, 2 when an instruction is illegal or a file cannot be read.

Examples:
  $ lockstep judge asteracer dash dash.in --rules v2025
  $ lockstep judge asteracer sprint.txt sprint.in --rules v2025 --json`,
    )
    .action(judge);
}

function judge(world: string, map: string, instructions: string, { rules, svg, json }: Options): void {
  try {
    const verdict = playRun({ world, map, run: instructions, rules, svg }, () => {});
    tell(verdict, { world, map, instructions }, json === true);
    if (!verdict.finished) leaveWith(EXIT.failed);
  } catch (error) {
    if (json && error instanceof InputError) sayJson({ kind: 'verdict', world, map, instructions, finished: false, error: error.message });
    throw error;
  }
}

function tell(verdict: CourseVerdict, asked: object, json: boolean): void {
  const { finished, ticks, goals, collisions } = verdict;
  if (json) return sayJson({ kind: 'verdict', ...asked, finished, ticks, goals, collisions });
  const reached = goals.filter((tick) => tick !== null).length;
  say(`${finished ? 'finished' : 'not finished'}: ${reached} of ${counted(goals.length, 'goal')} in ${counted(ticks, 'tick')}`);
  say(collisions === 0 ? 'nothing touched' : `collisions in ${counted(collisions, 'tick')}`);
  goals.forEach((tick, i) => say(`  goal ${i + 1}: ${tick === null ? 'not reached' : `tick ${tick}`}`));
}
