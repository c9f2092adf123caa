import type { Measurement } from '@lockstep/bench';
import { InputError } from '@lockstep/kernel';
import type { Command } from 'commander';
import { checkWritable, writeAtomically } from './files.ts';
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
    .argument('<what>', 'a world, or another part: bots, league')
    .option('--seconds <n>', 'about how long to measure in all', '20')
    .option('--quick', 'only see that everything runs: small sizes, no figures to believe')
    .option('--json', 'one JSON object a measurement on stdout')
    .option('--plot <file>', 'also as a picture, an SVG file')
    .addHelpText(
      'after',
      '\nExamples:\n  $ lockstep bench codeball\n  $ lockstep bench codeball --seconds 60 --json\n  $ lockstep bench bots\n  $ lockstep bench pinball --seconds 120 --plot pinball.svg',
    )
    .action(bench);
}

interface BenchFlags {
  readonly seconds: string;
  readonly quick?: boolean;
  readonly json?: boolean;
  readonly plot?: string;
}

async function bench(name: string, options: BenchFlags): Promise<void> {
  const seconds = options.quick ? QUICK : numberFlag(options.seconds, 'seconds', 0.01, 3600);
  if (options.plot !== undefined) checkWritable(options.plot);
  const { benches, plot } = await import('@lockstep/bench');
  const run = Object.hasOwn(benches, name) ? benches[name] : undefined;
  if (run === undefined) throw new InputError('what', oneOf(name, Object.keys(benches)), name);
  const progress = new Progress('measuring');
  const measurements: Measurement[] = [];
  progress.show(name);
  for await (const measurement of run({ seconds })) {
    progress.show(measurement.bench);
    if (options.json) sayJson(measurement);
    measurements.push(measurement);
  }
  progress.clear();
  if (!options.json) sayTable(measurements);
  if (options.plot !== undefined) writeAtomically(options.plot, new TextEncoder().encode(plot(`lockstep bench ${name}`, measurements)));
}

/** Escapes, energy and remarks have columns where there are any. */
function sayTable(measurements: readonly Measurement[]): void {
  const judged = measurements.some(({ escapes }) => escapes !== undefined);
  const remarked = measurements.some(({ remark }) => remark !== undefined);
  const head = [
    'bench',
    'subject',
    'value',
    'unit',
    'against',
    'ratio',
    ...(judged ? ['escapes', 'energy'] : []),
    ...(remarked ? [''] : []),
  ];
  const rows = measurements.map(({ bench, subject, against, ratio, value, unit, escapes, energyError, remark }) => [
    bench,
    subject,
    Number(value.toPrecision(4)),
    unit,
    against ?? '',
    ratio === null ? '' : `${ratio.toPrecision(3)}x`,
    ...(judged ? [escapes ?? '', energyError === undefined ? '' : energyError.toExponential(1)] : []),
    ...(remarked ? [remark ?? ''] : []),
  ]);
  say(table(head, rows));
}
