import { InputError } from '@lockstep/kernel';
import type { Command } from 'commander';
import { numberFlag } from './flags.ts';
import { oneOf } from './names.ts';
import { Progress, say, sayJson, table } from './output.ts';

/** Seconds; benchmarks that are asked for so little take small sizes. */
const QUICK = 0.05;

export function addBench(program: Command): void {
  program
    .command('bench')
    .summary('measure speed')
    .description('Measures how fast a world or another part of the whole is, against peers where there are some.')
    .argument('<what>', 'a world, or another part: league')
    .option('--seconds <n>', 'about how long to measure in all', '20')
    .option('--quick', 'only see that everything runs: small sizes, no figures to believe')
    .option('--json', 'one JSON object a measurement on stdout')
    .addHelpText('after', '\nExamples:\n  $ lockstep bench codeball\n  $ lockstep bench codeball --seconds 60 --json')
    .action(bench);
}

async function bench(
  name: string,
  options: { readonly seconds: string; readonly quick?: boolean; readonly json?: boolean },
): Promise<void> {
  const seconds = options.quick ? QUICK : numberFlag(options.seconds, 'seconds', 0.01, 3600);
  const { benches } = await import('@lockstep/bench');
  const run = Object.hasOwn(benches, name) ? benches[name] : undefined;
  if (run === undefined) throw new InputError('what', oneOf(name, Object.keys(benches)), name);
  const progress = new Progress('measuring');
  const rows: (string | number)[][] = [];
  progress.show(name);
  for await (const measurement of run({ seconds })) {
    const { bench, subject, against, ratio, value, unit } = measurement;
    progress.show(bench);
    if (options.json) sayJson(measurement);
    else rows.push([bench, subject, Number(value.toPrecision(4)), unit, against ?? '', ratio === null ? '' : `${ratio.toPrecision(3)}x`]);
  }
  progress.clear();
  if (!options.json) say(table(['bench', 'subject', 'value', 'unit', 'against', 'ratio'], rows));
}
