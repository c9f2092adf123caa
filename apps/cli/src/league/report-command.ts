import { basename, join, resolve } from 'node:path';
import { reportHtml } from '@lockstep/league';
import type { Command } from 'commander';
import { writeAtomically } from '../files.ts';
import { oneLine, say } from '../output.ts';
import { RunFolder } from './run-folder.ts';

export function addReport(program: Command): void {
  program
    .command('report')
    .summary('a run as one HTML page')
    .description('Writes a page that needs nothing else: standings with error bars, crosstable, rating curves, the clearest losses.')
    .argument('<run>', 'the folder of a run')
    .option('--out <file>', 'where to (default: report.html in the folder, from where its links lead to the replays)')
    .addHelpText('after', '\nExamples:\n  $ lockstep report runs/cup\n  $ lockstep report runs/cup --out cup.html')
    .action((path: string, { out }: { readonly out?: string }) => {
      const { games } = RunFolder.read(path);
      const file = out ?? join(path, 'report.html');
      writeAtomically(file, new TextEncoder().encode(reportHtml(basename(resolve(path)), games)));
      say(`report: ${oneLine(file)}`);
    });
}
